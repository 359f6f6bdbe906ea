//! Messages. A message is data: a name and arguments. The catalogue of a language turns it into text.
//!
//! The catalogues are `en.ftl` and `pt.ftl`, in the format of Project Fluent. A test checks that they have an entry for
//! every message that the code declares, with all its arguments.

mod catalogue;
mod message;

pub use catalogue::Language;
pub(crate) use message::Data;
pub use message::messages;
pub use message::{Argument, Phrase};
