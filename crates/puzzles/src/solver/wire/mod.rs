//! The form in which puzzles and their outcomes travel to another machine and back: bytes, by [`postcard`]. It knows no
//! network.
//!
//! A puzzle travels without its options, which are those of many puzzles ([`Options::to_wire`](super::Options::to_wire)), and
//! its solver joins both again. Whatever arrives is checked as any input is: a wrong form is a [`WireError`]. No length that a
//! message states is believed before as many bytes are there.

// What is wrong with what arrived.
mod error;
// Values as bytes, and the way back.
mod form;
// What became of a puzzle.
mod outcome;
// Messages.
mod phrase;
// What is wrong with a puzzle.
mod problem;
// Square boards.
mod square;
// Texts that may stand in a log or a result.
mod text;

pub use error::WireError;
pub use form::{decode, encode};
pub(crate) use form::{end, take, write};
pub(crate) use square::board_of_ranks;
