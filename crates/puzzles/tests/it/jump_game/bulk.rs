//! Compares numbers read in bulk with numbers read token by token. For files of every style and with every kind of
//! damage, all outcomes, their words and their places must be equal.

use std::fmt::Write as _;
use std::io::{self, Read};

use tabuleiro_puzzles::input::Scanner;
use tabuleiro_puzzles::solver::{Budget, Outcome, Random, Work};

use super::oracle::Game;
use super::{jump_game, options};

/// Bytes that the scanner reads at first. After a comment of that length, it sees only what the reader returns.
const HEAD_BYTES: usize = 4096;

/// A reader that returns a few bytes per call. If they are few enough, the scanner never sees a whole line.
struct Trickle<'a>(&'a [u8], usize);

impl Read for Trickle<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.1.min(self.0.len()).min(buffer.len());
        buffer[..count].copy_from_slice(&self.0[..count]);
        self.0 = &self.0[count..];
        Ok(count)
    }
}

/// Returns every entry of a file: its place, and its outcome in words.
fn entries(source: impl Read) -> Vec<String> {
    let mut scanner = Scanner::new(source, "entrada.txt").unwrap();
    let mut reader = jump_game().open(&options(&[("witness", "true")]));
    let mut entries = Vec::new();
    while let Some(entry) = reader.read(&mut scanner).unwrap() {
        let outcome = match entry.work {
            Work::Solve(puzzle) => puzzle.solve(&Budget::unlimited()),
            Work::Invalid(problem) => Outcome::invalid("game", *problem, scanner.name()),
            Work::Settled(outcome) => *outcome,
        };
        entries.push(format!("{} {} {}", entry.place, outcome.to_text(), scanner.bytes_consumed()));
    }
    entries.push(format!("{} {:?}", scanner.place(), scanner.take_warnings()));
    entries
}

/// Writes a game in one of the ways in which people write it.
fn written(game: &Game, random: &mut Random) -> String {
    let text = game.text();
    let style = random.below(9);
    let mut out = String::new();
    for (number, line) in text.lines().enumerate() {
        let words: Vec<&str> = line.split(' ').collect();
        match style {
            0 => out += &words.join("  "),
            1 => out += &words.join("\t"),
            2 => write!(out, "  {line} \t").unwrap(),
            3 if number > 1 && random.chance(0.3) => out += &words.join("\n"),
            4 if random.chance(0.3) => write!(out, "# 1 2\n\n// 3\n{line}").unwrap(),
            5 if random.chance(0.2) => {
                out += line;
                out.push(' ');
                continue;
            }
            6 => out += &words.iter().map(|word| format!("{word:0>9}")).collect::<Vec<_>>().join(" "),
            _ => out += line,
        }
        out += if style == 7 { "\r\n" } else { "\n" };
    }
    out
}

/// Damages a few words or lines of a file.
fn damage(text: &str, random: &mut Random) -> Vec<u8> {
    let mut words: Vec<String> = text.split_inclusive([' ', '\n', '\t']).map(str::to_owned).collect();
    for _ in 0..random.below(4) {
        if words.is_empty() {
            break;
        }
        let at = random.below(words.len() as u64) as usize;
        match random.below(9) {
            0 => drop(words.remove(at)),
            1 => words.insert(at, words[at].clone()),
            2 => words[at].insert(0, 'x'),
            3 => words[at] = "\n".into(),
            4 => words[at] = format!("{} ", random.bits()),
            5 => words.insert(at, "18446744073709551616\n".into()),
            6 => words.insert(at, "3 2\n1\n".into()),
            7 => words[at] = words[at].replace('\n', " "),
            _ => words.truncate(at),
        }
    }
    let mut bytes = words.concat().into_bytes();
    if random.chance(0.2) && !bytes.is_empty() {
        let at = random.below(bytes.len() as u64) as usize;
        bytes[at] = random.below(256) as u8;
    }
    bytes
}

#[test]
fn rows_in_bulk_are_rows_of_tokens() {
    let mut random = Random::new(4711);
    let mut invalid = 0;
    for round in 0..4000 {
        let mut text = String::new();
        for _ in 0..random.between(1, 4) {
            let squares = [4, 12, 30][random.below(3) as usize];
            text += &written(&Game::random(&mut random, squares), &mut random);
        }
        let damaged = if round % 4 == 0 { text.into_bytes() } else { damage(&text, &mut random) };
        let mut file = if random.chance(0.2) { b"\xef\xbb\xbf".to_vec() } else { Vec::new() };
        file.extend_from_slice(&b"#".repeat(HEAD_BYTES));
        file.push(b'\n');
        file.extend_from_slice(&damaged);
        let bulk = entries(&file[..]);
        invalid += usize::from(bulk.iter().any(|entry| entry.contains("invalid game")));
        let step = [1, 2, 3, 7, 31][random.below(5) as usize];
        assert_eq!(bulk, entries(Trickle(&file, step)), "{}", String::from_utf8_lossy(&damaged));
    }
    assert!((1000..3500).contains(&invalid), "{invalid}");
}

/// Reads numbers in bulk across the ends of the scanner's window, on long and short lines.
#[test]
fn large_boards_are_read_alike() {
    let mut random = Random::new(12);
    for (rows, columns) in [(1, 200_000), (400, 500), (100_000, 2), (200_000, 1)] {
        let values = (0..rows * columns).map(|_| random.bits() >> random.between(40, 63)).collect();
        let players =
            (0..2000).map(|_| (random.below(rows) as usize, random.below(columns) as usize)).collect();
        let game = Game { rows: rows as usize, columns: columns as usize, values, players };
        let text = game.text() + "1 1\n1\n0\n0 0\n" + &game.text() + "x";
        let bulk = entries(text.as_bytes());
        assert_eq!(bulk.len(), 5);
        assert_eq!(bulk, entries(Trickle(text.as_bytes(), 4999)));
    }
}
