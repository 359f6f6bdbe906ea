//! The state of the service at one moment, for systemd's status line, `tabuleiro status`, the metrics and the page.
//!
//! `tabuleiro status --json` has the same field names, so they must not change.

use serde::{Deserialize, Serialize};

use crate::daemon::answering::job_progress::{self, JobProgress};
use crate::daemon::base::clock::{now, parse_stamp};
use crate::daemon::base::job_tally::OutcomeCounts;
use crate::daemon::intake::IntakeReport;
use tabuleiro_jobs::RemoteFacts;
use tabuleiro_puzzles::solver::format_size;

/// The state of the service at one moment. Times are RFC 3339 in UTC.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Snapshot {
    /// When the snapshot was taken.
    pub time: String,
    /// The process.
    pub service: Process,
    /// Why the service is not ready, or makes no progress.
    pub trouble: Option<String>,
    /// How files are found, and whether they are taken.
    pub intake: IntakeReport,
    /// The files that are waiting or in progress.
    pub queue: QueueCounts,
    /// The files that are being answered, the oldest first.
    pub jobs: Vec<JobProgress>,
    /// Jobs that ended since the start.
    pub since_start: OutcomeCounts,
    /// The routes that have had a file since the start.
    pub routes: Vec<RouteCounts>,
    /// Free space of the folders in which the service writes.
    pub disks: Vec<Disk>,
    /// Jobs since the start that could not be written into the history.
    pub history_lost: u64,
    /// Lines of the log that were not written since the start, by sink.
    pub log_lost: Vec<LogLost>,
    /// Workers on other machines; `None` if no broker is configured.
    pub remote: Option<RemoteFacts>,
    /// Why the page of the service cannot be written.
    pub page: Option<String>,
}

/// Lines of the log that were not written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogLost {
    /// The sink: `stderr`, `file` or `journal`.
    pub sink: String,
    /// How many lines were lost.
    pub lines: u64,
}

/// The process of the service.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Process {
    /// What the service is doing.
    pub state: ServiceState,
    /// The program's version.
    pub version: String,
    /// The process ID.
    pub pid: u32,
    /// When the process was started.
    pub started: String,
    /// Where files are dropped.
    pub inbox: String,
    /// Where results appear.
    pub outbox: String,
}

/// What a service is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ServiceState {
    /// The intake does not watch all folders yet.
    Starting,
    /// The intake takes files.
    Running,
    /// The service takes no more files, and finishes those in progress.
    Stopping,
}

/// The files that are waiting or in progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueueCounts {
    /// Files that were taken and have not ended yet.
    pub in_hand: u64,
    /// The maximum of `in_hand` (`intake.claims_max`).
    pub in_hand_max: u64,
    /// Files that were taken and wait for another try.
    pub resting: u64,
    /// Files in the inbox that are not complete.
    pub incomplete: u64,
    /// Complete files that wait in the inbox; there can be more.
    pub waiting_min: u64,
    /// Whether more files can be waiting, because the listing stopped when all slots were taken.
    pub may_be_more: bool,
    /// Files that went back into the inbox since the start.
    pub put_back: u64,
    /// Tries since the start that published nothing and are followed by another.
    pub tries_failed: u64,
}

/// The files and jobs of a route.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RouteCounts {
    /// The route's name; `none` for files that no route takes.
    pub name: String,
    /// As in [`QueueCounts`].
    pub in_hand: u64,
    /// As in [`QueueCounts`].
    pub incomplete: u64,
    /// As in [`QueueCounts`].
    pub waiting_min: u64,
    /// Jobs that ended since the start.
    pub since_start: OutcomeCounts,
}

/// The free space of a folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Disk {
    /// The folder.
    pub folder: String,
    /// Free bytes that the service can use.
    pub bytes_free: u64,
    /// How many more files and folders fit; `null` if the file system does not count them.
    pub files_free: Option<u64>,
}

impl Disk {
    /// Returns the free bytes as text, rounded down, in the largest unit of which at least 10 are free.
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
