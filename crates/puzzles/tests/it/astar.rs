//! Tests `2048-astar` against its page: replayed paths, brute force, limits, and inputs of every kind.
//!
//! The tests restate the rules on plain values and share no code with the solver.

mod goals;
mod reading;
mod rules;

use std::time::Instant;

use tabuleiro_puzzles::input::Scanner;
use tabuleiro_puzzles::solver::{
    self, Authority, Budget, Cancel, Options, Outcome, Random, Solver, Stop, Verdict, Work,
};

use rules::{Grid, Published, check_path, fewest_moves, published_search, row_of};

const START: &str = "4\n0 0 0 2\n0 0 0 0\n0 0 0 0\n0 0 0 0\n";

fn astar() -> &'static dyn Solver {
    solver::find("2048-astar").unwrap()
}

fn options(set: &[(&str, &str)]) -> Options {
    let mut options = solver::default_options(astar());
    for (name, value) in set {
        options.set(name, value, Authority::Owner).unwrap();
    }
    options
}

fn outcomes(text: &[u8], set: &[(&str, &str)]) -> Vec<Outcome> {
    crate::answer_all(astar(), &options(set), "entrada.txt", text)
}

/// Returns the only outcome of `text`.
fn outcome(text: &str, set: &[(&str, &str)]) -> Outcome {
    let mut outcomes = outcomes(text.as_bytes(), set);
    assert_eq!(outcomes.len(), 1, "{text}");
    outcomes.pop().unwrap()
}

/// Returns the outcome of the first puzzle of `text` within `budget`.
fn within(text: &str, set: &[(&str, &str)], budget: &Budget) -> Outcome {
    let mut scanner = Scanner::new(text.as_bytes(), "t").unwrap();
    match astar().open(&options(set)).read(&mut scanner).unwrap().unwrap().work {
        Work::Solve(puzzle) => puzzle.solve(budget),
        Work::Invalid(problem) => Outcome::invalid("board", *problem, scanner.name()),
        Work::Settled(outcome) => *outcome,
    }
}

fn small_memory(bytes: u64) -> Budget {
    Budget::new(None, None, bytes, Cancel::default())
}

/// Makes a random grid with values below the goal and some blank squares.
fn random_grid(random: &mut Random, size: usize, goal: u64, blank_percent: u64) -> Grid {
    let ranks = u64::from(goal.trailing_zeros()) - 1;
    let mut value = || if random.below(100) < blank_percent { 0 } else { 2 << random.below(ranks) };
    (0..size).map(|_| (0..size).map(|_| value()).collect()).collect()
}

fn text_of(grid: &Grid) -> String {
    let rows: String = grid.iter().map(|row| row_of(row) + "\n").collect();
    format!("{}\n{rows}", grid.len())
}

/// Checks everything about an outcome that must hold for any algorithm, against the true answer.
fn check_against(grid: &Grid, goal: u64, expected: Option<u64>, outcome: &Outcome, shortest: bool) {
    let context = format!("goal {goal}\n{}{}", text_of(grid), outcome.headline);
    let Some(expected) = expected else {
        assert_eq!(outcome.headline, "unsolvable", "{context}");
        return;
    };
    let path = check_path(grid, goal, &outcome.to_text());
    assert!(path.at_least <= expected && expected <= path.moves, "{context}");
    assert_eq!(path.minimum, path.moves == path.at_least, "{context}");
    assert!(!shortest || path.minimum, "{context}");
    assert_eq!(outcome.bounds.at_least, Some(path.at_least));
    assert_eq!(outcome.bounds.at_most, Some(path.moves));
}

#[test]
fn brute_force_agrees_on_every_small_2x2_board() {
    for index in 0..5_usize.pow(4) {
        let values: Vec<u64> =
            (0..4).map(|square| [0, 2, 4, 8, 16][index / 5_usize.pow(square) % 5]).collect();
        let grid: Grid = values.chunks(2).map(<[u64]>::to_vec).collect();
        for goal in [4_u64, 8, 16, 32] {
            let expected = fewest_moves(&grid, goal);
            for algorithm in ["shortest", "left-weighted", "distance-weighted"] {
                let set = [("goal", &*goal.to_string()), ("algorithm", algorithm)];
                let found = outcome(&text_of(&grid), &set);
                check_against(&grid, goal, expected, &found, algorithm == "shortest");
            }
        }
    }
}

