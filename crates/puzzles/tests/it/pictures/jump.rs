//! Tests the pictures of `jump-game`: the table of rounds and the map, by a plain reading of the rules.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use tabuleiro_puzzles::solver::{
    self, Authority, Budget, LANGUAGE, Options, Outcome, Puzzle, Random, RenderInput, Solver, Verdict,
};

use super::claimed;
use super::svg::{Element, Spot, picture, pictures, spots, whole};
use crate::jump_game::oracle::{self, Game, MODES};
use crate::stated::{golden, puzzles};

/// Side of a square, and width of the edge, in units.
const SQUARE: f64 = 44.0;
const EDGE: f64 = 26.0;

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

fn puzzle(game: &Game, settings: &[(&str, &str)]) -> Box<dyn Puzzle> {
    puzzles(jump_game(), &options(settings), game.text().as_bytes()).remove(0)
}

fn drawn(puzzle: &dyn Puzzle, outcome: &Outcome, witness: &Value) -> String {
    let language = solver::default_options(jump_game()).get(LANGUAGE);
    let input = RenderInput {
        language,
        headline: outcome.headline.to_string(),
        is_answered: matches!(outcome.verdict, Verdict::Answered),
        answer: outcome.answer.clone(),
        witness: witness.clone(),
        bounds: outcome.bounds,
    };
    puzzle.draw(&input).expect("a picture").draw("p1", language).into_string()
}

/// Returns the square around a place.
fn square(game: &Game, (x, y): Spot) -> usize {
    let side = |at: f64| whole((at - EDGE) / SQUARE);
    game.square((side(y), side(x)))
}

/// Returns the game with only one of its players.
fn alone(game: &Game, player: usize) -> Game {
    Game { players: vec![game.players[player]], ..game.clone() }
}

/// Checks the map: numbers, hatching, goal, starts and the path.
fn check_map(game: &Game, markup: &str, witness: &Value) {
    let picture = picture(markup);
    if game.columns > 24 {
        // Some texts would be too small to read.
        return;
    }
    let numbers = picture.of_class("value").into_iter().flat_map(Element::texts);
    let found: BTreeMap<usize, &str> =
        numbers.map(|text| (square(game, text.spot()), text.text.as_str())).collect();
    assert_eq!(found.len(), game.values.len());
    for (at, &value) in game.values.iter().enumerate().filter(|(_, value)| **value < 1_000_000) {
        assert_eq!(found[&at], value.to_string());
    }
    let zeros: Vec<_> = picture
        .one("zero")
        .map_or(Vec::new(), Element::dots)
        .into_iter()
        .map(|dot| square(game, dot))
        .collect();
    let expected = (0..game.goal()).filter(|&at| game.values[at] == 0);
    assert!(expected.eq(zeros.iter().copied()));
    assert_eq!(square(game, picture.one("flag").unwrap().dots()[0]), game.goal());
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
    assert_eq!(badges("badge"), starts);
    let way: Vec<(usize, usize)> = serde_json::from_value(witness.clone()).unwrap_or_default();
    let rounds: BTreeMap<usize, String> =
        way.iter().enumerate().skip(1).map(|(round, &at)| (game.square(at), round.to_string())).collect();
    assert_eq!(badges("number"), rounds);
    // Every jump is an arc that begins at the frame of its square, with an arrowhead whose point is in the next square.
    let spots = |class| picture.of_class(class).into_iter().flat_map(Element::dots);
    let points: Vec<usize> = spots("head").map(|at| square(game, at)).collect();
    let jumps: Vec<[usize; 2]> =
        way.windows(2).map(|pair| [pair[0], pair[1]].map(|at| game.square(at))).collect();
    assert!(points.iter().eq(jumps.iter().map(|[_, to]| to)));
    assert_eq!(spots("way").count(), jumps.len());
    for (jump, ((x, y), (row, column))) in spots("way").zip(way).enumerate() {
        let below = if jump == 0 { 0.0 } else { 12.5 };
        let middle = |side: usize| EDGE + (side as f64 + 0.5) * SQUARE;
        let away = (x - middle(column)).hypot(y - middle(row) - below);
        assert!((9.0..10.0).contains(&away), "{jump}: {away}");
    }
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

/// Checks the sentences about the other players.
fn check_others(game: &Game, markup: &str, (movement, tie): (&str, &str), (winner, round): (&str, usize)) {
    for player in 0..game.players.len() {
        let name = oracle_name(player);
        let told = match oracle::solve(&alone(game, player), movement, tie) {
            Some(best) if best.round > round => {
                format!("{name} reaches the goal in round {} at the earliest.", best.round)
            }
            Some(_) if name == winner || game.players[player] == game.players[player_of(winner)] => continue,
            Some(_) => format!("{name} could reach the goal in the same round, but jumps later in it."),
            None => format!("{name} never reaches the goal."),
        };
        assert!(markup.contains(&told), "{told}: {markup}");
    }
}

/// Returns the position of a player in the list.
fn player_of(name: &str) -> usize {
    (0..usize::MAX).find(|&player| oracle_name(player) == name).unwrap()
}

/// Solves for a picture and checks everything that is drawn.
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
        if game.players.len() <= 26 && round > 0 {
            check_others(game, &markup, mode, (winner, round));
        }
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
        }
    }
    assert!(seen > 20, "{seen}");
}

