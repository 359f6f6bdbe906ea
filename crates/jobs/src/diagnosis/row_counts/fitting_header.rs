//! Rows that fit another header, and all squares of a checkers board.

use std::collections::BTreeSet;

use super::CountedRows;
use crate::diagnosis::Mistake;
use tabuleiro_puzzles::input::{Line, QUOTE_BYTES_MAX, printable};
use tabuleiro_puzzles::solver::{FormMistake, Problem, Proposal};
use tabuleiro_puzzles::words::Phrase;

/// Fewer rows of one length can be rows with the same mistake.
const ROWS_MIN: u64 = 2;

impl CountedRows<'_> {
    /// Proposes the header that fits the rows, if one does.
    pub(super) fn odd_header(&self) -> Option<Problem> {
        let others: u64 = self.layout.parts.iter().skip(1).map(|part| part.rows).sum();
        let rows = (self.rows.len() as u64).checked_sub(others)?;
        let width = *self.counts[..rows as usize].iter().max()?;
        // A single row that lacks a number, or has one too many, does not show that the header is wrong.
        let [said, _] = self.layout.parts[0].widths?;
        if rows == 1 && self.layout.parts[0].rows == 1 && width.abs_diff(said) == 1 {
            return None;
        }
        let header = &self.header[0];
        let place = header.place();
        let bytes = header.text.trim_ascii().len() as u64;
        let narrow = self.counts[..rows as usize].iter().copied().min().unwrap_or(width);
        // If one board has many surplus rows, the number of rows in the header is more likely wrong.
        let is_meant = self.trial.is_piece && rows > self.layout.parts[0].rows.saturating_add(2);
        let none = Line { text: b"", ..*header };
        let header = if is_meant { &none } else { header };
        let alternating = self.trial.reader.headers(header, rows, [width, narrow]).into_iter();
        let is_alternating = self.counts.windows(3).all(|rows| rows[0] == rows[2]) && width != narrow;
        let equal = self.trial.reader.headers(header, rows, [width; 2]).into_iter();
        let headers = equal.filter(|_| !is_alternating).chain(alternating);
        // The size and the seed can stand without a space between them.
        let text = self.header_text();
        let apart = |with: String| {
            let rest = text.strip_prefix(&with).filter(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()));
            let apart = rest.filter(|rest| !rest.is_empty()).map(|rest| format!("{with} {rest}"));
            apart.into_iter().chain([with])
        };
        let headers = headers.flat_map(apart);
        let proposals = headers.map(|with| Proposal::Replace { place, bytes, with });
        let Some(proposal) = self.trial.first_of(proposals) else {
            // Rows of one other length show that the header is wrong, even if the board has another mistake.
            let is_other = rows > ROWS_MIN && width == narrow && width != said;
            let has_header = || !self.trial.reader.headers(header, rows, [width; 2]).is_empty();
            let header = self.header_text();
            let what = if header == format!("{rows} {width}") {
                Mistake::HeaderHalf { header }
            } else {
                Mistake::Header { header, rows, numbers: width }
            };
            return (is_other && has_header()).then(|| Problem::new(place, what));
        };
        let header = self.header_text();
        // If another part follows the board, propose only a header that keeps one of the old numbers.
        let has_said =
            |with: &str| with.split(' ').any(|number| header.split(' ').any(|said| said == number));
        let is_sure = self.layout.parts.len() < 2
            || self.layout.parts[1].widths.is_none()
            || self.layout.parts[1].rows == 0
            || matches!(&proposal, Proposal::Replace { with, .. } if has_said(with));
        // Few people know that, with an odd number of columns, every second row is shorter.
        if let [wide, narrow] = self.layout.parts[0].widths?
            && (wide > narrow, rows) == (true, self.layout.parts[0].rows)
            && self.counts.iter().all(|&count| count == wide)
            && let Proposal::Replace { with: fitting, .. } = &proposal
        {
            let (columns, fitting) = (wide + narrow, fitting.clone());
            let what = Mistake::HeaderOdd { columns, wide, narrow, rows, fitting };
            return Some(Problem::new(place, what));
        }
        let what: Phrase = if header == format!("{rows} {width}") {
            Mistake::HeaderHalf { header }.into()
        } else if width == narrow {
            Mistake::Header { header, rows, numbers: width }.into()
        } else if rows == self.layout.parts[0].rows {
            Mistake::HeaderInTurn { header, rows, width, narrow }.into()
        } else {
            FormMistake::RowCount { header, rows, expected: self.layout.parts[0].rows }.into()
        };
        Some(Problem::new(place, what).proposing(Some(proposal).filter(|_| is_sure)))
    }

    /// Returns how many pieces stand on playable squares and on others, if the rows hold all squares.
    pub(super) fn pieces_by_colour(&self) -> [usize; 2] {
        [0, 1].map(|colour| {
            let squares = |(row, line): (usize, &Line<'_>)| {
                let squares = line.tokens().skip((row + colour) % 2).step_by(2);
                squares.filter(|(_, token)| matches!(*token, b"1" | b"2")).count()
            };
            self.rows.iter().enumerate().map(squares).sum()
        })
    }

    /// Proposes rows without the squares that are not playable, if each of them is 0 or has a mark or a letter. Also
    /// returns the mark if all of them have the same one.
    pub(super) fn playable(&self) -> Option<(Proposal, Option<String>)> {
        let is_piece = |token: &[u8]| token != b"0" && token.iter().all(u8::is_ascii_digit);
        let mut unplayed = BTreeSet::new();
        let lines = self.rows.iter().enumerate().map(|(row, line)| {
            let tokens = line.tokens().enumerate();
            let (own, others): (Vec<_>, Vec<_>) = tokens.partition(|(column, _)| (row + column) % 2 == 0);
            let own = own.iter().map(|(_, (_, token))| String::from_utf8_lossy(token));
            unplayed.extend(others.iter().map(|(_, (_, token))| *token));
            let is_bare = !others.iter().any(|(_, (_, token))| is_piece(token));
            is_bare.then(|| own.collect::<Vec<_>>().join(" "))
        });
        let lines = lines.collect::<Option<Vec<_>>>()?;
        let change = self.trial.first_of(Proposal::replace_lines(self.rows, lines))?;
        let mark = unplayed.first().filter(|mark| unplayed.len() == 1 && **mark != b"0");
        Some((change, mark.map(|mark| printable(mark, QUOTE_BYTES_MAX))))
    }
}
