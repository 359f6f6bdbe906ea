//! Values as bytes, and the way back.

use serde::{Deserialize, Serialize};

use super::error::WireError;

/// A value as bytes.
#[must_use]
pub fn encode<T: Serialize + ?Sized>(value: &T) -> Vec<u8> {
    let mut wire = Vec::new();
    write(value, &mut wire);
    wire
}

/// The value that these bytes are, all of them.
///
/// # Errors
/// What is wrong with them.
pub fn decode<'a, T: Deserialize<'a>>(mut wire: &'a [u8]) -> Result<T, WireError> {
    let value = take(&mut wire)?;
    end(wire)?;
    Ok(value)
}

/// Appends a value as bytes.
///
/// # Panics
/// For a type that has no form, such as a list of unknown length: a mistake in the code.
pub(crate) fn write<T: Serialize + ?Sized>(value: &T, wire: &mut Vec<u8>) {
    *wire = postcard::to_extend(value, std::mem::take(wire)).unwrap_or_else(|error| unreachable!("{error}"));
}

/// Takes a value from the beginning of the bytes.
///
/// # Errors
/// What is wrong with them.
pub(crate) fn take<'a, T: Deserialize<'a>>(wire: &mut &'a [u8]) -> Result<T, WireError> {
    let (value, rest) = postcard::take_from_bytes(wire)?;
    *wire = rest;
    Ok(value)
}

/// Nothing may be left.
///
/// # Errors
/// When something is.
pub(crate) fn end(wire: &[u8]) -> Result<(), WireError> {
    if wire.is_empty() { Ok(()) } else { Err(WireError::LeftOver(wire.len())) }
}
