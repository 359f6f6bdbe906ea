//! The control socket: asking a service that runs, over a Unix stream socket of its own.
//!
//! A client sends one request and gets one answer, each a JSON object in one line, and is done:
//!
//! ```json
//! {"tabuleiro":1,"ask":"status"}
//! {"tabuleiro":1,"status":{"time":"2026-11-21T13:43:32.084191Z","service":{"state":"running"}}}
//! ```
//!
//! Everybody who may write to the socket may ask. Clients are bounded in number, bytes and time. A thread of their own
//! serves them, and another one waits for files.

// Answering.
mod control_server;

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::UnixStream;
use tokio::time::timeout;

use crate::daemon::base::json_path::JsonPath;
use crate::daemon::inspect::retry_inputs::{Retried, Wanted};
use crate::daemon::inspect::snapshot::Snapshot;
use crate::daemon::inspect::why::Explanation;

pub use control_server::{Access, Server};

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
    Retry { wanted: Wanted },
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

/// Receives a line of at most `bytes_max` bytes within `patience`, however slowly it comes. `None` if the other
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

/// The longest path that the system takes for a socket, in bytes.
const ADDRESS_BYTES_MAX: usize = 107;

/// The folder of a socket, as the system takes it.
pub(super) struct SocketFolder {
    folder: PathBuf,
    /// Held open while its descriptor is part of the path.
    _open: Option<File>,
}

impl SocketFolder {
    /// The folder of a socket, for names as long as `names_bytes_max` in it.
    ///
    /// # Errors
    /// When a folder with a long path cannot be opened.
    pub(super) fn of(folder: &Path, names_bytes_max: usize) -> io::Result<Self> {
        if folder.as_os_str().len() + 1 + names_bytes_max <= ADDRESS_BYTES_MAX {
            return Ok(Self { folder: folder.to_owned(), _open: None });
        }
        let open = File::open(folder)?;
        Ok(Self { folder: format!("/proc/self/fd/{}", open.as_raw_fd()).into(), _open: Some(open) })
    }

    /// Returns the path of a name.
    pub(super) fn at(&self, name: impl AsRef<Path>) -> PathBuf {
        self.folder.join(name)
    }
}

/// How long an answer may take: a service that puts back many files, or searches a long history, takes its time.
const ANSWER_WAIT_MAX: Duration = Duration::from_secs(60);

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    /// Nobody listens there.
    #[error("no service listens on {}", socket.display())]
    NotRunning { socket: PathBuf },
    /// The socket is not for this user.
    #[error(
        "the control socket {} may not be used by this user; its group is set by control.group, its permissions by \
         control.mode",
        socket.display()
    )]
    Denied { socket: PathBuf },
    /// The service does not answer as it should.
    #[error("the service on {} does not answer: {source}", socket.display())]
    Failed { socket: PathBuf, source: io::Error },
    /// The service answers that it cannot.
    #[error("the service answers: {0}")]
    Refused(String),
}

/// Asks the service that listens on `socket`.
///
/// # Errors
/// [`AskError`].
pub fn ask(socket: &Path, ask: &Ask) -> Result<Answer, AskError> {
    let path = || socket.to_owned();
    let failed = |source| AskError::Failed { socket: path(), source };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(failed)?;
    runtime.block_on(async {
        let mut stream = connect(socket).await.map_err(|source| match source.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused => {
                AskError::NotRunning { socket: path() }
            }
            io::ErrorKind::PermissionDenied => AskError::Denied { socket: path() },
            _ => failed(source),
        })?;
        send(&mut stream, ask, ANSWER_WAIT_MAX).await.map_err(failed)?;
        match receive(&mut stream, ANSWER_BYTES_MAX, ANSWER_WAIT_MAX).await.map_err(failed)? {
            Some(Answer::Error(message)) => Err(AskError::Refused(message)),
            Some(answer) => Ok(answer),
            None => Err(failed(io::ErrorKind::UnexpectedEof.into())),
        }
    })
}

async fn connect(socket: &Path) -> io::Result<UnixStream> {
    let name = socket.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    let folder = socket.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let place = SocketFolder::of(folder, name.len())?;
    UnixStream::connect(place.at(name)).await
}

#[cfg(test)]
mod tests;
