//! Tests the reader: reading ends on any bytes, every entry consumes input, and a mistake spoils only one game.

use proptest::prelude::*;
use tabuleiro_puzzles::input::Scanner;
use tabuleiro_puzzles::solver::{Random, Verdict, Work};

use super::oracle::Game;
use super::{answer_all, jump_game, options};

/// Returns the entries of a file: the line where each begins, and the rule it breaks.
fn entries(text: &[u8]) -> Vec<(u64, Option<&'static str>)> {
    let mut scanner = Scanner::new(text, "entrada.txt").unwrap();
    let mut reader = jump_game().open(&options(&[]));
    let mut entries = Vec::new();
    let mut consumed = 0;
    while let Some(entry) = reader.read(&mut scanner).unwrap() {
        assert!(scanner.bytes_consumed() > consumed, "an entry that consumes nothing");
        consumed = scanner.bytes_consumed();
        let rule = match entry.work {
            Work::Invalid(problem) => Some(problem.rule()),
            Work::Solve(_) | Work::Settled(_) => None,
        };
        entries.push((entry.place.line, rule));
    }
    entries
}

#[test]
fn entries_know_where_they_begin() {
    let text = b"# c\n1 3\n1\n2 1 0\n0 0\n\n1 3\n2\n2 1 0\n0 0\n 3 3\n1\n1 1 1 1 1 1 1 1 1\n2 2\n";
    assert_eq!(entries(text), [(2, None), (7, Some("numbers-missing")), (11, None)]);
}

#[test]
fn rules_have_stable_names() {
    let rule = |text: &str| entries(text.as_bytes())[0].1;
    assert_eq!(rule("0 1\n1\n"), Some("header-value"));
    assert_eq!(rule("1 0\n1\n"), Some("header-value"));
    assert_eq!(rule("1 1\n0\n"), Some("header-value"));
    assert_eq!(rule("1 1\n1\nx\n"), Some("square-value"));
    assert_eq!(rule("1 1\n1\n0\n1 0\n"), Some("player-row"));
    assert_eq!(rule("1 1\n1\n0\n0 1\n"), Some("player-column"));
    assert_eq!(rule("1 1\n1\n0\n0 0\n"), None);
}

/// A file is recognised only if something in it looks like a game.
#[test]
fn garbage_is_not_recognised() {
    let recognised = |text: &str| match &answer_all(text, &[])[0].verdict {
        Verdict::Invalid(problem) => problem.recognised,
        _ => panic!("not invalid: {text}"),
    };
    assert!(!recognised("hello world\n"));
    assert!(!recognised("3 x\n1\n"));
    assert!(!recognised("1 2\n"));
    assert!(recognised("0 2\n1\n"));
    assert!(recognised("2 2\n0\n"));
    assert!(recognised("2 2\n1\n1 2 x\n"));
    assert!(recognised("2 2 1 1 1 1 1 2 0\n"));
}

/// A header alone costs no memory and no time.
#[test]
fn giant_headers_are_only_words() {
    for text in ["1000000000 1000000000\n1\n", "18446744073709551615 18446744073709551615\n1\n1 2 3"] {
        assert_eq!(entries(text.as_bytes()), [(1, Some("numbers-missing"))]);
    }
    assert_eq!(entries(b"1 1\n18446744073709551615\n5\n0 0\n"), [(1, Some("numbers-missing"))]);
}

/// The window does not hold a large board as a whole, so the reader itself remembers the first odd row.
#[test]
fn the_first_odd_row_of_a_large_board_is_told() {
    let row = "123 ".repeat(1000);
    let short = row.replacen("123 ", "", 1);
    let file = |rows: &[&str]| format!("1000 1000\n2\n{}\n0 0\n0 1\n1 1\n1\n0\n0 0\n", rows.join("\n"));
    for (odd, numbers) in [(&*short, 999), (&*format!("{row} 7"), 1001)] {
        let rows: Vec<&str> = (0..1000).map(|at| if at == 700 { odd } else { &row }).collect();
        let outcomes = answer_all(&file(&rows), &[]);
        let expected = format!(
            "invalid game: row 701 (line 703) has {numbers} numbers, expected 1000 [entrada.txt:703:1]"
        );
        assert_eq!(outcomes[0].headline, expected);
        assert_eq!(outcomes[1].headline, "A 0");
    }
    let outcomes = answer_all(&file(&vec![&*row; 999]), &[]);
    let told = "invalid game: row 1000 (line 1002) has 2 numbers, expected 1000 [entrada.txt:1002:1]";
    assert_eq!(outcomes[0].headline, told);
    assert_eq!(outcomes[1].headline, "A 0");
}

