//! Tests of the scanner: tokens, places, lines ahead, and inputs that arrive one byte at a time.

use std::io::{self, Read};

use proptest::prelude::*;

use super::*;

/// A reader that returns at most `step` bytes per call.
struct Trickle<'a>(&'a [u8], usize);

impl Read for Trickle<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.1.min(self.0.len()).min(buffer.len());
        buffer[..count].copy_from_slice(&self.0[..count]);
        self.0 = &self.0[count..];
        Ok(count)
    }
}

fn scan(text: &[u8], step: usize) -> Vec<(Token, u64, u64)> {
    let mut scanner = Scanner::new(Trickle(text, step), "t").unwrap();
    let mut tokens = Vec::new();
    loop {
        let lexeme = scanner.next_token().unwrap();
        let last = lexeme.token == Token::End;
        tokens.push((lexeme.token, lexeme.place.line, lexeme.place.column));
        if last {
            return tokens;
        }
    }
}

#[test]
fn tokens_have_places() {
    let text = b"\xef\xbb\xbf3 x\r\n# 9 9\n  // 8\n\t18446744073709551615 18446744073709551616 -1\n7";
    for step in [1, 2, 3, 1000] {
        assert_eq!(
            scan(text, step),
            vec![
                (Token::Number(3), 1, 1),
                (Token::Word("x".into()), 1, 3),
                (Token::Number(u64::MAX), 4, 2),
                (Token::TooLarge("18446744073709551616".into()), 4, 23),
                (Token::Word("-1".into()), 4, 44),
                (Token::Number(7), 5, 1),
                (Token::End, 5, 2),
            ]
        );
    }
}

#[test]
fn a_hash_in_the_middle_of_a_line_is_a_word() {
    assert_eq!(scan(b"1 # 2", 9)[1].0, Token::Word("#".into()));
}

#[test]
fn page_numbers_and_times_are_no_rows() {
    use crate::input::is_page_or_time;
    for line in ["- 4 -", "-12-", " - 7 - ", "06/03/2026 14:30", "2026-03-06, 14:30:05"] {
        assert!(is_page_or_time(line.as_bytes()), "{line}");
    }
    for line in ["", "-", "- -", "--", "4", "- 1 2 -", "1/2 3:4", "14:30", "06/03/2026", "1 2 3", "a/b/c 1:2"]
    {
        assert!(!is_page_or_time(line.as_bytes()), "{line}");
    }
}

#[test]
fn giant_tokens_are_consumed_in_bounded_memory() {
    let mut text = vec![b'9'; 3 * UNREAD_BYTES_MAX];
    text.extend_from_slice(b" 5\n");
    text.extend(std::iter::repeat_n(b'0', UNREAD_BYTES_MAX + 7));
    text.extend_from_slice(b"12\n");
    text.extend(std::iter::repeat_n(b'z', 2 * UNREAD_BYTES_MAX));
    let tokens = scan(&text, 7919);
    assert!(matches!(&tokens[0].0, Token::TooLarge(text) if text.len() < 50));
    assert_eq!(tokens[1].0, Token::Number(5));
    assert_eq!(tokens[2], (Token::Number(12), 2, 1));
    assert!(matches!(&tokens[3].0, Token::Word(text) if text.len() < 50));
    assert_eq!((&tokens[4].0, tokens[4].1), (&Token::End, 3));
}

#[test]
fn advance_tells_lines_apart() {
    let mut scanner = Scanner::new(&b"1 2\n\n# c\n3"[..], "t").unwrap();
    assert_eq!(scanner.advance().unwrap(), Next::NewLine);
    scanner.next_token().unwrap();
    assert_eq!(scanner.advance().unwrap(), Next::SameLine);
    scanner.next_token().unwrap();
    assert_eq!(scanner.advance().unwrap(), Next::NewLine);
    assert_eq!(scanner.place().line, 4);
    scanner.next_token().unwrap();
    assert_eq!(scanner.advance().unwrap(), Next::End);
}

#[test]
fn next_on_line_stops_at_the_end_of_the_line() {
    let mut scanner = Scanner::new(&b"1 2 \r\n3"[..], "t").unwrap();
    assert_eq!(scanner.next_on_line().unwrap().unwrap().token, Token::Number(1));
    assert_eq!(scanner.next_on_line().unwrap().unwrap().token, Token::Number(2));
    assert_eq!(scanner.next_on_line().unwrap(), None);
    scanner.skip_line().unwrap();
    assert_eq!(scanner.next_on_line().unwrap().unwrap().token, Token::Number(3));
    assert_eq!(scanner.next_on_line().unwrap(), None);
}

