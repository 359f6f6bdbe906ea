//! Threads that solve the puzzles of parcels.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender};
use tokio::sync::mpsc::UnboundedSender;

use crate::protocol::{Answer, Parcel, PuzzleText};
use tabuleiro_jobs::{Failure, Limits, Memory, guarded};
use tabuleiro_puzzles::solver::{
    Budget, Cancel, Options, Outcome, Solver, Stop, Verdict, find, options_from, read_displayed,
    thread_cpu_time,
};

/// A parcel that is to be solved.
pub struct Work {
    /// The puzzles.
    pub parcel: Parcel,
    /// The memory that all threads share.
    pub memory: Arc<Memory>,
    /// Ends the search for the answer to the puzzle that is being solved.
    pub cancel: Cancel,
    /// How far it is to go.
    pub extent: Arc<Extent>,
    /// Who is told each answer, in order.
    pub answers: UnboundedSender<Solved>,
}

/// An answer, and the processor's time that it took.
pub struct Solved {
    /// What became of the puzzle.
    pub answer: Answer,
    /// The processor's time.
    pub cpu: Duration,
}

/// How far a parcel is solved, and is to be.
#[derive(Debug)]
pub struct Extent(Mutex<(usize, usize)>);

impl Extent {
    /// All of so many puzzles.
    #[must_use]
    pub fn of(puzzles: usize) -> Self {
        Self(Mutex::new((0, puzzles)))
    }

    /// Whether the next puzzle is to be begun.
    fn begins(&self, index: usize) -> bool {
        let mut extent = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let begins = index < extent.1;
        if begins {
            extent.0 = index + 1;
        }
        begins
    }

    /// Ends behind the puzzle that is being solved, or, where that `ends_too`, before it: the first puzzle that is left. `so_far` have
    /// been answered.
    pub fn cut(&self, so_far: usize, ends_too: bool) -> usize {
        let mut extent = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        extent.1 = if ends_too { so_far } else { extent.0.max(so_far) }.min(extent.1);
        extent.1
    }
}

/// Starts so many threads that take work from there, until nobody can give them any.
///
/// # Errors
/// When they cannot be started.
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
    /// Solves its puzzles, and tells each answer.
    pub fn solve(&self) {
        let Parcel { solver, options, file, time, job_left, memory_bytes, puzzles, .. } = &self.parcel;
        let limits = Limits::granted((*time, *job_left), *memory_bytes, &self.memory, &self.cancel);
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
                Some((solver, options)) => answer(puzzle, (*solver, options, &file), &budget),
                None => Some(Answer::Unreadable),
            };
            let Some(answer) = answer else { return };
            let cpu = thread_cpu_time().saturating_sub(cpu_before) + budget.take_helped();
            if self.answers.send(Solved { answer, cpu }).is_err() {
                return;
            }
        }
    }
}

/// What becomes of a puzzle; `None` where it was cancelled.
fn answer(
    PuzzleText { first_line, text }: &PuzzleText,
    (solver, options, file): (&dyn Solver, &Options, &Arc<str>),
    budget: &Budget,
) -> Option<Answer> {
    let Some(puzzle) = read_displayed(solver, options, text, (file, *first_line)) else {
        return Some(Answer::Unreadable);
    };
    let begun = Instant::now();
    Some(match guarded(|| puzzle.solve(budget)) {
        Ok(Outcome { verdict: Verdict::Undecided { stop: Stop::Cancelled, .. }, .. }) => return None,
        Ok(outcome) => Answer::Solved { wall: begun.elapsed(), outcome: outcome.to_json() },
        Err(Failure::Panicked(message)) => Answer::Panicked { message },
        Err(_) => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parcel_is_cut_behind_the_puzzle_that_is_being_solved() {
        let extent = Extent::of(4);
        assert!(extent.begins(0) && extent.begins(1));
        // The answer to the first is there.
        assert_eq!(extent.cut(1, false), 2);
        assert!(!extent.begins(2));
        assert_eq!(extent.cut(1, true), 1);
        let extent = Extent::of(2);
        assert_eq!(extent.cut(0, false), 0);
        assert!(!extent.begins(0));
    }
}
