//! Tests the reader of `checkers-capture`: names of rules, warnings, resumption, and input that is not a board file.

use proptest::prelude::*;
use tabuleiro_puzzles::input::Scanner;
use tabuleiro_puzzles::solver::{
    self, Authority, Bounds, Budget, Options, Outcome, Random, Solver, Stop, Verdict, Work,
};

const VALID: &str = "3 3\n2 1 2 0 1\n";

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

struct Read {
    outcomes: Vec<Outcome>,
    warnings: Vec<String>,
    allows_empty: bool,
}

/// Reads and answers a file. Every entry must consume some of it.
fn read(text: &[u8], settings: &[(&str, &str)]) -> Read {
    let mut scanner = Scanner::new(text, "t").unwrap();
    let mut reader = checkers().open(&options(settings));
    let mut outcomes = Vec::new();
    let mut consumed = scanner.bytes_consumed();
    while let Some(entry) = reader.read(&mut scanner).unwrap() {
        assert!(scanner.bytes_consumed() > consumed, "an entry at {} consumed nothing", entry.place);
        consumed = scanner.bytes_consumed();
        outcomes.push(match entry.work {
            Work::Solve(puzzle) => puzzle.solve(&Budget::unlimited()),
            Work::Invalid(problem) => Outcome::invalid("board", *problem, scanner.name()),
            Work::Settled(outcome) => *outcome,
        });
    }
    assert!(reader.read(&mut scanner).unwrap().is_none(), "the end is the end");
    let (warnings, _) = scanner.take_warnings();
    let warnings = warnings.into_iter().map(|warning| format!("{} {}", warning.place, warning.what));
    Read { outcomes, warnings: warnings.collect(), allows_empty: reader.allows_empty() }
}

/// Returns the rule and place of the first invalid board, and whether its header was readable.
fn problem(text: &str, settings: &[(&str, &str)]) -> (&'static str, String, bool) {
    let read = read(text.as_bytes(), settings);
    let found = read.outcomes.iter().find_map(|outcome| match &outcome.verdict {
        Verdict::Invalid(problem) => Some((problem.rule(), problem.place.to_string(), problem.recognised)),
        _ => None,
    });
    found.unwrap_or_else(|| panic!("valid: {text}"))
}

#[test]
fn every_rule_has_its_name_and_place() {
    for (text, rule, place, recognised) in [
        ("x 3\n", "header-word", "1:1", false),
        ("3 x\n", "header-word", "1:3", false),
        ("3", "header-word", "1:2", false),
        ("2 2\n0 0\n", "header-values", "1:1", false),
        ("2 3\n0 0\n", "header-value", "1:1", true),
        ("3 21\n", "header-value", "1:3", true),
        ("20 11\n", "area", "1:1", true),
        ("3 3\n0 0 3\n", "square-value", "2:5", true),
        ("3 3\n0 0\n0 0\n", "numbers-missing", "2:4", true),
        ("3 3\n0 1", "numbers-missing", "2:4", true),
        ("3 3\n0 0 0 0 0 0", "numbers-surplus", "2:11", true),
        ("3 3\n0 0 0 0 0\n0 0 0\n3 3\n", "numbers-surplus", "3:1", true),
        ("3 3\n0 0 0\n0 0 0\n0 0 0\n", "all-squares", "1:1", true),
        ("5 5\n0 0 0 0 0\n0 0 0 0 0\n0 0 0 0 0\n3 3\n", "all-squares", "1:1", true),
        ("3 3\n0 0 0 0 x 0 0 0 0\n", "all-squares", "1:1", true),
        ("3 3\n0 0 0 21\n", "squares-joined", "2:7", true),
        ("4\n3 3\n", "header-length", "1:1", false),
        ("0 0 end\n", "marker-line", "1:5", false),
        ("3 3\n1 1 1 0 0", "own-pieces", "2:5", true),
        ("3 3\n2 2 0 2 0", "opponent-pieces", "2:7", true),
    ] {
        assert_eq!(problem(text, &[]), (rule, place.to_owned(), recognised), "{text:?}");
    }
}

