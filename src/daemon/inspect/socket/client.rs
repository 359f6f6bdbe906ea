//! Asking a service.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::net::UnixStream;

use crate::daemon::inspect::socket::address::SocketFolder;
use crate::daemon::inspect::socket::wire::{ANSWER_BYTES_MAX, Answer, Ask, receive, send};

/// How long an answer may take: a service that puts back many files, or searches a long history, takes its time.
const ANSWER_WAIT_MAX: Duration = Duration::from_secs(60);

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    /// Nobody listens there.
    #[error("no service listens on {}", socket.display())]
    NotRunning {
        /// The socket.
        socket: PathBuf,
    },
    /// The socket is not for this user.
    #[error(
        "the control socket {} may not be used by this user; its group is set by control.group, its permissions by \
         control.mode",
        socket.display()
    )]
    Denied {
        /// The socket.
        socket: PathBuf,
    },
    /// The service does not answer as it should.
    #[error("the service on {} does not answer: {source}", socket.display())]
    Failed {
        /// The socket.
        socket: PathBuf,
        /// Why.
        source: io::Error,
    },
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
