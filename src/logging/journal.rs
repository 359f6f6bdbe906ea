//! The journal of systemd: every event as an entry with fields of its own, so that
//! `journalctl -u tabuleiro SOLVER=checkers-capture` finds what it says.
//!
//! An entry is one datagram to journald, in its native protocol (`systemd.io/JOURNAL_NATIVE_PROTOCOL`). `MESSAGE` is the
//! line that a log file has, without time and level, since `journalctl` shows nothing else by default; every field of
//! the event is there once more under its name in upper case. Entries have a limit far below that of a datagram, so
//! that none needs the protocol's way for large ones. An entry that cannot be sent goes to standard error.

use std::ffi::OsStr;
use std::fmt::{self, Write as _};
use std::io::{self, Write as _};
use std::os::fd::AsFd;
use std::os::unix::net::UnixDatagram;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::layer::{Context, Layer};
use tracing_subscriber::registry::LookupSpan;

use super::kind::{self, Kind};
use super::sink::{Sink, missing_words};

/// Where journald listens.
const SOCKET: &str = "/run/systemd/journal/socket";
/// The longest value of a field, in bytes; what is longer is cut.
const VALUE_BYTES_MAX: usize = 8192;
/// The most that the fields of an event take, in bytes, the message apart; a field that does not fit is left out.
const FIELDS_BYTES_MAX: usize = 49_152;

/// The way to journald.
#[derive(Debug)]
pub struct Journal {
    socket: UnixDatagram,
    path: PathBuf,
}

impl Journal {
    /// Reaches journald.
    ///
    /// # Errors
    /// When nobody listens there.
    pub fn connect() -> io::Result<Self> {
        Self::connect_to(Path::new(SOCKET))
    }

    fn connect_to(path: &Path) -> io::Result<Self> {
        let journal = Self { socket: UnixDatagram::unbound()?, path: path.to_owned() };
        // journald discards an empty entry.
        journal.send(&[])?;
        Ok(journal)
    }

    /// Starts its sink, and a layer that writes entries into it.
    ///
    /// # Errors
    /// When the thread cannot be started.
    pub(super) fn start(self) -> io::Result<(Entries, Sink)> {
        let send = move |entries: &[Vec<u8>]| entries.iter().filter(|entry| !self.has_taken(entry)).count();
        let sink = Sink::start("journal", send, missing)?;
        Ok((Entries(sink.clone()), sink))
    }

    fn has_taken(&self, entry: &[u8]) -> bool {
        if self.send(entry).is_ok() {
            return true;
        }
        let text = |name| field(entry, name).map(String::from_utf8_lossy).unwrap_or_default();
        // In one piece. Nothing can be done when that fails, too.
        io::stderr().write_all(with_priority(&text("MESSAGE"), &text("PRIORITY")).as_bytes()).is_ok()
    }

    /// Not connected once and for all: journald may be restarted.
    fn send(&self, entry: &[u8]) -> io::Result<()> {
        self.socket.send_to(entry, &self.path).map(drop)
    }
}

/// Whether standard error ends in the journal, as systemd tells its services by `JOURNAL_STREAM`.
#[must_use]
pub fn has_stderr() -> bool {
    std::env::var_os("JOURNAL_STREAM").is_some_and(|stream| is_stream(&stream, io::stderr()))
}

/// Whether a file is the one that `JOURNAL_STREAM` names as `DEVICE:INODE`. The variable alone says nothing: programs
/// that were started by a service inherit it, and may write elsewhere.
fn is_stream(variable: &OsStr, file: impl AsFd) -> bool {
    let Ok(stat) = rustix::fs::fstat(file) else { return false };
    variable.to_str().is_some_and(|text| text == format!("{}:{}", stat.st_dev, stat.st_ino))
}

/// Makes an entry of each event.
pub(super) struct Entries(Sink);

/// The fields of a span, encoded.
struct SpanFields(Vec<u8>);