#[test]
fn brute_force_agrees_on_random_boards() {
    let mut random = Random::new(11);
    let (mut solvable, mut unsolvable) = (0, 0);
    for round in 0..1500 {
        let size = 2 + round % 3;
        let goal = 8 << random.below(if size == 3 { 3 } else { 2 });
        let blank_percent = random.between(0, 60);
        let grid = random_grid(&mut random, size, goal, blank_percent);
        let expected = fewest_moves(&grid, goal);
        *(if expected.is_some() { &mut solvable } else { &mut unsolvable }) += 1;
        let found = outcome(&text_of(&grid), &[("goal", &goal.to_string())]);
        check_against(&grid, goal, expected, &found, true);
    }
    assert!(solvable > 300 && unsolvable > 100, "{solvable} solvable, {unsolvable} not");
}

/// Checks the fewest moves for every form of board used in production (4 × 4 in one word, larger boards as rows) and
/// for the published goals. The tiles are large, so a few moves decide, and a search on plain values can list them all.
#[test]
fn shortest_is_minimal_on_boards_of_all_sizes() {
    let mut random = Random::new(14);
    let mut longest = 0;
    let mut solved = [0; 4];
    for round in 0..600 {
        let (at, size) = (round % 4, 4 + round % 4);
        let goal = [512, 2048, 65_536][random.below(3) as usize];
        let mut grid = random_grid(&mut random, size, 16, [30, 50, 65, 80][at]);
        for value in grid.iter_mut().flatten().filter(|value| **value > 2) {
            *value *= goal / 16;
        }
        let Some(expected) = rules::fewest_moves_within(&grid, goal, 6) else { continue };
        let found = outcome(&text_of(&grid), &[("goal", &goal.to_string())]);
        check_against(&grid, goal, Some(expected), &found, true);
        longest = longest.max(expected);
        solved[at] += usize::from(expected > 1);
    }
    assert!(longest > 3 && solved.iter().all(|&count| count > 20), "{solved:?}, {longest}");
}

/// A goal beyond 2^16 uses the general board. The tiles are large, so that spawned twos are only obstacles and a few
/// moves decide.
#[test]
fn the_general_board_agrees_with_brute_force_too() {
    let mut random = Random::new(12);
    for _ in 0..200 {
        let goal = 1 << 40;
        let blank_percent = random.between(20, 70);
        let mut grid = random_grid(&mut random, 3, 8, blank_percent);
        for value in grid.iter_mut().flatten() {
            *value <<= 37;
        }
        let Some(expected) = rules::fewest_moves_within(&grid, goal, 5) else { continue };
        let found = outcome(&text_of(&grid), &[("goal", &goal.to_string())]);
        check_against(&grid, goal, Some(expected), &found, true);
    }
}

#[test]
fn the_published_searches_are_those_of_the_page() {
    let mut random = Random::new(13);
    for round in 0..300 {
        let size = 2 + round % 3;
        let goal = if size == 4 { 64 } else { 16 };
        let grid = match round {
            2 => vec![vec![0, 0, 0, 2], vec![0; 4], vec![0; 4], vec![0; 4]],
            _ => random_grid(&mut random, size, goal, 60),
        };
        for algorithm in ["left-weighted", "distance-weighted"] {
            let expected = published_search(&grid, goal, algorithm, 20_000);
            if matches!(expected, Published::TooLong) {
                continue;
            }
            let set = [("goal", &*goal.to_string()), ("algorithm", algorithm)];
            let found = outcome(&text_of(&grid), &set);
            match expected {
                Published::TooLong => {}
                Published::Unsolvable => assert_eq!(found.headline, "unsolvable"),
                Published::Path(boards) => {
                    assert_eq!(check_path(&grid, goal, &found.to_text()).boards, boards);
                }
            }
        }
    }
}

