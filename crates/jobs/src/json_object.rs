//! Writes JSON objects field by field, so that each field is declared where its value is computed.

use std::io::{self, Write};

use serde::Serialize;

/// An object that is being written. All methods fail only if `out` cannot be written.
pub(crate) struct Object<W> {
    out: W,
    separator: &'static [u8],
}

impl<W: Write> Object<W> {
    pub(crate) fn begin(out: W) -> Self {
        Self { out, separator: b"{" }
    }

    pub(crate) fn field(mut self, name: &str, value: impl Serialize) -> io::Result<Self> {
        self.out.write_all(std::mem::replace(&mut self.separator, b","))?;
        serde_json::to_writer(&mut self.out, name)?;
        self.out.write_all(b":")?;
        serde_json::to_writer(&mut self.out, &value)?;
        Ok(self)
    }

    /// Writes a field, or nothing for `None`.
    pub(crate) fn optional(self, name: &str, value: Option<impl Serialize>) -> io::Result<Self> {
        match value {
            Some(value) => self.field(name, value),
            None => Ok(self),
        }
    }

    /// Begins the list of puzzles; the object stays open.
    pub(crate) fn begin_puzzles(mut self) -> io::Result<()> {
        self.out.write_all(b",\n\"puzzles\": [")
    }

    pub(crate) fn end(mut self) -> io::Result<()> {
        self.out.write_all(b"}")
    }
}
