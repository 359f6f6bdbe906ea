//! Tests the reading of boards: garbage, damage, wrapped rows, boards too large. A bad board never spoils another.

use proptest::prelude::*;
use tabuleiro_puzzles::input::Scanner;
use tabuleiro_puzzles::solver::{Authority, Options, Outcome, Random, Stop, Verdict};

use super::rules::row_of;
use super::{astar, options, outcomes};

#[test]
fn a_board_too_large_for_the_memory_limit_is_read_to_its_end() {
    let mut text = "300\n".to_owned();
    for _ in 0..300 {
        text += &row_of(&[2048; 300]);
        text += "\n";
    }
    text += "2\n2048 0\n0 0\n";
    let found = outcomes(text.as_bytes(), &[("memory_limit", "1MiB")]);
    let headlines: Vec<_> = found.iter().map(|found| found.headline.as_str()).collect();
    assert_eq!(headlines, ["undecided (at least 0 moves)", "0 moves"]);
    assert!(matches!(found[0].verdict, Verdict::Undecided { stop: Stop::MemoryLimit, .. }));
    assert_eq!(outcomes(text.as_bytes(), &[])[0].headline, "0 moves");
}

#[test]
fn garbage_is_not_recognised_as_boards() {
    let recognised = |text: &str| -> Vec<bool> {
        let outcomes = outcomes(text.as_bytes(), &[]);
        let problem = |outcome: &Outcome| match &outcome.verdict {
            Verdict::Invalid(problem) => problem.recognised,
            _ => true,
        };
        outcomes.iter().map(problem).collect()
    };
    assert_eq!(recognised("hello world\nthis is no board\n"), [false]);
    assert_eq!(recognised("2\nx\n"), [true]);
    assert_eq!(recognised(""), [] as [bool; 0]);
}

/// Checks that every entry consumes input and nothing panics. Does not solve the puzzles.
fn read_all(text: &[u8]) -> usize {
    let mut scanner = Scanner::new(text, "t").unwrap();
    let mut reader = astar().open(&options(&[("memory_limit", "1MiB")]));
    let (mut entries, mut consumed) = (0, 0);
    while reader.read(&mut scanner).unwrap().is_some() {
        assert!(scanner.bytes_consumed() > consumed);
        consumed = scanner.bytes_consumed();
        entries += 1;
    }
    entries
}

proptest! {
    #[test]
    fn random_bytes_are_read_to_the_end(text in prop::collection::vec(any::<u8>(), 0..400)) {
        read_all(&text);
    }

    #[test]
    fn random_numbers_are_read_to_the_end(text in "[0-248 \n]{0,300}") {
        read_all(text.as_bytes());
    }

    #[test]
    fn damaged_files_are_read_to_the_end(seed in any::<u64>(), edits in prop::collection::vec((any::<usize>(), any::<u8>()), 1..6)) {
        let mut text = Vec::new();
        let generator = Options::defaults(&[astar().generator_options()]);
        astar().generate(&generator, 4, &mut Random::new(seed), &mut text).unwrap();
        for (at, byte) in edits {
            let at = at % text.len();
            match byte % 3 {
                0 => text[at] = byte,
                1 => drop(text.remove(at)),
                _ => text.insert(at, b"\n 0248x#"[usize::from(byte / 3) % 8]),
            }
        }
        prop_assert!(read_all(&text) >= 1);
    }

    /// One bad value or one missing row never spoils the boards before and after.
    #[test]
    fn a_bad_board_spoils_no_other(seed in any::<u64>(), bad in 0_usize..3, row in 0_usize..4, kind in 0_u8..4) {
        let mut text = Vec::new();
        let generator = Options::defaults(&[astar().generator_options()]);
        astar().generate(&generator, 3, &mut Random::new(seed), &mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let at = bad * 5 + 1 + row;
        match kind {
            0 => lines[at] += " 7",
            1 => lines[at] = lines[at].split_once(' ').unwrap().1.to_owned(),
            2 => lines[at].replace_range(.., "2 0 3 0"),
            _ => drop(lines.remove(at)),
        }
        let found = outcomes((lines.join("\n") + "\n").as_bytes(), &[("goal", "4")]);
        let invalid: Vec<bool> =
            found.iter().map(|found| matches!(found.verdict, Verdict::Invalid(_))).collect();
        let expected: Vec<bool> = (0..3).map(|board| board == bad).collect();
        prop_assert_eq!(invalid, expected, "{}", lines.join("\n"));
    }

    /// Line breaks mean nothing if the size and the first values share a line. Rows may be wrapped to any width if all
    /// have the same.
    #[test]
    fn rows_may_be_wrapped(seed in any::<u64>(), size in 2_u64..6, width in 0_usize..9, breaks in prop::collection::vec(0_u8..3, 36)) {
        let mut text = Vec::new();
        let mut generator = Options::defaults(&[astar().generator_options()]);
        generator.set("size", &size.to_string(), Authority::Owner).unwrap();
        generator.set("moves", "6", Authority::Owner).unwrap();
        astar().generate(&generator, 1, &mut Random::new(seed), &mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        let mut wrapped = String::new();
        for (index, (token, gap)) in text.split_whitespace().zip(breaks).enumerate() {
            wrapped += token;
            wrapped += match (width, index) {
                (0, 0) => " ",
                (0, _) => [" ", "\n", "\t"][usize::from(gap)],
                _ if index % width == 0 => "\n",
                _ => " ",
            };
        }
        wrapped += "\n2\n4 0\n0 0\n";
        let found = outcomes(wrapped.as_bytes(), &[("goal", "4")]);
        prop_assert_eq!(found.len(), 2);
        prop_assert_eq!(&found[1].headline, "0 moves");
        let lines = wrapped.lines().map(|line| line.split_whitespace().count());
        let lines = lines.filter(|&count| count > 0).collect::<Vec<_>>();
        let (board, size) = (&lines[1..lines.len() - 3], size as usize);
        if lines[0] == 1 && board.len() == size && board.iter().any(|&count| count != size) {
            prop_assert!(found[0].to_text().starts_with("invalid board: row "), "{}", wrapped);
        } else {
            prop_assert_eq!(found[0].to_text(), outcomes(text.as_bytes(), &[("goal", "4")])[0].to_text());
        }
    }
}
