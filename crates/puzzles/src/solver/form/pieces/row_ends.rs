//! Where the rows of a puzzle can end, and the costs of their mistakes.

use std::ops::Range;

use super::{CHANGED, Ends, File, MISSING, ODD_ROW, SHARED, STRAY, WRAPPED, is_text};
use crate::input::{is_omission, is_page_or_time};
use crate::solver::Part;
use crate::solver::form::{Form, are_allowed};

impl<F: Form> File<'_, '_, F> {
    /// Adds where the rows of a puzzle can end that begin at a line.
    pub(super) fn add_ends(&mut self, at: usize, parts: Option<[Part; 2]>, base: u32, ends: &mut Ends) {
        let Some([board @ Part { widths: Some(widths), .. }, other]) = parts else { return };
        let form = self.form;
        let mut boards = self.row_ends(at, board, base, widths);
        match other.widths {
            _ if other.rows == 0 => ends.append(&mut boards),
            Some(pair) => {
                // The second part can stand before the first one.
                let early =
                    usize::try_from(other.rows).ok().filter(|&rows| rows < self.count.saturating_sub(at));
                if let Some(rows) = early.filter(|_| pair != widths)
                    && (at..at + rows).all(|row| self.numbers(row) == pair[0])
                {
                    ends.extend(self.row_ends(at + rows, board, base + CHANGED, widths));
                }
                let size = [board.rows, widths[0]];
                for (end, cost) in boards {
                    for (behind, cost) in self.row_ends(end, other, cost, pair) {
                        ends.push((behind, cost + self.cost_of_players(end..behind, size)));
                    }
                    // The number of these rows is written again after the board.
                    if self.is_alone(end) {
                        ends.extend(self.row_ends(end + 1, other, cost + CHANGED, pair));
                    }
                }
            }
            None => {
                let is_words =
                    |at, file: &mut Self| file.ahead.line(at).is_some_and(|line| form.is_words(line));
                let is_early = is_words(at, self);
                for (end, cost) in boards {
                    ends.push((end, cost + MISSING));
                    if is_words(end, self) {
                        let is_sure = self.ahead.line(end).is_some_and(|line| form.ends_puzzle(line));
                        ends.push((end + 1, cost + if is_sure { 0 } else { CHANGED }));
                        let more = (end + 1..self.count)
                            .take_while(|&line| form.continues_words(&mut self.ahead, line));
                        ends.extend((1..).zip(more).map(|(lines, line)| (line + 1, cost + lines * WRAPPED)));
                    }
                }
                if is_early {
                    ends.extend(self.row_ends(at + 1, board, base + CHANGED, widths));
                }
            }
        }
    }

    /// Returns the cost of lines that are more likely headers than players: their two numbers are no square of the
    /// board, and a line with one number follows, or rows follow that fit them.
    pub(super) fn cost_of_players(&mut self, lines: Range<usize>, [rows, width]: [u64; 2]) -> u32 {
        let is_header = |at: usize, file: &mut Self| {
            let is_outside = file.ahead.line(at).is_some_and(|line| {
                line.is_clean && line.count == 2 && (line.numbers[0] >= rows || line.numbers[1] >= width)
            });
            let [rows, width, _] = file.values(at);
            let is_board = width != 2
                && rows > 1
                && (1..=rows.min(3) as usize)
                    .all(|row| file.is_row(at + row, width) && file.is_clean(at + row));
            is_board || file.is_alone(at + 1) && (is_outside || file.ahead.surely_begins(file.form, at))
        };
        let headers = lines.filter(|&at| is_header(at, self)).count() as u32;
        headers * CHANGED
    }

