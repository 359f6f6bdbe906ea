//! Checks what dispatchers and workers accept from the network: any bytes as a batch, as reports, or as a heartbeat.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tabuleiro_jobs::{Limits, List, Memory, Origin, Pool};
use tabuleiro_puzzles::solver::{Cancel, Options, Puzzle, Solver, find, read_displayed};
use tabuleiro_remote::Heartbeat;
use tabuleiro_remote::sides::{Batch, BatchLedger, Extent, Report, Solved, Work, WorkerAnswer, decode};
use tokio::sync::mpsc;

use super::solving;

/// The solver of the batches in progress, and one of their puzzles.
const SOLVER: &str = "2048-merge";
const PUZZLE: &str = "1\n3 4\n4 2 4\n4 2 4\n4 4 4\n";
const PUZZLES: usize = 3;
/// Limits of a batch, whatever it asks for.
const TIME_MAX: Duration = Duration::from_millis(5);
const MEMORY_MAX: u64 = 4 << 20;
const PUZZLES_MAX: usize = 16;
/// Time between two reports.
const BETWEEN: Duration = Duration::from_millis(600);
/// Maximum characters of a name in a heartbeat.
const NAME_CHARACTERS_MAX: usize = 100;

/// Checks any bytes; the first one chooses what the others are.
pub fn check(data: &[u8]) {
    match data.split_first() {
        None => {}
        Some((choice, bytes)) if choice % 3 == 0 => check_batch(bytes),
        Some((choice, bytes)) if choice % 3 == 1 => check_reports(bytes),
        Some((_, bytes)) => check_heartbeat(bytes),
    }
}

fn check_batch(bytes: &[u8]) {
    let told = outcomes(bytes).map_or(0, |outcomes| outcomes.len());
    assert!(told <= PUZZLES_MAX);
}

/// Checks reports. The length of a report, two bytes in little-endian order, precedes it.
fn check_reports(mut bytes: &[u8]) {
    let mut reports = Vec::new();
    while let Some((&length, rest)) = bytes.split_first_chunk() {
        let (report, behind) = rest.split_at(rest.len().min(u16::from_le_bytes(length).into()));
        reports.push(report);
        bytes = behind;
    }
    let solver = find(SOLVER).expect("there is this solver");
    let options = solving::options(solver, &[]);
    let file = Arc::from("entrada.txt");
    let puzzle = || read_displayed(solver, &options, PUZZLE, &file, 1).expect("it is one");
    let puzzles: Vec<Box<dyn Puzzle>> = (0..PUZZLES).map(|_| puzzle()).collect();
    let Some((elsewhere, answered)) = reported(solver, &options, puzzles, &reports) else { return };
    assert!(elsewhere <= PUZZLES as u64, "{elsewhere} were solved elsewhere");
    assert_eq!(answered, PUZZLES);
}

fn check_heartbeat(bytes: &[u8]) {
    let Some(heartbeat) = Heartbeat::read(bytes) else { return };
    for text in [&heartbeat.name, &heartbeat.version, &heartbeat.build] {
        assert!(text.chars().count() <= NAME_CHARACTERS_MAX && !text.contains(char::is_control), "{text:?}");
    }
    assert_eq!(Heartbeat::read(&heartbeat.write()), Some(heartbeat), "another heartbeat came back");
}

/// Solves a batch within little time and memory. Returns the outcomes as JSON, `None` for a puzzle without one. Returns
/// `None` if the bytes are no batch.
fn outcomes(bytes: &[u8]) -> Option<Vec<Option<String>>> {
    let mut batch: Batch = decode(bytes)?;
    batch.puzzles.truncate(PUZZLES_MAX);
    batch.time = Some(batch.time.unwrap_or(TIME_MAX).min(TIME_MAX));
    batch.memory_bytes = batch.memory_bytes.min(MEMORY_MAX);
    let (sender, mut receiver) = mpsc::unbounded_channel();
    let extent = Arc::new(Extent::of(batch.puzzles.len()));
    let memory = Arc::new(Memory::unlimited());
    Work { batch, memory, cancel: Cancel::default(), extent, answers: sender }.solve();
    let outcome =
        |answer| if let WorkerAnswer::Solved { outcome, .. } = answer { Some(outcome) } else { None };
    let next = || receiver.try_recv().ok().map(|Solved { answer, .. }| outcome(answer));
    Some(std::iter::from_fn(next).collect())
}

/// Sends all puzzles in one batch, number 1, and each again in a batch of its own. Then a ledger takes the reports, and
/// everything is taken back. Returns how many puzzles other machines solved, and how many are answered in the end.
fn reported(
    solver: &'static dyn Solver,
    options: &Options,
    puzzles: Vec<Box<dyn Puzzle>>,
    reports: &[&[u8]],
) -> Option<(u64, usize)> {
    // If no thread can be started, there is nothing to test.
    let mut pool = Pool::new(1).ok()?;
    let guests = pool.open(0);
    guests.set_seats(puzzles.len());
    let limits = Limits::of(options, pool.memory(), &Cancel::default());
    let origin = Arc::new(Origin::new(solver, options.clone(), "entrada.txt".into()));
    let numbered = (1..).zip(puzzles).collect();
    let list = Arc::new(List::new(numbered, &limits, &Arc::default(), origin, None));
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
            None => ledger.counts.refused += 1,
        }
        now += BETWEEN;
        ledger.overdue(now);
    }
    ledger.take_all_back(now);
    list.wait();
    Some((ledger.counts.solved, list.answers().count()))
}
