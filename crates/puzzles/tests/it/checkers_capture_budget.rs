//! Tests `checkers-capture` within limits: an outcome says when the search gave up, and its bounds are true.

use std::time::{Duration, Instant};

use tabuleiro_puzzles::input::Scanner;
use tabuleiro_puzzles::solver::{
    self, Authority, Budget, Cancel, Puzzle, Random, Solver, Stop, Verdict, Work,
};

const ALGORITHMS: [&str; 3] = ["exact", "backtracking", "tree"];

fn checkers() -> &'static dyn Solver {
    solver::find("checkers-capture").unwrap()
}

/// Makes a board with one own piece and opponents on the even rows, each missing with probability `missing`.
fn lattice(size: usize, missing: f64, seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut text = format!("{size} {size}\n");
    for row in 0..size {
        for column in (row % 2..size).step_by(2) {
            let piece = if (row, column) == (5, 7) {
                "1 "
            } else if row % 2 == 0 && !random.chance(missing) {
                "2 "
            } else {
                "0 "
            };
            text += piece;
        }
        text.push('\n');
    }
    text
}

fn puzzle(text: &str, algorithm: &str) -> Box<dyn Puzzle> {
    let mut options = solver::default_options(checkers());
    for (key, value) in [("limits", "none"), ("witness", "true"), ("algorithm", algorithm)] {
        options.set(key, value, Authority::Owner).unwrap();
    }
    let mut scanner = Scanner::new(text.as_bytes(), "t").unwrap();
    match checkers().open(&options).read(&mut scanner).unwrap().unwrap().work {
        Work::Solve(puzzle) => puzzle,
        Work::Settled(outcome) => panic!("{}", outcome.headline),
        Work::Invalid(problem) => panic!("{problem:?}"),
    }
}

fn memory(bytes: u64) -> Budget {
    Budget::new(None, None, bytes, Cancel::default())
}

#[test]
fn a_cancelled_search_returns_at_once() {
    let text = lattice(60, 0.2, 1);
    for algorithm in ALGORITHMS {
        let cancel = Cancel::default();
        cancel.cancel();
        let outcome = puzzle(&text, algorithm).solve(&Budget::new(None, None, u64::MAX, cancel));
        assert!(matches!(outcome.verdict, Verdict::Undecided { stop: Stop::Cancelled, .. }), "{algorithm}");
    }
}

#[test]
fn a_search_can_be_cancelled_while_it_runs() {
    // No search can decide this board before the cancellation, however late that comes.
    let text = lattice(400, 0.4, 1);
    for algorithm in ALGORITHMS {
        let cancel = Cancel::default();
        let puzzle = puzzle(&text, algorithm);
        let outcome = std::thread::scope(|scope| {
            let running = scope.spawn(|| puzzle.solve(&Budget::new(None, None, 256 << 20, cancel.clone())));
            cancel.cancel();
            running.join().unwrap()
        });
        let Verdict::Undecided { stop, .. } = outcome.verdict else { panic!("{}", outcome.headline) };
        assert!(matches!(stop, Stop::Cancelled | Stop::MemoryLimit), "{algorithm}: {stop:?}");
    }
}

#[test]
fn an_exhausted_time_limit_is_named_and_its_bounds_are_true() {
    let text = lattice(20, 0.1, 2);
    let answer = puzzle(&text, "exact").solve(&Budget::unlimited()).answer.as_u64().unwrap();
    for algorithm in ALGORITHMS {
        for (time, job, expected) in [(true, false, Stop::TimeLimit), (true, true, Stop::JobTimeLimit)] {
            let now = Instant::now();
            let budget = Budget::new(time.then_some(now), job.then_some(now), u64::MAX, Cancel::default());
            let outcome = puzzle(&text, algorithm).solve(&budget);
            assert!(matches!(outcome.verdict, Verdict::Undecided { stop, .. } if stop == expected));
            let (least, most) = (outcome.bounds.at_least.unwrap(), outcome.bounds.at_most.unwrap());
            assert!(least <= answer && answer <= most, "{least} {answer} {most}");
            assert_eq!(outcome.headline, format!("undecided (at least {least}, at most {most})"));
        }
    }
}

#[test]
fn time_runs_out_during_the_search() {
    let text = lattice(20, 0.1, 2);
    let answer = puzzle(&text, "exact").solve(&Budget::unlimited()).answer.as_u64().unwrap();
    for algorithm in ["backtracking", "tree"] {
        let limit = Instant::now() + Duration::from_millis(20);
        let outcome =
            puzzle(&text, algorithm).solve(&Budget::new(Some(limit), None, u64::MAX, Cancel::default()));
        assert!(
            matches!(outcome.verdict, Verdict::Undecided { stop: Stop::TimeLimit, .. }),
            "{}",
            outcome.headline
        );
        let (least, most) = (outcome.bounds.at_least.unwrap(), outcome.bounds.at_most.unwrap());
        assert!(0 < least && least <= answer && answer <= most, "{least} {answer} {most}");
    }
}

/// From no memory at all to plenty: every outcome is true, and more memory never proves less. Equal memory gives equal
/// words.
#[test]
fn a_memory_limit_gives_true_bounds_that_are_always_the_same() {
    for (size, missing) in [(14, 0.2), (20, 0.0), (20, 0.3)] {
        let text = lattice(size, missing, 3);
        let puzzle = puzzle(&text, "exact");
        let answer = puzzle.solve(&Budget::unlimited()).answer.as_u64().unwrap();
        let mut decided = false;
        for shift in 0..30 {
            let outcome = puzzle.solve(&memory(1 << shift));
            assert_eq!(outcome.to_text(), puzzle.solve(&memory(1 << shift)).to_text());
            let (least, most) = (outcome.bounds.at_least.unwrap(), outcome.bounds.at_most.unwrap());
            assert!(least <= answer && answer <= most, "{least} {answer} {most}");
            match outcome.verdict {
                Verdict::Answered => decided = true,
                Verdict::Undecided { stop, .. } => assert!(stop == Stop::MemoryLimit && !decided),
                Verdict::Invalid(_) => panic!("{}", outcome.headline),
            }
        }
        assert!(decided);
    }
}

#[test]
fn the_tree_is_charged_for_every_copy() {
    let text = lattice(16, 0.0, 4);
    let outcome = puzzle(&text, "tree").solve(&memory(4 << 20));
    assert!(
        matches!(outcome.verdict, Verdict::Undecided { stop: Stop::MemoryLimit, .. }),
        "{}",
        outcome.headline
    );
    let answer = puzzle(&text, "exact").solve(&Budget::unlimited()).answer.as_u64().unwrap();
    let (least, most) = (outcome.bounds.at_least.unwrap(), outcome.bounds.at_most.unwrap());
    assert!(0 < least && least <= answer && answer <= most);
}

/// A board far too large to decide: the bounds are still proved, and the search ends without a time limit.
#[test]
fn a_board_of_a_hundred_squares_a_side_ends_within_its_memory() {
    let outcome = puzzle(&lattice(100, 0.1, 5), "exact").solve(&memory(64 << 20));
    let (least, most) = (outcome.bounds.at_least.unwrap(), outcome.bounds.at_most.unwrap());
    println!("{}", outcome.headline);
    assert!(1000 < least && least <= most && most < 2500, "{}", outcome.headline);
}
