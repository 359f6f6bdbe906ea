//! The pictures of the solvers that slide tiles: boards are read back, and played by rules written here.

use std::sync::Arc;

use serde_json::{Value, json};
use tabuleiro_puzzles::solver::{
    self, Authority, Budget, Cancel, LANGUAGE, Options, Outcome, Puzzle, Random, Shown, Solver, Stop, Verdict,
};

use super::claimed;
use super::svg::{Element, pictures, whole};
use crate::stated::{Sets, generated, golden, puzzles};

/// Units of a square, and between squares.
const SQUARE: f64 = 40.0;
const GAP: f64 = 4.0;

type Rows = Vec<Vec<u128>>;

/// A board as it is drawn.
#[derive(Debug)]
struct Drawn {
    /// Above it on the left.
    number: String,
    /// The move above it.
    next: Option<char>,
    rows: Rows,
    /// Pairs of squares, sorted.
    outlined: Vec<[(usize, usize); 2]>,
}

/// What a slide gives: the board, the pairs that merge, sorted, and the values made.
struct Slid {
    rows: Rows,
    pairs: Vec<[(usize, usize); 2]>,
    made: Vec<u128>,
}

fn find(id: &str) -> &'static dyn Solver {
    solver::find(id).unwrap()
}

fn options(id: &str, settings: &[(&str, &str)]) -> Options {
    let mut options = solver::default_options(find(id));
    for (key, value) in settings {
        options.set(key, value, Authority::Owner).unwrap();
    }
    options
}

fn read(id: &str, text: &str, settings: &[(&str, &str)]) -> Vec<Arc<dyn Puzzle>> {
    puzzles(find(id), &options(id, settings), text.as_bytes())
}

fn random(id: &str, count: u64, seed: u64, sets: &[(&str, &str)]) -> String {
    let sets: Sets = sets.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect();
    String::from_utf8(generated(find(id), count, seed, &sets)).unwrap()
}

/// The markup of an outcome with some witness.
fn drawn(puzzle: &dyn Puzzle, outcome: &Outcome, witness: &Value) -> String {
    let shown = Shown {
        language: solver::default_options(find("2048-merge")).get(LANGUAGE),
        headline: &outcome.headline,
        is_answered: matches!(outcome.verdict, Verdict::Answered),
        answer: &outcome.answer,
        witness,
        bounds: outcome.bounds,
    };
    puzzle.draw(&shown).into_string()
}

/// The outcome for a picture, and its witness.
fn solved(puzzle: &dyn Puzzle) -> (Outcome, Value) {
    let outcome = puzzle.solve(&Budget::unlimited());
    let witness = match &outcome.witness {
        Value::Null => puzzle.trace(&Budget::unlimited()),
        witness => witness.clone(),
    };
    (outcome, witness)
}

fn value(face: &str) -> u128 {
    let raised = |letter: char| "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().position(|digit| digit == letter);
    let power: Option<Vec<usize>> = face[1..].chars().map(raised).collect();
    match power.filter(|digits| !digits.is_empty()) {
        Some(digits) => 1 << digits.iter().fold(0, |power, digit| 10 * power + digit),
        None => face.parse().unwrap_or_else(|_| panic!("{face}")),
    }
}

/// The boards that are drawn; charts are none.
fn boards(markup: &str) -> Vec<Drawn> {
    pictures(markup).iter().filter_map(board).collect()
}

