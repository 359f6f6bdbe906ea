//! Everything that can happen, and what the loop is asked.

use std::path::PathBuf;
use std::sync::Arc;

use tokio::sync::oneshot;

use crate::config::Config;
use crate::daemon::inspect::snapshot::Snapshot;
use crate::daemon::inspect::why::Live;
use crate::daemon::intake::Message;
use crate::daemon::service::settings::Control;
use crate::daemon::service::threads::Told;

/// Everything that can happen.
pub(super) enum Event {
    Intake(Message),
    Threads(Told),
    Control(Control),
    /// The configuration was read again; the error is for the log.
    Reloaded(Result<Box<Config>, String>),
    /// Somebody asks something.
    Asked(Question),
    /// Something was due: a retry, a status line, the watchdog, the end of the stop's deadline.
    Due,
}

/// What the loop is asked, and where the answer goes. Sending it never waits, and whoever asked may have given up.
pub(super) enum Question {
    /// How everything is.
    Status(oneshot::Sender<Box<Snapshot>>),
    /// What is known of the file at that path below the inbox, and the configuration in force.
    File(PathBuf, oneshot::Sender<(Arc<Config>, Live)>),
    /// Nothing, but to look: files were put into the inbox.
    Look,
}
