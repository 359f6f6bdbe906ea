//! The pictures of `jump-game`: the table of rounds and the map, by a plain reading of the rules.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};
use tabuleiro_puzzles::solver::{
    self, Authority, Budget, LANGUAGE, Options, Outcome, Puzzle, Random, Shown, Solver, Verdict,
};

use super::claimed;
use super::svg::{Element, Spot, picture, spots, table, whole};
use crate::jump_game::oracle::{self, Game, MODES, compared};
use crate::stated::{golden, puzzles};

/// Units of a square, and of the edge.
const SQUARE: f64 = 40.0;
const EDGE: f64 = 26.0;
/// Rows of a table at most.
const ROWS_MAX: usize = 64;

fn jump_game() -> &'static dyn Solver {
    solver::find("jump-game").unwrap()
}

fn options(settings: &[(&str, &str)]) -> Options {
    let mut options = solver::default_options(jump_game());
    for (key, value) in settings {
        options.set(key, value, Authority::Owner).unwrap();
    }
    options
}

fn puzzle(game: &Game, settings: &[(&str, &str)]) -> Arc<dyn Puzzle> {
    puzzles(jump_game(), &options(settings), game.text().as_bytes()).remove(0)
}

fn drawn(puzzle: &dyn Puzzle, outcome: &Outcome, witness: &Value) -> String {
    let shown = Shown {
        language: solver::default_options(jump_game()).get(LANGUAGE),
        headline: &outcome.headline,
        is_answered: matches!(outcome.verdict, Verdict::Answered),
        answer: &outcome.answer,
        witness,
        bounds: outcome.bounds,
    };
    puzzle.draw(&shown).into_string()
}

/// The square around a place.
fn square(game: &Game, (x, y): Spot) -> usize {
    let side = |at: f64| whole((at - EDGE) / SQUARE);
    game.square((side(y), side(x)))
}

/// A square as it is written.
fn place(game: &Game, square: usize) -> String {
    format!("{},{}", square / game.columns, square % game.columns)
}

/// The place in the list of a player with one letter.
fn player(name: &str) -> usize {
    usize::from(name.as_bytes()[0] - b'A')
}

/// The game with one player alone.
fn alone(game: &Game, player: usize) -> Game {
    Game { players: vec![game.players[player]], ..game.clone() }
}

/// Looks at the map: numbers, hatching, goal, starts and the way.
fn check_map(game: &Game, markup: &str, witness: &Value) {
    let picture = picture(markup);
    let numbers = picture.one("jg-numbers").unwrap();
    let found: BTreeMap<usize, &str> =
        numbers.texts().iter().map(|text| (square(game, text.spot()), text.text.as_str())).collect();
    assert_eq!(found.len(), game.values.len());
    for (at, &value) in game.values.iter().enumerate().filter(|(_, value)| **value < 100_000) {
        assert_eq!(found[&at], value.to_string());
    }
    let zeros = picture.one("jg-zero").unwrap().commands();
    let lines = zeros.iter().filter(|(letter, _)| *letter == 'M').count();
    assert_eq!(lines, 3 * game.values[..game.goal()].iter().filter(|&&value| value == 0).count());
    assert_eq!(square(game, picture.one("jg-goal").unwrap().spot()), game.goal());
    let badges = |class: &str| -> BTreeMap<usize, String> {
        let badges = picture.of_class(class);
        badges
            .iter()
            .map(|badge| (square(game, badge.texts()[0].spot()), badge.texts()[0].text.clone()))
            .collect()
    };
    let mut starts: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for (index, &at) in game.players.iter().enumerate() {
        starts.entry(game.square(at)).or_default().push(oracle_name(index));
    }
    let starts: BTreeMap<usize, String> = starts
        .into_iter()
        .map(|(at, names)| {
            let more = if names.len() > 3 { "…" } else { "" };
            (at, names[..names.len().min(3)].join(",") + more)
        })
        .collect();
    assert_eq!(badges("jg-start"), starts);
    let way: Vec<(usize, usize)> = serde_json::from_value(witness.clone()).unwrap_or_default();
    let rounds: BTreeMap<usize, String> =
        way.iter().enumerate().skip(1).map(|(round, &at)| (game.square(at), round.to_string())).collect();
    assert_eq!(badges("jg-round"), rounds);
    // Every jump is an arc from square to square, and its head.
    let arcs = picture.one("jg-way").map_or(Vec::new(), Element::commands);
    let ends: Vec<[usize; 2]> = arcs
        .chunks(2)
        .map(|arc| {
            assert_eq!((arc[0].0, arc[1].0), ('M', 'Q'));
            [square(game, arc[0].1[0]), square(game, arc[1].1[1])]
        })
        .collect();
    let jumps: Vec<[usize; 2]> =
        way.windows(2).map(|pair| [pair[0], pair[1]].map(|at| game.square(at))).collect();
    assert_eq!(ends, jumps);
}