fn board(picture: &Element) -> Option<Drawn> {
    let tiles = picture.one("tiles")?;
    let frame = tiles.one("frame").unwrap();
    let (x, y) = frame.spot();
    let size = whole(((frame.number("width") - GAP) / SQUARE).round());
    let index = |at: f64, from: f64| whole((at - from - GAP) / SQUARE);
    let mut rows = vec![vec![0; size]; size];
    for text in tiles.texts() {
        let (column, row) = (index(text.number("x"), x), index(text.number("y"), y));
        assert_eq!(rows[row][column], 0, "two values on a square");
        rows[row][column] = value(&text.text);
    }
    // Every tile has its ground, and on a small board every other square one of its own.
    let grounds = |path: &&Element| path.name == "path" && path.attribute("class").starts_with('t');
    let count: usize = tiles.all().into_iter().filter(grounds).map(|path| corners(path).len()).sum();
    let full = rows.iter().flatten().filter(|&&value| value > 0).count();
    assert_eq!(count, if size > 8 { full } else { size * size });
    let outlined = tiles.one("outlined").map_or(Vec::new(), corners);
    let outlined = outlined.into_iter().map(|(left, top, width, height)| {
        let (column, row) = (index(left, x), index(top, y));
        [(row, column), (index(top + height, y), index(left + width, x))]
    });
    let head = picture.one("shot").unwrap();
    Some(Drawn {
        number: head.texts().iter().find(|text| text.attribute("class") == "start").unwrap().text.clone(),
        next: head.one("move").map(|text| text.text.chars().next().unwrap()),
        rows,
        outlined: sorted(outlined.collect()),
    })
}

/// Left, top, width and height of the rectangles of a path.
fn corners(path: &Element) -> Vec<(f64, f64, f64, f64)> {
    let rectangle = |part: &str| {
        let numbers: Vec<f64> =
            part.split(['h', 'v', ',', 'z']).filter_map(|number| number.parse().ok()).collect();
        assert!(numbers.len() == 5 && (numbers[2] + numbers[4]).abs() < 1e-9, "{part}");
        (numbers[0], numbers[1], numbers[2], numbers[3])
    };
    path.attribute("d").split('M').skip(1).map(rectangle).collect()
}

fn sorted(mut pairs: Vec<[(usize, usize); 2]>) -> Vec<[(usize, usize); 2]> {
    for pair in &mut pairs {
        pair.sort_unstable();
    }
    pairs.sort_unstable();
    pairs
}

/// The slide of the pages: every line is taken out from its wall on, equal neighbours merge once, and it is put back.
fn slid(rows: &Rows, letter: char) -> Slid {
    let size = rows.len();
    let mut slid = Slid { rows: vec![vec![0; size]; size], pairs: Vec::new(), made: Vec::new() };
    for lane in 0..size {
        let place = |at: usize| match letter {
            'E' => (lane, at),
            'D' => (lane, size - 1 - at),
            'C' => (at, lane),
            'B' => (size - 1 - at, lane),
            other => panic!("{other}"),
        };
        let places = (0..size).map(place);
        let tiles: Vec<_> = places.filter(|&(row, column)| rows[row][column] > 0).collect();
        let (mut at, mut to) = (0, 0);
        while at < tiles.len() {
            let (one, other) = (tiles[at], tiles.get(at + 1));
            let mut value = rows[one.0][one.1];
            at += 1;
            if let Some(&other) = other.filter(|other| rows[other.0][other.1] == value) {
                value *= 2;
                slid.pairs.push([one, other]);
                slid.made.push(value);
                at += 1;
            }
            let (row, column) = place(to);
            slid.rows[row][column] = value;
            to += 1;
        }
    }
    slid.pairs = sorted(slid.pairs);
    slid
}

/// The boards of a file of cases, each with its rows.
fn cases(text: &str) -> Vec<Rows> {
    let mut numbers = text.split_whitespace().map(|token| token.parse::<u128>().unwrap());
    let count = numbers.next().unwrap();
    let case = |_| {
        let (size, _) = (numbers.next().unwrap() as usize, numbers.next());
        (0..size).map(|_| numbers.by_ref().take(size).collect()).collect()
    };
    (0..count).map(case).collect()
}

