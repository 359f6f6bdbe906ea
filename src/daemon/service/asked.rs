//! Answering those who ask over the control socket.

use std::path::{Component, Path};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded};
use tokio::sync::mpsc;
use tracing::{info, warn};

use crate::config::Config;
use crate::daemon::answering::schedule::Place as Step;
use crate::daemon::base::job_id;
use crate::daemon::fs::disk::Disk;
use crate::daemon::fs::folders::Folders;
use crate::daemon::fs::os::group_id;
use crate::daemon::inspect::retry::{Wanted, retry};
use crate::daemon::inspect::socket::{Access, Answer, Ask, Server};
use crate::daemon::inspect::why::{Explanation, Live, explain};
use crate::daemon::intake::Command;
use crate::daemon::records::search::Search;
use crate::daemon::service::state::{Event, Question, Reply, Service};

/// How long somebody who asks waits for the loop.
const LOOP_WAIT_MAX: Duration = Duration::from_secs(10);
/// How long somebody waits while questions of others are searched for.
const TURN_WAIT_MAX: Duration = Duration::from_secs(15);
/// How long files and the history are searched for one question. With the waits before it, less than the time that a
/// client has for its answer.
const SEARCH_TIME_MAX: Duration = Duration::from_secs(20);

/// How long the loop waits for what the intake says of itself before it answers with what it knows.
const INTAKE_WAIT_MAX: Duration = Duration::from_secs(2);

/// Listens for questions, where the configuration wants that. A service that cannot be asked serves all the same.
pub(super) fn listen(
    config: &Config,
    folders: &Folders,
    disk: &Arc<dyn Disk>,
    events: &mpsc::Sender<Event>,
) -> Option<Server> {
    let path = folders.control_socket(config)?;
    let group = config.control.group.as_deref().map(group_id).transpose();
    let (over, turns) = bounded(1);
    // The channel is empty and has room.
    let _ = over.send(());
    let asked =
        Asked { events: events.clone(), folders: folders.into(), disk: Arc::clone(disk), turns, over };
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
    folders: Search,
    disk: Arc<dyn Disk>,
    /// Holds one token: who has it may search the disk. Many at a time would only keep each other waiting.
    turns: Receiver<()>,
    /// Where the token goes back to.
    over: Sender<()>,
}

/// The right to search the disk, until this is dropped.
struct Turn<'a>(&'a Sender<()>);

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        // The one token has room.
        let _ = self.0.try_send(());
    }
}

impl Asked {
    fn answer(&self, ask: &Ask) -> Answer {
        let answer = match ask {
            Ask::Status => self.ask(Reply::Status).map(Answer::Status),
            Ask::Why { file } | Ask::Retry { wanted: Wanted::File(file) } if !is_below(&file.0) => {
                Some(Answer::Error("that is no path below the service's folders".to_owned()))
            }
            Ask::Why { file } => self.search(|search| self.why(search, &file.0).map(Answer::Why)),
            Ask::Retry { wanted } => self.search(|search| {
                let retried = retry(search, &*self.disk, wanted);
                // Fails only when the loop has ended; the next start finds them.
                let _ = self.events.blocking_send(Event::Asked(Question::Look));
                Some(Answer::Retry(retried))
            }),
        };
        answer.unwrap_or_else(|| Answer::Error("the service is busy or ends; try again".to_owned()))
    }

    /// Searches when it is its turn, for a limited time; `None` where others take too long.
    fn search(&self, search: impl FnOnce(&Search) -> Option<Answer>) -> Option<Answer> {
        self.turns.recv_timeout(TURN_WAIT_MAX).ok()?;
        let _turn = Turn(&self.over);
        search(&Search { deadline: Some(Instant::now() + SEARCH_TIME_MAX), ..self.folders.clone() })
    }

    /// The file's path may turn out to be a result's, so what the loop knows is asked for each.
    fn why(&self, search: &Search, file: &Path) -> Option<Explanation> {
        let (config, live) = self.ask(|reply| Reply::File(file.to_owned(), reply))?;
        let explanation = explain(search, &config, Some(&live), file);
        if explanation.file.0 == file {
            return Some(explanation);
        }
        let origin = explanation.file.0;
        let (config, live) = self.ask(|reply| Reply::File(origin.clone(), reply))?;
        Some(explain(search, &config, Some(&live), &origin))
    }

    /// Asks the loop.
    fn ask<T>(&self, reply_by: impl FnOnce(Sender<T>) -> Reply) -> Option<T> {
        let (reply, answer) = bounded(1);
        self.events.blocking_send(Event::Asked(Question::Answer(reply_by(reply)))).ok()?;
        answer.recv_timeout(LOOP_WAIT_MAX).ok()
    }
}

/// Whether a path names something below a folder and nothing else.
fn is_below(path: &Path) -> bool {
    path.file_name().is_some() && path.components().all(|part| matches!(part, Component::Normal(_)))
}

impl Service {
    pub(super) fn handle_question(&mut self, question: Question) {
        match question {
            Question::Answer(reply) => self.answer_later(reply),
            Question::Look => self.look(),
        }
    }

    /// Answers as soon as the intake has said how it is.
    pub(super) fn answer_later(&mut self, reply: Reply) {
        self.waiting.replies.push(reply);
        self.waiting.due.get_or_insert_with(|| Instant::now() + INTAKE_WAIT_MAX);
        if !self.waiting.is_asked {
            self.waiting.is_asked = self.intake.send(Command::Describe);
        }
        if !self.waiting.is_asked {
            self.answer_waiting();
        }
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
                Reply::Metrics(client) => drop(client.send(self.measuring.measured(self.snapshot()))),
            }
        }
    }

    /// What the loop knows of a file.
    fn live(&self, file: &Path) -> Live {
        let ids = self.jobs.iter().filter(|(_, job)| job.origin == file).map(|(id, _)| id);
        let words = |id: &String| format!("in hand since {}: {}", job_id::second_of(id), self.step(id));
        let (config, details) = (&self.config.intake, &self.intake.details);
        let route = self.config.route(file).map_or("", |route| &route.name);
        let interval = match self.intake.status.trouble {
            Some(_) => config.poll_interval.min(config.rescan_interval),
            None => config.rescan_interval,
        };
        Live {
            in_hand: ids.map(words).collect(),
            paused: self.intake.status.shortage.clone(),
            listed_every: format!(
                "which is made every {} at the latest",
                humantime::format_duration(interval)
            ),
            is_full: self.schedule.len() >= self.claims_max || details.full.contains(route),
            is_full_of_long: details.full_of_long.contains(route),
            is_stopping: self.is_stopping(),
        }
    }

    /// What is done with a job in hand, or what it waits for.
    fn step(&self, id: &str) -> String {
        match self.schedule.place(id) {
            Some(Step::Retrying(due)) => {
                let left = due.saturating_duration_since(Instant::now()).as_secs();
                format!(
                    "its result could not be published, which the log explains; it is tried again in {left} s"
                )
            }
            Some(Step::Queued) => "it waits for an older file that makes the same result".to_owned(),
            Some(Step::Out | Step::Left) | None => self.threads.step(id).to_owned(),
        }
    }
}
