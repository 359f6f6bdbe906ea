//! Answering those who ask over the control socket.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::{Sender, bounded};
use tokio::sync::mpsc;
use tracing::{info, warn};

use super::snapshot::Snapshot;
use super::{Event, Service};
use crate::config::Config;
use crate::daemon::answer::group_id;
use crate::daemon::folders::Folders;
use crate::daemon::intake::Command;
use crate::daemon::socket::{Access, Answer, Ask, Server};

/// How long the loop waits for what the intake says of itself before it answers with what it knows.
const INTAKE_WAIT_MAX: Duration = Duration::from_secs(2);
/// How long somebody who asks waits for the loop.
const LOOP_WAIT_MAX: Duration = Duration::from_secs(10);

/// What the loop is asked by a thread that serves a client. The receiver waits; sending the answer never does.
pub(super) enum Question {
    /// How everything is.
    Status(Sender<Box<Snapshot>>),
}

/// Those who wait until the intake has said how it is.
#[derive(Default)]
pub(super) struct Waiting {
    clients: Vec<Sender<Box<Snapshot>>>,
    /// When they are answered in any case.
    pub(super) due: Option<Instant>,
}

/// Listens for questions, where the configuration wants that. A service that cannot be asked serves all the same.
pub(super) fn listen(config: &Config, folders: &Folders, events: &mpsc::Sender<Event>) -> Option<Server> {
    let path = folders.control_socket(config)?;
    let group = config.control.group.as_deref().map(group_id).transpose();
    let asked = Arc::new(Asked { events: events.clone() });
    let started = group.and_then(|group| {
        let access = Access { mode: config.control.mode, group };
        Server::start(&path, access, move |ask| asked.answer(&ask))
    });
    match started {
        Ok(server) => {
            info!(socket = %path.display(), "can be asked");
            Some(server)
        }
        Err(error) => {
            warn!("the service cannot be asked: control socket {}: {error}", path.display());
            None
        }
    }
}

/// What the threads that serve clients share.
struct Asked {
    events: mpsc::Sender<Event>,
}

impl Asked {
    fn answer(&self, ask: &Ask) -> Answer {
        let answer = match ask {
            Ask::Status => self.ask(Question::Status).map(Answer::Status),
        };
        answer.unwrap_or_else(|| Answer::Error("the service is busy or ends; try again".to_owned()))
    }

    /// Asks the loop.
    fn ask<T>(&self, question: impl FnOnce(Sender<T>) -> Question) -> Option<T> {
        let (reply, answer) = bounded(1);
        self.events.blocking_send(Event::Asked(question(reply))).ok()?;
        answer.recv_timeout(LOOP_WAIT_MAX).ok()
    }
}

impl Service {
    pub(super) fn heed_question(&mut self, question: Question) {
        match question {
            Question::Status(reply) => {
                self.waiting.clients.push(reply);
                self.waiting.due.get_or_insert_with(|| Instant::now() + INTAKE_WAIT_MAX);
                if self.intake.send(Command::Describe).is_err() {
                    self.answer_waiting();
                }
            }
        }
    }

    /// Tells those who wait how everything is.
    pub(super) fn answer_waiting(&mut self) {
        self.waiting.due = None;
        if self.waiting.clients.is_empty() {
            return;
        }
        let snapshot = Box::new(self.snapshot());
        for client in std::mem::take(&mut self.waiting.clients) {
            // It may have given up.
            let _ = client.try_send(snapshot.clone());
        }
    }
}
