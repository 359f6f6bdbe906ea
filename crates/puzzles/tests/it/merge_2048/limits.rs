//! Tests answers under limits: bounds hold, memory is given back, and a search ends at once.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tabuleiro_puzzles::input::Scanner;
use tabuleiro_puzzles::solver::{
    Budget, Cancel, Charge, FREE_BYTES, Merge2048, Outcome, Permits, Solver, Stop, Verdict, Work,
};

use super::reading::read_all;
use super::{Case, answers, check, file, generated, options, outcomes, parse, slide, tiles};

const ALGORITHMS: [&str; 3] = ["shortest", "breadth-first", "depth-first"];

/// Solves the only case of `text` within `budget`.
fn solve_within(text: &str, algorithm: &str, budget: &Budget) -> Outcome {
    let mut scanner = Scanner::new(text.as_bytes(), "t").unwrap();
    let mut reader = Merge2048.open(&options(&[("algorithm", algorithm), ("witness", "true")]));
    match reader.read(&mut scanner).unwrap().unwrap().work {
        Work::Solve(puzzle) => puzzle.solve(budget),
        Work::Invalid(problem) => Outcome::invalid("case", *problem, scanner.name()),
        Work::Settled(outcome) => *outcome,
    }
}

fn assert_undecided(outcome: &Outcome, expected: Stop, true_answer: Option<u64>) {
    assert!(matches!(outcome.verdict, Verdict::Undecided { stop, .. } if stop == expected), "{outcome:?}");
    let bounds = outcome.bounds;
    let least = bounds.at_least.unwrap();
    let text = match bounds.at_most {
        Some(most) => format!("undecided (at least {least}, at most {most})\n"),
        None => format!("undecided (at least {least})\n"),
    };
    assert_eq!(outcome.to_text(), text);
    assert!(least > 0);
    if let Some(answer) = true_answer {
        assert!(least <= answer && bounds.at_most.is_none_or(|most| answer <= most), "{outcome:?}");
    }
}

#[test]
fn a_limit_gives_bounds_that_hold() {
    let text = generated(30, 10, &[("size", "5"), ("tiles", "22")]);
    for case in parse(&text) {
        let text = file(std::slice::from_ref(&case));
        let answer = answers(std::slice::from_ref(&case), "shortest")[0];
        if answer.is_none() {
            continue;
        }
        for algorithm in ALGORITHMS {
            let cancel = Cancel::default();
            cancel.cancel();
            let budget = Budget::new(None, None, u64::MAX, cancel);
            assert_undecided(&solve_within(&text, algorithm, &budget), Stop::Cancelled, answer);
            let now = Some(Instant::now());
            let budget = Budget::new(now, None, u64::MAX, Cancel::default());
            assert_undecided(&solve_within(&text, algorithm, &budget), Stop::TimeLimit, answer);
            let budget = Budget::new(None, now, u64::MAX, Cancel::default());
            assert_undecided(&solve_within(&text, algorithm, &budget), Stop::JobTimeLimit, answer);
        }
        for memory in [100, 1000, 10_000, 30_000, 100_000] {
            let budget = Budget::new(None, None, memory, Cancel::default());
            for algorithm in ["shortest", "breadth-first"] {
                let outcome = solve_within(&text, algorithm, &budget);
                if matches!(outcome.verdict, Verdict::Answered) {
                    assert_eq!(check(&case, &outcome), answer);
                } else {
                    assert_undecided(&outcome, Stop::MemoryLimit, answer);
                }
                assert_eq!(budget.memory_bytes_left(), memory, "all memory is given back");
            }
        }
    }
}

#[test]
fn a_memory_limit_after_the_beam_leaves_both_bounds() {
    let text = generated(20, 11, &[("size", "6"), ("tiles", "30")]);
    let mut both = 0;
    for case in parse(&text) {
        let budget = Budget::new(None, None, 150_000, Cancel::default());
        let outcome = solve_within(&file(std::slice::from_ref(&case)), "shortest", &budget);
        if matches!(outcome.verdict, Verdict::Undecided { .. }) {
            let answer = answers(std::slice::from_ref(&case), "shortest")[0];
            assert_undecided(&outcome, Stop::MemoryLimit, answer);
            let Some(most) = outcome.bounds.at_most else { continue };
            // The witness shows the slides of the upper bound.
            let slides: Vec<&str> =
                outcome.witness.as_array().unwrap().iter().map(|slide| slide.as_str().unwrap()).collect();
            let last =
                slides.iter().fold(case.rows.clone(), |rows, letter| slide(&rows, letter.parse().unwrap()));
            assert_eq!((slides.len() as u64, tiles(&last)), (most, 1), "{text}{slides:?}");
            both += 1;
        }
    }
    assert!(both > 0);
}

