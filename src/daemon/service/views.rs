//! How the service is now, as its loop knows it.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use crate::daemon::answering::schedule::ClaimState;
use crate::daemon::base::clock::{now, stamp, wall};
use crate::daemon::base::job_id;
use crate::daemon::base::job_tally::NO_ROUTE;
use crate::daemon::base::json_path::JsonPath;
use crate::daemon::inspect::page::Facts;
use crate::daemon::inspect::snapshot::{
    Backend, Disk, Intake, LogLost, Process, Queue, Route, Snapshot, State,
};
use crate::daemon::inspect::why::Live;
use crate::daemon::intake;
use crate::daemon::service::dispatcher::Dispatcher;
use crate::daemon::service::loop_state::{Phase, Service};
use tabuleiro_jobs::archive::is_zip;

/// Files in hand that the page names.
const NAMED_MAX: usize = 20;

impl Service {
    /// Returns how everything is now, as far as the loop knows; what the intake says of itself was asked for before.
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
            started: stamp(self.started),
            inbox: folders.inbox.display().to_string(),
            outbox: folders.outbox.display().to_string(),
        };
        Snapshot {
            time: stamp(now()),
            service: process,
            intake: self.intake(),
            queue: self.queue(),
            jobs: self.answerer.progress.jobs(),
            since_start: self.since_start.total,
            routes: self.routes(),
            disks: self.disks(),
            history_lost: self.history.lost(),
            remote: self.dispatcher.as_ref().map(Dispatcher::facts),
            page: self.servers.page.as_ref().and_then(|page| page.trouble()),
            log_lost: self
                .settings
                .log
                .lost()
                .map(|(sink, lines)| LogLost { sink: sink.to_owned(), lines })
                .collect(),
        }
    }

    /// Returns what everybody may know, for the page.
    pub(super) fn facts(&self) -> Facts {
        let snapshot = self.snapshot();
        let mut facts = Facts {
            snapshot,
            config: Arc::clone(&self.config),
            in_hand: Vec::new(),
            denied: Vec::new(),
            other_mounts: Vec::new(),
        };
        if !facts.has_names() {
            return facts;
        }
        let shown = |path: &Path| JsonPath::from(path).printable();
        let begun = facts.snapshot.jobs.iter().filter_map(|progress| {
            let job = self.jobs.get(&progress.id)?;
            Some((job, Some(progress.clone())))
        });
        let waits = |id: &str| facts.snapshot.jobs.iter().all(|progress| progress.id != id);
        let others = self.jobs.iter().filter(|(id, _)| waits(id)).map(|(_, job)| (job, None));
        let public = begun.chain(others).filter(|(job, _)| !job.is_private && !self.is_private(&job.origin));
        facts.in_hand =
            public.map(|(job, progress)| (shown(&job.origin), progress)).take(NAMED_MAX).collect();
        let denied = self.intake.details.denied.iter().filter(|(below, _)| !self.is_private(below));
        facts.denied = denied.map(|(below, _)| shown(below)).collect();
        facts.other_mounts = self.intake.status.other_mounts.iter().map(|folder| shown(folder)).collect();
        facts
    }

    /// Returns whether nobody is to be told the name of that file: its route grades, or its members' may.
    pub(super) fn is_private(&self, file: &Path) -> bool {
        let grades = || self.config.routes().iter().any(|route| route.grade.is_some());
        self.config.is_private(self.config.route(file).map(|route| &**route)) || is_zip(file) && grades()
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
            denied: self.intake.details.denied.iter().map(|(_, why)| why.clone()).collect(),
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
            put_back: self.put_back,
            tries_failed: self.tries_failed,
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
        for (route, counts) in &self.since_start.by_route {
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

    /// Returns what the loop knows of a file.
    pub(super) fn live(&self, file: &Path) -> Live {
        let ids = self.jobs.iter().filter(|(_, job)| job.origin == file).map(|(id, _)| id);
        let words = |id: &String| format!("in hand since {}: {}", job_id::second_of(id), self.step(id));
        let (config, details) = (&self.config.intake, &self.intake.details);
        let route = self.config.route(file).map_or("", |route| &route.name);
        let interval = match self.intake.status.trouble {
            Some(_) => config.poll_interval.min(config.rescan_interval),
            None => config.rescan_interval,
        };
        Live {
            in_hand: ids.map(words).collect(),
            paused: self.intake.status.shortage.clone(),
            listed_every: format!(
                "which is made every {} at the latest",
                humantime::format_duration(interval)
            ),
            is_full: self.schedule.len() >= self.claims_max || details.full.contains(route),
            is_full_of_long: details.full_of_long.contains(route),
            is_stopping: self.is_stopping(),
        }
    }

    /// Returns what is done with a job in hand, or what it waits for.
    fn step(&self, id: &str) -> String {
        match self.schedule.state(id) {
            Some(ClaimState::Retrying(due)) => {
                let left = due.saturating_duration_since(Instant::now()).as_secs();
                format!(
                    "its result could not be published, which the log explains; it is tried again in {left} s"
                )
            }
            _ if self.quarantine.is_waiting(id) => {
                "it waits until the files that were being answered when the service died are answered, one by one"
                    .to_owned()
            }
            Some(ClaimState::Queued) => "it waits for an older file that makes the same result".to_owned(),
            Some(ClaimState::Dispatched | ClaimState::Left) | None => self.threads.step(id).to_owned(),
        }
    }
}
