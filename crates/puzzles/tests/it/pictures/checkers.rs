//! Tests the pictures of `checkers-capture`: an independent board replays what is drawn.

use serde_json::{Value, json};
use tabuleiro_puzzles::solver::{
    self, Authority, Budget, Cancel, LANGUAGE, Options, Outcome, Puzzle, Random, RenderInput, Solver, Stop,
    Verdict,
};

use super::claimed;
use super::svg::{Element, Spot, picture, pictures, spots, whole};
use crate::checkers_verified::board::{Board, EMPTY, OPPONENT, OWN};
use crate::stated::{golden, puzzles};

/// Side of a square, and width of the edge, in units.
const SQUARE: f64 = 36.0;
const EDGE: f64 = 26.0;

fn checkers() -> &'static dyn Solver {
    solver::find("checkers-capture").unwrap()
}

fn options(settings: &[(&str, &str)]) -> Options {
    let mut options = solver::default_options(checkers());
    for (key, value) in settings {
        options.set(key, value, Authority::Owner).unwrap();
    }
    options
}

fn puzzle(board: &Board, settings: &[(&str, &str)]) -> Box<dyn Puzzle> {
    puzzles(checkers(), &options(settings), (board.text() + "0 0\n").as_bytes()).remove(0)
}

/// Draws an outcome with a given witness.
fn drawn(puzzle: &dyn Puzzle, outcome: &Outcome, witness: &Value) -> String {
    let language = solver::default_options(checkers()).get(LANGUAGE);
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
fn square((x, y): Spot) -> (usize, usize) {
    let side = |at: f64| whole((at - EDGE) / SQUARE);
    assert!(x > EDGE && y > EDGE, "{x} {y}");
    (side(y), side(x))
}

/// Returns the middle of a square.
fn middle((row, column): (usize, usize)) -> Spot {
    (EDGE + (column as f64 + 0.5) * SQUARE, EDGE + (row as f64 + 0.5) * SQUARE)
}

fn is_near(one: Spot, other: Spot) -> bool {
    (one.0 - other.0).hypot(one.1 - other.1) < 0.1
}

/// Returns the squares with dots of a class, sorted.
fn squares(elements: &[&Element], class: &str) -> Vec<(usize, usize)> {
    let paths = elements.iter().flat_map(|element| element.of_class(class));
    let mut squares: Vec<_> = paths.flat_map(Element::dots).map(square).collect();
    squares.sort_unstable();
    squares
}

/// Plays what is drawn and returns how many pieces it takes. Checks everything drawn of the board and the path.
fn replay(board: &Board, picture: &Element) -> usize {
    let numbers = picture.of_class("number");
    for (index, number) in numbers.iter().enumerate() {
        assert_eq!(number.texts()[0].text, (index + 1).to_string());
    }
    let taken: Vec<_> = numbers.iter().map(|number| square(number.texts()[0].spot())).collect();
    let all = |piece: u8| {
        let places = (0..board.rows).flat_map(|row| (0..board.columns).map(move |column| (row, column)));
        places.filter(|&(row, column)| board.at(row, column) == piece).collect::<Vec<_>>()
    };
    let mut sorted = taken.clone();
    sorted.sort_unstable();
    assert_eq!(squares(&picture.of_class("t"), "other"), sorted);
    let of_board: Vec<&Element> = picture.children.iter().collect();
    let still: Vec<_> =
        of_board.iter().filter(|child| child.attribute("class") == "other").copied().collect();
    let others: Vec<_> = all(OPPONENT).into_iter().filter(|square| !taken.contains(square)).collect();
    assert_eq!(squares(&still, "other"), others);
    let me: Vec<_> = picture
        .of_class("me")
        .iter()
        .map(|me| square((me.children[0].number("cx"), me.children[0].number("cy"))))
        .collect();
    let resting: Vec<_> = all(OWN).into_iter().filter(|square| Some(square) != me.first()).collect();
    assert_eq!(squares(&of_board, "own"), resting);
    let sides = picture.one("side").unwrap().texts();
    let numbers = (0..board.rows).chain(0..board.columns).map(|side| side.to_string());
    assert!(sides.iter().map(|text| text.text.clone()).eq(numbers));
    if taken.is_empty() {
        assert!(picture.of_class("way").is_empty());
        return 0;
    }
    let lines: Vec<_> = picture.of_class("way").into_iter().flat_map(Element::commands).collect();
    let heads: Vec<_> = picture.of_class("head").into_iter().flat_map(Element::dots).collect();
    let strokes: Vec<_> = picture.of_class("out").into_iter().flat_map(Element::dots).collect();
    assert_eq!((heads.len(), strokes.len()), (taken.len(), taken.len()));
    let mut left = board.clone();
    let mut at = me[0];
    assert_eq!(left.at(at.0, at.1), OWN);
    left.set(at.0, at.1, EMPTY);
    // The line of every jump begins with an M, and ends on the next square or turns there.
    let mut lines = lines.split(|(letter, _)| *letter == 'M').skip(1);
    let mut path = vec![at];
    for (index, &over) in taken.iter().enumerate() {
        let to = (2 * over.0 - at.0, 2 * over.1 - at.1);
        assert_eq!((over.0.abs_diff(at.0), over.1.abs_diff(at.1)), (1, 1), "{at:?} {over:?}");
        assert_eq!((left.at(over.0, over.1), left.at(to.0, to.1)), (OPPONENT, EMPTY), "{at:?} {to:?}");
        left.set(over.0, over.1, EMPTY);
        let is_last = index + 1 == taken.len();
        // The arrowhead lies behind the captured piece, on the way to the landing square.
        let (begin, end) = (middle(at), middle(to));
        let share = if is_last { 1.0 } else { 0.8 };
        let point = (begin.0 + share * (end.0 - begin.0), begin.1 + share * (end.1 - begin.1));
        assert!(is_near(heads[index], point), "{:?} {point:?}", heads[index]);
        let (letter, spots) = lines.next().unwrap().last().unwrap();
        let slack = if is_last { 0.06 * 2.0 * SQUARE * 1.5 } else { 0.1 };
        assert!((spots[0].0 - end.0).hypot(spots[0].1 - end.1) < slack, "{letter} {spots:?} {end:?}");
        at = to;
        path.push(at);
    }
    assert!(lines.next().is_none());
    let end = picture.one("end").unwrap();
    assert_eq!(square((end.number("cx"), end.number("cy"))), at);
    // In every state, including the last, the piece stands on a square of the path.
    let stride = [1, 10, 100, 1000]
        .into_iter()
        .find(|stride| (path.len() - 1).div_ceil(*stride) + 1 == me.len())
        .unwrap();
    let states = (0..me.len()).map(|state| path[(state * stride).min(path.len() - 1)]);
    assert!(states.eq(me.iter().copied()), "{me:?}");
    taken.len()
}

/// Solves for a picture, with or without a printed witness, and replays what is drawn.
fn check(board: &Board, settings: &[(&str, &str)]) {
    let plain = puzzle(board, settings).solve(&Budget::unlimited());
    for witness in ["true", "false"] {
        let settings = [settings, &[("picture", "true"), ("witness", witness)]].concat();
        let puzzle = puzzle(board, &settings);
        let outcome = puzzle.solve(&Budget::unlimited());
        assert_eq!(outcome.headline, plain.headline);
        if witness == "false" {
            assert_eq!(outcome.to_text(), plain.to_text());
        }
        let traced = if outcome.witness.is_null() {
            puzzle.trace(&Budget::unlimited())
        } else {
            outcome.witness.clone()
        };
        let captures = replay(board, &picture(&drawn(puzzle.as_ref(), &outcome, &traced)));
        assert_eq!(outcome.answer, json!(captures), "{}", board.text());
    }
}

#[test]
fn what_is_drawn_of_small_boards_is_played() {
    let mut random = Random::new(71);
    for round in 0..3000 {
        let size = (random.between(1, 12) as usize, random.between(1, 12) as usize);
        let board = if round % 3 == 0 {
            Board::lattice(size, round % 2, 0.2, 3, &mut random)
        } else {
            Board::scattered(size, 0.45, 0.1, &mut random)
        };
        let algorithm = ["exact", "exact", "exact", "tree", "backtracking"][round % 5];
        let is_hard = board.count(OPPONENT) > 20 && algorithm != "exact";
        check(&board, &[("limits", "none"), ("algorithm", if is_hard { "exact" } else { algorithm })]);
    }
}

#[test]
fn what_is_drawn_of_large_boards_is_played() {
    let mut random = Random::new(72);
    for size in [20, 25, 33, 40, 40] {
        let board = Board::lattice((size, size), 0, 0.1, 5, &mut random);
        check(&board, &[("limits", "none")]);
    }
}

#[test]
fn golden_cases_are_drawn() {
    let (mut drawn_captures, mut seen) = (0, 0);
    for mut input in golden(checkers()) {
        input.options.set("picture", "true", Authority::Owner).unwrap();
        for puzzle in puzzles(checkers(), &input.options, &input.file) {
            let budget = Budget::unlimited();
            let outcome = puzzle.solve(&budget);
            let mut witness = outcome.witness.clone();
            if witness.is_null() {
                witness = puzzle.trace(&budget);
            }
            let markup = drawn(puzzle.as_ref(), &outcome, &witness);
            assert!(markup.len() < 250_000, "{}", markup.len());
            let picture = picture(&markup);
            seen += 1;
            let numbers = picture.of_class("number").len();
            if let (1.., Some(captures)) = (numbers, outcome.answer.as_u64()) {
                assert_eq!(numbers as u64, captures, "{}", input.path.display());
                drawn_captures += captures;
            }
        }
    }
    assert!(seen > 20 && drawn_captures > 100, "{seen} boards, {drawn_captures} captures");
}

/// If a limit ends a search, the best capture found is kept and drawn with its bounds.
#[test]
fn an_undecided_board_is_drawn_with_the_best_that_was_found() {
    let mut random = Random::new(73);
    let (mut undecided, mut with_way) = (0, 0);
    for round in 0..12 {
        let board = Board::lattice((14, 14), 0, 0.25, 3, &mut random);
        let settings = [("limits", "none"), ("picture", "true"), ("witness", ["true", "false"][round % 2])];
        let puzzle = puzzle(&board, &settings);
        let free = Budget::failing_at(u64::MAX, Stop::JobTimeLimit);
        puzzle.solve(&free);
        for number in (1..=free.requests()).step_by((free.requests() / 30).max(1) as usize) {
            let outcome = puzzle.solve(&Budget::failing_at(number, Stop::JobTimeLimit));
            if !matches!(outcome.verdict, Verdict::Undecided { .. }) {
                continue;
            }
            undecided += 1;
            let bounds = (outcome.bounds.at_least.unwrap(), outcome.bounds.at_most.unwrap());
            if bounds.0 == bounds.1 && outcome.witness.is_null() {
                // The answer is known, but the path was refused.
                continue;
            }
            let markup = drawn(puzzle.as_ref(), &outcome, &outcome.witness);
            let captures = replay(&board, &picture(&markup)) as u64;
            assert_eq!(captures, bounds.0);
            with_way += u64::from(captures > 0);
        }
    }
    assert!(undecided > 100 && with_way > 50, "{undecided} undecided, {with_way} with a way");
}

/// The memory that only the path needs never costs the answer.
#[test]
fn no_answer_is_lost_to_its_path() {
    let mut random = Random::new(74);
    let (mut answered, mut without_path) = (0, 0);
    for number in 0..36 {
        // On the smaller boards the search needs little memory, and the path more.
        let side = if number < 12 { 16 } else { 24 };
        let board = Board::lattice((side, side), 0, 0.35, 1, &mut random);
        let case = |settings: &[_]| puzzle(&board, &[&[("limits", "none")], settings].concat());
        let (plain, pictured, told) = (case(&[]), case(&[("picture", "true")]), case(&[("witness", "true")]));
        let free = Budget::unlimited();
        plain.solve(&free);
        for fiftieth in 40..65 {
            let bytes = free.memory_bytes_peak() * fiftieth / 50;
            let solve =
                |puzzle: &dyn Puzzle| puzzle.solve(&Budget::new(None, None, bytes, Cancel::default()));
            let [without, drawn, told] = [&plain, &pictured, &told].map(|puzzle| solve(puzzle.as_ref()));
            if matches!(without.verdict, Verdict::Answered) {
                assert_eq!(drawn.to_text(), without.to_text(), "{bytes} bytes: {}", board.text());
                assert_eq!(told.answer, without.answer, "{bytes} bytes: {}", board.text());
                assert_eq!(told.witness, drawn.witness, "{bytes} bytes: {}", board.text());
                if told.witness.is_null() {
                    assert_eq!(told.to_text(), without.to_text());
                    without_path += 1;
                }
                answered += 1;
            }
        }
    }
    assert!(answered > 200 && without_path > 0, "{answered} answered, {without_path} without a path");
}

#[test]
fn a_witness_that_breaks_a_rule_is_drawn_as_far_as_it_goes() {
    let board = Board::lattice((8, 8), 0, 0.0, 0, &mut Random::new(1));
    let mut board = board.clone();
    board.set(7, 3, OWN);
    let puzzle = puzzle(&board, &[]);
    let outcome = puzzle.solve(&Budget::unlimited());
    for (witness, captures, told) in [
        (json!([[7, 3], [5, 1], [3, 3], [5, 5], [3, 3]]), 3, "Jump 4, from 5,5 to 3,3"),
        (json!([[7, 3], [5, 1], [5, 1]]), 1, "Jump 2, from 5,1 to 5,1"),
        (json!([[7, 3], [5, 1], [9, 9]]), 1, "The path goes to 9,9"),
        (json!([[7, 3], [5, 1], [4, 1]]), 1, "The path goes to 4,1"),
        (json!([[7, 3], [5, 1], [3]]), 1, "Square 3 of the path"),
        (json!([[6, 2], [4, 4]]), 0, "No own piece stands on 6,2"),
        (json!([[40, 2], [4, 4]]), 0, "The path goes to 40,2"),
        (json!(["7,3"]), 0, "Square 1 of the path"),
    ] {
        let markup = drawn(puzzle.as_ref(), &outcome, &witness);
        let picture = picture(&markup);
        assert_eq!(replay(&board, &picture), captures, "{witness}");
        assert!(markup.contains(told), "{told}: {markup}");
        // A word that is not a square has no place in the picture.
        assert!(picture.one("wrong").is_some() || witness == json!(["7,3"]), "{witness}");
    }
}

#[test]
fn hostile_witnesses_are_drawn_without_harm() {
    let mut random = Random::new(75);
    let large = Value::from(vec![json!([7, 3]); 100_000]);
    let huge = json!([[u64::MAX, u64::MAX], [-1, 2.5]]);
    let odd = [
        json!(null),
        json!("x"),
        json!({"a": [1]}),
        json!([[[]]]),
        json!([null]),
        json!([[1, 2, 3]]),
        large,
        huge,
    ];
    for round in 0..400 {
        let size = [(1, 1), (1, 60), (3, 3), (8, 8), (45, 12), (60, 60)][round % 6];
        let board = Board::scattered(size, 0.4, 0.2, &mut random);
        let puzzle = puzzle(&board, &[("limits", "none")]);
        let outcome = Outcome::number(3);
        let mut witnesses = odd.to_vec();
        let mut side = || random.below(size.0.max(size.1) as u64 + 2);
        witnesses.extend((0..20).map(|_| json!([[side(), side()], [side(), side()], [side(), side()]])));
        for witness in witnesses {
            let markup = drawn(puzzle.as_ref(), &outcome, &witness);
            assert!(markup.len() < 250_000, "{}", markup.len());
            pictures(&markup);
        }
    }
}

/// Above 40 squares a side, only the path is drawn, each straight part as one line.
#[test]
fn a_large_board_is_a_thumbnail_of_the_way() {
    let mut random = Random::new(76);
    for size in [(41, 41), (30, 60), (50, 50), (5, 200)] {
        let board = Board::lattice(size, 0, 0.1, 40, &mut random);
        let puzzle = puzzle(&board, &[("limits", "none"), ("picture", "true")]);
        let outcome = puzzle.solve(&Budget::unlimited());
        let markup = drawn(puzzle.as_ref(), &outcome, &outcome.witness);
        assert!(markup.len() < 220_000, "{}", markup.len());
        let picture = picture(&markup);
        let squares: Vec<(i64, i64)> = serde_json::from_value(outcome.witness.clone()).unwrap();
        assert!(!squares.is_empty(), "{size:?}");
        let spot = |&(row, column): &(i64, i64)| (column as f64 + 0.5, row as f64 + 0.5);
        let is_turn = |three: &&[(i64, i64)]| {
            (three[1].0 - three[0].0, three[1].1 - three[0].1)
                != (three[2].0 - three[1].0, three[2].1 - three[1].1)
        };
        let mut turns = vec![squares[0]];
        turns.extend(squares.windows(3).filter(is_turn).map(|three| three[1]));
        turns.push(squares[squares.len() - 1]);
        let line = spots(
            picture.all().iter().find(|element| element.name == "polyline").unwrap().attribute("points"),
        );
        assert_eq!(line.len(), turns.len(), "{size:?}");
        assert!(line.iter().zip(&turns).all(|(&found, turn)| is_near(found, spot(turn))));
    }
}

/// The claim of a submission is drawn in the form of the solver's own witness.
#[test]
fn the_squares_of_an_answer_are_a_witness() {
    let board = Board::new(3, 3, |row, column| match (row, column) {
        (1, 1) => OPPONENT,
        (2, 2) => OWN,
        _ => EMPTY,
    });
    let puzzle = puzzle(&board, &[]);
    for (answer, expected) in [
        ("1 2,2 0,0\n", json!([[2, 2], [0, 0]])),
        ("1\n", Value::Null),
        ("1 2,2 x\n", json!([[2, 2]])),
        ("2 99999999999999999999,2\n", Value::Null),
    ] {
        assert_eq!(claimed(checkers(), puzzle.as_ref(), answer), expected, "{answer}");
    }
}
