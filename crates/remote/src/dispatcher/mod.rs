//! The dispatcher's side: puzzles that wait in the pool's lists are sent to workers, and their answers are put into place.

mod batch_ledger;
#[cfg(test)]
mod batch_ledger_tests;
mod batch_maker;
mod broker_session;
mod dispatcher_thread;
mod sent_batch;
mod worker_registry;

pub(crate) use batch_ledger::BatchLedger;
pub use dispatcher_thread::{Dispatcher, Setting};
