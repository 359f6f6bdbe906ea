//! Jobs in hand that take long: how far each of them is, for the log, the status line, and whoever asks.
//!
//! A worker registers its job, counts what it reads and answers, and knows nothing of who looks. The loop looks only
//! while jobs are in hand: nothing ticks in an idle service.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use tracing::info;

use crate::logging::kind;

/// Time between two looks at the jobs in hand; at each at most one line is logged. Nothing is said of a job that
/// takes less.
const LOOK_INTERVAL: Duration = Duration::from_secs(5);
/// Time between two lines about one job.
const TELL_INTERVAL: Duration = Duration::from_secs(10);

/// Added to a job's own time limit before it counts as stuck.
const STUCK_MARGIN: Duration = Duration::from_secs(120);

/// What a worker counts of its job.
#[derive(Debug)]
pub struct Counts {
    bytes_read: AtomicU64,
    bytes: AtomicU64,
    puzzles: AtomicU64,
    file: String,
    route: Option<String>,
    begun: Instant,
    /// The job's own time limit.
    limit: Option<Duration>,
}

/// How far a job is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobProgress {
    /// Its ID.
    pub id: String,
    /// The file's printable path below the inbox.
    pub file: String,
    /// The route's name; `None` where none takes the file.
    pub route: Option<String>,
    /// Bytes of the file that were read.
    pub bytes_read: u64,
    /// Bytes of the file; 0 before it was opened.
    pub bytes: u64,
    /// Puzzles answered, the invalid ones included.
    pub puzzles: u64,
    /// How long it is being answered; in whole seconds for others.
    #[serde(rename = "running_s", with = "whole_seconds")]
    pub running: Duration,
}

/// All jobs that are being answered.
#[derive(Debug, Default)]
pub struct Registry {
    jobs: Mutex<BTreeMap<String, Arc<Counts>>>,
}

/// A registered job, until it is dropped.
pub struct Registered<'a> {
    registry: &'a Registry,
    id: String,
    counts: Arc<Counts>,
}

impl Counts {
    /// The file has so many bytes.
    pub fn set_bytes(&self, bytes: u64) {
        self.bytes.store(bytes, Ordering::Relaxed);
    }

    /// So many bytes more were read.
    pub fn read(&self, bytes: u64) {
        self.bytes_read.fetch_add(bytes, Ordering::Relaxed);
    }

    /// So many puzzles are answered.
    pub fn set_puzzles(&self, puzzles: u64) {
        self.puzzles.store(puzzles, Ordering::Relaxed);
    }
}

impl Registry {
    /// A job begins, which takes at most `limit`.
    pub fn begin(
        &self,
        id: &str,
        file: &str,
        route: Option<&str>,
        limit: Option<Duration>,
    ) -> Registered<'_> {
        let counts = Arc::new(Counts {
            bytes_read: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
            puzzles: AtomicU64::new(0),
            file: file.to_owned(),
            route: route.map(str::to_owned),
            begun: Instant::now(),
            limit,
        });
        self.lock().insert(id.to_owned(), Arc::clone(&counts));
        Registered { registry: self, id: id.to_owned(), counts }
    }

    /// The jobs that are being answered, the oldest first.
    #[must_use]
    pub fn jobs(&self) -> Vec<JobProgress> {
        let progress = |(id, counts): (&String, &Arc<Counts>)| JobProgress {
            id: id.clone(),
            file: counts.file.clone(),
            route: counts.route.clone(),
            bytes_read: counts.bytes_read.load(Ordering::Relaxed),
            bytes: counts.bytes.load(Ordering::Relaxed),
            puzzles: counts.puzzles.load(Ordering::Relaxed),
            running: counts.begun.elapsed(),
        };
        let mut jobs: Vec<_> = self.lock().iter().map(progress).collect();
        jobs.sort_by_key(|job| std::cmp::Reverse(job.running));
        jobs
    }

    /// Whether a job is being answered.
    #[must_use]
    pub fn has(&self, id: &str) -> bool {
        self.lock().contains_key(id)
    }

    /// Whether a job takes far longer than it may.
    #[must_use]
    pub fn is_stuck(&self) -> bool {
        let is_stuck = |job: &Arc<Counts>| {
            job.limit.is_some_and(|limit| job.begun.elapsed() > limit.saturating_add(STUCK_MARGIN))
        };
        self.lock().values().any(is_stuck)
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Counts>>> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Registered<'_> {
    /// What the worker counts with.
    #[must_use]
    pub fn counts(&self) -> &Arc<Counts> {
        &self.counts
    }
}

