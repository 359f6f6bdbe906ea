//! Metrics: what the loop hands over for them, and when.
//!
//! The textfile is written after something has changed, so an idle service is not woken for it.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use tracing::{error, info, warn};

use super::Service;
use crate::config;
use crate::daemon::inspect::metrics::{Measured, Server, Timings, textfile};
use crate::daemon::publishing::publisher::Published;
use crate::daemon::service::questions::Reply;

/// Time between two textfiles.
const TEXTFILE_INTERVAL: Duration = Duration::from_secs(15);

/// Somebody who waits for the metrics.
pub(super) type Client = oneshot::Sender<Box<Measured>>;

/// What is measured, who waits for it, and when the textfile is to be written.
#[derive(Default)]
pub(super) struct Measuring {
    timings: Timings,
    textfile: Option<PathBuf>,
    textfile_due: Option<Instant>,
    textfile_begun: Option<Instant>,
    writing: Option<JoinHandle<()>>,
    /// The last textfile could not be written, which was logged.
    is_failing: Arc<AtomicBool>,
    server: Option<Server>,
}

impl Measuring {
    /// Begins to serve, where the configuration wants that. A service that cannot be measured serves all the same.
    pub(super) fn start(settings: &config::Metrics, ask: mpsc::Sender<Client>) -> Self {
        let server = settings.listen.and_then(|address| match Server::start(address, ask) {
            Ok(server) => {
                info!(address = %server.address(), "metrics are served");
                Some(server)
            }
            Err(error) => {
                error!(%address, "metrics cannot be served: {error}");
                None
            }
        });
        Self { server, textfile: settings.textfile.clone(), ..Self::default() }
    }

    /// Notes how long a job took.
    pub(super) fn note(&mut self, published: &Published) {
        self.timings.note(published);
    }

    /// Something changed.
    pub(super) fn changed(&mut self) {
        if self.textfile.is_some() && self.textfile_due.is_none() {
            let now = Instant::now();
            self.textfile_due =
                Some(self.textfile_begun.map_or(now, |begun| now.max(begun + TEXTFILE_INTERVAL)));
        }
    }

    /// When there is something to do.
    pub(super) fn due(&self) -> Option<Instant> {
        self.textfile_due
    }
}

impl Service {
    /// Somebody wants the metrics.
    pub(super) fn measure(&mut self, client: Client) {
        self.answer_later(Reply::Metrics(client));
    }

    pub(super) fn measured(&mut self) -> Box<Measured> {
        Box::new(Measured { snapshot: self.snapshot(), timings: self.measuring.timings.clone() })
    }

    pub(super) fn measure_what_is_due(&mut self, now: Instant) {
        if self.measuring.textfile_due.is_some_and(|due| due <= now) {
            self.write_textfile(now);
        }
    }

    fn write_textfile(&mut self, now: Instant) {
        self.measuring.textfile_due = None;
        self.measuring.textfile_begun = Some(now);
        if self.measuring.writing.as_ref().is_some_and(|writing| !writing.is_finished()) {
            // The disk is in no hurry.
            self.measuring.changed();
            return;
        }
        let Some(path) = self.measuring.textfile.clone() else { return };
        let (client, measured) = oneshot::channel::<Box<Measured>>();
        let is_failing = Arc::clone(&self.measuring.is_failing);
        self.measuring.writing = Some(tokio::task::spawn_blocking(move || {
            // Fails only when the loop has ended, which writes the last one itself.
            let Ok(measured) = measured.blocking_recv() else { return };
            match textfile::write(&path, &measured.text()) {
                Ok(()) => is_failing.store(false, Ordering::Relaxed),
                Err(error) if !is_failing.swap(true, Ordering::Relaxed) => {
                    warn!(file = %path.display(), "the metrics cannot be written: {error}");
                }
                Err(_) => {}
            }
        }));
        self.measure(client);
    }

    /// Turns away who waits, and lets the textfile be written that is being written.
    pub(super) async fn stop_measuring(&mut self) {
        self.waiting.clear();
        if let Some(writing) = self.measuring.writing.take() {
            // A panic was printed by the thread itself.
            let _ = writing.await;
        }
    }

    /// What has to be done at the end, where it may take its time: the last textfile is written.
    pub(super) fn end_measuring(&mut self) -> impl FnOnce() + Send + use<> {
        let last = self.measuring.textfile.take().map(|path| (path, self.measured()));
        let server = self.measuring.server.take();
        move || {
            drop(server);
            if let Some((path, measured)) = last
                && let Err(error) = textfile::write(&path, &measured.text())
            {
                warn!(file = %path.display(), "the metrics cannot be written: {error}");
            }
        }
    }
}