/// Replays the strip of a case, which has all boards, and gives how many slides it has.
fn replay_merge(markup: &str, witness: &Value) -> Vec<Drawn> {
    let boards = boards(markup);
    let slides: Vec<char> = witness
        .as_array()
        .into_iter()
        .flatten()
        .map(|slide| slide.as_str().unwrap().chars().next().unwrap())
        .collect();
    assert_eq!(boards.len(), slides.len() + 1);
    for (index, drawn) in boards.iter().enumerate() {
        assert_eq!(drawn.next, slides.get(index).copied());
        let Some(letter) = drawn.next else {
            assert!(drawn.outlined.is_empty());
            continue;
        };
        assert_eq!(drawn.number, index.to_string());
        let slid = slid(&drawn.rows, letter);
        assert_eq!(slid.pairs, drawn.outlined, "{drawn:?}");
        assert_eq!(slid.rows, boards[index + 1].rows, "{drawn:?}");
    }
    boards
}

fn tiles(rows: &Rows) -> usize {
    rows.iter().flatten().filter(|&&value| value > 0).count()
}

fn check_merge(text: &str, settings: &[(&str, &str)]) -> [usize; 2] {
    let mut kinds = [0, 0];
    let with = |more: &[(&str, &str)]| read("2048-merge", text, &[settings, more].concat());
    let pictured = with(&[("picture", "true")]);
    let (plain, told) = (with(&[]), with(&[("witness", "true")]));
    let cases = cases(text);
    assert_eq!(pictured.len(), cases.len());
    for (index, puzzle) in pictured.iter().enumerate() {
        let (outcome, witness) = solved(puzzle.as_ref());
        assert_eq!(outcome.to_text(), plain[index].solve(&Budget::unlimited()).to_text());
        assert_eq!(witness, told[index].solve(&Budget::unlimited()).witness);
        let boards = replay_merge(&drawn(puzzle.as_ref(), &outcome, &witness), &witness);
        assert_eq!(boards[0].rows, cases[index]);
        if let Some(slides) = outcome.answer.as_u64() {
            assert_eq!(boards.len() as u64, slides + 1);
            assert!(tiles(&boards.last().unwrap().rows) <= 1);
            kinds[0] += 1;
        } else {
            assert_eq!(boards.len(), 1);
            kinds[1] += 1;
        }
    }
    kinds
}

#[test]
fn the_strip_of_a_case_is_its_slides() {
    let kinds = check_merge(&random("2048-merge", 2000, 3, &[]), &[]);
    assert!(kinds[0] > 1500 && kinds[1] > 100, "{kinds:?}");
    for (size, tiles) in [("2", "4"), ("9", "12"), ("12", "14"), ("20", "10")] {
        check_merge(&random("2048-merge", 50, 4, &[("size", size), ("tiles", tiles)]), &[]);
    }
    // Tiles that are no powers of two, or large, and those that never become one.
    check_merge("4\n2 9\n3 3\n0 6\n2 9\n5 7\n7 0\n2 9\n1099511627776 0\n0 1099511627776\n1 1\n0\n", &[]);
    for algorithm in ["depth-first", "breadth-first"] {
        check_merge(
            &random("2048-merge", 60, 5, &[("size", "3"), ("tiles", "6")]),
            &[("algorithm", algorithm)],
        );
    }
}

/// Values that have nothing to do with each other, more than are kept.
#[test]
fn a_board_of_too_many_values_is_drawn_as_far_as_they_are_known() {
    let values: Vec<String> = (1..=81).map(|value| (2 * value + 1).to_string()).collect();
    let rows: Vec<String> = values.chunks(9).map(|row| row.join(" ")).collect();
    let puzzle = &read("2048-merge", &format!("1\n9 5\n{}\n", rows.join("\n")), &[])[0];
    let (outcome, _) = solved(puzzle.as_ref());
    let picture = pictures(&drawn(puzzle.as_ref(), &outcome, &json!(["E"]))).remove(0);
    let faces: Vec<_> = picture.one("tiles").unwrap().texts().iter().map(|text| text.text.clone()).collect();
    assert_eq!(faces.iter().filter(|face| *face == "?").count(), 81 - 64);
    assert!(values[..64].iter().all(|value| faces.contains(value)));
}