/// A, B, …, Z, AA, …
fn oracle_name(player: usize) -> String {
    let letter = |index: usize| char::from(b'A' + index as u8);
    if player < 26 {
        letter(player).to_string()
    } else {
        [letter(player / 26 - 1), letter(player % 26)].iter().collect()
    }
}

/// Plays the table by the rules as they are told: every jump, every order.
fn check_table(game: &Game, markup: &str, (movement, tie): (&str, &str), (winner, round): (&str, usize)) {
    let rows = table(markup);
    let best: Vec<_> =
        (0..game.players.len()).map(|player| oracle::solve(&alone(game, player), movement, tie)).collect();
    for (index, best) in best.iter().enumerate() {
        let name = oracle_name(index);
        let told = match best {
            Some(best) if best.round > round => {
                format!("{name} reaches the goal in round {} at the earliest.", best.round)
            }
            Some(_) => continue,
            None => format!("{name} never reaches the goal."),
        };
        assert!(markup.contains(&told), "{told}: {markup}");
    }
    if round == 0 {
        assert!(rows.is_empty() && markup.contains(&format!("{winner} starts on the goal.")));
        return;
    }
    // Those who can be there in time, in the order in which they jump.
    let mut order: Vec<usize> = (0..best.len())
        .filter(|&player| best[player].as_ref().is_some_and(|best| best.round == round))
        .collect();
    if (round - 1) * order.len() + 1 > ROWS_MAX {
        assert_eq!(rows.len(), ROWS_MAX + 1);
        assert_eq!(rows[ROWS_MAX][0], round.to_string());
        return;
    }
    let mut ways: BTreeMap<usize, Vec<usize>> =
        order.iter().map(|&player| (player, vec![game.square(game.players[player])])).collect();
    let mut rows = rows.into_iter();
    for number in 1..=round {
        if number > 1 {
            if tie == "first-round" {
                order.sort_unstable();
            }
            // The jump of the round before.
            order.sort_by_key(|player| game.values[ways[player][number - 2]]);
        }
        let jumping = if number == round { &order[..1] } else { &order[..] };
        for name in jumping {
            let row = rows.next().expect("a row");
            assert_eq!((row[0].as_str(), player(&row[1])), (number.to_string().as_str(), *name));
            let way = ways.get_mut(name).unwrap();
            let from = way[number - 1];
            assert_eq!((&row[2], &row[3]), (&game.values[from].to_string(), &place(game, from)));
            let to = game.ends(movement, from).into_iter().find(|&to| place(game, to) == row[4]);
            way.push(to.unwrap_or_else(|| panic!("{row:?} is no jump: {}", game.text())));
        }
    }
    assert_eq!(rows.next(), None);
    assert_eq!(oracle_name(order[0]), winner);
    assert_eq!(ways[&order[0]][round], game.goal());
    for (player, mut way) in ways {
        way.resize(round + 1, game.goal());
        assert_eq!(compared(game, tie, &way), best[player].as_ref().unwrap().compared, "{}", game.text());
    }
}

/// Solves as for a picture, and looks at all that is drawn.
fn check(game: &Game, mode: (&str, &str), witness: &str) {
    let settings = [("movement", mode.0), ("tie", mode.1), ("picture", "true"), ("witness", witness)];
    let puzzle = puzzle(game, &settings);
    let outcome = puzzle.solve(&Budget::unlimited());
    let is_told = outcome.to_text().lines().count() == 3;
    assert_eq!(is_told, witness == "true" && !outcome.answer.is_string());
    let mut proof = outcome.witness.clone();
    if proof.is_null() {
        proof = puzzle.trace(&Budget::unlimited());
    }
    let markup = drawn(puzzle.as_ref(), &outcome, &proof);
    check_map(game, &markup, &proof);
    if let Some(winner) = outcome.answer["winner"].as_str() {
        let round = outcome.answer["round"].as_u64().unwrap() as usize;
        let squares: Vec<(usize, usize)> = serde_json::from_value(proof).unwrap();
        assert_eq!(squares.len(), round + 1);
        if game.players.len() <= 26 {
            check_table(game, &markup, mode, (winner, round));
        } else {
            assert!(table(&markup).is_empty());
        }
    } else {
        assert!(table(&markup).is_empty() && markup.contains("Nobody can reach the goal."), "{markup}");
    }
}