impl Drop for Registered<'_> {
    fn drop(&mut self) {
        self.registry.lock().remove(&self.id);
    }
}

impl JobProgress {
    /// How much of the file is read, in per cent; 0 where its size is not known or nothing.
    #[must_use]
    pub fn per_cent(&self) -> u64 {
        let read = u128::from(self.bytes_read.min(self.bytes)) * 100;
        read.checked_div(u128::from(self.bytes)).unwrap_or(0) as u64
    }

    /// Whether it is worth a word: it runs for [`LOOK_INTERVAL`], or nearly, since a look comes just that long after a
    /// job was given to the workers.
    fn is_long(&self) -> bool {
        10 * self.running >= 9 * LOOK_INTERVAL
    }

    /// Puzzles a second since it began, the present second included.
    #[must_use]
    pub fn rate(&self) -> u64 {
        rate(self.puzzles, self.running)
    }
}

/// As the status line has it: `big.txt 43 %, 1234567 puzzles, 41152 a second`.
impl fmt::Display for JobProgress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (file, per_cent) = (&self.file, self.per_cent());
        write!(f, "{file} {per_cent} %, {} puzzles, {} a second", self.puzzles, self.rate())
    }
}

mod whole_seconds {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serializer};

    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde wants it so")]
    pub fn serialize<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(time.as_secs())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
        u64::deserialize(deserializer).map(Duration::from_secs)
    }
}

/// Puzzles a second, rounded down.
fn rate(puzzles: u64, time: Duration) -> u64 {
    let rate = u128::from(puzzles) * 1000 / time.as_millis().max(1);
    u64::try_from(rate).unwrap_or(u64::MAX)
}

/// What was last logged of a job.
#[derive(Debug, Clone, Copy)]
struct Told {
    at: Instant,
    puzzles: u64,
}

/// The loop's side: when to look, and what to say.
#[derive(Debug, Default)]
pub struct Reporter {
    due: Option<Instant>,
    told: BTreeMap<String, Told>,
}

impl Reporter {
    /// A job was given to the workers.
    pub fn expect(&mut self, now: Instant) {
        self.due.get_or_insert(now + LOOK_INTERVAL);
    }

    /// Nothing is in hand any more.
    pub fn rest(&mut self) {
        *self = Self::default();
    }

    /// When to look next; `None` while nothing is in hand.
    #[must_use]
    pub fn due(&self) -> Option<Instant> {
        self.due
    }

    /// Logs how one of `jobs` is, if that is due. True when a look was due: the status line has changed then.
    pub fn look(&mut self, jobs: impl FnOnce() -> Vec<JobProgress>, now: Instant) -> bool {
        if self.due.is_none_or(|due| now < due) {
            return false;
        }
        self.due = Some(now + LOOK_INTERVAL);
        let jobs = jobs();
        self.told.retain(|id, _| jobs.iter().any(|job| job.id == *id));
        if let Some(job) = self.choose(&jobs, now) {
            let last = self.told.insert(job.id.clone(), Told { at: now, puzzles: job.puzzles });
            let lately = last.map_or_else(
                || job.rate(),
                |last| rate(job.puzzles.saturating_sub(last.puzzles), now.saturating_duration_since(last.at)),
            );
            info!(
                name: kind::IN_PROGRESS.name,
                id = job.id,
                file = job.file,
                route = job.route.as_deref().unwrap_or("none"),
                bytes_read = job.bytes_read,
                bytes = job.bytes,
                per_cent = job.per_cent(),
                puzzles = job.puzzles,
                puzzles_per_second = lately,
                running_s = job.running.as_secs(),
                others = jobs.len() - 1,
                "in progress"
            );
        }
        true
    }

