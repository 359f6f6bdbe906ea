//! Rows too short, too long, too many, too few, for a puzzle that is written a row a line.

use super::mistake::Mistake;
use super::trial::Trial;
use crate::input::{Line, Place};
use crate::solver::{Layout, Part, Problem, Proposal};

/// How much of a header is quoted.
const HEADER_BYTES_MAX: usize = 40;

/// The rows of a puzzle as they are, and as they should be.
struct Seen<'a> {
    header: &'a Line<'a>,
    rows: &'a [Line<'a>],
    /// Numbers on each row.
    counts: Vec<u64>,
    layout: &'a Layout,
}

/// What the rows tell of a puzzle that is wrong; `None` where they are as they should be up to the mistake, or where
/// nothing shows that rows were meant to be lines.
pub fn look(problem: &Problem, lines: &[Line<'_>], trial: &Trial<'_>) -> Option<Problem> {
    let layout = trial.reader.layout(lines)?;
    let (header, rows) = lines.split_at_checked(layout.header_lines)?;
    let counts = rows.iter().map(Line::count).collect();
    let seen = Seen { header: header.first()?, rows, counts, layout: &layout };
    if seen.fits_until(problem.place) || !seen.is_in_lines() {
        return None;
    }
    seen.odd_header(trial)
        .or_else(|| seen.doubled(trial))
        .or_else(|| seen.odd_row())
        .or_else(|| seen.odd_count())
}

impl Seen<'_> {
    /// Rows as there should be.
    fn expected_rows(&self) -> u64 {
        self.layout.parts.iter().map(|part| part.rows).sum()
    }

    /// Numbers that a row should have, counted from 0; `None` for any.
    fn expected(&self, mut row: u64) -> Option<u64> {
        for Part { rows, widths } in &self.layout.parts {
            if row < *rows {
                return widths.map(|widths| widths[row as usize % 2]);
            }
            row -= rows;
        }
        // Behind the last row nothing fits.
        Some(0)
    }

    fn fits(&self, row: usize) -> bool {
        self.expected(row as u64).is_none_or(|expected| expected == self.counts[row])
    }

    /// Whether all rows up to the line of the mistake are as they should be: then the reader was right about the place.
    fn fits_until(&self, place: Place) -> bool {
        let behind = self.rows.iter().take_while(|row| row.number <= place.line).count();
        let is_on_row = self.rows.get(behind.wrapping_sub(1)).is_some_and(|row| row.number == place.line);
        (is_on_row || behind == 0) && (0..behind).all(|row| self.fits(row))
    }

    /// Whether the puzzle is written a row a line: most lines fit, or all have the same count.
    fn is_in_lines(&self) -> bool {
        let fitting = (0..self.rows.len()).filter(|&row| self.fits(row)).count();
        2 * fitting >= self.rows.len().max(1) || self.uniform().is_some()
    }

    /// Numbers on every row, where that is the same for all.
    fn uniform(&self) -> Option<u64> {
        let first = *self.counts.first()?;
        (self.counts.len() > 1 && self.counts.iter().all(|&count| count == first)).then_some(first)
    }

    fn header_text(&self) -> String {
        crate::input::printable(self.header.text.trim_ascii(), HEADER_BYTES_MAX)
    }

    /// The header that fits the rows, where one does.
    fn odd_header(&self, trial: &Trial<'_>) -> Option<Problem> {
        let width = self.counts.iter().copied().max()?;
        let rows = self.rows.len() as u64;
        let place = self.header.place();
        let bytes = self.header.text.trim_ascii().len() as u64;
        let headers = trial.reader.headers(self.header, rows, width);
        let proposals = headers.into_iter().map(|with| Proposal::Replace { place, bytes, with });
        let proposal = trial.first_of(proposals)?;
        let what = Mistake::Header { header: self.header_text(), rows, numbers: width };
        Some(Problem::new(place, what).proposing(Some(proposal)))
    }

    /// A row too many that is equal to its neighbour.
    fn doubled(&self, trial: &Trial<'_>) -> Option<Problem> {
        let (rows, expected) = (self.rows.len() as u64, self.expected_rows());
        if rows != expected + 1 {
            return None;
        }
        let tokens = |line: &Line<'_>| line.tokens().map(|(_, token)| token.to_vec()).collect::<Vec<_>>();
        let pair = self.rows.windows(2).find(|pair| tokens(&pair[0]) == tokens(&pair[1]))?;
        let (before, line) = (pair[0].number, pair[1].number);
        let proposal = trial.first_of([Proposal::RemoveLine { line }])?;
        let what = Mistake::RowDoubled { header: self.header_text(), rows, expected, line, before };
        Some(Problem::new(pair[1].place(), what).proposing(Some(proposal)))
    }

    /// The first row that is too short or too long, where there are as many rows as there should be.
    fn odd_row(&self) -> Option<Problem> {
        if self.rows.len() as u64 != self.expected_rows() {
            return None;
        }
        let odd = (0..self.rows.len()).find(|&row| !self.fits(row))?;
        let (line, row) = (&self.rows[odd], odd as u64);
        let (numbers, expected) = (self.counts[odd], self.expected(row)?);
        let mut others = (0..self.rows.len()).filter(|&row| row != odd).map(|row| self.counts[row]);
        let (row, number) = (row + 1, line.number);
        let what =
            if self.layout.parts.len() == 1 && self.rows.len() > 1 && others.all(|count| count == expected) {
                Mistake::RowLength { row, line: number, numbers, others: expected }
            } else {
                Mistake::RowLengthExpected { row, line: number, numbers, expected }
            };
        let place = match line.tokens().nth(expected as usize) {
            Some((place, _)) => place,
            None => line.place(),
        };
        Some(Problem::new(place, what))
    }

    /// Too few rows, or too many.
    fn odd_count(&self) -> Option<Problem> {
        let (rows, expected) = (self.rows.len() as u64, self.expected_rows());
        let what = Mistake::RowCount { header: self.header_text(), rows, expected };
        (rows != expected).then(|| Problem::new(self.header.place(), what))
    }
}
