//! What a puzzle may cost: its [`Budget`] of time and memory, and the two ways in which a search keeps to it.
//!
//! A search counts its steps on a [`Pace`], which asks the budget now and then, and holds what it allocates as a
//! [`Charge`], in a [`ChargedVec`] or a [`ChargedTable`], which give the memory back when they are dropped.

// What one puzzle may cost.
mod budget;
// Memory that a search has charged to its budget.
mod charge;
// A hash table whose memory is charged to the puzzle's budget.
mod charged_table;
// A vector whose memory is charged to the puzzle's budget.
mod charged_vec;
// Threads that would be idle.
mod idle;
// How often a search looks at its budget.
mod pace;
// What the puzzles that are solved at a time may use together.
mod permits;
// Why a search ends before it is done.
mod stop;
// A failure that a test orders.
mod trial;

pub use budget::Budget;
pub use charge::Charge;
pub use charged_table::ChargedTable;
pub use charged_vec::ChargedVec;
pub use idle::{Threads, thread_cpu_time};
pub use pace::Pace;
pub use permits::{FREE_BYTES, Permits};
pub use stop::{Cancel, Stop};
