//! Lines of a puzzle that are no rows, or hold more or less than one row.

use std::borrow::Cow;
use std::slice;

use super::{CountedRows, odd_row_below};
use crate::diagnosis::Mistake;
use tabuleiro_puzzles::input::{Line, QUOTE_BYTES_MAX, digits_value, printable};
use tabuleiro_puzzles::solver::{
    FormMistake, Part, Problem, Proposal, counts, is_like_end_marker, named_lines,
};
use tabuleiro_puzzles::words::Phrase;

impl CountedRows<'_> {
    /// Reports rows without blanks between their numbers.
    pub(super) fn joined(&self) -> Option<Problem> {
        let rows = usize::try_from(self.layout.parts.first()?.rows).ok()?;
        let is_joined = |(row, line): (usize, &Line<'_>)| {
            let width = self.expected(row as u64).unwrap_or(0);
            width > 1
                && line.count() == 1
                && line.text.trim_ascii().len() as u64 == width
                && line.numbers_only()
        };
        let first = self.rows.first()?;
        let are_joined = self.rows.get(..rows)?.iter().enumerate().all(is_joined);
        let apart = |line: &Line<'_>| -> String {
            let digits = line.text.trim_ascii().iter().flat_map(|&digit| [' ', char::from(digit)]);
            digits.skip(1).collect()
        };
        let problem = Problem::new(first.place(), Mistake::Joined { line: first.number });
        are_joined.then(|| {
            let rows = &self.rows[..rows];
            let change = Proposal::replace_lines(rows, rows.iter().map(apart).collect());
            problem.proposing(self.trial.first_of(change))
        })
    }

    /// Reports the end marker, or the header of the next puzzle, on the line of the last row.
    pub(super) fn line_goes_on(&self) -> Option<Problem> {
        let last = usize::try_from(self.layout.rows()).ok()?.checked_sub(1)?;
        // The whole board can be on one line.
        let [board, ..] = self.layout.parts[..] else { return None };
        let is_on_one = self.counts.first().is_some_and(|&count| u128::from(count) > board.numbers());
        let last = if is_on_one && board.rows == self.layout.rows() { 0 } else { last };
        let width =
            if last > 0 || board.rows == 1 { self.expected(last as u64)? } else { board.numbers() as u64 };
        let row = self.rows.get(last)?;
        let (line, is_last) = (row.number, self.rows.len() == last + 1);
        let behind: Vec<_> = row.tokens().skip(width as usize).collect();
        let ((place, _), fields) = (behind.first()?, self.trial.reader.fields().first()?);
        let (before, after) = row.text.split_at((place.column - row.column) as usize);
        let lines = [before, after].map(|text| String::from_utf8_lossy(text.trim_ascii()).into_owned());
        let numbers = || behind.iter().filter_map(|(_, token)| digits_value(0, token));
        let is_marker = is_last && !self.trial.reader.may_end() && numbers().eq([0, 0]);
        let is_header = counts(fields).contains(&(behind.len() as u64))
            && numbers().zip(fields).filter(|(number, field)| field.allows(*number)).count() == behind.len();
        if !(0..last).all(|row| self.fits(row)) || !is_marker && !is_header {
            return None;
        }
        let header = lines[1].clone();
        let apart = Proposal::ReplaceLines { from_line: line, to_line: line, lines: lines.into() };
        let proposal = self.trial.first_of([apart.clone()]);
        // The next board can have a mistake of its own.
        let next = Line { number: line, column: place.column, text: after };
        let below = || odd_row_below(slice::from_ref(&next), &self.rows[last + 1..], self.trial);
        let also = if proposal.is_none() && is_header { below() } else { None };
        let what =
            if is_marker { Mistake::MarkerOnRow { line } } else { Mistake::HeaderOnRow { header, line } };
        let part = also.is_some().then(|| Box::new(apart));
        let problem = Problem::new(*place, what).proposing(proposal).also(also);
        (is_marker || problem.proposal.is_some() || part.is_some()).then_some(Problem { part, ..problem })
    }

    /// Returns the only row that does not fit, if the rows after it fit as if they stood `later` rows further down, or
    /// `earlier` rows further up.
    pub(super) fn only_odd(&self, [later, earlier]: [usize; 2]) -> Option<usize> {
        let odd = (0..self.rows.len()).find(|&row| !self.fits(row))?;
        let fits = |row: usize| {
            let expected = self.expected((row + later - earlier) as u64);
            expected.is_none_or(|expected| expected == self.counts[row])
        };
        let is_whole = (self.rows.len() + later) as u64 == self.layout.rows().saturating_add(earlier as u64);
        (is_whole && (odd + 1 + earlier..self.rows.len()).all(fits)).then_some(odd)
    }

    /// Proposes two lines for two rows on one.
    pub(super) fn rows_joined(&self) -> Option<Problem> {
        let odd = self.only_odd([1, 0])?;
        let [width, next] = [self.expected(odd as u64)?, self.expected(odd as u64 + 1)?];
        let line = &self.rows[odd];
        let tokens = line.words();
        let apart = |tokens: &[Cow<'_, str>]| {
            let (first, second) = tokens.split_at_checked(width as usize)?;
            let lines = vec![first.join(" "), second.join(" ")];
            let apart = Proposal::ReplaceLines { from_line: line.number, to_line: line.number, lines };
            (second.len() as u64 == next).then_some(apart)
        };
        // If no blank separates the rows, the last number of the first row and the first number of the second are one
        // token.
        let without_blank = || {
            let last = width.checked_sub(1)? as usize;
            let number =
                tokens.get(last).filter(|number| number.bytes().all(|byte| byte.is_ascii_digit()))?;
            self.trial.only_one_of((1..number.len()).filter_map(|at| {
                let mut tokens = tokens.clone();
                let (first, second) = number.split_at(at);
                tokens.splice(last..=last, [first, second].map(|part| part.to_owned().into()));
                apart(&tokens)
            }))
        };
        let proposal = self.trial.first_of(apart(&tokens)).or_else(without_blank);
        let place = |at: u64| line.tokens().nth(at as usize).map(|(place, _)| place);
        if proposal.is_none() {
            // The number can be split in several places.
            let found = tokens.get((width as usize).checked_sub(1)?).filter(|found| found.len() > 2)?;
            let what = Mistake::RowsJoined { line: line.number, found: found.to_string() };
            let is_whole = tokens.len() as u64 + 1 == width + next && line.numbers_only();
            return is_whole.then_some(Problem::new(place(width - 1)?, what));
        }
        let what: Phrase = match (&proposal, self.layout.part_of(odd as u64)) {
            (Some(Proposal::ReplaceLines { lines, .. }), Some((1, _))) => {
                let [first, second] = [0, 1].map(|at| lines[at].clone());
                Mistake::LinesJoined { line: line.number, first, second }.into()
            }
            _ => Mistake::RowsJoined { line: line.number, found: "none".to_owned() }.into(),
        };
        Some(Problem::new(place(width)?, what).proposing(proposal))
    }

    /// Proposes a line for each row of a board on one line.
    pub(super) fn all_on_one_line(&self) -> Option<Problem> {
        let board = self.layout.parts.first().filter(|board| board.rows > 2)?;
        let line = self.rows.first().filter(|row| u128::from(row.count()) == board.numbers())?;
        let mut tokens = line.words().into_iter();
        let row = |row| {
            board.width(row).map(|width| tokens.by_ref().take(width as usize).collect::<Vec<_>>().join(" "))
        };
        let lines = (0..board.rows).map_while(row).collect();
        let apart = Proposal::ReplaceLines { from_line: line.number, to_line: line.number, lines };
        let what = Mistake::AllOnOneLine { line: line.number, rows: board.rows };
        self.trial.mended(Problem::new(line.place(), what), [apart])
    }

    /// Proposes one line for each row that is on several.
    pub(super) fn rows_split(&self) -> Option<Problem> {
        let board = self.layout.parts.first()?;
        let (mut at, mut rows, mut lines, mut split) = (0, 0, Vec::new(), None);
        for row in 0..board.rows {
            let (width, begin, mut count) = (board.width(row)?, at, 0);
            while count < width {
                count += *self.counts.get(at)?;
                at += 1;
            }
            if count != width {
                return None;
            }
            if at - begin > 1 {
                rows += 1;
                split.get_or_insert((row + 1, self.rows[begin].number, self.rows[at - 1]));
            }
            let words: Vec<_> = self.rows[begin..at].iter().flat_map(Line::words).collect();
            lines.push(words.join(" "));
        }
        let (row, from, last) = split?;
        let change = match rows {
            1 => Proposal::JoinLines { from_line: from, to_line: last.number },
            _ => Proposal::replace_lines(&self.rows[..at], lines)?,
        };
        let what = Mistake::RowSplit { rows, row, from, to: last.number };
        self.trial.mended(Problem::new(last.place(), what), [change])
    }

    /// Reports the only line that is too short or too long if every row is broken into lines of the same lengths.
    pub(super) fn wrapped_row(&self) -> Option<Problem> {
        let Part { rows, widths: Some([width, other]) } = *self.layout.parts.first()? else { return None };
        let rows = usize::try_from(rows).ok().filter(|&rows| rows > 1 && width == other)?;
        // With one number on each line, a missing number moves the lines of players.
        (2..=self.counts.len() / rows).filter(|&pieces| (pieces as u64) < width).find_map(|pieces| {
            let mut lines = self.counts[..rows * pieces].chunks(pieces);
            let whole = lines.clone().find(|row| row.iter().sum::<u64>() == width)?;
            let row = lines.position(|row| row != whole).filter(|_| lines.all(|row| row == whole))?;
            let counts = &self.counts[row * pieces..][..pieces];
            let mut odd = (0..pieces).filter(|&piece| counts[piece] != whole[piece]);
            let piece = odd.next().filter(|_| odd.next().is_none())?;
            let line = &self.rows[row * pieces + piece];
            let surplus = line.tokens().nth(whole[piece] as usize);
            let what = Mistake::RowWrapped {
                row: row as u64 + 1,
                from: self.rows[row * pieces].number,
                to: self.rows[row * pieces + pieces - 1].number,
                numbers: counts.iter().sum(),
                others: width,
                line: line.number,
                found: counts[piece],
                expected: whole[piece],
            };
            Some(Problem::new(surplus.map_or_else(|| line.end(), |(place, _)| place), what))
        })
    }

    /// Proposes to remove the only line with words among the rows, such as a page footer.
    pub(super) fn words(&self) -> Option<Problem> {
        let is_word =
            |token: &[u8]| String::from_utf8_lossy(token).chars().filter(|c| c.is_alphabetic()).count() > 2;
        let mut lines = self.rows.iter().filter(|line| line.tokens().any(|(_, token)| is_word(token)));
        let is_begun = |line: &&Line<'_>| line.text.trim_ascii().first().is_some_and(u8::is_ascii_digit);
        let may_be = self.layout.parts.iter().all(|part| part.widths.is_some());
        let line =
            lines.next().filter(|_| may_be && lines.next().is_none()).filter(|line| !is_begun(line))?;
        let what = FormMistake::stray_line(line.number);
        self.trial.mended(Problem::new(line.place(), what), [Proposal::remove_line(line.number)])
    }

    /// Proposes to remove a line with one number among the rows, such as the number of a page, or an end marker.
    pub(super) fn number_alone(&self) -> Option<Problem> {
        let odd = self.only_odd([0, 1])?;
        let (line, others) = (self.rows[odd].number, self.expected(odd as u64)?);
        let numbers = self.counts[odd];
        let is_again = odd > 0 && self.rows[odd - 1].is_like(&self.rows[odd]);
        let is_alone = numbers == 1 || is_like_end_marker(self.rows[odd].text) && !is_again;
        let is_alone = is_alone && self.counts.get(odd + 1) == Some(&others);
        let problem = Problem::new(self.rows[odd].place(), Mistake::OddLine { line, numbers, others });
        self.trial.mended(problem, is_alone.then(|| Proposal::remove_line(line)))
    }

    /// Reports a number that stands for one square in a row of the right length, but has several digits.
    pub(super) fn square_digits(&self, problem: &Problem) -> Option<Problem> {
        let (row, line) = (1..).zip(self.rows).find(|(_, line)| line.number == problem.place.line)?;
        let (place, token) = line.token_at(problem.place)?;
        let found = printable(token, QUOTE_BYTES_MAX);
        let is_same = token.iter().all(|digit| *digit == token[0]);
        let one = is_same.then(|| Proposal::replace_token((place, token), &char::from(token[0]).to_string()));
        let what = Mistake::SquareDigits { found, row, numbers: self.expected(row - 1)? };
        let proposal = self.trial.first_of(one);
        self.fits(row as usize - 1).then(|| Problem::new(place, what).proposing(proposal))
    }

    /// Reports short rows in which blanks stand for empty squares.
    pub(super) fn blanks(&self) -> Option<Problem> {
        let has_blanks = |line: &Line<'_>| line.has_gap() || line.column > 1;
        let is_short = |row: &usize| self.expected(*row as u64).is_some_and(|most| self.counts[*row] < most);
        let short: Vec<_> = (0..self.rows.len()).filter(is_short).collect();
        let is_blank = self.layout.parts.len() == 1
            && self.rows.len() as u64 <= self.layout.rows()
            && (0..self.rows.len()).all(|row| is_short(&row) || self.fits(row))
            && short.iter().any(|&row| has_blanks(&self.rows[row]));
        let first = short.first().filter(|_| is_blank && short.len() > 1)?;
        let lines = named_lines(short.iter().map(|&row| self.rows[row].number));
        Some(Problem::new(self.rows[*first].end(), Mistake::Blanks { lines }))
    }
}
