//! Tests the pictures of the solvers that slide tiles: boards are parsed and replayed by independent rules.

use serde_json::{Value, json};
use tabuleiro_puzzles::solver::{
    self, Authority, Budget, Cancel, LANGUAGE, Options, Outcome, Puzzle, Random, RenderInput, Solver, Stop,
    Verdict,
};

use super::claimed;
use super::svg::{Element, pictures, whole};
use crate::stated::{Sets, generated, golden, puzzles};

/// Side of a square, and gap between squares, in units.
const SQUARE: f64 = 40.0;
const GAP: f64 = 4.0;

type Rows = Vec<Vec<u128>>;

/// A drawn board.
#[derive(Debug)]
struct Drawn {
    /// Number of moves before it.
    number: usize,
    /// The move that led to it, and the next move.
    moved: Option<char>,
    next: Option<char>,
    caption: String,
    rows: Rows,
    /// Pairs of squares that merge next, sorted; squares with merged tiles; squares with new tiles.
    merging: Vec<[(usize, usize); 2]>,
    merged: Vec<(usize, usize)>,
    new: Vec<(usize, usize)>,
}

/// The result of a slide: the board, the sorted pairs that merge and squares where they end up, and the values made.
struct Slid {
    rows: Rows,
    pairs: Vec<[(usize, usize); 2]>,
    merged: Vec<(usize, usize)>,
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

fn read(id: &str, text: &str, settings: &[(&str, &str)]) -> Vec<Box<dyn Puzzle>> {
    puzzles(find(id), &options(id, settings), text.as_bytes())
}

fn random(id: &str, count: u64, seed: u64, sets: &[(&str, &str)]) -> String {
    let sets: Sets = sets.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect();
    String::from_utf8(generated(find(id), count, seed, &sets)).unwrap()
}

/// Returns the markup of an outcome with a given witness.
fn drawn(puzzle: &dyn Puzzle, outcome: &Outcome, witness: &Value) -> String {
    let language = solver::default_options(find("2048-merge")).get(LANGUAGE);
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

/// Solves for a picture. Returns the outcome and its witness.
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

/// Returns the drawn boards, including those that the strip as a whole leaves out.
fn boards(markup: &str) -> Vec<Drawn> {
    let captions =
        markup.split("<span class=\"cap\">").skip(1).map(|rest| rest.split("</span>").next().unwrap());
    let captions: Vec<&str> = captions.collect();
    let pictures = pictures(markup);
    assert!(captions.is_empty() && pictures.len() == 1 || captions.len() == pictures.len());
    pictures
        .iter()
        .enumerate()
        .map(|(index, picture)| board(picture, captions.get(index).unwrap_or(&"")))
        .collect()
}

fn board(picture: &Element, caption: &str) -> Drawn {
    let frame = picture.one("frame").unwrap();
    let size = whole(((frame.number("width") - GAP) / SQUARE).round());
    let index = |at: f64| whole((at - GAP) / SQUARE);
    let square = |(x, y): (f64, f64)| (index(y), index(x));
    let mut rows = vec![vec![0; size]; size];
    for text in picture.of_class("value").into_iter().flat_map(Element::texts) {
        let (row, column) = square(text.spot());
        assert_eq!(rows[row][column], 0, "two values on a square");
        rows[row][column] = value(&text.text);
    }
    // Every tile has its coloured ground.
    let is_tile = |path: &&Element| {
        path.name == "path"
            && path.attribute("class").strip_prefix('t').is_some_and(|power| power.parse::<u8>().is_ok())
    };
    let mut grounds: Vec<_> =
        picture.all().into_iter().filter(is_tile).flat_map(Element::dots).map(square).collect();
    grounds.sort_unstable();
    let squares = (0..size).flat_map(|row| (0..size).map(move |column| (row, column)));
    assert!(grounds.iter().copied().eq(squares.filter(|&(row, column)| rows[row][column] > 0)));
    let outlined = |class: &str| -> Vec<[(usize, usize); 2]> {
        let outlines = picture.of_class(class).into_iter();
        sorted(
            outlines
                .map(|outline| {
                    let (x, y) = outline.spot();
                    [square((x, y)), square((x + outline.number("width"), y + outline.number("height")))]
                })
                .collect(),
        )
    };
    let single = |class: &str| {
        outlined(class)
            .into_iter()
            .map(|[one, other]| {
                assert_eq!(one, other);
                one
            })
            .collect()
    };
    let name = caption.strip_prefix("<strong>").map_or("0", |rest| rest.split("</strong>").next().unwrap());
    let (number, moved) = name.split_once(' ').unwrap_or((name, ""));
    let caption = caption.split_once("</strong>").map_or("", |(_, rest)| rest).trim();
    let next = caption.strip_prefix("next ").and_then(|rest| rest.chars().nth(2));
    Drawn {
        number: number.parse().unwrap(),
        moved: moved.chars().nth(2),
        next,
        caption: caption.to_owned(),
        rows,
        merging: outlined("merging"),
        merged: single("merged"),
        new: single("new"),
    }
}

fn sorted(mut pairs: Vec<[(usize, usize); 2]>) -> Vec<[(usize, usize); 2]> {
    for pair in &mut pairs {
        pair.sort_unstable();
    }
    pairs.sort_unstable();
    pairs
}

/// Slides as on the pages: takes out every line from its wall on, merges equal neighbours once, and puts it back.
fn slid(rows: &Rows, letter: char) -> Slid {
    let size = rows.len();
    let mut slid =
        Slid { rows: vec![vec![0; size]; size], pairs: Vec::new(), merged: Vec::new(), made: Vec::new() };
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
                slid.merged.push(place(to));
                at += 1;
            }
            let (row, column) = place(to);
            slid.rows[row][column] = value;
            to += 1;
        }
    }
    slid.pairs = sorted(slid.pairs);
    slid.merged.sort_unstable();
    slid
}