/// Lines that could be surplus of one game are not, if their tokens make up the next game.
#[test]
fn a_game_in_other_lines_is_no_surplus() {
    for next in ["1 1\n1 0\n0 0\n", "1 2\n1 1 0 0 0\n", "1 1\n1 0 0 0\n1 1 1 0 0 0\n", "1 2 1\n1 0\n0 0\n"] {
        let text = format!("2 3\n1\n1 1 1\n1 1 0\n0 0\n{next}");
        let entries = entries(text.as_bytes());
        assert!(entries.len() > 1 && entries.iter().all(|(_, rule)| rule.is_none()), "{text}: {entries:?}");
    }
    let text = b"2 3\n1\n1 1 1\n1 1 0\n0 0\n0 2\n1 2\n1 1\n1\n0\n0 0\n";
    assert_eq!(entries(text), [(1, Some("numbers-surplus")), (8, None)]);
}

/// A long line of tiny games, and many blank lines after a mistake, cost time in proportion to their bytes.
#[test]
fn looking_ahead_stays_cheap() {
    let line = "1 1 1 5 0 0 ".repeat(100_000);
    assert_eq!(entries(line.as_bytes()).len(), 100_000);
    let blank = "x\n".repeat(200_000) + &"\n".repeat(400_000) + "1 1\n1\n0\n0 0\n";
    assert_eq!(entries(blank.as_bytes()), [(1, Some("stray-line")), (600_001, None)]);
}

fn file(seed: u64) -> String {
    let mut random = Random::new(seed);
    (0..4).map(|_| Game::random(&mut random, 12).text()).collect()
}

proptest! {
    #[test]
    fn any_bytes_end(text in prop::collection::vec(any::<u8>(), 0..300)) {
        entries(&text);
    }

    #[test]
    fn any_numbers_end(text in "([0-9]{1,2}[ \n]|x|#|18446744073709551616){0,80}") {
        entries(text.as_bytes());
    }

    /// Reading a file with a few changed bytes ends, without a panic.
    #[test]
    fn damaged_files_end(seed in any::<u64>(), damage in prop::collection::vec((any::<usize>(), any::<u8>()), 1..6)) {
        let mut text = file(seed).into_bytes();
        for (at, byte) in damage {
            let at = at % text.len();
            text[at] = byte;
        }
        let text = String::from_utf8_lossy(&text).into_owned();
        prop_assert!(!answer_all(&text, &[("witness", "true")]).is_empty());
    }

    /// A word in the middle of a game spoils only this game.
    #[test]
    fn a_mistake_spoils_one_game(seed in any::<u64>(), at in any::<usize>()) {
        let game = |seed| {
            let mut game = Game::random(&mut Random::new(seed), 12);
            // With one column, every row is one number, and a player's line before one looks like a header.
            if game.columns == 1 {
                (game.rows, game.columns) = (1, game.rows);
                game.players.iter_mut().for_each(|player| *player = (0, player.0));
            }
            game.text()
        };
        let (first, broken, last) = (game(seed), game(seed ^ 1), game(seed ^ 2));
        let mut words: Vec<String> = broken.split_inclusive([' ', '\n']).map(str::to_owned).collect();
        let at = at % words.len();
        words[at].insert(0, 'x');
        let whole = answer_all(&(first.clone() + &last), &[]);
        let text = first + &words.concat() + &last;
        let spoilt = answer_all(&text, &[]);
        prop_assert!(spoilt.len() >= 3, "{}", text);
        prop_assert!(spoilt[1].headline.starts_with("invalid game: found 'x"));
        prop_assert_eq!(&spoilt[0].headline, &whole[0].headline);
        prop_assert_eq!(&spoilt[spoilt.len() - 1].headline, &whole[1].headline);
    }
}
