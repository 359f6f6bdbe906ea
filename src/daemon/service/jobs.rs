//! Takes jobs from their claim to their end, as the schedule decides. Reloads and stops the service.

use std::sync::Arc;
use std::thread::Builder;
use std::time::{Duration, Instant};

use tokio::sync::mpsc;
use tokio::task::spawn_blocking;
use tokio::time::timeout_at;
use tracing::{debug, error, info, warn};

use crate::config::Config;
use crate::daemon::answering::answerer::TRIES_MAX;
use crate::daemon::answering::job_progress::CHECK_INTERVAL;
use crate::daemon::answering::memory_plan;
use crate::daemon::answering::pending_publication::{Made, PendingPublication};
use crate::daemon::answering::schedule::{Action, Retry};
use crate::daemon::base::job_tally::NO_ROUTE;
use crate::daemon::claims::file_claim::Claim;
use crate::daemon::intake::{Command, Message};
use crate::daemon::publishing::publisher::{End, Published};
use crate::daemon::records::history::Ended;
use crate::daemon::records::job_log;
use crate::daemon::service::loop_state::{ClaimInProgress, Event, Phase, Service};
use crate::daemon::service::systemd;
use crate::logging::kind;
use tabuleiro_jobs::naming::{self, Output};

/// How long the end of the service waits for the last messages of the intake.
const INTAKE_END_WAIT_MAX: Duration = Duration::from_secs(2);

impl Service {
    /// Registers the claims that an earlier run left. Claims that may have ended that run go first.
    pub(super) fn take_recovered(&mut self, claims: Vec<Claim>) {
        let mut actions: Vec<_> = claims.into_iter().flat_map(|claim| self.register(claim)).collect();
        actions.sort_by_key(|action| !action.id().is_some_and(|id| self.is_marked(id)));
        self.perform(actions);
    }

    /// Registers a claim, and returns what the schedule decides.
    pub(super) fn register(&mut self, claim: Claim) -> Vec<Action> {
        let route = self.config.route(&claim.origin).map_or(NO_ROUTE, |route| &route.name).to_owned();
        let result = naming::result_path(&claim.origin, Output::Result, None);
        let (id, origin) = (claim.id.clone(), claim.origin.clone());
        debug!(id, file = ?origin, "claimed");
        self.schedule_status();
        let is_private = self.is_private(&origin);
        let held = Some(PendingPublication::unanswered(claim, &self.config));
        self.jobs.insert(id.clone(), ClaimInProgress { origin, route, is_private, held });
        self.schedule.claimed(&id, &result)
    }

    /// Returns whether a claim that no thread works on was being answered when the process died, and has a try left.
    fn is_marked(&self, id: &str) -> bool {
        let held = self.jobs.get(id).and_then(|job| job.held.as_ref());
        held.is_some_and(|pending| (1..TRIES_MAX).contains(&pending.claim.tries))
    }

    /// Sends claims to the workers.
    pub(super) fn begin(&mut self, ids: Vec<String>) {
        for id in ids {
            let Some(pending) = self.take_held(&id) else { continue };
            self.progress_due.get_or_insert_with(|| Instant::now() + CHECK_INTERVAL);
            self.threads.answer(pending, &self.config);
        }
    }

    pub(super) fn perform(&mut self, actions: Vec<Action>) {
        for action in actions {
            match action {
                Action::Answer(id) => {
                    let is_marked = self.is_marked(&id);
                    let begin = self.quarantine.add(id, is_marked, Instant::now());
                    self.begin(begin);
                }
                Action::Publish(id) => {
                    let Some(mut pending) = self.take_held(&id) else { continue };
                    // The configuration may have been reloaded because of this job.
                    pending.config = Arc::clone(&self.config);
                    self.threads.publish(pending);
                }
                Action::GiveBack(id) => {
                    let Some(mut pending) = self.take_held(&id) else { continue };
                    pending.give_up();
                    self.threads.publish(pending);
                }
                Action::Leave(id) => info!(name: kind::LEFT_CLAIMED.name, id, "left claimed"),
                Action::GiveUp => {
                    self.gave_up = true;
                    self.stop();
                }
            }
        }
        // Progress is not checked while no job is in progress.
        if self.schedule.is_at_rest() {
            self.progress_due = None;
        }
    }

