//! `2048-merge` against rules, parser and search of its own: nothing here is shared with the solver.

use std::collections::HashSet;
use std::time::Instant;

use proptest::prelude::*;
use tabuleiro::input::Scanner;
use tabuleiro::solver::{
    Authority, Budget, Cancel, Merge2048, Options, Outcome, Random, Solver, Stop, Verdict, Work, answer_all,
    default_options,
};

const ALGORITHMS: [&str; 3] = ["shortest", "breadth-first", "depth-first"];

/// A case as the tests see it: rows of values.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Case {
    moves_max: usize,
    rows: Vec<Vec<u64>>,
}

impl Case {
    fn new(moves_max: usize, rows: &[&[u64]]) -> Self {
        Self { moves_max, rows: rows.iter().map(|row| row.to_vec()).collect() }
    }

    fn text(&self) -> String {
        let rows: String = self
            .rows
            .iter()
            .map(|row| row.iter().map(u64::to_string).collect::<Vec<_>>().join(" ") + "\n")
            .collect();
        format!("{} {}\n{rows}", self.rows.len(), self.moves_max)
    }
}

fn file(cases: &[Case]) -> String {
    let texts: String = cases.iter().map(Case::text).collect();
    format!("{}\n{texts}", cases.len())
}

fn parse(text: &str) -> Vec<Case> {
    let mut numbers = text
        .lines()
        .filter(|line| !line.trim_start().starts_with('#'))
        .flat_map(str::split_whitespace)
        .map(|word| word.parse::<u64>().unwrap());
    let mut next = || numbers.next().unwrap();
    let total = next();
    let mut cases = Vec::new();
    for _ in 0..total {
        let (size, moves_max) = (next(), next() as usize);
        let rows = (0..size).map(|_| (0..size).map(|_| next()).collect()).collect();
        cases.push(Case { moves_max, rows });
    }
    assert_eq!(numbers.next(), None);
    cases
}

/// The lane's tiles from the wall outwards, merged.
fn merged(lane: impl Iterator<Item = u64>) -> Vec<u64> {
    let tiles: Vec<u64> = lane.filter(|&value| value != 0).collect();
    let mut out = Vec::new();
    let mut index = 0;
    while index < tiles.len() {
        if tiles.get(index + 1) == Some(&tiles[index]) {
            out.push(tiles[index] * 2);
            index += 2;
        } else {
            out.push(tiles[index]);
            index += 1;
        }
    }
    out
}

fn slide(rows: &[Vec<u64>], letter: char) -> Vec<Vec<u64>> {
    let size = rows.len();
    let mut out = vec![vec![0; size]; size];
    for lane in 0..size {
        let square = |index: usize| match letter {
            'E' => (lane, index),
            'D' => (lane, size - 1 - index),
            'C' => (index, lane),
            'B' => (size - 1 - index, lane),
            _ => panic!("no direction {letter}"),
        };
        let tiles = merged((0..size).map(|index| rows[square(index).0][square(index).1]));
        for (index, value) in tiles.into_iter().enumerate() {
            out[square(index).0][square(index).1] = value;
        }
    }
    out
}

fn tiles(rows: &[Vec<u64>]) -> usize {
    rows.iter().flatten().filter(|&&value| value != 0).count()
}

/// The answer by listing every board that 0, 1, 2, … slides reach.
fn brute_force(case: &Case) -> Option<u64> {
    let mut seen = HashSet::from([case.rows.clone()]);
    let mut layer = vec![case.rows.clone()];
    for slides in 0..=case.moves_max as u64 {
        if layer.iter().any(|rows| tiles(rows) <= 1) {
            return Some(slides);
        }
        let mut next = Vec::new();
        for rows in &layer {
            for letter in ['E', 'D', 'C', 'B'] {
                let rows = slide(rows, letter);
                if seen.insert(rows.clone()) {
                    next.push(rows);
                }
            }
        }
        layer = next;
    }
    None
}

fn options(settings: &[(&str, &str)]) -> Options {
    let mut options = default_options(&Merge2048);
    for (name, value) in settings {
        options.set(name, value, Authority::Owner).unwrap();
    }
    options
}

fn outcomes(text: &str, settings: &[(&str, &str)]) -> Vec<Outcome> {
    answer_all(&Merge2048, &options(settings), "t", text.as_bytes()).unwrap()
}

