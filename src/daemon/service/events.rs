//! Everything that can happen, and what the loop is asked.

use std::path::PathBuf;
use std::sync::Arc;
use std::thread;

use tokio::sync::{mpsc, oneshot};

use crate::config::Config;
use crate::daemon::inspect::page::Facts;
use crate::daemon::inspect::snapshot::Snapshot;
use crate::daemon::inspect::why::Live;
use crate::daemon::intake::Message;
use crate::daemon::service::settings::Control;
use crate::daemon::service::threads::Told;

/// Everything that can happen.
pub(super) enum Event {
    Intake(Message),
    Threads(Told),
    /// The broker or a worker came or went.
    #[cfg(feature = "workers")]
    Workers,
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
    /// What everybody may know.
    Page(oneshot::Sender<Box<Facts>>),
    /// What is known of the file at that path below the inbox, and the configuration in force.
    File(PathBuf, oneshot::Sender<(Arc<Config>, Live)>),
    /// The configuration in force.
    Config(oneshot::Sender<Arc<Config>>),
    /// Nothing, but to look: files were put into the inbox.
    Look,
}

/// How a thread tells the loop something. Where it panics, that is told by itself: the service cannot go on without it.
#[derive(Clone)]
pub(super) struct Teller {
    pub(super) events: mpsc::Sender<Event>,
    /// The names of threads that panicked. Telling them never waits.
    pub(super) panicked: mpsc::UnboundedSender<String>,
}

impl Teller {
    /// Tells the loop something, which waits while it has much to do.
    pub(super) fn tell(&self, event: Event) {
        // Fails only when the loop has ended.
        let _ = self.events.blocking_send(event);
    }

    /// This thread panicked.
    pub(super) fn tell_panic(&self) {
        let _ = self.panicked.send(thread::current().name().unwrap_or("without a name").to_owned());
    }
}

impl Drop for Teller {
    fn drop(&mut self) {
        if thread::panicking() {
            self.tell_panic();
        }
    }
}
