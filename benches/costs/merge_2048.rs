//! Measures what `2048-merge` costs by number of tiles. Prints CSV, `size,series,nanoseconds,sample,answer`, one line
//! per case and algorithm. The size is the number of tiles.
//!
//! - `4 x 4`: boards of 4 × 4 with 2 to 16 tiles; `full`: boards of 2 × 2 to 9 × 9 without an empty square. The
//!   generator makes both.
//! - A series ends after the first number of tiles with a case that takes longer than [`LIMIT`], or before the first
//!   one with a case that hits a limit of its budget.
//!
//! Times are processor times, which other programs on the machine hardly disturb; the fastest of a few runs of a case
//! counts. The answers of all algorithms are compared. `cargo bench --bench merge_2048` measures memory and larger
//! boards.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};
use tabuleiro_puzzles::input::Scanner;
use tabuleiro_puzzles::solver::{
    self, Authority, Budget, Cancel, Options, Puzzle, Random, Solver, Verdict, Work,
};

const ALGORITHMS: [&str; 3] = ["shortest", "breadth-first", "depth-first"];
/// A series ends with a case that takes longer than this.
const LIMIT: Duration = Duration::from_secs(2);
/// A run is abandoned after this many limits of clock time, since other programs can use up most of that time.
const GRACE: u32 = 10;
/// Memory for one case, in bytes.
const MEMORY: u64 = 1 << 30;
/// Number of runs of one case.
const RUNS: usize = 3;
/// Number of cases for each number of tiles.
const CASES: u64 = 10;
/// Sides of full boards.
const SIDES: std::ops::RangeInclusive<u64> = 2..=9;

fn main() {
    println!("size,series,nanoseconds,sample,answer");
    let sparse: Vec<(u64, u64)> = (2..=16).map(|tiles| (4, tiles)).collect();
    let full: Vec<(u64, u64)> = SIDES.map(|side| (side, side * side)).collect();
    for (name, boards) in [("4 x 4", sparse), ("full", full)] {
        let mut answers = HashMap::new();
        for algorithm in ALGORITHMS {
            series(name, &boards, algorithm, &mut answers);
        }
    }
}

/// Measures cases of growing numbers of tiles until one takes too long.
fn series(name: &str, boards: &[(u64, u64)], algorithm: &str, answers: &mut HashMap<(u64, u64), String>) {
    for &(side, tiles) in boards {
        // Prints a number of tiles only when all its cases are done, because those done first would be the easier ones.
        let (mut lines, mut slow) = (String::new(), false);
        for (sample, puzzle) in (0..).zip(cases(side, tiles, algorithm)) {
            let Some((time, answer)) = measure(puzzle.as_ref()) else { return };
            let known = answers.entry((tiles, sample)).or_insert_with(|| answer.clone());
            assert_eq!(*known, answer, "{algorithm}, case {sample} of {side} x {side} with {tiles} tiles");
            lines += &format!("{tiles},{name} {algorithm},{},{sample},{answer}\n", time.as_nanos());
            slow |= time > LIMIT;
        }
        print!("{lines}");
        if slow {
            return;
        }
    }
}

/// Returns the fastest of a few runs and the answer. `None` if a limit ended a run.
fn measure(puzzle: &dyn Puzzle) -> Option<(Duration, String)> {
    let mut best: Option<(Duration, String)> = None;
    for _ in 0..RUNS {
        let budget = Budget::new(Some(Instant::now() + GRACE * LIMIT), None, MEMORY, Cancel::default());
        let begin = processor_time();
        let outcome = std::hint::black_box(puzzle).solve(&budget);
        let time = processor_time().saturating_sub(begin);
        let Verdict::Answered = outcome.verdict else { return None };
        let least = best.map_or(time, |(least, _)| least.min(time));
        best = Some((least, outcome.headline.into()));
        // One long run is enough.
        if time > LIMIT / 10 {
            break;
        }
    }
    best
}

/// Returns the processor time of this process so far.
fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32)
}

fn merge() -> &'static dyn Solver {
    solver::find("2048-merge").expect("a registered solver")
}

/// Makes cases as `tabuleiro generate 2048-merge` does.
fn cases(side: u64, tiles: u64, algorithm: &str) -> Vec<Box<dyn Puzzle>> {
    let mut options = Options::defaults(&[merge().generator_options()]);
    for (key, value) in [("size", side), ("tiles", tiles)] {
        options.set(key, &value.to_string(), Authority::Owner).expect("an option of the generator");
    }
    let mut file = Vec::new();
    merge().generate(&options, CASES, &mut Random::new(1), &mut file).expect("memory takes it all");
    let mut options = solver::default_options(merge());
    options.set("algorithm", algorithm, Authority::Owner).expect("an option of the solver");
    let mut scanner = Scanner::new(&file[..], "bench").expect("memory can be read");
    let mut reader = merge().open(&options);
    let mut puzzles = Vec::new();
    while let Some(entry) = reader.read(&mut scanner).expect("memory can be read") {
        match entry.work {
            Work::Solve(puzzle) => puzzles.push(puzzle),
            Work::Settled(outcome) => panic!("{}", outcome.headline),
            Work::Invalid(problem) => panic!("{problem:?}"),
        }
    }
    assert_eq!(puzzles.len() as u64, CASES);
    puzzles
}
