//! Those who wait until the intake has said how it is: who asks for the status, for a file or for the metrics.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::Sender;
use tokio::sync::oneshot;

use crate::config::Config;
use crate::daemon::inspect::metrics::Measured;
use crate::daemon::inspect::snapshot::Snapshot;
use crate::daemon::inspect::why::Live;
use crate::daemon::intake::Command;
use crate::daemon::service::Service;

/// How long the loop waits for what the intake says of itself before it answers with what it knows.
const INTAKE_WAIT_MAX: Duration = Duration::from_secs(2);

/// Where an answer goes. Sending it never waits, and whoever asked may have given up.
pub(super) enum Reply {
    /// How everything is.
    Status(Sender<Box<Snapshot>>),
    /// What is known of the file at that path below the inbox, and the configuration in force.
    File(PathBuf, Sender<(Arc<Config>, Live)>),
    /// All that metrics are made from.
    Metrics(oneshot::Sender<Box<Measured>>),
}

/// Those who wait.
#[derive(Default)]
pub(super) struct Waiting {
    replies: Vec<Reply>,
    /// When they are answered in any case.
    due: Option<Instant>,
    /// The intake was asked and has not said anything yet. It is asked once, however many wait.
    is_asked: bool,
}

impl Waiting {
    /// When those who wait are answered in any case.
    pub(super) fn due(&self) -> Option<Instant> {
        self.due
    }

    /// Turns away who waits.
    pub(super) fn clear(&mut self) {
        self.replies.clear();
    }
}

impl Service {
    /// Answers as soon as the intake has said how it is.
    pub(super) fn answer_later(&mut self, reply: Reply) {
        self.waiting.replies.push(reply);
        self.waiting.due.get_or_insert_with(|| Instant::now() + INTAKE_WAIT_MAX);
        if !self.waiting.is_asked {
            self.waiting.is_asked = self.intake.send(Command::Describe).is_ok();
        }
        if !self.waiting.is_asked {
            self.answer_waiting();
        }
    }

    /// The intake has said how it is.
    pub(super) fn answer_described(&mut self) {
        self.waiting.is_asked = false;
        self.answer_waiting();
    }

    /// Answers those who wait with what is known.
    pub(super) fn answer_waiting(&mut self) {
        self.waiting.due = None;
        for reply in std::mem::take(&mut self.waiting.replies) {
            match reply {
                Reply::Status(client) => drop(client.try_send(Box::new(self.snapshot()))),
                Reply::File(file, client) => {
                    drop(client.try_send((Arc::clone(&self.config), self.live(&file))));
                }
                Reply::Metrics(client) => drop(client.send(self.measured())),
            }
        }
    }
}
