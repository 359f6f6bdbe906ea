//! The default algorithm: the longest trail in the graph of a board, proved. Fit for boards of any size.

mod circles;
mod edge_sets;
mod frontier_search;
mod graph;
mod kernel;
mod longest_trail;
mod parity;
mod plan;
mod rooted;
mod states;
mod trails;

pub use longest_trail::solve;
