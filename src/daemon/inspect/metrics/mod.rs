//! Metrics for Prometheus: over HTTP, and as a file for the textfile collector of the node exporter.
//!
//! All values come from a [`Snapshot`] that the loop hands over and from the [`Timings`] to which the loop adds.
//! Nothing here can change the service. Both ways use text format 0.0.4, which is the one that the collector reads.
//! [docs/metrics.md](../../../docs/metrics.md) describes each metric; a test keeps it correct.

// Serves the text over HTTP.
pub mod http;
// Writes the text to a file.
pub mod textfile;

use prometheus::{
    GaugeVec, Histogram, HistogramOpts, HistogramVec, IntCounterVec, Opts, Registry, TextEncoder,
};

use crate::daemon::base::clock;
use crate::daemon::base::job_tally::OutcomeCounts;
use crate::daemon::inspect::snapshot::Snapshot;
use crate::daemon::intake::Backend;
use crate::daemon::records::history::{Outcome, Record};
use tabuleiro_jobs::RemoteFacts;

/// Bucket bounds in seconds: from a file that is taken at once to one that waits for hours.
const WAITING: &[f64] = &[0.001, 0.01, 0.1, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0, 1800.0, 7200.0];
/// Bucket bounds in seconds: from a trivial board to the time that a file may take by default.
const SOLVING: &[f64] = &[0.0001, 0.001, 0.01, 0.1, 0.5, 1.0, 5.0, 10.0, 60.0, 300.0, 3600.0];
/// Bucket bounds in seconds: from a file system in memory to a disk that hardly responds.
const PUBLISHING: &[f64] = &[0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 30.0];
/// Names and bounds are constants: no outside input is part of them.
const WELL_FORMED: &str = "names are well-formed and bounds rise";

/// How long the jobs since the start that published something took. Clones share the same histograms.
#[derive(Debug, Clone)]
pub struct Timings {
    waiting: Histogram,
    /// One histogram per solver.
    solving: HistogramVec,
    publishing: Histogram,
}

impl Default for Timings {
    fn default() -> Self {
        let options = |name, help, bounds: &[f64]| HistogramOpts::new(name, help).buckets(bounds.to_vec());
        let waiting = options("waiting_seconds", "Time of a file from being seen to being begun.", WAITING);
        let solving = options("solving_seconds", "Time that the puzzles of an answered file took.", SOLVING);
        let help = "Time of a file from being answered to being published, the syncs included.";
        let publishing = options("publishing_seconds", help, PUBLISHING);
        Self {
            waiting: Histogram::with_opts(waiting).expect(WELL_FORMED),
            solving: HistogramVec::new(solving, &["solver"]).expect(WELL_FORMED),
            publishing: Histogram::with_opts(publishing).expect(WELL_FORMED),
        }
    }
}

impl Timings {
    /// Records how long a job took.
    pub fn note(&self, record: &Record) {
        self.waiting.observe(record.waited_ms / 1e3);
        self.publishing.observe(record.publish_ms / 1e3);
        if let (Outcome::Answered, Some(solver)) = (record.outcome, &record.solver) {
            self.solving.with_label_values(&[solver]).observe(record.solve_ms / 1e3);
        }
    }
}

/// The prefix of every metric's name.
const PREFIX: &str = "tabuleiro";

/// Returns a snapshot and the timings in the text format of Prometheus, version 0.0.4.
///
/// # Errors
/// Fails if a metric is malformed, which never happens.
pub fn text(snapshot: &Snapshot, timings: &Timings) -> prometheus::Result<String> {
    let families = Families(Registry::new_custom(Some(PREFIX.to_owned()), None)?);
    families.add_process(snapshot)?;
    families.add_jobs(snapshot)?;
    families.add_intake(snapshot)?;
    families.add_disks(snapshot)?;
    if let Some(remote) = &snapshot.remote {
        families.add_remote(remote)?;
    }
    families.0.register(Box::new(timings.waiting.clone()))?;
    families.0.register(Box::new(timings.solving.clone()))?;
    families.0.register(Box::new(timings.publishing.clone()))?;
    TextEncoder::new().encode_to_string(&families.0.gather())
}