/// Parses the boards of a file of cases.
fn cases(text: &str) -> Vec<Rows> {
    let mut numbers = text.split_whitespace().map(|token| token.parse::<u128>().unwrap());
    let count = numbers.next().unwrap();
    let case = |_| {
        let (size, _) = (numbers.next().unwrap() as usize, numbers.next());
        (0..size).map(|_| numbers.by_ref().take(size).collect()).collect()
    };
    (0..count).map(case).collect()
}

/// Replays the strip of a case, which must show all boards, and returns the boards.
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
            assert!(drawn.merging.is_empty());
            continue;
        };
        assert_eq!(drawn.number, index);
        let slid = slid(&drawn.rows, letter);
        assert_eq!(slid.pairs, drawn.merging, "{drawn:?}");
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
    // Tiles that are large or not powers of two, and tiles that never become one.
    check_merge("4\n2 9\n3 3\n0 6\n2 9\n5 7\n7 0\n2 9\n1099511627776 0\n0 1099511627776\n1 1\n0\n", &[]);
    for algorithm in ["depth-first", "breadth-first"] {
        check_merge(
            &random("2048-merge", 60, 5, &[("size", "3"), ("tiles", "6")]),
            &[("algorithm", algorithm)],
        );
    }
}

/// More unrelated values than the picture keeps.
#[test]
fn a_board_of_too_many_values_is_drawn_as_far_as_they_are_known() {
    let values: Vec<String> = (1..=81).map(|value| (2 * value + 1).to_string()).collect();
    let rows: Vec<String> = values.chunks(9).map(|row| row.join(" ")).collect();
    let puzzle = &read("2048-merge", &format!("1\n9 5\n{}\n", rows.join("\n")), &[])[0];
    let (outcome, _) = solved(puzzle.as_ref());
    let picture = pictures(&drawn(puzzle.as_ref(), &outcome, &json!(["E"]))).remove(0);
    let faces: Vec<_> = picture.texts().iter().map(|text| text.text.clone()).collect();
    assert_eq!(faces.iter().filter(|face| *face == "?").count(), 81 - 64);
    assert!(values[..64].iter().all(|value| faces.contains(value)));
}

