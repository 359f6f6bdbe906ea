//! Repeats the published experiment with the jump game: the breadth-first search on square boards from 2 × 2 to 256 ×
//! 256, in the worst case and on random games, with and without stopping early. The fast search runs for comparison.
//!
//! Prints CSV, `size,series,nanoseconds,sample,answer`, one line per board and search. The size is the number of rows
//! and of columns. A series is `worst` or `random`, the algorithm, and whether it stops early. The time is the least
//! processor time of several runs, without reading the file. The answer, `B 4` or `SEM VENCEDORES`, must be the same
//! for every search.
//!
//! A number after `--` ends the series at boards of that size: `cargo bench --bench jump_cost -- 64`.
//!
//! **The worst case.** The search examines every square in reach of every visited square. So on the worst board all
//! squares are visited, every jump reaches as much as it can, and nobody wins, because a winner would stop the search.
//! From a square at distance d of the goal, a jump of d, d + 2, … wins. So a square at even distance gets an odd number
//! longer than the board: it reaches all squares at odd distance, which are half the board, and not the goal. A square
//! at odd distance d gets d − 2, the longest jump that leads to the other half and falls short of the goal; without it,
//! the other half would not be visited. If d is 1, the number is 2. That board makes about 3/8 (N·M)² examinations; no
//! board can make more than 1/2 (N·M)².

use std::io::Write as _;
use std::sync::Arc;
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};
use tabuleiro_puzzles::input::Scanner;
use tabuleiro_puzzles::solver::{
    self, Authority, Budget, Options, Outcome, Puzzle, Random, Solver, Verdict, Work,
};

/// Sides of the boards.
const SIDES: [u64; 8] = [2, 4, 8, 16, 32, 64, 128, 256];

/// Number of random games of each size.
const SAMPLES: u64 = 10;

/// Number of players of a random game.
const PLAYERS: u64 = 4;

/// Total time of the runs of a search, and number of runs, after which it is not run again.
const TIME_MAX: Duration = Duration::from_millis(200);
const RUNS_MAX: u32 = 20;

fn main() {
    // Cargo adds the argument --bench.
    let side_max = std::env::args().skip(1).find_map(|argument| argument.parse().ok()).unwrap_or(u64::MAX);
    println!("size,series,nanoseconds,sample,answer");
    for side in SIDES.into_iter().filter(|&side| side <= side_max) {
        measure(side, "worst", 0, &worst_game(side));
        for sample in 0..SAMPLES {
            measure(side, "random", sample, &random_game(side, sample));
        }
    }
}

/// Runs all searches on a game and prints a line for each.
fn measure(side: u64, case: &str, sample: u64, game: &str) {
    let searches = [
        ("fast", "true", "fast"),
        ("breadth-first", "true", "stopping early"),
        ("breadth-first", "false", "breadth-first"),
    ];
    let mut expected = None;
    for (algorithm, early_stop, name) in searches {
        let puzzle = read(game, algorithm, early_stop);
        let (time, outcome) = least_time(puzzle.as_ref());
        assert!(matches!(outcome.verdict, Verdict::Answered), "{}", outcome.headline);
        let answer = expected.get_or_insert_with(|| outcome.headline.clone());
        assert_eq!(*answer, outcome.headline, "{algorithm} {early_stop}\n{game}");
        println!("{side},{case} {name},{},{sample},{answer}", time.as_nanos());
    }
    // Flushed, so that no measurement is lost if the series is interrupted.
    std::io::stdout().flush().expect("standard output takes it");
}

fn least_time(puzzle: &dyn Puzzle) -> (Duration, Outcome) {
    let budget = Budget::unlimited();
    let began = processor_time();
    let mut least: Option<Duration> = None;
    let mut runs = 0;
    loop {
        let run = processor_time();
        let outcome = std::hint::black_box(puzzle).solve(&budget);
        let time = processor_time() - run;
        least = Some(least.map_or(time, |least| least.min(time)));
        runs += 1;
        if runs == RUNS_MAX || processor_time() - began > TIME_MAX {
            return (least.unwrap_or(time), outcome);
        }
    }
}

/// Returns the processor time of this thread.
fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32)
}

fn jump_game() -> &'static dyn Solver {
    solver::find("jump-game").expect("a registered solver")
}

fn read(game: &str, algorithm: &str, early_stop: &str) -> Box<dyn Puzzle> {
    let mut options = solver::default_options(jump_game());
    // Measures one search only.
    let settings = [("algorithm", algorithm), ("early_stop", early_stop), ("compare_rules", "false")];
    for (key, value) in settings {
        options.set(key, value, Authority::Owner).expect("an option of the solver");
    }
    let mut scanner = Scanner::new(game.as_bytes(), "experiment").expect("memory can be read");
    let entry = jump_game().open(&options).read(&mut scanner).expect("memory can be read");
    match entry.expect("a game").work {
        Work::Solve(puzzle) => puzzle,
        Work::Settled(outcome) => panic!("{}", outcome.headline),
        Work::Invalid(problem) => panic!("{problem:?}"),
    }
}

/// Makes the board on which the published search examines the most squares, with a player in the first corner.
fn worst_game(side: u64) -> String {
    let beyond = 2 * side + 1;
    let mut game = format!("{side} {side}\n1\n");
    for row in 0..side {
        for column in 0..side {
            let value = match (side - 1 - row) + (side - 1 - column) {
                even if even % 2 == 0 => beyond,
                1 => 2,
                odd => odd - 2,
            };
            game += &format!("{value} ");
        }
        game += "\n";
    }
    game + "0 0\n"
}

/// Makes a game as the generator does.
fn random_game(side: u64, sample: u64) -> String {
    let mut options = Options::defaults(&[jump_game().generator_options()]);
    for (key, value) in [("rows", side), ("columns", side), ("players", PLAYERS)] {
        options.set(key, &value.to_string(), Authority::Owner).expect("an option of the generator");
    }
    let mut text = Vec::new();
    let mut random = Random::new(sample);
    jump_game().generate(&options, 1, &mut random, &mut text).expect("memory takes it all");
    String::from_utf8(text).expect("numbers")
}
