//! How long jobs took: histograms of waiting, solving and publishing.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::daemon::answering::prepared::Made;
use crate::daemon::inspect::metrics::exposition::{Exposition, Kind};
use crate::daemon::publishing::publisher::{End, Published};

/// Upper bounds in seconds: from a file that is taken at once to one that waits for hours.
const WAITING: &[f64] = &[0.001, 0.01, 0.1, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0, 1800.0, 7200.0];
/// From a board that takes no time to the time that a file may take by default.
const SOLVING: &[f64] = &[0.0001, 0.001, 0.01, 0.1, 0.5, 1.0, 5.0, 10.0, 60.0, 300.0, 3600.0];
/// From a file system in memory to a disk that is hardly there.
const PUBLISHING: &[f64] = &[0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 30.0];

/// How long the jobs that published something took, since the start.
#[derive(Debug, Clone)]
pub struct Timings {
    waiting: Histogram,
    /// By solver, of which there are a few.
    solving: BTreeMap<&'static str, Histogram>,
    publishing: Histogram,
}

/// How many observations were at most as large as each bound, but larger than the one before.
#[derive(Debug, Clone)]
struct Histogram {
    bounds: &'static [f64],
    counts: Vec<u64>,
    count: u64,
    sum: Duration,
}

impl Default for Timings {
    fn default() -> Self {
        let (waiting, publishing) = (Histogram::new(WAITING), Histogram::new(PUBLISHING));
        Self { waiting, solving: BTreeMap::new(), publishing }
    }
}

impl Timings {
    /// Notes how long a job took, if it published anything.
    pub fn note(&mut self, published: &Published) {
        let Published { prepared, end: End::Published(_), took, .. } = published else { return };
        self.waiting.note(prepared.waited);
        self.publishing.note(*took);
        if let Made::Results { solver, summary, .. } = &prepared.made {
            self.solving.entry(solver).or_insert_with(|| Histogram::new(SOLVING)).note(summary.solve);
        }
    }

    /// Writes them.
    pub(super) fn write(&self, out: &mut Exposition) {
        out.family("waiting_seconds", Kind::Histogram, "Time of a file from being seen to being begun.");
        self.waiting.write(&[], out);
        out.family("solving_seconds", Kind::Histogram, "Time that the puzzles of an answered file took.");
        for (solver, histogram) in &self.solving {
            histogram.write(&[("solver", solver)], out);
        }
        out.family(
            "publishing_seconds",
            Kind::Histogram,
            "Time of a file from being answered to being published, the syncs included.",
        );
        self.publishing.write(&[], out);
    }
}

impl Histogram {
    fn new(bounds: &'static [f64]) -> Self {
        Self { bounds, counts: vec![0; bounds.len()], count: 0, sum: Duration::ZERO }
    }

    fn note(&mut self, took: Duration) {
        let seconds = took.as_secs_f64();
        if let Some(index) = self.bounds.iter().position(|bound| seconds <= *bound) {
            self.counts[index] += 1;
        }
        self.count += 1;
        self.sum = self.sum.saturating_add(took);
    }

    fn write(&self, labels: &[(&str, &str)], out: &mut Exposition) {
        let mut below = 0;
        let buckets: Vec<_> = self
            .bounds
            .iter()
            .zip(&self.counts)
            .map(|(bound, count)| {
                below += count;
                (*bound, below)
            })
            .collect();
        out.histogram(labels, &buckets, self.count, self.sum.as_secs_f64());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_observation_counts_in_every_bucket_that_holds_it() {
        let mut histogram = Histogram::new(&[0.5, 1.0, 2.0]);
        for millis in [500, 501, 1500, 9000] {
            histogram.note(Duration::from_millis(millis));
        }
        let mut out = Exposition::default();
        out.family("x", Kind::Histogram, "X.");
        histogram.write(&[], &mut out);
        let text = out.finish();
        let values: Vec<_> = text.lines().skip(2).map(|line| line.rsplit_once(' ').unwrap().1).collect();
        assert_eq!(values, ["1", "2", "3", "4", "11.501", "4"]);
    }

    #[test]
    fn bounds_rise() {
        for bounds in [WAITING, SOLVING, PUBLISHING] {
            assert!(bounds.windows(2).all(|pair| pair[0] < pair[1]));
        }
    }
}
