//! The control socket: clients ask a running service over a Unix stream socket.
//!
//! A client sends one request and receives one answer, each a JSON object on one line:
//!
//! ```json
//! {"tabuleiro":1,"ask":"status"}
//! {"tabuleiro":1,"status":{"time":"2026-11-21T13:43:32.084191Z","service":{"state":"running"}}}
//! ```
//!
//! Everybody who may write to the socket may ask. Constants limit the number of clients, and the bytes and time of
//! each. One thread serves all clients, and another one searches the disk for them.

use std::fs::{self, File, Permissions};
use std::future::Future;
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rustix::fs::{AtFlags, CWD, Gid};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::UnixStream;
use tokio::time::timeout;
use tracing::debug;

use crate::daemon::base::json_path::JsonPath;
use crate::daemon::fs::disk::if_found;
use crate::daemon::inspect::not_taken::Explanation;
use crate::daemon::inspect::retry_inputs::{Retried, RetryRequest};
use crate::daemon::inspect::serving::{ClientSlot, ServerThread, serve_all};
use crate::daemon::inspect::snapshot::Snapshot;

/// The version of the protocol. Adding fields keeps the version; any other change needs a new one.
const PROTOCOL: u32 = 1;
/// The longest request, in bytes.
pub(super) const REQUEST_BYTES_MAX: usize = 64 << 10;
/// The longest answer, in bytes.
pub(super) const ANSWER_BYTES_MAX: usize = 16 << 20;

/// A line of the protocol, with its version.
#[derive(Debug, Serialize)]
struct Line<T> {
    tabuleiro: u32,
    #[serde(flatten)]
    message: T,
}

/// A request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "ask", rename_all = "lowercase")]
pub enum Ask {
    /// Asks for the state of the service.
    Status,
    /// Asks why a file was not taken, or what became of it.
    Why {
        /// The file's path below the inbox, its result's path below the outbox, or its kept input's path below the var
        /// folder.
        file: JsonPath,
    },
    /// Asks to put kept inputs back into the inbox, where they are answered again.
    Retry { wanted: RetryRequest },
}

/// The answer to a request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Answer {
    /// Answers [`Ask::Status`].
    Status(Box<Snapshot>),
    /// Answers [`Ask::Why`].
    Why(Explanation),
    /// Answers [`Ask::Retry`], with one entry per file.
    Retry(Vec<Retried>),
    /// The request cannot be answered.
    Error(String),
}

/// Sends a line. The other side must take all of it within `patience`.
///
/// # Errors
/// Returns `TimedOut`, and the errors of writing.
pub(super) async fn send<T: Serialize>(
    stream: &mut UnixStream,
    message: T,
    patience: Duration,
) -> io::Result<()> {
    let mut line = serde_json::to_vec(&Line { tabuleiro: PROTOCOL, message })?;
    line.push(b'\n');
    timeout(patience, stream.write_all(&line)).await?
}

/// Receives a line of at most `bytes_max` bytes. The whole line must arrive within `patience`. Returns `None` if the
/// other side closes the connection instead.
///
/// # Errors
/// Returns `TimedOut`, `InvalidData` if the line is too long or malformed, and the errors of reading.
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

/// The longest path that the system accepts for a socket, in bytes.
const ADDRESS_BYTES_MAX: usize = 107;

/// The folder of a socket, under a path that is short enough for the system.
pub(super) struct SocketFolder {
    folder: PathBuf,
    /// Keeps the folder open if its descriptor is part of the path.
    _open: Option<File>,
}

impl SocketFolder {
    /// Opens the folder of a socket, for socket names of at most `names_bytes_max` bytes.
    ///
    /// # Errors
    /// Fails if a folder with a long path cannot be opened.
    pub(super) fn of(folder: &Path, names_bytes_max: usize) -> io::Result<Self> {
        if folder.as_os_str().len() + 1 + names_bytes_max <= ADDRESS_BYTES_MAX {
            return Ok(Self { folder: folder.to_owned(), _open: None });
        }
        let open = File::open(folder)?;
        Ok(Self { folder: format!("/proc/self/fd/{}", open.as_raw_fd()).into(), _open: Some(open) })
    }

    /// Returns the path of `name` in the folder.
    pub(super) fn at(&self, name: impl AsRef<Path>) -> PathBuf {
        self.folder.join(name)
    }
}

/// How long a client waits for its answer. The service needs time to put back many files or to search a long history.
const ANSWER_WAIT_MAX: Duration = Duration::from_secs(60);

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    /// No service listens on the socket.
    #[error("no service listens")]
    NotRunning,
    /// This user may not write to the socket.
    #[error(
        "the control socket {} may not be used by this user; its group is set by control.group, its permissions by \
         control.mode",
        socket.display()
    )]
    Denied { socket: PathBuf },
    /// The connection failed, or the answer is malformed.
    #[error("the service on {} does not answer: {source}", socket.display())]
    Failed { socket: PathBuf, source: io::Error },
    /// The service answered with an error.
    #[error("the service answers: {0}")]
    Refused(String),
}

