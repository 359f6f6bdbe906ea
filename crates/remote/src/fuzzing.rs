//! What fuzzers call: a dispatcher and a worker that take any bytes, without a broker.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tabuleiro_jobs::{Limits, List, Memory, Origin, Pool};
use tabuleiro_puzzles::solver::{Cancel, Options, Puzzle, Solver};
use tokio::sync::mpsc;

use crate::dispatcher::BatchLedger;
use crate::protocol::{Answer, Batch, Report, decode};
use crate::worker::{Extent, Solved, Work};

/// Limits of a batch, whatever it asks for.
const TIME_MAX: Duration = Duration::from_millis(5);
const MEMORY_MAX: u64 = 4 << 20;
const PUZZLES_MAX: usize = 16;
/// Time between two reports.
const BETWEEN: Duration = Duration::from_millis(600);

/// Returns the outcomes of the puzzles of a batch as JSON, within little time and memory, each `None` if there is none; `None` if
/// the bytes are no batch.
#[must_use]
pub fn outcomes(bytes: &[u8]) -> Option<Vec<Option<String>>> {
    let mut batch: Batch = decode(bytes)?;
    batch.puzzles.truncate(PUZZLES_MAX);
    batch.time = Some(batch.time.unwrap_or(TIME_MAX).min(TIME_MAX));
    batch.memory_bytes = batch.memory_bytes.min(MEMORY_MAX);
    let (sender, mut receiver) = mpsc::unbounded_channel();
    let extent = Arc::new(Extent::of(batch.puzzles.len()));
    let memory = Arc::new(Memory::unlimited(1));
    Work { batch, memory, cancel: Cancel::default(), extent, answers: sender }.solve();
    let outcome = |answer| if let Answer::Solved { outcome, .. } = answer { Some(outcome) } else { None };
    let next = || receiver.try_recv().ok().map(|Solved { answer, .. }| outcome(answer));
    Some(std::iter::from_fn(next).collect())
}

/// Sends all puzzles in one batch, number 1, and each once more in a batch of its own, has a ledger take the reports, and takes
/// everything back. Returns how many puzzles were solved elsewhere, and how many are answered in the end.
#[must_use]
pub fn reported(
    solver: &dyn Solver,
    options: &Options,
    puzzles: &[Arc<dyn Puzzle>],
    reports: &[&[u8]],
) -> Option<(u64, usize)> {
    // If no thread can be started there is nothing to try.
    let mut pool = Pool::new(1).ok()?;
    let guests = pool.open(0);
    guests.set_seats(puzzles.len());
    let limits = Limits::of(options, pool.memory(), &Cancel::default());
    let origin = Arc::new(Origin::new(solver.id(), options.clone(), "entrada.txt".into()));
    let numbered = (1..).zip(puzzles.iter().map(Arc::clone)).collect();
    let list = Arc::new(List::new(numbered, &limits, &Arc::default(), Some(origin), None));
    let (mut ledger, mut now) = (BatchLedger::new(Arc::clone(&guests)), Instant::now());
    let drawn: Vec<_> = std::iter::from_fn(|| list.draw()).collect();
    ledger.send(&list, drawn.clone(), false, now);
    for index in drawn {
        ledger.send(&list, vec![index], true, now);
    }
    for report in reports {
        match decode(report) {
            Some(Report::Part(part)) => drop(ledger.report(&part, now)),
            Some(Report::AtWork(word)) => drop(ledger.at_work(&word, now)),
            Some(Report::Died(died)) => drop(ledger.died(&died, now)),
            None => ledger.tally.refused += 1,
        }
        now += BETWEEN;
        ledger.overdue(now);
    }
    ledger.take_all_back(now);
    list.wait();
    Some((ledger.tally.solved, list.answers().count()))
}