#[test]
fn what_is_drawn_of_small_games_is_played() {
    let mut random = Random::new(81);
    let mut seen = 0;
    for round in 0..4000 {
        let game = Game::random(&mut random, 40);
        if game.rows.max(game.columns) > 40 {
            continue;
        }
        seen += 1;
        check(&game, MODES[round % 4], ["true", "false"][round / 4 % 2]);
    }
    assert!(seen > 3000, "{seen}");
}

#[test]
fn golden_cases_are_drawn() {
    let mut seen = 0;
    for mut input in golden(jump_game()) {
        input.options.set("picture", "true", Authority::Owner).unwrap();
        for puzzle in puzzles(jump_game(), &input.options, &input.file) {
            let outcome = puzzle.solve(&Budget::unlimited());
            let mut witness = outcome.witness.clone();
            if witness.is_null() {
                witness = puzzle.trace(&Budget::unlimited());
            }
            let markup = drawn(puzzle.as_ref(), &outcome, &witness);
            assert!(markup.len() < 300_000, "{}", markup.len());
            picture(&markup);
            seen += 1;
            let rows = table(&markup);
            if let (Some(round), Some(last)) = (outcome.answer["round"].as_u64(), rows.last()) {
                assert_eq!(
                    (&last[0], Some(last[1].as_str())),
                    (&round.to_string(), outcome.answer["winner"].as_str())
                );
                let goal = witness.as_array().unwrap().last().unwrap();
                assert_eq!(last[4], format!("{},{}", goal[0], goal[1]));
            }
        }
    }
    assert!(seen > 20, "{seen}");
}

/// A winner that is none, a round that is none: no table is made of it.
#[test]
fn an_answer_that_is_wrong_has_no_table() {
    let game = &Game::parse_all("1 6\n2\n1 1 1 1 1 0\n0 0\n0 2\n")[0];
    let puzzle = puzzle(game, &[]);
    let budget = Budget::unlimited();
    let witness = puzzle.trace(&budget);
    for (answer, rows) in [
        (json!({ "winner": "B", "round": 3 }), 3),
        (json!({ "winner": "A", "round": 3 }), 0),
        (json!({ "winner": "B", "round": 5 }), 0),
        (json!({ "winner": "B", "round": -1 }), 0),
        (json!({ "winner": 7, "round": 3 }), 0),
        (Value::Null, 0),
    ] {
        let outcome = Outcome { answer, ..puzzle.solve(&budget) };
        assert_eq!(table(&drawn(puzzle.as_ref(), &outcome, &witness)).len(), rows);
        // The winner's way is known without a witness.
        assert_eq!(table(&drawn(puzzle.as_ref(), &outcome, &Value::Null)).len(), rows);
    }
}

#[test]
fn a_witness_that_breaks_a_rule_is_drawn_as_far_as_it_goes() {
    let game = &Game::parse_all("1 9\n3\n4 1 3 2 2 1 2 1 0\n0 0\n0 1\n0 2\n")[0];
    let puzzle = puzzle(game, &[("movement", "straight")]);
    let outcome = puzzle.solve(&Budget::unlimited());
    for (witness, jumps, told) in [
        (json!([[0, 2], [0, 5], [0, 6], [0, 8]]), 3, "C reaches the goal in round 3."),
        (json!([[0, 2], [0, 5], [0, 7]]), 1, "Jump 2, of 1 from 0,5, does not end on 0,7"),
        (json!([[0, 2], [0, 5], [3, 5]]), 1, "The way goes to 3,5"),
        (json!([[0, 4], [0, 6]]), 0, "Nobody starts on 0,4"),
        (json!([[0, 2], [0, 5]]), 1, "The way ends on 0,5"),
        (json!([[0, 2], [0, 5], [0, 6], [0, 8], [0, 8]]), 3, "The game was over"),
        (json!([[0, 2], "x"]), 0, "Square 2 of the way"),
    ] {
        let markup = drawn(puzzle.as_ref(), &outcome, &witness);
        let picture = picture(&markup);
        let found = picture.one("jg-heads").map_or(0, |heads| heads.dots().len());
        assert_eq!(found, jumps, "{witness}");
        assert!(markup.contains(told), "{told}: {markup}");
        assert_eq!(picture.one("jg-fault").is_some(), !told.contains("round 3"), "{witness}");
    }
}

