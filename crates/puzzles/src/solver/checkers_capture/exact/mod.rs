//! The default algorithm: finds and proves the longest trail in the graph of a board of any size.

mod circles;
mod edge_sets;
mod frontier_search;
mod graph;
mod kernel;
mod longest_trail;
mod parity;
mod plan;
mod states;
mod trails;

pub use longest_trail::solve;
