//! The default algorithm: the longest trail in the graph of a board, proved. Fit for boards of any size.

mod circles;
mod edge_sets;
mod graph;
mod kernel;
mod parity;
mod plan;
mod rooted;
mod search;
mod solve;
mod states;
mod trails;

pub use solve::solve;
