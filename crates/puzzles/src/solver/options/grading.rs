//! The options of grading: how a submission is read, and what its answers are worth. A reference may set them by directives.

use super::choice::choice;
use super::key::OptionKey;
use super::spec::OptionSpec;
use super::typed::Values;

choice! {
    /// What becomes of words before an answer.
    pub enum Words {
        /// They make it unreadable.
        Strict = "strict",
        /// They are skipped, as in `Caso 1: 7`.
        Skip = "skip",
    }
}

choice! {
    /// What an answer is worth that is legal and not the best.
    pub enum Partial {
        /// Nothing.
        None = "none",
        /// Its share of the best one.
        Valid = "valid",
    }
}

choice! {
    /// What a grade tells.
    pub enum Reveal {
        /// The right answers to the staff, and what is wrong in the own answers to students.
        Auto = "auto",
        /// The right answers, too.
        Full = "full",
        /// What is wrong in the own answers.
        Own = "own",
        /// The points alone.
        Points = "points",
        /// Nothing but that it was graded.
        None = "none",
    }
}

/// What becomes of words before an answer.
pub const WORDS: OptionKey<Words> =
    OptionKey::choice("words", "words before an answer, as in Caso 1: 7, make it unreadable or are skipped");

/// What a submission is worth that is right.
pub const POINTS: OptionKey<Option<u64>> = Values::integer_or(&["puzzles"], 0..=1_000_000).option(
    "points",
    "puzzles",
    "points for the whole, shared evenly; puzzles: one for each of them",
);

/// What an answer is worth that is legal and not the best.
pub const PARTIAL: OptionKey<Partial> = OptionKey::choice(
    "partial",
    "a legal answer that is not the best earns nothing, or its share of the best",
);

/// Whether one wrong answer takes all points.
pub const ALL_OR_NOTHING: OptionKey<bool> =
    Values::flag().option("all_or_nothing", "false", "no points at all unless every answer is right");

/// What a grade tells.
pub const REVEAL: OptionKey<Reveal> = OptionKey::choice(
    "reveal",
    "what a grade tells: auto (full to staff, own to students), the right answers, what is wrong in the own ones, points, nothing",
);

/// All of them, as a table.
pub const GRADING: &[OptionSpec] = &[WORDS.spec, POINTS.spec, PARTIAL.spec, ALL_OR_NOTHING.spec, REVEAL.spec];

/// Whether that is the name of one of them.
#[must_use]
pub fn is_of_grading(name: &str) -> bool {
    GRADING.iter().any(|spec| spec.name == name)
}
