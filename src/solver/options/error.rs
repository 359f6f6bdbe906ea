//! Why a value of an option was refused.

/// Why a value was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// There is no such option.
    #[error("unknown option '{name}'{hint}; known: {known}")]
    Unknown {
        /// What was written.
        name: String,
        /// The name that was probably meant, as the end of a sentence; or empty.
        hint: String,
        /// All names there are.
        known: String,
    },
    /// The value is not one of the option's.
    #[error("{name} = {found}: expected {expected}")]
    OutOfRange {
        /// The option.
        name: &'static str,
        /// What was written.
        found: String,
        /// What is allowed.
        expected: String,
    },
    /// A directive tried to raise a limit.
    #[error("{name} = {found}: a directive may lower this limit, never raise it; allowed up to {max}")]
    Raised {
        /// The option.
        name: &'static str,
        /// The value that was asked for.
        found: String,
        /// The limit in force.
        max: String,
    },
}
