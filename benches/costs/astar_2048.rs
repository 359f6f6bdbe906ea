//! Measures what `2048-astar` costs by goal. Prints CSV, `size,series,nanoseconds,sample,moves,at_least`, one line per
//! board and algorithm. The size is the goal. The moves are empty if a memory limit ended the search.
//!
//! - `start`: the start board of 4 × 4, by the default and by the two published searches, each up to the goal for which
//!   its memory suffices.
//! - `board N x N`: the start boards of 4 × 4 to 8 × 8, by the default, for goals up to 2048.
//! - `random`: boards of 4 × 4 after 20 to 60 random swipes, by the default and by `left-weighted`.
//!
//! Times are processor times, which other programs on the machine hardly disturb; the fastest of a few runs of a board
//! counts. The rules of the tests, which share no code with the solver, replay every path. The default must prove its
//! answer on the start board of 4 × 4. No published search may find fewer moves than the default proved, and all must
//! agree on what cannot be solved. Finally, the rules of the tests make all boards of 2 × 2 and 3 × 3 that the start
//! board leads to: their largest tiles must be the goals reached.

#[allow(dead_code, reason = "the benchmark needs some of what the tests need")]
#[path = "../../crates/puzzles/tests/it/astar/rules.rs"]
mod rules;

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};
use tabuleiro_puzzles::input::Scanner;
use tabuleiro_puzzles::solver::{
    self, Authority, Budget, Cancel, Options, Outcome, Puzzle, Random, Verdict, Work,
};

use rules::Grid;

/// A board that takes longer than this is run only once.
const LONG: Duration = Duration::from_millis(100);
/// Number of runs of one board.
const RUNS: usize = 3;
/// Bytes for a board by default, and by a published search (about a million boards).
const MEMORY: u64 = 1 << 30;
const MEMORY_PUBLISHED: u64 = 64 << 20;
/// Numbers of swipes of the random boards, and boards per number.
const SWIPES: std::ops::RangeInclusive<u64> = 20..=60;
const BOARDS: u64 = 2;
/// Goals on start boards of all sizes and on random boards, as powers of two.
const BOARD_RANKS: std::ops::RangeInclusive<u32> = 2..=11;
const RANDOM_RANKS: std::ops::RangeInclusive<u32> = 6..=11;

fn main() {
    println!("size,series,nanoseconds,sample,moves,at_least");
    for algorithm in ["shortest", "left-weighted", "distance-weighted"] {
        published_start(algorithm);
    }
    for size in 4..=8 {
        start_boards(size);
    }
    random_boards();
    for (size, largest) in [(2, 16), (3, 512)] {
        exhaust(size, largest);
    }
}

/// Measures the start board of 4 × 4 with every goal.
fn published_start(algorithm: &str) {
    for rank in 2..=16 {
        let goal = 1 << rank;
        let found = measure(&start(4), goal, algorithm);
        print(goal, &format!("start {algorithm}"), 0, &found);
        // The bound of the page, which the default equals.
        let bound = (goal - 2) / 2 + rank - 1;
        let Some(moves) = found.moves else {
            assert_ne!(algorithm, "shortest");
            return;
        };
        assert!(moves == bound || algorithm != "shortest" && moves > bound);
    }
}

/// Measures the start boards of one size.
fn start_boards(size: usize) {
    for rank in BOARD_RANKS {
        let goal = 1 << rank;
        let found = measure(&start(size), goal, "shortest");
        assert!(found.moves.is_some());
        print(goal, &format!("board {size} x {size}"), 0, &found);
    }
}

/// Measures boards after random swipes, by two algorithms.
fn random_boards() {
    for rank in RANDOM_RANKS {
        let goal = 1 << rank;
        for swipes in SWIPES {
            for (index, board) in generated(swipes).into_iter().enumerate() {
                let sample = swipes * BOARDS + index as u64;
                let shortest = measure(&board, goal, "shortest");
                print(goal, "random shortest", sample, &shortest);
                let published = measure(&board, goal, "left-weighted");
                print(goal, "random left-weighted", sample, &published);
                if published.decided && shortest.decided {
                    assert_eq!(published.moves.is_some(), shortest.moves.is_some());
                    assert!(published.moves >= shortest.at_least, "{board:?}");
                }
            }
        }
    }
}