#[test]
fn lines_ahead_are_whole_lines_with_their_places() {
    for step in [1, 7, 100] {
        let mut scanner = Scanner::new(Trickle(b"9 1 2\r\n\n# c\n \n  3 4\n5", step), "t").unwrap();
        scanner.next_token().unwrap();
        let lines: Vec<_> = scanner.lines_ahead().unwrap().map(|line| (line.place(), line.count())).collect();
        let place = |line, column| Place { line, column };
        assert_eq!(lines, [(place(1, 3), 2), (place(5, 3), 2), (place(6, 1), 1)]);
        assert_eq!(scanner.next_token().unwrap().token, Token::Number(1));
    }
    // The scanner omits a line that ends beyond the window.
    let long = [b"1 2\n", &b"1 ".repeat(UNREAD_BYTES_MAX)[..]].concat();
    let mut scanner = Scanner::new(&long[..], "t").unwrap();
    assert_eq!(scanner.lines_ahead().unwrap().count(), 1);
}

/// A vertical tab is a blank like any other: `lines_ahead`, too, skips a comment that follows one.
#[test]
fn every_blank_may_indent_a_comment() {
    for blank in [" ", "\t", "\r", "\x0b", "\x0c"] {
        let text = format!("7 8\n{blank}# x\n{blank}\n{blank}// y\n3 4\n");
        let mut scanner = Scanner::new(text.as_bytes(), "t").unwrap();
        let lines: Vec<_> = scanner.lines_ahead().unwrap().map(|line| line.number).collect();
        assert_eq!(lines, [1, 5], "{text:?}");
        assert_eq!(scan(text.as_bytes(), 1).len(), 5, "{text:?}");
    }
}

#[test]
fn numbers_ahead_are_consumed_by_nobody() {
    for step in [1, 7, 100] {
        let mut scanner = Scanner::new(Trickle(b"1 22\n 3 x", step), "t").unwrap();
        assert_eq!(scanner.numbers_ahead(3).unwrap(), Some(vec![1, 22, 3]));
        assert_eq!(scanner.numbers_ahead(4).unwrap(), None);
        assert_eq!(scanner.next_token().unwrap().token, Token::Number(1));
    }
}

#[test]
fn numbers_ahead_are_never_read_short() {
    for blanks in 240..270 {
        let text = format!("12{}34567 8", " ".repeat(blanks));
        let mut scanner = Scanner::new(text.as_bytes(), "t").unwrap();
        let numbers = scanner.numbers_ahead(2).unwrap();
        assert!(numbers.as_ref().is_none_or(|numbers| *numbers == [12, 34567]), "{blanks}: {numbers:?}");
    }
}

#[test]
fn lines_are_read_whole_or_cut() {
    let mut scanner = Scanner::new(&b"# c\n  D E\r\n\n123456\nz"[..], "t").unwrap();
    let line = scanner.next_line(100).unwrap().unwrap();
    assert_eq!((line.line, &line.bytes[..], line.truncated), (2, &b"  D E"[..], false));
    let line = scanner.next_line(4).unwrap().unwrap();
    assert_eq!((line.line, &line.bytes[..], line.truncated), (4, &b"1234"[..], true));
    assert_eq!(scanner.next_line(4).unwrap().unwrap().bytes, b"z");
    assert_eq!(scanner.next_line(4).unwrap(), None);
}

#[test]
fn late_directives_warn() {
    let mut scanner = Scanner::new(&b"#: a = 1\n1\n#: b = 2\n2"[..], "t").unwrap();
    while scanner.next_token().unwrap().token != Token::End {}
    let (warnings, dropped) = scanner.take_warnings();
    assert_eq!((warnings.len(), dropped), (1, 0));
    assert_eq!(warnings[0].place, Place { line: 3, column: 1 });
}

