//! The default algorithm: the longest trail in the graph of a board, proved. Fit for boards of any size.

// Sets of edges that are built by uniting smaller ones, and counted without being looked at.
mod edge_sets;
// The captures of a board as a graph in which every capture move is a trail.
mod graph;
// What is left of a graph when everything is taken away that can be decided by itself.
mod kernel;
// What a step may do to the parities of the frontier.
mod moves;
// How much a state can still gain if connectivity is forgotten.
mod parity;
// The order in which the edges of a kernel are decided.
mod plan;
// What one own piece can reach.
mod rooted;
// The longest trail of a kernel by dynamic programming over a moving frontier.
mod search;
// The default algorithm.
mod solve;
// The states between two steps of the search.
mod states;
// Trails that are found without a search.
mod trails;

pub use solve::solve;
