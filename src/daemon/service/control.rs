//! Reloading and stopping.

use std::sync::Arc;
use std::time::Instant;

use tracing::{error, info, warn};

use super::{Event, Phase, Service};
use crate::config::Config;
use crate::daemon::intake::{Command, Report, Rules};
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
            // Fails only when the loop has ended.
            let _ = events.blocking_send(Event::Reloaded(reload().map(Box::new)));
        });
    }

    pub(super) fn reloaded(&mut self, config: Result<Box<Config>, String>) {
        match config {
            Ok(config) => {
                // What was in force at the start is what runs.
                let now = &self.settings.config;
                let restart = [
                    ("folders", now.folders != config.folders),
                    ("workers.threads", now.workers.threads != config.workers.threads),
                    ("intake.claims_max", now.intake.claims_max != config.intake.claims_max),
                    ("log", crate::config::Log { level: now.log.level, ..config.log.clone() } != now.log),
                ];
                for (key, _) in restart.iter().filter(|(_, changed)| *changed) {
                    warn!(name: kind::RESTART_NEEDED.name, key, "changed, and takes effect only after a restart");
                }
                self.config = Arc::from(config);
                let _ = self.intake.send(Command::Reload(Rules::of(&self.config)));
                info!(name: kind::RELOADED.name, routes = self.config.routes().len(), "configuration reloaded");
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
            systemd::ready(&self.status());
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
            self.threads.put_back(Order { claim, config: Arc::clone(&self.config) });
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