#[test]
fn leading_comments_come_one_by_one() {
    let mut scanner = Scanner::new(&b"\n#: a = 1\n // b\n1\n# c"[..], "t").unwrap();
    let comment = scanner.next_leading_comment(100).unwrap().unwrap();
    assert_eq!((comment.line, &comment.bytes[..]), (2, &b"#: a = 1"[..]));
    assert_eq!(scanner.next_leading_comment(100).unwrap().unwrap().bytes, b" // b");
    assert_eq!(scanner.next_leading_comment(100).unwrap(), None);
    assert_eq!(scanner.next_token().unwrap().token, Token::Number(1));
}

proptest! {
    /// Splitting by lines and blanks with the standard library gives the same numbers and places.
    #[test]
    fn agrees_with_a_plain_split(text in "[0-9 \t\r\nx]{0,200}", step in 1_usize..9) {
        let mut expected = Vec::new();
        for (row, line) in text.split('\n').enumerate() {
            let mut column = 1;
            for word in line.split([' ', '\t', '\r']) {
                if !word.is_empty() {
                    expected.push((word.to_owned(), row as u64 + 1, column));
                }
                column += word.len() as u64 + 1;
            }
        }
        let scanned = scan(text.as_bytes(), step);
        prop_assert_eq!(scanned.len(), expected.len() + 1);
        for ((token, line, column), (word, row, at)) in scanned.iter().zip(&expected) {
            prop_assert_eq!((line, column), (row, at));
            match word.parse::<u64>() {
                Ok(value) => prop_assert_eq!(token, &Token::Number(value)),
                Err(_) => prop_assert!(!matches!(token, Token::Number(_) | Token::End)),
            }
        }
    }
}

#[test]
fn lines_at_hand_are_taken_whole() {
    let mut input = Scanner::new(&b"  1 2\n3\n4 5\n6"[..], "t").unwrap();
    assert_eq!(input.advance().unwrap(), Next::NewLine);
    assert_eq!(input.lines_at_hand(8).unwrap(), Some(&b"1 2\n3\n4 5\n6"[..]));
    assert_eq!(input.lines_at_hand(12).unwrap(), None, "there is no more");
    input.take_lines(6, 2);
    assert_eq!(input.place(), Place { line: 3, column: 1 });
    assert_eq!(input.next_token().unwrap().token, Token::Number(4));
    assert_eq!(input.lines_at_hand(1).unwrap(), None, "in the middle of a line");
    assert_eq!(input.next_token().unwrap().place, Place { line: 3, column: 3 });
}

/// The unread bytes move to the front of the window if the caller asks for more than it still holds.
#[test]
fn lines_at_hand_reach_across_the_window() {
    let text = "12 34\n".repeat(100_000);
    let mut input = Scanner::new(text.as_bytes(), "t").unwrap();
    for line in 1..=99_990 {
        assert_eq!(input.advance().unwrap(), Next::NewLine);
        assert_eq!(input.place(), Place { line, column: 1 });
        assert!(input.lines_at_hand(60).unwrap().unwrap().starts_with(b"12 34\n12 34\n"));
        input.take_lines(6, 1);
    }
    assert_eq!(input.bytes_consumed(), 6 * 99_990);
}

fn rest(input: &mut Scanner<'_>) -> Vec<Lexeme> {
    std::iter::from_fn(|| input.next_token().ok().filter(|lexeme| lexeme.token != Token::End)).collect()
}

#[test]
fn a_reader_goes_back_and_reads_the_same_once_more() {
    for step in [1, 7, 100] {
        let mut input = Scanner::new(Trickle(b"1\n#: x\n2\n# x\n3 4\n5", step), "t").unwrap();
        input.next_token().unwrap();
        input.mark();
        let spot = input.spot();
        let read = rest(&mut input);
        assert!(input.go_back(spot));
        assert_eq!(input.place(), Place { line: 1, column: 2 });
        assert_eq!((read.len(), rest(&mut input)), (4, read));
        assert_eq!(input.take_warnings().0.len(), 1, "said once");
        input.mark_from(spot);
        assert_eq!(input.marked().unwrap().first, Place { line: 1, column: 2 });
    }
    let long = b"1 2 3 4 5 6 7 8\n".repeat(100_000);
    let mut input = Scanner::new(&long[..], "t").unwrap();
    let spot = input.spot();
    input.drain().unwrap();
    let place = input.place();
    assert!(!input.go_back(spot));
    assert_eq!(input.place(), place);
}