/// The number of an answered case, `None` for no solution; its witness is replayed.
fn check(case: &Case, outcome: &Outcome) -> Option<u64> {
    assert!(matches!(outcome.verdict, Verdict::Answered), "{outcome:?}");
    let text = outcome.to_text();
    if text == "no solution\n" {
        assert!(outcome.witness.is_null());
        return None;
    }
    let mut words = text.split_whitespace();
    let count: u64 = words.next().unwrap().parse().unwrap();
    assert!(count <= case.moves_max as u64);
    assert_eq!(outcome.answer, count);
    assert_eq!((outcome.bounds.at_least, outcome.bounds.at_most), (Some(count), Some(count)));
    let letters: Vec<&str> = words.collect();
    assert_eq!(serde_json::json!(letters), outcome.witness);
    assert_eq!(letters.len() as u64, count, "{text}");
    let mut rows = case.rows.clone();
    for letter in letters {
        assert!(tiles(&rows) > 1, "slides after the end: {text}{}", case.text());
        rows = slide(&rows, letter.chars().next().unwrap());
    }
    assert!(tiles(&rows) <= 1, "{text} leaves {rows:?} of\n{}", case.text());
    Some(count)
}

/// Answers all cases with witnesses and checks them.
fn answers(cases: &[Case], algorithm: &str) -> Vec<Option<u64>> {
    let outcomes = outcomes(&file(cases), &[("witness", "true"), ("algorithm", algorithm)]);
    assert_eq!(outcomes.len(), cases.len());
    cases.iter().zip(&outcomes).map(|(case, outcome)| check(case, outcome)).collect()
}

/// Small boards of all sorts: splits of one power of two times some base, and any values.
fn small_cases(seed: u64, count: usize, moves_max: u64) -> Vec<Case> {
    let mut random = Random::new(seed);
    let mut case = || {
        let size = random.between(1, 4) as usize;
        let area = size * size;
        let mut squares = vec![random.between(1, 3) << random.between(1, 5)];
        let count = random.between(1, area.min(9) as u64) as usize;
        if random.below(8) == 0 {
            squares = (0..count).map(|_| 1 << random.below(4)).collect();
        } else {
            for _ in 0..3 * count {
                let at = random.below(squares.len() as u64) as usize;
                if squares.len() < count && squares[at] % 2 == 0 {
                    squares[at] /= 2;
                    squares.push(squares[at]);
                }
            }
        }
        squares.resize(area, 0);
        random.shuffle(&mut squares);
        let rows = squares.chunks(size).map(<[u64]>::to_vec).collect();
        Case { moves_max: random.between(1, moves_max) as usize, rows }
    };
    (0..count).map(|_| case()).collect()
}

#[test]
fn agrees_with_brute_force_on_small_boards() {
    let cases = small_cases(1, 4000, 14);
    let expected: Vec<_> = cases.iter().map(brute_force).collect();
    assert!(expected.iter().flatten().any(|&count| count >= 8), "{:?}", expected.iter().max());
    assert!(expected.iter().filter(|count| count.is_none()).count() > 300);
    for algorithm in ["shortest", "breadth-first"] {
        let found = answers(&cases, algorithm);
        for ((case, expected), found) in cases.iter().zip(&expected).zip(found) {
            assert_eq!(found, *expected, "{algorithm}\n{}", case.text());
        }
    }
}

#[test]
fn the_corrected_depth_first_search_agrees_too() {
    let cases = small_cases(2, 3000, 7);
    let expected: Vec<_> = cases.iter().map(brute_force).collect();
    assert_eq!(answers(&cases, "depth-first"), expected);
    assert_eq!(answers(&cases, "shortest"), expected);
}

#[test]
fn full_boards_agree_with_brute_force() {
    let mut random = Random::new(3);
    let mut cases = Vec::new();
    for _ in 0..300 {
        let mut squares = vec![64_u64];
        while squares.len() < 9 {
            let at = random.below(squares.len() as u64) as usize;
            if squares[at] > 1 {
                squares[at] /= 2;
                squares.push(squares[at]);
            }
        }
        random.shuffle(&mut squares);
        cases.push(Case { moves_max: 50, rows: squares.chunks(3).map(<[u64]>::to_vec).collect() });
    }
    let expected: Vec<_> = cases.iter().map(brute_force).collect();
    for algorithm in ["shortest", "breadth-first"] {
        assert_eq!(answers(&cases, algorithm), expected, "{algorithm}");
    }
}