/// Asks the service that listens on `socket`.
///
/// # Errors
/// Returns an [`AskError`] if there is no answer.
pub fn ask(socket: &Path, ask: &Ask) -> Result<Answer, AskError> {
    let path = || socket.to_owned();
    let failed = |source| AskError::Failed { socket: path(), source };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(failed)?;
    runtime.block_on(async {
        let mut stream = connect(socket).await.map_err(|source| match source.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused => AskError::NotRunning,
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

/// The maximum number of simultaneous clients.
const CLIENTS_MAX: usize = 16;
/// How long a client can take to send its request, and again to read its answer.
const CLIENT_WAIT_MAX: Duration = Duration::from_secs(5);
/// An upper bound for the digits of a process ID.
const PID_BYTES_MAX: usize = 20;

/// Listens on a socket until it is dropped.
#[derive(Debug)]
pub struct Server {
    path: PathBuf,
    /// Device and inode, so that dropping the server removes only its own socket.
    identity: (u64, u64),
    _serving: ServerThread,
}

impl Server {
    /// Listens on `path`, and replaces a socket that an earlier service left there. The caller must make sure that no
    /// other service runs. Clients need the permission to write: `mode` has the permission bits of the socket, `group`
    /// the ID of its group, or `None` for the service's own.
    ///
    /// # Errors
    /// Fails if something other than a socket has the name, or if a system call fails.
    pub fn start<F: Future<Output = Answer> + Send + 'static>(
        path: &Path,
        mode: u32,
        group: Option<u32>,
        handler: impl Fn(Ask) -> F + Send + Sync + 'static,
    ) -> io::Result<Self> {
        let (listener, identity) = bind(path, mode, group)?;
        listener.set_nonblocking(true)?;
        let handler = Arc::new(handler);
        let listen = async move {
            let Ok(listener) = tokio::net::UnixListener::from_std(listener) else { return };
            let accept = || async { listener.accept().await.map(|(stream, _)| stream) };
            let serve = |stream, slot| {
                let handler = Arc::clone(&handler);
                async move {
                    if let Err(error) = serve(stream, &slot, &*handler).await {
                        debug!("a client of the control socket was left: {error}");
                    }
                }
            };
            serve_all(accept, CLIENTS_MAX, serve).await;
        };
        let serving = ServerThread::start("control", listen)?;
        Ok(Self { path: path.to_owned(), identity, _serving: serving })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if identity(&self.path).is_ok_and(|found| found == self.identity) {
            // If this fails, the next start replaces the socket.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Creates the socket under another name, sets its permissions, and renames it. So nobody can use it before its
/// permissions are set, and the rename replaces an existing socket atomically.
fn bind(path: &Path, mode: u32, group: Option<u32>) -> io::Result<(UnixListener, (u64, u64))> {
    if fs::symlink_metadata(path).is_ok_and(|found| !found.file_type().is_socket()) {
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, "something else has this name"));
    }
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(io::ErrorKind::InvalidInput.into());
    };
    let prefix = ".control-";
    let place = SocketFolder::of(folder, name.len().max(prefix.len() + PID_BYTES_MAX))?;
    let made = place.at(format!("{prefix}{}", std::process::id()));
    if_found(fs::remove_file(&made))?;
    let listener = UnixListener::bind(&made)?;
    let named = || {
        fs::set_permissions(&made, Permissions::from_mode(mode))?;
        if let Some(group) = group {
            rustix::fs::chownat(CWD, &made, None, Some(Gid::from_raw(group)), AtFlags::SYMLINK_NOFOLLOW)?;
        }
        fs::rename(&made, place.at(name))?;
        identity(path)
    };
    let named = named();
    if named.is_err() {
        let _ = fs::remove_file(&made);
    }
    Ok((listener, named?))
}

fn identity(path: &Path) -> io::Result<(u64, u64)> {
    fs::symlink_metadata(path).map(|found| (found.dev(), found.ino()))
}

/// Answers the request of one client.
async fn serve<F: Future<Output = Answer>>(
    mut stream: UnixStream,
    slot: &ClientSlot,
    handler: &impl Fn(Ask) -> F,
) -> io::Result<()> {
    let answer = match receive(&mut stream, REQUEST_BYTES_MAX, CLIENT_WAIT_MAX).await {
        Ok(Some(ask)) => slot.work(handler(ask)).await,
        Ok(None) => return Ok(()),
        Err(error) if error.kind() == io::ErrorKind::InvalidData => Answer::Error(error.to_string()),
        Err(error) => return Err(error),
    };
    send(&mut stream, answer, CLIENT_WAIT_MAX).await
}

#[cfg(test)]
mod tests;