#[test]
fn a_long_strip_steps_by_ten() {
    let puzzle = &read("2048-merge", "1\n2 50\n2 4\n0 0\n", &[])[0];
    let (outcome, _) = solved(puzzle.as_ref());
    let slides: Vec<&str> = (0..1000).map(|index| ["B", "C"][index % 2]).collect();
    for (count, stride) in [(30, 1), (200, 10), (1000, 100)] {
        let markup = drawn(puzzle.as_ref(), &outcome, &json!(slides[..count]));
        let numbers: Vec<usize> = boards(&markup).iter().map(|board| board.number).collect();
        assert_eq!(numbers, (0..=count).step_by(stride).collect::<Vec<_>>());
        // The strip as a whole shows at most 24 boards, including the first and the last.
        let shown = markup
            .split("<label class=\"frame")
            .skip(1)
            .filter(|frame| !frame.split('"').next().unwrap().contains(" x"));
        assert!((11..=24).contains(&shown.count()), "{count}");
        assert!(markup.len() < 70_000 && markup.contains("2 tiles are left"), "{}", markup.len());
        assert_eq!(markup.contains(&format!("Every {stride}th step")), stride > 1);
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

/// Returns the board after a swipe of the deterministic game. `None` if the swipe is invalid.
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

/// Returns the two scores, as the page defines them.
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

/// Replays the moves of a witness and compares the drawn boards and scores. Returns how many boards are drawn.
fn check_astar(markup: &str, start: &Rows, moves: &str) -> usize {
    let mut expected = vec![start.clone()];
    for letter in moves.chars() {
        expected.push(swiped(&expected[expected.len() - 1], letter).unwrap());
    }
    let found = boards(markup);
    assert!(moves.len() > 60 || found.len() == expected.len(), "{} of {}", found.len(), expected.len());
    assert_eq!((found[0].number, found[found.len() - 1].number), (0, moves.len()));
    for drawn in &found {
        let rows = &expected[drawn.number];
        assert_eq!(&drawn.rows, rows);
        let (distance, left) = scores(rows);
        if moves.is_empty() {
            continue;
        }
        assert_eq!(drawn.caption, format!("distance {distance} · left {left}"));
        let Some(before) = drawn.number.checked_sub(1) else { continue };
        let letter = moves.chars().nth(before).unwrap();
        let slid = slid(&expected[before], letter);
        assert_eq!((drawn.moved, &drawn.merged), (Some(letter), &slid.merged));
        let size = rows.len();
        let squares = (0..size).flat_map(|row| (0..size).map(move |column| (row, column)));
        let new: Vec<_> =
            squares.filter(|&(row, column)| slid.rows[row][column] != rows[row][column]).collect();
        assert_eq!(drawn.new, new);
    }
    let letters =
        markup.split("<p class=\"letters mono\">").nth(1).map_or("", |rest| rest.split('<').next().unwrap());
    assert_eq!(letters.replace(' ', ""), moves);
    assert!(letters.split(' ').all(|group| group.len() <= 10));
    found.len()
}

#[test]
fn every_move_is_drawn_with_its_scores() {
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
            // The printed boards claim the same moves.
            assert_eq!(claimed(find("2048-astar"), puzzle.as_ref(), &answer), witness);
        }
    }
    assert!(drawn_boards > 800, "{drawn_boards}");
}

/// A board of a transcript after a move.
struct Played {
    rows: Rows,
    score: u128,
    letter: Option<char>,
    merged: Vec<(usize, usize)>,
    new: Vec<(usize, usize)>,
}

fn play(start: &Rows, witness: &Value) -> Vec<Played> {
    let mut boards =
        vec![Played { rows: start.clone(), score: 0, letter: None, merged: Vec::new(), new: Vec::new() }];
    for line in witness.as_array().unwrap() {
        let parts: Vec<&str> = line.as_str().unwrap().split(' ').collect();
        let (row, column): (usize, usize) = (parts[1].parse().unwrap(), parts[2].parse().unwrap());
        let letter = parts[0].chars().next().unwrap();
        if letter != '+' {
            let before = boards.last().unwrap();
            let slid = slid(&before.rows, letter);
            assert_ne!(slid.rows, before.rows);
            let score = before.score + slid.made.iter().sum::<u128>();
            boards.push(Played {
                rows: slid.rows,
                score,
                letter: Some(letter),
                merged: slid.merged,
                new: Vec::new(),
            });
        }
        let now = boards.last_mut().unwrap();
        assert_eq!(now.rows[row][column], 0);
        now.rows[row][column] = parts[3].parse().unwrap();
        now.new.push((row, column));
        now.new.sort_unstable();
    }
    boards
}