#[test]
fn what_a_long_strip_leaves_out_is_said() {
    let puzzle = &read("2048-merge", "1\n2 50\n2 4\n0 0\n", &[])[0];
    let (outcome, _) = solved(puzzle.as_ref());
    let slides: Vec<&str> = (0..1000).map(|index| ["B", "C"][index % 2]).collect();
    let markup = drawn(puzzle.as_ref(), &outcome, &json!(slides));
    let boards = boards(&markup);
    let numbers: Vec<usize> = boards.iter().map(|board| board.number.parse().unwrap()).collect();
    assert_eq!(numbers, (0..32).chain(969..=1000).collect::<Vec<_>>());
    assert!(markup.contains("937 boards are left out here") && markup.contains("2 tiles are left"));
    for pair in boards.windows(2).filter(|pair| pair[0].number != "31") {
        assert_eq!(slid(&pair[0].rows, pair[0].next.unwrap()).rows, pair[1].rows);
    }
    let large = |size: usize| {
        let rows = vec![vec!["2"; size].join(" "); size].join("\n");
        read("2048-merge", &format!("1\n{size} 9\n{rows}\n"), &[("limits", "none")]).remove(0)
    };
    let markup = drawn(large(40).as_ref(), &outcome, &json!(slides));
    assert!(pictures(&markup).len() < 20 && markup.len() < 1 << 20, "{}", markup.len());
    let markup = drawn(large(41).as_ref(), &outcome, &json!(slides));
    assert!(pictures(&markup).is_empty() && markup.contains("BCBCBCBCBC BCBCBCBCBC"));
}

/// A swipe of the deterministic game, where it is valid.
fn swiped(rows: &Rows, letter: char) -> Option<Rows> {
    let mut next = slid(rows, letter).rows;
    if next == *rows {
        return None;
    }
    let last = rows.len() - 1;
    let blank = next.iter_mut().find(|row| row[last] == 0)?;
    blank[last] = 2;
    Some(next)
}

/// The two scores, as the page says them.
fn scores(rows: &Rows) -> (i128, i128) {
    let size = rows.len();
    let at = |row: usize, column: usize| rows[row][column].cast_signed();
    let (mut distance, mut left) = (0, 0);
    for row in 0..size {
        for column in 0..size {
            distance += at(row, column) * ((size - 1 - column) + row) as i128;
        }
        left += at(row, 0) * ((row + 2) * (row + 3) / 2 - 1) as i128;
        if at(row, 1) > 0 && (at(row, 1) == at(row, 0) || 2 * at(row, 1) == at(row, 0)) {
            left += at(row, 1);
        }
    }
    (distance, left - at(size - 1, size - 2))
}

fn rows_of(text: &str) -> Rows {
    let mut numbers = text.split_whitespace().map(|token| token.parse().unwrap());
    let size = numbers.next().unwrap() as usize;
    (0..size).map(|_| numbers.by_ref().take(size).collect()).collect()
}

/// Replays the moves of a witness, and compares the boards and scores that are drawn.
fn check_astar(markup: &str, start: &Rows, moves: &str) -> usize {
    let largest = |rows: &Rows| rows.iter().flatten().copied().max().unwrap();
    let mut expected = vec![(0, start.clone())];
    let (mut rows, mut most) = (start.clone(), largest(start));
    for (index, letter) in moves.chars().enumerate() {
        rows = swiped(&rows, letter).unwrap();
        if largest(&rows) > most || index + 1 == moves.len() {
            expected.push((index + 1, rows.clone()));
        }
        most = most.max(largest(&rows));
    }
    let found = boards(markup);
    assert_eq!(found.len(), expected.len());
    let captions: Vec<&str> = markup.split("<figcaption>").skip(1).collect();
    for ((drawn, (moves, rows)), caption) in found.iter().zip(&expected).zip(captions) {
        assert_eq!((&drawn.rows, drawn.number.clone()), (rows, format!("move {moves}")));
        let (distance, left) = scores(rows);
        let told = format!("largest tile {}</div>", largest(rows));
        for told in [told, format!("distance_weighted {distance}<"), format!("left_weighted {left}<")] {
            assert!(caption.contains(&told), "{told}: {caption}");
        }
    }
    let letters =
        markup.split("<p class=\"letters mono\">").nth(1).map_or("", |rest| rest.split('<').next().unwrap());
    assert_eq!(letters.replace(' ', ""), moves);
    assert!(letters.split(' ').all(|group| group.len() <= 10));
    found.len()
}

