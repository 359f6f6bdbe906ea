//! When old files are removed: after the start, after a reload, and then once an hour. A service that keeps everything
//! is never woken.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, unbounded};

use crate::config;
use crate::daemon::fs::service_folders::Folders;
use crate::daemon::records::retention;
use crate::daemon::records::retention::Run;
use crate::daemon::service::loop_state::Teller;

/// Time between two runs.
const RUN_INTERVAL: Duration = Duration::from_secs(3600);

/// The thread that removes old files.
pub(super) struct Retention {
    rules: Sender<config::Retention>,
    stop: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

impl Retention {
    /// Starts the thread, which waits for its first rules.
    ///
    /// # Errors
    /// When it cannot be started.
    pub(super) fn start(folders: Folders, teller: Teller) -> io::Result<Self> {
        let (rules, changed) = unbounded();
        let stop = Arc::new(AtomicBool::new(false));
        let is_stopped = Arc::clone(&stop);
        let work = move || {
            work(&changed, &folders, &is_stopped);
            drop(teller);
        };
        let thread = Builder::new().name("retention".to_owned()).spawn(work)?;
        Ok(Self { rules, stop, thread })
    }

    /// Has old files removed by these rules, now and from now on.
    pub(super) fn follow(&self, rules: &config::Retention) {
        // Fails only when the thread ended by a panic, which ends the service.
        let _ = self.rules.send(rules.clone());
    }

    /// Begins no further run, and ends the one under way soon.
    pub(super) fn stop(&self) {
        self.stop.store(true, Ordering::Release);
    }

    /// Waits for the run under way.
    pub(super) fn join(self) {
        drop(self.rules);
        // A panic is in the log.
        let _ = self.thread.join();
    }
}

fn work(changed: &Receiver<config::Retention>, folders: &Folders, stop: &AtomicBool) {
    retention::step_back();
    let mut rules = None;
    loop {
        let is_idle = rules.as_ref().is_none_or(config::Retention::keeps_everything);
        match changed.recv_timeout(if is_idle { Duration::MAX } else { RUN_INTERVAL }) {
            Ok(new) => rules = Some(new),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
        if let Some(retention) = &rules {
            Run { retention, folders, stop }.run();
        }
    }
}
