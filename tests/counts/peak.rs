//! What a solver charges to its budget, beside what it asks of the allocator: a limit of memory means nothing where
//! the two are far apart.
//!
//! A second thread watches how much is allocated while a puzzle is solved, as often as it can. A busy machine may
//! keep it from seeing the peak, so a puzzle is solved until the peak that was seen is explained, a few times at most.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use tabuleiro::input::Scanner;
use tabuleiro::solver::{self, Budget, Cancel, Options, Puzzle, Random, SOLVERS, Work};

use super::{ALLOCATOR, Sets, set};

/// What may be allocated beyond what is charged, or charged beyond what is allocated: small working memory.
const SMALL_BYTES_MAX: u64 = 1 << 20;
/// So many bytes may be allocated for each that is charged.
const ALLOCATED_MAX: f64 = 1.1;
/// So many may be charged for each that is seen allocated. What grows is charged twice while it is copied; of what is
/// known only when it is made (a graph, a proof as JSON) the most is charged that it may take; and a short peak may
/// not be seen.
const CHARGED_MAX: f64 = 16.0;
const RUNS_MAX: usize = 5;
/// Memory for a puzzle; those that need more are cut short.
const LIMIT_BYTES: u64 = 96 << 20;

/// A puzzle that needs some MiB.
struct Hungry {
    solver: &'static str,
    solve: Sets,
    text: fn() -> String,
}

const HUNGRY: &[Hungry] = &[
    Hungry { solver: "checkers-capture", solve: &[("limits", "none")], text: lattice },
    Hungry { solver: "2048-merge", solve: &[("algorithm", "breadth-first")], text: merging },
    Hungry { solver: "2048-astar", solve: &[("algorithm", "left-weighted")], text: start_board },
    Hungry { solver: "2048-game", solve: &[("on_illegal", "skip"), ("witness", "true")], text: long_game },
    Hungry { solver: "jump-game", solve: &[], text: || uniform(400, 101) },
    Hungry { solver: "jump-game", solve: &[("movement", "straight")], text: || uniform(400, 1) },
    Hungry { solver: "jump-game", solve: &[("algorithm", "breadth-first")], text: || uniform(400, 1) },
];

/// Opponents on all even rows but the first, and an own piece near the middle.
fn lattice() -> String {
    let side = 300;
    let mut text = format!("{side} {side}\n");
    for row in 0..side {
        for column in (row % 2..side).step_by(2) {
            let own = (row, column) == (151, 151);
            let opponent = row % 2 == 0 && row > 0 && row + 1 < side;
            write!(text, "{} ", if own { 1 } else { 2 * u8::from(opponent) }).expect("a string takes it all");
        }
        text.push('\n');
    }
    text + "0 0\n"
}

/// A random case of many tiles.
fn merging() -> String {
    let solver = solver::find("2048-merge").expect("a registered solver");
    let options = set(Options::defaults(&[solver.generator_options()]), &[("size", "6"), ("tiles", "24")]);
    let mut text = Vec::new();
    solver.generate(&options, 1, &mut Random::new(1), &mut text).expect("memory takes it all");
    String::from_utf8(text).expect("numbers")
}

/// The start board of the assignment: empty but for a 2 in the upper right corner.
fn start_board() -> String {
    format!("4\n0 0 0 2\n{}", "0 0 0 0\n".repeat(3))
}

/// A game of many moves on a large board.
fn long_game() -> String {
    format!("20 1\n{}{}\n", format!("{}\n", "0 ".repeat(20)).repeat(20), "DECB".repeat(20_000))
}

/// A square board of one number.
fn uniform(side: usize, value: u64) -> String {
    format!("{side} {side}\n1\n{}0 0\n", format!("{}\n", format!("{value} ").repeat(side)).repeat(side))
}

fn read(hungry: &Hungry) -> Box<dyn Puzzle> {
    let solver = solver::find(hungry.solver).expect("a registered solver");
    let options = set(solver::default_options(solver), hungry.solve);
    let text = (hungry.text)();
    let mut scanner = Scanner::new(text.as_bytes(), "peak.txt").expect("memory can be read");
    let entry = solver.open(&options).read(&mut scanner).expect("memory can be read").expect("a puzzle");
    match entry.work {
        Work::Solve(puzzle) => puzzle,
        Work::Settled(outcome) => panic!("{}: {}", hungry.solver, outcome.headline),
    }
}

/// Bytes allocated now.
fn allocated() -> u64 {
    let stats = ALLOCATOR.stats();
    stats.bytes_allocated.saturating_sub(stats.bytes_deallocated) as u64
}

/// The most bytes seen allocated while the puzzle is solved, and the most that were charged.
fn peaks(puzzle: &dyn Puzzle) -> (u64, u64) {
    let budget = Budget::new(None, None, LIMIT_BYTES, Cancel::default());
    let solved = AtomicBool::new(false);
    let most = thread::scope(|scope| {
        let watcher = scope.spawn(|| {
            let mut most = 0;
            while !solved.load(Ordering::Relaxed) {
                most = most.max(allocated());
            }
            most
        });
        drop(puzzle.solve(&budget));
        solved.store(true, Ordering::Relaxed);
        watcher.join().expect("it only counts")
    });
    (most, budget.memory_bytes_peak())
}

/// What is wrong with a peak.
fn fault(seen: u64, charged: u64) -> Option<&'static str> {
    if seen as f64 > ALLOCATED_MAX * charged as f64 + SMALL_BYTES_MAX as f64 {
        Some("allocates more than it charges")
    } else if charged as f64 > CHARGED_MAX * seen as f64 + SMALL_BYTES_MAX as f64 {
        Some("charges more than it allocates")
    } else {
        None
    }
}

/// What is wrong with the memory that solvers charge.
pub fn faults() -> Vec<String> {
    let listed: BTreeSet<_> = HUNGRY.iter().map(|hungry| hungry.solver).collect();
    let registered: BTreeSet<_> = SOLVERS.iter().map(|solver| solver.id()).collect();
    assert_eq!(listed, registered, "every solver has a puzzle that needs memory");
    let mut faults = Vec::new();
    for hungry in HUNGRY {
        // The puzzle itself is charged, too.
        let before = allocated();
        let puzzle = read(hungry);
        let (mut seen, mut charged) = (0, 0);
        for _ in 0..RUNS_MAX {
            let run = peaks(puzzle.as_ref());
            (seen, charged) = (seen.max(run.0.saturating_sub(before)), charged.max(run.1));
            if fault(seen, charged).is_none() {
                break;
            }
        }
        let line = format!("{} {:?}: {charged} bytes charged, {seen} allocated", hungry.solver, hungry.solve);
        println!("{line}");
        if charged <= 2 << 20 {
            faults.push(format!("a puzzle that needs more is wanted: {line}"));
        }
        faults.extend(fault(seen, charged).map(|what| format!("{what}: {line}")));
    }
    faults
}