#[test]
fn boards_with_a_new_largest_tile_are_drawn_with_their_scores() {
    // The example of the page.
    assert_eq!(scores(&rows_of("4 0 0 0 2 0 0 0 0 0 0 0 0 16 2 8 4")), (150, 216));
    let mut drawn_boards = 0;
    for (goal, count) in [("64", 300), ("256", 100), ("2048", 10)] {
        let text = random("2048-astar", count, 6, &[]);
        let set = [("goal", goal), ("picture", "true")];
        for puzzle in read("2048-astar", &text, &set) {
            let (outcome, witness) = solved(puzzle.as_ref());
            let Some(moves) = witness.as_str() else {
                assert_eq!(outcome.headline, "unsolvable");
                assert_eq!(boards(&drawn(puzzle.as_ref(), &outcome, &witness)).len(), 1);
                continue;
            };
            let answer = outcome.to_text();
            let start: String =
                answer.split_once('\n').unwrap().1.lines().take(5).collect::<Vec<_>>().join(" ");
            drawn_boards += check_astar(&drawn(puzzle.as_ref(), &outcome, &witness), &rows_of(&start), moves);
            // The boards that are printed say the same moves.
            assert_eq!(claimed(find("2048-astar"), puzzle.as_ref(), &answer), witness);
        }
    }
    assert!(drawn_boards > 800, "{drawn_boards}");
}

/// What a transcript comes to.
struct Played {
    rows: Rows,
    moves: usize,
    score: u128,
    /// Boards with a new largest tile, with the moves and the score.
    made: Vec<(Rows, usize, u128)>,
}

fn play(start: &Rows, witness: &Value) -> Played {
    let largest = |rows: &Rows| rows.iter().flatten().copied().max().unwrap();
    let mut played = Played { rows: start.clone(), moves: 0, score: 0, made: Vec::new() };
    let mut most = largest(start);
    for line in witness.as_array().unwrap() {
        let parts: Vec<&str> = line.as_str().unwrap().split(' ').collect();
        let (row, column): (usize, usize) = (parts[1].parse().unwrap(), parts[2].parse().unwrap());
        let letter = parts[0].chars().next().unwrap();
        if letter != '+' {
            let slid = slid(&played.rows, letter);
            assert_ne!(slid.rows, played.rows);
            played.rows = slid.rows;
            played.score += slid.made.iter().sum::<u128>();
            played.moves += 1;
        }
        assert_eq!(played.rows[row][column], 0);
        played.rows[row][column] = parts[3].parse().unwrap();
        let now = largest(&played.rows);
        if letter == '+' {
            most = now;
        } else if now > most {
            most = now;
            played.made.push((played.rows.clone(), played.moves, played.score));
        }
    }
    played
}