#[test]
fn a_witness_that_breaks_a_rule_is_drawn_as_far_as_it_goes() {
    let game = &Game::parse_all("1 9\n3\n4 1 3 2 2 1 2 1 0\n0 0\n0 1\n0 2\n")[0];
    let puzzle = puzzle(game, &[("movement", "straight")]);
    let outcome = puzzle.solve(&Budget::unlimited());
    for (witness, jumps, told) in [
        (json!([[0, 2], [0, 5], [0, 6], [0, 8]]), 3, "Arrows: the path"),
        (json!([[0, 2], [0, 5], [0, 7]]), 1, "Jump 2, of 1 from 0,5, does not end on 0,7"),
        (json!([[0, 2], [0, 5], [3, 5]]), 1, "The path goes to 3,5"),
        (json!([[0, 4], [0, 6]]), 0, "Nobody starts on 0,4"),
        (json!([[0, 2], [0, 5]]), 1, "The path ends on 0,5"),
        (json!([[0, 2], [0, 5], [0, 6], [0, 8], [0, 8]]), 3, "The game was over"),
        (json!([[0, 2], "x"]), 0, "Square 2 of the path"),
    ] {
        let markup = drawn(puzzle.as_ref(), &outcome, &witness);
        let picture = picture(&markup);
        let found = picture.of_class("head").len();
        assert_eq!(found, jumps, "{witness}");
        assert!(markup.contains(told), "{told}: {markup}");
        assert_eq!(picture.one("wrong").is_some(), !told.contains("Arrows"), "{witness}");
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
            pictures(&markup);
        }
    }
}

/// Above 40 squares a side, only the path is drawn.
#[test]
fn a_large_board_is_a_thumbnail_of_the_way() {
    let mut text = "1 3000\n1\n".to_owned();
    text += &"1 ".repeat(3000);
    let game = &Game::parse_all(&(text + "\n0 0\n"))[0];
    let puzzle = puzzle(game, &[("picture", "true")]);
    let outcome = puzzle.solve(&Budget::unlimited());
    assert!(outcome.witness.is_null());
    let markup = drawn(puzzle.as_ref(), &outcome, &puzzle.trace(&Budget::unlimited()));
    let line = spots(
        picture(&markup).all().iter().find(|element| element.name == "polyline").unwrap().attribute("points"),
    );
    assert_eq!(line.len(), 2, "{line:?}");
}

/// With `picture` alone, the memory that only the path needs never costs the answer.
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

/// The claim of a submission is drawn in the form of the solver's own witness.
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