    /// Returns where the rows of a part can end that begin at a line: after as many lines as there should be, after one
    /// or two more or fewer, or after as many numbers.
    pub(super) fn row_ends(&mut self, at: usize, part: Part, base: u32, widths: [u64; 2]) -> Ends {
        let mut ends = Vec::new();
        if F::WRAPS {
            self.wrapped_rows(at, part.numbers(), base, &mut ends);
        }
        // All rows on one line, before the words.
        let form = self.form;
        let has_words = self.ahead.line(at + 1).is_some_and(|line| form.is_words(line));
        if !F::WRAPS && has_words && part.rows > 1 && u128::from(self.numbers(at)) == part.numbers() {
            ends.push((at + 1, base + ODD_ROW));
        }
        let left = self.count.saturating_sub(at);
        let Some(rows) = usize::try_from(part.rows).ok().filter(|&rows| rows <= left + 2) else {
            return ends;
        };
        // `...` stands for any number of rows.
        let is_omitted =
            |row: &usize| self.ahead.line(at + row).is_some_and(|line| is_omission(line.line.text));
        if let Some(omitted) = (0..rows.min(left)).find(is_omitted) {
            let mut others = omitted + 1..=rows.min(left);
            let end =
                others.find(|lines| at + lines == self.count || self.ahead.surely_begins(form, at + lines));
            ends.extend(end.map(|lines| (at + lines, base + CHANGED)));
        }
        for (lines, cost) in [
            (Some(rows), 0),
            (rows.checked_sub(1), CHANGED),
            (Some(rows + 1), CHANGED),
            (rows.checked_sub(2), CHANGED + ODD_ROW),
            (Some(rows + 2), CHANGED + ODD_ROW),
        ] {
            let Some(lines) = lines.filter(|&lines| (1..=left).contains(&lines)) else { continue };
            // A surplus row is as long as the others.
            if lines > rows && !widths.contains(&self.numbers(at + lines - 1)) {
                continue;
            }
            let mut odd = 0;
            for row in 0..lines {
                let numbers = self.numbers(at + row);
                let fits = if lines == rows { numbers == widths[row % 2] } else { widths.contains(&numbers) };
                let is_right = self.are_values(at + row) && self.runs(at + row) > 0;
                let text = self.ahead.line(at + row).map_or(&b""[..], |line| line.line.text);
                if is_omission(text) {
                    odd += ODD_ROW;
                    continue;
                }
                odd += if fits { u32::from(!is_right) } else { ODD_ROW + u32::from(!is_right) };
                // Words and sizes such as 8x8 are probably no rows.
                odd += if is_size(text) { MISSING } else { 0 };
                let is_words = self.is_text(at + row) && self.is_long(at + row);
                let is_other = self.ends_file(at + row) || is_words && self.runs(at + row) < widths[row % 2];
                odd += if is_other { MISSING } else { 0 };
            }
            // One line of words, or a page number, among rows is a stray line.
            let is_word = |row: &usize| {
                self.ahead.line(*row).is_some_and(|line| is_text(line) || is_page_or_time(line.line.text))
            };
            let (words, others): (Vec<_>, Vec<_>) = (at..at + lines).partition(is_word);
            let are_rows = others.iter().all(|&row| widths.contains(&self.numbers(row)));
            let is_title = words.len() == 1 && lines == rows + 1 && are_rows;
            if is_title {
                ends.push((at + lines, base + STRAY));
                continue;
            }
            // Rows of one other length are one mistake.
            let width = self.numbers(at);
            if lines == rows && lines > 1 && (at..at + lines).all(|row| self.is_row(row, width)) {
                odd = odd.min(CHANGED);
            }
            // Short rows below a right header are one mistake, too: somebody wrote spaces for empty squares.
            let is_short = |row: usize, file: &mut Self| file.numbers(at + row) < widths[row % 2];
            let has_gap = |at| self.ahead.line(at).is_some_and(|line| line.line.has_gap());
            let has_gaps = (at..at + lines).any(has_gap);
            if base == 0
                && has_gaps
                && lines == rows
                && lines > 1
                && (0..lines).all(|row| is_short(row, self))
            {
                odd = odd.min(MISSING);
            }
            // One number after rows of two lengths in turn is more likely a row than a stray line.
            let is_surplus =
                lines == rows + 1 && odd == 0 && self.is_alone(at + rows) && widths[0] != widths[1];
            let cost = if is_surplus { STRAY } else { cost };
            if odd < ODD_ROW * lines as u32 || lines == 1 {
                ends.push((at + lines, base + cost + odd));
            }
        }
        ends
    }

