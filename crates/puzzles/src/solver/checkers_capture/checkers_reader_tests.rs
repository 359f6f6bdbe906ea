//! Compares the quick reader with the careful one: both read every text alike.

use super::*;
use crate::solver::{Authority, Budget, Outcome, Random, Solver as _};

/// Everything that reading a file produces.
#[derive(Debug, PartialEq)]
struct Reading {
    /// Each board's place and result.
    boards: Vec<(String, String)>,
    warnings: Vec<String>,
    allows_empty: bool,
    bytes: u64,
}

fn options(settings: &[(&str, &str)]) -> Options {
    let mut options = crate::solver::default_options(&crate::solver::checkers_capture::CheckersCapture);
    for (key, value) in settings {
        options.set(key, value, Authority::Owner).unwrap();
    }
    options
}

/// Reads a file. Also returns how many boards the quick reader read.
fn read(text: &[u8], options: &Options, quickly: bool) -> (Reading, u64) {
    let mut input = Scanner::new(text, "t").unwrap();
    let mut reader = Reader::new(options);
    let mut boards = Vec::new();
    let mut quick = 0;
    loop {
        let at_line_start = input.advance().unwrap() == Next::NewLine;
        quick += u64::from(quickly && at_line_start && reader.would_be_quick(&mut input));
        let entry = if quickly { reader.read(&mut input) } else { reader.read_carefully(&mut input) };
        let Some(Entry { place, work }) = entry.unwrap() else { break };
        let outcome = match work {
            Work::Solve(puzzle) => puzzle.solve(&Budget::unlimited()),
            Work::Invalid(problem) => Outcome::invalid("board", *problem, input.name()),
            Work::Settled(outcome) => *outcome,
        };
        boards.push((place.to_string(), outcome.to_text()));
    }
    let (warnings, dropped) = input.take_warnings();
    assert_eq!(dropped, 0);
    let warnings = warnings.into_iter().map(|warning| format!("{} {}", warning.place, warning.what));
    let ignored = input.take_ignored().map(|ignored| format!("{} {}", ignored.place, ignored.what));
    let reading = Reading {
        boards,
        warnings: warnings.chain(ignored).collect(),
        allows_empty: reader.allows_empty(),
        bytes: input.bytes_consumed(),
    };
    (reading, quick)
}

impl Reader {
    /// Returns whether the next board is plain, so that the quick reader takes it.
    fn would_be_quick(&self, input: &mut Scanner<'_>) -> bool {
        let text = input.lines_at_hand(plain_boards::BYTES_AT_HAND).unwrap();
        self.state == State::Reading && text.and_then(plain_boards::read).is_some()
    }
}

/// Returns a file of generated boards. Small boards have many rows `0 0`, which look like the end.
fn generated(count: u64, small: bool, random: &mut Random) -> Vec<u8> {
    let solver = &crate::solver::checkers_capture::CheckersCapture;
    let mut options = Options::defaults(&[solver.generator_options()]);
    if small {
        options.set("rows", "4", Authority::Owner).unwrap();
        options.set("columns", &random.between(3, 5).to_string(), Authority::Owner).unwrap();
        options.set("opponents", "0.1", Authority::Owner).unwrap();
    }
    let mut file = Vec::new();
    solver.generate(&options, count, random, &mut file).unwrap();
    file
}

#[test]
fn plain_files_are_read_quickly_but_for_their_end() {
    for small in [false, true] {
        let file = generated(3000, small, &mut Random::new(1));
        let options = options(&[]);
        let (quick, count) = read(&file, &options, true);
        assert!(count > 2900, "{count}");
        assert_eq!(quick, read(&file, &options, false).0);
    }
}

#[test]
fn every_published_size_is_read_as_the_careful_reader_does() {
    let mut random = Random::new(2);
    for rows in 3..=20 {
        for columns in 3..=(200 / rows).min(20) {
            let mut options =
                Options::defaults(&[crate::solver::checkers_capture::CheckersCapture.generator_options()]);
            options.set("rows", &rows.to_string(), Authority::Owner).unwrap();
            options.set("columns", &columns.to_string(), Authority::Owner).unwrap();
            let mut file = Vec::new();
            crate::solver::checkers_capture::CheckersCapture
                .generate(&options, 30, &mut random, &mut file)
                .unwrap();
            let (quick, count) = read(&file, &super::tests::options(&[]), true);
            assert!(count > 0, "{rows} x {columns}");
            assert_eq!(quick, read(&file, &super::tests::options(&[]), false).0);
        }
    }
}

#[test]
fn spoilt_files_are_read_alike() {
    let mut random = Random::new(3);
    let settings: [&[(&str, &str)]; 3] = [&[], &[("limits", "none")], &[("on_invalid", "stop")]];
    let settings = settings.map(options);
    let mut quick_boards = 0;
    for round in 0..3000 {
        let mut file = generated(18, round % 2 == 0, &mut random);
        for _ in 0..random.between(1, 3) {
            spoil(&mut file, &mut random);
        }
        let options = &settings[round % 3];
        let (quick, count) = read(&file, options, true);
        quick_boards += count;
        let careful = read(&file, options, false).0;
        assert_eq!(quick, careful, "{}", String::from_utf8_lossy(&file));
    }
    assert!(quick_boards > 3000, "{quick_boards}");
}

/// Changes, adds or removes a byte or a line, or cuts the file short.
fn spoil(file: &mut Vec<u8>, random: &mut Random) {
    const BYTES: &[u8] = b"0123 \n\r\t#/x9\0";
    if file.is_empty() {
        return;
    }
    let at = random.below(file.len() as u64) as usize;
    let byte = BYTES[random.below(BYTES.len() as u64) as usize];
    let line = file[..at].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let length = file[line..].iter().position(|&byte| byte == b'\n').map_or(0, |length| length + 1);
    match random.below(9) {
        0 | 1 => file[at] = byte,
        2 | 3 => file.insert(at, byte),
        4 => drop(file.remove(at)),
        5 => drop(file.drain(line..line + length)),
        6 => file
            .splice(
                line..line,
                [&b"0 0\n"[..], b"3 3\n", b"  ", b"# x\n", b"\n"][random.below(5) as usize].iter().copied(),
            )
            .for_each(drop),
        7 => {
            let doubled = file[line..line + length].to_vec();
            drop(file.splice(line..line, doubled));
        }
        _ => file.truncate(at.max(1)),
    }
}
