//! The options that every solver takes.

use std::time::Duration;

use super::choice::Choice;
use super::key::OptionKey;
use super::kind::OptionValue;
use super::spec::OptionSpec;
use super::typed::Values;
use super::units::{DURATIONS, SIZE_MAX};
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

/// Whether the proofs of the answers are wanted.
pub const WITNESS: OptionKey<bool> = Values::flag_or(&["required"]).option(
    "witness",
    "false",
    "print the proof of every answer: a path, a list of moves; required: submissions must have it as well",
);

/// Whether an answer of a submission needs its proof.
pub const NEEDS_WITNESS: OptionKey<bool> =
    OptionKey { spec: WITNESS.spec, read: |value| Some(matches!(value, OptionValue::Word(_))) };

/// Whether a page of pictures is wanted.
pub const PICTURE: OptionKey<bool> =
    Values::flag().option("picture", "false", "draw a page of pictures beside the result: saida.html");

/// Whether answers are compared with those that other rules in use give: an option of solvers that have
/// [`course_rules`](crate::solver::Solver::course_rules).
pub const COMPARE_RULES: OptionKey<bool> = Values::flag().option(
    "compare_rules",
    "true",
    "warn if the course's rules, or the default ones, give another answer to some game of the file",
);

/// What people are told in.
pub const LANGUAGE: OptionKey<Language> =
    OptionKey::choice("language", "what errors and warnings are told in: English or Portuguese");

impl Choice for Language {
    const ALL: &'static [(&'static str, Self)] = &[("en", Self::English), ("pt", Self::Portuguese)];
    const WORDS: &'static [&'static str] = &["en", "pt"];
}

/// All of them, as a table.
pub const COMMON: &[OptionSpec] =
    &[TIME_LIMIT.spec, MEMORY_LIMIT.spec, JOB_TIME_LIMIT.spec, WITNESS.spec, PICTURE.spec, LANGUAGE.spec];