    /// The job about which nothing was said for longest, the oldest of those of which nothing was said yet.
    fn choose<'a>(&self, jobs: &'a [JobProgress], now: Instant) -> Option<&'a JobProgress> {
        let told = |job: &JobProgress| self.told.get(&job.id).map(|told| told.at);
        jobs.iter()
            .filter(|job| job.is_long())
            .filter(|job| told(job).is_none_or(|at| now.saturating_duration_since(at) >= TELL_INTERVAL))
            .min_by_key(|job| told(job))
    }
}

/// The part of the status line that long jobs have; empty without any.
#[must_use]
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
            puzzles,
            running: Duration::from_secs(seconds),
        }
    }

    #[test]
    fn jobs_are_known_while_they_run() {
        let registry = Registry::default();
        let first = registry.begin("1", "a.txt", Some("damas"), None);
        let second = registry.begin("2", "b.txt", None, None);
        second.counts().set_bytes(200);
        second.counts().read(40);
        second.counts().read(10);
        second.counts().set_puzzles(7);
        drop(first);
        let jobs = registry.jobs();
        assert_eq!(jobs.len(), 1);
        assert_eq!(
            (jobs[0].id.as_str(), jobs[0].file.as_str(), jobs[0].route.as_deref()),
            ("2", "b.txt", None)
        );
        assert_eq!(
            (jobs[0].bytes_read, jobs[0].bytes, jobs[0].per_cent(), jobs[0].puzzles),
            (50, 200, 25, 7)
        );
        drop(second);
        assert!(registry.jobs().is_empty());
    }

    #[test]
    fn per_cents_and_rates_have_no_extremes() {
        let mut job = job("1", 0, u64::MAX);
        assert_eq!((job.per_cent(), job.rate()), (100, u64::MAX));
        (job.bytes, job.running) = (0, Duration::from_secs(2));
        assert_eq!((job.per_cent(), job.rate()), (0, u64::MAX / 2));
        (job.bytes, job.bytes_read) = (u64::MAX, u64::MAX / 2);
        assert_eq!(job.per_cent(), 49);
    }

    #[test]
    fn at_most_one_line_a_look_and_each_job_in_its_turn() {
        let start = Instant::now();
        let mut reporter = Reporter::default();
        assert_eq!(reporter.due(), None, "nothing ticks while nothing is in hand");
        reporter.expect(start);
        reporter.expect(start + Duration::from_secs(3));
        assert_eq!(reporter.due(), Some(start + LOOK_INTERVAL));
        assert!(!reporter.look(|| panic!("too soon"), start + Duration::from_secs(4)));
        let mut order = Vec::new();
        for look in 1..=6 {
            let now = start + LOOK_INTERVAL * look;
            let seconds = 5 * u64::from(look);
            let jobs = vec![job("b", seconds, 10), job("a", seconds, 10), job("short", 4, 1)];
            let before = reporter.told.clone();
            assert!(reporter.look(|| jobs, now));
            let told = reporter.told.iter().filter(|(_, told)| told.at == now).map(|(id, _)| id.clone());
            let told: Vec<_> = told.collect();
            assert!(told.len() <= 1, "{told:?} after {before:?}");
            order.extend(told);
        }
        assert_eq!(order, ["b", "a", "b", "a", "b", "a"]);
        let later = start + LOOK_INTERVAL * 7;
        assert!(reporter.look(Vec::new, later) && reporter.told.is_empty());
        reporter.rest();
        assert_eq!(reporter.due(), None);
    }

    #[test]
    fn the_status_line_names_the_oldest_long_job() {
        assert_eq!(status(&[job("short", 4, 1)]), "");
        assert_eq!(status(&[job("a", 10, 1 << 29)]), ", a.txt 50 %, 536870912 puzzles, 53687091 a second");
        assert_eq!(
            status(&[job("a", 10, 100), job("b", 9, 1), job("short", 1, 1)]),
            ", a.txt 0 %, 100 puzzles, 10 a second (1 more)"
        );
    }
}
