//! The metrics of one moment: a registry is filled from what the loop handed over, and written as text.

use prometheus::{GaugeVec, IntCounterVec, Opts, Registry, TextEncoder};

use crate::daemon::base::clock;
use crate::daemon::base::job_tally::Counts;
use crate::daemon::inspect::metrics::Timings;
use crate::daemon::inspect::snapshot::{Backend, Snapshot};
use tabuleiro_jobs::RemoteFacts;

/// Begins the name of every metric.
const PREFIX: &str = "tabuleiro";

/// Returns how the service is and how long jobs took, in the text format of Prometheus, version 0.0.4.
///
/// # Errors
/// When a metric is described wrongly, which none is.
pub fn text(snapshot: &Snapshot, timings: &Timings) -> prometheus::Result<String> {
    let families = Families(Registry::new_custom(Some(PREFIX.to_owned()), None)?);
    families.add_process(snapshot)?;
    families.add_jobs(snapshot)?;
    families.add_intake(snapshot)?;
    families.add_disks(snapshot)?;
    if let Some(remote) = &snapshot.remote {
        families.add_remote(remote)?;
    }
    timings.register(&families.0)?;
    TextEncoder::new().encode_to_string(&families.0.gather())
}

/// The metrics of one moment.
struct Families(Registry);

impl Families {
    fn add_process(&self, snapshot: &Snapshot) -> prometheus::Result<()> {
        let version = [([snapshot.service.version.as_str()], 1.0)];
        self.gauges("build_info", "The program's version; always 1.", ["version"], version)?;
        let started = seconds(&snapshot.service.started);
        self.gauge("start_time_seconds", "When the service was started, since 1970.", started)?;
        let lost = snapshot.log_lost.iter().map(|lost| ([lost.sink.as_str()], lost.lines));
        self.counters("log_lines_lost_total", "Lines of the log that nobody took.", ["sink"], lost)?;
        let time = seconds(&snapshot.time);
        self.gauge("snapshot_time_seconds", "When these numbers were so, since 1970.", time)
    }

    fn add_jobs(&self, snapshot: &Snapshot) -> prometheus::Result<()> {
        let jobs = snapshot.routes.iter().flat_map(|route| {
            let name = route.name.as_str();
            let Counts { answered, graded, rejected, .. } = route.since_start;
            [(["answered", name], answered), (["graded", name], graded), (["rejected", name], rejected)]
        });
        let help = "Files that ended with a result (answered), a grade (graded) or a report (rejected).";
        self.counters("jobs_total", help, ["outcome", "route"], jobs)?;
        let by_route = |name, help, count: fn(&Counts) -> u64| {
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
        let workers =
            |is_same: bool| remote.workers.iter().filter(move |worker| worker.is_same_build == is_same);
        let by_build = [(["same"], workers(true).count() as f64), (["other"], workers(false).count() as f64)];
        self.gauges("remote_workers", "Workers that are there.", ["build"], by_build)?;
        let threads: u64 = workers(true).map(|worker| u64::from(worker.threads)).sum();
        let help = "Puzzles that workers of the same build solve at a time.";
        self.gauge("remote_threads", help, threads as f64)?;
        self.gauge("remote_parcels_waiting", "Parcels that no worker has begun.", remote.waiting as f64)?;
        self.gauge("remote_parcels_in_flight", "Parcels that a worker has.", remote.in_flight as f64)?;
        self.counter("remote_parcels_sent_total", "Parcels sent.", remote.sent)?;
        let help = "Parcels that were taken back, wholly or in part.";
        self.counter("remote_parcels_returned_total", help, remote.returned)?;
        self.counter("remote_puzzles_total", "Puzzles that workers answered.", remote.solved)?;
        self.counter("remote_puzzles_poisoned_total", "Puzzles with which workers died.", remote.poisoned)?;
        self.counter("remote_reports_refused_total", "Reports that could not be read.", remote.refused)
    }

    fn counter(&self, name: &str, help: &str, value: u64) -> prometheus::Result<()> {
        self.counters(name, help, [], [([], value)])
    }

    fn gauge(&self, name: &str, help: &str, value: f64) -> prometheus::Result<()> {
        self.gauges(name, help, [], [([], value)])
    }

    /// Adds a value for each combination of labels; without any value there is no such metric in the text.
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

    /// As [`Self::counters`].
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

/// Seconds since 1970 of a time as snapshots have it.
fn seconds(stamp: &str) -> f64 {
    clock::parse_stamp(stamp).map_or(0.0, |time| time.unix_timestamp_nanos() as f64 / 1e9)
}
