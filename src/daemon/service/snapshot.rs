//! How the service is now, as its loop knows it.

use std::collections::BTreeMap;
use std::time::Instant;

use crate::daemon::base::clock::{now, stamp, wall};
use crate::daemon::base::tally::NO_ROUTE;
use crate::daemon::inspect::snapshot::{Backend, Disk, Intake, Process, Queue, Route, Snapshot, State, line};
use crate::daemon::intake;
use crate::daemon::service::state::{Phase, Service};

impl Service {
    /// The line that systemd shows, now. What routes do is none of it.
    pub(super) fn line(&self) -> String {
        line(&self.intake(), &self.queue(), &self.facts.since_start.total, &self.answerer.progress.jobs())
    }

    /// How everything is now, as far as the loop knows; what the intake says of itself was asked for before.
    pub(super) fn snapshot(&self) -> Snapshot {
        let folders = &self.settings.folders;
        let process = Process {
            state: match self.phase {
                Phase::Starting => State::Starting,
                Phase::Running => State::Running,
                Phase::Stopping { .. } | Phase::Cancelled => State::Stopping,
            },
            version: env!("CARGO_PKG_VERSION").to_owned(),
            pid: std::process::id(),
            started: stamp(self.facts.started),
            inbox: folders.inbox.display().to_string(),
            outbox: folders.outbox.display().to_string(),
        };
        Snapshot {
            time: stamp(now()),
            service: process,
            intake: self.intake(),
            queue: self.queue(),
            jobs: self.answerer.progress.jobs(),
            since_start: self.facts.since_start.total,
            routes: self.routes(),
            disks: self.disks(),
            history_lost: self.history.lost(),
        }
    }

    fn intake(&self) -> Intake {
        let (status, folders) = (&self.intake.status, &self.settings.folders);
        let told = |instant: Option<Instant>| instant.map(|instant| stamp(wall(instant)));
        let shown = |folder: &std::path::Path| folders.inbox.join(folder).display().to_string();
        Intake {
            as_of: stamp(wall(self.intake.told)),
            backend: if status.trouble.is_some() { Backend::Polling } else { Backend::Events },
            reason: status.trouble.clone(),
            paused: status.shortage.clone(),
            other_mounts: status.other_mounts.iter().map(|folder| shown(folder)).collect(),
            watches: status.watches as u64,
            watches_max: self.intake.details.watches_max,
            rescans: status.rescans,
            last_rescan: told(status.last_rescan),
            overflows: status.overflows,
            last_overflow: told(status.last_overflow),
        }
    }

    fn queue(&self) -> Queue {
        let details = &self.intake.details;
        Queue {
            in_hand: self.schedule.len() as u64,
            in_hand_max: self.claims_max as u64,
            resting: self.schedule.retrying() as u64,
            incomplete: self.intake.status.incomplete as u64,
            waiting_min: details.left_behind.values().sum(),
            may_be_more: details.is_listing_held,
            put_back: self.facts.put_back,
            tries_failed: self.facts.tries_failed,
        }
    }

    /// By name. What the intake tells has the empty name for files without a route.
    fn routes(&self) -> Vec<Route> {
        let mut routes: BTreeMap<String, Route> = BTreeMap::new();
        let name = |route: &str| if route.is_empty() { NO_ROUTE.to_owned() } else { route.to_owned() };
        for job in self.jobs.values() {
            routes.entry(job.route.clone()).or_default().in_hand += 1;
        }
        let intake::Details { incomplete, left_behind, .. } = &self.intake.details;
        for (route, count) in incomplete {
            routes.entry(name(route)).or_default().incomplete = *count;
        }
        for (route, count) in left_behind {
            routes.entry(name(route)).or_default().waiting_min = *count;
        }
        for (route, counts) in &self.facts.since_start.by_route {
            routes.entry(route.clone()).or_default().since_start = *counts;
        }
        routes.into_iter().map(|(name, route)| Route { name, ..route }).collect()
    }

    fn disks(&self) -> Vec<Disk> {
        let disk = |(folder, room): &(std::path::PathBuf, crate::daemon::fs::os::Room)| Disk {
            folder: folder.display().to_string(),
            bytes_free: room.bytes,
            files_free: room.files,
        };
        self.intake.details.rooms.iter().map(disk).collect()
    }
}
