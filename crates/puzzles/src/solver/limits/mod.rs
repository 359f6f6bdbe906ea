//! Limits the cost of a puzzle: its [`Budget`] of time and memory, and the types by which a search respects it.
//!
//! A search counts its steps on a [`Pace`], which checks the budget from time to time. It holds its allocated memory as
//! a [`Charge`], in a [`ChargedVec`] or in a [`ChargedTable`], which release the memory when they are dropped.

mod budget;
mod charge;
mod permits;

pub use budget::{Budget, Cancel, Pace, Stop};
pub use charge::{Charge, ChargedTable, ChargedVec};
pub use permits::{FREE_BYTES, Permits};
