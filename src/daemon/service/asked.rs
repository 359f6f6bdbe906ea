//! Answering those who ask over the control socket.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::{Sender, bounded};
use tokio::sync::mpsc;
use tracing::{info, warn};

use super::snapshot::Snapshot;
use super::{Event, Job, Service};
use crate::config::Config;
use crate::daemon::answer::group_id;
use crate::daemon::claim::Claim;
use crate::daemon::disk::Disk;
use crate::daemon::folders::Folders;
use crate::daemon::intake::Command;
use crate::daemon::kept::Place;
use crate::daemon::retry::{Wanted, retry};
use crate::daemon::socket::{Access, Answer, Ask, Server};
use crate::daemon::why::{Explanation, Live, explain, id_time};

/// How long the loop waits for what the intake says of itself before it answers with what it knows.
const INTAKE_WAIT_MAX: Duration = Duration::from_secs(2);
/// How long somebody who asks waits for the loop.
const LOOP_WAIT_MAX: Duration = Duration::from_secs(10);

/// What the loop is asked by a thread that serves a client. The receiver waits; sending the answer never does.
pub(super) enum Question {
    /// How everything is.
    Status(Sender<Box<Snapshot>>),
    /// What is known of the file at that path below the inbox, and the configuration in force.
    File(PathBuf, Sender<(Arc<Config>, Live)>),
    /// Files were put into the inbox.
    Look,
}

/// Those who wait until the intake has said how it is.
#[derive(Default)]
pub(super) struct Waiting {
    clients: Vec<Sender<Box<Snapshot>>>,
    /// When they are answered in any case.
    pub(super) due: Option<Instant>,
}

/// Listens for questions, where the configuration wants that. A service that cannot be asked serves all the same.
pub(super) fn listen(
    config: &Config,
    folders: &Folders,
    disk: &Arc<dyn Disk>,
    events: &mpsc::Sender<Event>,
) -> Option<Server> {
    let path = folders.control_socket(config)?;
    let group = config.control.group.as_deref().map(group_id).transpose();
    let asked = Asked { events: events.clone(), place: folders.into(), disk: Arc::clone(disk) };
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
    place: Place,
    disk: Arc<dyn Disk>,
}

impl Asked {
    fn answer(&self, ask: &Ask) -> Answer {
        let answer = match ask {
            Ask::Status => self.ask(Question::Status).map(Answer::Status),
            Ask::Why { file } | Ask::Retry { wanted: Wanted::File(file) } if !is_below(&file.0) => {
                Some(Answer::Error("that is no path below the service's folders".to_owned()))
            }
            Ask::Why { file } => self.why(&file.0).map(Answer::Why),
            Ask::Retry { wanted } => {
                let retried = retry(&self.place, &*self.disk, wanted);
                // Fails only when the loop has ended; the next start finds them.
                let _ = self.events.blocking_send(Event::Asked(Question::Look));
                Some(Answer::Retry(retried))
            }
        };
        answer.unwrap_or_else(|| Answer::Error("the service is busy or ends; try again".to_owned()))
    }

    /// The file's path may turn out to be a result's, so what the loop knows is asked for each.
    fn why(&self, file: &Path) -> Option<Explanation> {
        let (config, live) = self.ask(|reply| Question::File(file.to_owned(), reply))?;
        let explanation = explain(&self.place, &config, Some(&live), file);
        if explanation.file.0 == file {
            return Some(explanation);
        }
        let origin = explanation.file.0;
        let (config, live) = self.ask(|reply| Question::File(origin.clone(), reply))?;
        Some(explain(&self.place, &config, Some(&live), &origin))
    }

    /// Asks the loop.
    fn ask<T>(&self, question: impl FnOnce(Sender<T>) -> Question) -> Option<T> {
        let (reply, answer) = bounded(1);
        self.events.blocking_send(Event::Asked(question(reply))).ok()?;
        answer.recv_timeout(LOOP_WAIT_MAX).ok()
    }
}

/// Whether a path names something below a folder and nothing else.
fn is_below(path: &Path) -> bool {
    path.file_name().is_some() && path.components().all(|part| matches!(part, Component::Normal(_)))
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
            Question::File(file, reply) => {
                // Whoever asked may have given up.
                let _ = reply.try_send((Arc::clone(&self.config), self.live(&file)));
            }
            Question::Look => {
                self.idle = false;
                // Fails only when the intake has ended.
                let _ = self.intake.send(Command::Look);
            }
        }
    }

    /// What the loop knows of a file.
    fn live(&self, file: &Path) -> Live {
        let jobs = self.jobs.iter().filter(|(_, job)| job.origin == file);
        let words = |(id, _): (&String, &Job)| format!("in hand since {}: {}", id_time(id), self.step(id));
        let intake = &self.config.intake;
        let interval = match self.intake_status.trouble {
            Some(_) => intake.poll_interval.min(intake.rescan_interval),
            None => intake.rescan_interval,
        };
        Live {
            in_hand: jobs.map(words).collect(),
            paused: self.intake_status.shortage.clone(),
            listed_every: format!(
                "which is made every {} at the latest",
                humantime::format_duration(interval)
            ),
            is_full: self.in_hand >= self.claims_max,
            is_stopping: self.is_stopping(),
        }
    }

    /// What is done with a job in hand, or what it waits for.
    fn step(&self, id: &str) -> String {
        if let Some((due, _)) = self.resting.keys().find(|(_, resting)| resting == id) {
            let left = due.saturating_duration_since(Instant::now()).as_secs();
            return format!(
                "its result could not be published, which the log explains; it is tried again in {left} s"
            );
        }
        let behind = |lane: &std::collections::VecDeque<Claim>| lane.iter().any(|claim| claim.id == id);
        if self.lanes.values().any(behind) {
            return "it waits for an older file that makes the same result".to_owned();
        }
        self.threads.step(id).to_owned()
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
