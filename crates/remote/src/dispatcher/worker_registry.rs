//! The workers that send heartbeats.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use crate::protocol::{Heartbeat, WIRE};
use tabuleiro_jobs::WorkerFact;

/// A worker without a heartbeat for this long counts as gone. Workers send one every two seconds.
pub const GONE_AFTER: Duration = Duration::from_secs(7);
/// The most workers known at the same time; further ones are ignored and get no puzzles.
const WORKERS_MAX: usize = 2_000;

pub struct WorkerRegistry {
    build: String,
    workers: BTreeMap<u64, (Heartbeat, Instant)>,
    /// Threads of this build's workers, by the bytes that a puzzle may use there. Cached, because every scan of the
    /// lists reads it.
    capacity: BTreeMap<u64, usize>,
}

/// What a heartbeat changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// Nothing to log.
    None,
    Came(Heartbeat),
    /// A worker of another build, which gets no puzzles.
    CameOtherBuild(Heartbeat),
    /// A worker ended in order.
    Went(Heartbeat),
}

impl WorkerRegistry {
    pub fn new(build: &str) -> Self {
        Self { build: build.to_owned(), workers: BTreeMap::new(), capacity: BTreeMap::new() }
    }

    /// Records a heartbeat, and returns what it changed.
    pub fn hear(&mut self, heartbeat: Heartbeat, now: Instant) -> Change {
        let id = heartbeat.worker;
        if heartbeat.is_leaving {
            let went = self.workers.remove(&id).map_or(Change::None, |(before, _)| Change::Went(before));
            self.count_capacity();
            return went;
        }
        if self.workers.len() >= WORKERS_MAX && !self.workers.contains_key(&id) {
            return Change::None;
        }
        let known = self.workers.insert(id, (heartbeat.clone(), now));
        let grants = |worker: &Heartbeat| (worker.memory_bytes, worker.threads, worker.is_resting);
        if known.as_ref().is_none_or(|(before, _)| grants(before) != grants(&heartbeat)) {
            self.count_capacity();
        }
        match known {
            Some(_) => Change::None,
            None if self.is_ours(&heartbeat) => Change::Came(heartbeat),
            None => Change::CameOtherBuild(heartbeat),
        }
    }

    /// Removes the workers whose heartbeats have stopped, and returns them.
    pub fn gone(&mut self, now: Instant) -> Vec<Heartbeat> {
        let gone = |(_, heard): &(Heartbeat, Instant)| now.saturating_duration_since(*heard) >= GONE_AFTER;
        let ids: Vec<_> = self.workers.iter().filter(|(_, worker)| gone(worker)).map(|(id, _)| *id).collect();
        let gone: Vec<_> = ids.iter().filter_map(|id| self.workers.remove(id)).collect();
        if !gone.is_empty() {
            self.count_capacity();
        }
        gone.into_iter().map(|(heartbeat, _)| heartbeat).collect()
    }

    pub fn forget(&mut self) {
        self.workers.clear();
        self.capacity.clear();
    }

    /// Returns how many puzzles of up to `memory_bytes` bytes each can be solved at the same time.
    pub fn capacity(&self, memory_bytes: u64) -> usize {
        self.capacity.range(memory_bytes..).map(|(_, threads)| threads).sum()
    }

    fn count_capacity(&mut self) {
        let mut capacity = BTreeMap::new();
        for (worker, _) in self.workers.values() {
            if self.is_ours(worker) && !worker.is_resting {
                *capacity.entry(worker.memory_bytes).or_default() += worker.threads as usize;
            }
        }
        self.capacity = capacity;
    }

    fn is_ours(&self, worker: &Heartbeat) -> bool {
        worker.wire == WIRE && worker.build == self.build
    }

    /// Returns the workers as the status shows them.
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
    fn capacity_are_those_of_the_same_build_that_grant_the_memory() {
        let (mut registry, now) = (WorkerRegistry::new("ours"), Instant::now());
        let ours = heartbeat(1, "ours");
        assert_eq!(registry.hear(ours.clone(), now), Change::Came(ours.clone()));
        assert_eq!(registry.hear(ours.clone(), now), Change::None);
        let other = heartbeat(2, "theirs");
        assert_eq!(registry.hear(other.clone(), now), Change::CameOtherBuild(other));
        let wide = Heartbeat { memory_bytes: 1000, ..heartbeat(3, "ours") };
        registry.hear(wide.clone(), now);
        assert_eq!([registry.capacity(100), registry.capacity(101), registry.capacity(1001)], [8, 4, 0]);
        registry.hear(Heartbeat { is_resting: true, ..wide }, now);
        assert_eq!(registry.capacity(100), 4);
        let leaving = Heartbeat { is_leaving: true, ..ours.clone() };
        assert_eq!(registry.hear(leaving.clone(), now), Change::Went(ours));
        assert_eq!(registry.hear(leaving, now), Change::None);
        assert_eq!(registry.capacity(1), 0);
    }

    #[test]
    fn who_is_not_heard_is_gone() {
        let (mut registry, now) = (WorkerRegistry::new("ours"), Instant::now());
        registry.hear(heartbeat(1, "ours"), now);
        registry.hear(heartbeat(2, "ours"), now + GONE_AFTER / 2);
        assert!(registry.gone(now + GONE_AFTER / 2).is_empty());
        assert_eq!(registry.gone(now + GONE_AFTER), [heartbeat(1, "ours")]);
        assert_eq!(registry.facts(now + GONE_AFTER)[0].heard_s, 3);
        assert_eq!(registry.capacity(0), 4);
    }

    #[test]
    fn the_number_of_workers_is_bounded() {
        let (mut registry, now) = (WorkerRegistry::new("ours"), Instant::now());
        for worker in 0..WORKERS_MAX as u64 + 10 {
            registry.hear(heartbeat(worker, "ours"), now);
        }
        assert_eq!(registry.facts(now).len(), WORKERS_MAX);
    }
}
