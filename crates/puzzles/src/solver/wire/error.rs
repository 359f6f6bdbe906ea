//! What is wrong with what arrived.

use crate::solver::OptionError;

/// Why bytes are no puzzle, no outcome or no options.
#[derive(Debug, thiserror::Error)]
pub enum WireError {
    /// They end too soon, or hold what the form has not.
    #[error("not of the form: {0}")]
    Form(#[from] postcard::Error),
    /// Bytes behind the end.
    #[error("{0} bytes too many")]
    LeftOver(usize),
    /// An answer or a witness that is no JSON.
    #[error("no JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// A message that is not in the catalogues.
    #[error("no such message: {0}")]
    Message(String),
    /// An option that the solver has not, or a value that it does not take.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// It breaks a rule.
    #[error("{0}")]
    Wrong(&'static str),
}

impl WireError {
    /// Fails where a rule does not hold; `what` says what is wrong then.
    pub(crate) fn unless(holds: bool, what: &'static str) -> Result<(), Self> {
        if holds { Ok(()) } else { Err(Self::Wrong(what)) }
    }
}
