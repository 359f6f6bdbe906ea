//! Puzzles solved on other machines, over a NATS server with `JetStream`.
//!
//! An *intake* (`tabuleiro serve` with `[remote]`) draws hard puzzles from the lists of its pool, as a guest, and sends them in
//! parcels; *workers* (`tabuleiro work`) answer them. Files stay the truth: the broker holds copies only, and whatever becomes of
//! it or of a worker, a puzzle ends with an answer or back in its list.

// The intake's side.
pub mod intake;
// The connection to the broker.
mod link;
// What they say to each other.
mod protocol;
// Who is there.
pub mod who;
// The worker's side.
pub mod worker;

pub use link::{Access, Secret};
pub use protocol::Heartbeat;