fn check_game(markup: &str, outcome: &Outcome, played: &[Played]) {
    let found = boards(markup);
    let moves = played.len() - 1;
    assert_eq!((found[0].number, found[found.len() - 1].number), (0, moves));
    assert!(found.len() <= 101 && (found.len() > moves || found.len() > moves / 100));
    for drawn in &found {
        let Played { rows, score, letter, merged, new } = &played[drawn.number];
        assert_eq!((&drawn.rows, drawn.moved, &drawn.merged, &drawn.new), (rows, *letter, merged, new));
        assert!(moves == 0 || drawn.caption == format!("score {score}"), "{}", drawn.caption);
    }
    if matches!(outcome.verdict, Verdict::Answered) {
        let number = |key: &str| outcome.answer[key].as_u64().map(u128::from);
        let last = &played[moves];
        assert_eq!((number("score"), number("moves")), (Some(last.score), Some(moves as u128)));
        assert_eq!(number("max"), last.rows.iter().flatten().copied().max());
    }
}

#[test]
fn the_moves_of_a_game_are_drawn() {
    let mut random_games = Random::new(9);
    for player in ["greedy", "random", "expectimax"] {
        for size in [2_usize, 3, 4, 5, 9] {
            if player == "expectimax" && size > 3 {
                continue;
            }
            for _ in 0..if size < 5 { 40 } else { 2 } {
                let seed = random_games.below(1 << 40);
                let zeros = vec![vec!["0"; size].join(" "); size].join("\n");
                // Games on larger boards do not end.
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

/// Every picture of the golden cases, including the invalid ones, can be parsed.
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

/// Whatever a file claims as a witness, the drawing can be parsed.
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

/// A limit on the drawing or the witness does not limit the answer.
#[test]
fn a_limit_that_only_the_witness_hits_leaves_the_answer() {
    // A board that is slid square by square: finding the slides takes longer than finding their number.
    let rows = vec![vec!["2"; 64].join(" "); 64].join("\n");
    let text = format!("1\n64 50\n{rows}\n");
    let case = |set| read("2048-merge", &text, &[("limits", "none"), (set, "true")]).remove(0);
    let (pictured, told) = (case("picture"), case("witness"));
    let free = Budget::failing_at(u64::MAX, Stop::JobTimeLimit);
    assert_eq!(pictured.solve(&free).witness.as_array().map(Vec::len), Some(12));
    let mut kept = 0;
    for number in 1..=free.requests() {
        let solve = |case: &dyn Puzzle| case.solve(&Budget::failing_at(number, Stop::JobTimeLimit));
        let (with, needed) = (solve(&*pictured), solve(&*told));
        assert_eq!((with.answer, &with.witness), (needed.answer.clone(), &needed.witness));
        if matches!(needed.verdict, Verdict::Answered) && needed.witness.is_null() {
            assert_eq!((with.headline.as_str(), needed.to_text().as_str()), ("12", "12\n"));
            kept += 1;
        }
    }
    assert!(kept > 0);
    // A game is played to its end even if its transcript does not fit in memory.
    let text = format!("5 8\n{}\nAUTO\n", ["0 0 0 0 0"; 5].join("\n"));
    let game = |set: &[(&str, &str)]| read("2048-game", &text, &[&[("depth", "1")], set].concat()).remove(0);
    let budget = || Budget::new(None, None, 200_000, Cancel::default());
    let (plain, pictured) = (game(&[]).solve(&budget()), game(&[("picture", "true")]).solve(&budget()));
    assert!(matches!(pictured.verdict, Verdict::Answered), "{}", pictured.headline);
    assert_eq!((pictured.to_text(), &pictured.witness), (plain.to_text(), &Value::Null));
}

/// If a limit is hit, the best solution found is drawn.
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
    let outcome = game.solve(&Budget::failing_at(free.requests(), Stop::JobTimeLimit));
    assert!(matches!(outcome.verdict, Verdict::Undecided { .. }), "{}", outcome.headline);
    let played = play(&vec![vec![0; 4]; 4], &outcome.witness);
    check_game(&drawn(game.as_ref(), &outcome, &outcome.witness), &outcome, &played);
}

/// A student's answer, right or wrong, is drawn in the same way.
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