fn check_game(markup: &str, outcome: &Outcome, played: &Played) {
    let found = boards(markup);
    let made = &played.made[played.made.len().saturating_sub(4)..];
    assert_eq!(found.len(), 1 + made.len());
    let captions: Vec<&str> = markup.split("<figcaption>").skip(1).collect();
    let last = (played.rows.clone(), played.moves, played.score);
    for ((drawn, (rows, moves, score)), caption) in
        found.iter().zip([&last].into_iter().chain(made)).zip(captions)
    {
        assert_eq!((&drawn.rows, drawn.number.clone()), (rows, format!("move {moves}")));
        assert!(caption.contains(&format!("score {score}<")), "{caption}");
    }
    if matches!(outcome.verdict, Verdict::Answered) {
        let number = |key: &str| outcome.answer[key].as_u64().map(u128::from);
        assert_eq!((number("score"), number("moves")), (Some(played.score), Some(played.moves as u128)));
        assert_eq!(number("max"), played.rows.iter().flatten().copied().max());
    }
    let all = pictures(markup);
    let charts: Vec<_> = all.iter().filter_map(|picture| picture.one("chart")).collect();
    assert_eq!(charts.len(), usize::from(played.moves > 1));
    for chart in charts {
        // Neither curve goes back or down, and they end side by side.
        let curves: Vec<_> = chart.all().into_iter().filter(|element| element.name == "polyline").collect();
        let ends: Vec<f64> = curves.iter().map(|curve| ends(curve)).collect();
        assert!(ends.len() == 2 && (ends[0] - ends[1]).abs() < 0.02, "{ends:?}");
    }
}

/// Checks a curve that only rises, and gives where it ends.
fn ends(curve: &Element) -> f64 {
    let points = super::svg::spots(curve.attribute("points"));
    assert!(points.len() < 1000, "{}", points.len());
    for pair in points.windows(2) {
        assert!(pair[0].0 <= pair[1].0 && pair[0].1 >= pair[1].1, "{pair:?}");
    }
    points.last().unwrap().0
}

#[test]
fn the_end_of_a_game_and_its_largest_tiles_are_drawn() {
    let mut random_games = Random::new(9);
    for player in ["greedy", "random", "expectimax"] {
        for size in [2_usize, 3, 4, 5, 9] {
            if player == "expectimax" && size > 3 {
                continue;
            }
            for _ in 0..if size < 5 { 40 } else { 2 } {
                let seed = random_games.below(1 << 40);
                let zeros = vec![vec!["0"; size].join(" "); size].join("\n");
                // Larger ones have no end.
                let text = format!("{size} {seed}\n{zeros}\nAUTO 600\n");
                let set = [("player", player), ("depth", "1"), ("picture", "true")];
                let puzzle = &read("2048-game", &text, &set)[0];
                let (outcome, witness) = solved(puzzle.as_ref());
                let played = play(&vec![vec![0; size]; size], &witness);
                check_game(&drawn(puzzle.as_ref(), &outcome, &witness), &outcome, &played);
                let told =
                    &read("2048-game", &text, &[("player", player), ("depth", "1"), ("witness", "true")])[0];
                let told = told.solve(&Budget::unlimited());
                assert_eq!(told.witness, witness);
                assert_eq!(claimed(find("2048-game"), puzzle.as_ref(), &told.to_text()), witness);
            }
        }
    }
}

/// The golden cases, and what is invalid with them: every picture can be read.
#[test]
fn golden_cases_are_drawn() {
    for id in ["2048-merge", "2048-astar", "2048-game"] {
        let mut count = 0;
        for mut case in golden(find(id)) {
            case.options.set("picture", "true", Authority::Owner).unwrap();
            for puzzle in puzzles(find(id), &case.options, &case.file) {
                let (outcome, witness) = solved(puzzle.as_ref());
                let markup = drawn(puzzle.as_ref(), &outcome, &witness);
                if id == "2048-merge" && !pictures(&markup).is_empty() {
                    replay_merge(&markup, &witness);
                }
                count += pictures(&markup).len();
                assert!(markup.len() < 1 << 20);
            }
        }
        assert!(count > 20, "{id}: {count}");
    }
}