fn generated(count: u64, seed: u64, settings: &[(&str, &str)]) -> String {
    let mut options = Options::defaults(&[Merge2048.generator_options()]);
    for (name, value) in settings {
        options.set(name, value, Authority::Owner).unwrap();
    }
    let mut out = Vec::new();
    Merge2048.generate(&options, count, &mut Random::new(seed), &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn generated_cases_are_answered_alike_by_both_exact_searches() {
    let text = generated(60, 4, &[]);
    let cases = parse(&text);
    let shortest = answers(&cases, "shortest");
    assert_eq!(answers(&cases, "breadth-first"), shortest);
    assert!(shortest.iter().any(Option::is_none) && shortest.iter().flatten().any(|&count| count > 8));
}

#[test]
fn the_generator_keeps_its_word() {
    let text = generated(400, 5, &[]);
    assert_eq!(text, generated(400, 5, &[]));
    assert_ne!(text, generated(400, 6, &[]));
    let cases = parse(&text);
    let mut doubled = 0;
    for case in &cases {
        assert!(case.moves_max == 50 && (3..=6).contains(&case.rows.len()));
        let count = tiles(&case.rows);
        assert!((2..=24.min(case.rows.len().pow(2))).contains(&count));
        assert!(case.rows.iter().flatten().all(|&value| value == 0 || value.is_power_of_two()));
        doubled += usize::from(!case.rows.iter().flatten().sum::<u64>().is_power_of_two());
    }
    assert!((20..80).contains(&doubled), "{doubled}");
    for case in parse(&generated(20, 7, &[("size", "5"), ("tiles", "25")])) {
        assert_eq!((case.rows.len(), tiles(&case.rows)), (5, 25));
    }
    let one = parse(&generated(20, 8, &[("size", "1"), ("tiles", "400")]));
    assert!(one.iter().all(|case| case.rows.len() == 1 && tiles(&case.rows) == 1));
    assert_eq!(generated(0, 9, &[]), "0\n");
}

/// The one case of `text`, solved within `budget`.
fn solve_within(text: &str, algorithm: &str, budget: &Budget) -> Outcome {
    let mut scanner = Scanner::new(text.as_bytes(), "t").unwrap();
    let mut reader = Merge2048.open(&options(&[("algorithm", algorithm), ("witness", "true")]));
    match reader.read(&mut scanner).unwrap().unwrap().work {
        Work::Solve(puzzle) => puzzle.solve(budget),
        Work::Settled(outcome) => outcome,
    }
}

fn assert_undecided(outcome: &Outcome, expected: Stop, true_answer: Option<u64>) {
    assert!(matches!(outcome.verdict, Verdict::Undecided(stop) if stop == expected), "{outcome:?}");
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
        let budget = Budget::new(None, None, 400_000, Cancel::default());
        let outcome = solve_within(&file(std::slice::from_ref(&case)), "shortest", &budget);
        if matches!(outcome.verdict, Verdict::Undecided(_)) {
            let answer = answers(std::slice::from_ref(&case), "shortest")[0];
            assert_undecided(&outcome, Stop::MemoryLimit, answer);
            both += usize::from(outcome.bounds.at_most.is_some());
        }
    }
    assert!(both > 0);
}

/// The depth-first search may go round in circles for M slides; only its limits end that.
#[test]
fn going_round_in_circles_ends_by_memory_or_by_cancelling() {
    let text = format!("1\n3 {}\n2 4 8\n16 32 64\n2 0 0\n", u64::MAX);
    let settings = [("limits", "none"), ("algorithm", "depth-first")];
    let budget = Budget::new(None, None, 200_000, Cancel::default());
    let Some(Work::Solve(puzzle)) = read_all(text.as_bytes(), &settings).pop() else {
        panic!("no valid case in {text}");
    };
    assert_undecided(&puzzle.solve(&budget), Stop::MemoryLimit, None);
    assert_eq!(budget.memory_bytes_left(), 200_000);

    let text = text.replace(&u64::MAX.to_string(), "50");
    let Some(Work::Solve(puzzle)) = read_all(text.as_bytes(), &settings).pop() else {
        panic!("no valid case in {text}");
    };
    let cancel = Cancel::default();
    let budget = Budget::new(None, None, u64::MAX, cancel.clone());
    let outcome = std::thread::scope(|scope| {
        let search = scope.spawn(|| puzzle.solve(&budget));
        cancel.cancel();
        search.join().unwrap()
    });
    assert_undecided(&outcome, Stop::Cancelled, None);
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

/// Reads all entries of `text`: each consumes input, but for the last one about a missing case.
fn read_all(text: &[u8], settings: &[(&str, &str)]) -> Vec<Work> {
    let mut scanner = Scanner::new(text, "t").unwrap();
    let mut reader = Merge2048.open(&options(settings));
    let mut works = Vec::new();
    loop {
        let before = scanner.bytes_consumed();
        let Some(entry) = reader.read(&mut scanner).unwrap() else { return works };
        let missing = matches!(&entry.work, Work::Settled(outcome)
            if matches!(&outcome.verdict, Verdict::Invalid(problem) if problem.rule == "missing-case"));
        assert!(missing || scanner.bytes_consumed() > before);
        works.push(entry.work);
    }
}

fn invalid(work: &Work) -> Option<(&'static str, bool)> {
    match work {
        Work::Settled(Outcome { verdict: Verdict::Invalid(problem), .. }) => {
            Some((problem.rule, problem.recognised))
        }
        _ => None,
    }
}

#[test]
fn only_readable_headers_are_recognised() {
    let rules = |text: &str| -> Vec<_> {
        read_all(text.as_bytes(), &[]).iter().map(|work| invalid(work).unwrap_or(("valid", true))).collect()
    };
    assert_eq!(rules(""), []);
    assert_eq!(rules("# 5\n"), []);
    assert_eq!(rules("0"), []);
    assert_eq!(rules("0 1"), [("text-after-cases", false)]);
    assert_eq!(rules("hello"), [("case-count", false)]);
    assert_eq!(rules("99999999999999999999 1"), [("case-count", false)]);
    assert_eq!(rules("1"), [("missing-case", false)]);
    assert_eq!(rules("1 x"), [("board-size", false)]);
    assert_eq!(rules("1 3 x"), [("most-slides", false)]);
    assert_eq!(rules("1 99 5"), [("board-size", true)]);
    assert_eq!(rules("1 3 99"), [("most-slides", true)]);
    assert_eq!(rules("1 3 5 x"), [("square-value", true)]);
    assert_eq!(rules("2 1 5 7 1 5"), [("valid", true), ("square-value", true)]);
}

#[test]
fn a_row_of_another_length_is_warned_about() {
    let mut scanner = Scanner::new(&b"2\n2 5\n2 2\n0 0 0\n2 5\n0 0\n"[..], "t").unwrap();
    let mut reader = Merge2048.open(&options(&[]));
    while reader.read(&mut scanner).unwrap().is_some() {}
    let (warnings, _) = scanner.take_warnings();
    assert_eq!((warnings.len(), warnings[0].place.line, warnings[0].place.column), (1, 4, 5));
}

proptest! {
    #[test]
    fn any_bytes_are_read_to_their_end(text in prop::collection::vec(any::<u8>(), 0..300)) {
        read_all(&text, &[]);
    }

    #[test]
    fn anything_like_a_file_is_read_and_answered(text in "[0-5 \n]{0,120}", unlimited in any::<bool>()) {
        let settings = [("limits", if unlimited { "none" } else { "published" })];
        let budget = Budget::new(Some(Instant::now()), None, 1 << 20, Cancel::default());
        for work in read_all(text.as_bytes(), &settings) {
            if let Work::Solve(puzzle) = work {
                puzzle.solve(&budget);
            }
        }
    }

    /// One bad value spoils its own case and no other.
    #[test]
    fn a_bad_value_spoils_one_case(seed in any::<u64>(), at in 0_usize..5, bad in "x|-1|99999999999999999999|2[.]5") {
        let cases = parse(&generated(5, seed, &[("size", "4"), ("tiles", "3")]));
        let mut text = "5\n".to_owned();
        for (index, case) in cases.iter().enumerate() {
            let lines = case.text();
            let mut lines: Vec<String> = lines.lines().map(str::to_owned).collect();
            if index == at {
                let line = 1 + (seed % 4) as usize;
                let mut values: Vec<&str> = lines[line].split(' ').collect();
                values[(seed / 4 % 4) as usize] = &bad;
                lines[line] = values.join(" ");
            }
            text += &(lines.join("\n") + "\n");
        }
        let clean = outcomes(&file(&cases), &[]);
        let spoilt = outcomes(&text, &[]);
        prop_assert_eq!(spoilt.len(), 5);
        for index in 0..5 {
            if index == at {
                prop_assert!(spoilt[index].to_text().starts_with("invalid case: found "));
            } else {
                prop_assert_eq!(spoilt[index].to_text(), clean[index].to_text());
            }
        }
    }

    /// Turning or mirroring a board changes nothing.
    #[test]
    fn symmetric_boards_have_one_answer(seed in any::<u64>()) {
        let case = small_cases(seed, 1, 20).remove(0);
        let size = case.rows.len();
        let mut turned = case.clone();
        let mut mirrored = case.clone();
        for (row, column) in (0..size).flat_map(|row| (0..size).map(move |column| (row, column))) {
            turned.rows[column][size - 1 - row] = case.rows[row][column];
            mirrored.rows[row][size - 1 - column] = case.rows[row][column];
        }
        let found = answers(&[case, turned, mirrored], "shortest");
        prop_assert!(found[0] == found[1] && found[1] == found[2]);
    }
}
