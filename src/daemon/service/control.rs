//! Reloading and stopping.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Instant;

use tracing::{error, info, warn};

use super::{Event, Phase, Service};
use crate::config::Config;
use crate::daemon::intake::{Command, Report, Rules};
use crate::daemon::memory;
use crate::daemon::reload;
use crate::daemon::systemd;
use crate::daemon::threads::Order;
use crate::logging::kind;

impl Service {
    pub(super) fn reload(&mut self) {
        if self.is_stopping() {
            warn!(name: kind::RELOAD_REFUSED.name, "configuration not reloaded: the service is stopping");
            return;
        }
        self.reloads += 1;
        if self.reloads > 1 {
            return; // Another reading follows when the one under way has ended.
        }
        systemd::reloading();
        self.read_configuration();
    }

    /// Reads the configuration, away from the loop.
    fn read_configuration(&self) {
        let (reload, events) = (Arc::clone(&self.settings.reload), self.events.clone());
        tokio::task::spawn_blocking(move || {
            let read = || reload().map(Box::new);
            // Whatever happens the loop is told, else it would read for ever and heed no further reload.
            let read = catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|_| {
                Err("reading it ended with a panic, which is a mistake of the program".to_owned())
            });
            // Fails only when the loop has ended.
            let _ = events.blocking_send(Event::Reloaded(read));
        });
    }

    pub(super) fn reloaded(&mut self, read: Result<Box<Config>, String>) {
        match read {
            Ok(config) => {
                self.config = Arc::new(*config);
                memory::share(&self.workshop.pool, &self.config);
                let _ = self.intake.send(Command::Reload(Rules::of(&self.config)));
                // What was in force at the start is what runs.
                reload::tell(&self.settings.config, &self.config);
                self.tidy();
            }
            Err(message) => {
                error!(
                    name: kind::RELOAD_REFUSED.name,
                    "configuration not reloaded, the old one stays in force: {message}"
                );
            }
        }
        if std::mem::take(&mut self.reloads) > 1 {
            self.reloads = 1;
            self.read_configuration();
            return;
        }
        // While it starts it is not ready, and says so itself when it is.
        if self.phase == Phase::Running {
            systemd::ready(&self.line());
        }
    }

    pub(super) fn stop(&mut self) {
        if self.is_stopping() {
            self.cancel("asked twice");
            return;
        }
        let timeout = self.config.workers.stop_timeout;
        info!(
            name: kind::STOPPING.name,
            in_hand = self.in_hand,
            timeout_s = timeout.as_secs_f64(),
            "stopping: finishing what is in hand"
        );
        systemd::stopping(&format!("stopping: {} files in hand", self.in_hand), timeout);
        self.phase = Phase::Stopping { deadline: Instant::now() + timeout };
        self.tidying.stop();
        self.threads.put_back_the_rest();
        // The intake may be waiting for this loop to take a claim; it obeys after that, and says so.
        if self.intake.send(Command::Stop).is_err() {
            // It died, and the watchdog was not told that all is well.
            self.heed_intake(Report::Ended);
        }
    }

    /// Puts back what was not begun, once the intake claims nothing more (else it would claim it again).
    pub(super) fn put_back_the_rest(&mut self) {
        // The youngest first: of two files of one name the older must not take the name in the inbox. And past
        // the workers, who may all be busy with older ones.
        let lanes: Vec<_> = self.lanes.values_mut().flat_map(std::mem::take).collect();
        let mut waiting: Vec<_> =
            lanes.into_iter().chain(std::mem::take(&mut self.resting).into_values()).collect();
        waiting.sort_unstable_by(|a, b| b.id.cmp(&a.id));
        for claim in waiting {
            self.threads.put_back(Order::new(claim, Arc::clone(&self.config)));
        }
    }

    pub(super) fn cancel(&mut self, why: &str) {
        if self.phase != Phase::Cancelled {
            warn!(in_hand = self.in_hand, "putting back what is in hand: {why}");
            self.phase = Phase::Cancelled;
            self.workshop.cancel.cancel();
        }
    }
}
