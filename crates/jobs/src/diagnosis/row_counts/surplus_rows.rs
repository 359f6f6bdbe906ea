//! Rows that are written twice, belong to another puzzle, or stand in another order.

use super::CountedRows;
use crate::diagnosis::{Mistake, first_lines, header_changes};
use tabuleiro_puzzles::input::Line;
use tabuleiro_puzzles::solver::{FormMistake, Part, Problem, Proposal, RowLengths, described};

/// The most rows of a board that are compared with each other.
const ROWS_MAX: usize = 256;

impl CountedRows<'_> {
    /// Reports the last line of the header again after the rows.
    pub(super) fn header_again(&self) -> Option<Problem> {
        let (before, again) = (self.header.last()?, self.rows.get(self.layout.parts[0].rows as usize)?);
        if self.layout.parts.len() < 2 { None } else { first_lines::header_again(before, again, self.trial) }
    }

    /// Reports players before the board.
    pub(super) fn players_early(&self) -> Option<Problem> {
        let [board, players @ Part { widths: Some(_), .. }] = self.layout.parts[..] else { return None };
        let (width, count) = (board.widths?[0], usize::try_from(players.rows).ok()?);
        let are_players = self.counts.get(..count)?.iter().all(|&numbers| numbers == 2);
        let are_rows = self.counts[count..].iter().all(|&numbers| numbers == width);
        let is_other = width != 2 && self.rows.len() as u64 == self.layout.rows();
        let (from, to) = (self.rows.first()?.number, self.rows.get(count.checked_sub(1)?)?.number);
        let moved = || self.trial.moved([from, to], self.rows.last()?.number);
        let problem = || Problem::new(self.rows[0].place(), FormMistake::PlayersEarly { from, to });
        (is_other && are_players && are_rows).then(|| problem().proposing(moved()))
    }

    /// Proposes to remove surplus rows of the first part that repeat the rows before them.
    pub(super) fn repeated(&self) -> Option<Problem> {
        let rows = usize::try_from(self.layout.parts.first()?.rows).ok()?;
        let surplus = self.rows.len().checked_sub(usize::try_from(self.layout.rows()).ok()?)?;
        let lines = self.rows.get(..rows.checked_add(surplus)?)?;
        let is_again = |pair: &&[Line<'_>]| {
            let (before, again) = pair.split_at(surplus);
            before.iter().zip(again).all(|(before, again)| before.is_like(again))
        };
        let pair = lines.windows(2 * surplus.max(1)).find(is_again).filter(|_| surplus > 1)?;
        let [first, last, from, to] = [0, surplus - 1, surplus, 2 * surplus - 1].map(|at| pair[at].number);
        let removed = Proposal::RemoveLines { from_line: from, to_line: to };
        let problem = Problem::new(pair[surplus].place(), Mistake::RowsRepeated { first, last, from, to });
        self.trial.mended(problem, (surplus < rows).then_some(removed))
    }

    /// Reports rows of two lengths in turn that begin with the other length.
    pub(super) fn turned(&self) -> Option<Problem> {
        let [wide, narrow] = self.layout.parts.first()?.widths?;
        let is_turned = |(row, &count): (usize, &u64)| count == [narrow, wide][row % 2];
        let are_turned =
            wide != narrow && self.counts.len() > 1 && self.counts.iter().enumerate().all(is_turned);
        let is_whole = are_turned && self.rows.len() as u64 == self.layout.rows();
        let what = Mistake::RowsTurned { wide, narrow };
        is_whole.then(|| Problem::new(self.rows[0].place(), what))
    }

    /// Reports a second board without a header after this one.
    pub(super) fn run_together(&self) -> Option<Problem> {
        let expected = usize::try_from(self.layout.rows()).ok().filter(|&rows| rows > 1)?;
        // A piece is one board.
        if self.trial.is_piece {
            return None;
        }
        let fits = |rows: usize| (0..rows).all(|row| self.fits(row));
        let next = self.rows.get(expected).filter(|_| self.rows.len() > expected && fits(expected))?;
        let (rest, line) = (&self.rows[expected..], next.number);
        let none = Line { text: b"", ..*next };
        let inserted = |text| Proposal::InsertLine { line, text };
        let proposal = self.trial.first_of(header_changes::fitting(&none, rest, self.trial).map(inserted));
        if proposal.is_none() && (self.rows.len() < 2 * expected || !self.rows.len().is_multiple_of(expected))
        {
            return None;
        }
        let expected = described(self.trial.reader.fields().first()?);
        Some(Problem::new(next.place(), Mistake::HeaderMissing { line, expected }).proposing(proposal))
    }

    /// Proposes to remove a surplus row of the first part that is equal to the row before it.
    pub(super) fn doubled(&self) -> Option<Problem> {
        let expected = self.layout.parts.first()?.rows;
        if self.rows.len() as u64 != self.layout.rows().saturating_add(1) {
            return None;
        }
        let rows = &self.rows[..=expected as usize];
        let mut pairs = rows.windows(2).filter(|pair| pair[0].is_like(&pair[1]));
        let Some(pair) = pairs.next() else { return self.doubled_apart(rows) };
        let (before, line) = (pair[0].number, pair[1].number);
        let Some(proposal) = self.trial.first_of([Proposal::remove_line(line)]) else {
            return self.doubled_apart(rows);
        };
        // Another pair of equal rows can be the surplus one as well.
        let other = pairs.find(|other| !other[0].is_like(&pair[0]));
        let [other, again] = other.map_or([0; 2], |other| [other[0].number, other[1].number]);
        let (header, rows) = (self.header_text(), expected + 1);
        let what = Mistake::RowDoubled { header, rows, expected, line, before, other, again };
        Some(Problem::new(pair[1].place(), what).proposing(Some(proposal).filter(|_| again == 0)))
    }

    /// Reports the only two equal rows, perhaps with other rows between them, if there is one row too many.
    fn doubled_apart(&self, rows: &[Line<'_>]) -> Option<Problem> {
        if rows.len() > ROWS_MAX {
            return None;
        }
        let is_plain = |row: &Line<'_>| {
            row.count() < 3 || row.tokens().all(|(_, token)| row.text.trim_ascii().starts_with(token))
        };
        let equal = |(at, first): (usize, &Line<'_>)| {
            let again = rows[at + 1..].iter().find(|row| row.is_like(first) && !is_plain(first))?;
            Some([first.number, again.number])
        };
        let mut pairs = rows.iter().enumerate().filter_map(equal);
        let ([before, line], None) = (pairs.next()?, pairs.next()) else { return None };
        let (header, expected) = (self.header_text(), rows.len() as u64 - 1);
        let what =
            Mistake::RowDoubled { header, rows: expected + 1, expected, line, before, other: 0, again: 0 };
        let again = rows.iter().find(|row| row.number == line)?;
        Some(Problem::new(again.place(), what))
    }

    /// Reports a row that is too short and one that is too long, if the board has the right count of lines and numbers.
    pub(super) fn uneven(&self) -> Option<Problem> {
        let board = self.layout.parts.first()?;
        let mut lengths = RowLengths::new(board.rows, board.widths?);
        let mut numbers = 0;
        for (row, &count) in self.rows.get(..usize::try_from(board.rows).ok()?)?.iter().zip(&self.counts) {
            lengths.begin_line(numbers, row.place());
            numbers += u128::from(count);
        }
        lengths.uneven(numbers).filter(|_| self.layout.rows() == self.rows.len() as u64)
    }
}