#[test]
fn hostile_witnesses_are_drawn_without_harm() {
    let mut random = Random::new(82);
    let back_and_forth: Vec<Value> = (0..100_000).map(|step| json!([0, step % 2])).collect();
    let odd = [
        json!(null),
        json!("x"),
        json!({ "a": 1 }),
        json!([[[]]]),
        json!([null]),
        json!([[1, 2, 3]]),
        json!([[u64::MAX, u64::MAX], [-1, 0.5]]),
        Value::from(back_and_forth),
    ];
    for round in 0..200 {
        let game = Game::random(&mut random, [4, 40, 400, 3000][round % 4]);
        let puzzle = puzzle(&game, &[("movement", MODES[round % 4].0)]);
        let outcome = puzzle.solve(&Budget::unlimited());
        let mut side = || random.below(game.rows.max(game.columns) as u64 + 2);
        let start = game.players[0];
        let mut witnesses = odd.to_vec();
        witnesses.extend((0..20).map(|_| json!([[start.0, start.1], [side(), side()], [side(), side()]])));
        for witness in witnesses {
            let markup = drawn(puzzle.as_ref(), &outcome, &witness);
            assert!(markup.len() < 400_000, "{}", markup.len());
            picture(&markup);
        }
    }
}

/// Above 40 squares a side: the way alone.
#[test]
fn a_large_board_is_a_thumbnail_of_the_way() {
    let mut text = "1 3000\n1\n".to_owned();
    text += &"1 ".repeat(3000);
    let game = &Game::parse_all(&(text + "\n0 0\n"))[0];
    let puzzle = puzzle(game, &[("picture", "true")]);
    let outcome = puzzle.solve(&Budget::unlimited());
    assert!(outcome.witness.is_null());
    let markup = drawn(puzzle.as_ref(), &outcome, &puzzle.trace(&Budget::unlimited()));
    let line = spots(picture(&markup).one("tn-way").unwrap().attribute("points"));
    assert_eq!(line.len(), 2, "{line:?}");
    assert!(table(&markup).is_empty());
}

/// With `picture` alone the memory that only the path takes never costs the answer.
#[test]
fn no_answer_is_lost_to_its_picture() {
    let text = "1 6000\n1\n".to_owned() + &"1 ".repeat(6000) + "\n0 0\n";
    let game = &Game::parse_all(&text)[0];
    let (plain, pictured) = (puzzle(game, &[]), puzzle(game, &[("picture", "true")]));
    let solve = |puzzle: &dyn Puzzle, kib: u64| {
        puzzle.solve(&Budget::new(None, None, kib << 10, solver::Cancel::default()))
    };
    let (mut without_path, mut with_path) = (0, 0);
    for kib in (100..2000).step_by(20) {
        let (without, with) = (solve(plain.as_ref(), kib), solve(pictured.as_ref(), kib));
        assert_eq!(with.to_text(), without.to_text(), "{kib}");
        if matches!(without.verdict, Verdict::Answered) {
            *(if with.witness.is_null() { &mut without_path } else { &mut with_path }) += 1;
        }
    }
    assert!(without_path > 0 && with_path > 0, "{without_path} {with_path}");
}

/// What a submission claims is drawn in the form of our own witness.
#[test]
fn the_squares_of_an_answer_are_a_witness() {
    let game = &Game::parse_all("1 2\n1\n1 0\n0 0\n")[0];
    let puzzle = puzzle(game, &[]);
    for (answer, expected) in [
        ("A\n1\n0,0 0,1\n", json!([[0, 0], [0, 1]])),
        ("A 1 0,0 0,1\n", json!([[0, 0], [0, 1]])),
        ("A 1\n", Value::Null),
        ("SEM VENCEDORES\n", Value::Null),
    ] {
        assert_eq!(claimed(jump_game(), puzzle.as_ref(), answer), expected, "{answer}");
    }
}
