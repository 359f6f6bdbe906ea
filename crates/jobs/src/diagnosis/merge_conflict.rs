//! Merge conflicts: lines of which git kept two versions, between marks.

use super::whole_file::Mistake;
use tabuleiro_puzzles::input::{Line, Marked, Place, Scanner, Spot};
use tabuleiro_puzzles::solver::{Problem, PuzzleReader, Work};

/// The most bytes behind a conflict that are read as part of its puzzles.
const REST_MAX: usize = 64 << 10;

/// The rule of conflicts.
pub const CONFLICT_RULE: &str = "conflict";
/// How the lines begin before the first version, between the versions, and after the second one. Before that middle
/// line, git can write the version from which both were made.
const BEGIN: &[u8] = b"<<<<<<<";
const BASE: &[u8] = b"|||||||";
const MIDDLE: &[u8] = b"=======";
const END: &[u8] = b">>>>>>>";

/// Returns the problem of a conflict that begins in the text that was read or on the next line, at which the reader
/// stopped. The conflict may end after that text.
pub fn look(text: &Marked<'_>) -> Option<Problem> {
    let read = Marked { text: &text.text[..text.read], ..*text };
    let last = read.all_lines().last().map_or(text.first.line, |line| line.number);
    let begins = |mark: &'static [u8]| move |line: &Line<'_>| line.text.starts_with(mark);
    let from = text.all_lines().take_while(|line| line.number <= last + 1).find(begins(BEGIN))?.number;
    let to = text.all_lines().skip_while(|line| line.number < from).find(begins(END))?.number;
    let [place, end] = [from, to].map(|line| Place { line, column: 1 });
    Some(Problem::new(place, Mistake::Conflict { from, to }).related_to(end).recognised_if(false))
}

/// Returns the spot after the puzzles of a conflict, and a reader that has read them, if they are valid with one of the
/// two versions. `text` begins with the line of `begin`, and `reader` has not read it.
pub fn read_past(
    problem: &Problem,
    text: &Marked<'_>,
    reader: &dyn PuzzleReader,
    begin: Spot,
) -> Option<(Spot, Box<dyn PuzzleReader>)> {
    let (from, to) = (problem.place.line, problem.related.first()?.line);
    let lines = text.text.split_inclusive(|&byte| byte == b'\n');
    let end: usize = lines.take((to + 1 - text.first.line) as usize).map(<[u8]>::len).sum();
    // A puzzle that goes on for longer is not read.
    let text = Marked { text: &text.text[..text.text.len().min(end + REST_MAX)], ..*text };
    let rest = text.text.len() - end;
    [BEGIN, MIDDLE].into_iter().find_map(|version| {
        let mut part = b"".as_slice();
        let mut copy = Vec::with_capacity(text.text.len());
        for (number, line) in (text.first.line..).zip(text.text.split_inclusive(|&byte| byte == b'\n')) {
            let mark = [BEGIN, BASE, MIDDLE, END].into_iter().find(|mark| line.starts_with(mark));
            if let Some(mark) = mark.filter(|_| (from..=to).contains(&number)) {
                part = mark;
            } else if !(from..=to).contains(&number) || part == version {
                copy.extend_from_slice(line);
            }
        }
        let copy = copy.get(begin.bytes_of_line() as usize..)?;
        let (mut reader, mut input) = (reader.fresh_reader(), Scanner::resume(copy, "", begin));
        let left = |input: &Scanner<'_>| copy.len() - (input.bytes_consumed() - begin.offset()) as usize;
        while left(&input) > rest {
            match reader.read(&mut input).ok()?.map(|entry| entry.work) {
                Some(Work::Solve(_)) => {}
                Some(_) => return None,
                // The end marker is in the conflict.
                None => break,
            }
        }
        // A reader can stop before the line feed behind a puzzle.
        let at = text.text.len() - left(&input);
        let is_begun = !text.text[..at].ends_with(b"\n");
        let feed = text.text[at..].iter().position(|&byte| byte == b'\n').filter(|_| is_begun);
        let next = feed.map_or(at, |feed| at + feed + 1);
        let feeds = text.text[..next].iter().filter(|&&byte| byte == b'\n').count() as u64;
        let offset = begin.offset() - begin.bytes_of_line() + next as u64;
        Some((Spot::at_line(offset, text.first.line + feeds), reader))
    })
}
