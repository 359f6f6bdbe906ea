//! Jobs from their claim to their end: does what the schedule says.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tracing::{debug, info};

use crate::daemon::answering::answerer::TRIES_MAX;
use crate::daemon::answering::job_progress::LOOK_INTERVAL;
use crate::daemon::answering::pending_publication::{Made, PendingPublication};
use crate::daemon::answering::schedule::{Action, Retry};
use crate::daemon::base::job_tally::NO_ROUTE;
use crate::daemon::claims::file_claim::Claim;
use crate::daemon::intake::Command;
use crate::daemon::publishing::publisher::{End, Published};
use crate::daemon::records::job_log;
use crate::daemon::service::loop_state::{Job, Service};
use crate::logging::kind;
use tabuleiro_jobs::naming::{self, Output};

impl Service {
    /// Takes charge of a claim.
    pub(super) fn take(&mut self, claim: Claim) {
        let actions = self.register(claim);
        self.perform(actions);
    }

    /// Takes charge of the claims that an earlier run left. Those go first that may have ended it.
    pub(super) fn take_recovered(&mut self, claims: Vec<Claim>) {
        let mut actions: Vec<_> = claims.into_iter().flat_map(|claim| self.register(claim)).collect();
        actions.sort_by_key(|action| !action.id().is_some_and(|id| self.is_marked(id)));
        self.perform(actions);
    }

    fn register(&mut self, claim: Claim) -> Vec<Action> {
        let route = self.config.route(&claim.origin).map_or(NO_ROUTE, |route| &route.name).to_owned();
        let result = naming::result_path(&claim.origin, Output::Result, None);
        let (id, origin) = (claim.id.clone(), claim.origin.clone());
        debug!(id, file = ?origin, "claimed");
        self.tell_status_soon();
        let is_private = self.is_private(&origin);
        let held = Some(PendingPublication::unanswered(claim));
        self.jobs.insert(id.clone(), Job { origin, route, is_private, held });
        self.schedule.claimed(&id, &result)
    }

    /// Returns whether a claim that nobody works on was being answered when the process died, and is not to be set aside.
    fn is_marked(&self, id: &str) -> bool {
        let held = self.jobs.get(id).and_then(|job| job.held.as_ref());
        held.is_some_and(|pending| (1..TRIES_MAX).contains(&pending.claim.tries))
    }

    /// Has claims answered.
    pub(super) fn begin(&mut self, ids: Vec<String>) {
        for id in ids {
            let Some(pending) = self.unhold(&id) else { continue };
            self.progress_due.get_or_insert_with(|| Instant::now() + LOOK_INTERVAL);
            self.threads.answer(pending, Arc::clone(&self.config));
        }
    }

    pub(super) fn perform(&mut self, actions: Vec<Action>) {
        for action in actions {
            match action {
                Action::Answer(id) => {
                    let is_marked = self.is_marked(&id);
                    let begin = self.quarantine.ask(id, is_marked, Instant::now());
                    self.begin(begin);
                }
                Action::Publish(id) => {
                    let Some(pending) = self.unhold(&id) else { continue };
                    self.threads.publish(pending, Arc::clone(&self.config));
                }
                Action::GiveBack(id) => {
                    let Some(mut pending) = self.unhold(&id) else { continue };
                    pending.give_up();
                    self.threads.publish(pending, Arc::clone(&self.config));
                }
                Action::Leave(id) => {
                    info!(name: kind::LEFT_CLAIMED.name, id, "stays in the working folder and is answered at the next start");
                }
                Action::GiveUp => {
                    self.gave_up = true;
                    self.stop();
                }
            }
        }
        // Nothing ticks while nobody is busy with a job.
        if self.schedule.is_at_rest() {
            self.progress_due = None;
        }
    }

    pub(super) fn hold(&mut self, pending: Box<PendingPublication>) {
        if let Some(job) = self.jobs.get_mut(&pending.claim.id) {
            job.held = Some(pending);
        }
    }

    fn unhold(&mut self, id: &str) -> Option<Box<PendingPublication>> {
        self.jobs.get_mut(id)?.held.take()
    }

    /// A worker got no outcome: the file changed while it was read, the service ends, or a reference has to settle.
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
            // Whatever the file is now, it is answered where it lies.
            pending.claim.inode = None;
        }
        self.hold(pending);
        self.perform(actions);
    }

    /// Closes jobs that ended one way or another.
    pub(super) fn close_all(&mut self, group: Vec<Published>) {
        let over = group.into_iter().filter_map(|published| self.close(published)).collect();
        self.intake.send(Command::Release(over));
    }

    /// Closes a job. Gives its ID where it is over.
    fn close(&mut self, published: Published) -> Option<String> {
        match job_log::log(&published) {
            Some(counts) => {
                self.since_start.add(published.pending.route.as_deref().unwrap_or(NO_ROUTE), counts);
            }
            None if matches!(published.end, End::PutBack(_)) => self.put_back += 1,
            None => self.tries_failed += 1,
        }
        self.tell_status_soon();
        self.servers.timings.note(&published);
        if let Some(page) = &self.servers.page {
            page.note(&published);
        }
        let Published { mut pending, end, .. } = published;
        let id = pending.claim.id.clone();
        let begin = self.quarantine.ended(&id, Instant::now());
        self.begin(begin);
        let retry = match end {
            End::AnswerAgain(_) => Retry::Answer,
            // The latter never comes here: the copy is made before.
            End::PublishAgain(_) | End::Copy(_) => Retry::Publish,
            End::Published(_) | End::PutBack(_) => {
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
            // It has to be left in peace for a moment. Then, whatever the file is now, it is answered where it lies.
            pause = self.config.intake.quiet_period;
            pending.claim.inode = None;
        }
        self.hold(Box::new(pending));
        let actions = self.schedule.failed(&id, retry, pause, Instant::now());
        self.perform(actions);
        None
    }

    /// Has the inbox listed: a file was put into it.
    pub(super) fn look(&mut self) {
        self.intake.is_idle = false;
        self.intake.send(Command::Look);
    }
}
