//! The dispatcher's side: sends puzzles that wait in the pool's lists to workers, and puts their answers into the
//! lists.

#[doc(hidden)]
mod batch_ledger;
#[cfg(test)]
mod batch_ledger_tests;
mod batch_maker;
mod broker_session;
mod dispatcher_thread;
mod worker_registry;

pub use batch_ledger::BatchLedger;
pub use dispatcher_thread::Dispatcher;
