//! An upper bound, by parity, on what a state can still gain if the used edges need not be connected.
//!
//! The edges that a trail from the root r to t leaves out are a *T-join*: a set of edges in which exactly the vertices
//! of T have odd degree. T holds the odd vertices of the graph, with r and t flipped. An edge *crosses* a set of
//! vertices if exactly one of its ends is in the set. An edge of the T-join crosses every *odd set*, a set that holds
//! an odd number of members of T. Give odd sets *dual variables* whose sum, over the sets that an edge crosses, is
//! never more than the edge's length. Then the sum over all odd sets is a lower bound on what the trail loses. The dual
//! variables of a cheapest matching of T reach the optimum (Edmonds and Johnson 1973).
//!
//! - [`matching`], [`regions`] and [`blossom`]: the cheapest perfect matching of T, grown on the edges of the graph.
//! - [`odd_sets`]: the odd sets, checked edge by edge before a bound uses them.
//! - [`relaxation`]: the graph with the end vertex, its cheapest T-join, and the bound for the whole kernel.
//! - [`prices`]: the same with prices on sets of vertices that must be connected with the root.
//! - [`cuts`]: the bound for every state of the search.
//!
//! Proofs: docs/proofs/checkers.md, sections 6 and 7.

mod blossom;
mod cuts;
mod matching;
mod odd_sets;
mod prices;
mod regions;
mod relaxation;

#[cfg(test)]
#[path = "table_tests.rs"]
pub(super) mod table;

pub use cuts::ParityCuts;
pub use prices::Prices;
pub use relaxation::Relaxation;
