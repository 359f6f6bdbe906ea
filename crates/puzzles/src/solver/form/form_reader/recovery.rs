//! Finds the end of a wrong puzzle.

use std::io;

use super::{Draft, Fault, FormReader, ROWS_MAX};
use crate::input::{Next, Scanner};
use crate::solver::form::{Ahead, AheadLine, Form, FormMistake};
use crate::solver::{Part, Problem, RowLengths};

/// The most rows of a wrong puzzle that are examined although the first ones do not fit.
const LONG_ROWS: u64 = 64;

impl<F: Form> FormReader<F> {
    /// Turns the fault into the problem of the puzzle, and moves the input to the next puzzle.
    #[cold]
    pub(super) fn recover(
        &self,
        fault: Fault,
        draft: &Draft,
        input: &mut Scanner<'_>,
    ) -> io::Result<Problem> {
        if let Fault::Io(error) = fault {
            return Err(error);
        }
        let place = match &fault {
            Fault::Invalid(problem) => problem.place,
            _ => input.place(),
        };
        // No puzzle begins on the line of the mistake if part of that line was read.
        let is_read = input.place() != place;
        let from = place.line + u64::from(is_read);
        let (mut counts, mut examined) = (Vec::new(), None);
        // The reader may have left the line of the mistake.
        let is_on_line = is_read && input.place().line == place.line;
        let is_at_hand = input.go_back(draft.begins);
        let mut is_found = is_at_hand;
        if is_at_hand {
            let mut ahead = Ahead::rough(input.lines_ahead()?);
            let stray = self.stray_lines(draft, &mut ahead);
            let mut end = draft.end;
            if let Some((behind, problem)) = self.early_words(&mut ahead) {
                (examined, end) = (Some(problem), Some(behind));
            } else if stray > 0 {
                let what = FormMistake::stray_line(draft.place.line);
                examined = Some(Problem::new(draft.place, what).recognised_if(false));
            }
            let end = end.or_else(|| self.puzzle_end(draft, (stray, from), &mut ahead));
            is_found = end.is_some();
            let lines = (0..end.unwrap_or(usize::MAX)).map_while(|at| ahead.line(at).map(|line| line.count));
            counts = lines.collect();
        }
        // Also skip the rest of a line that is too long for the window.
        for _ in 0..counts.len().max(usize::from(is_at_hand || is_on_line)) {
            input.advance()?;
            input.skip_line()?;
        }
        if !is_found {
            self.skip_to_header(input)?;
        }
        input.advance()?;
        let rows = counts.get(self.form.fields().len()..).unwrap_or_default();
        if let Some(problem) = examined {
            return Ok(problem);
        }
        if draft.in_lines
            && draft.parts[0].rows > 0
            && let Some(what) = self.form.explain(&draft.header, rows)
        {
            return Ok(Problem::new(draft.place, what));
        }
        if !is_at_hand && let Some((row, place, [numbers, expected])) = draft.lengths.first_odd() {
            let what = FormMistake::RowLength { row, line: place.line, numbers, expected };
            return Ok(Problem::new(place, what));
        }
        match fault {
            Fault::Io(error) => Err(error),
            Fault::Invalid(problem) => Ok(*problem),
            Fault::Surplus(place) => {
                let numbers = counts.iter().map(|&count| u128::from(count)).sum::<u128>();
                let numbers = numbers.saturating_sub(draft.header.len() as u128);
                let (header, expected) = self.described(draft);
                Ok(Problem::new(place, FormMistake::NumbersSurplus { numbers, header, expected }))
            }
        }
    }

