//! Puzzles whose first lines are wrong or missing.

use super::{CHANGED, Ends, File, LONG_ROW, MISSING, ODD_ROW, PLAYERS_MAX, STRAY, has_digits, part_of_pairs};
use crate::input::Line;
use crate::solver::Part;
use crate::solver::form::{AheadLine, Form, are_allowed, counts};

impl<F: Form> File<'_, '_, F> {
    /// Adds puzzles whose first line is wrong or missing, if the header is one line.
    pub(super) fn one_line(&mut self, at: usize, ends: &mut Ends) {
        let (form, fields) = (self.form, self.form.fields());
        let (first, is_clean) = (self.numbers(at), self.is_clean(at));
        // The size is another one, or missing.
        let is_odd = !counts(&fields[0]).contains(&first);
        if (1..=4).contains(&first) {
            let parts = self.shape(at + 1);
            // A line that can be the row before the others is more likely that row.
            let widths = parts.and_then(|[board, _]| board.widths);
            let is_row = widths.is_some_and(|[_, width]| self.is_row(at, width));
            let header = self.ahead.valid_header(form, at);
            // Many more rows than the header says are more likely two boards, the second without a header.
            let is_double = header.zip(parts).is_some_and(|(header, [board, _])| {
                let [said, _] = form.parts(&header);
                let is_twice = said.widths == board.widths && said.rows + 2 < board.rows;
                is_twice && !self.is_one_board(at, board)
            });
            // A header with one number too many names the size all the same.
            let size = widths.map_or(0, |[width, _]| width);
            // A line as long as the rows is one of them.
            let is_near = first <= fields[0].len() as u64 + 1 || first != size;
            let is_size = F::IS_SQUARE && is_near && self.values(at)[..2].contains(&size);
            let is_row = is_row && header.is_none() && !is_size;
            let row_cost = if is_double || is_row { STRAY } else { 0 };
            // Words more likely belong to the puzzle before, whose words are wrong.
            let is_wordy = self.ahead.line(at).is_some_and(|line| form.is_words(line) && !has_digits(line));
            // A line whose first number is the count of the rows below it is more likely a header.
            let is_named = is_near && parts.is_some_and(|[board, _]| board.rows == self.values(at)[0]);
            let cost = CHANGED + u32::from(is_odd && !is_named) + u32::from(is_wordy) + row_cost;
            self.add_ends(at + 1, parts, cost, ends);
        }
        // A number too many stands behind the header, or only the size of a square board is there.
        let (count, mut header) = (fields[0].len() as u64, self.values(at));
        if first == 1 && F::IS_SQUARE {
            for (number, field) in header.iter_mut().zip(&fields[0]).skip(1) {
                *number = field.range[0];
            }
        }
        let has_row = first == 1 && F::IS_SQUARE && is_odd && self.numbers(at + 1) == header[0];
        let is_near = first == count + 1 || has_row;
        let header = header.get(..fields[0].len()).filter(|_| is_clean && is_near);
        if let Some(header) = header.filter(|header| are_allowed(&fields[0], header)) {
            self.add_ends(at + 1, Some(form.parts(header)), CHANGED + 1, ends);
        }
        // The numbers are exchanged.
        if is_clean && first == 2 && fields[0].len() == 2 && !fields[0][1].is_optional {
            let [one, two, _] = self.values(at);
            let are_allowed = fields[0][0].allows(two) && fields[0][1].allows(one) && one != two;
            self.add_ends(at + 1, are_allowed.then(|| form.parts(&[two, one])), CHANGED, ends);
        }
        // The first number names the rows, though one of them does not fit.
        let rows = self.values(at)[0];
        let widths = [self.numbers(at + 1), self.numbers(at + 2)];
        if is_odd && is_clean && !F::IS_SQUARE && rows > 1 && widths[0].wrapping_sub(widths[1]) < 2 {
            let board = Part { rows, widths: Some(widths) };
            self.add_ends(at + 1, Some([board, Part::NONE]), CHANGED + 1, ends);
        }
        // The header counts only the numbers of a row, or the rows have all squares.
        let [rows, width, _] = self.values(at);
        let end = usize::try_from(rows).ok().and_then(|rows| rows.checked_add(at + 1));
        if let Some(end) = end.filter(|&end| is_clean && first == 2 && rows > 2 && end <= self.count)
            && (at + 1..end).all(|row| self.numbers(row) == width && self.is_clean(row))
        {
            ends.push((end, CHANGED));
        }
        let parts = self.shape(at);
        self.add_ends(at, parts, MISSING, ends);
        // The header stands after the first row.
        if let Some(header) = self.ahead.valid_header(form, at + 1)
            && let [Part { rows: rows @ 2.., widths: Some([width, next]) }, other] = form.parts(&header)
            && self.is_row(at, width)
        {
            let board = Part { rows: rows - 1, widths: Some([next, width]) };
            self.add_ends(at + 2, Some([board, other]), CHANGED, ends);
        }
        // A board on one line, without a header.
        if F::WRAPS && !F::IS_SQUARE && is_clean && first > LONG_ROW && self.is_row(at, first) {
            ends.push((at + 1, MISSING + ODD_ROW));
        }
        if matches!(&fields[0][..], [_, second] if !second.is_optional)
            && self.is_alone(at)
            && self.is_alone(at + 1)
        {
            let parts = self.shape(at + 2);
            self.add_ends(at + 2, parts, CHANGED, ends);
        }
    }

