//! Rows too short, too long, too many, too few, for a puzzle that is written a row a line.

use super::mistake::Mistake;
use super::trial::Trial;
use crate::input::{Line, Place};
use crate::solver::{Layout, Problem, Proposal};

/// How much of a header is quoted.
const HEADER_BYTES_MAX: usize = 40;

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
    if header.is_empty() || seen.fits_until(problem.place) {
        return None;
    }
    seen.odd_header().or_else(|| {
        let is_in_lines = seen.is_in_lines();
        let what = || seen.doubled().or_else(|| seen.odd_row()).or_else(|| seen.odd_count());
        if is_in_lines { what() } else { None }
    })
}

impl Seen<'_> {
    /// Rows as there should be.
    fn expected_rows(&self) -> u64 {
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
        let behind = self.rows.iter().take_while(|row| row.number <= place.line).count();
        let at = behind.checked_sub(1).map(|at| &self.rows[at]).filter(|row| row.number == place.line);
        let is_word = at.is_some_and(|row| {
            row.tokens().any(|(at, token)| at == place && !token.iter().all(u8::is_ascii_digit))
        });
        (at.is_some() || behind == 0) && (0..behind - usize::from(is_word)).all(|row| self.fits(row))
    }

    /// Whether the puzzle is written a row a line: most lines fit, or all have the same count.
    fn is_in_lines(&self) -> bool {
        let fitting = (0..self.rows.len()).filter(|&row| self.fits(row)).count();
        2 * fitting >= self.rows.len().max(1) || self.is_uniform()
    }

    /// Whether there are the same count of numbers on every row.
    fn is_uniform(&self) -> bool {
        self.counts.len() > 1 && self.counts.iter().all(|count| *count == self.counts[0])
    }

    fn header_text(&self) -> String {
        crate::input::printable(self.header[0].text.trim_ascii(), HEADER_BYTES_MAX)
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
        if self.rows.len() as u64 != self.expected_rows().saturating_add(1) {
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

    /// The first row that is too short or too long, where there are as many rows as there should be.
    fn odd_row(&self) -> Option<Problem> {
        if self.rows.len() as u64 != self.expected_rows() {
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
        let (lines, expected) = (self.rows.len() as u64, self.expected_rows());
        if lines == expected {
            return None;
        }
        let header = self.header_text();
        let place = self.header[0].place();
        let [board, players] = self.layout.parts[..] else {
            return Some(Problem::new(place, Mistake::RowCount { header, rows: lines, expected }));
        };
        let (Some([width, _]), Some([pair, _])) = (board.widths, players.widths) else {
            return Some(Problem::new(place, Mistake::RowCount { header, rows: lines, expected }));
        };
        if width == pair {
            let (rows, players) = (board.rows, players.rows);
            return Some(Problem::new(place, Mistake::LineCount { lines, header, expected, rows, players }));
        }
        let rows = self.rows_of_board(width, pair, board.rows);
        if rows != board.rows || self.trial.reader.player(1, 0).is_none() {
            return Some(Problem::new(place, Mistake::RowCount { header, rows, expected: board.rows }));
        }
        let line = self.header.last()?;
        let players = lines - rows;
        // Too many may be what was meant; too few are rather forgotten.
        let (place, bytes) = (line.place(), line.text.trim_ascii().len() as u64);
        let proposal = Proposal::Replace { place, bytes, with: players.to_string() };
        let proposal = if lines > expected { self.trial.first_of([proposal]) } else { None };
        let what = Mistake::PlayerCount { players, line: line.number, expected: expected - rows };
        Some(Problem::new(place, what).proposing(proposal))
    }

    /// How many of the first rows are those of a board of such a width, if what follows has another: as many as leave
    /// the fewest that do not fit. Among these `expected` is preferred.
    fn rows_of_board(&self, width: u64, other: u64, expected: u64) -> u64 {
        let mut odd = self.counts.iter().filter(|&&count| count != other).count();
        let mut best = (odd, expected != 0, 0);
        for (row, &count) in (1..).zip(&self.counts) {
            odd = odd + usize::from(count != width) - usize::from(count != other);
            best = best.min((odd, expected != row, row));
        }
        best.2
    }
}