#[test]
fn the_published_case_takes_three_moves() {
    let text = "4\n256 8 0 2\n256 8 16 2\n512 4 0 0\n1024 0 0 0\n";
    let found = outcome(text, &[("witness", "true")]);
    assert_eq!((found.headline.as_str(), found.answer["moves"].as_u64()), ("3 moves", Some(3)));
    assert_eq!(found.witness.as_str().map(str::len), Some(3));
    let grid = vec![vec![256, 8, 0, 2], vec![256, 8, 16, 2], vec![512, 4, 0, 0], vec![1024, 0, 0, 0]];
    let path = check_path(&grid, 2048, &found.to_text());
    assert!(path.minimum && path.moves == 3);
    // The source's own path has the same length and obeys the same rules.
    let published = "Minimum number of moves: 3\n4\n256 8 0 2\n256 8 16 2\n512 4 0 0\n1024 0 0 0\n\
                     4\n0 0 0 2\n512 0 0 0\n512 16 0 0\n1024 4 16 4\n\
                     4\n0 0 0 2\n0 0 0 0\n1024 16 0 2\n1024 4 16 4\n\
                     4\n0 0 0 2\n0 0 0 0\n0 16 0 4\n2048 4 16 4\n";
    assert_eq!(check_path(&grid, 2048, published).moves, 3);
}

#[test]
fn a_witness_is_the_swipes_of_the_printed_path() {
    let mut random = Random::new(14);
    for _ in 0..50 {
        let grid = random_grid(&mut random, 3, 32, 40);
        let found = outcome(&text_of(&grid), &[("goal", "32"), ("witness", "true")]);
        let Some(letters) = found.witness.as_str() else { continue };
        let path = check_path(&grid, 32, &found.to_text());
        let mut board = grid;
        for (letter, expected) in letters.chars().zip(&path.boards[1..]) {
            board = rules::swipe(&board, letter).unwrap();
            assert_eq!(&board, expected);
        }
        assert_eq!(letters.len() as u64, path.moves);
    }
}

#[test]
fn a_cancelled_search_returns_at_once() {
    let cancel = Cancel::default();
    cancel.cancel();
    for algorithm in ["shortest", "left-weighted", "distance-weighted"] {
        let budget = Budget::new(None, None, u64::MAX, cancel.clone());
        let found = within(START, &[("goal", "65536"), ("algorithm", algorithm)], &budget);
        assert!(matches!(found.verdict, Verdict::Undecided { stop: Stop::Cancelled, .. }), "{algorithm}");
        assert_eq!(found.headline, "undecided (at least 32782 moves)");
    }
}

#[test]
fn a_search_without_end_is_ended_by_another_thread() {
    let text = text_of(&vec![vec![2; 8]; 8]);
    for algorithm in ["shortest", "left-weighted", "distance-weighted"] {
        let cancel = Cancel::default();
        let set = [("goal", "1152921504606846976"), ("algorithm", algorithm)];
        let found = std::thread::scope(|scope| {
            let search =
                scope.spawn(|| within(&text, &set, &Budget::new(None, None, u64::MAX, cancel.clone())));
            cancel.cancel();
            search.join().unwrap()
        });
        assert!(matches!(found.verdict, Verdict::Undecided { stop: Stop::Cancelled, .. }), "{algorithm}");
    }
}

#[test]
fn an_exhausted_time_limit_is_named_with_the_bound() {
    let now = Some(Instant::now());
    for (budget, stop) in [
        (Budget::new(now, None, u64::MAX, Cancel::default()), Stop::TimeLimit),
        (Budget::new(None, now, u64::MAX, Cancel::default()), Stop::JobTimeLimit),
    ] {
        let found = within(START, &[], &budget);
        assert!(matches!(found.verdict, Verdict::Undecided { stop: found, .. } if found == stop));
        assert_eq!(found.to_text(), "undecided (at least 1033 moves)\n");
        assert_eq!((found.bounds.at_least, found.bounds.at_most), (Some(1033), None));
    }
}