#[test]
fn without_limits_only_what_is_no_board_is_invalid() {
    let none = [("limits", "none")];
    assert_eq!(problem("0 3\n", &none), ("header-value", "1:1".to_owned(), true));
    assert_eq!(problem("3 0\n", &none), ("header-value", "1:3".to_owned(), true));
    let read = read(b"1 1\n1\n1 4\n1 2\n2 3\n1 1 2\n3 3\n1 1 1 1 1\n0 0", &none);
    assert!(read.outcomes.iter().all(|outcome| outcome.to_text() == "0\n"));
    assert_eq!(read.outcomes.len(), 4);
}

#[test]
fn the_end_marker_and_its_warnings() {
    for (text, outcomes, warnings, allows_empty) in [
        ("", 0, vec![], false),
        ("# only a comment\n", 0, vec![], false),
        ("0 0", 0, vec![], true),
        ("0\n0\n", 0, vec![], true),
        ("3 3\n2 1 2 0 1\n0 0\n\n# end\n", 1, vec![], true),
        ("3 3\n2 1 2 0 1\n", 1, vec!["2:10 the end marker 0 0 is missing"], false),
        ("3 3\n2 1 2 0 1\n0 0 7\n", 2, vec!["3:6 the end marker 0 0 is missing"], false),
        (
            "3 3\n2 1 2 0 1\n0 0 // end\n",
            1,
            vec!["3:5 a comment after the end marker 0 0; comments have lines of their own"],
            true,
        ),
        ("3 3\n2 1 2 0 1\n0 0\nbye", 1, vec![], true),
        ("3 3\n2 1 2\n0 0\n", 1, vec![], true),
        ("3 3\n2 1 2\n0 0", 1, vec![], true),
        ("3 3\n2 1 x\n0 0\n", 1, vec![], true),
        ("3 3\n2 1 2", 1, vec!["2:6 the end marker 0 0 is missing"], false),
    ] {
        let read = read(text.as_bytes(), &[]);
        assert_eq!(
            (read.outcomes.len(), read.warnings, read.allows_empty),
            (outcomes, warnings.into_iter().map(str::to_owned).collect(), allows_empty),
            "{text:?}"
        );
    }
}

/// `0 0` is a row of squares if something follows it.
#[test]
fn a_row_0_0_that_does_not_end_the_file_is_squares() {
    let read = read(b"4 4\n0 0\n2 2\n0 1\n0 0\n3 3\n2 1 2 0 1\n0 0\n", &[]);
    let texts: Vec<_> = read.outcomes.iter().map(Outcome::to_text).collect();
    assert_eq!(texts, ["1\n", "1\n"]);
    assert!(read.warnings.is_empty());
}

/// Every board gets an answer or an error, and every valid board gets an answer.
#[test]
fn boards_with_all_their_squares_are_told_and_those_behind_are_answered() {
    let mut random = Random::new(5);
    for (rows, columns) in [(3, 3), (4, 4), (5, 3), (3, 4), (8, 8), (7, 5), (20, 10)] {
        for layout in ["rows", "line", "pairs"] {
            // For four columns, pairs are rows of the right width, but twice as many as the header says.
            if layout == "pairs" && columns == 4 {
                continue;
            }
            let mut text = String::new();
            for _ in 0..3 {
                text += &format!("{rows} {columns}\n");
                for square in 1..=rows * columns {
                    text += &random.below(3).to_string();
                    let width = if layout == "rows" { columns } else { 2 };
                    let is_end = square == rows * columns || layout != "line" && square % width == 0;
                    text += if is_end { "\n" } else { " " };
                }
                text += VALID;
            }
            let last = text.len() - VALID.len();
            for text in [text.clone() + "0 0\n", text[..last].to_owned() + "0 0\n", text[..last].to_owned()] {
                // In two columns, a row `0 0` can look like the end of the file.
                let mut scanner = Scanner::new(text.as_bytes(), "t").unwrap();
                let mut reader = checkers().open(&options(&[]));
                let mut said = Vec::new();
                while let Some(entry) = reader.read(&mut scanner).unwrap() {
                    said.push(match entry.work {
                        Work::Invalid(problem) => problem.rule(),
                        _ => "valid",
                    });
                }
                if scanner.take_ignored().is_some() {
                    assert_eq!(layout, "pairs", "{text}");
                    continue;
                }
                let expected = ["all-squares", "valid", "all-squares", "valid", "all-squares", "valid"];
                let ends_valid = text.contains(&format!("{VALID}0 0\n"));
                assert_eq!(said, expected[..5 + usize::from(ends_valid)], "{text}");
            }
        }
    }
}