/// The metrics of one snapshot.
struct Families(Registry);

impl Families {
    fn add_process(&self, snapshot: &Snapshot) -> prometheus::Result<()> {
        let version = [([snapshot.service.version.as_str()], 1.0)];
        self.gauges("build_info", "The program's version; always 1.", ["version"], version)?;
        let started = seconds(&snapshot.service.started);
        self.gauge("start_time_seconds", "When the service was started, since 1970.", started)?;
        let lost = snapshot.log_lost.iter().map(|lost| ([lost.sink.as_str()], lost.lines));
        self.counters("log_lines_lost_total", "Lines of the log that were not written.", ["sink"], lost)?;
        let time = seconds(&snapshot.time);
        self.gauge("snapshot_time_seconds", "When these numbers were so, since 1970.", time)
    }

    fn add_jobs(&self, snapshot: &Snapshot) -> prometheus::Result<()> {
        let jobs = snapshot.routes.iter().flat_map(|route| {
            let name = route.name.as_str();
            let OutcomeCounts { answered, graded, rejected, .. } = route.since_start;
            [(["answered", name], answered), (["graded", name], graded), (["rejected", name], rejected)]
        });
        let help = "Files that ended with a result (answered), a grade (graded) or a report (rejected).";
        self.counters("jobs_total", help, ["outcome", "route"], jobs)?;
        let by_route = |name, help, count: fn(&OutcomeCounts) -> u64| {
            let samples = snapshot.routes.iter();
            let samples = samples.map(|route| ([route.name.as_str()], count(&route.since_start)));
            self.counters(name, help, ["route"], samples)
        };
        by_route("jobs_invalid_total", "Answered files with an invalid puzzle.", |counts| counts.invalid)?;
        let help = "Answered files with a puzzle that a limit ended.";
        by_route("jobs_undecided_total", help, |counts| counts.undecided)?;
        by_route("puzzles_total", "Puzzles in the files that were answered.", |counts| counts.puzzles)
    }

    fn add_intake(&self, snapshot: &Snapshot) -> prometheus::Result<()> {
        let Snapshot { queue, intake, .. } = snapshot;
        let help = "Tries that published nothing and are followed by another.";
        self.counter("tries_failed_total", help, queue.tries_failed)?;
        self.counter("put_back_total", "Files that went back into the inbox.", queue.put_back)?;
        self.gauge("in_hand", "Files taken and not ended.", queue.in_hand as f64)?;
        let help = "The most that may be in hand (intake.claims_max).";
        self.gauge("in_hand_max", help, queue.in_hand_max as f64)?;
        self.gauge("resting", "Files in hand that wait for another try.", queue.resting as f64)?;
        self.gauge("incomplete", "Files in the inbox that are not complete.", queue.incomplete as f64)?;
        let help = "Complete files that wait in the inbox: at least so many.";
        self.gauge("waiting_min", help, queue.waiting_min as f64)?;
        let help = "Whether nothing is taken because a disk is nearly full: 1 or 0.";
        self.gauge("paused", help, f64::from(u8::from(intake.paused.is_some())))?;
        let help = "Whether events are not relied on and the inbox is polled: 1 or 0.";
        self.gauge("polling", help, f64::from(u8::from(intake.backend == Backend::Polling)))?;
        self.gauge("watches", "Folders watched.", intake.watches as f64)?;
        let help = "Watches that the system allows each user, all programs together.";
        self.gauges("watches_max", help, [], intake.watches_max.map(|max| ([], max as f64)))?;
        let help = "Times that events were lost, each of which led to a listing.";
        self.counter("overflows_total", help, intake.overflows)?;
        self.counter("rescans_total", "Listings of the whole inbox that ended.", intake.rescans)?;
        let help = "When the last listing of the whole inbox ended, since 1970.";
        let last = intake.last_rescan.as_deref().map(|last| ([], seconds(last)));
        self.gauges("last_rescan_time_seconds", help, [], last)
    }

