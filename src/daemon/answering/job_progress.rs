//! The progress of long jobs, for the log, the status line and `tabuleiro status`.
//!
//! The thread that answers a job registers it, and counts bytes and puzzles with relaxed stores. The loop reads the
//! counts only while jobs are in progress, so an idle service needs no timer for them.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use tracing::info;

use crate::daemon::base::job_tally::NO_ROUTE;
use crate::logging::event_text::told;
use crate::logging::kind;
use tabuleiro_jobs::{Progress, Solving};
use tabuleiro_puzzles::words::Phrase;

/// Time between two checks of the jobs in progress. Each check logs at most one line. Jobs that have run for less than
/// this appear neither in the log nor in the status line.
pub const CHECK_INTERVAL: Duration = Duration::from_secs(5);
/// Minimum time between two lines about one job.
const LOG_INTERVAL: Duration = Duration::from_secs(10);

/// How long a part of the service may be [busy](Busy), or a job may exceed its time limit, before the watchdog ends the
/// service. This is far longer than a sync on a busy disk, because ending the service during a sync helps nobody.
pub const STALL_MAX: Duration = Duration::from_secs(1800);

/// When a part of the service began work that should end soon; `None` while it has no such work.
#[derive(Debug, Default)]
pub struct Busy(Mutex<Option<Instant>>);

impl Busy {
    /// Stores when the work began, or `None` when it has ended.
    pub fn set(&self, begun: Option<Instant>) {
        *self.0.lock() = begun;
    }

    /// Returns whether the work is in progress.
    pub fn is_set(&self) -> bool {
        self.0.lock().is_some()
    }

    /// Returns whether the work has taken [`STALL_MAX`] or longer.
    pub fn is_stuck(&self, now: Instant) -> bool {
        let begun = *self.0.lock();
        begun.is_some_and(|begun| now.saturating_duration_since(begun) >= STALL_MAX)
    }
}

/// The counts of a job, kept by the thread that answers it.
pub struct JobCounters {
    /// Bytes of the file that have been read.
    pub bytes_read: AtomicU64,
    /// Size of the file in bytes; 0 until it is opened.
    pub bytes: AtomicU64,
    /// The progress of the job's puzzles.
    pub progress: Arc<Progress>,
    id: String,
    file: String,
    route: Option<String>,
    begun: Instant,
    /// The job's own time limit.
    limit: Option<Duration>,
    /// When the job was logged last.
    logged: Mutex<Option<Instant>>,
}

/// The progress of a job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobProgress {
    pub id: String,
    /// The file's printable path below the inbox.
    pub file: String,
    /// The route's name; `None` if no route takes the file.
    pub route: Option<String>,
    /// Bytes of the file that have been read.
    pub bytes_read: u64,
    /// Size of the file in bytes; 0 until it is opened.
    pub bytes: u64,
    /// How much is done, in per cent: the share of bytes read, times the share of the puzzles read that are answered.
    pub per_cent: u64,
    /// Puzzles answered, including the invalid ones.
    pub puzzles: u64,
    /// The puzzle that has been solved for longest; `None` if no puzzle has run for a second.
    pub solving: Option<Solving>,
    /// How long the job has been running, rounded to seconds.
    pub running_s: u64,
}

/// The jobs that are being answered, the oldest first. A job is listed until its [`JobCounters`] are dropped.
#[derive(Debug, Default)]
pub struct RunningJobs(Mutex<Vec<Weak<JobCounters>>>);

impl RunningJobs {
    /// Registers a job with its own time limit, if it has one.
    pub fn begin(
        &self,
        id: &str,
        file: &str,
        route: Option<&str>,
        limit: Option<Duration>,
    ) -> Arc<JobCounters> {
        let counts = Arc::new(JobCounters {
            bytes_read: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
            progress: Arc::default(),
            id: id.to_owned(),
            file: file.to_owned(),
            route: route.map(str::to_owned),
            begun: Instant::now(),
            limit,
            logged: Mutex::default(),
        });
        let mut jobs = self.0.lock();
        jobs.retain(|job| job.strong_count() > 0);
        jobs.push(Arc::downgrade(&counts));
        counts
    }

