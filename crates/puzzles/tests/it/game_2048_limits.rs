//! Tests `2048-game` when games end early or go wrong: limits, garbage, and boards of absurd size.

use std::sync::Arc;
use std::time::{Duration, Instant};

use proptest::prelude::*;
use tabuleiro_puzzles::input::Scanner;
use tabuleiro_puzzles::solver::{
    self, Authority, Bounds, Budget, Cancel, Outcome, Permits, Puzzle, Stop, Verdict, Work,
};

use super::game_2048::{Game, outcome, outcomes, verify};

/// Returns the only puzzle of a file.
fn puzzle(input: &str, set: &[(&str, &str)]) -> Box<dyn Puzzle> {
    let solver = solver::find("2048-game").unwrap();
    let mut options = solver::default_options(solver);
    for (key, value) in set {
        options.set(key, value, Authority::Owner).unwrap();
    }
    let mut scanner = Scanner::new(input.as_bytes(), "t").unwrap();
    match solver.open(&options).read(&mut scanner).unwrap().unwrap().work {
        Work::Solve(puzzle) => puzzle,
        Work::Settled(outcome) => panic!("{}", outcome.headline),
        Work::Invalid(problem) => panic!("{problem:?}"),
    }
}

fn stop(outcome: &Outcome) -> Stop {
    match outcome.verdict {
        Verdict::Undecided { stop, .. } => stop,
        ref other => panic!("{other:?}"),
    }
}

fn moves_made(outcome: &Outcome) -> u64 {
    let inner = outcome.headline.strip_prefix("undecided (stopped after ").unwrap();
    inner.strip_suffix(" moves)").unwrap().parse().unwrap()
}

fn after(time: Duration) -> Budget {
    Budget::new(Some(Instant::now() + time), None, u64::MAX, Cancel::default())
}

#[test]
fn a_time_limit_prints_the_game_so_far() {
    let game = Game::new(5, 8, "AUTO");
    let set = [("transcript", "true"), ("depth", "2")];
    let answer = puzzle(&game.text(), &set).solve(&after(Duration::from_millis(30)));
    assert_eq!(stop(&answer), Stop::TimeLimit);
    let text = answer.to_text();
    let played = verify(&game, &text, 5);
    assert_eq!(moves_made(&answer), played.len() as u64);
    assert_eq!(text.lines().last().unwrap(), answer.headline);
    let score = text.lines().next().unwrap().strip_prefix("score ").unwrap().parse().unwrap();
    assert_eq!(answer.bounds, Bounds { at_least: Some(score), at_most: None });
}

#[test]
fn a_limit_met_at_once_leaves_the_opening() {
    let game = Game::new(4, 8, "AUTO");
    let spent = Budget::new(None, Some(Instant::now()), u64::MAX, Cancel::default());
    let answer = puzzle(&game.text(), &[("transcript", "true")]).solve(&spent);
    assert_eq!((stop(&answer), moves_made(&answer)), (Stop::JobTimeLimit, 0));
    verify(&game, &answer.to_text(), 5);
}

#[test]
fn a_replay_stops_too_and_claims_nothing_about_a_game_that_may_be_invalid() {
    let game = Game::new(4, 8, "DECB");
    let answer = puzzle(&game.text(), &[]).solve(&after(Duration::ZERO));
    assert_eq!((stop(&answer), answer.bounds), (Stop::TimeLimit, Bounds::default()));
    let answer = puzzle(&game.text(), &[("on_illegal", "skip")]).solve(&after(Duration::ZERO));
    assert_eq!(answer.bounds.at_least, Some(0));
}

#[test]
fn cancelling_ends_every_player_on_every_board() {
    let cancel = Cancel::default();
    cancel.cancel();
    let budget = Budget::new(None, None, u64::MAX, cancel);
    for size in [2, 4, 6, 300] {
        for player in ["expectimax", "greedy", "random"] {
            let set = [("player", player), ("depth", "8")];
            let answer = puzzle(&Game::new(size, 1, "AUTO").text(), &set).solve(&budget);
            assert_eq!((stop(&answer), moves_made(&answer)), (Stop::Cancelled, 0));
        }
    }
}

