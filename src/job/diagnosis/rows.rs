//! Rows too short, too long, too many, too few, for a puzzle that is written a row a line.

use super::mistake::Mistake;
use super::trial::Trial;
use crate::input::{Line, Place, QUOTE_BYTES_MAX, printable};
use crate::solver::{Layout, Part, Problem, Proposal};

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
    if seen.fits_until(problem.place) {
        return None;
    }
    let tried = seen.odd_header(trial).or_else(|| seen.doubled(trial));
    // What cannot be tried is said only where nearly all lines are rows.
    tried
        .or_else(|| if seen.rows_expected() == rows.len() as u64 { seen.odd_row() } else { seen.odd_count() })
}

impl Seen<'_> {
    /// Rows as there should be.
    fn rows_expected(&self) -> u64 {
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

    /// Rows that do not fit.
    fn odd(&self) -> usize {
        (0..self.rows.len()).filter(|&row| !self.fits(row)).count()
    }

    fn header_text(&self) -> String {
        printable(self.header.text.trim_ascii(), QUOTE_BYTES_MAX)
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
        let (rows, expected) = (self.rows.len() as u64, self.rows_expected());
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
        if self.odd() > (self.rows.len() / 4).max(1) {
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
        let (rows, expected) = (self.rows.len() as u64, self.rows_expected());
        let what = Mistake::RowCount { header: self.header_text(), rows, expected };
        // Those behind the last one never fit.
        (self.odd() as u64 == rows.saturating_sub(expected)).then(|| Problem::new(self.header.place(), what))
    }
}
