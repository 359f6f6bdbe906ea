//! Puzzles solved on other machines, over a NATS server with `JetStream`.
//!
//! The *dispatcher* (in `tabuleiro serve` with `[remote]`) draws hard puzzles from the lists of the pool and sends them
//! in *batches*; *workers* (`tabuleiro work`) answer them. The broker holds only copies of puzzles. If the broker or a
//! worker fails, each puzzle still gets an answer or goes back to its list. Subjects, keys and some messages call the
//! dispatcher *intake*.

mod broker_link;
pub mod dispatcher;
#[doc(hidden)]
mod protocol;
pub mod who;
pub mod worker;

pub use broker_link::{BrokerAccess, Secret};
pub use protocol::Heartbeat;

/// Both sides without a broker, for the fuzzers.
#[doc(hidden)]
pub mod sides {
    pub use crate::dispatcher::BatchLedger;
    pub use crate::protocol::{Batch, Report, WorkerAnswer, decode};
    pub use crate::worker::{Extent, Solved, Work};
}
