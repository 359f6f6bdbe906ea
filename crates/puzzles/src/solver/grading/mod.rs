//! Reads the answers that a program printed for a file of puzzles, and compares each one with what is proved.
//!
//! A solver's [`AnswerReader`] decides where an answer begins and how far it goes; [`Submission`] returns the answers
//! one by one. The solver's puzzles check them, each by the rules of its board and by what is [`Known`], and return a
//! [`Finding`].

mod among_words;
mod answer_text;
mod finding;
mod known;
mod submission;
mod submitted_answer;

pub use among_words::{
    FindPart, begins_with, behind_label, has_digit, is_number, number_part, tokens, without_mark, words_part,
};
pub use answer_text::ANSWER_LINE_BYTES_MAX;
pub use finding::{Finding, Mark, Reason, Remark, Share, quoted};
pub use known::{Best, Known, Number};
pub use submission::{AnswerReader, Lines, Seam, Submission, is_number_or_word, is_words, row_and_column};
pub use submitted_answer::{
    ANSWER_BYTES_MAX, Answer, CLAIMED_BYTES_MAX, CLAIMED_MAX, TooMany, claimed, claimed_squares,
};
