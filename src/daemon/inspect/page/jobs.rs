//! The jobs that ended last: those since the start, and before them what the history tells.

use std::collections::{BTreeSet, VecDeque};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::daemon::records::history;
use crate::daemon::records::history::{Outcome, Query, Record};

/// Jobs on the page.
const JOBS_MAX: usize = 100;
/// Read of the history at the start, its end.
const HISTORY_BYTES_MAX: u64 = 4 << 20;

/// The jobs that everybody may know of.
#[derive(Debug, Default)]
pub struct LastJobs(Mutex<Jobs>);

#[derive(Debug, Default)]
struct Jobs {
    /// The newest first.
    jobs: VecDeque<Job>,
    /// The history was read.
    is_loaded: bool,
}

/// A job that ended.
#[derive(Debug, Clone)]
pub struct Job {
    /// What became of it.
    pub record: Record,
    /// A later job has the name of one of its outputs.
    pub is_replaced: bool,
}

impl LastJobs {
    /// A job ended.
    pub fn note(&self, record: Record) {
        self.lock().add(record);
    }

    /// Reads the history, the first time. One that cannot be read is told of by who writes it.
    pub fn load(&self, folder: &Path) {
        if self.lock().is_loaded {
            return;
        }
        let query = Query { bytes_max: Some(HISTORY_BYTES_MAX), ..Query::default() };
        let found = history::find(folder, query, |_| true).unwrap_or_default().records;
        let ids: BTreeSet<_> = found.iter().map(|record| record.id.clone()).collect();
        let mut all = Jobs { is_loaded: true, ..Jobs::default() };
        for record in found {
            all.add(record);
        }
        // The loop, which notes jobs, does not wait for more than this.
        let mut known = self.lock();
        let noted = std::mem::take(&mut known.jobs).into_iter().rev().map(|job| job.record);
        for record in noted.filter(|record| !ids.contains(&record.id)) {
            all.add(record);
        }
        *known = all;
    }

    /// The jobs, the newest first.
    #[must_use]
    pub fn newest_first(&self) -> Vec<Job> {
        self.lock().jobs.iter().cloned().collect()
    }

    fn lock(&self) -> MutexGuard<'_, Jobs> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Jobs {
    fn add(&mut self, record: Record) {
        for job in &mut self.jobs {
            job.is_replaced |= job.record.outputs().any(|old| record.outputs().any(|new| new == old));
        }
        if !record.is_private && record.outcome != Outcome::Graded {
            self.jobs.push_front(Job { record, is_replaced: false });
            self.jobs.truncate(JOBS_MAX);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(id: usize, output: &str) -> Record {
        let output = Some(Path::new(output).into());
        Record { id: id.to_string(), output, beside: vec![Path::new("a.json").into()], ..Record::default() }
    }

    fn told(jobs: &LastJobs) -> Vec<(String, bool)> {
        jobs.newest_first().into_iter().map(|job| (job.record.id, job.is_replaced)).collect()
    }

    #[test]
    fn what_a_later_job_replaced_is_known_though_nobody_may_know_of_that_job() {
        let jobs = LastJobs::default();
        jobs.note(Record { beside: Vec::new(), ..record(1, "x.txt") });
        jobs.note(record(2, "a.txt"));
        jobs.note(Record { is_private: true, ..record(3, "b.txt") });
        jobs.note(Record { outcome: Outcome::Graded, ..record(4, "c.txt") });
        assert_eq!(told(&jobs), [("2".to_owned(), true), ("1".to_owned(), false)]);
        for id in 5..200 {
            jobs.note(record(id, "a.txt"));
        }
        let told = told(&jobs);
        assert_eq!(
            (told.len(), &told[0], &told[1]),
            (JOBS_MAX, &("199".into(), false), &("198".into(), true))
        );
    }

    #[test]
    fn the_history_comes_before_what_was_noted_and_counts_once() {
        let folder = tempfile::tempdir().unwrap();
        let line = |id: usize| serde_json::to_string(&record(id, &format!("{id}.txt"))).unwrap() + "\n";
        std::fs::write(folder.path().join("2026-11-21.jsonl"), line(1) + &line(2)).unwrap();
        let jobs = LastJobs::default();
        jobs.note(record(2, "2.txt"));
        jobs.note(record(3, "3.txt"));
        for _ in 0..2 {
            jobs.load(folder.path());
            let ids: Vec<_> = told(&jobs).into_iter().map(|(id, _)| id).collect();
            assert_eq!(ids, ["3", "2", "1"]);
        }
    }
}
