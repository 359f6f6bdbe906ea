//! Texts that may stand in a log or a result.

use super::error::WireError;
use crate::input::printable;

/// Nothing in them forges a line.
///
/// # Errors
/// When something does.
pub(super) fn check_line(text: &str) -> Result<(), WireError> {
    WireError::unless(printable(text.as_bytes(), usize::MAX) == text, "a text that is not printable")
}

/// The same of whole lines, without the last line feed.
pub(super) fn check_lines(text: &str) -> Result<(), WireError> {
    text.split('\n').try_for_each(check_line)
}
