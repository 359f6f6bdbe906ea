//! The service in numbers, for Prometheus: over HTTP, and as a file for the textfile collector of the node exporter.
//!
//! Everything is made from a [`Snapshot`] and the [`Timings`], which the loop hands over as they are; nothing here can
//! change them. Both ways have the text format 0.0.4, the one that the collector reads.
//! [docs/metrics.md](../../../docs/metrics.md) describes each metric, held true by a test.

mod exposition;
mod server;
pub mod textfile;
mod timings;

pub use server::Server;
pub use timings::Timings;

use exposition::{Exposition, Kind};

use crate::daemon::base::clock;
use crate::daemon::inspect::snapshot::{Backend, Queue, Route, Snapshot};

/// All that metrics are made from.
#[derive(Debug)]
pub struct Measured {
    /// How the service is.
    pub snapshot: Snapshot,
    /// How long jobs took.
    pub timings: Timings,
}

impl Measured {
    /// All metrics in the text format of Prometheus, version 0.0.4.
    #[must_use]
    pub fn text(&self) -> String {
        let Self { snapshot, timings } = self;
        let mut out = Exposition::default();
        write_process(snapshot, &mut out);
        write_jobs(snapshot, &mut out);
        write_queue(&snapshot.queue, &mut out);
        write_intake(snapshot, &mut out);
        write_disks(snapshot, &mut out);
        timings.write(&mut out);
        out.finish()
    }
}

fn write_process(snapshot: &Snapshot, out: &mut Exposition) {
    out.family("build_info", Kind::Gauge, "The program's version; always 1.");
    out.sample(&[("version", &snapshot.service.version)], 1.0);
    out.one(
        "start_time_seconds",
        Kind::Gauge,
        "When the service was started, since 1970.",
        seconds(&snapshot.service.started),
    );
    out.one(
        "snapshot_time_seconds",
        Kind::Gauge,
        "When these numbers were so, since 1970.",
        seconds(&snapshot.time),
    );
}

fn write_jobs(snapshot: &Snapshot, out: &mut Exposition) {
    let routes = &snapshot.routes;
    out.family(
        "jobs_total",
        Kind::Counter,
        "Files that ended with a result (answered) or a report (rejected).",
    );
    for Route { name, since_start, .. } in routes {
        out.sample(&[("route", name), ("outcome", "answered")], since_start.answered as f64);
        out.sample(&[("route", name), ("outcome", "rejected")], since_start.rejected as f64);
    }
    let mut by_route = |name, help, count: fn(&Route) -> u64| {
        out.family(name, Kind::Counter, help);
        for route in routes {
            out.sample(&[("route", &route.name)], count(route) as f64);
        }
    };
    by_route("jobs_invalid_total", "Answered files with an invalid puzzle.", |route| {
        route.since_start.invalid
    });
    by_route("jobs_undecided_total", "Answered files with a puzzle that a limit ended.", |route| {
        route.since_start.undecided
    });
    by_route("puzzles_total", "Puzzles in the files that were answered.", |route| route.since_start.puzzles);
    let Queue { put_back, tries_failed, .. } = snapshot.queue;
    out.one("put_back_total", Kind::Counter, "Files that went back into the inbox.", put_back as f64);
    let help = "Tries that published nothing and are followed by another.";
    out.one("tries_failed_total", Kind::Counter, help, tries_failed as f64);
}

fn write_queue(queue: &Queue, out: &mut Exposition) {
    let mut gauge = |name, help, value: u64| out.one(name, Kind::Gauge, help, value as f64);
    gauge("in_hand", "Files taken and not ended.", queue.in_hand);
    gauge("in_hand_max", "The most that may be in hand (intake.claims_max).", queue.in_hand_max);
    gauge("resting", "Files in hand that wait for another try.", queue.resting);
    gauge("incomplete", "Files in the inbox that are not complete.", queue.incomplete);
    gauge("waiting_min", "Complete files that wait in the inbox: at least so many.", queue.waiting_min);
}

fn write_intake(snapshot: &Snapshot, out: &mut Exposition) {
    let intake = &snapshot.intake;
    let paused = f64::from(u8::from(intake.paused.is_some()));
    out.one("paused", Kind::Gauge, "Whether nothing is taken because a disk is nearly full: 1 or 0.", paused);
    let polling = f64::from(u8::from(intake.backend == Backend::Polling));
    out.one(
        "polling",
        Kind::Gauge,
        "Whether events are not relied on and the inbox is polled: 1 or 0.",
        polling,
    );
    out.one("watches", Kind::Gauge, "Folders watched.", intake.watches as f64);
    if let Some(watches_max) = intake.watches_max {
        let help = "Watches that the system allows each user, all programs together.";
        out.one("watches_max", Kind::Gauge, help, watches_max as f64);
    }
    let help = "Times that events were lost, each of which led to a listing.";
    out.one("overflows_total", Kind::Counter, help, intake.overflows as f64);
    out.one("rescans_total", Kind::Counter, "Listings of the whole inbox that ended.", intake.rescans as f64);
    if let Some(last) = &intake.last_rescan {
        let help = "When the last listing of the whole inbox ended, since 1970.";
        out.one("last_rescan_time_seconds", Kind::Gauge, help, seconds(last));
    }
}

fn write_disks(snapshot: &Snapshot, out: &mut Exposition) {
    out.family("disk_free_bytes", Kind::Gauge, "Bytes left for the service on the file system of a folder.");
    for disk in &snapshot.disks {
        out.sample(&[("folder", &disk.folder)], disk.bytes_free as f64);
    }
    // Some file systems do not count them.
    let counted: Vec<_> = snapshot.disks.iter().filter_map(|disk| Some((disk, disk.files_free?))).collect();
    if !counted.is_empty() {
        let help = "Files that the file system of a folder has room for.";
        out.family("disk_free_files", Kind::Gauge, help);
    }
    for (disk, files) in counted {
        out.sample(&[("folder", &disk.folder)], files as f64);
    }
}

/// Seconds since 1970 of a time as snapshots have it.
fn seconds(stamp: &str) -> f64 {
    clock::parse_stamp(stamp).map_or(0.0, |time| time.unix_timestamp_nanos() as f64 / 1e9)
}