    /// Returns the progress of each job.
    pub fn jobs(&self) -> Vec<JobProgress> {
        self.in_hand().iter().map(|counts| counts.progress(Instant::now())).collect()
    }

    /// Returns whether a job is being answered.
    pub fn has(&self, id: &str) -> bool {
        self.in_hand().iter().any(|counts| counts.id == id)
    }

    /// Returns whether a job exceeds its own time limit by [`STALL_MAX`] or more.
    pub fn is_stuck(&self, now: Instant) -> bool {
        let is_stuck = |job: &Arc<JobCounters>| {
            let taken = now.saturating_duration_since(job.begun);
            job.limit.is_some_and(|limit| taken >= limit.saturating_add(STALL_MAX))
        };
        self.in_hand().iter().any(is_stuck)
    }

    /// Logs one long job: the oldest that was never logged, or else the one that was logged longest ago.
    pub fn log(&self, now: Instant) {
        let jobs = self.in_hand();
        let logged = |counts: &JobCounters| *counts.logged.lock();
        let is_due = |logged: Option<Instant>| {
            logged.is_none_or(|at| now.saturating_duration_since(at) >= LOG_INTERVAL)
        };
        let due = jobs.iter().filter(|counts| is_due(logged(counts)));
        let long = due.map(|counts| (counts.progress(now), counts)).filter(|(job, _)| job.is_long());
        let Some((job, counts)) = long.min_by_key(|(_, counts)| logged(counts)) else { return };
        *counts.logged.lock() = Some(now);
        let others = jobs.len() - 1;
        let solving = job.solving.map(Phrase::from);
        info!(
            name: kind::IN_PROGRESS.name,
            id = job.id,
            file = job.file,
            route = job.route.as_deref().unwrap_or(NO_ROUTE),
            bytes_read = job.bytes_read,
            bytes = job.bytes,
            per_cent = job.per_cent,
            puzzles = job.puzzles,
            puzzles_per_second = job.rate(),
            running_s = job.running_s,
            solving = solving.as_ref().map(|solving| told(solving)),
            others,
            "in progress"
        );
    }

    fn in_hand(&self) -> Vec<Arc<JobCounters>> {
        self.0.lock().iter().filter_map(Weak::upgrade).collect()
    }
}

impl JobCounters {
    fn progress(&self, now: Instant) -> JobProgress {
        let [bytes_read, bytes] = [&self.bytes_read, &self.bytes].map(|bytes| bytes.load(Ordering::Relaxed));
        JobProgress {
            id: self.id.clone(),
            file: self.file.clone(),
            route: self.route.clone(),
            bytes_read,
            bytes,
            per_cent: self.progress.per_mille(bytes_read, bytes) / 10,
            puzzles: self.progress.answered(),
            solving: self.progress.longest(),
            // Rounded: the loop starts the timer of the first check just before the job begins, so that check would see
            // 4.99 s as 4 s.
            running_s: (now.saturating_duration_since(self.begun) + Duration::from_millis(500)).as_secs(),
        }
    }
}

impl JobProgress {
    /// Returns whether the job has run for long enough to be shown.
    fn is_long(&self) -> bool {
        self.running_s >= CHECK_INTERVAL.as_secs()
    }

    /// Returns the puzzles answered per second since the job began.
    pub fn rate(&self) -> u64 {
        self.puzzles / self.running_s.max(1)
    }
}

/// Writes the job for the status line, `big.txt 43 %, 1234567 puzzles, 41152 a second`, and then the puzzle in
/// `solving`.
impl fmt::Display for JobProgress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, per_cent, puzzles, .. } = self;
        write!(f, "{file} {per_cent} %, {puzzles} puzzles, {} a second", self.rate())?;
        self.solving.map_or(Ok(()), |puzzle| write!(f, ", {puzzle}"))
    }
}