    fn add_disks(&self, snapshot: &Snapshot) -> prometheus::Result<()> {
        let disks = &snapshot.disks;
        let bytes = disks.iter().map(|disk| ([disk.folder.as_str()], disk.bytes_free as f64));
        let help = "Bytes left for the service on the file system of a folder.";
        self.gauges("disk_free_bytes", help, ["folder"], bytes)?;
        let files = disks.iter().filter_map(|disk| Some(([disk.folder.as_str()], disk.files_free? as f64)));
        let help = "Files that the file system of a folder has room for.";
        self.gauges("disk_free_files", help, ["folder"], files)
    }

    fn add_remote(&self, remote: &RemoteFacts) -> prometheus::Result<()> {
        let help = "Whether the broker is connected: 1 or 0.";
        self.gauge("remote_connected", help, f64::from(u8::from(remote.is_connected)))?;
        let same: Vec<_> = remote.workers.iter().filter(|worker| worker.is_same_build).collect();
        let others = remote.workers.len() - same.len();
        let by_build = [(["same"], same.len() as f64), (["other"], others as f64)];
        self.gauges("remote_workers", "Workers that are connected.", ["build"], by_build)?;
        let threads: u64 = same.iter().map(|worker| u64::from(worker.threads)).sum();
        let help = "Puzzles that workers of the same build solve at a time.";
        self.gauge("remote_threads", help, threads as f64)?;
        self.gauge("remote_batches_waiting", "Batches that no worker has begun.", remote.waiting as f64)?;
        self.gauge("remote_batches_in_flight", "Batches that a worker has begun.", remote.in_flight as f64)?;
        let counts = &remote.counts;
        self.counter("remote_batches_sent_total", "Batches sent.", counts.sent)?;
        let help = "Batches that were taken back, wholly or in part.";
        self.counter("remote_batches_returned_total", help, counts.returned)?;
        self.counter("remote_puzzles_total", "Puzzles that workers answered.", counts.solved)?;
        self.counter("remote_puzzles_poisoned_total", "Puzzles with which workers died.", counts.poisoned)?;
        self.counter("remote_reports_refused_total", "Reports that could not be read.", counts.refused)
    }

    fn counter(&self, name: &str, help: &str, value: u64) -> prometheus::Result<()> {
        self.counters(name, help, [], [([], value)])
    }

    fn gauge(&self, name: &str, help: &str, value: f64) -> prometheus::Result<()> {
        self.gauges(name, help, [], [([], value)])
    }

    /// Adds a counter with one value per combination of labels. A counter without values does not appear in the text.
    fn counters<'a, const N: usize>(
        &self,
        name: &str,
        help: &str,
        labels: [&str; N],
        samples: impl IntoIterator<Item = ([&'a str; N], u64)>,
    ) -> prometheus::Result<()> {
        let counters = IntCounterVec::new(Opts::new(name, help), &labels)?;
        for (values, value) in samples {
            counters.get_metric_with_label_values(&values)?.inc_by(value);
        }
        self.0.register(Box::new(counters))
    }

    /// Adds gauges as [`Self::counters`] adds counters.
    fn gauges<'a, const N: usize>(
        &self,
        name: &str,
        help: &str,
        labels: [&str; N],
        samples: impl IntoIterator<Item = ([&'a str; N], f64)>,
    ) -> prometheus::Result<()> {
        let gauges = GaugeVec::new(Opts::new(name, help), &labels)?;
        for (values, value) in samples {
            gauges.get_metric_with_label_values(&values)?.set(value);
        }
        self.0.register(Box::new(gauges))
    }
}

/// Converts a time stamp of a snapshot to seconds since 1970. An invalid stamp becomes 0.
fn seconds(stamp: &str) -> f64 {
    clock::parse_stamp(stamp).map_or(0.0, |time| time.unix_timestamp_nanos() as f64 / 1e9)
}