/// An extra row that begins with `0 0` does not end the file.
#[test]
fn a_doubled_row_of_zeros_belongs_to_its_board() {
    for (board, rows) in [
        ("4 8\n2 1 0 0\n0 0 2 0\n1 0 0 0\n0 0 0 0\n", "0 0 0 0\n"),
        ("4 4\n2 1\n0 0\n1 0\n0 2\n", "0 0\n1 2\n"),
    ] {
        let text = format!("{board}{rows}{VALID}0 0\n");
        assert_eq!(problem(&text, &[]).0, "numbers-surplus", "{text}");
        assert_eq!(read(text.as_bytes(), &[]).outcomes[1].to_text(), "1\n");
    }
}

/// The reader counts squares, not lines. But it warns if the lines would fit another header.
#[test]
fn lines_that_contradict_the_header_are_answered_with_a_warning() {
    let lines = |count: usize, line: &str| line.repeat(count);
    for (text, warning) in [
        (
            "10 20\n".to_owned() + &lines(20, "0 0 0 0 0\n"),
            Some("1:1 20 lines of 5 numbers follow the header 10 20; 20 10 would fit them (line 1)"),
        ),
        (
            "7 5\n".to_owned() + &lines(2, "0 0 0 0\n0 0 0\n") + "0 0 0 0\n",
            Some(
                "1:1 5 lines below the header 7 5 alternate between 4 and 3 numbers; 5 7 would fit them (line 1)",
            ),
        ),
        ("20 10\n".to_owned() + &lines(20, "0 0 0 0 0\n"), None),
        ("5 7\n".to_owned() + &lines(2, "0 0 0 0\n0 0 0\n") + "0 0 0 0\n", None),
        ("10 20\n".to_owned() + &lines(99, "0 ") + "0\n", None),
        (
            "8 8\n".to_owned() + &lines(16, "0 0\n"),
            Some("1:1 16 lines of 2 numbers follow the header 8 8; 16 4 would fit them (line 1)"),
        ),
        ("8 8\n".to_owned() + &lines(2, "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n"), None),
        ("8 8\n".to_owned() + &lines(32, "0\n"), None),
    ] {
        let read = read((text.clone() + "0 0\n").as_bytes(), &[]);
        assert_eq!(read.outcomes[0].to_text(), "0\n", "{text}");
        assert_eq!(read.warnings, warning.into_iter().collect::<Vec<_>>(), "{text}");
    }
}

#[test]
fn on_invalid_stop_describes_the_board_and_stops() {
    let text = format!("{VALID}3 3\n2 1 x 0 1\n{VALID}0 0\n");
    let read = read(text.as_bytes(), &[("on_invalid", "stop")]);
    assert_eq!(read.outcomes.len(), 2);
    assert!(read.outcomes[1].headline.starts_with("invalid board: found 'x'"));
    assert_eq!(
        read.warnings,
        ["4:5 stopped at an invalid board (on_invalid = stop); what follows is not read"]
    );
}

#[test]
fn a_board_beyond_the_memory_is_undecided_and_the_next_is_answered() {
    let columns = 4_000_000;
    let mut text = format!("1 {columns}\n");
    text += &"0 2 1 2\n".repeat(columns / 8);
    text += VALID;
    text += "0 0\n";
    let read = read(text.as_bytes(), &[("limits", "none"), ("memory_limit", "1MiB")]);
    let at_most = columns as u64 / 4;
    assert!(matches!(read.outcomes[0].verdict, Verdict::Undecided { stop: Stop::MemoryLimit, .. }));
    assert_eq!(read.outcomes[0].bounds, Bounds { at_least: Some(0), at_most: Some(at_most) });
    assert_eq!(read.outcomes[0].headline, format!("undecided (at least 0, at most {at_most})"));
    assert_eq!(read.outcomes[1].to_text(), "1\n");
}