#[test]
fn a_long_search_is_cancelled_in_its_middle() {
    let cancel = Cancel::default();
    let budget = || Budget::new(None, None, u64::MAX, cancel.clone());
    let puzzles = [4, 40].map(|size| puzzle(&Game::new(size, 1, "AUTO").text(), &[("depth", "8")]));
    std::thread::scope(|scope| {
        let searches = puzzles.each_ref().map(|puzzle| scope.spawn(|| puzzle.solve(&budget())));
        // Depth 8 would take hours, so only the cancellation ends the searches.
        cancel.cancel();
        for search in searches {
            assert_eq!(stop(&search.join().unwrap()), Stop::Cancelled);
        }
    });
}

#[test]
fn a_long_transcript_meets_the_memory_limit() {
    let game = Game::new(5, 8, "AUTO");
    for (flag, bytes) in [("transcript", 40_000), ("witness", 200_000)] {
        let budget = Budget::new(None, None, bytes, Cancel::default());
        let answer = puzzle(&game.text(), &[("depth", "1"), (flag, "true")]).solve(&budget);
        assert_eq!(stop(&answer), Stop::MemoryLimit);
        assert!((1024..5000).contains(&moves_made(&answer)), "{}", answer.headline);
        verify(&game, &answer.to_text(), 5);
    }
    let small = Budget::new(None, None, 100, Cancel::default());
    let answer = puzzle(&game.text(), &[]).solve(&small);
    assert_eq!(answer.to_text(), "undecided (stopped after 0 moves)\n");
    assert_eq!(stop(&answer), Stop::MemoryLimit);
}

#[test]
fn a_time_for_a_move_is_kept_and_every_move_is_legal() {
    let game = Game::new(4, 8, "AUTO 10");
    let set = [("time_per_move", "2ms"), ("transcript", "true")];
    assert_eq!(verify(&game, &outcome(&game, &set).to_text(), 5).len(), 10);
    // When a position is searched to the last depth, the player moves without using up its time.
    let small = Game::new(2, 8, "AUTO 1");
    let set = [("time_per_move", "1h"), ("depth", "2"), ("transcript", "true")];
    assert_eq!(verify(&small, &outcome(&small, &set).to_text(), 5).len(), 1);
    // The time limit of the puzzle also applies during a move.
    let set = [("time_per_move", "1h")];
    let answer = puzzle(&Game::new(6, 1, "AUTO").text(), &set).solve(&after(Duration::from_millis(20)));
    assert_eq!(stop(&answer), Stop::TimeLimit);
}

#[test]
fn a_board_beyond_the_memory_limit_is_undecided_and_the_next_game_is_answered() {
    let large = Game::new(600, 1, "D");
    let next = Game::new(4, 1, "-");
    let input = large.text() + &next.text();
    let answers = outcomes(input.as_bytes(), &[("memory_limit", "1MiB")]);
    assert_eq!(stop(&answers[0]), Stop::MemoryLimit);
    assert_eq!(answers[0].to_text(), "undecided (stopped after 0 moves)\n");
    assert_eq!(answers[1].to_text(), outcome(&next, &[]).to_text());
    // With more memory, every player plays the same board.
    for player in ["expectimax", "greedy", "random"] {
        let auto = Game { moves: "AUTO 1".to_owned(), ..large.clone() };
        verify(&auto, &outcome(&auto, &[("player", player), ("transcript", "true")]).to_text(), 5);
    }
}

/// All games share one copy of the learned weights: no game is charged for it, or waits for memory because of it.
#[test]
fn what_was_learned_is_charged_to_no_game() {
    let game = Game::new(4, 1, "AUTO 3");
    let roomy = Budget::new(None, None, 1 << 30, Cancel::default());
    let answer = puzzle(&game.text(), &[]).solve(&roomy);
    assert!(roomy.memory_bytes_peak() < solver::FREE_BYTES, "{}", roomy.memory_bytes_peak());
    let tight = Budget::new(None, None, 1 << 20, Cancel::default());
    assert_eq!(puzzle(&game.text(), &[]).solve(&tight).to_text(), answer.to_text());
}

