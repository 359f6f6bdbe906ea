//! Reloading and stopping.

use std::sync::Arc;
use std::thread::Builder;
use std::time::{Duration, Instant};

use tokio::sync::mpsc;
use tokio::task::spawn_blocking;
use tokio::time::timeout_at;
use tracing::{error, info, warn};

use crate::config::Config;
use crate::daemon::answering::memory_plan;
use crate::daemon::intake::{Command, Message};
use crate::daemon::service::loop_state::Event;
use crate::daemon::service::loop_state::{Phase, Service};
use crate::daemon::service::systemd;
use crate::logging::kind;

/// How long the end waits for what the intake says last.
const INTAKE_END_WAIT_MAX: Duration = Duration::from_secs(2);

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
        tokio::spawn(async move {
            let read = spawn_blocking(move || reload().map(Box::new)).await;
            // Whatever happens the loop is told, else it would read for ever and obey no further reload.
            let read = read.unwrap_or_else(|_| {
                Err("reading it ended with a panic, which is a mistake of the program".to_owned())
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
                self.log_reload();
                self.retention.follow(&self.config.retention);
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
            systemd::ready(&self.snapshot().line());
        }
    }

    /// Has the references of routes solved, so that no submission waits for that. A worker that needs one before solves it itself.
    pub(super) fn prepare_references(&self) {
        let (answerer, config) = (Arc::clone(&self.answerer), Arc::clone(&self.config));
        let prepare = move || answerer.references.prepare(&config, &answerer.pool, &answerer.cancel);
        // Nobody waits for its end.
        let _ = Builder::new().name("references".to_owned()).spawn(prepare);
    }

    pub(super) fn stop(&mut self) {
        if self.is_stopping() {
            self.cancel("asked twice");
            return;
        }
        let timeout = self.config.workers.stop_timeout;
        info!(
            name: kind::STOPPING.name,
            in_hand = self.schedule.len(),
            timeout_s = timeout.as_secs_f64(),
            "stopping: finishing what is in hand"
        );
        systemd::stopping(&format!("stopping: {} files in hand", self.schedule.len()), timeout);
        self.phase = Phase::Stopping { deadline: Instant::now() + timeout };
        self.retention.stop();
        let mut withdrawn = self.quarantine.withdraw();
        let not_begun: Vec<_> = self.threads.withdraw().collect();
        for pending in not_begun {
            withdrawn.push(pending.claim.id.clone());
            self.hold(pending);
        }
        self.schedule.stop(withdrawn.iter().map(String::as_str));
        // The intake may be waiting for this loop to take a claim; it obeys after that, and says so.
        if !self.intake.send(Command::Stop) {
            // It panicked, which ends the service anyway.
            self.handle_intake(Message::Ended);
        }
    }

    /// Learns what the intake says until it has ended, so that the last page tells of no file that was taken since. One that
    /// panicked, or waits for a disk, says nothing more.
    pub(super) async fn hear_intake_out(&mut self, received: &mut mpsc::Receiver<Event>) {
        let until = tokio::time::Instant::now() + INTAKE_END_WAIT_MAX;
        while !self.intake.has_ended {
            match timeout_at(until, received.recv()).await {
                Ok(Some(Event::Intake(Message::Alive(status)))) => self.learn(status),
                Ok(Some(Event::Intake(Message::Ended)) | None) | Err(_) => self.intake.has_ended = true,
                Ok(Some(_)) => {}
            }
        }
    }

    pub(super) fn cancel(&mut self, why: &str) {
        if self.phase != Phase::Cancelled {
            warn!(in_hand = self.schedule.len(), "putting back what is in hand: {why}");
            self.phase = Phase::Cancelled;
            self.answerer.cancel.cancel();
        }
    }

    /// Says that the configuration is in force, and which keys still follow the one of the start.
    fn log_reload(&self) {
        let waiting = self.settings.config.waiting_for_restart(&self.config);
        if !waiting.is_empty() {
            let keys = waiting.join(", ");
            warn!(name: kind::RESTART_NEEDED.name, keys, "keys that differ take effect only after a restart");
        }
        let routes = self.config.routes().len();
        info!(name: kind::RELOADED.name, routes, wait_for_restart = waiting.len(), "configuration reloaded");
    }
}