    /// Adds a puzzle whose rows go on behind the header on its line.
    pub(super) fn wrapped(&mut self, at: usize, ends: &mut Ends) {
        // A row below its size, alone on a line, is no header.
        let first = self.numbers(at);
        if F::IS_SQUARE && at > 0 && self.is_alone(at - 1) && self.values(at - 1)[0] == first {
            return;
        }
        let fields: usize = self.form.fields().iter().map(Vec::len).sum();
        let (numbers, header) = (u128::from(self.numbers(at)), self.values(at));
        let header = &header[..fields];
        if !are_allowed(self.form.fields().iter().flatten(), header) {
            return;
        }
        let parts = self.form.parts(header);
        let total = parts.iter().map(Part::numbers).fold(fields as u128, u128::saturating_add);
        if let Some(end) = self.behind_numbers(at, total) {
            // A line like the row before it is more likely a row, too.
            let is_row = at > 0 && u128::from(self.numbers(at - 1)) == numbers;
            ends.push((end, if is_row { MISSING } else { SHARED }));
        } else if numbers.abs_diff(total) == 1 && numbers > 4 {
            // A surplus row is more likely.
            ends.push((at + 1, CHANGED + 1));
        }
    }

    /// Adds where rows can end that are not one line each: after as many numbers, or nearly as many.
    pub(super) fn wrapped_rows(&mut self, at: usize, numbers: u128, base: u32, ends: &mut Ends) {
        let (form, slack) = (self.form, (numbers / 10).max(1));
        let (mut read, mut end, mut are_values) = (0, at, true);
        // The last line can end the file instead.
        let last = self.count.checked_sub(1).filter(|&last| self.form.is_end(&mut self.ahead, last, true));
        let count = last.unwrap_or(self.count);
        while read + slack < numbers && end < count {
            // Words end a board.
            if self.is_text(end) && self.is_long(end) {
                return;
            }
            read += u128::from(self.numbers(end));
            are_values &= self.are_values(end);
            end += 1;
        }
        while end > at && end <= count && numbers.abs_diff(read) <= slack {
            let is_title = self.is_text(end) && self.is_long(end);
            if read == numbers {
                // Whole puzzles within this one are more likely the next ones.
                let has_others = (at + 1..end).any(|line| self.ahead.surely_begins(form, line));
                let cost = if has_others { CHANGED + 1 } else { WRAPPED };
                ends.push((end, base + cost + u32::from(!are_values)));
            } else if are_values && self.are_alike(at..end) {
                ends.push((end, base + MISSING + ODD_ROW + 1));
            }
            if is_title {
                return;
            }
            read += u128::from(self.numbers(end).max(1));
            are_values &= end >= self.count || self.are_values(end);
            end += 1;
        }
    }

    /// Returns whether all lines except the last, and at most two others, have as many numbers as the first.
    pub(super) fn are_alike(&mut self, lines: Range<usize>) -> bool {
        let (first, last) = (self.numbers(lines.start), lines.end.saturating_sub(1));
        (lines.start..last).filter(|&line| self.numbers(line) != first).count() < 3
    }

    /// Returns the line after this many numbers, if they end at the end of a line.
    pub(super) fn behind_numbers(&mut self, at: usize, numbers: u128) -> Option<usize> {
        let end = self.ahead.behind_tokens(at, numbers)?;
        (at..end).all(|line| self.is_clean(line)).then_some(end)
    }
}

/// Returns whether a line is a size with a mark between its two numbers.
fn is_size(line: &[u8]) -> bool {
    let text = String::from_utf8_lossy(line);
    let is_number =
        |text: &str| !text.trim().is_empty() && text.trim().bytes().all(|byte| byte.is_ascii_digit());
    text.split_once(['x', 'X', '×']).is_some_and(|(rows, columns)| is_number(rows) && is_number(columns))
}
