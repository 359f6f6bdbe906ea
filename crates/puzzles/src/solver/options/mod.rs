//! Options of solvers: what there is, in which range, and the values chosen.
//!
//! A solver declares each of its options as an [`OptionKey`], which says what type its values have in code, and lists
//! them in a table of [`OptionSpec`]. Values arrive as text from three places (configuration, directive, command
//! line), and are checked once, when they are set. A solver [reads](Options::get) them by their keys.
//!
//! A [`Kind`] says which values there are: it reads, checks, prints and describes them. The keys of the configuration
//! take values of the same kinds.

// A choice among a few words.
mod choice;
// The options that every solver takes.
mod common;
// Why a value of an option was refused.
mod error;
// The options of grading.
mod grading;
// An option together with the type that its values have in code.
mod key;
// Which values there are.
mod kind;
// What an option is.
mod spec;
#[cfg(test)]
mod tests;
// Values with the type that they have in code.
mod typed;
// Durations and sizes, as people write them.
mod units;
// The values chosen for a solver's options.
mod values;

pub use choice::{Choice, choice};
pub use common::{
    COMMON, COMPARE_RULES, JOB_TIME_LIMIT, LANGUAGE, MEMORY_LIMIT, NEEDS_WITNESS, PICTURE, TIME_LIMIT,
    WITNESS,
};
pub use error::{Hint, OptionError, did_you_mean, meant};
pub use grading::{
    ALL_OR_NOTHING, GRADING, PARTIAL, POINTS, Partial, REVEAL, Reveal, WORDS, Words, is_of_grading,
};
pub use key::OptionKey;
pub use kind::{Kind, OptionValue, Range};
pub use spec::{DirectiveRule, OptionSpec};
pub use typed::Values;
pub use units::{DURATIONS, SIZE_MAX, YEAR, duration, format_size, size};
pub use values::{Authority, Options};
