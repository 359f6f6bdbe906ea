//! The text of the JSON Schema of the configuration.

use std::io;

use serde::Serialize;
use serde_json::Value;
use serde_json::ser::{Formatter, Serializer};

/// How deep values are spread over several lines: keys of a section and solvers of a route have one line each.
const DEPTH_MAX: usize = 4;

/// Returns the text of a schema in which each key of the configuration has one line.
pub(super) fn one_key_per_line(schema: &Value) -> String {
    let mut text = Vec::new();
    schema
        .serialize(&mut Serializer::with_formatter(&mut text, Lines { depth: 0 }))
        .expect("JSON can be written to memory");
    text.push(b'\n');
    String::from_utf8(text).expect("JSON is UTF-8")
}

struct Lines {
    /// How many objects and arrays are open.
    depth: usize,
}

impl Lines {
    fn begin(&mut self, out: &mut (impl io::Write + ?Sized), mark: &[u8]) -> io::Result<()> {
        self.depth += 1;
        out.write_all(mark)
    }

    fn item(&self, out: &mut (impl io::Write + ?Sized), is_first: bool) -> io::Result<()> {
        out.write_all(if is_first { b"" } else { b"," })?;
        if self.depth > DEPTH_MAX {
            return out.write_all(if is_first { b"" } else { b" " });
        }
        write!(out, "\n{:1$}", "", 2 * self.depth)
    }

    fn end(&mut self, out: &mut (impl io::Write + ?Sized), mark: &[u8]) -> io::Result<()> {
        self.depth -= 1;
        if self.depth < DEPTH_MAX {
            write!(out, "\n{:1$}", "", 2 * self.depth)?;
        }
        out.write_all(mark)
    }
}

impl Formatter for Lines {
    fn begin_object<W: ?Sized + io::Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.begin(out, b"{")
    }

    fn begin_array<W: ?Sized + io::Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.begin(out, b"[")
    }

    fn begin_object_key<W: ?Sized + io::Write>(&mut self, out: &mut W, is_first: bool) -> io::Result<()> {
        self.item(out, is_first)
    }

    fn begin_array_value<W: ?Sized + io::Write>(&mut self, out: &mut W, is_first: bool) -> io::Result<()> {
        self.item(out, is_first)
    }

    fn begin_object_value<W: ?Sized + io::Write>(&mut self, out: &mut W) -> io::Result<()> {
        out.write_all(b": ")
    }

    fn end_object<W: ?Sized + io::Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.end(out, b"}")
    }

    fn end_array<W: ?Sized + io::Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.end(out, b"]")
    }
}