/// The depth-first search may go round in circles for M slides; only its limits end it.
#[test]
fn going_round_in_circles_ends_by_memory() {
    let text = format!("1\n3 {}\n2 4 8\n16 32 64\n2 0 0\n", u64::MAX);
    let settings = [("limits", "none"), ("algorithm", "depth-first")];
    let budget = Budget::new(None, None, 200_000, Cancel::default());
    let Some(Work::Solve(puzzle)) = read_all(text.as_bytes(), &settings).pop() else {
        panic!("no valid case in {text}");
    };
    assert_undecided(&puzzle.solve(&budget), Stop::MemoryLimit, None);
    assert_eq!(budget.memory_bytes_left(), 200_000);
}

/// Depth-first search would try at least 4^13 slides, so it is certainly running when it is cancelled.
#[test]
fn a_running_search_is_cancelled() {
    let cases = parse(&generated(10, 12, &[("size", "5"), ("tiles", "22")]));
    let answer = |case: &Case| answers(std::slice::from_ref(case), "shortest")[0];
    let case = cases.iter().find(|case| answer(case) >= Some(14)).unwrap();
    let cancel = Cancel::default();
    let outcome = std::thread::scope(|scope| {
        let search = scope.spawn(|| {
            let budget = Budget::new(None, None, u64::MAX, cancel.clone());
            solve_within(&file(std::slice::from_ref(case)), "depth-first", &budget)
        });
        cancel.cancel();
        search.join().unwrap()
    });
    assert_undecided(&outcome, Stop::Cancelled, answer(case));
}

#[test]
fn what_needs_no_search_needs_no_budget() {
    let none = Budget::new(Some(Instant::now()), None, 0, Cancel::default());
    for algorithm in ALGORITHMS {
        assert_eq!(solve_within("1\n2 5\n0 0\n0 2\n", algorithm, &none).to_text(), "0\n");
        assert_eq!(solve_within("1\n2 5\n2 4\n0 0\n", algorithm, &none).to_text(), "no solution\n");
        // Sixteen equal tiles need four slides wherever they stand.
        let full = "1\n4 3\n2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2\n";
        assert_eq!(solve_within(full, algorithm, &none).to_text(), "no solution\n");
    }
}

#[test]
fn a_board_beyond_the_memory_limit_is_undecided_and_the_next_one_read() {
    let size = 400;
    let mut rows = vec![vec![0; size]; size];
    rows[0][0] = 2;
    rows[0][399] = 2;
    let big = Case { moves_max: 50, rows };
    let mut far = big.clone();
    far.rows[0][399] = 4;
    let mut full = big.clone();
    full.rows = vec![vec![1; size]; size];
    full.rows[7][7] = 160_000 * 3;
    let one = Case { moves_max: 50, rows: vec![vec![0, 0], vec![0, 9]] };
    let text = file(&[big.clone(), far, full, one.clone(), big.clone(), one]);
    let settings = [("limits", "none"), ("memory_limit", "1MiB")];
    let found: String = outcomes(&text, &settings).iter().map(Outcome::to_text).collect();
    assert_eq!(found, "undecided (at least 1)\nno solution\nno solution\n0\nundecided (at least 1)\n0\n");
    let found = outcomes(&file(&[big]), &[("limits", "none")]);
    assert_eq!(found[0].to_text(), "1\n");
}

#[test]
fn an_endless_supply_of_slides_ends() {
    let stuck = Case::new(50, &[&[2, 4, 8], &[16, 32, 64], &[2, 0, 0]]);
    let text = file(&[stuck]).replace("3 50", "3 18446744073709551615");
    for algorithm in ["shortest", "breadth-first"] {
        let found = outcomes(&text, &[("limits", "none"), ("algorithm", algorithm)]);
        assert_eq!(found[0].to_text(), "no solution\n");
    }
    let text = text.replace("64", "62").replace("2 0 0", "0 2 0");
    let found = outcomes(&text, &[("limits", "none"), ("algorithm", "depth-first")]);
    assert_eq!(found[0].to_text(), "no solution\n");
}

/// Checks that the solver asks the budget every 20,000 squares; it once did so only once per board.
#[test]
fn boards_of_a_thousand_a_side_ask_often_enough() {
    let size = 1024;
    let text = format!("1\n{size} 30\n{}", format!("{}\n", "2 ".repeat(size)).repeat(size));
    for (algorithm, looks_min) in [("shortest", 6_600), ("breadth-first", 50_000)] {
        let budget = Budget::new(None, None, 64 << 20, Cancel::default());
        let Some(Work::Solve(puzzle)) =
            read_all(text.as_bytes(), &[("limits", "none"), ("algorithm", algorithm), ("witness", "true")])
                .pop()
        else {
            panic!("a board of {size} is no case");
        };
        let outcome = puzzle.solve(&budget);
        assert!(budget.checks() >= looks_min, "{algorithm}: {} looks, {}", budget.checks(), outcome.headline);
    }
}