    pub(super) fn hold(&mut self, pending: Box<PendingPublication>) {
        if let Some(job) = self.jobs.get_mut(&pending.claim.id) {
            job.held = Some(pending);
        }
    }

    fn take_held(&mut self, id: &str) -> Option<Box<PendingPublication>> {
        self.jobs.get_mut(id)?.held.take()
    }

    /// Takes back a job that has no outcome: the file changed while it was read, the service is stopping, or somebody
    /// may still be writing the reference of a submission.
    pub(super) fn interrupted(&mut self, mut pending: Box<PendingPublication>) {
        let id = pending.claim.id.clone();
        let begin = self.quarantine.ended(&id, Instant::now());
        self.begin(begin);
        if let (Made::Waits(pause), false) = (&pending.made, self.is_stopping()) {
            let actions = self.schedule.postponed(&id, *pause, Instant::now());
            self.hold(pending);
            return self.perform(actions);
        }
        let actions = self.schedule.interrupted(&id, self.config.intake.quiet_period, Instant::now());
        if actions.is_empty() && !self.is_stopping() {
            self.tries_failed += 1;
            if let Made::PutBack(why) = pending.made {
                let reason = format!("{why}, and a newer file of its name waits for it");
                pending.span.in_scope(|| job_log::not_published(&pending.file, &reason));
            }
            // Without an inode, the claim accepts whichever file has its name by now.
            pending.claim.inode = None;
        }
        self.hold(pending);
        self.perform(actions);
    }

    /// Handles a job that left the publisher. Returns the job's ID if it has ended.
    pub(super) fn close(&mut self, job: Ended) -> Option<String> {
        job_log::log(&job);
        let Ended { published: Published { mut pending, end, .. }, record } = job;
        match (&record, &end) {
            (Some(record), _) => {
                let route = record.route.as_deref().unwrap_or(NO_ROUTE);
                self.since_start.add(route, |counts| record.count_in(counts));
                self.servers.timings.note(record);
            }
            (None, End::PutBack(_)) => self.put_back += 1,
            (None, _) => self.tries_failed += 1,
        }
        self.schedule_status();
        let id = pending.claim.id.clone();
        let begin = self.quarantine.ended(&id, Instant::now());
        self.begin(begin);
        let retry = match end {
            End::AnswerAgain(_) => Retry::Answer,
            // `Copy` does not occur here: the publisher's other thread makes the copy first.
            End::PublishAgain(_) | End::Copy(_) => Retry::Publish,
            End::Published | End::PutBack(_) => {
                if matches!(end, End::PutBack(_)) && !self.is_stopping() {
                    self.look();
                }
                self.jobs.remove(&id);
                let actions = self.schedule.ended(&id);
                self.perform(actions);
                return Some(id);
            }
        };
        let mut pause = Duration::ZERO;
        if pending.is_put_back() {
            // The file must first stay unchanged for a while. Then the claim accepts whichever file has its name.
            pause = self.config.intake.quiet_period;
            pending.claim.inode = None;
        }
        self.hold(Box::new(pending));
        let actions = self.schedule.failed(&id, retry, pause, Instant::now());
        self.perform(actions);
        None
    }

    /// Makes the intake list the inbox, because a file was put into it.
    pub(super) fn look(&mut self) {
        self.intake.is_idle = false;
        self.intake.send(Command::Look);
    }

    pub(super) fn reload(&mut self) {
        if self.is_stopping() {
            warn!(name: kind::RELOAD_REFUSED.name, reason = "the service is stopping", "configuration not reloaded");
            return;
        }
        self.reloads += 1;
        if self.reloads > 1 {
            return; // The configuration is read again when the current reading has ended.
        }
        systemd::reloading();
        self.read_configuration();
    }

