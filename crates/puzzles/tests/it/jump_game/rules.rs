//! Compares the answer with the answer by the other rules in use.

use tabuleiro_puzzles::solver::{Budget, Cancel, Random, Work};

use super::oracle::{self, Game, MODES};
use super::{answer_all, jump_game, options};

const DEFAULT: (&str, &str) = ("walk", "previous-round");
const COURSE: (&str, &str) = ("straight", "first-round");

fn settings((movement, tie): (&'static str, &'static str)) -> [(&'static str, &'static str); 2] {
    [("movement", movement), ("tie", tie)]
}

#[test]
fn a_game_differs_if_the_other_rules_give_another_winner_or_round() {
    let mut random = Random::new(28);
    let games: Vec<Game> = (0..2000).map(|_| Game::random(&mut random, 20)).collect();
    let text: String = games.iter().map(Game::text).collect();
    let answers = |(movement, tie)| {
        let best = games.iter().map(move |game| oracle::solve(game, movement, tie));
        best.map(|best| best.map(|best| (best.player, best.round))).collect::<Vec<_>>()
    };
    for mode in MODES {
        let other = if mode == COURSE { DEFAULT } else { COURSE };
        let expected: Vec<_> =
            answers(mode).into_iter().zip(answers(other)).map(|(own, other)| own != other).collect();
        for algorithm in ["fast", "breadth-first"] {
            let settings = [&settings(mode)[..], &[("algorithm", algorithm)]].concat();
            let found: Vec<_> =
                answer_all(&text, &settings).iter().map(|outcome| outcome.differs_by_rules).collect();
            assert_eq!(found, expected, "{mode:?}");
        }
        assert!(expected.iter().any(|differs| *differs), "{mode:?}");
    }
    let found = answer_all(&text, &[("compare_rules", "false")]);
    assert!(found.iter().all(|outcome| !outcome.differs_by_rules));
}

#[test]
fn the_published_cases_that_differ_are_found() {
    let text = include_str!("../../../../../tests/cases/jump-game/published-walk.entrada.txt");
    for rules in [DEFAULT, COURSE] {
        let outcomes = answer_all(text, &settings(rules));
        let differ: Vec<_> = outcomes.iter().map(|outcome| outcome.differs_by_rules).collect();
        assert_eq!(differ, [false, false, true], "{rules:?}");
    }
}

/// The cost of the search by the other rules never affects the answer.
#[test]
fn a_limit_that_ends_the_comparison_leaves_the_answer() {
    // Any walk reaches the goal in one jump. By straight jumps nobody reaches it, which takes a search to find out.
    let text = format!("200 200\n1\n{}0 0\n", format!("{}\n", vec!["398"; 200].join(" ")).repeat(200));
    let mut scanner = tabuleiro_puzzles::input::Scanner::new(text.as_bytes(), "t").unwrap();
    let entry = jump_game().open(&options(&[])).read(&mut scanner).unwrap().unwrap();
    let Work::Solve(game) = entry.work else { panic!("the game is valid") };
    let bytes = 40_000 * 4 + 1024;
    for (memory, differs) in [(bytes, false), (64 << 20, true)] {
        let outcome = game.solve(&Budget::new(None, None, memory, Cancel::default()));
        assert_eq!((&*outcome.headline, outcome.differs_by_rules), ("A 1", differs), "{memory} bytes");
    }
}
