//! Reads the rows of a puzzle, and the line of words after them.

use std::io;

use super::{Draft, Fault, FormReader, ROWS_MAX, nth_token, spaced};
use crate::input::{Next, NoToken, Place, Scanner, is_comment};
use crate::solver::form::{Ahead, AheadLine, At, Form, FormMistake};
use crate::solver::{Part, Problem, Proposal, RowLengths};

impl<F: Form> FormReader<F> {
    pub(super) fn read_rows(
        &self,
        draft: &mut Draft,
        (index, widths): (usize, [u64; 2]),
        board: &mut F::Board,
        input: &mut Scanner<'_>,
    ) -> Result<(), Fault> {
        let (form, header) = (&*self.form, draft.header);
        let fields = form.fields()[0].len() as u64;
        let total = draft.parts[index].numbers();
        if index == 0 && draft.in_lines {
            draft.lengths = RowLengths::new(draft.parts[0].rows, widths);
        }
        // Numbers read, rows begun, and numbers still missing from the current row.
        let (mut read, mut row, mut left) = (0_u128, 0_u64, 0_u64);
        while read < total {
            let end = input.place();
            let next = input.advance()?;
            if next != Next::NewLine || left > 0 {
                draft.fits &= next == Next::SameLine && left > 0;
            }
            if next == Next::End {
                return Err(self.missing(draft, (index, read), end));
            }
            if next == Next::NewLine && (draft.fits || F::WRAPS) {
                draft.line = input.place().line;
                if index == 0 {
                    draft.lengths.begin_line(read, input.place());
                }
                let (width, glance) = (widths[row as usize % 2], input.glance());
                let is_row = glance.is_some_and(|glance| u64::from(glance.count) == width.min(3));
                if !(draft.fits && is_row && width > fields)
                    && self.next_begins(draft, (index, row), (read, glance), input)?
                {
                    return Err(self.missing(draft, (index, read), end));
                }
            }
            if !draft.fits && !F::WRAPS {
                let width = widths[(row.max(1) - 1) as usize % 2];
                let more = if next == Next::SameLine { input.line_ahead()?.count() } else { 0 };
                let (line, numbers) = (draft.line, width - left + more);
                let what = FormMistake::RowLength { row, line, numbers, expected: width };
                return Err(Problem::new(end, what).into());
            }
            if draft.fits && left == 0 {
                left = widths[row as usize % 2];
                row += 1;
            }
            let wanted = if draft.fits { left } else { u64::try_from(total - read).unwrap_or(u64::MAX) };
            let spot = input.spot();
            let (mut seen, mut wrong) = (0, None);
            let mut taken = input.take_numbers_on_line(wanted, |value| {
                if wrong.is_none() && !form.take(board, index, value) {
                    wrong = Some(seen);
                }
                seen += 1;
            });
            if taken == 0 || wrong.is_some() {
                if wrong.is_some() {
                    input.go_back(spot);
                }
                let lexeme = nth_token(wrong.unwrap_or(0), input)?;
                if draft.fits
                    && left == widths[(row - 1) as usize % 2]
                    && wrong.is_none()
                    && !lexeme.token.is_digits()
                {
                    input.go_back(spot);
                    let mut ahead = Ahead::new(input.lines_ahead()?);
                    // A single word before the next header, or at the end, was meant as the words.
                    let is_word = |line: &AheadLine<'_>| {
                        let word = line.line.text.trim_ascii();
                        form.is_words(line) && word.len() > 1 && word.iter().all(u8::is_ascii_alphabetic)
                    };
                    let is_last = ahead.line(1).is_none() || ahead.header(form, 1).is_some();
                    if ahead
                        .line(0)
                        .is_some_and(|line| form.ends_puzzle(line) || is_last && left > 1 && is_word(line))
                    {
                        let (header, expected) = (self.described(draft).0, draft.parts[index].rows);
                        let what = FormMistake::RowCount { header, rows: row - 1, expected };
                        return Err(Problem::new(draft.place, what).into());
                    }
                }
                let value = lexeme.token.number().filter(|_| wrong.is_none());
                if !value.is_some_and(|value| form.take(board, index, value)) {
                    let at = at(index, widths, read + u128::from(wrong.unwrap_or(0)));
                    return Err(Problem::new(lexeme.place, form.wrong_value(&header, at, &lexeme)).into());
                }
                taken = 1;
            }
            read += u128::from(taken);
            left = left.saturating_sub(taken);
        }
        Ok(())
    }

    /// Returns the problem of words that stand on the line of the last row.
    pub(super) fn words_on_row(&self, draft: &Draft, input: &mut Scanner<'_>) -> io::Result<Problem> {
        let (place, spot) = (input.place(), input.spot());
        let mut ahead = Ahead::new(input.lines_ahead()?);
        let is_followed = ahead.line(1).is_some_and(|line| self.form.ends_puzzle(line));
        let may_be_row = |line: &&AheadLine<'_>| line.is_clean || is_followed;
        let surplus = ahead.line(0).filter(may_be_row).map_or(0, |line| line.count);
        // What stands on the line before the words belongs to the row.
        if surplus > 0 && ahead.line(1).is_some_and(|line| self.form.is_words(line)) {
            let Part { rows: row, .. } = draft.parts[0];
            let expected = draft.parts[0].width(row - 1).unwrap_or(0);
            let numbers = expected + surplus;
            let what = FormMistake::RowLength { row, line: place.line, numbers, expected };
            return Ok(Problem::new(place, what));
        }
        drop(ahead);
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes.trim_ascii()).into_owned();
        let words = input.line_ahead()?;
        if is_comment(words.text) {
            return Ok(Problem::new(place, NoToken::EndOfLine));
        }
        let what = self.form.words_early(&words, place.line);
        let words = text(words.text);
        let is_at_hand = input.go_back(draft.begins);
        let line = input.lines_ahead()?.find(|line| line.number == place.line && is_at_hand);
        let row = line.and_then(|line| line.text.get(..(place.column - line.column) as usize)).map(text);
        input.go_back(spot);
        let (from_line, to_line) = (place.line, place.line);
        let apart = row.map(|row| Proposal::ReplaceLines { from_line, to_line, lines: vec![row, words] });
        Ok(Problem::new(place, what).proposing(apart))
    }

    /// Moves to the line of words, or fails if it is missing.
    pub(super) fn find_words(&self, draft: &Draft, input: &mut Scanner<'_>) -> Result<(), Fault> {
        let form = &*self.form;
        match input.advance()? {
            Next::End => return Err(Problem::new(input.place(), form.words_missing(None)).into()),
            Next::SameLine => return Err(self.words_on_row(draft, input)?.into()),
            Next::NewLine => {}
        }
        // Hardly any line of words begins with a digit.
        if !input.begins_with_digit() {
            return Ok(());
        }
        let place = input.place();
        let mut ahead = Ahead::new(input.lines_ahead()?);
        let may_be_words = ahead.line(0).is_some_and(|line| form.is_words(line));
        // No puzzle begins on the last line of a file.
        let is_next = ahead.line(1).is_some()
            && if may_be_words {
                ahead.is_puzzle(form, 0) || ahead.is_size(0)
            } else {
                ahead.begins(form, 0)
            };
        if is_next { Err(Problem::new(place, form.words_missing(Some(place))).into()) } else { Ok(()) }
    }

    /// Reports rows of the second part that stand before those of the first one, and lines of wrong lengths that even
    /// out. Read as a stream of numbers, the same lines can be another puzzle, which nobody meant.
    #[cold]
    pub(super) fn find_exchanged_parts(
        &self,
        draft: &mut Draft,
        input: &mut Scanner<'_>,
    ) -> Result<(), Fault> {
        let spot = input.spot();
        let ([first, second], behind) = (draft.parts, self.form.fields().len());
        let rows = first.rows.saturating_add(second.rows);
        if first.widths == second.widths || rows > ROWS_MAX || !input.go_back(draft.begins) {
            return Ok(());
        }
        let mut ahead = Ahead::new(input.lines_ahead()?);
        let (form, end) = (&*self.form, behind + rows as usize);
        let is_exchanged = (0..rows).all(|row| {
            let (part, row_of_part) =
                row.checked_sub(second.rows).map_or((&second, row), |row| (&first, row));
            ahead.is_row(&*self.form, behind + row as usize, part, row_of_part)
        });
        if let Some(line) = ahead.line(behind).filter(|_| is_exchanged).map(|line| line.line)
            && self.is_over(&mut ahead, end)
        {
            let to = ahead.line(behind + second.rows as usize - 1).map_or(line.number, |row| row.line.number);
            draft.end = Some(end);
            let what = FormMistake::PlayersEarly { from: line.number, to };
            return Err(Problem::new(line.place(), what).into());
        }
        // As many lines as there should be were meant as rows, even if their lengths even out.
        let is_odd = |&row: &u64, ahead: &mut Ahead<'_>| {
            let (part, row_of_part) = Part::of_row(&draft.parts, row).unwrap_or((0, row));
            !ahead.is_row(form, behind + row as usize, &draft.parts[part], row_of_part)
        };
        if ahead.line(end - 1).is_some_and(|line| line.line.number == spot.line())
            && let Some(odd) = (0..rows).find(|row| is_odd(row, &mut ahead))
            && let Some((part, row)) = Part::of_row(&draft.parts, odd)
            && let Some(expected) = draft.parts[part].width(row)
            && let Some(line) = ahead.line(behind + odd as usize).map(|line| line.line)
        {
            draft.end = Some(end);
            let (numbers, number) = (line.count(), line.number);
            let what = FormMistake::RowLength { row: row + 1, line: number, numbers, expected };
            return Err(Problem::new(line.end(), what).into());
        }
        drop(ahead);
        input.go_back(spot);
        Ok(())
    }

    /// Returns the fault of a puzzle with too few numbers, which end at `place`.
    pub(super) fn missing(&self, draft: &Draft, (index, read): (usize, u128), place: Place) -> Fault {
        let before: u128 = draft.parts[..index].iter().map(Part::numbers).sum();
        let (header, expected) = self.described(draft);
        let what = FormMistake::NumbersMissing { numbers: before + read, header, expected };
        Problem::new(place, what).into()
    }

    /// Returns the first line of a puzzle, and how many numbers should follow its header.
    pub(super) fn described(&self, draft: &Draft) -> (String, u128) {
        let fields = self.form.fields()[0].len().min(draft.header.len());
        (spaced(&draft.header[..fields]), draft.parts.iter().map(Part::numbers).sum())
    }
}

/// Returns the square of the number with this index in a part.
fn at(part: usize, [wide, narrow]: [u64; 2], number: u128) -> At {
    let pair = u128::from(wide) + u128::from(narrow);
    let (pairs, left) = (number / pair.max(1), number % pair.max(1));
    let (row, column) =
        if left < wide.into() { (2 * pairs, left) } else { (2 * pairs + 1, left - u128::from(wide)) };
    At { part, row: row as u64, column: column as u64 }
}
