//! Answers of a submission: the winner and the round, on one line or two, with or without the winner's squares behind
//! them, `C 3 0,2 0,5 …`; or `SEM VENCEDORES`.

// An answer against what is known.
mod checker;
// The squares of an answer, replayed.
mod path;
// The lines of an answer.
mod reader;

pub(super) use checker::check;
pub(super) use reader::{Lines, NO_WINNER};
