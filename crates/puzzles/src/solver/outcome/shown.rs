//! What is shown of a puzzle in a picture.

use serde_json::Value;

use super::Bounds;
use crate::words::Language;

/// What became of a puzzle, as far as it is drawn.
#[derive(Debug, Clone, Copy)]
pub struct Shown<'a> {
    /// What people are told in.
    pub language: Language,
    /// The answer as people are told it, in a few words.
    pub headline: &'a str,
    /// The answer is exact; otherwise it is what was found until a limit ended the search.
    pub is_answered: bool,
    /// The answer for machines.
    pub answer: &'a Value,
    /// What proves it, or what a submission says does; `Null` where there is nothing. It may come from a file, so nothing of
    /// it is sure.
    pub witness: &'a Value,
    /// What is proved of a number.
    pub bounds: Bounds,
}