#[test]
fn a_header_of_any_size_allocates_nothing() {
    let text = format!("1000000000 1000000000\n0 0 0\n{VALID}0 0\n");
    let read = read(text.as_bytes(), &[("limits", "none"), ("memory_limit", "1TiB")]);
    assert!(
        matches!(&read.outcomes[0].verdict, Verdict::Invalid(problem) if problem.rule() == "numbers-missing")
    );
    assert_eq!(read.outcomes[1].to_text(), "1\n");
}

#[test]
fn boards_may_be_wrapped_in_every_way() {
    let tokens: Vec<&str> = "5 3 1 0 2 1 0 2 0 0 5 3 1 0 2 1 0 2 0 0".split(' ').collect();
    // Puts a line break or a blank after every token of the first board.
    for breaks in 0_u32..1 << 9 {
        let mut text = String::new();
        for (index, token) in tokens.iter().enumerate() {
            text += token;
            let line_feed = index >= 9 || breaks >> index & 1 == 1;
            text += if line_feed && index != 10 { "\n" } else { " " };
        }
        text += "0 0\n";
        let read = read(text.as_bytes(), &[]);
        let texts: Vec<_> = read.outcomes.iter().map(Outcome::to_text).collect();
        let lines: Vec<usize> = text.lines().map(|line| line.split(' ').count()).collect();
        // The header has a line of its own, followed by as many lines as rows, but of other lengths.
        if breaks & 0b11 == 0b10 && breaks.count_ones() == 5 && !lines.starts_with(&[2, 2, 1, 2, 1, 2]) {
            assert!(texts[0].starts_with("invalid board: row "), "{text:?}");
            assert_eq!(texts[1..], ["2\n"], "{text:?}");
        } else {
            assert_eq!(texts, ["2\n", "2\n"], "{text:?}");
        }
    }
}

/// 5 x 7 squares want 18 numbers, which the broken board, the next header and the next board have together.
#[test]
fn a_wrong_header_whose_numbers_end_with_the_next_board_leaves_that_board() {
    let read = read(b"5 7\n1 0 2 1\n0 2 0 0\n\n5 3\n1 0 2 1\n0 2 0 0\n3 3\n2 1 2 0 1\n0 0\n", &[]);
    let texts: Vec<_> = read.outcomes.iter().map(Outcome::to_text).collect();
    assert!(texts.len() == 3 && texts[0].starts_with("invalid board: "), "{texts:?}");
    assert_eq!(texts[1..], ["2\n", "1\n"]);
}

proptest! {
    #[test]
    fn any_bytes_are_read_to_their_end(text in prop::collection::vec(any::<u8>(), 0..300)) {
        read(&text, &[("limits", "none"), ("memory_limit", "1MiB")]);
    }

    #[test]
    fn anything_like_boards_is_read_to_its_end(text in "([0-3]{1,2}[ \n]|x|#){0,120}", limits in 0_usize..2) {
        read(text.as_bytes(), &[("limits", ["published", "none"][limits])]);
    }

    /// Whatever happens to one board, the boards before it and the two after it keep their answers.
    #[test]
    fn a_broken_board_spoils_no_other(at in 0_usize..25, kind in 0..3, byte in "[0-9 x\n-]") {
        let mut broken = b"5 3\n1 0 2 1\n0 2 0 0\n".to_vec();
        let at = at.min(broken.len() - 1);
        match kind {
            0 => broken[at] = byte.as_bytes()[0],
            1 => broken.insert(at, byte.as_bytes()[0]),
            _ => { broken.remove(at); }
        }
        let good = "5 3\n1 0 2 1\n0 2 0 0\n";
        let text = [VALID.as_bytes(), &broken, b"\n", good.as_bytes(), VALID.as_bytes(), b"0 0\n"].concat();
        let read = read(&text, &[]);
        let texts: Vec<_> = read.outcomes.iter().map(Outcome::to_text).collect();
        prop_assert_eq!(&texts[0], "1\n");
        // A changed header can make the broken board absorb the next one; a changed end marker, all that follows.
        if !read.warnings.iter().any(|warning| warning.contains("ignored")) {
            prop_assert_eq!(&texts[texts.len() - 1], "1\n");
            prop_assert_eq!(&texts[texts.len() - 2], "2\n");
        }
    }
}
