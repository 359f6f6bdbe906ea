//! Messages: by their names, of which the catalogues have the text.

use serde::{Deserialize, Serialize};

use super::error::WireError;
use super::form::{decode, encode};
use super::text::check_line;
use crate::input::{QUOTE_BYTES_MAX, printable};
use crate::words::{Argument, Phrase};

/// Messages within messages, itself included: more are in none.
const DEPTH_MAX: usize = 3;

#[derive(Serialize, Deserialize)]
struct Form<'a> {
    scope: &'a str,
    name: &'a str,
    #[serde(borrow)]
    arguments: Vec<(&'a str, ArgumentForm<'a>)>,
}

#[derive(Serialize, Deserialize)]
enum ArgumentForm<'a> {
    Number(u128),
    Text(&'a str),
    /// Bytes of its own, so that reading it is no recursion.
    Phrase(Vec<u8>),
}

/// A message as bytes.
pub(super) fn phrase_to_wire(phrase: &Phrase) -> Vec<u8> {
    let form = |argument| match argument {
        &Argument::Number(number) => ArgumentForm::Number(number),
        Argument::Text(text) => ArgumentForm::Text(text),
        Argument::Phrase(phrase) => ArgumentForm::Phrase(phrase_to_wire(phrase)),
    };
    let arguments = phrase.arguments.iter().map(|(name, argument)| (*name, form(argument))).collect();
    encode(&Form { scope: phrase.scope, name: phrase.name, arguments })
}

/// The message that these bytes are.
///
/// # Errors
/// When they are none of the catalogues'.
pub(super) fn phrase_of_wire(wire: &[u8]) -> Result<Phrase, WireError> {
    phrase_within(wire, DEPTH_MAX)
}

/// The same with at most so many within each other.
fn phrase_within(wire: &[u8], depth: usize) -> Result<Phrase, WireError> {
    WireError::unless(depth > 0, "too many messages within each other")?;
    let Form { scope, name, arguments } = decode(wire)?;
    let argument = |form| {
        Ok::<_, WireError>(match form {
            ArgumentForm::Number(number) => Argument::Number(number),
            ArgumentForm::Text(text) => {
                check_line(text)?;
                Argument::Text(text.to_owned())
            }
            ArgumentForm::Phrase(phrase) => Argument::Phrase(phrase_within(&phrase, depth - 1)?),
        })
    };
    let arguments = arguments.into_iter().map(|(name, form)| Ok((name, argument(form)?)));
    Phrase::known(scope, name, arguments.collect::<Result<_, WireError>>()?)
        .ok_or_else(|| WireError::Message(printable(format!("{scope}-{name}").as_bytes(), QUOTE_BYTES_MAX)))
}
