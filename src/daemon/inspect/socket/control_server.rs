//! Listening for questions.

use std::fs::{self, Permissions};
use std::future::Future;
use std::io;
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rustix::fs::{AtFlags, CWD, Gid};
use tokio::net::UnixStream;
use tracing::debug;

use crate::daemon::inspect::serving::{Place, ServerThread, serve_all};
use crate::daemon::inspect::socket::SocketFolder;
use crate::daemon::inspect::socket::{Answer, Ask, REQUEST_BYTES_MAX, receive, send};

/// Clients served at a time.
const CLIENTS_MAX: usize = 16;
/// How long a client may take for its request, and to take its answer.
const CLIENT_WAIT_MAX: Duration = Duration::from_secs(5);
/// The longest ID of a process, in digits, and more.
const PID_BYTES_MAX: usize = 20;

/// Who may ask.
#[derive(Debug, Clone, Copy)]
pub struct Access {
    /// Permission bits; to ask is to write.
    pub mode: u32,
    /// The number of the group; `None` leaves the service's own.
    pub group: Option<u32>,
}

/// A socket that is listened to as long as this lives.
#[derive(Debug)]
pub struct Server {
    path: PathBuf,
    /// Device and inode, to know its own again.
    identity: (u64, u64),
    _serving: ServerThread,
}

impl Server {
    /// Listens at `path`, in the place of a socket that a service left there. The caller makes sure that no other
    /// service serves.
    ///
    /// # Errors
    /// When something else has the name, and those of the system.
    pub fn start<F: Future<Output = Answer> + Send + 'static>(
        path: &Path,
        access: Access,
        handler: impl Fn(Ask) -> F + Send + Sync + 'static,
    ) -> io::Result<Self> {
        let (listener, identity) = bind(path, access)?;
        listener.set_nonblocking(true)?;
        let serving = ServerThread::start("control", listen(listener, Arc::new(handler)))?;
        Ok(Self { path: path.to_owned(), identity, _serving: serving })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if identity(&self.path).is_ok_and(|found| found == self.identity) {
            // If it stays, the next start replaces it.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Makes the socket under another name first: nobody can use it before its permissions are set, and one that is
/// there is replaced without a moment in which there is none.
fn bind(path: &Path, access: Access) -> io::Result<(UnixListener, (u64, u64))> {
    if fs::symlink_metadata(path).is_ok_and(|found| !found.file_type().is_socket()) {
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, "something else has this name"));
    }
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(io::ErrorKind::InvalidInput.into());
    };
    let prefix = ".control-";
    let place = SocketFolder::of(folder, name.len().max(prefix.len() + PID_BYTES_MAX))?;
    let made = place.at(format!("{prefix}{}", std::process::id()));
    match fs::remove_file(&made) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let listener = UnixListener::bind(&made)?;
    let named = || {
        fs::set_permissions(&made, Permissions::from_mode(access.mode))?;
        if let Some(group) = access.group {
            rustix::fs::chownat(CWD, &made, None, Some(Gid::from_raw(group)), AtFlags::SYMLINK_NOFOLLOW)?;
        }
        fs::rename(&made, place.at(name))?;
        identity(path)
    };
    match named() {
        Ok(identity) => Ok((listener, identity)),
        Err(error) => {
            let _ = fs::remove_file(&made);
            Err(error)
        }
    }
}

fn identity(path: &Path) -> io::Result<(u64, u64)> {
    fs::symlink_metadata(path).map(|found| (found.dev(), found.ino()))
}

async fn listen<F: Future<Output = Answer> + Send + 'static>(
    listener: UnixListener,
    handler: Arc<impl Fn(Ask) -> F + Send + Sync + 'static>,
) {
    let Ok(listener) = tokio::net::UnixListener::from_std(listener) else { return };
    let accept = || async { listener.accept().await.map(|(stream, _)| stream) };
    let serve = |stream, place| {
        let handler = Arc::clone(&handler);
        async move {
            if let Err(error) = serve(stream, &place, &*handler).await {
                debug!("a client of the control socket was left: {error}");
            }
        }
    };
    serve_all(accept, CLIENTS_MAX, serve).await;
}

async fn serve<F: Future<Output = Answer>>(
    mut stream: UnixStream,
    place: &Place,
    handler: &impl Fn(Ask) -> F,
) -> io::Result<()> {
    let answer = match receive(&mut stream, REQUEST_BYTES_MAX, CLIENT_WAIT_MAX).await {
        Ok(Some(ask)) => place.work(handler(ask)).await,
        Ok(None) => return Ok(()),
        Err(error) if error.kind() == io::ErrorKind::InvalidData => Answer::Error(error.to_string()),
        Err(error) => return Err(error),
    };
    send(&mut stream, answer, CLIENT_WAIT_MAX).await
}
