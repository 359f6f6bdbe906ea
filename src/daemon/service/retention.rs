//! When old files are removed: after the start, after a reload, and then once an hour. A service that keeps everything
//! is never woken.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

use tracing::warn;

use crate::config;
use crate::daemon::fs::folders::Folders;
use crate::daemon::records::retention;
use crate::daemon::records::retention::Run;

/// Time between two runs.
const RUN_INTERVAL: Duration = Duration::from_secs(3600);

/// The run under way, and when the next is due.
#[derive(Default)]
pub(super) struct Retention {
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
    due: Option<Instant>,
    /// Something was asked for while a run was under way.
    again: bool,
}

impl Retention {
    pub(super) fn is_under_way(&self) -> bool {
        self.thread.is_some()
    }

    /// When the next run is to begin; `None` while one is under way, and where everything is kept.
    pub(super) fn due(&self) -> Option<Instant> {
        self.due
    }

    /// Begins a run, if there is anything that is not kept for ever; after the one under way, where there is one. `tell`
    /// is called at its end.
    pub(super) fn begin(
        &mut self,
        retention: &config::Retention,
        folders: &Folders,
        tell: impl FnOnce() + Send + 'static,
    ) {
        self.due = None;
        if self.is_under_way() {
            self.again = true;
            return;
        }
        if retention.keeps_everything() {
            return;
        }
        let (retention, folders, stop) = (retention.clone(), folders.clone(), Arc::clone(&self.stop));
        let run = move || {
            retention::step_back();
            let run = || Run { retention: &retention, folders: &folders, stop: &stop }.run();
            // Whatever happens the loop is told, else it would wait for this at its end. The thread printed the panic.
            let _ = catch_unwind(AssertUnwindSafe(run));
            tell();
        };
        match Builder::new().name("retention".to_owned()).spawn(run) {
            Ok(thread) => self.thread = Some(thread),
            Err(error) => {
                warn!("cannot begin to remove what is not kept any longer: {error}");
                self.due = Some(Instant::now() + RUN_INTERVAL);
            }
        }
    }

    /// A run has ended. True when another is to begin at once.
    pub(super) fn end_run(&mut self) -> bool {
        self.thread = None;
        self.due = Some(Instant::now() + RUN_INTERVAL);
        std::mem::take(&mut self.again)
    }

    /// Begins no further run, and ends the one under way soon.
    pub(super) fn stop(&self) {
        self.stop.store(true, Ordering::Release);
    }

    /// Waits for the run under way.
    pub(super) fn join(self) {
        self.stop();
        if let Some(thread) = self.thread {
            // A panic was printed by the thread itself.
            let _ = thread.join();
        }
    }
}
