//! What a puzzle may cost: its [`Budget`] of time and memory, and the two ways in which a search keeps to it.
//!
//! A search counts its steps on a [`Pace`], which asks the budget now and then, and holds what it allocates as a
//! [`Charge`] or in a [`ChargedVec`], which give the memory back when they are dropped.

mod budget;
mod charge;
mod charged_vec;
mod pace;
mod permits;
mod stop;
mod trial;

pub use budget::Budget;
pub use charge::Charge;
pub use charged_vec::ChargedVec;
pub use pace::Pace;
pub use permits::{FREE_BYTES, Permits};
pub use stop::{Cancel, Stop};