#[test]
fn answers_that_need_no_search_need_no_time() {
    let budget = Budget::new(Some(Instant::now()), None, 0, Cancel::default());
    assert_eq!(within("2\n2048 0\n0 0\n", &[], &budget).headline, "0 moves");
    assert_eq!(within("2\n0 2\n0 0\n", &[], &budget).headline, "unsolvable");
}

#[test]
fn a_small_memory_limit_never_disguises_an_answer() {
    let mut random = Random::new(15);
    let mut undecided = 0;
    for round in 0..200 {
        let grid = random_grid(&mut random, 3, 64, 50);
        let expected = fewest_moves(&grid, 64);
        for bytes in [0, 2_000, 20_000, 100_000] {
            let algorithm = ["shortest", "left-weighted"][round % 2];
            let set = [("goal", "64"), ("algorithm", algorithm)];
            let budget = small_memory(bytes);
            let found = within(&text_of(&grid), &set, &budget);
            assert_eq!(budget.memory_bytes_left(), bytes, "all is given back");
            match found.verdict {
                Verdict::Undecided { stop, .. } => {
                    undecided += 1;
                    assert_eq!(stop, Stop::MemoryLimit);
                    let at_least = found.bounds.at_least.unwrap();
                    assert!(expected.is_none_or(|expected| at_least <= expected));
                    let moves = if at_least == 1 { "move" } else { "moves" };
                    assert_eq!(found.headline, format!("undecided (at least {at_least} {moves})"));
                }
                _ => check_against(&grid, 64, expected, &found, false),
            }
        }
    }
    assert!(undecided > 100, "{undecided}");
}

#[test]
fn large_boards_within_little_memory_keep_honest_bounds() {
    let mut random = Random::new(16);
    for _ in 0..3 {
        let grid = random_grid(&mut random, 5, 64, 60);
        let exact = outcome(&text_of(&grid), &[("goal", "256")]);
        let expected = exact.bounds.at_most.expect("such boards are easy");
        assert!(check_path(&grid, 256, &exact.to_text()).minimum);
        for bytes in [0, 10_000, 100_000, 1 << 20] {
            let found = within(&text_of(&grid), &[("goal", "256")], &small_memory(bytes));
            match found.verdict {
                Verdict::Undecided { stop: Stop::MemoryLimit, .. } => {
                    assert!(found.bounds.at_least <= Some(expected));
                }
                _ => check_against(&grid, 256, Some(expected), &found, false),
            }
        }
    }
}

#[test]
fn answers_do_not_depend_on_chance() {
    let mut text = Vec::new();
    let options = Options::defaults(&[astar().generator_options()]);
    astar().generate(&options, 3, &mut Random::new(3), &mut text).unwrap();
    for algorithm in ["shortest", "left-weighted"] {
        let set = [("goal", "256"), ("algorithm", algorithm)];
        let texts = || outcomes(&text, &set).iter().map(Outcome::to_text).collect::<Vec<_>>();
        assert_eq!(texts(), texts());
    }
}

#[test]
fn generated_boards_are_those_of_the_swipes() {
    let generator = |set: &[(&str, &str)], seed| {
        let mut options = Options::defaults(&[astar().generator_options()]);
        for (name, value) in set {
            options.set(name, value, Authority::Owner).unwrap();
        }
        let mut text = Vec::new();
        astar().generate(&options, 20, &mut Random::new(seed), &mut text).unwrap();
        String::from_utf8(text).unwrap()
    };
    assert_eq!(generator(&[], 1), generator(&[], 1));
    assert_ne!(generator(&[], 1), generator(&[], 2));
    let text = generator(&[("moves", "7"), ("size", "5")], 1);
    for board in text.split("5\n").skip(1) {
        let sum: u64 = board.split_whitespace().map(|value| value.parse::<u64>().unwrap()).sum();
        assert_eq!(sum, 2 + 2 * 7);
    }
    assert_eq!(outcomes(generator(&[], 1).as_bytes(), &[("goal", "4")]).len(), 20);
    assert_eq!(generator(&[("size", "4"), ("moves", "0")], 1), START.repeat(20));
}
