//! Threads that solve the puzzles of a batch, and the list from which they draw them.
//!
//! A batch is a list with a shared next-index; as many *tickets* for it are queued as there are threads, and
//! a thread that draws a ticket solves puzzles of that batch until none is left. So one hard puzzle holds
//! one thread, not its whole batch, and a ticket never waits for another. Tickets are drawn first in, first out.
//! Whoever waits for a batch that no thread has begun solves it himself, so a short file is not stuck behind a long
//! one.
//!
//! A *guest* draws from the same lists where the pool has any: it has puzzles solved elsewhere, and may give back what it
//! drew. The first answer to a puzzle is kept, whoever brings it.
//!
//! Puzzles may take less than a microsecond, so what is done for each of them is little: an answer goes into
//! the place of its puzzle, the clock is read once, and the budget begins anew instead of being made.

// Lists that guests may draw from.
mod guests;
// The limits of a job, turned into budgets.
mod limits;
// The puzzles of a batch and the places for their answers.
mod list;
// Where the puzzles of a list come from.
mod origin;
// What the dispatcher to workers on other machines reports.
mod remote_facts;
// The threads themselves.
mod threads;
// Those who wait for a batch.
mod waiters;

pub use guests::Guests;
pub use limits::{Limits, Memory};
pub use list::{Failure, List, Solved, guarded};
pub use origin::Origin;
pub use remote_facts::{RemoteFacts, WorkerFact};
pub(super) use threads::Pending;
pub use threads::Pool;

#[cfg(test)]
mod tests;
