//! Rows too short, too long, too many, too few, for a puzzle that is written a row a line.

use super::Mistake;
use super::proposal_trial::Trial;
use tabuleiro_puzzles::input::{Line, Place, QUOTE_BYTES_MAX, is_comment, printable};
use tabuleiro_puzzles::solver::{Layout, Problem, Proposal, RowLengths};

/// The rows of a puzzle as they are, and as they should be.
struct Seen<'a> {
    header: &'a [Line<'a>],
    rows: &'a [Line<'a>],
    /// Numbers on each row.
    counts: Vec<u64>,
    layout: &'a Layout,
    trial: &'a Trial<'a>,
}

/// What the rows tell of a puzzle that is wrong; `None` where they are as they should be up to the mistake, or where
/// nothing shows that rows were meant to be lines.
pub fn look(problem: &Problem, lines: &[Line<'_>], trial: &Trial<'_>) -> Option<Problem> {
    let Some(layout) = trial.reader.layout(lines) else {
        let (problem, proposals) = trial.reader.beginning(problem, lines)?;
        return Some(problem.proposing(trial.first_of(proposals)));
    };
    let (header, rows) = lines.split_at_checked(layout.header_lines)?;
    let counts = rows.iter().map(Line::count).collect();
    let seen = Seen { header, rows, counts, layout: &layout, trial };
    // The reader names uneven rows itself.
    if header.is_empty() || problem.rule().starts_with("row-lengths") || seen.fits_until(problem.place) {
        return None;
    }
    let tried = seen.uneven().or_else(|| seen.odd_header()).or_else(|| seen.doubled());
    // What cannot be tried is said only where nearly all lines are rows.
    tried
        .or_else(|| if seen.rows_expected() == rows.len() as u64 { seen.odd_row() } else { seen.odd_count() })
}

impl Seen<'_> {
    /// Rows as there should be.
    fn rows_expected(&self) -> u64 {
        self.layout.parts.iter().fold(0, |rows, part| rows.saturating_add(part.rows))
    }

    /// The part to which a row should belong, both counted from 0, and which row of it that is; `None` behind the last.
    fn part(&self, mut row: u64) -> Option<(usize, u64)> {
        for (index, part) in self.layout.parts.iter().enumerate() {
            if row < part.rows {
                return Some((index, row));
            }
            row -= part.rows;
        }
        None
    }

    /// Numbers that a row should have, counted from 0; `None` for any.
    fn expected(&self, row: u64) -> Option<u64> {
        match self.part(row) {
            Some((part, row)) => self.layout.parts[part].widths.map(|widths| widths[row as usize % 2]),
            // Behind the last row nothing fits.
            None => Some(0),
        }
    }

    fn fits(&self, row: usize) -> bool {
        self.expected(row as u64).is_none_or(|expected| expected == self.counts[row])
    }

    /// Whether all rows up to the line of the mistake are as they should be: then the reader was right about the place.
    /// A line with a word on it has no numbers to be counted.
    fn fits_until(&self, place: Place) -> bool {
        // A place where no number stands is the end of what is there: something is missing.
        let mut lines = self.header.iter().chain(self.rows);
        if !lines.any(|line| line.tokens().any(|(at, _)| at == place)) {
            return false;
        }
        let behind = self.rows.iter().take_while(|row| row.number <= place.line).count();
        let at = behind.checked_sub(1).map(|at| &self.rows[at]).filter(|row| row.number == place.line);
        let is_word = at.is_some_and(|row| {
            row.tokens().any(|(at, token)| at == place && !token.iter().all(u8::is_ascii_digit))
        });
        (at.is_some() || behind == 0) && (0..behind - usize::from(is_word)).all(|row| self.fits(row))
    }

    /// Rows that do not fit.
    fn odd(&self) -> usize {
        (0..self.rows.len()).filter(|&row| !self.fits(row)).count()
    }

    fn header_text(&self) -> String {
        printable(self.header[0].text.trim_ascii(), QUOTE_BYTES_MAX)
    }

    /// The header that fits the rows, where one does.
    fn odd_header(&self) -> Option<Problem> {
        let others: u64 = self.layout.parts.iter().skip(1).map(|part| part.rows).sum();
        let rows = (self.rows.len() as u64).checked_sub(others)?;
        let width = *self.counts[..rows as usize].iter().max()?;
        let header = &self.header[0];
        let place = header.place();
        let bytes = header.text.trim_ascii().len() as u64;
        let headers = self.trial.reader.headers(header, rows, width);
        let proposals = headers.into_iter().map(|with| Proposal::Replace { place, bytes, with });
        let proposal = self.trial.first_of(proposals)?;
        let what = Mistake::Header { header: self.header_text(), rows, numbers: width };
        Some(Problem::new(place, what).proposing(Some(proposal)))
    }

    /// A row too many of the first part that is equal to its neighbour.
    fn doubled(&self) -> Option<Problem> {
        let expected = self.layout.parts.first()?.rows;
        if self.rows.len() as u64 != self.rows_expected().saturating_add(1) {
            return None;
        }
        let tokens = |line: &Line<'_>| line.tokens().map(|(_, token)| token.to_vec()).collect::<Vec<_>>();
        let rows = &self.rows[..=expected as usize];
        let pair = rows.windows(2).find(|pair| tokens(&pair[0]) == tokens(&pair[1]))?;
        let (before, line) = (pair[0].number, pair[1].number);
        let proposal = self.trial.first_of([Proposal::RemoveLine { line }])?;
        let (header, rows) = (self.header_text(), expected + 1);
        let what = Mistake::RowDoubled { header, rows, expected, line, before };
        Some(Problem::new(pair[1].place(), what).proposing(Some(proposal)))
    }

    /// A row that is too short and one that is too long, where the board has as many lines and numbers as it should.
    fn uneven(&self) -> Option<Problem> {
        let board = self.layout.parts.first()?;
        let mut lengths = RowLengths::new(board.rows, board.widths?);
        let mut numbers = 0;
        for (row, &count) in self.rows.get(..usize::try_from(board.rows).ok()?)?.iter().zip(&self.counts) {
            lengths.begin_line(numbers, row.place());
            numbers += u128::from(count);
        }
        lengths.uneven(numbers).filter(|_| self.rows_expected() == self.rows.len() as u64)
    }

    /// The first row that is too short or too long, where there are as many rows as there should be.
    fn odd_row(&self) -> Option<Problem> {
        if self.odd() > (self.rows.len() / 4).max(1) {
            return None;
        }
        let odd = (0..self.rows.len()).find(|&row| !self.fits(row))?;
        let line = &self.rows[odd];
        let (numbers, expected) = (self.counts[odd], self.expected(odd as u64)?);
        let (part, row) = self.part(odd as u64)?;
        let place = match line.tokens().nth(expected as usize) {
            Some((place, _)) => place,
            None => line.place(),
        };
        let begins = odd - row as usize;
        let others = &self.counts[begins..begins + self.layout.parts[part].rows as usize];
        let differ = others.iter().filter(|&&count| count != expected).count();
        let player = self.trial.reader.player(part, row);
        let (row, line) = (row + 1, line.number);
        let what = match player {
            Some(player) => Mistake::PlayerLength { player, line, numbers, expected },
            None if others.len() > 1 && differ == 1 => {
                Mistake::RowLength { row, line, numbers, others: expected }
            }
            None => Mistake::RowLengthExpected { row, line, numbers, expected },
        };
        Some(Problem::new(place, what))
    }

    /// Too few rows, or too many.
    fn odd_count(&self) -> Option<Problem> {
        let (lines, expected) = (self.rows.len() as u64, self.rows_expected());
        let header = self.header_text();
        let place = self.header[0].place();
        let widths = self.layout.parts.iter().map(|part| part.widths.map(|[width, _]| width));
        let [Some(width), Some(other)] = widths.collect::<Vec<_>>()[..] else {
            // Lines that may hold anything are no rows.
            let others = self.layout.parts.iter().filter(|part| part.widths.is_none());
            let others: u64 = others.map(|part| part.rows).sum();
            let (rows, rows_expected) = (lines.saturating_sub(others), expected - others);
            let what = Mistake::RowCount { header, rows, expected: rows_expected };
            // Those behind the last one never fit.
            return (self.odd() as u64 == lines.saturating_sub(expected)).then(|| Problem::new(place, what));
        };
        let (board, players) = (self.layout.parts[0].rows, self.layout.parts[1].rows);
        let (odd, rows) = self.rows_of_first(width, other);
        if odd > 0 {
            return None;
        }
        if width == other {
            let what = Mistake::LineCount { lines, header, expected, rows: board, players };
            return Some(Problem::new(place, what));
        }
        if rows != board {
            return Some(Problem::new(place, Mistake::RowCount { header, rows, expected: board }));
        }
        let (line, players) = (self.header.last()?, lines - rows);
        // Too many may be what was meant; too few are rather forgotten, and zeros are rather an end marker.
        let (place, bytes) = (line.place(), line.text.trim_ascii().len() as u64);
        let proposal = Proposal::Replace { place, bytes, with: players.to_string() };
        let is_meant = lines > expected && !self.rows.last().is_some_and(is_marker);
        let proposal = if is_meant { self.trial.first_of([proposal]) } else { None };
        let what = Mistake::PlayerCount { players, line: line.number, expected: expected - rows };
        Some(Problem::new(place, what).proposing(proposal))
    }

    /// How many of the rows are of the first part, if those of the other one have another width: as many as leave the
    /// fewest rows that fit neither; and how many these are.
    fn rows_of_first(&self, width: u64, other: u64) -> (usize, u64) {
        let mut odd = self.counts.iter().filter(|&&count| count != other).count();
        let mut best = (odd, 0);
        for (row, &count) in (1..).zip(&self.counts) {
            odd = odd + usize::from(count != width) - usize::from(count != other);
            best = best.min((odd, row));
        }
        best
    }
}

/// Returns the problem of a last line `0` or `0 0` without which the puzzle is valid, or without which the file ends behind
/// the puzzle before.
pub fn end_marker(lines: &[Line<'_>], trial: &Trial<'_>, solver: &'static str) -> Option<Problem> {
    let last = lines.last().filter(|line| is_marker(line) && trial.reader.may_end())?;
    let text = trial.text.filter(|text| text.is_whole)?;
    let mut behind = text.text[text.read..].split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii_start);
    if !behind.all(|line| line.is_empty() || is_comment(line)) {
        return None;
    }
    let line = last.number;
    let proposal = trial.first_of([Proposal::RemoveLine { line }])?;
    let found = if last.count() == 1 { "0" } else { "0 0" }.to_owned();
    Some(Problem::new(last.place(), Mistake::EndMarker { found, line, solver }).proposing(Some(proposal)))
}

/// Whether a line is one that ends the files of other formats.
fn is_marker(line: &Line<'_>) -> bool {
    line.count() <= 2 && line.tokens().all(|(_, token)| token == b"0")
}
