//! The threads that solve batches.

use std::sync::Arc;
use std::time::{Duration, Instant};
use std::{io, thread};

use crossbeam_channel::{Receiver, Sender};
use parking_lot::Mutex;
use tokio::sync::mpsc::UnboundedSender;

use crate::protocol::{Batch, PuzzleText, WorkerAnswer};
use tabuleiro_jobs::{Failure, Limits, Memory, guarded, thread_cpu_time};
use tabuleiro_puzzles::solver::{
    Budget, Cancel, Options, Outcome, Solver, Stop, Verdict, find, options_from, read_displayed,
};

/// A batch to solve.
pub struct Work {
    pub batch: Batch,
    pub memory: Arc<Memory>,
    /// Cancels the search for the puzzle in progress.
    pub cancel: Cancel,
    pub extent: Arc<Extent>,
    /// Receives each answer, in order.
    pub answers: UnboundedSender<Solved>,
}

pub struct Solved {
    pub answer: WorkerAnswer,
    pub cpu: Duration,
}

/// How many puzzles of a batch were begun, and how many are to be solved in all.
pub struct Extent(Mutex<(usize, usize)>);

impl Extent {
    pub fn of(puzzles: usize) -> Self {
        Self(Mutex::new((0, puzzles)))
    }

    /// Returns whether to begin the puzzle at `index`, and records that it begins.
    fn begins(&self, index: usize) -> bool {
        let mut extent = self.0.lock();
        let begins = index < extent.1;
        if begins {
            extent.0 = index + 1;
        }
        begins
    }

    /// Ends the batch after the puzzle in progress. If `ends_too` is set, that puzzle is not solved either. `so_far` is
    /// the number of answered puzzles. Returns the index of the first puzzle that will not be solved.
    pub fn cut(&self, so_far: usize, ends_too: bool) -> usize {
        let mut extent = self.0.lock();
        extent.1 = if ends_too { so_far } else { extent.0.max(so_far) }.min(extent.1);
        extent.1
    }
}

/// Starts threads that take work from the returned channel until it closes.
///
/// # Errors
/// Fails if a thread cannot be started.
pub fn start(threads: usize) -> io::Result<Sender<Work>> {
    let (sender, receiver) = crossbeam_channel::unbounded::<Work>();
    for index in 0..threads {
        let receiver: Receiver<Work> = receiver.clone();
        let run = move || receiver.iter().for_each(|work| work.solve());
        thread::Builder::new().name(format!("solve-{index}")).spawn(run)?;
    }
    Ok(sender)
}

impl Work {
    /// Solves the puzzles, and sends each answer.
    pub fn solve(&self) {
        let Batch { solver, options, file, time, job_left, memory_bytes, puzzles, .. } = &self.batch;
        let limits = Limits::granted(*time, *job_left, *memory_bytes, &self.memory, &self.cancel);
        let known = find(solver).and_then(|solver| Some((solver, options_from(solver, options).ok()?)));
        let file: Arc<str> = file.as_str().into();
        let mut budget = limits.budget();
        for (index, puzzle) in puzzles.iter().enumerate() {
            if !self.extent.begins(index) {
                return;
            }
            let cpu_before = thread_cpu_time();
            let begun = Instant::now();
            budget.begin(limits.end(begun), Some(begun));
            let answer = match &known {
                Some((solver, options)) => answer(puzzle, *solver, options, &file, &budget),
                None => Some(WorkerAnswer::Unreadable),
            };
            let Some(answer) = answer else { return };
            let cpu = thread_cpu_time().saturating_sub(cpu_before);
            if self.answers.send(Solved { answer, cpu }).is_err() {
                return;
            }
        }
    }
}

/// Solves a puzzle. Returns `None` if the search was cancelled.
fn answer(
    PuzzleText { first_line, text }: &PuzzleText,
    solver: &dyn Solver,
    options: &Options,
    file: &Arc<str>,
    budget: &Budget,
) -> Option<WorkerAnswer> {
    let Some(puzzle) = read_displayed(solver, options, text, file, *first_line) else {
        return Some(WorkerAnswer::Unreadable);
    };
    let begun = Instant::now();
    Some(match guarded(|| puzzle.solve(budget)) {
        Ok(Outcome { verdict: Verdict::Undecided { stop: Stop::Cancelled, .. }, .. }) => return None,
        Ok(outcome) => WorkerAnswer::Solved { wall: begun.elapsed(), outcome: outcome.to_json() },
        Err(Failure::Panicked(message)) => WorkerAnswer::Panicked { message },
        Err(_) => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_is_cut_behind_the_puzzle_that_is_being_solved() {
        let extent = Extent::of(4);
        assert!(extent.begins(0) && extent.begins(1));
        // Only the first puzzle is answered.
        assert_eq!(extent.cut(1, false), 2);
        assert!(!extent.begins(2));
        assert_eq!(extent.cut(1, true), 1);
        let extent = Extent::of(2);
        assert_eq!(extent.cut(0, false), 0);
        assert!(!extent.begins(0));
    }
}