#[test]
fn a_game_does_not_wait_until_others_have_used_their_memory() {
    let permits = Arc::new(Permits::new(1));
    let other = Budget::unlimited().sharing(&permits);
    other.charge(solver::FREE_BYTES + 1).unwrap();
    let whole = puzzle(&Game::new(4, 1, "AUTO").text(), &[("depth", "1"), ("witness", "true")]);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let end = Some(Instant::now() + Duration::from_secs(60));
                let own = Budget::new(None, end, 1 << 30, Cancel::default()).sharing(&permits);
                assert!(matches!(whole.solve(&own).verdict, Verdict::Answered));
            });
        }
    });
    assert_eq!(permits.taken(), 1);
}

#[test]
fn headers_of_absurd_size_allocate_nothing() {
    for size in ["1000000000", "18446744073709551615", "4294967296"] {
        let answer = outcomes(format!("{size}\n0 0\nAUTO\n").as_bytes(), &[]).remove(0);
        assert!(answer.headline.starts_with("invalid game: "), "{}", answer.headline);
    }
}

#[test]
fn a_line_of_moves_beyond_its_bound_is_an_error() {
    let mut input = b"2 1\n2 0\n0 0\n".to_vec();
    input.extend(std::iter::repeat_n(b'D', (16 << 20) + 1));
    input.extend_from_slice(b"\n2 1\n2 0\n0 0\nD\n");
    let answers = outcomes(&input, &[]);
    let Verdict::Invalid(problem) = &answers[0].verdict else { panic!("{}", answers[0].headline) };
    assert_eq!((problem.rule(), problem.place.column), ("line-length", (16 << 20) + 1));
    assert_eq!(answers[1].headline, "score 0 moves 1 max 2");
}

#[test]
fn garbage_is_not_recognised_as_games() {
    for text in ["hello world\n", "1\n2\n", "D E C B\n", "2 4 2 4\n", "0 0\n", "4 x\n"] {
        for answer in outcomes(text.as_bytes(), &[]) {
            let Verdict::Invalid(problem) = answer.verdict else { panic!("{text}") };
            assert!(!problem.recognised, "{text}");
        }
    }
    let Verdict::Invalid(problem) = outcomes(b"4\n1 0 0 0\nD\n", &[]).remove(0).verdict else { panic!() };
    assert!(problem.recognised);
}

proptest! {
    /// Every entry consumes input and nothing panics, on bytes that resemble games more or less.
    #[test]
    fn any_bytes_are_read_to_the_end(input in "([0-9]{1,20}|AUTO|[DECBdecb1-4]{1,9}|-|[ \n\r#/]|\\PC){0,60}") {
        read_to_the_end(input.as_bytes());
    }

    #[test]
    fn mutated_games_are_read_to_the_end(at in 0_usize..200, byte: u8, size in 2_usize..5) {
        let mut input = Game::new(size, 7, "DECB 1234").text().repeat(4).into_bytes();
        let at = at % input.len();
        input[at] = byte;
        read_to_the_end(&input);
    }
}

fn read_to_the_end(input: &[u8]) {
    let solver = solver::find("2048-game").unwrap();
    let mut scanner = Scanner::new(input, "t").unwrap();
    let mut reader = solver.open(&solver::default_options(solver));
    let mut before = 0;
    while let Some(entry) = reader.read(&mut scanner).unwrap() {
        assert!(scanner.bytes_consumed() > before);
        before = scanner.bytes_consumed();
        if let Work::Solve(puzzle) = entry.work {
            let outcome = puzzle.solve(&after(Duration::from_millis(1)));
            assert!(!outcome.to_text().is_empty());
        }
    }
    assert_eq!(scanner.bytes_consumed(), input.len() as u64);
}