/// Whatever a file says proves an answer, something is drawn, and it can be read.
#[test]
fn hostile_witnesses_are_drawn_as_far_as_they_go() {
    let long = "EDCB".repeat(50_000);
    let many: Vec<Value> = (0..100_000).map(|at| json!(["E", "D", "C", "B"][at % 4])).collect();
    let lines: Vec<Value> =
        (0..100_000).map(|at| json!(format!("{} {} 0 2", ["E", "D"][at % 2], at % 3))).collect();
    let witnesses = [
        Value::Null,
        json!(7),
        json!(true),
        json!({"E": "D"}),
        json!(""),
        json!("EDX<script>"),
        json!("\u{0}é"),
        Value::from(long),
        json!([]),
        json!([[["E"]], 3, null]),
        json!(["E", "DD", "x"]),
        json!(["e", "d", "<svg>", "C"]),
        Value::from(many),
        Value::from(lines),
        json!(["+ 0 0 2", "+ 0 0 2"]),
        json!(["+ 9 9 2", "D 0 0 2"]),
        json!(["+ 18446744073709551615 18446744073709551615 2"]),
        json!(["+ 0 0 18446744073709551615", "+ 0 0 3", "+ 0 0 0"]),
        json!(["+ 0 0 2", "+ 1 1 2", "+ 1 0 2"]),
        json!(["D 0 0", "D", "", "D 0 0 2 2"]),
        json!(["D 0 0 2", "</p><script>alert(1)</script>"]),
    ];
    let filled = |size: usize, of: &str| vec![vec![of; size].join(" "); size].join("\n");
    let large = 1_u64 << 63;
    let files = [
        ("2048-merge", format!("3\n2 5\n2 0\n0 2\n4 5\n{}\n41 5\n{}\n", filled(4, "2"), filled(41, "2"))),
        ("2048-astar", format!("2\n0 2\n0 0\n3\n{}\n41\n{}\n", filled(3, "0"), filled(41, "0"))),
        ("2048-astar", format!("2\n{large} {large}\n0 0\n")),
        (
            "2048-game",
            format!(
                "2 1\n0 0\n0 0\n-\n2 1\n{large} {large}\n{large} {large}\n-\n41 1\n{}\n-\n",
                filled(41, "0")
            ),
        ),
    ];
    for (id, text) in files {
        let sets: &[_] = if id == "2048-merge" { &[("limits", "none")] } else { &[] };
        for puzzle in read(id, &text, sets) {
            let cancel = Cancel::default();
            cancel.cancel();
            let outcome = puzzle.solve(&Budget::new(None, None, 1 << 30, cancel));
            for witness in &witnesses {
                let markup = drawn(puzzle.as_ref(), &outcome, witness);
                pictures(&markup);
                assert!(!markup.contains("<script"), "{markup}");
                assert!(
                    markup.len() < 1 << 20,
                    "{} {}",
                    markup.len(),
                    markup.chars().take(200).collect::<String>()
                );
            }
        }
    }
}

/// A limit on what is drawn or told besides the answer is none on the answer.
#[test]
fn a_limit_that_only_the_witness_hits_leaves_the_answer() {
    // A board that is moved square by square: its slides take longer to find than their number.
    let rows = vec![vec!["2"; 64].join(" "); 64].join("\n");
    let text = format!("1\n64 50\n{rows}\n");
    let case = |set| read("2048-merge", &text, &[("limits", "none"), (set, "true")]).remove(0);
    let (pictured, told) = (case("picture"), case("witness"));
    let free = Budget::failing_at(u64::MAX, Stop::JobTimeLimit);
    assert_eq!(pictured.solve(&free).witness.as_array().map(Vec::len), Some(12));
    let mut kept = 0;
    for number in 1..=free.questions() {
        let solve = |case: &Arc<dyn Puzzle>| case.solve(&Budget::failing_at(number, Stop::JobTimeLimit));
        let (with, needed) = (solve(&pictured), solve(&told));
        assert_eq!((with.answer, &with.witness), (needed.answer.clone(), &needed.witness));
        if matches!(needed.verdict, Verdict::Answered) && needed.witness.is_null() {
            assert_eq!((with.headline.as_str(), needed.to_text().as_str()), ("12", "12\n"));
            kept += 1;
        }
    }
    assert!(kept > 0);
    // A game whose transcript does not fit is played to its end.
    let text = format!("5 8\n{}\nAUTO\n", ["0 0 0 0 0"; 5].join("\n"));
    let game = |set: &[(&str, &str)]| read("2048-game", &text, &[&[("depth", "1")], set].concat()).remove(0);
    let budget = || Budget::new(None, None, 200_000, Cancel::default());
    let (plain, pictured) = (game(&[]).solve(&budget()), game(&[("picture", "true")]).solve(&budget()));
    assert!(matches!(pictured.verdict, Verdict::Answered), "{}", pictured.headline);
    assert_eq!((pictured.to_text(), &pictured.witness), (plain.to_text(), &Value::Null));
}

