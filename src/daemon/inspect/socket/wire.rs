//! What goes over the control socket: one JSON object a line.
//!
//! ```json
//! {"tabuleiro":1,"ask":"status"}
//! {"tabuleiro":1,"status":{"time":"2026-11-21T13:43:32.084191Z","service":{"state":"running"}}}
//! ```

use std::io;
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::UnixStream;
use tokio::time::timeout;

use crate::daemon::base::json_path::JsonPath;
use crate::daemon::inspect::retry::{Retried, Wanted};
use crate::daemon::inspect::snapshot::Snapshot;
use crate::daemon::inspect::why::Explanation;

/// The version of the protocol. Fields may be added to it; whatever else changes makes a new one.
const PROTOCOL: u32 = 1;
/// The longest request.
pub(super) const REQUEST_BYTES_MAX: usize = 64 << 10;
/// The longest answer.
pub(super) const ANSWER_BYTES_MAX: usize = 16 << 20;

/// A line with the version of its protocol.
#[derive(Debug, Serialize)]
struct Line<T> {
    tabuleiro: u32,
    #[serde(flatten)]
    said: T,
}

/// A request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "ask", rename_all = "lowercase")]
pub enum Ask {
    /// How the service is.
    Status,
    /// Why a file was not taken, or what became of it.
    Why {
        /// Its path below the inbox, or that of its result below the outbox, or of the archived input below the var folder.
        file: JsonPath,
    },
    /// Have archived inputs answered again.
    Retry {
        /// Which.
        wanted: Wanted,
    },
}

/// The answer to a request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Answer {
    /// To [`Ask::Status`].
    Status(Box<Snapshot>),
    /// To [`Ask::Why`].
    Why(Explanation),
    /// To [`Ask::Retry`]: a line a file.
    Retry(Vec<Retried>),
    /// The request cannot be answered.
    Error(String),
}

/// Sends a line within `patience`, however slowly the other side takes it.
///
/// # Errors
/// `TimedOut`, and those of writing.
pub(super) async fn send<T: Serialize>(
    stream: &mut UnixStream,
    said: T,
    patience: Duration,
) -> io::Result<()> {
    let mut line = serde_json::to_vec(&Line { tabuleiro: PROTOCOL, said })?;
    line.push(b'\n');
    timeout(patience, stream.write_all(&line)).await?
}

/// Receives a line of at most `bytes_max` bytes within `patience`, however slowly it comes. `None` where the other
/// side says nothing more.
///
/// # Errors
/// `TimedOut`, `InvalidData` for what is too long or no such line, and those of reading.
pub(super) async fn receive<T: DeserializeOwned>(
    stream: &mut UnixStream,
    bytes_max: usize,
    patience: Duration,
) -> io::Result<Option<T>> {
    let mut line = Vec::new();
    let mut bytes = BufReader::new(stream).take(bytes_max as u64 + 1);
    timeout(patience, bytes.read_until(b'\n', &mut line)).await??;
    match line.pop() {
        None => Ok(None),
        Some(b'\n') => parse(&line).map(Some),
        Some(_) if line.len() >= bytes_max => Err(invalid(format!("more than {bytes_max} bytes in a line"))),
        Some(_) => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}

fn parse<T: DeserializeOwned>(line: &[u8]) -> io::Result<T> {
    let mut line: Map<String, Value> = serde_json::from_slice(line)
        .map_err(|error| invalid(format!("no line of this protocol: {error}")))?;
    let version = line.remove("tabuleiro").unwrap_or_default();
    if version != PROTOCOL {
        return Err(invalid(format!("protocol {version}, expected {PROTOCOL}")));
    }
    serde_json::from_value(Value::Object(line)).map_err(|error| invalid(error.to_string()))
}

fn invalid(message: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message)
}
