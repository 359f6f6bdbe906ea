//! Options of solvers: what there is, in which range, and the values chosen.
//!
//! A solver declares each of its options as an [`OptionKey`], which says what type its values have in code, and lists
//! them in a table of [`OptionSpec`]. Values arrive as text from three places (configuration, directive, command
//! line), and are checked once, when they are set. A solver [reads](Options::get) them by their keys.

mod choice;
mod common;
mod error;
mod key;
mod spec;
#[cfg(test)]
mod tests;
mod units;
mod values;

pub use choice::Choice;
pub(crate) use choice::choice;
pub use common::{COMMON, JOB_TIME_LIMIT, MEMORY_LIMIT, TIME_LIMIT, WITNESS};
pub use error::OptionError;
pub use key::OptionKey;
pub use spec::{DirectiveRule, Kind, OptionSpec, OptionValue};
pub use units::{duration, format_size, size};
pub use values::{Authority, Options, nearest};