impl<S: Subscriber + for<'s> LookupSpan<'s>> Layer<S> for Entries {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let mut entry = Entry::default();
        attributes.record(&mut entry);
        if let Some(span) = context.span(id) {
            span.extensions_mut().insert(SpanFields(entry.fields));
        }
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        let mut entry = Entry::default();
        event.record(&mut entry);
        for span in context.event_scope(event).into_iter().flatten() {
            if let Some(SpanFields(fields)) = span.extensions().get() {
                entry.fields.extend_from_slice(fields);
            }
        }
        let metadata = event.metadata();
        let message = entry.message();
        let mut datagram = Vec::with_capacity(512 + message.len() + entry.fields.len());
        begin(&mut datagram, priority(*metadata.level()), Kind::of(metadata.name()));
        if let (Some(file), Some(line)) = (metadata.file(), metadata.line()) {
            put(&mut datagram, "CODE_FILE", file);
            put(&mut datagram, "CODE_LINE", &line.to_string());
        }
        put(&mut datagram, "MESSAGE", &message);
        datagram.extend_from_slice(&entry.fields);
        self.0.push(&datagram);
    }
}

/// The fields that begin every entry. It says itself when it was made: it may wait for journald, whose own time is when
/// it came.
fn begin(datagram: &mut Vec<u8>, priority: &str, kind: Option<Kind>) {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    put(datagram, "LOGGED_US", &now.as_micros().to_string());
    put(datagram, "PRIORITY", priority);
    put(datagram, "SYSLOG_IDENTIFIER", "tabuleiro");
    if let Some(kind) = kind {
        put(datagram, "MESSAGE_ID", kind.id);
    }
}

/// The entry that lines are missing.
fn missing(lines: u64) -> Vec<u8> {
    let mut datagram = Vec::new();
    begin(&mut datagram, priority(Level::WARN), Some(kind::LINES_LOST));
    put(&mut datagram, "MESSAGE", &missing_words(lines));
    datagram
}

/// The lines of a text, each with the level that journald reads off lines of standard error.
#[must_use]
pub fn with_priority(text: &str, priority: &str) -> String {
    text.lines().map(|line| format!("<{priority}>{line}\n")).collect()
}

/// The priority of a level, after `syslog(3)`.
fn priority(level: Level) -> &'static str {
    match level {
        Level::ERROR => ERROR,
        Level::WARN => "4",
        Level::INFO => "6",
        _ => "7",
    }
}

/// The priority of errors.
pub const ERROR: &str = "3";

/// What an event says.
#[derive(Default)]
struct Entry {
    message: String,
    /// The fields as a log line has them.
    details: String,
    /// The fields as journald takes them.
    fields: Vec<u8>,
}

impl Entry {
    fn add(&mut self, field: &Field, value: &str, written: fmt::Arguments<'_>) {
        if field.name() == "message" {
            value.clone_into(&mut self.message);
            return;
        }
        // Writing to a string cannot fail.
        let _ = write!(self.details, " {}={written}", field.name());
        let (name, value) = (field_name(field.name()), cut(value));
        if self.fields.len() + name.len() + value.len() <= FIELDS_BYTES_MAX {
            put(&mut self.fields, &name, value);
        }
    }

    fn message(&self) -> String {
        cut(&format!("{}{}", self.message, self.details)).to_owned()
    }
}

impl Visit for Entry {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.add(field, value, format_args!("{value:?}"));
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        let value = format!("{value:?}");
        self.add(field, &value, format_args!("{value}"));
    }
}

/// A field's name in the journal: upper case, digits and `_`. What the log calls `id` is always that of a job.
fn field_name(name: &str) -> String {
    if name == "id" {
        return "JOB".to_owned();
    }
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' };
    name.chars().map(plain).collect()
}

fn cut(value: &str) -> &str {
    let mut end = value.len().min(VALUE_BYTES_MAX);
    while !value.is_char_boundary(end) {
        end -= 1;
    }
    &value[..end]
}

/// Adds a field in the form that allows any value: name, length, value.
fn put(entry: &mut Vec<u8>, name: &str, value: &str) {
    entry.extend_from_slice(name.as_bytes());
    entry.push(b'\n');
    entry.extend_from_slice(&(value.len() as u64).to_le_bytes());
    entry.extend_from_slice(value.as_bytes());
    entry.push(b'\n');
}

/// The value of a field.
fn field<'e>(mut entry: &'e [u8], name: &str) -> Option<&'e [u8]> {
    loop {
        let end = entry.iter().position(|byte| *byte == b'\n')?;
        let (length, rest) = entry.get(end + 1..)?.split_first_chunk()?;
        let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
        if &entry[..end] == name.as_bytes() {
            return rest.get(..length);
        }
        entry = rest.get(length + 1..)?;
    }
}

#[cfg(test)]
#[path = "journal_tests.rs"]
mod tests;
