//! Measures what `checkers-capture` costs by board size. Prints CSV, `size,series,nanoseconds`, one line per board.
//!
//! The series are the algorithms on generated boards within the published limits, and on lattices (even rows full of
//! opponents, or 80 % or 60 % full, with one own piece in the middle). The lattice series of a published algorithm end
//! with the first size at which a board takes longer than a second. Those of `exact` go on to 400 × 400. If a board is
//! undecided after ten seconds, standard error gets its proved bounds instead of a point of the curve. Times are
//! processor times, which other programs on the machine hardly disturb; the fastest of three runs of a board counts.
//! Answers are compared across algorithms.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};
use tabuleiro_puzzles::input::Scanner;
use tabuleiro_puzzles::solver::{self, Authority, Budget, Cancel, Puzzle, Random, Verdict, Work};

const ALGORITHMS: [&str; 3] = ["exact", "backtracking", "tree"];
/// The series of a published algorithm ends with a board that takes longer than this.
const LIMIT: Duration = Duration::from_secs(1);
/// Clock time that the exact algorithm gets for a board.
const LIMIT_EXACT: Duration = Duration::from_secs(10);
/// Number of runs of one board.
const RUNS: usize = 3;
/// Memory of one run in bytes.
const MEMORY: u64 = 1 << 30;
/// Number of lattices of one size and fill.
const LATTICES: u64 = 3;
/// Number of generated boards in all.
const GENERATED: usize = 400;
/// Sides of lattices: every second one up to `SIDE_FINE_MAX`, every eighth one up to `SIDE_MAX`, then `SIDES_LARGE`.
const SIDE_FINE_MAX: usize = 48;
const SIDE_MAX: usize = 100;
const SIDES_LARGE: [usize; 4] = [140, 200, 280, 400];

fn main() {
    println!("size,series,nanoseconds");
    generated();
    for fill in [100, 80, 60] {
        lattices(fill);
    }
}

/// Measures boards as `tabuleiro generate checkers-capture` writes them. Their size is their number of squares.
fn generated() {
    let boards: Vec<(usize, String)> = {
        let solver = solver::find("checkers-capture").expect("a registered solver");
        let options = solver::Options::defaults(&[solver.generator_options()]);
        let mut random = Random::new(1);
        let drawn = (0..GENERATED).map(|_| {
            let mut file = Vec::new();
            solver.generate(&options, 1, &mut random, &mut file).expect("memory takes it all");
            let text = String::from_utf8(file).expect("digits");
            let sides: Vec<usize> =
                text.split_whitespace().take(2).map_while(|word| word.parse().ok()).collect();
            (sides[0] * sides[1], text)
        });
        drawn.collect()
    };
    let mut answers = HashMap::new();
    for algorithm in ALGORITHMS {
        for (index, (size, text)) in boards.iter().enumerate() {
            if let Ok((time, answer)) = measure(text, algorithm) {
                assert_eq!(*answers.entry(index).or_insert(answer), answer, "{algorithm}\n{text}");
                println!("{size},generated {algorithm},{}", time.as_nanos());
            }
        }
    }
}

/// Measures lattices of growing size. Their size is their number of squares.
fn lattices(fill: u64) {
    let mut answers = HashMap::new();
    for algorithm in ALGORITHMS {
        let sides = (8..=SIDE_FINE_MAX).step_by(2).chain((SIDE_FINE_MAX + 4..=SIDE_MAX).step_by(8));
        let sides = sides.chain(SIDES_LARGE);
        'sizes: for side in sides {
            let different = if fill == 100 { 1 } else { LATTICES };
            for seed in 0..different {
                let text = lattice(side, fill, seed);
                let (time, answer) = match measure(&text, algorithm) {
                    Ok(measured) => measured,
                    Err(proved) if algorithm == "exact" => {
                        eprintln!("{side} x {side}, {fill} %, board {seed}: {proved}");
                        continue;
                    }
                    Err(_) => break 'sizes,
                };
                assert_eq!(*answers.entry((side, seed)).or_insert(answer), answer, "{algorithm}\n{text}");
                println!("{},{fill} % lattice {algorithm},{}", side * side, time.as_nanos());
                if algorithm != "exact" && time > LIMIT {
                    break 'sizes;
                }
            }
        }
    }
}

fn lattice(side: usize, fill: u64, seed: u64) -> String {
    let mut random = Random::new(seed << 32 | side as u64);
    // An odd row, which is empty, next to the middle.
    let middle = side / 2 / 2 * 2 + 1;
    let mut text = format!("{side} {side}\n");
    for row in 0..side {
        for column in (row % 2..side).step_by(2) {
            text += if (row, column) == (middle, middle) {
                "1 "
            } else if row % 2 == 0 && random.below(100) < fill {
                "2 "
            } else {
                "0 "
            };
        }
        text.push('\n');
    }
    text + "0 0\n"
}

/// Returns the fastest of a few runs and the answer, or what is proved if a limit ended the first run.
fn measure(text: &str, algorithm: &str) -> Result<(Duration, u64), String> {
    let puzzle = puzzle(text, algorithm);
    let mut best: Option<(Duration, u64)> = None;
    for _ in 0..RUNS {
        // Far beyond the limit of the published algorithms, since other programs can use up most of the clock time.
        let limit = if algorithm == "exact" { LIMIT_EXACT } else { 20 * LIMIT };
        let budget = Budget::new(Some(Instant::now() + limit), None, MEMORY, Cancel::default());
        let begin = processor_time();
        let outcome = puzzle.solve(&budget);
        let time = processor_time().saturating_sub(begin);
        let Verdict::Answered = outcome.verdict else {
            return best.ok_or_else(|| outcome.headline.to_string());
        };
        let answer = outcome.answer.as_u64().expect("a number");
        best = Some((best.map_or(time, |(least, _)| least.min(time)), answer));
        // One long run is enough.
        if time > LIMIT {
            break;
        }
    }
    Ok(best.expect("a run"))
}

/// Returns the processor time of this process so far.
fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

fn puzzle(text: &str, algorithm: &str) -> Box<dyn Puzzle> {
    let solver = solver::find("checkers-capture").expect("a registered solver");
    let mut options = solver::default_options(solver);
    for (key, value) in [("limits", "none"), ("algorithm", algorithm)] {
        options.set(key, value, Authority::Owner).expect("an option of the solver");
    }
    let mut scanner = Scanner::new(text.as_bytes(), "lattice").expect("memory can be read");
    let entry = solver.open(&options).read(&mut scanner).expect("memory can be read");
    match entry.expect("a board").work {
        Work::Solve(puzzle) => puzzle,
        Work::Settled(outcome) => panic!("{}", outcome.headline),
        Work::Invalid(problem) => panic!("{problem:?}"),
    }
}
