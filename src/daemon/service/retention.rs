//! When old files are removed: after the start, after a reload, and then at most hourly, where there is reason to.
//!
//! There is reason when a job has ended, or when a file becomes too old, of which each run tells the next. A service
//! that does nothing and keeps everything is never woken.

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
    ended: Option<Instant>,
    due: Option<Instant>,
    /// Something was asked for while a run was under way.
    again: bool,
}

impl Retention {
    pub(super) fn is_under_way(&self) -> bool {
        self.thread.is_some()
    }

    /// When the next run is to begin; `None` while one is under way or nothing calls for one.
    pub(super) fn due(&self) -> Option<Instant> {
        self.due.filter(|_| !self.is_under_way())
    }

    /// A job has ended, so there may be more than is kept.
    pub(super) fn want(&mut self) {
        let next = self.ended.unwrap_or_else(Instant::now) + RUN_INTERVAL;
        self.due = Some(self.due.map_or(next, |due| due.min(next)));
    }

    /// Begins a run, if there is anything that is not kept for ever; after the one under way, where there is one. `tell`
    /// is called at its end with the time until the next file becomes too old.
    pub(super) fn begin(
        &mut self,
        retention: &config::Retention,
        folders: &Folders,
        tell: impl FnOnce(Option<Duration>) + Send + 'static,
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
            tell(catch_unwind(AssertUnwindSafe(run)).unwrap_or(Some(RUN_INTERVAL)));
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
    pub(super) fn end_run(&mut self, next: Option<Duration>) -> bool {
        self.thread = None;
        let now = Instant::now();
        self.ended = Some(now);
        // Jobs that ended meanwhile had their files looked at or not; the next run does.
        let next = next.and_then(|next| now.checked_add(next.max(RUN_INTERVAL)));
        self.due = self.due.map(|due| due.max(now + RUN_INTERVAL)).into_iter().chain(next).min();
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
