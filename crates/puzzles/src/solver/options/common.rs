//! The options that every solver takes, and those of grading, which say how a submission is read and what its answers
//! are worth. A reference may set the options of grading by directives.

use std::time::Duration;

use super::spec::OptionSpec;
use super::typed::{Choice, OptionKey, Values, choice};
use super::value_kind::{DURATIONS, OptionValue, SIZE_MAX};
use crate::words::Language;

/// Time for one puzzle.
pub const TIME_LIMIT: OptionKey<Option<Duration>> = Values::duration_or_none(DURATIONS)
    .option("time_limit", "60s", "time for one puzzle; a puzzle that needs more is undecided")
    .lower_only();

/// Memory for one puzzle.
pub const MEMORY_LIMIT: OptionKey<u64> = Values::size(1 << 20..=SIZE_MAX)
    .option("memory_limit", "1GiB", "memory for one puzzle; a puzzle that needs more is undecided")
    .lower_only();

/// Time for a whole file.
pub const JOB_TIME_LIMIT: OptionKey<Option<Duration>> = Values::duration_or_none(DURATIONS)
    .option("job_time_limit", "1h", "time for a whole file; puzzles not solved by then are undecided")
    .lower_only();

/// Whether the proofs of the answers are requested.
pub const WITNESS: OptionKey<bool> = Values::flag_or(&["required"]).option(
    "witness",
    "false",
    "print the proof of every answer: a path, a list of moves; required: submissions must have it as well",
);

/// Whether a submitted answer needs its proof.
pub const NEEDS_WITNESS: OptionKey<bool> =
    OptionKey { spec: WITNESS.spec, read: |value| Some(matches!(value, OptionValue::Word(_))) };

/// Whether a page of pictures is requested.
pub const PICTURE: OptionKey<bool> =
    Values::flag().option("picture", "false", "draw a page of pictures beside the result: saida.html");

/// Whether answers are compared with the answers under other common rules. Only solvers with
/// [`course_rules`](crate::solver::Solver::course_rules) take this option.
pub const COMPARE_RULES: OptionKey<bool> = Values::flag().option(
    "compare_rules",
    "true",
    "warn if the course's rules, or the default ones, give another answer to some game of the file",
);

/// The language of errors and warnings.
pub const LANGUAGE: OptionKey<Language> =
    OptionKey::choice("language", "what errors and warnings are told in: English or Portuguese");

impl Choice for Language {
    const ALL: &'static [(&'static str, Self)] = &[("en", Self::English), ("pt", Self::Portuguese)];
    const WORDS: &'static [&'static str] = &["en", "pt"];
}

/// The options that every solver takes.
pub const COMMON: &[OptionSpec] =
    &[TIME_LIMIT.spec, MEMORY_LIMIT.spec, JOB_TIME_LIMIT.spec, WITNESS.spec, PICTURE.spec, LANGUAGE.spec];

choice! {
    /// Which puzzles are valid.
    pub enum Limits {
        /// Those within the published limits.
        Published = "published",
        /// Puzzles of any size.
        None = "none",
    }
}

choice! {
    /// How words before an answer are treated.
    pub enum Words {
        /// They make the answer unreadable.
        Strict = "strict",
        /// They are skipped, as in `Caso 1: 7`.
        Skip = "skip",
    }
}

choice! {
    /// What a legal answer that is not the best is worth.
    pub enum Partial {
        /// Nothing.
        None = "none",
        /// Its share of the best answer.
        Valid = "valid",
    }
}

choice! {
    /// What a grade shows.
    pub enum Reveal {
        /// The right answers to the staff; to students only what is wrong with their own answers.
        Auto = "auto",
        /// The right answers as well.
        Full = "full",
        /// What is wrong with the student's own answers.
        Own = "own",
        /// Only the points.
        Points = "points",
        /// Only the fact that it was graded.
        None = "none",
    }
}

/// How words before an answer are treated.
pub const WORDS: OptionKey<Words> =
    OptionKey::choice("words", "words before an answer, as in Caso 1: 7, make it unreadable or are skipped");

/// What a submission is worth if every answer is right.
pub const POINTS: OptionKey<Option<u64>> = Values::integer_or(&["puzzles"], 0..=1_000_000).option(
    "points",
    "puzzles",
    "points for the whole, shared evenly; puzzles: one for each of them",
);

/// What a legal answer that is not the best is worth.
pub const PARTIAL: OptionKey<Partial> = OptionKey::choice(
    "partial",
    "a legal answer that is not the best earns nothing, or its share of the best",
);

/// Whether one wrong answer costs all points.
pub const ALL_OR_NOTHING: OptionKey<bool> =
    Values::flag().option("all_or_nothing", "false", "no points at all unless every answer is right");

/// What a grade shows.
pub const REVEAL: OptionKey<Reveal> = OptionKey::choice(
    "reveal",
    "what a grade tells: auto (full to staff, own to students), the right answers, what is wrong in the own ones, points, nothing",
);

/// The options of grading.
pub const GRADING: &[OptionSpec] = &[WORDS.spec, POINTS.spec, PARTIAL.spec, ALL_OR_NOTHING.spec, REVEAL.spec];

/// Returns whether `name` is an option of grading.
pub fn is_of_grading(name: &str) -> bool {
    GRADING.iter().any(|spec| spec.name == name)
}
