//! Answers of a submission: `unsolvable`, a count of moves, the boards of a path, or a count and boards.
//!
//! A list of boards has no mark at its end. [`reader`] ends it at a board that has won, and where the next puzzle's own board
//! stands; a board that follows by a swipe belongs to it all the same.

// What becomes of an answer.
mod check;
// Where answers begin and end.
mod reader;
// The moves that the boards of an answer were made by.
mod moves;
// Whether the boards of an answer follow from one another.
mod replay;
// What the lines of an answer are.
mod shape;

pub use check::check;
pub use moves::moves;
pub use reader::Lists;
pub use shape::begins_in;