/// Makes all boards that the start board leads to, by the rules of the tests.
fn exhaust(size: usize, largest: u64) {
    let (mut layer, mut boards, mut found) = (HashSet::from([start(size)]), 0, 0);
    while !layer.is_empty() {
        boards += layer.len();
        found = layer.iter().flatten().flatten().copied().max().unwrap_or(0).max(found);
        let next = |board: &Grid| "EDCB".chars().filter_map(|letter| rules::swipe(board, letter)).collect();
        layer = layer.iter().flat_map::<Vec<Grid>, _>(next).collect();
    }
    assert_eq!(found, largest);
    eprintln!("{size} x {size}: {boards} boards can be reached, the largest tile is {found}");
    assert!(measure(&start(size), largest, "shortest").moves.is_some());
    assert!(measure(&start(size), 2 * largest, "shortest").moves.is_none());
}

/// The result for a board.
struct Found {
    time: Duration,
    moves: Option<u64>,
    at_least: Option<u64>,
    /// No limit was hit.
    decided: bool,
}

fn print(goal: u64, series: &str, sample: u64, found: &Found) {
    let number = |number: Option<u64>| number.map_or(String::new(), |number| number.to_string());
    let (moves, at_least) = (number(found.moves), number(found.at_least));
    println!("{goal},{series},{},{sample},{moves},{at_least}", found.time.as_nanos());
}

/// Returns the fastest of a few runs. Checks the answer once.
fn measure(board: &Grid, goal: u64, algorithm: &str) -> Found {
    let puzzle = puzzle(board, goal, algorithm);
    let memory = if algorithm == "shortest" { MEMORY } else { MEMORY_PUBLISHED };
    let (mut time, outcome) = run(puzzle.as_ref(), memory);
    for _ in 1..RUNS {
        if time > LONG {
            break;
        }
        time = time.min(run(puzzle.as_ref(), memory).0);
    }
    let decided = matches!(outcome.verdict, Verdict::Answered);
    if outcome.bounds.at_most.is_some() {
        let path = rules::check_path(board, goal, &outcome.to_text());
        return Found { time, moves: Some(path.moves), at_least: Some(path.at_least), decided };
    }
    assert!(!decided || outcome.headline == "unsolvable", "{}", outcome.headline);
    Found { time, moves: None, at_least: outcome.bounds.at_least, decided }
}

fn run(puzzle: &dyn Puzzle, memory: u64) -> (Duration, Outcome) {
    let budget = Budget::new(None, None, memory, Cancel::default());
    let begin = processor_time();
    let outcome = std::hint::black_box(puzzle).solve(&budget);
    (processor_time().saturating_sub(begin), outcome)
}

/// Returns the processor time of this process so far.
fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32)
}

/// Returns the board with a 2 in the upper right corner.
fn start(size: usize) -> Grid {
    let mut board = vec![vec![0; size]; size];
    board[0][size - 1] = 2;
    board
}

/// Returns boards as `tabuleiro generate 2048-astar --set moves=SWIPES` writes them.
fn generated(swipes: u64) -> Vec<Grid> {
    let solver = solver::find("2048-astar").expect("a registered solver");
    let mut options = Options::defaults(&[solver.generator_options()]);
    options.set("moves", &swipes.to_string(), Authority::Owner).expect("an option of the generator");
    let mut text = Vec::new();
    solver.generate(&options, BOARDS, &mut Random::new(swipes), &mut text).expect("memory takes it all");
    let text = String::from_utf8(text).expect("digits");
    let values: Vec<u64> = text.split_whitespace().filter_map(|value| value.parse().ok()).collect();
    values.chunks_exact(17).map(|board| board[1..].chunks_exact(4).map(<[u64]>::to_vec).collect()).collect()
}

fn puzzle(board: &Grid, goal: u64, algorithm: &str) -> Box<dyn Puzzle> {
    let solver = solver::find("2048-astar").expect("a registered solver");
    let mut options = solver::default_options(solver);
    for (key, value) in [("goal", &*goal.to_string()), ("algorithm", algorithm)] {
        options.set(key, value, Authority::Owner).expect("an option of the solver");
    }
    let rows: String = board.iter().map(|row| rules::row_of(row) + "\n").collect();
    let file = format!("{}\n{rows}", board.len());
    let mut scanner = Scanner::new(file.as_bytes(), "bench").expect("memory can be read");
    let entry = solver.open(&options).read(&mut scanner).expect("memory can be read");
    match entry.expect("a board").work {
        Work::Solve(puzzle) => puzzle,
        Work::Settled(outcome) => panic!("{}", outcome.headline),
        Work::Invalid(problem) => panic!("{problem:?}"),
    }
}