    /// Returns the first line after a wrong puzzle. That is the line after as many rows or numbers as its header says,
    /// if the next puzzle or the end follows there. Otherwise it is the next line, from line `from` of the file on,
    /// that looks like the beginning of a puzzle. Returns `None` if no line in sight is one of these. `stray` is the
    /// number of lines that belong to no puzzle.
    pub(super) fn puzzle_end(
        &self,
        draft: &Draft,
        (stray, from): (usize, u64),
        ahead: &mut Ahead<'_>,
    ) -> Option<usize> {
        let form = &*self.form;
        let behind = form.fields().len();
        let header = ahead.header(form, 0).filter(|_| draft.begins_line && stray == 0);
        let parts = header.map_or([Part::NONE; 2], |header| form.parts(&header));
        let header = header.unwrap_or_default();
        let like = Draft { parts, header, lengths: RowLengths::default(), uneven: None, ..*draft };
        let rows = parts.iter().fold(0_u64, |rows, part| rows.saturating_add(part.rows));
        let numbers = parts.iter().map(Part::numbers).fold(header.len() as u128, u128::saturating_add);
        if !header.is_empty() && rows == 0 {
            return Some(behind);
        }
        let is_valid = ahead.valid_header(form, 0).is_some();
        let row_at = |at: usize| at.checked_sub(behind).map(|row| row as u64);
        // If neither of the first two rows of a long puzzle fits, its header is probably wrong.
        let mut first = |row: u64| ahead.line(behind + row as usize).map(|line| line.count);
        let widths = parts[0].widths.unwrap_or_default();
        let is_like = rows <= LONG_ROWS
            || [0, 1].map(&mut first).into_iter().flatten().any(|width| widths.contains(&width));
        let whole = (1..=ROWS_MAX).contains(&rows).then(|| behind + rows as usize).filter(|_| is_like);
        let wrapped = if F::WRAPS && is_like && rows > 0 { ahead.behind_tokens(0, numbers) } else { None };
        if let Some(end) = wrapped.filter(|_| draft.is_uneven) {
            return Some(end);
        }
        // A header that cannot be a row begins the next puzzle.
        let is_other_header = |at: usize, ahead: &mut Ahead<'_>| {
            ahead.surely_begins(form, at)
                && ahead.line(at).is_some_and(|line| !self.holds_values(&like, 0, line))
        };
        let board_end = behind + usize::try_from(parts[0].rows.min(ROWS_MAX)).unwrap_or(0);
        let is_whole = is_valid && !(behind + 1..board_end).any(|at| is_other_header(at, ahead));
        // Rows of the right length leave no doubt, unless another such row or another part follows.
        if let Some(end) = whole.filter(|_| is_whole) {
            let last = ahead.line(end - 1).map(|line| line.count);
            let is_other = parts[1].rows == 0 && ahead.line(end).map(|line| line.count) != last;
            let are_rows =
                is_other && (0..rows).all(|row| ahead.is_row(form, behind + row as usize, &parts[0], row));
            if are_rows || ahead.rows_follow(form, behind, &parts, 0) {
                let is_surplus =
                    |line: &AheadLine<'_>| widths.contains(&line.count) && form.is_surely_row(line);
                let mut surplus = end..usize::MAX;
                return surplus
                    .find(|&at| form.is_end(ahead, at, true) || !ahead.line(at).is_some_and(is_surplus));
            }
        }
        for end in [whole, wrapped].into_iter().flatten() {
            let is_begun = |at: usize, ahead: &mut Ahead<'_>| {
                form.is_end(ahead, at, false)
                    || ahead.surely_begins(form, at) && !self.is_row(&like, row_at(at), at, ahead)
            };
            let more = (end..usize::MAX).take_while(|&at| form.continues_words(ahead, at)).count();
            // The words end a puzzle.
            let has_words = (behind..end.saturating_sub(1))
                .any(|at| ahead.line(at).is_some_and(|line| !line.is_clean && form.ends_puzzle(line)));
            if ahead.line(end - 1).is_some()
                && (more > 0 || self.is_over(ahead, end))
                && !has_words
                && !(1..end).any(|at| is_begun(at, ahead))
            {
                return Some(end + more);
            }
        }
        let mut at = stray.max(1);
        while let Some(number) = ahead.line(at).map(|line| line.line.number) {
            let is_behind =
                at.max(stray + 1) > 1 && ahead.line(at - 1).is_some_and(|line| form.ends_puzzle(line));
            let is_like = ahead.begins(form, at)
                || ahead.is_odd_header(form, at)
                || form.resumes(ahead, at, true) && number >= from;
            let is_row =
                |ahead: &mut Ahead<'_>| self.is_row(&like, row_at(at).filter(|_| is_valid), at, ahead);
            if is_behind || form.is_end(ahead, at, false) || is_like && !is_row(ahead) {
                return Some(at);
            }
            at += 1;
        }
        None
    }

    /// Finds a line of words before the rows or the header. Returns the line after the puzzle, and the problem.
    pub(super) fn early_words(&self, ahead: &mut Ahead<'_>) -> Option<(usize, Problem)> {
        let form = &*self.form;
        let fields = form.fields().len();
        let is_words = |at: usize, ahead: &mut Ahead<'_>| {
            ahead.line(at).is_some_and(|line| !line.is_clean && form.ends_puzzle(line))
        };
        let at = if is_words(0, ahead) { 0 } else { fields };
        let header = usize::from(at == 0);
        let [part, _] = form.parts(&ahead.valid_header(form, header)?);
        let rows = usize::try_from(part.rows).ok().filter(|rows| *rows as u64 <= ROWS_MAX)?;
        let end = fields + 1 + rows;
        let are_rows = is_words(at, ahead)
            && (0..rows).all(|row| ahead.is_row(form, fields + 1 + row, &part, row as u64))
            && !is_words(end, ahead);
        let line = ahead.line(at).filter(|_| are_rows)?.line;
        let behind = ahead.line(end - 1).map_or(line.number, |row| row.line.number);
        Some((end, Problem::new(line.place(), form.words_early(&line, behind))))
    }

    /// Returns how many lines before the next puzzle belong to no puzzle.
    pub(super) fn stray_lines(&self, draft: &Draft, ahead: &mut Ahead<'_>) -> usize {
        let form = &*self.form;
        let mut is_stray = |at: usize| {
            let is_begun = ahead.begins(form, at) || form.is_end(ahead, at, true);
            let is_next = ahead.surely_begins(form, at + 1);
            let is_text = ahead
                .line(at)
                .is_some_and(|line| !line.is_clean && (line.is_text() || is_next && line.count < 2));
            is_text && !is_begun
        };
        let is_first = draft.begins_line && draft.header.is_empty();
        let count = if is_first { (0..ROWS_MAX as usize).take_while(|&at| is_stray(at)).count() } else { 0 };
        // A single line that no puzzle follows is more likely a wrong header.
        if count == 1 && !self.is_over(ahead, 1) { 0 } else { count }
    }

    /// Skips lines up to the next one that looks like the beginning of a puzzle.
    ///
    /// # Errors
    /// Fails if reading fails.
    pub fn skip_to_header(&self, input: &mut Scanner<'_>) -> io::Result<()> {
        let form = &*self.form;
        while input.advance()? != Next::End {
            let (passed, is_found) = {
                let mut ahead = Ahead::rough(input.lines_ahead()?);
                let mut passed = 0;
                loop {
                    let Some(line) = ahead.line(passed) else { break (passed, false) };
                    if form.ends_puzzle(line) {
                        break (passed + 1, true);
                    }
                    let is_next = ahead.begins(form, passed) || form.resumes(&mut ahead, passed, true);
                    if is_next || form.is_end(&mut ahead, passed, false) {
                        break (passed, true);
                    }
                    passed += 1;
                }
            };
            for _ in 0..passed.max(usize::from(!is_found)) {
                input.advance()?;
                input.skip_line()?;
            }
            if is_found {
                break;
            }
        }
        Ok(())
    }
}
