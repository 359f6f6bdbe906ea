//! Lines that were exchanged with the next one, or joined to it: changes that no single puzzle shows.

use std::io;

use super::short_file::{FileRead, TRIED_BYTES_MAX, is_valid};
use super::{Mistake, Reading, excerpt};
use crate::recognise::{InLines, read_in_lines};
use tabuleiro_puzzles::input::{Line, Notes, Place, Scanner, Spot, printable};
use tabuleiro_puzzles::solver::{Entry, Layout, Problem, Proposal, Work};

/// The most places at which adjacent lines are exchanged, or one line is broken, on trial.
const EXCHANGED_MAX: usize = 4;
/// The most lines of a puzzle with a row too many or too few whose lines are all tried.
const LINES_TRIED_MAX: u64 = 40;
/// The most ways to break one line, and the most digits of a number that is broken.
const BROKEN_MAX: usize = 16;
const JOINED_DIGITS_MAX: usize = 8;

/// The mark with which some programs begin a file in UTF-8.
const UTF8_MARK: &[u8] = "\u{feff}".as_bytes();

impl Reading {
    /// Looks for two adjacent lines that are exchanged, or a line that is two joined ones. If the file is valid with
    /// these lines in the other order or apart, this mistake replaces all others. Each spoilt puzzle keeps its entry.
    pub(super) fn find_line_change(
        &self,
        read: &mut FileRead,
        begin: Spot,
        input: &Scanner<'_>,
    ) -> io::Result<()> {
        let invalid = read.entries.iter();
        let invalid = invalid.filter_map(|(entry, _)| Some((entry.place.line, entry.problem()?)));
        let invalid: Vec<_> = invalid.collect();
        // A proposal that replaces a word loses what somebody wrote, so it is not certain. A number out of range is
        // wrong wherever it stands.
        let is_certain = match invalid[..] {
            [(_, problem)] if problem.rule() == "header-word" => false,
            [(_, problem)] => problem.proposal.is_some() || problem.rule() == "header-value",
            _ => false,
        };
        let text = input.lines_from(begin).filter(|text| !is_certain && text.text.len() <= TRIED_BYTES_MAX);
        let Some(text) = text else { return Ok(()) };
        let warned = read.notes.warnings.iter();
        let places = invalid.iter().flat_map(|(begin, problem)| [*begin, problem.place.line]);
        let mut places: Vec<_> = warned.map(|warning| warning.place.line).chain(places).collect();
        places.dedup();
        places.truncate(EXCHANGED_MAX);
        let start = begin.begin_of_line();
        let lines = text.lines_to_end();
        // If a short puzzle has a row too many or too few, all its lines are tried.
        let has_odd_count = |problem: &Problem| problem.rule() == "row-count";
        let wrong = read.entries.iter().find(|(entry, _)| entry.problem().is_some_and(has_odd_count));
        let wrong = wrong.map_or(0..0, |(entry, end)| entry.place.line..end.line() + 1);
        let wrong = if wrong.end.saturating_sub(wrong.start) > LINES_TRIED_MAX { 0..0 } else { wrong };
        let is_near = |line: &Line<'_>, to: u64| {
            wrong.contains(&line.number) || places.iter().any(|place| (line.number..=to).contains(place))
        };
        let mut found = Vec::new();
        for (problem, change) in self.line_changes(&lines, is_near) {
            let Some(changed) = change.apply(text.text, text.first.line) else { continue };
            let mut input = Scanner::resume(&changed[..], "", start);
            let mut reader = self.unread.fresh_reader();
            let (puzzles, end) = read_in_lines(&mut *reader, &mut input)?;
            // An end marker among the rows would be missing at the end.
            let warnings = input.exchange_notes(Notes::default()).warnings.len();
            let is_right = end == InLines::Whole && warnings <= read.notes.warnings.len();
            // Unless a puzzle begins at the second line, a wrong row is more likely than two joined lines.
            if is_right
                && (problem.rule() == "exchanged" || self.begins(problem.place.line + 1, &changed, start)?)
            {
                found.push((problem.proposing(Some(change)), puzzles));
            }
        }
        let (Some((mut problem, puzzles)), None) = (found.pop(), found.pop()) else { return Ok(()) };
        excerpt::add(&mut problem, &text);
        replace_mistakes(read, problem, puzzles);
        Ok(())
    }

    /// Returns the changes to try, each with the problem that it mends.
    fn line_changes(
        &self,
        lines: &[Line<'_>],
        is_near: impl Fn(&Line<'_>, u64) -> bool,
    ) -> Vec<(Problem, Proposal)> {
        let exchanged = lines.windows(2).filter_map(|pair| {
            let [first, second] = [pair[0].number, pair[1].number];
            let problem = Problem::new(pair[0].place(), Mistake::Exchanged { first, second });
            let change = Proposal::replace_lines(pair, vec![quoted(pair[1].text), quoted(pair[0].text)])?;
            let is_other = pair[0].text.trim_ascii() != pair[1].text.trim_ascii();
            (second == first + 1 && is_other && is_near(&pair[0], second)).then_some((problem, change))
        });
        // A header that its rows follow is whole.
        let is_one = |at: &usize| is_near(&lines[*at], lines[*at].number) && !self.is_header(&lines[*at..]);
        let apart = (0..lines.len()).filter(is_one).flat_map(|at| {
            let line = &lines[at];
            broken(line).into_iter().map(move |parts| joined(line, parts))
        });
        // No number begins with a needless 0, so all such lines are surely joined.
        let sure = lines.iter().filter_map(|line| {
            let mut parts = broken(line).into_iter().filter(|_| line.numbers_only());
            let parts = parts.find(|[first, _]| ends_with_zero(first))?;
            Some(joined(line, parts))
        });
        let sure: Vec<_> = sure.collect();
        let all = (sure.len() > 1).then(|| {
            let changes = sure.iter().map(|(_, change)| change.clone()).collect();
            (sure[0].0.clone(), Proposal::All { changes })
        });
        exchanged.chain(apart).chain(all).collect()
    }

    /// Returns whether the first line is a header that nearly as many rows as it says follow.
    fn is_header(&self, lines: &[Line<'_>]) -> bool {
        let Some(Layout { header_lines, parts }) = self.unread.layout(&lines[..lines.len().min(3)]) else {
            return false;
        };
        let Some(board) = parts.first() else { return false };
        let rows = usize::try_from(board.rows).unwrap_or(usize::MAX);
        let below = lines[header_lines..].iter().take(rows).enumerate();
        let odd = below.clone().filter(|(row, line)| board.width(*row as u64) != Some(line.count())).count();
        below.len() == rows && odd < 2
    }

    /// Returns whether a puzzle begins at a line of a text.
    fn begins(&self, line: u64, text: &[u8], start: Spot) -> io::Result<bool> {
        let mut input = Scanner::resume(text, "", start);
        let mut reader = self.unread.fresh_reader();
        while let Some(entry) = reader.read(&mut input)? {
            if entry.place.line >= line {
                return Ok(entry.place.line == line);
            }
        }
        Ok(false)
    }
}

/// Replaces all mistakes by one that explains them. Each of the file's `puzzles` that it spoilt has an entry.
fn replace_mistakes(read: &mut FileRead, problem: Problem, puzzles: u64) {
    let (from, to) = problem.proposal.as_ref().map_or((0, 0), |change| change.lines());
    read.notes.warnings.retain(|warning| !(from..=to).contains(&warning.place.line));
    // A puzzle with exchanged lines can have the right count of numbers.
    let before = read.entries.partition_point(|(entry, _)| entry.place.line <= from).saturating_sub(1);
    let invalid = read.entries.iter().position(|(entry, _)| !is_valid(entry));
    let first = invalid.map_or(before, |invalid| invalid.min(before));
    let other = Problem { proposal: None, corrected: Vec::new(), ..problem.clone() };
    let spoilt = |problem| Work::Invalid(Box::new(problem));
    let Some((entry, end)) = read.entries.get_mut(first) else { return };
    let end = *end;
    entry.work = spoilt(problem);
    let valid = read.count_valid() as u64;
    let mut others = puzzles.saturating_sub(valid + 1);
    let mut index = 0;
    read.entries.retain_mut(|(entry, _)| {
        let is_kept = index == first || is_valid(entry) || others > 0;
        if index != first && !is_valid(entry) && others > 0 {
            others -= 1;
            entry.work = spoilt(other.clone());
        }
        index += 1;
        is_kept
    });
    // A puzzle that the mistake had swallowed gets an entry as well.
    for _ in read.entries.len() as u64..puzzles {
        read.entries.insert(first + 1, (Entry { place: other.place, work: spoilt(other.clone()) }, end));
    }
}

fn quoted(text: &[u8]) -> String {
    printable(text.trim_ascii(), text.len())
}

/// Returns the ways to break a line of numbers within one of them, so that no number begins with a needless 0, or a line
/// with words between two of its words and numbers, or between the letters and the digits of a word.
fn broken<'t>(line: &Line<'t>) -> Vec<[&'t [u8]; 2]> {
    let is_number = |digits: &[u8]| digits == b"0" || !digits.starts_with(b"0");
    let are_digits = |token: &[u8]| token.len() <= JOINED_DIGITS_MAX && token.iter().all(u8::is_ascii_digit);
    let tokens = line.tokens().filter(|(_, token)| are_digits(token));
    let others = line.tokens().skip(1).filter(|_| !line.numbers_only());
    let between = others.map(|(place, _)| line.text.split_at((place.column - line.column) as usize).into());
    let words = line.tokens().filter(|_| !line.numbers_only());
    let behind_letters = words.filter_map(|(place, token)| {
        let letters = token.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        let is_number =
            letters > 0 && token.len() > letters && token[letters..].iter().all(u8::is_ascii_digit);
        is_number.then(|| line.text.split_at((place.column - line.column) as usize + letters).into())
    });
    let within = tokens.flat_map(|(place, token)| {
        let begin = (place.column - line.column) as usize;
        let ends = (1..token.len()).filter(move |&at| is_number(&token[..at]) && is_number(&token[at..]));
        ends.map(move |at| line.text.split_at(begin + at).into())
    });
    // Two files were joined, the second with the mark of UTF-8.
    let mark = line.text.windows(UTF8_MARK.len()).position(|bytes| bytes == UTF8_MARK);
    let at_mark = mark.map(|at| [&line.text[..at], &line.text[at + UTF8_MARK.len()..]]);
    at_mark.into_iter().chain(within).chain(between).chain(behind_letters).take(BROKEN_MAX).collect()
}

fn ends_with_zero(text: &[u8]) -> bool {
    matches!(text, [b'0'] | [.., b' ' | b'\t', b'0'])
}

/// Returns the problem that two lines are joined, and the change that breaks them.
fn joined(line: &Line<'_>, parts: [&[u8]; 2]) -> (Problem, Proposal) {
    let ([first, second], number) = (parts.map(quoted), line.number);
    let place = Place { line: number, column: line.column + parts[0].len() as u64 };
    let lines = vec![first.clone(), second.clone()];
    let change = Proposal::ReplaceLines { from_line: number, to_line: number, lines };
    (Problem::new(place, Mistake::LinesJoined { line: number, first, second }), change)
}
