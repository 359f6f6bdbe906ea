//! Jobs from their claim to their end: lanes, other tries, slots.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tracing::{debug, info};

use super::{Job, ONCE_TRIES_MAX, Service};
use crate::daemon::base::tally::NO_ROUTE;
use crate::daemon::claims::claim::Claim;
use crate::daemon::intake::Command;
use crate::daemon::publishing::publisher::{End, Published};
use crate::daemon::records::job_log;
use crate::daemon::service::threads::Order;
use crate::logging::kind;
use crate::naming::{self, Output};

/// Waiting time before the second try of a job that could not be published; doubled for each further one.
const RETRY_FIRST: Duration = Duration::from_secs(1);
const RETRY_LAST: Duration = Duration::from_secs(60);

impl Service {
    /// Takes charge of a claim. Claims that make the same result are answered one after the other.
    pub(super) fn take(&mut self, claim: Claim) {
        self.in_hand += 1;
        let route = self.config.route(&claim.origin).map_or(NO_ROUTE, |route| route.name()).to_owned();
        self.jobs.insert(claim.id.clone(), Job { origin: claim.origin.clone(), route });
        self.tell_status_soon();
        debug!(id = %claim.id, file = ?claim.origin, "claimed");
        let lane = naming::result_path(&claim.origin, Output::Result, None);
        if let Some(later) = self.lanes.get_mut(&lane) {
            later.push_back(claim);
        } else if self.is_stopping() {
            // Claimed at the last moment: goes back with the others.
            self.lanes.insert(lane, VecDeque::from([claim]));
        } else {
            self.lanes.insert(lane, VecDeque::new());
            self.order(claim);
        }
    }

    pub(super) fn order(&mut self, claim: Claim) {
        self.progress.expect(Instant::now());
        self.threads.order(Order::new(claim, Arc::clone(&self.config)));
    }

    /// Closes a job that ended one way or another. Gives its ID where its slot is free for another.
    pub(super) fn close(&mut self, published: Published) -> Option<String> {
        match job_log::log(&published) {
            Some(counts) => self.facts.count(published.prepared.route.as_deref(), counts),
            None if matches!(published.end, End::PutBack(_)) => self.facts.put_back += 1,
            None => self.facts.tries_failed += 1,
        }
        self.tell_status_soon();
        self.measuring.note(&published);
        self.tidying.want();
        let put_back = published.prepared.is_put_back();
        let claim = published.prepared.claim;
        if let (End::PutBack(_), false) = (&published.end, self.is_stopping()) {
            self.idle = false;
            // Fails only when the intake has ended.
            let _ = self.intake.send(Command::Look);
        }
        if let End::PublishAgain(_) | End::AnswerAgain(_) = published.end {
            self.rest(claim, put_back);
            return None;
        }
        self.failures.remove(&claim.id);
        self.jobs.remove(&claim.id);
        self.in_hand -= 1;
        self.let_progress_rest();
        if !self.is_stopping() {
            let lane = naming::result_path(&claim.origin, Output::Result, None);
            match self.lanes.get_mut(&lane).and_then(VecDeque::pop_front) {
                Some(next) => self.order(next),
                None => drop(self.lanes.remove(&lane)),
            }
        }
        // An earlier run may have left more than may be in hand now.
        (self.in_hand < self.claims_max).then_some(claim.id)
    }

    /// Keeps a claim for another try later; at the end of the service it stays where it is.
    pub(super) fn rest(&mut self, claim: Claim, put_back: bool) {
        if self.is_stopping() {
            info!(name: kind::LEFT_CLAIMED.name, id = %claim.id, "stays in the working folder and is answered at the next start");
            self.left += 1;
            return;
        }
        let failures = self.failures.entry(claim.id.clone()).or_default();
        let wait = RETRY_FIRST.saturating_mul(1 << (*failures).min(10)).min(RETRY_LAST);
        *failures += 1;
        // A file that only has to be left in peace for a moment waits for its quiet period.
        let wait = if put_back { wait.max(self.config.intake.quiet_period) } else { wait };
        let hopeless = *failures >= ONCE_TRIES_MAX;
        self.resting.insert((Instant::now() + wait, claim.id.clone()), claim);
        self.let_progress_rest();
        if self.settings.once && hopeless {
            self.gave_up = true;
            self.stop();
        }
    }

    /// Nothing ticks while no job is being answered.
    pub(super) fn let_progress_rest(&mut self) {
        if self.in_hand == self.resting.len() + self.left {
            self.progress.rest();
        }
    }
}
