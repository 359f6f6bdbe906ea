//! Reads the answers that a program printed for a file of puzzles, and compares each with what is proved.
//!
//! A solver's [`AnswerReader`] tells where an answer begins and how far it goes; [`Submission`] gives them one by one. Its
//! puzzles check them, each by the rules of its board and by what is [`Known`], into a [`Finding`].

// Answers among words.
mod among_words;
// One answer of a submission.
mod submitted_answer;
// What is proved about a puzzle, and answers that are a number.
mod known;
// Findings: the verdict on one answer.
mod finding;
// The lines of a submission.
mod answer_text;
// The answers of a submission, one by one.
mod submission;

pub use among_words::{
    FindPart, behind_label, has_digit, is_number, number_part, tokens, without_mark, words_part,
};
pub use answer_text::ANSWER_LINE_BYTES_MAX;
pub use finding::{Finding, Mark, Reason, Remark, Share, quoted};
pub use known::{Best, Claim, Known, Number};
pub use submission::{AnswerReader, Lines, Seam, Submission, is_number_or_word, is_words, row_and_column};
pub use submitted_answer::{
    ANSWER_BYTES_MAX, Answer, CLAIMED_BYTES_MAX, CLAIMED_MAX, TooMany, claimed, claimed_squares,
};