/// Returns the text about long jobs in the status line, or an empty string if there are none.
pub fn status(jobs: &[JobProgress]) -> String {
    let mut long = jobs.iter().filter(|job| job.is_long());
    let Some(first) = long.next() else { return String::new() };
    match long.count() {
        0 => format!(", {first}"),
        more => format!(", {first} ({more} more)"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(id: &str, seconds: u64, puzzles: u64) -> JobProgress {
        JobProgress {
            id: id.to_owned(),
            file: format!("{id}.txt"),
            route: Some("damas".to_owned()),
            bytes_read: puzzles,
            bytes: 1 << 30,
            per_cent: (puzzles * 100) >> 30,
            puzzles,
            solving: None,
            running_s: seconds,
        }
    }

    #[test]
    fn jobs_are_known_while_they_run() {
        let registry = RunningJobs::default();
        let first = registry.begin("1", "a.txt", Some("damas"), None);
        let second = registry.begin("2", "b.txt", None, None);
        second.bytes.store(200, Ordering::Relaxed);
        second.bytes_read.fetch_add(50, Ordering::Relaxed);
        assert!(registry.has("1"));
        drop(first);
        let jobs = registry.jobs();
        assert_eq!(jobs.len(), 1);
        assert_eq!(
            (jobs[0].id.as_str(), jobs[0].file.as_str(), jobs[0].route.as_deref()),
            ("2", "b.txt", None)
        );
        assert_eq!((jobs[0].bytes_read, jobs[0].bytes, jobs[0].per_cent, jobs[0].puzzles), (50, 200, 0, 0));
        drop(second);
        assert!(registry.jobs().is_empty());
    }

    #[test]
    fn a_job_is_stuck_only_far_beyond_its_own_limit() {
        let registry = RunningJobs::default();
        let limit = Duration::from_secs(10);
        let _unlimited = registry.begin("1", "a.txt", None, None);
        let job = registry.begin("2", "b.txt", None, Some(limit));
        assert!(!registry.is_stuck(job.begun + limit + STALL_MAX / 2));
        assert!(registry.is_stuck(job.begun + limit + STALL_MAX));
    }

    #[test]
    fn rates_have_no_extremes() {
        let mut job = job("1", 0, 1);
        job.puzzles = u64::MAX;
        assert_eq!(job.rate(), u64::MAX);
        job.running_s = 2;
        assert_eq!(job.rate(), u64::MAX / 2);
    }

    #[test]
    fn each_check_logs_at_most_one_line_and_jobs_take_turns() {
        let start = Instant::now();
        let registry = RunningJobs::default();
        let jobs = ["b", "a"].map(|id| registry.begin(id, id, None, None));
        let told = |now: Instant| {
            registry.log(now);
            let jobs = registry.in_hand();
            let told = jobs.iter().filter(|job| *job.logged.lock() == Some(now));
            told.map(|job| job.id.clone()).collect::<Vec<_>>()
        };
        assert_eq!(told(start + Duration::from_secs(4)), [] as [&str; 0], "too soon");
        let mut order = Vec::new();
        for look in 1..=6 {
            let told = told(start + Duration::from_millis(100) + CHECK_INTERVAL * look);
            assert!(told.len() <= 1, "{told:?}");
            order.extend(told);
        }
        assert_eq!(order, ["b", "a", "b", "a", "b", "a"]);
        drop(jobs);
        assert!(told(start + CHECK_INTERVAL * 7).is_empty() && registry.jobs().is_empty());
    }

    #[test]
    fn the_status_line_names_the_oldest_long_job() {
        assert_eq!(status(&[job("short", 4, 1)]), "");
        assert_eq!(status(&[job("a", 10, 1 << 29)]), ", a.txt 50 %, 536870912 puzzles, 53687091 a second");
        assert_eq!(
            status(&[job("a", 10, 100), job("b", 9, 1), job("short", 1, 1)]),
            ", a.txt 0 %, 100 puzzles, 10 a second (1 more)"
        );
        let solving = Solving { number: 1, of: Some(1), running_s: 12, limit_s: Some(60) };
        assert_eq!(
            status(&[JobProgress { solving: Some(solving), ..job("a", 12, 0) }]),
            ", a.txt 0 %, 0 puzzles, 0 a second, puzzle 1 of 1, for 12 s of at most 60 s"
        );
    }
}
