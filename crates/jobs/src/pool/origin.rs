//! Where the puzzles of a list come from.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tabuleiro_puzzles::solver::Options;

/// Where the puzzles of a list come from, for somebody who solves them elsewhere.
#[derive(Debug)]
pub struct Origin {
    /// The solver's ID.
    pub solver: &'static str,
    /// The options of the job.
    pub options: Options,
    /// What the file is called.
    pub file: Arc<str>,
    /// What a puzzle of the file took so far, in nanoseconds; 0 while that is not known.
    nanos_a_puzzle: AtomicU64,
}

impl Origin {
    /// Nothing is known yet of what a puzzle takes.
    #[must_use]
    pub fn new(solver: &'static str, options: Options, file: Arc<str>) -> Self {
        Self { solver, options, file, nanos_a_puzzle: AtomicU64::new(0) }
    }

    /// What a puzzle of the file took so far.
    #[must_use]
    pub fn time_a_puzzle(&self) -> Option<Duration> {
        Some(self.nanos_a_puzzle.load(Ordering::Relaxed)).filter(|&nanos| nanos > 0).map(Duration::from_nanos)
    }

    /// So many more were solved, in that time together. What was seen last counts for a quarter.
    pub fn learn(&self, puzzles: usize, time: Duration) {
        let Some(mean) = time.as_nanos().checked_div(puzzles as u128) else { return };
        let mean = u64::try_from(mean).unwrap_or(u64::MAX);
        let before = self.nanos_a_puzzle.load(Ordering::Relaxed);
        let now = if before == 0 { mean } else { before - before / 4 + mean / 4 };
        self.nanos_a_puzzle.store(now.max(1), Ordering::Relaxed);
    }
}
