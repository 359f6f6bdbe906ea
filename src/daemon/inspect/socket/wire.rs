//! What goes over the control socket: one JSON object a line.
//!
//! ```json
//! {"tabuleiro":1,"ask":"status"}
//! {"tabuleiro":1,"status":{"time":"2026-11-21T13:43:32.084191Z","service":{"state":"running"}}}
//! ```

use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::daemon::base::json_path::JsonPath;
use crate::daemon::inspect::retry::{Retried, Wanted};
use crate::daemon::inspect::snapshot::Snapshot;
use crate::daemon::inspect::why::Explanation;

/// The version of the protocol. Fields may be added to it; whatever else changes makes a new one.
pub(super) const PROTOCOL: u32 = 1;
/// The longest request.
pub(super) const REQUEST_BYTES_MAX: usize = 64 << 10;
/// Sent and received at a time.
const BLOCK_BYTES: usize = 4096;
/// The longest answer.
pub(super) const ANSWER_BYTES_MAX: usize = 16 << 20;

/// A line with the version of its protocol.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Line<T> {
    pub(super) tabuleiro: u32,
    #[serde(flatten)]
    pub(super) said: T,
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
pub(super) fn send<T: Serialize>(stream: &mut UnixStream, said: T, patience: Duration) -> io::Result<()> {
    let mut line = serde_json::to_vec(&Line { tabuleiro: PROTOCOL, said })?;
    line.push(b'\n');
    let deadline = Instant::now() + patience;
    let mut rest = &line[..];
    while !rest.is_empty() {
        stream.set_write_timeout(Some(time_left(deadline)?))?;
        // A write of more would wait for each part of it anew.
        match stream.write(&rest[..rest.len().min(BLOCK_BYTES)]) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                return Err(io::ErrorKind::TimedOut.into());
            }
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            count => rest = &rest[count?..],
        }
    }
    Ok(())
}

/// The time until a deadline, which is not over.
fn time_left(deadline: Instant) -> io::Result<Duration> {
    let left = deadline.saturating_duration_since(Instant::now());
    if left.is_zero() { Err(io::ErrorKind::TimedOut.into()) } else { Ok(left) }
}

/// Receives a line of at most `bytes_max` bytes within `patience`, however slowly it comes. `None` where the other
/// side says nothing more.
///
/// # Errors
/// `TimedOut`, `InvalidData` for what is too long or no such line, and those of reading.
pub(super) fn receive<T: DeserializeOwned>(
    stream: &mut UnixStream,
    bytes_max: usize,
    patience: Duration,
) -> io::Result<Option<T>> {
    let deadline = Instant::now() + patience;
    let mut line = Vec::new();
    let mut block = [0; BLOCK_BYTES];
    loop {
        stream.set_read_timeout(Some(time_left(deadline)?))?;
        let count = match stream.read(&mut block) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                return Err(io::ErrorKind::TimedOut.into());
            }
            count => count?,
        };
        let end = block[..count].iter().position(|byte| *byte == b'\n');
        line.extend_from_slice(&block[..end.unwrap_or(count)]);
        if line.len() > bytes_max {
            return Err(invalid(format!("more than {bytes_max} bytes in a line")));
        }
        match (end, count) {
            (Some(_), _) => return parse(&line).map(Some),
            (None, 0) if line.is_empty() => return Ok(None),
            (None, 0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            (None, _) => {}
        }
    }
}

fn parse<T: DeserializeOwned>(line: &[u8]) -> io::Result<T> {
    #[derive(Deserialize)]
    struct Version {
        tabuleiro: u32,
    }
    let version: Version = serde_json::from_slice(line)
        .map_err(|error| invalid(format!("no line of this protocol: {error}")))?;
    if version.tabuleiro != PROTOCOL {
        return Err(invalid(format!("protocol {}, expected {PROTOCOL}", version.tabuleiro)));
    }
    let line: Line<T> = serde_json::from_slice(line).map_err(|error| invalid(error.to_string()))?;
    Ok(line.said)
}

fn invalid(message: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message)
}
