//! The workers that are there, by their heartbeats.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use tabuleiro_jobs::WorkerFact;

use crate::protocol::{Build, Heartbeat, WIRE};

/// Who was not heard for so long is gone. Workers tell of themselves every two seconds.
pub const GONE_AFTER: Duration = Duration::from_secs(7);
/// Workers that are known at a time; further ones are not noted, and get nothing from here.
const WORKERS_MAX: usize = 2_000;

/// The workers that are there.
#[derive(Debug)]
pub struct Crew {
    build: String,
    workers: BTreeMap<u64, (Heartbeat, Instant)>,
    /// Puzzles that they solve at a time, by the bytes that they let one use. It is asked for at each look at the lists.
    seats: BTreeMap<u64, usize>,
}

/// What a heartbeat changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// Nothing that is worth a line.
    None,
    /// A worker came.
    Came(Heartbeat),
    /// One of another build came, which gets nothing.
    CameOtherBuild(Heartbeat),
    /// One went, in order or because it is not heard any more.
    Went(Heartbeat),
}

impl Crew {
    /// Nobody is there yet for the program `build`.
    #[must_use]
    pub fn new(build: &Build) -> Self {
        Self { build: build.to_string(), workers: BTreeMap::new(), seats: BTreeMap::new() }
    }

    /// A heartbeat came.
    pub fn hear(&mut self, heartbeat: Heartbeat, now: Instant) -> Change {
        let id = heartbeat.worker;
        if heartbeat.is_leaving {
            let went = self.workers.remove(&id).map_or(Change::None, |(before, _)| Change::Went(before));
            self.count_seats();
            return went;
        }
        if self.workers.len() >= WORKERS_MAX && !self.workers.contains_key(&id) {
            return Change::None;
        }
        let known = self.workers.insert(id, (heartbeat.clone(), now));
        let grants = |worker: &Heartbeat| (worker.memory_bytes, worker.threads, worker.is_resting);
        if known.as_ref().is_none_or(|(before, _)| grants(before) != grants(&heartbeat)) {
            self.count_seats();
        }
        match known {
            Some(_) => Change::None,
            None if self.is_ours(&heartbeat) => Change::Came(heartbeat),
            None => Change::CameOtherBuild(heartbeat),
        }
    }

    /// Those that are not heard any more.
    pub fn gone(&mut self, now: Instant) -> Vec<Heartbeat> {
        let gone = |(_, heard): &(Heartbeat, Instant)| now.saturating_duration_since(*heard) >= GONE_AFTER;
        let ids: Vec<_> = self.workers.iter().filter(|(_, worker)| gone(worker)).map(|(id, _)| *id).collect();
        let gone: Vec<_> = ids.iter().filter_map(|id| self.workers.remove(id)).collect();
        if !gone.is_empty() {
            self.count_seats();
        }
        gone.into_iter().map(|(heartbeat, _)| heartbeat).collect()
    }

    /// The broker is gone, and with it everybody.
    pub fn forget(&mut self) {
        self.workers.clear();
        self.seats.clear();
    }

    /// Puzzles that are solved at a time by those that let one use so many bytes.
    #[must_use]
    pub fn seats(&self, memory_bytes: u64) -> usize {
        self.seats.range(memory_bytes..).map(|(_, threads)| threads).sum()
    }

    fn count_seats(&mut self) {
        let mut seats = BTreeMap::new();
        for (worker, _) in self.workers.values() {
            if self.is_ours(worker) && !worker.is_resting {
                *seats.entry(worker.memory_bytes).or_default() += worker.threads as usize;
            }
        }
        self.seats = seats;
    }

    fn is_ours(&self, worker: &Heartbeat) -> bool {
        worker.wire == WIRE && worker.build == self.build
    }

    /// As the status tells of them.
    #[must_use]
    pub fn facts(&self, now: Instant) -> Vec<WorkerFact> {
        let fact = |(worker, heard): &(Heartbeat, Instant)| WorkerFact {
            name: worker.name.clone(),
            version: worker.version.clone(),
            build: worker.build.clone(),
            is_same_build: self.is_ours(worker),
            threads: worker.threads,
            busy: worker.busy,
            solved: worker.solved,
            is_resting: worker.is_resting,
            heard_s: now.saturating_duration_since(*heard).as_secs(),
        };
        let mut facts: Vec<_> = self.workers.values().map(fact).collect();
        facts.sort_by(|a, b| a.name.cmp(&b.name));
        facts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heartbeat(worker: u64, build: &str) -> Heartbeat {
        Heartbeat {
            worker,
            name: format!("lab/{worker}"),
            version: "1".to_owned(),
            build: build.to_owned(),
            wire: WIRE,
            threads: 4,
            busy: 0,
            solved: 0,
            memory_bytes: 100,
            is_resting: false,
            is_leaving: false,
        }
    }

    #[test]
    fn seats_are_those_of_the_same_build_that_grant_the_memory() {
        let (mut crew, now) = (Crew::new(&Build::named("ours")), Instant::now());
        let ours = heartbeat(1, "ours");
        assert_eq!(crew.hear(ours.clone(), now), Change::Came(ours.clone()));
        assert_eq!(crew.hear(ours.clone(), now), Change::None);
        let other = heartbeat(2, "theirs");
        assert_eq!(crew.hear(other.clone(), now), Change::CameOtherBuild(other));
        let wide = Heartbeat { memory_bytes: 1000, ..heartbeat(3, "ours") };
        crew.hear(wide.clone(), now);
        assert_eq!([crew.seats(100), crew.seats(101), crew.seats(1001)], [8, 4, 0]);
        crew.hear(Heartbeat { is_resting: true, ..wide }, now);
        assert_eq!(crew.seats(100), 4);
        let leaving = Heartbeat { is_leaving: true, ..ours.clone() };
        assert_eq!(crew.hear(leaving.clone(), now), Change::Went(ours));
        assert_eq!(crew.hear(leaving, now), Change::None);
        assert_eq!(crew.seats(1), 0);
    }

    #[test]
    fn who_is_not_heard_is_gone() {
        let (mut crew, now) = (Crew::new(&Build::named("ours")), Instant::now());
        crew.hear(heartbeat(1, "ours"), now);
        crew.hear(heartbeat(2, "ours"), now + GONE_AFTER / 2);
        assert!(crew.gone(now + GONE_AFTER / 2).is_empty());
        assert_eq!(crew.gone(now + GONE_AFTER), [heartbeat(1, "ours")]);
        assert_eq!(crew.facts(now + GONE_AFTER)[0].heard_s, 3);
        assert_eq!(crew.seats(0), 4);
    }

    #[test]
    fn the_number_of_workers_is_bounded() {
        let (mut crew, now) = (Crew::new(&Build::named("ours")), Instant::now());
        for worker in 0..WORKERS_MAX as u64 + 10 {
            crew.hear(heartbeat(worker, "ours"), now);
        }
        assert_eq!(crew.facts(now).len(), WORKERS_MAX);
    }
}
