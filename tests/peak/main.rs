//! What a solver charges to its budget, beside what it asks of the allocator at the peak: a limit of memory means
//! nothing where the two are far apart.
//!
//! A program of its own, because its allocator counts what every thread does; its tests take turns for the same reason.

#[allow(dead_code, reason = "each program uses its part")]
#[path = "../stated.rs"]
mod stated;

// Large submissions, graded.
mod submissions;

use std::sync::{Mutex, PoisonError};

use peak_alloc::PeakAlloc;
use tabuleiro_puzzles::solver::{Budget, Cancel, Puzzle, SOLVERS, Solver};

use self::stated::{Large, golden, puzzles, stated};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// The turn of a test.
static TURN: Mutex<()> = Mutex::new(());

/// What may be allocated beyond what is charged, or charged beyond what is allocated: small working memory.
const SMALL_BYTES_MAX: u64 = 1 << 20;
/// So many bytes may be allocated for each that is charged.
const ALLOCATED_MAX: f64 = 1.1;
/// So many may be charged for each that is allocated. What grows is charged twice while it is copied; of what is known
/// only when it is made (a proof as JSON) the most is charged that it may take.
const CHARGED_MAX: f64 = 2.0;
/// Memory for a puzzle; those that need more are cut short.
const LIMIT_BYTES: u64 = 64 << 20;

/// Bytes allocated now.
fn allocated() -> u64 {
    ALLOCATOR.current_usage() as u64
}

/// The most bytes allocated while the puzzle is solved, and the most that were charged.
fn peaks(puzzle: &dyn Puzzle) -> (u64, u64) {
    let budget = Budget::new(None, None, LIMIT_BYTES, Cancel::default());
    ALLOCATOR.reset_peak_usage();
    drop(puzzle.solve(&budget));
    (ALLOCATOR.peak_usage() as u64, budget.memory_bytes_peak())
}

/// What is wrong with the peak of a puzzle that `read` gives, which is charged itself, too.
fn fault(name: &str, read: impl FnOnce() -> Box<dyn Puzzle>, stated: &Large) -> Option<String> {
    let before = allocated();
    let puzzle = read();
    let (most, charged) = peaks(puzzle.as_ref());
    let seen = most.saturating_sub(before);
    let line = format!("{name}: {charged} bytes charged, {seen} allocated");
    if stated.charges_mib_min > 0 {
        println!("{line}");
    }
    let what = if seen as f64 > ALLOCATED_MAX * charged as f64 + SMALL_BYTES_MAX as f64 {
        "allocates more than it charges"
    } else if charged as f64 > CHARGED_MAX * seen as f64 + SMALL_BYTES_MAX as f64 {
        "charges more than it allocates"
    } else if charged < stated.charges_mib_min << 20 {
        "charges less than is stated"
    } else {
        return None;
    };
    Some(format!("{what}: {line}"))
}

/// What is wrong with the memory that a solver charges for its golden inputs and its large puzzles.
fn faults(solver: &dyn Solver) -> Vec<String> {
    let (mut faults, nothing) = (Vec::new(), Large::default());
    // Tables that are made once belong to no puzzle: they are made in a first round.
    for judged in [false, true] {
        for input in golden(solver) {
            for (index, puzzle) in puzzles(solver, &input.options, &input.file).into_iter().enumerate() {
                let name = format!("{}, puzzle {}", input.path.display(), index + 1);
                faults.extend(fault(&name, || puzzle, &nothing).filter(|_| judged));
            }
        }
    }
    for large in stated(solver).large {
        let name = format!("{} {}", solver.id(), large.name());
        faults.extend(fault(&name, || large.puzzle(solver), &large));
    }
    faults
}

#[test]
fn what_is_allocated_is_charged() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let faults: Vec<_> = SOLVERS.iter().flat_map(|solver| faults(*solver)).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn grading_with_pages_stays_within_what_is_planned() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let faults = submissions::faults();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
