//! Tests the outcome of a search that runs out of time or memory, or is cancelled.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tabuleiro_puzzles::input::Scanner;
use tabuleiro_puzzles::solver::{
    Budget, Cancel, FREE_BYTES, Outcome, Permits, Puzzle, Random, Stop, Verdict, Work,
};

use super::oracle::{Game, MODES};
use super::{SEARCHES, answer_all, jump_game, options};

fn puzzle(game: &Game, settings: &[(&str, &str)]) -> Box<dyn Puzzle> {
    let text = game.text();
    let mut scanner = Scanner::new(text.as_bytes(), "entrada.txt").unwrap();
    match jump_game().open(&options(settings)).read(&mut scanner).unwrap().unwrap().work {
        Work::Solve(puzzle) => puzzle,
        Work::Settled(outcome) => panic!("{}", outcome.headline),
        Work::Invalid(problem) => panic!("{problem:?}"),
    }
}

/// Makes a game of many rounds: every jump has length one.
fn long_game(rows: usize, columns: usize) -> Game {
    Game { rows, columns, values: vec![1; rows * columns], players: vec![(0, 0), (0, 1)] }
}

/// Checks that `stop` left the outcome undecided, in the page's words, with bounds that hold for a winner in `round`.
fn assert_undecided(outcome: &Outcome, stop: Stop, round: Option<u64>) {
    assert!(
        matches!(outcome.verdict, Verdict::Undecided { stop: found, .. } if found == stop),
        "{}",
        outcome.headline
    );
    let least = outcome.bounds.at_least.unwrap();
    assert_eq!(outcome.to_text(), format!("undecided (at least round {least})\n"));
    if let Some(round) = round {
        assert!(least <= round && outcome.bounds.at_most.is_none_or(|most| most >= round));
    }
}

#[test]
fn a_budget_that_is_over_decides_nothing() {
    let game = long_game(20, 20);
    let cancel = Cancel::default();
    cancel.cancel();
    let past = Some(Instant::now());
    for (movement, tie) in MODES {
        for (algorithm, early_stop) in SEARCHES {
            let settings =
                [("movement", movement), ("tie", tie), ("algorithm", algorithm), ("early_stop", early_stop)];
            let puzzle = puzzle(&game, &settings);
            let budget = Budget::new(None, None, u64::MAX, cancel.clone());
            assert_undecided(&puzzle.solve(&budget), Stop::Cancelled, Some(37));
            let budget = Budget::new(past, None, u64::MAX, Cancel::default());
            assert_undecided(&puzzle.solve(&budget), Stop::TimeLimit, Some(37));
            let budget = Budget::new(None, past, u64::MAX, Cancel::default());
            assert_undecided(&puzzle.solve(&budget), Stop::JobTimeLimit, Some(37));
        }
    }
}

/// Under every memory limit, the outcome is the answer, or undecided with bounds that hold.
#[test]
fn little_memory_never_makes_a_wrong_answer() {
    let mut random = Random::new(17);
    let mut undecided = 0;
    for number in 0..40 {
        let game = if number < 4 { long_game(3, 9) } else { Game::random(&mut random, 60) };
        for (movement, tie) in MODES {
            for (algorithm, early_stop) in SEARCHES {
                let settings = [
                    ("movement", movement),
                    ("tie", tie),
                    ("algorithm", algorithm),
                    ("early_stop", early_stop),
                    ("witness", "true"),
                ];
                let puzzle = puzzle(&game, &settings);
                let answer = puzzle.solve(&Budget::unlimited());
                for memory in (0..20_000).step_by(457) {
                    let outcome = puzzle.solve(&Budget::new(None, None, memory, Cancel::default()));
                    if matches!(outcome.verdict, Verdict::Answered) {
                        assert_eq!(outcome.to_text(), answer.to_text());
                    } else {
                        assert_undecided(&outcome, Stop::MemoryLimit, answer.bounds.at_least);
                        undecided += 1;
                    }
                }
            }
        }
    }
    assert!(undecided > 1000);
}

/// Makes a game that the published search cannot finish within the time of a test.
fn hard_game() -> Game {
    let mut game = long_game(401, 399);
    // All jumps are even, and the players stand an odd number of steps away from the goal.
    game.values.fill(300);
    game.players = vec![(0, 1), (2, 3)];
    game
}

#[test]
fn a_running_search_can_be_cancelled() {
    let puzzle = puzzle(&hard_game(), &[("algorithm", "breadth-first")]);
    let cancel = Cancel::default();
    let permits = Arc::new(Permits::new(1));
    let outcome = std::thread::scope(|scope| {
        let search = scope.spawn(|| {
            let budget = Budget::new(None, None, u64::MAX, cancel.clone()).sharing(&permits);
            budget.charge(FREE_BYTES).unwrap();
            puzzle.solve(&budget)
        });
        // The search has begun once it has charged more memory.
        while permits.taken() == 0 {
            std::thread::yield_now();
        }
        cancel.cancel();
        search.join().unwrap()
    });
    assert_undecided(&outcome, Stop::Cancelled, None);
}

#[test]
fn a_time_limit_ends_a_long_search() {
    let game = hard_game();
    for search in [("early_stop", "true"), ("early_stop", "false")] {
        let puzzle = puzzle(&game, &[("algorithm", "breadth-first"), search]);
        let deadline = Some(Instant::now() + Duration::from_millis(20));
        let outcome = puzzle.solve(&Budget::new(deadline, None, u64::MAX, Cancel::default()));
        assert_undecided(&outcome, Stop::TimeLimit, None);
    }
    // The fast search finishes the game.
    assert_eq!(answer_all(&game.text(), &[])[0].headline, "SEM VENCEDORES");
}

#[test]
fn a_board_beyond_the_memory_is_read_over() {
    let row = "1 ".repeat(600);
    let small = "1 3\n1\n2 1 0\n0 0\n";
    let huge_numbers = format!("{} ", u64::MAX).repeat(600);
    // Three games are too large: one by its size, one by large numbers, one by its players.
    let text = format!(
        "600 600\n1\n{}0 0\n{small}200 600\n1\n{}0 0\n{small}1 3\n300000\n2 1 0\n{}{small}",
        row.repeat(600),
        huge_numbers.repeat(200),
        "0 0\n".repeat(300_000),
    );
    let outcomes = answer_all(&text, &[("memory_limit", "1MiB")]);
    assert_eq!(outcomes.len(), 6);
    for pair in outcomes.chunks(2) {
        assert_undecided(&pair[0], Stop::MemoryLimit, None);
        assert_eq!(pair[1].headline, "A 1");
    }
    let outcomes = answer_all(&text, &[]);
    assert!(outcomes.iter().all(|outcome| matches!(outcome.verdict, Verdict::Answered)));
}

/// The reader reports a player outside the board even if it does not keep the board.
#[test]
fn what_is_read_over_is_checked() {
    let text = format!("600 600\n1\n{}600 0\n1 1\n1\n0\n0 0\n", "1 ".repeat(360_000));
    let outcomes = answer_all(&text, &[("memory_limit", "1MiB")]);
    assert_eq!(
        outcomes[0].headline,
        "invalid game: player A stands on row 600, but the board has rows 0 to 599; squares are counted from 0 [entrada.txt:3:720001]"
    );
    assert_eq!(outcomes[1].headline, "A 0");
}
