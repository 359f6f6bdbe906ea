//! Options of solvers: their names, their ranges, and the chosen values.
//!
//! A solver declares each of its options as an [`OptionKey`], which fixes the type of the values in code, and lists the
//! options in a table of [`OptionSpec`]. Values arrive as text from three sources (configuration, directive, command
//! line), and are checked once, when they are set. A solver [reads](Options::get) them by their keys.
//!
//! A [`Kind`] defines a set of values: it parses, checks, formats and describes them. The keys of the configuration use
//! the same kinds.

mod common;
mod spec;
#[cfg(test)]
mod tests;
mod typed;
mod value_kind;
mod values;

pub use common::{
    ALL_OR_NOTHING, COMMON, COMPARE_RULES, GRADING, JOB_TIME_LIMIT, LANGUAGE, Limits, MEMORY_LIMIT,
    NEEDS_WITNESS, PARTIAL, PICTURE, POINTS, Partial, REVEAL, Reveal, TIME_LIMIT, WITNESS, WORDS, Words,
    is_of_grading,
};
pub use spec::{DirectiveRule, Hint, OptionError, OptionSpec, did_you_mean, meant};
pub use typed::{Choice, OptionKey, Values, choice};
pub use value_kind::{DURATIONS, Kind, OptionValue, Range, SIZE_MAX, YEAR, duration, format_size, size};
pub use values::{Authority, Options};
