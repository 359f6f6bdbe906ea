//! Listening for questions.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::Builder;
use std::time::Duration;

use rustix::fs::{AtFlags, CWD, Gid};
use tracing::debug;

use crate::daemon::inspect::socket::address::SocketFolder;
use crate::daemon::inspect::socket::wire::{Answer, Ask, REQUEST_BYTES_MAX, receive, send};

/// Clients served at a time; further ones are told so.
const CLIENTS_MAX: usize = 16;
/// How long a client may take for its request, and to take its answer.
const CLIENT_WAIT_MAX: Duration = Duration::from_secs(5);
/// Pause where nobody can be let in, because this process has no descriptors left.
const ACCEPT_INTERVAL: Duration = Duration::from_secs(1);
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
}

/// Answers requests, each on a thread that may wait.
type Handler = dyn Fn(Ask) -> Answer + Send + Sync;

impl Server {
    /// Listens at `path`, in the place of a socket that a service left there. The caller makes sure that no other
    /// service serves.
    ///
    /// # Errors
    /// When something else has the name, and those of the system.
    pub fn start(
        path: &Path,
        access: Access,
        handler: impl Fn(Ask) -> Answer + Send + Sync + 'static,
    ) -> io::Result<Self> {
        let (listener, identity) = bind(path, access)?;
        let server = Self { path: path.to_owned(), identity };
        let handler: Arc<Handler> = Arc::new(handler);
        // The thread waits for clients as long as the process lives; nothing depends on its end.
        Builder::new().name("control".to_owned()).spawn(move || listen(&listener, &handler))?;
        Ok(server)
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

fn listen(listener: &UnixListener, handler: &Arc<Handler>) {
    let clients = Arc::new(AtomicUsize::new(0));
    loop {
        let Ok((mut stream, _)) = listener.accept() else {
            std::thread::sleep(ACCEPT_INTERVAL);
            continue;
        };
        if clients.fetch_add(1, Ordering::AcqRel) >= CLIENTS_MAX {
            // A few bytes into an empty buffer never wait.
            let _ = send(
                &mut stream,
                Answer::Error(format!("{CLIENTS_MAX} others are asking; try again")),
                CLIENT_WAIT_MAX,
            );
            clients.fetch_sub(1, Ordering::AcqRel);
            continue;
        }
        let (handler, counter) = (Arc::clone(handler), Arc::clone(&clients));
        let serve = move || {
            let _counted = Counted(counter);
            if let Err(error) = serve(stream, &*handler) {
                debug!("a client of the control socket was left: {error}");
            }
        };
        if Builder::new().name("asked".to_owned()).spawn(serve).is_err() {
            // The closure was dropped with the stream, and with it nobody counted down.
            clients.fetch_sub(1, Ordering::AcqRel);
        }
    }
}

/// A client that is served; it counts until this is dropped, whatever happens.
struct Counted(Arc<AtomicUsize>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

fn serve(mut stream: UnixStream, handler: &Handler) -> io::Result<()> {
    let answer = match receive(&mut stream, REQUEST_BYTES_MAX, CLIENT_WAIT_MAX) {
        Ok(Some(ask)) => handler(ask),
        Ok(None) => return Ok(()),
        Err(error) if error.kind() == io::ErrorKind::InvalidData => Answer::Error(error.to_string()),
        Err(error) => return Err(error),
    };
    send(&mut stream, answer, CLIENT_WAIT_MAX)
}