    /// Adds puzzles whose first two lines are wrong: the size, then the number of rows of the second part.
    pub(super) fn two_lines(&mut self, at: usize, second: u64, ends: &mut Ends) {
        let (first, next) = (self.numbers(at), self.numbers(at + 1));
        let behind = at + 2;
        // Another size, written with one number or two; or another number of players.
        if (1..=2).contains(&first) && next == second {
            let parts = self.shape(behind);
            self.add_ends(behind, parts, CHANGED + u32::from(first == 1), ends);
        }
        if first == 2 {
            let [rows, width, _] = self.values(at);
            let size = [rows, width];
            // The number of players is another one, or missing.
            if next <= 3 {
                self.counted(behind, size, CHANGED + u32::from(next != second), ends);
            }
            self.counted(at + 1, size, CHANGED, ends);
            // The number of players after the rows.
            let behind = at + 1 + usize::try_from(rows).unwrap_or(self.count).min(self.count);
            if self.is_alone(behind) && (at + 1..behind).all(|row| self.is_row(row, width)) {
                let [players, ..] = self.values(behind);
                ends.extend(self.row_ends(behind + 1, part_of_pairs(players), CHANGED, [2; 2]));
            }
            // Or after the players, which can stand before the rows.
            let end = (behind + 1..=behind + PLAYERS_MAX as usize).find(|&end| self.is_alone(end));
            if let Some(end) = end.filter(|&end| self.values(end)[0] == (end - behind) as u64) {
                let has_board = |from: usize, file: &mut Self| {
                    (from..from + behind - at - 1).all(|row| file.is_row(row, width))
                };
                let has_players =
                    |from: usize, file: &mut Self| (from..from + end - behind).all(|row| file.is_row(row, 2));
                if has_board(at + 1, self) && has_players(behind, self)
                    || has_players(at + 1, self) && has_board(at + 1 + end - behind, self)
                {
                    ends.push((end + 1, CHANGED));
                }
            }
        }
        // A number too many beside the size.
        if first == 3 && next == second {
            let ([one, two, three], [players, ..]) = (self.values(at), self.values(at + 1));
            for [rows, width] in [[one, two], [two, three], [one, three]] {
                let board = Part { rows, widths: Some([width; 2]) };
                self.add_ends(behind, Some([board, part_of_pairs(players)]), CHANGED, ends);
            }
        }
        // The number of players before the size.
        if first == second && next == 2 {
            let ([players, ..], [rows, width, _]) = (self.values(at), self.values(at + 1));
            let board = Part { rows, widths: Some([width; 2]) };
            self.add_ends(behind, Some([board, part_of_pairs(players)]), CHANGED, ends);
        }
        // No size.
        if first == second {
            let parts = self.shape(at + 1);
            self.add_ends(at + 1, parts, MISSING, ends);
        }
    }

