//! Jobs from their claim to their end: does what the schedule says.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tracing::{debug, info};

use crate::daemon::answering::prepared::{Made, Prepared};
use crate::daemon::answering::progress::LOOK_INTERVAL;
use crate::daemon::answering::schedule::{Action, Retry};
use crate::daemon::base::tally::NO_ROUTE;
use crate::daemon::claims::claim::Claim;
use crate::daemon::intake::Command;
use crate::daemon::publishing::publisher::{End, Published};
use crate::daemon::records::job_log;
use crate::daemon::service::state::{Job, Service};
use crate::logging::kind;
use crate::naming::{self, Output};

impl Service {
    /// Takes charge of a claim.
    pub(super) fn take(&mut self, claim: Claim) {
        let route = self.config.route(&claim.origin).map_or(NO_ROUTE, |route| &route.name).to_owned();
        let result = naming::result_path(&claim.origin, Output::Result, None);
        let (id, origin) = (claim.id.clone(), claim.origin.clone());
        debug!(id, file = ?origin, "claimed");
        self.tell_status_soon();
        self.jobs.insert(id.clone(), Job { origin, route, held: Some(Prepared::unanswered(claim)) });
        let actions = self.schedule.claimed(&id, &result);
        self.perform(actions);
    }

    pub(super) fn perform(&mut self, actions: Vec<Action>) {
        for action in actions {
            match action {
                Action::Answer(id) => {
                    let Some(prepared) = self.unhold(&id) else { continue };
                    self.progress_due.get_or_insert_with(|| Instant::now() + LOOK_INTERVAL);
                    self.threads.answer(prepared, Arc::clone(&self.config));
                }
                Action::Publish(id) => {
                    let Some(prepared) = self.unhold(&id) else { continue };
                    self.threads.publish(prepared, Arc::clone(&self.config));
                }
                Action::GiveBack(id) => {
                    let Some(mut prepared) = self.unhold(&id) else { continue };
                    prepared.give_up();
                    self.threads.publish(prepared, Arc::clone(&self.config));
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

    pub(super) fn hold(&mut self, prepared: Box<Prepared>) {
        if let Some(job) = self.jobs.get_mut(&prepared.claim.id) {
            job.held = Some(prepared);
        }
    }

    fn unhold(&mut self, id: &str) -> Option<Box<Prepared>> {
        self.jobs.get_mut(id)?.held.take()
    }

    /// A worker got no outcome: the file changed while it was read, or the service ends.
    pub(super) fn interrupted(&mut self, mut prepared: Box<Prepared>) {
        let id = prepared.claim.id.clone();
        let actions = self.schedule.interrupted(&id, self.config.intake.quiet_period, Instant::now());
        if actions.is_empty() && !self.is_stopping() {
            self.tries_failed += 1;
            if let Made::PutBack(why) = prepared.made {
                let reason = format!("{why}, and a newer file of its name waits for it");
                prepared.span.in_scope(|| job_log::not_published(&prepared.file, &reason));
            }
            // Whatever the file is now, it is answered where it lies.
            prepared.claim.inode = None;
        }
        self.hold(prepared);
        self.perform(actions);
    }

    /// Closes jobs that ended one way or another.
    pub(super) fn close_all(&mut self, group: Vec<Published>) {
        let mut free = Vec::with_capacity(group.len());
        for published in group {
            free.extend(self.close(published));
        }
        self.intake.send(Command::Release(free));
    }

    /// Closes a job. Gives its ID where its slot is free for another.
    fn close(&mut self, published: Published) -> Option<String> {
        match job_log::log(&published) {
            Some(counts) => {
                self.since_start.add(published.prepared.route.as_deref().unwrap_or(NO_ROUTE), counts);
            }
            None if matches!(published.end, End::PutBack(_)) => self.put_back += 1,
            None => self.tries_failed += 1,
        }
        self.tell_status_soon();
        self.asking.timings.note(&published);
        let Published { mut prepared, end, .. } = published;
        let id = prepared.claim.id.clone();
        let retry = match end {
            End::AnswerAgain(_) => Retry::Answer,
            End::PublishAgain(_) => Retry::Publish,
            End::Published(_) | End::PutBack(_) => {
                if matches!(end, End::PutBack(_)) && !self.is_stopping() {
                    self.look();
                }
                self.jobs.remove(&id);
                let actions = self.schedule.ended(&id);
                self.perform(actions);
                // An earlier run may have left more than may be in hand now.
                return (self.schedule.len() < self.claims_max).then_some(id);
            }
        };
        let mut pause = Duration::ZERO;
        if prepared.is_put_back() {
            // It has to be left in peace for a moment. Then, whatever the file is now, it is answered where it lies.
            pause = self.config.intake.quiet_period;
            prepared.claim.inode = None;
        }
        self.hold(Box::new(prepared));
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
