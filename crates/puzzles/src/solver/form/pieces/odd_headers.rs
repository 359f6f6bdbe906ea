//! Puzzles whose first lines are wrong or missing.

use super::{CHANGED, Ends, File, MISSING, PLAYERS_MAX, part_of_pairs};
use crate::input::Line;
use crate::solver::Part;
use crate::solver::form::{AheadLine, Form, counts};

impl<F: Form> File<'_, '_, F> {
    /// Adds puzzles whose first two lines are wrong: the size, then the number of rows of the second part.
    pub(super) fn two_lines(&mut self, at: usize, second: u64, ends: &mut Ends) {
        let (first, next) = (self.numbers(at), self.numbers(at + 1));
        let behind = at + 2;
        // Another size, written with one number or two; or another number of players.
        if (1..=2).contains(&first) && next == second {
            let parts = self.shape(behind);
            self.add_ends_of(behind, parts, CHANGED + u32::from(first == 1), ends);
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
                self.add_ends(behind, [board, part_of_pairs(players)], CHANGED, ends);
            }
        }
        // The number of players before the size.
        if first == second && next == 2 {
            let ([players, ..], [rows, width, _]) = (self.values(at), self.values(at + 1));
            let board = Part { rows, widths: Some([width; 2]) };
            self.add_ends(behind, [board, part_of_pairs(players)], CHANGED, ends);
        }
        // No size.
        if first == second {
            let parts = self.shape(at + 1);
            self.add_ends_of(at + 1, parts, MISSING, ends);
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
