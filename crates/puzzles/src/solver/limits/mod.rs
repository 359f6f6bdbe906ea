//! What a puzzle may cost: its [`Budget`] of time and memory, and the two ways in which a search keeps to it.
//!
//! A search counts its steps on a [`Pace`], which asks the budget now and then, and holds what it allocates as a
//! [`Charge`], in a [`ChargedVec`] or a [`ChargedTable`], which give the memory back when they are dropped.

mod budget;
mod charge;
mod charged_table;
mod charged_vec;
mod idle;
mod pace;
mod permits;
mod stop;

pub use budget::Budget;
pub use charge::Charge;
pub use charged_table::ChargedTable;
pub use charged_vec::ChargedVec;
pub use idle::{Threads, thread_cpu_time};
pub use pace::Pace;
pub use permits::{FREE_BYTES, Permits};
pub use stop::{Cancel, Stop};