#[test]
fn what_is_held_stays_at_hand_and_is_read_on_from_any_spot() {
    let text = [b"\xef\xbb\xbf1 2\n3 4 5\n".to_vec(), b"# no puzzle\n".repeat(30_000)].concat();
    let mut input = Scanner::new(&text[..], "t").unwrap();
    for _ in 0..3 {
        input.next_token().unwrap();
    }
    let spot = input.spot();
    input.hold_from(spot);
    assert_eq!((spot.offset(), spot.bytes_of_line(), spot.is_before_tokens()), (8, 1, false));
    let rest_there = rest(&mut input);
    input.mark();
    // Now more than one window of text is unread again.
    let end = input.spot();
    assert!(input.go_back(spot));
    input.look_ahead().unwrap();
    assert_eq!(input.bytes_seen(), text.len() as u64);
    assert!(input.go_back(end));
    let held = input.lines_from(spot).unwrap();
    assert_eq!((held.text, held.first, held.is_whole), (&text[7..], Place { line: 2, column: 1 }, true));
    assert_eq!(held.read, held.text.len());
    assert_eq!(input.marked().unwrap().text, b"");
    let mut input = Scanner::resume(&text[8..], "t", spot);
    assert_eq!(input.advance().unwrap(), Next::SameLine);
    assert_eq!((rest(&mut input), rest_there[0].place), (rest_there, Place { line: 2, column: 3 }));
    assert_eq!(input.bytes_consumed(), text.len() as u64);
}

#[test]
fn what_is_held_is_dropped_before_the_puzzle_at_hand() {
    let text = b"1 2 3 4 5 6 7 8\n".repeat(150_000);
    let mut input = Scanner::new(&text[..], "t").unwrap();
    let spot = input.spot();
    input.hold_from(spot);
    for _ in 0..25_000 {
        input.skip_line().unwrap();
    }
    assert!(input.lines_from(spot).is_some());
    for _ in 0..75_000 {
        input.skip_line().unwrap();
    }
    input.mark();
    for _ in 0..15_000 {
        input.skip_line().unwrap();
    }
    assert!(input.lines_from(spot).is_none());
    assert_eq!(input.marked().unwrap().read, 15_000 * 16);
}

/// No line follows the last line feed.
#[test]
fn the_end_of_the_input_is_the_end_of_its_last_line() {
    for (text, line, column) in [
        ("", 1, 1),
        ("7", 1, 2),
        ("7\n", 1, 2),
        ("\u{feff}7\n", 1, 2),
        ("7 8\r\n", 1, 4),
        ("7\n8 9 \n", 2, 5),
        ("7\n\n", 2, 1),
        ("7\n# end\n", 2, 6),
        ("7\n  ", 2, 3),
    ] {
        let mut scanner = Scanner::new(text.as_bytes(), "t").unwrap();
        while scanner.next_token().unwrap().token != Token::End {}
        let end = Place { line, column };
        assert_eq!((scanner.place(), scanner.next_token().unwrap().place), (end, end), "{text:?}");
    }
}

/// Counts its reads.
struct Counting<'a>(&'a [u8], &'a std::cell::Cell<usize>);

impl io::Read for Counting<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.1.set(self.1.get() + 1);
        self.0.read(buffer)
    }
}

/// A jump game of three lines is read with the whole window in sight, from its first token. The window once moved for
/// each game, and the file was read a few bytes at a time.
#[test]
fn looking_far_ahead_of_short_puzzles_seldom_moves_the_window() {
    let text = b"2\n1 1 1\n2 0 0\n".repeat(200_000);
    for lines_behind_the_mark in [0, 1] {
        let reads = std::cell::Cell::new(0);
        let mut input = Scanner::new(Counting(&text, &reads), "t").unwrap();
        let (mut moves, mut offset) = (0, 0);
        while input.advance().unwrap() != Next::End {
            input.mark();
            for _ in 0..lines_behind_the_mark {
                input.skip_line().unwrap();
            }
            input.look_ahead().unwrap();
            moves += usize::from(offset != input.window_offset);
            offset = input.window_offset;
            input.skip_line().unwrap();
        }
        assert_eq!(input.bytes_consumed(), text.len() as u64);
        assert!(moves < 2 * text.len() / UNREAD_BYTES_MAX, "{moves} moves");
        assert!(reads.get() < 2 * text.len() / AHEAD_BYTES, "{} reads", reads.get());
    }
}
