//! Answers of a submission: the five lines, the board, the transcript and `skipped K`, in any order. The score, the largest tile
//! and the board must stand there; the others are compared if they do.
//!
//! [`reader`] tells the answers apart: a new one begins where a key comes a second time, or a row behind a whole board. [`check()`]
//! plays the game once more: by its moves, or where the program was to play, by the transcript of the answer.

// What becomes of an answer.
mod check;
// What an answer must have, and lacks.
mod lack;
// What the lines of an answer are.
mod line;
// Where answers begin and end.
mod reader;
// The game played once more, beside the transcript of an answer.
mod replay;

pub use check::{Given, check};
pub use line::step;
pub use reader::Games;
pub use replay::transcript;