    /// Reads the configuration on another thread.
    fn read_configuration(&self) {
        let (reload, events) = (Arc::clone(&self.settings.reload), self.events.clone());
        tokio::spawn(async move {
            let read = spawn_blocking(move || reload().map(Box::new)).await;
            // The loop must get an answer even after a panic; otherwise it would ignore all further reloads.
            let read = read.unwrap_or_else(|_| {
                Err("reading it ended with a panic, which is a bug in the program".to_owned())
            });
            // Fails only when the loop has ended.
            let _ = events.send(Event::Reloaded(read)).await;
        });
    }

    pub(super) fn reloaded(&mut self, read: Result<Box<Config>, String>) {
        match read {
            Ok(config) => {
                self.config = Arc::new(*config);
                memory_plan::share(&self.answerer.pool, &self.config);
                self.intake.send(Command::Reload(Arc::clone(&self.config)));
                self.prepare_references();
                let waiting = self.settings.config.waiting_for_restart(&self.config);
                if !waiting.is_empty() {
                    warn!(name: kind::RESTART_NEEDED.name, keys = waiting.join(", "), "restart needed");
                }
                let routes = self.config.routes().len();
                info!(name: kind::RELOADED.name, routes, wait_for_restart = waiting.len(), "configuration reloaded");
                self.retention.follow(&self.config.retention);
            }
            Err(reason) => error!(name: kind::RELOAD_REFUSED.name, reason, "configuration not reloaded"),
        }
        if std::mem::take(&mut self.reloads) > 1 {
            self.reloads = 1;
            self.read_configuration();
            return;
        }
        // A service that is starting is not ready yet, and reports that itself later.
        if self.phase == Phase::Running {
            systemd::ready(&self.snapshot().line());
        }
    }

    /// Solves the references of routes in the background, so that no submission waits for them. A worker that needs a
    /// reference earlier solves it itself.
    pub(super) fn prepare_references(&self) {
        let (answerer, config) = (Arc::clone(&self.answerer), Arc::clone(&self.config));
        let prepare = move || answerer.references.prepare(&config, &answerer.pool, &answerer.cancel);
        // No thread waits for its end.
        let _ = Builder::new().name("references".to_owned()).spawn(prepare);
    }

    pub(super) fn stop(&mut self) {
        if self.is_stopping() {
            self.cancel("asked twice");
            return;
        }
        let timeout = self.config.workers.stop_timeout;
        let in_hand = self.schedule.len();
        info!(name: kind::STOPPING.name, in_hand, timeout_s = timeout.as_secs_f64(), "stopping");
        systemd::stopping(&format!("stopping: {in_hand} files in hand"), timeout);
        self.phase = Phase::Stopping { deadline: Instant::now() + timeout };
        let mut withdrawn = self.quarantine.withdraw();
        for pending in self.threads.withdraw() {
            withdrawn.push(pending.claim.id.clone());
            self.hold(pending);
        }
        self.schedule.stop(withdrawn.iter().map(String::as_str));
        // The intake may be waiting for this loop to take a claim. After that it obeys, and reports its end.
        if !self.intake.send(Command::Stop) {
            // The intake panicked, which ends the service anyway.
            self.handle_intake(Message::Ended);
        }
    }

    /// Receives the intake's messages until it has ended, so that the last page shows no file that was taken since. An
    /// intake that panicked, or that waits for a disk, sends nothing more.
    pub(super) async fn await_intake_end(&mut self, received: &mut mpsc::Receiver<Event>) {
        let until = tokio::time::Instant::now() + INTAKE_END_WAIT_MAX;
        while !self.intake.has_ended {
            match timeout_at(until, received.recv()).await {
                Ok(Some(Event::Intake(Message::Alive(status)))) => self.store_status(status),
                Ok(Some(Event::Intake(Message::Ended)) | None) | Err(_) => self.intake.has_ended = true,
                Ok(Some(_)) => {}
            }
        }
    }

    pub(super) fn cancel(&mut self, why: &str) {
        if self.phase != Phase::Cancelled {
            warn!(name: "putting-back", in_hand = self.schedule.len(), reason = why, "putting back");
            self.phase = Phase::Cancelled;
            self.answerer.cancel.cancel();
        }
    }
}
