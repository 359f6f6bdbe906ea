//! Logs to the journal of systemd: every event is an entry with fields of its own, so that
//! `journalctl -u tabuleiro SOLVER=checkers-capture` finds it.
//!
//! An entry is one datagram to journald, in its native protocol (`systemd.io/JOURNAL_NATIVE_PROTOCOL`). `MESSAGE` is
//! the line of the text log without the time; every field of the event is included under its name in upper case.
//! Entries are kept far below the size limit of a datagram, so that none needs the protocol's method for large entries.
//! An entry that cannot be sent is counted as lost.

use std::ffi::OsStr;
use std::io;
use std::os::fd::AsFd;
use std::os::unix::net::UnixDatagram;
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use tracing::span::{Attributes, Id};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::layer::{Context, Layer};
use tracing_subscriber::registry::LookupSpan;

use super::event_text::{EventText, Fields, Value};
use super::kind::{self, Kind};
use super::sink::{Sink, lost_lines_message};
use tabuleiro_puzzles::words::Language;

/// The path of journald's socket.
pub const SOCKET: &str = "/run/systemd/journal/socket";
/// The maximum length of a field's value, in bytes; a longer value is cut.
const VALUE_BYTES_MAX: usize = 8192;
/// The maximum size of the fields of one event or span, in bytes, without the message; a field that does not fit is
/// left out.
const FIELDS_BYTES_MAX: usize = 49_152;

/// Connects to journald, which listens at `path`. Returns a layer that writes entries to it, and its sink.
///
/// # Errors
/// Fails if nothing listens there, or if the thread of the sink cannot be started.
pub(super) fn connect(path: &Path) -> io::Result<(Entries, Arc<Sink>)> {
    let (socket, path) = (UnixDatagram::unbound()?, path.to_owned());
    // The path is looked up each time, since journald can be restarted.
    let send = move |entry: &[u8]| socket.send_to(entry, &path);
    // journald discards an empty entry.
    send(&[])?;
    let write = move |entries: &[Vec<u8>]| entries.iter().filter(|entry| send(entry).is_err()).count();
    let sink = Sink::start("journal", write, missing)?;
    Ok((Entries(Arc::clone(&sink)), sink))
}

/// Returns whether standard error is connected to the journal. For such services, systemd sets `JOURNAL_STREAM`.
pub fn has_stderr() -> bool {
    std::env::var_os("JOURNAL_STREAM").is_some_and(|stream| is_stream(&stream, io::stderr()))
}

/// Returns whether a file is the one that `JOURNAL_STREAM` names as `DEVICE:INODE`. The variable alone proves nothing:
/// a program that was started by a service inherits it, but may write elsewhere.
fn is_stream(variable: &OsStr, file: impl AsFd) -> bool {
    let Ok(stat) = rustix::fs::fstat(file) else { return false };
    variable.to_str().is_some_and(|text| text == format!("{}:{}", stat.st_dev, stat.st_ino))
}

/// The layer that writes each event as one entry.
pub(super) struct Entries(Arc<Sink>);

/// The encoded fields of a span.
struct SpanFields(Vec<u8>);

impl<S: Subscriber + for<'s> LookupSpan<'s>> Layer<S> for Entries {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let mut fields = Fields::new(Language::English);
        attributes.record(&mut fields);
        if let Some(span) = context.span(id) {
            span.extensions_mut().insert(SpanFields(encoded(&fields)));
        }
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        let mut fields = Fields::new(Language::English);
        event.record(&mut fields);
        let metadata = event.metadata();
        let message = EventText::of(metadata, &fields).line(None);
        let mut datagram = Vec::with_capacity(1024 + message.len());
        begin(&mut datagram, *metadata.level(), Kind::of(metadata.name()));
        if let (Some(file), Some(line)) = (metadata.file(), metadata.line()) {
            put(&mut datagram, "CODE_FILE", file);
            put(&mut datagram, "CODE_LINE", &line.to_string());
        }
        put(&mut datagram, "MESSAGE", cut(&message));
        datagram.extend(encoded(&fields));
        for span in context.event_scope(event).into_iter().flatten() {
            if let Some(SpanFields(fields)) = span.extensions().get() {
                datagram.extend_from_slice(fields);
            }
        }
        self.0.push(&datagram);
    }
}

/// Adds the fields that begin every entry. They include the time of the event, since the entry may wait in the queue
/// and journald only records when it arrived.
fn begin(datagram: &mut Vec<u8>, level: Level, kind: Option<Kind>) {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    put(datagram, "LOGGED_US", &now.as_micros().to_string());
    put(datagram, "PRIORITY", priority(level));
    put(datagram, "SYSLOG_IDENTIFIER", "tabuleiro");
    if let Some(kind) = kind {
        put(datagram, "MESSAGE_ID", kind.id);
    }
}

/// Returns the entry that reports the number of lost lines.
fn missing(lines: u64) -> Vec<u8> {
    let mut datagram = Vec::new();
    begin(&mut datagram, Level::WARN, Some(kind::LINES_LOST));
    put(&mut datagram, "MESSAGE", &lost_lines_message(lines));
    datagram
}

/// Returns the lines of a text, each with the priority of an error, as journald reads it from lines on standard error.
pub fn as_errors(text: &str) -> String {
    text.lines().map(|line| format!("<{}>{line}\n", priority(Level::ERROR))).collect()
}

/// Returns the priority of a level, as in `syslog(3)`.
fn priority(level: Level) -> &'static str {
    match level {
        Level::ERROR => "3",
        Level::WARN => "4",
        Level::INFO => "6",
        _ => "7",
    }
}

/// Returns the fields in journald's format.
fn encoded(fields: &Fields) -> Vec<u8> {
    let mut encoded = Vec::new();
    for (name, value) in &fields.values {
        let text = match value {
            Value::Text(text) | Value::Other(text) => cut(text).to_owned(),
            number => number.to_string(),
        };
        let name = field_name(name);
        if encoded.len() + name.len() + text.len() <= FIELDS_BYTES_MAX {
            put(&mut encoded, &name, &text);
        }
    }
    encoded
}

/// Returns a field's name in the journal: upper-case letters, digits and `_`. The log's field `id` is always the ID of
/// a job, so it becomes `JOB`.
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

#[cfg(test)]
#[path = "journal_tests.rs"]
mod tests;
