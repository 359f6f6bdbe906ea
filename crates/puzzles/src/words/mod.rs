//! Messages. A message is data, a name and arguments; each language has a catalogue that turns it into text.
//!
//! `en.ftl` and `pt.ftl` are the catalogues, in the format of Project Fluent. A test holds them to the messages that the
//! code declares: none lacks an entry or an argument.

// A language and its catalogue.
mod catalogue;
// Messages as data.
mod message;

pub use catalogue::Language;
pub(crate) use message::Data;
pub use message::messages;
pub use message::{Argument, Phrase};
