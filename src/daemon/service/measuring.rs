//! Metrics: what the loop hands over for them, and when.
//!
//! The textfile is written after something has changed, so an idle service is not woken for it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use tracing::{error, info, warn};

use crate::config;
use crate::daemon::inspect::metrics::{Measured, Server, Timings, textfile};
use crate::daemon::inspect::snapshot::Snapshot;
use crate::daemon::publishing::publisher::Published;

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
    pub(super) fn note(&self, published: &Published) {
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

    /// Has the textfile written if that is due; gives who is to be sent the metrics for it.
    pub(super) fn write(&mut self, now: Instant) -> Option<Client> {
        self.textfile_due.take_if(|due| *due <= now)?;
        self.textfile_begun = Some(now);
        if self.writing.as_ref().is_some_and(|writing| !writing.is_finished()) {
            // The disk is in no hurry.
            self.changed();
            return None;
        }
        let path = self.textfile.clone()?;
        let (client, measured) = oneshot::channel::<Box<Measured>>();
        let is_failing = Arc::clone(&self.is_failing);
        self.writing = Some(tokio::task::spawn_blocking(move || {
            // Fails only when the loop has ended, which writes the last one itself.
            let Ok(measured) = measured.blocking_recv() else { return };
            match measured.text().and_then(|text| textfile::write(&path, &text)) {
                Ok(()) => is_failing.store(false, Ordering::Relaxed),
                Err(error) if !is_failing.swap(true, Ordering::Relaxed) => log_failure(&path, &error),
                Err(_) => {}
            }
        }));
        Some(client)
    }

    /// Lets the textfile be written that is being written.
    pub(super) async fn finish(&mut self) {
        if let Some(writing) = self.writing.take() {
            // A panic was printed by the thread itself.
            let _ = writing.await;
        }
    }

    /// Ends it, which may take its time: the last textfile is written.
    pub(super) fn end(self, snapshot: Snapshot) {
        drop(self.server);
        let Some(path) = self.textfile else { return };
        let measured = Measured { snapshot, timings: self.timings };
        if let Err(error) = measured.text().and_then(|text| textfile::write(&path, &text)) {
            log_failure(&path, &error);
        }
    }

    /// All that metrics are made from.
    pub(super) fn measured(&self, snapshot: Snapshot) -> Box<Measured> {
        Box::new(Measured { snapshot, timings: self.timings.clone() })
    }
}

fn log_failure(path: &Path, error: &std::io::Error) {
    warn!(file = %path.display(), "the metrics cannot be written: {error}");
}