/// What was found until a limit was hit is drawn, too.
#[test]
fn the_best_that_was_found_is_drawn() {
    let text = random("2048-merge", 20, 11, &[("size", "6"), ("tiles", "30")]);
    let mut best = 0;
    for puzzle in read("2048-merge", &text, &[("picture", "true")]) {
        let outcome = puzzle.solve(&Budget::new(None, None, 150_000, Cancel::default()));
        if outcome.bounds.at_least == outcome.bounds.at_most || outcome.bounds.at_most.is_none() {
            continue;
        }
        let markup = drawn(puzzle.as_ref(), &outcome, &outcome.witness);
        let boards = replay_merge(&markup, &outcome.witness);
        assert_eq!(Some(boards.len() as u64 - 1), outcome.bounds.at_most);
        assert_eq!(tiles(&boards.last().unwrap().rows), 1);
        assert!(markup.contains("The best that was found is drawn"));
        best += 1;
    }
    assert!(best > 0);
    let game = &read(
        "2048-game",
        "4 1\n0 0 0 0\n0 0 0 0\n0 0 0 0\n0 0 0 0\nAUTO\n",
        &[("picture", "true"), ("player", "random")],
    )[0];
    let free = Budget::failing_at(u64::MAX, Stop::JobTimeLimit);
    game.solve(&free);
    let outcome = game.solve(&Budget::failing_at(free.questions(), Stop::JobTimeLimit));
    assert!(matches!(outcome.verdict, Verdict::Undecided { .. }), "{}", outcome.headline);
    let played = play(&vec![vec![0; 4]; 4], &outcome.witness);
    check_game(&drawn(game.as_ref(), &outcome, &outcome.witness), &outcome, &played);
}

/// What a student answers, right or wrong, is drawn in the same way.
#[test]
fn answers_claim_their_moves() {
    let merge = &read("2048-merge", "1\n3 5\n2 0 2\n4 0 8\n0 0 0\n", &[])[0];
    let claim = |text: &str| claimed(find("2048-merge"), merge.as_ref(), text);
    assert_eq!(claim("3 E C E\n"), json!(["E", "C", "E"]));
    assert_eq!(claim("3 ece\n"), json!(["E", "C", "E"]));
    assert_eq!(claim("3\n"), Value::Null);
    assert_eq!(claim("no solution\n"), Value::Null);
    let astar = &read("2048-astar", "2\n2 0\n2 0\n", &[("goal", "4")])[0];
    let claim = |text: &str| claimed(find("2048-astar"), astar.as_ref(), text);
    assert_eq!(claim("Minimum number of moves: 1\n2\n2 0\n2 0\n2\n4 2\n0 0\n"), json!("C"));
    assert_eq!(claim("2\n2 0\n2 0\n2\n4 4\n0 0\n"), json!(""));
    assert_eq!(claim("1\n"), Value::Null);
    assert_eq!(claim("2\n2 0\n0 0\n2\n4 2\n0 0\n"), Value::Null);
}
