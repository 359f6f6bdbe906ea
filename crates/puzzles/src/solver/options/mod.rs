//! Options of solvers: their names, their ranges, and the values chosen.
//!
//! A solver declares each of its options as an [`OptionKey`], which says what type its values have in code, and lists
//! them in a table of [`OptionSpec`]. Values arrive as text from three places (configuration, directive, command
//! line), and are checked once, when they are set. A solver [reads](Options::get) them by their keys.
//!
//! A [`Kind`] says which values there are: it reads, checks, prints and describes them. The keys of the configuration
//! take values of the same kinds.

// The options that every solver takes, and those of grading.
mod common;
// Which values there are, and how they are written.
mod value_kind;
// What an option is, and why a value of it was refused.
mod spec;
#[cfg(test)]
mod tests;
// Options and values with the types that they have in code.
mod typed;
// The values chosen for a solver's options.
mod values;

pub use common::{
    ALL_OR_NOTHING, COMMON, COMPARE_RULES, GRADING, JOB_TIME_LIMIT, LANGUAGE, MEMORY_LIMIT, NEEDS_WITNESS,
    PARTIAL, PICTURE, POINTS, Partial, REVEAL, Reveal, TIME_LIMIT, WITNESS, WORDS, Words, is_of_grading,
};
pub use spec::{DirectiveRule, Hint, OptionError, OptionSpec, did_you_mean, meant};
pub use typed::{Choice, OptionKey, Values, choice};
pub use value_kind::{DURATIONS, Kind, OptionValue, Range, SIZE_MAX, YEAR, duration, format_size, size};
pub use values::{Authority, Options};
