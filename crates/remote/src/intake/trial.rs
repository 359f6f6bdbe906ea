//! A ledger that takes reports here and now, for whoever tries what an intake does with any bytes.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::ledger::Ledger;
use crate::protocol::{Report, decode};
use tabuleiro_jobs::{Limits, List, Origin, Pool};
use tabuleiro_puzzles::solver::{Cancel, Options, Puzzle, Solver};

/// Time between two reports.
const BETWEEN: Duration = Duration::from_millis(600);

/// Sends each puzzle in a parcel of its own and all in one before, whose numbers begin at 1, has a ledger take what is reported, and
/// then everything back: how many puzzles were solved elsewhere, and how many are answered in the end.
#[must_use]
pub fn reported(
    solver: &dyn Solver,
    options: &Options,
    puzzles: &[Arc<dyn Puzzle>],
    reports: &[&[u8]],
) -> Option<(u64, usize)> {
    // Where no thread can be started there is nothing to try.
    let mut pool = Pool::new(1).ok()?;
    let guests = pool.open(0);
    guests.set_seats(puzzles.len());
    let limits = Limits::of(options, pool.memory(), &Cancel::default());
    let origin = Arc::new(Origin::new(solver.id(), options.clone(), "entrada.txt".into()));
    let numbered = (1..).zip(puzzles.iter().map(Arc::clone)).collect();
    let list = Arc::new(List::new(numbered, &limits, &Arc::default(), Some(origin), None));
    let (mut ledger, mut now) = (Ledger::new(Arc::clone(&guests)), Instant::now());
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
