//! How much a state can still gain if connectivity is forgotten: a bound by parity.
//!
//! A trail from the root r to t leaves out a *T-join*: a set of edges in which the vertices of T have odd
//! degree, where T holds the odd vertices, with r and t exchanged. Every set of vertices with an odd number of
//! members of T is left by an edge of the T-join. Give such odd sets *dual variables* so that on no edge the
//! dual variables of the sets it leaves exceed its length. Then their sum is a lower bound of what is lost. The
//! dual variables of a cheapest matching of T reach the optimum (Edmonds and Johnson 1973).
//!
//! - [`matching`], [`regions`] and [`blossom`]: the cheapest perfect matching of T, grown on the edges of the graph.
//! - [`odd_sets`]: the odd sets, checked edge by edge before anything rests on them.
//! - [`relaxation`]: the graph in which the T-join is sought, the T-join itself, and the bound for the whole kernel.
//! - [`prices`]: the same with prices on sets of vertices that are to be connected.
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
