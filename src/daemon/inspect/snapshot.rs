//! The service as it is at one moment: what the status line, `tabuleiro status` and the metrics are made from.
//!
//! The names of the fields are those of `tabuleiro status --json`; they stay.

use serde::{Deserialize, Serialize};

use crate::daemon::answering::job_progress;
use crate::daemon::answering::job_progress::JobProgress;
use crate::daemon::base::clock::{now, parse_stamp};
use crate::daemon::base::job_tally::Counts;
use tabuleiro_jobs::RemoteFacts;
use tabuleiro_puzzles::solver::format_size;

/// The service at one moment. Times are RFC 3339 in UTC.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Snapshot {
    /// When this was so.
    pub time: String,
    /// The process.
    pub service: Process,
    /// How files are found, and whether they are taken.
    pub intake: Intake,
    /// Files on their way.
    pub queue: Queue,
    /// The files that are being answered, the oldest first.
    pub jobs: Vec<JobProgress>,
    /// Jobs that ended since the start.
    pub since_start: Counts,
    /// Each route that has had a file since the start, or that has one now.
    pub routes: Vec<Route>,
    /// The room in the folders that must have some.
    pub disks: Vec<Disk>,
    /// Jobs since the start that could not be written into the history.
    pub history_lost: u64,
    /// Lines of the log that were not written since the start, for each sink that it has.
    #[serde(default)]
    pub log_lost: Vec<LogLost>,
    /// Workers on other machines, where a broker is configured.
    #[serde(default)]
    pub remote: Option<RemoteFacts>,
    /// Why the page of the service cannot be written, where it is to be.
    #[serde(default)]
    pub page: Option<String>,
}

/// Lines of the log that were not written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogLost {
    /// Where: `stderr`, `file` or `journal`.
    pub sink: String,
    /// How many.
    pub lines: u64,
}

/// The process that serves.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Process {
    /// What it is doing.
    pub state: State,
    /// The program's version.
    pub version: String,
    /// Its number.
    pub pid: u32,
    /// When it was started.
    pub started: String,
    /// Where files are dropped.
    pub inbox: String,
    /// Where results appear.
    pub outbox: String,
}

/// What a service is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// Not everything is watched yet.
    Starting,
    /// It serves.
    Running,
    /// It finishes what is in hand.
    Stopping,
}

/// How files are found, and whether they are taken.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Intake {
    /// When the intake said all this.
    pub as_of: String,
    /// Where it learns of new files.
    pub backend: Backend,
    /// Why events are not relied on, with the remedy.
    pub reason: Option<String>,
    /// Why nothing is taken for now.
    pub paused: Option<String>,
    /// What permissions keep from being taken, each with the remedy; not more than can be read.
    #[serde(default)]
    pub denied: Vec<String>,
    /// Folders of the inbox on another mount than the working folder, from which nothing is taken: some of them.
    #[serde(default)]
    pub other_mounts: Vec<String>,
    /// Folders watched.
    pub watches: u64,
    /// Watches that the system allows each user, all programs together, where it tells.
    pub watches_max: Option<u64>,
    /// Listings of the whole inbox that ended.
    pub rescans: u64,
    /// When the last one did.
    pub last_rescan: Option<String>,
    /// Times that events were lost.
    pub overflows: u64,
    /// When that was last.
    pub last_overflow: Option<String>,
}

/// Where the intake learns of new files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Backend {
    /// From events of the system.
    Events,
    /// From listings.
    Polling,
}

/// Files on their way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Queue {
    /// Files taken and not ended.
    pub in_hand: u64,
    /// The most that may be (`intake.claims_max`).
    pub in_hand_max: u64,
    /// Of those in hand, the ones that wait for another try.
    pub resting: u64,
    /// Files in the inbox that are not complete.
    pub incomplete: u64,
    /// Complete files that wait in the inbox: at least so many.
    pub waiting_min: u64,
    /// The inbox is not listed to its end, because as many files are in hand as may be: more may wait.
    pub may_be_more: bool,
    /// Files that went back into the inbox since the start.
    pub put_back: u64,
    /// Tries since the start that published nothing and are followed by another.
    pub tries_failed: u64,
}

/// A route.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Route {
    /// Its name; `none` for files that no route takes.
    pub name: String,
    /// As in [`Queue`].
    pub in_hand: u64,
    /// As in [`Queue`].
    pub incomplete: u64,
    /// As in [`Queue`].
    pub waiting_min: u64,
    /// Jobs that ended since the start.
    pub since_start: Counts,
}

/// The room in a folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Disk {
    /// The folder.
    pub folder: String,
    /// Bytes left for the service.
    pub bytes_free: u64,
    /// Files and folders there is room for; `null` where the file system does not count them.
    pub files_free: Option<u64>,
}

impl Disk {
    /// Returns the bytes left, in whole units, the largest that leave at least 10 of them.
    #[must_use]
    pub fn room(&self) -> String {
        let mut unit = 1_u64;
        while self.bytes_free / unit >= 10 << 10 {
            unit <<= 10;
        }
        format_size(self.bytes_free / unit * unit)
    }
}

impl Snapshot {
    /// Returns the line that systemd shows.
    #[must_use]
    pub fn line(&self) -> String {
        let Self { intake, queue, since_start, .. } = self;
        let paused = intake.paused.as_ref().map(|why| format!("PAUSED ({why}), ")).unwrap_or_default();
        let backend = match &intake.reason {
            Some(reason) => format!("polling ({reason})"),
            None => format!("watching {} folders", intake.watches),
        };
        let graded = match since_start.graded {
            0 => String::new(),
            graded => format!("{graded} graded, "),
        };
        let rescan = intake.last_rescan.as_deref().and_then(parse_stamp);
        let rescan =
            rescan.map(|last| format!(", last rescan {} s ago", (now() - last).whole_seconds().max(0)));
        format!(
            "{paused}{backend}: {} in hand, {} waiting to be complete, {} answered, {graded}{} rejected{}{}",
            queue.in_hand,
            queue.incomplete,
            since_start.answered,
            since_start.rejected,
            rescan.unwrap_or_default(),
            job_progress::status(&self.jobs),
        )
    }
}
