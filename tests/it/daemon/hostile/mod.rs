//! Tests hostile input: whatever arrives in the inbox ends with a result, a report or a line of the log, in bounded
//! time and memory, and forges nothing.

mod content;
mod kinds;
mod names;
mod outbox;
mod sizes;
