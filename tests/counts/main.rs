//! Counts instead of times: how often memory is asked for, a puzzle. The numbers are the same on every machine,
//! so a lost reserve or a clone in a loop shows here, however busy the machine is.
//!
//! A program of its own with one test, because the counting allocator counts what every thread does. `stated.toml` beside
//! a solver's golden cases states its numbers. What the service asks of the system is counted by `system-calls` beside this
//! file.

#[allow(dead_code, reason = "each program uses its part")]
#[path = "../stated.rs"]
mod stated;

use std::alloc::System;
use std::sync::Arc;

use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use tabuleiro_jobs::{Job, JobInfo, Pool, TextSink, answer};
use tabuleiro_puzzles::input::Scanner;
use tabuleiro_puzzles::solver::{Cancel, SOLVERS, Solver, default_options};

use self::stated::{Allocations, generated, stated, with};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// How far above the measured number a count may be before it fails: for another compiler, not for another machine.
const MARGIN: f64 = 1.2;

/// Reads, solves and writes the row's file as a job does; gives how often memory was asked for, a puzzle.
fn allocations(solver: &'static dyn Solver, row: &Allocations, pool: &Pool) -> f64 {
    let file = generated(solver, row.puzzles, 1, &row.generate);
    let options = with(default_options(solver), &row.solve);
    let cancel = Cancel::default();
    // Room for all results: how a vector grows is not the job's doing.
    let info = JobInfo { file: "counts.txt", solver, options: &options };
    let mut sink = TextSink::new(Vec::with_capacity(8 * file.len()), &info);

    let region = Region::new(ALLOCATOR);
    let mut scanner = Scanner::new(file.as_slice(), "counts.txt").expect("memory can be read");
    let job = Job { solver, options: &options, pool, cancel: &cancel, progress: &Arc::default() };
    let summary = answer(&mut scanner, &job, &mut sink).expect("a valid file");
    let counted = region.change();

    assert_eq!((summary.puzzles, summary.invalid, summary.undecided), (row.puzzles, 0, 0), "{}", solver.id());
    assert!(!sink.finish(&summary).expect("memory takes it all").is_empty());
    (counted.allocations + counted.reallocations) as f64 / row.puzzles as f64
}

#[test]
fn a_puzzle_takes_no_more_allocations_than_stated() {
    let pool = Pool::new(1).expect("a thread");
    let (mut rows, mut excess) = (0, Vec::new());
    for solver in SOLVERS {
        for row in stated(*solver).allocations {
            let found = allocations(*solver, &row, &pool);
            let line = format!(
                "{} {:?}: {found:.2} allocations a puzzle, {} stated",
                solver.id(),
                row.solve,
                row.per_puzzle
            );
            println!("{line}");
            if found > MARGIN * row.per_puzzle {
                excess.push(line);
            }
            rows += 1;
        }
    }
    assert!(rows > 0, "nothing is counted");
    assert!(excess.is_empty(), "more than stated:\n{}", excess.join("\n"));
}