    /// Adds where a game can end whose rows begin at a line: after each line below the rows that holds a square of the
    /// board.
    pub(super) fn counted(&mut self, at: usize, [rows, width]: [u64; 2], cost: u32, ends: &mut Ends) {
        let end = usize::try_from(rows).ok().and_then(|rows| at.checked_add(rows));
        let Some(end) = end.filter(|&end| end <= self.count) else { return };
        if (at..end).all(|row| self.numbers(row) == width) {
            let players = end..end + self.pairs(end).min(PLAYERS_MAX) as usize;
            let on_board = players.take_while(|&player| {
                self.ahead.line(player).is_some_and(|line| line.numbers[0] < rows && line.numbers[1] < width)
            });
            ends.extend(on_board.map(|player| (player + 1, cost)));
        }
    }

    /// Returns how many consecutive lines from a line on have two numbers and are no size.
    pub(super) fn pairs(&mut self, at: usize) -> u64 {
        let mut count = 0;
        while self.numbers(at + count) == 2 && self.numbers(at + count + 1) != 1 {
            count += 1;
        }
        count as u64
    }

    /// Returns the parts that the lines from a line on show: rows of one length, or of two lengths in turn.
    pub(super) fn shape(&mut self, at: usize) -> Option<[Part; 2]> {
        let mut widths = [self.numbers(at), self.numbers(at + 1)];
        let rows_max = if F::IS_SQUARE { widths[0] as usize } else { usize::MAX };
        let mut rows = 0;
        while rows < rows_max && self.is_row(at + rows, widths[rows % 2]) && !self.ends_file(at + rows) {
            rows += 1;
        }
        if rows == 1 {
            widths[1] = widths[0];
        }
        let form = self.form;
        let other = form.parts(&[1, 1, 1][..form.fields().iter().map(Vec::len).sum()])[1];
        let is_even = widths[0] == widths[1];
        let is_alternating = widths[0] == widths[1] + 1 && !F::IS_SQUARE && other.rows == 0;
        let is_board = if F::IS_SQUARE { rows == rows_max } else { rows > 1 };
        if !is_board || widths[0] == 0 || !is_even && !is_alternating {
            return None;
        }
        let other = match other.widths {
            Some(_) if widths[0] == 2 => return None,
            Some(_) => part_of_pairs(self.pairs(at + rows)),
            None => other,
        };
        Some([Part { rows: rows as u64, widths: Some(widths) }, other])
    }

    /// Returns the parts of a puzzle on whose header line the words stand that should follow the rows.
    pub(super) fn header_before_words(&mut self, at: usize) -> Option<[Part; 2]> {
        let line = self.ahead.line(at)?.line;
        let is_number = |byte: &u8| byte.is_ascii_digit() || *byte == b' ';
        let (numbers, words) =
            line.text.split_at(line.text.iter().take_while(|byte| is_number(byte)).count());
        let [header, words] = [numbers, words].map(|text| AheadLine::new(Line { text, ..line }));
        let fields = &self.form.fields()[0];
        let is_header = header.count > 0 && counts(fields).contains(&header.count);
        let is_early = is_header && !words.is_clean && self.form.ends_puzzle(&words);
        is_early.then(|| self.form.parts(&header.numbers[..header.count as usize]))
    }

    /// Returns whether rows below a header are one board although the header says fewer: only blank lines surround them,
    /// or another puzzle has the header that fits them.
    pub(super) fn is_one_board(&mut self, at: usize, board: Part) -> bool {
        let end = at + 1 + board.rows as usize;
        let number = |at: usize, file: &mut Self| file.ahead.line(at).map_or(0, |line| line.line.number);
        let [first, last, next] = [at, end - 1, end].map(|at| number(at, self));
        let is_block = last == first + board.rows && next > last + 1;
        let fitting = self.form.headers(&[], board.rows, board.widths.unwrap_or_default());
        let is_fitting = |line: &AheadLine<'_>| {
            fitting.iter().any(|fitting| {
                line.is_clean && line.count == fitting.len() as u64 && line.numbers.starts_with(fitting)
            })
        };
        is_block || (0..self.count).any(|line| self.ahead.line(line).is_some_and(is_fitting))
    }
}
