//! Counts instead of times: how often memory is asked for, a puzzle. The numbers are the same on every machine,
//! so a lost reserve or a clone in a loop shows here, however busy the machine is.
//!
//! A program of its own whose tests take turns, because the counting allocator counts what every thread does. What the
//! service asks of the system is counted by `system-calls` beside this file.

mod peak;

use std::alloc::System;
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use tabuleiro::input::Scanner;
use tabuleiro::job::{Pool, TextSink, answer};
use tabuleiro::solver::{self, Authority, Cancel, Options, Random, SOLVERS, Solver};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Held by the test that counts.
static TURN: Mutex<()> = Mutex::new(());

/// Options as the command line takes them: `--set KEY=VALUE`.
type Sets = &'static [(&'static str, &'static str)];

/// How far above the measured number a count may be before it fails: for another compiler, not for another machine.
const MARGIN: f64 = 1.2;

/// A generated file, and what answering it takes.
struct Row {
    solver: &'static str,
    puzzles: u64,
    /// Options of the generator.
    generate: Sets,
    /// Options of the solver.
    solve: Sets,
    /// Allocations a puzzle as measured, growing included. Lower it with every change that makes it less.
    allocations: f64,
}

/// Each solver at least once.
const ROWS: &[Row] = &[
    Row { solver: "checkers-capture", puzzles: 100_000, generate: &[], solve: &[], allocations: 1.04 },
    Row { solver: "2048-merge", puzzles: 1000, generate: &[("size", "4")], solve: &[], allocations: 22.9 },
    // About 94 moves a board, each of which is written with its board.
    Row { solver: "2048-astar", puzzles: 100, generate: &[], solve: &[("goal", "256")], allocations: 2743.0 },
    // 261 moves a game.
    Row {
        solver: "2048-game",
        puzzles: 200,
        generate: &[],
        solve: &[("player", "greedy")],
        allocations: 1327.0,
    },
    Row { solver: "jump-game", puzzles: 10_000, generate: &[], solve: &[], allocations: 17.2 },
    Row {
        solver: "jump-game",
        puzzles: 10_000,
        generate: &[],
        solve: &[("movement", "straight")],
        allocations: 11.7,
    },
];

fn set(mut options: Options, sets: Sets) -> Options {
    for (key, value) in sets {
        options.set(key, value, Authority::Owner).expect("an option of the solver or of its generator");
    }
    options
}

/// A file as `tabuleiro generate ID COUNT --seed 1 --set …` writes it.
fn generated(solver: &dyn Solver, row: &Row) -> Vec<u8> {
    let options = set(Options::defaults(&[solver.generator_options()]), row.generate);
    let mut file = Vec::new();
    solver.generate(&options, row.puzzles, &mut Random::new(1), &mut file).expect("memory takes it all");
    file
}

/// Reads, solves and writes the row's file as a job does; gives how often memory was asked for, a puzzle.
fn allocations(row: &Row, pool: &Pool) -> f64 {
    let solver = solver::find(row.solver).expect("a registered solver");
    let file = generated(solver, row);
    let options = set(solver::default_options(solver), row.solve);
    let cancel = Cancel::default();
    // Room for all results: how a vector grows is not the job's doing.
    let mut sink = TextSink(Vec::with_capacity(8 * file.len()));

    let region = Region::new(ALLOCATOR);
    let mut scanner = Scanner::new(file.as_slice(), "counts.txt").expect("memory can be read");
    let summary = answer(&mut scanner, solver, &options, pool, &cancel, &mut sink).expect("a valid file");
    let counted = region.change();

    assert_eq!((summary.puzzles, summary.invalid, summary.undecided), (row.puzzles, 0, 0), "{}", row.solver);
    assert!(!sink.0.is_empty());
    (counted.allocations + counted.reallocations) as f64 / row.puzzles as f64
}

#[test]
fn a_puzzle_takes_no_more_allocations_than_stated() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let counted: BTreeSet<_> = ROWS.iter().map(|row| row.solver).collect();
    let registered: BTreeSet<_> = SOLVERS.iter().map(|solver| solver.id()).collect();
    assert_eq!(counted, registered, "every solver has a row, and every row a solver");

    let pool = Pool::new(1).expect("a thread");
    let mut excess = Vec::new();
    for row in ROWS {
        let found = allocations(row, &pool);
        let Row { solver, solve, allocations: stated, .. } = row;
        let line = format!("{solver} {solve:?}: {found:.2} allocations a puzzle, {stated} stated");
        println!("{line}");
        if found > MARGIN * stated {
            excess.push(line);
        }
    }
    assert!(excess.is_empty(), "more than stated:\n{}", excess.join("\n"));
}

#[test]
fn what_is_allocated_is_charged() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let faults = peak::faults();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
