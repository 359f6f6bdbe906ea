//! Decides where the next puzzle begins: whether lines are rows, and what follows the last one.

use super::{Draft, Fault, FormReader, spaced};
use crate::input::{Glance, Next, Scanner};
use crate::solver::Part;
use crate::solver::form::{Ahead, AheadLine, Form, FormWarning, are_allowed, counts};

impl<F: Form> FormReader<F> {
    /// Returns whether the next puzzle, or the end of the file, begins on the current line, where a row should stand.
    ///
    /// Rows can be wrapped, so lines prove nothing while the count of tokens shows that the puzzle is whole.
    pub(super) fn next_begins(
        &self,
        draft: &mut Draft,
        (index, row): (usize, u64),
        (read, glance): (u128, Option<Glance>),
        input: &mut Scanner<'_>,
    ) -> Result<bool, Fault> {
        let form = &*self.form;
        let is_other =
            |glance: Glance| !self.may_begin(&glance) && (glance.count, glance.numbers) != (2, [0; 2]);
        if draft.is_whole || !draft.in_lines || glance.is_some_and(is_other) {
            return Ok(false);
        }
        let before: u64 = draft.parts[..index].iter().map(|part| part.rows).sum();
        let numbers: u128 = draft.parts[index..].iter().map(Part::numbers).sum();
        let mut ahead = Ahead::rough(input.lines_ahead()?);
        if form.is_end(&mut ahead, 0, false) {
            return Ok(true);
        }
        let is_other = |line: &AheadLine<'_>| {
            let fields = &form.fields()[0];
            let is_header = counts(fields).contains(&line.count)
                && are_allowed(fields, &line.numbers[..line.count as usize]);
            line.is_clean && !is_header
        };
        if ahead.line(0).is_some_and(is_other) {
            return Ok(false);
        }
        let row = draft.fits.then_some(before + row);
        let is_like = ahead.surely_begins(form, 0) || form.resumes(&mut ahead, 0, false);
        if !is_like || self.is_row(draft, row, 0, &mut ahead) {
            return Ok(false);
        }
        // A line that cannot be a row holds none of the missing numbers.
        let may_be_row = ahead.line(0).is_none_or(|line| self.holds_values(draft, index, line));
        let behind = ahead.behind_tokens(0, numbers - read).filter(|_| F::WRAPS && may_be_row);
        draft.is_whole = behind.is_some_and(|at| {
            // If rows are as long as headers, the next header need not be in range.
            let width = draft.parts[index].widths.map_or(0, |[width, _]| width);
            let may_be = draft.fits && counts(&form.fields()[0]).contains(&width);
            let is_next = if may_be { ahead.header(form, at).is_some() } else { ahead.begins(form, at) };
            is_next
                || ahead.line(at).is_some_and(|line| draft.fits && !line.is_clean)
                || ahead.line(at).is_none()
                || form.is_end(&mut ahead, at, true)
        });
        Ok(!draft.is_whole)
    }

    /// Returns whether a line that looks like the beginning of a puzzle is a row after all. It must be as long as row
    /// `row`, counted over all parts, and no whole puzzle begins with it. In addition, all its numbers can stand in
    /// that row, or the other rows follow it.
    pub(super) fn is_row(&self, draft: &Draft, row: Option<u64>, at: usize, ahead: &mut Ahead<'_>) -> bool {
        let form = &*self.form;
        let Some((row, (index, of_part))) = row.and_then(|row| Some((row, Part::of_row(&draft.parts, row)?)))
        else {
            return false;
        };
        if !ahead.is_row(form, at, &draft.parts[index], of_part) || ahead.is_puzzle(form, at) {
            return false;
        }
        let are_values = ahead.line(at).is_some_and(|line| self.holds_values(draft, index, line));
        are_values || ahead.rows_follow(form, at, &draft.parts, row)
    }

    /// Returns whether the first numbers of a line can stand in a row of a part.
    pub(super) fn holds_values(&self, draft: &Draft, part: usize, line: &AheadLine<'_>) -> bool {
        let mut numbers = line.numbers.iter().take(line.count as usize).enumerate();
        numbers.all(|(column, &value)| self.form.is_value(&draft.header, part, column, value))
    }

    /// Returns whether a line surely does not belong to the current puzzle.
    pub(super) fn is_over(&self, ahead: &mut Ahead<'_>, at: usize) -> bool {
        let form = &*self.form;
        ahead.line(at).is_none()
            || ahead.begins(form, at)
            || form.is_end(ahead, at, true)
            || ahead.is_odd_header(form, at)
            || form.resumes(ahead, at, true)
    }

    /// Checks what follows the last number. Fails if it belongs to this puzzle, which then has too many numbers.
    pub(super) fn check_surplus(&self, draft: &Draft, input: &mut Scanner<'_>) -> Result<(), Fault> {
        let form = &*self.form;
        let Some(last) = draft.parts.iter().rposition(|part| part.rows > 0) else { return Ok(()) };
        let (part, is_first) = (draft.parts[last], last == 0);
        match input.advance()? {
            Next::End => return Ok(()),
            Next::SameLine if F::ENDS_WITHIN_LINES && self.puzzle_follows(draft, input)? => {
                input.warn(input.place(), FormWarning::WithinLine);
                return Ok(());
            }
            Next::SameLine => return Err(Fault::Surplus(input.place())),
            Next::NewLine => {}
        }
        let width = part.width(part.rows);
        if self.is_next(width, input) {
            return Ok(());
        }
        let place = input.place();
        let mut ahead = Ahead::new(input.lines_ahead()?);
        if form.is_end(&mut ahead, 0, true) {
            return Ok(());
        }
        // A line that is longer than a header is a row, even if some of its tokens are not numbers.
        let is_long = width.is_some_and(|width| width > *counts(&form.fields()[0]).end());
        let is_row = |line: &AheadLine<'_>| {
            let is_of_numbers =
                if line.is_clean { self.holds_values(draft, last, line) } else { is_long && !line.is_text() };
            is_of_numbers && width == Some(line.count)
        };
        // Surplus rows end at the next puzzle or at the end of the file.
        let mut rows = 0;
        while draft.fits && ahead.line(rows).is_some_and(is_row) && ahead.header(form, rows).is_none() {
            rows += 1;
        }
        let is_as_long =
            |line: &AheadLine<'_>| part.widths.is_some_and(|widths| widths.contains(&line.count));
        // Consecutive rows of another length are more likely a board without a header.
        let is_other = draft.fits
            && ahead.line(0).is_some_and(|line| !is_as_long(line))
            && ahead.line(1).is_some_and(|line| form.is_surely_row(line));
        let is_surplus = is_first && !is_other && ahead.line(0).is_some_and(|line| form.is_surely_row(line))
            || rows > 0 && draft.in_lines && ahead.may_follow(form, rows);
        drop(ahead);
        if is_surplus && !self.puzzle_follows(draft, input)? { Err(Fault::Surplus(place)) } else { Ok(()) }
    }

    /// Returns whether the unread tokens begin another puzzle. If the current header has lines of its own, the other
    /// puzzle must end at the end of a line.
    pub(super) fn puzzle_follows(&self, draft: &Draft, input: &mut Scanner<'_>) -> Result<bool, Fault> {
        let form = &*self.form;
        let fields = || form.fields().iter().flatten();
        let numbers = input.numbers_ahead(fields().count())?;
        let Some(header) = numbers.filter(|header| are_allowed(fields(), header)) else { return Ok(false) };
        if !draft.in_lines {
            return Ok(true);
        }
        let numbers: u128 = form.parts(&header).iter().map(Part::numbers).sum();
        let mut ahead = Ahead::new(input.lines_ahead()?);
        Ok(ahead.behind_tokens(0, numbers.saturating_add(header.len() as u128)).is_some())
    }

    /// Returns a warning, and whether it stands in the result: the lines of the first part contradict their header and
    /// would fit another one, or one of them is too short or too long.
    pub(super) fn other_header(
        &self,
        draft: &Draft,
        board: &F::Board,
        numbers: u128,
    ) -> Option<(FormWarning, bool)> {
        let form = &*self.form;
        let Some((lines, [width, narrow])) = draft.lengths.even(numbers) else {
            let (place, [numbers, expected]) = draft.lengths.odd_line(numbers)?;
            return Some((FormWarning::OddLine { line: place.line, numbers, expected }, true));
        };
        let fits = |header: &Vec<u64>| {
            let part = form.parts(header)[0];
            are_allowed(form.fields().iter().flatten(), header)
                && form.check(header).is_ok()
                && (part.rows, part.widths) == (lines, Some([width, narrow]))
                && form.fits(board, header)
        };
        let fitting = form.headers(&draft.header, lines, [width, narrow]).into_iter().find(fits)?;
        let fields = form.fields()[0].len();
        let (header, fitting) = (spaced(&draft.header[..fields]), spaced(&fitting[..fields]));
        let line = draft.place.line;
        if width != narrow {
            let warning = FormWarning::OtherHeaderInTurn { lines, width, narrow, header, fitting, line };
            return Some((warning, true));
        }
        // Lines that each hold several whole rows may be meant, as in the published case 20 10, unless other lines follow
        // them.
        let may_be_meant = draft.parts[0].rows.is_multiple_of(lines) && draft.parts[1].rows == 0;
        Some((FormWarning::OtherHeader { lines, width, header, fitting, line }, !may_be_meant))
    }
}