/// Refuses each question in turn. If only the slides can no longer be found, the known answer stays and is printed
/// without them.
#[test]
fn an_answer_is_not_lost_with_its_slides() {
    let case = parse(&generated(1, 3, &[("size", "5"), ("tiles", "14")])).remove(0);
    let text = file(std::slice::from_ref(&case));
    for algorithm in ["shortest", "breadth-first"] {
        let free = Budget::failing_at(u64::MAX, Stop::TimeLimit);
        let whole = solve_within(&text, algorithm, &free);
        let Some(answer) = check(&case, &whole) else { panic!("{text} has no solution") };
        let mut without = 0;
        for number in (1..=free.requests()).rev().take(200) {
            let outcome = solve_within(&text, algorithm, &Budget::failing_at(number, Stop::TimeLimit));
            if !matches!(outcome.verdict, Verdict::Answered) {
                assert_undecided(&outcome, Stop::TimeLimit, Some(answer));
            } else if outcome.witness.is_null() {
                assert_eq!(outcome.to_text(), format!("{answer}\n"));
                without += 1;
            } else {
                assert_eq!(outcome.to_text(), whole.to_text());
            }
        }
        assert!(without > 0, "{algorithm}: the slides asked nothing in {} questions", free.requests());
    }
}

/// In a depth-first search, a solution with as few slides as the tiles need wherever they stand cannot be beaten. It is
/// the answer as soon as it is found, whatever ends the search afterwards.
#[test]
fn what_cannot_be_beaten_is_the_answer_whatever_ends_the_search() {
    let case = Case::new(6, &[&[2; 8][..]; 8]);
    let text = file(std::slice::from_ref(&case));
    let free = Budget::failing_at(u64::MAX, Stop::TimeLimit);
    assert_eq!(check(&case, &solve_within(&text, "depth-first", &free)), Some(6));
    let mut early = 0;
    for number in 1..=free.requests() {
        let outcome = solve_within(&text, "depth-first", &Budget::failing_at(number, Stop::TimeLimit));
        if matches!(outcome.verdict, Verdict::Answered) {
            assert_eq!(check(&case, &outcome), Some(6));
            early += 1;
        } else {
            assert_undecided(&outcome, Stop::TimeLimit, Some(6));
        }
    }
    assert!(early > 0, "{} questions", free.requests());
}

/// When a search waits in vain for a memory permit, the outcome names the limit that ended the waiting, not a lack of
/// memory. This holds in the search, and also if the board alone needs a permit.
#[test]
fn the_limit_that_ends_the_waiting_for_memory_is_named() {
    const WAIT_MAX: Duration = Duration::from_secs(300);
    const MEMORY: u64 = 1 << 40;
    let permits = Arc::new(Permits::new(1));
    let holder = Budget::new(None, None, MEMORY, Cancel::default()).sharing(&permits);
    let _held = Charge::new(FREE_BYTES + 1, &holder).unwrap();
    let hard = generated(1, 3, &[("size", "10"), ("tiles", "80")]);
    let size = 1200;
    let mut rows = vec![vec![0; size]; size];
    (rows[0][0], rows[size - 1][size - 1]) = (2, 2);
    let large = file(&[Case { moves_max: 50, rows }]);
    for (text, algorithm) in [(&hard, "shortest"), (&hard, "breadth-first"), (&large, "shortest")] {
        let settings = [("algorithm", algorithm), ("limits", "none"), ("witness", "true")];
        let Some(Work::Solve(puzzle)) = read_all(text.as_bytes(), &settings).pop() else {
            panic!("no valid case");
        };
        let mut wait = Duration::from_secs(1);
        loop {
            let end = Instant::now() + wait;
            let budget = Budget::new(None, Some(end), MEMORY, Cancel::default()).sharing(&permits);
            assert_undecided(&puzzle.solve(&budget), Stop::JobTimeLimit, None);
            let used = budget.memory_bytes_peak();
            assert!(used <= FREE_BYTES, "{algorithm}: {used}");
            if text == &large || used > FREE_BYTES / 3 {
                break;
            }
            // On a busy machine the search may not get as far as the permit in that time.
            wait *= 4;
            assert!(wait < WAIT_MAX, "{algorithm}: {used}");
        }
    }
}
