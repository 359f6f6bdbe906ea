//! What the service is given, what it is told, and what can end it before it serves.

use std::io;
use std::sync::Arc;

use crate::config::Config;
use crate::daemon::answering::schedule::ONCE_TRIES_MAX;
use crate::daemon::claims::recovery::RecoverError;
use crate::daemon::fs::folders::{FolderError, Folders, WorkLock};
use crate::logging::Sinks;

/// Everything the service needs to know at its start.
pub struct Settings {
    /// The checked configuration.
    pub config: Config,
    /// The folders, prepared, and their lock.
    pub folders: Folders,
    /// Held as long as the service runs.
    pub lock: WorkLock,
    /// Answer what is there and end.
    pub once: bool,
    /// Whether to ask the system for events, or only to poll.
    pub events: bool,
    /// Reads the configuration again; the error is for the log.
    pub reload: Reload,
    /// Where the log goes, for those who ask.
    pub log: Sinks,
}

/// Reads and checks the configuration.
pub type Reload = Arc<dyn Fn() -> Result<Config, String> + Send + Sync>;

/// What somebody outside asks of the service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Control {
    /// Read the configuration again.
    Reload,
    /// Finish what is in hand and end; a second time: at once.
    Stop,
}

/// What ends the process.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The folders do not fit.
    #[error(transparent)]
    Folders(#[from] FolderError),
    /// The working folder cannot be recovered.
    #[error(transparent)]
    Recover(#[from] RecoverError),
    /// Threads cannot be started.
    #[error("cannot start threads: {0}")]
    Threads(#[from] io::Error),
    /// A thread panicked; its name.
    #[error(
        "the thread {0} panicked, which is a mistake of the program: please report it with the log; what was in hand is answered after the next start"
    )]
    Panicked(String),
    /// With `once`: results could not be published.
    #[error(
        "a result could not be published after {ONCE_TRIES_MAX} tries; what is unanswered is in the inbox again"
    )]
    GaveUp,
    /// With `once`: files could not be taken.
    #[error(
        "not all that is in the inbox could be taken; the lines 'not taken' of the log say which files and why"
    )]
    Untaken,
}
