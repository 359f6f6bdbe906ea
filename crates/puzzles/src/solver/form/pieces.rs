//! Divides the lines of a file into puzzles so that as few mistakes as possible explain all of them.
//!
//! A missing header, a surplus row and a wrong size look alike where a reader stops. Only the lines after it show what
//! the writer meant. The division is the cheapest path over the lines: from each line, a puzzle leads to the line after
//! it, and each of its mistakes has a cost (error-correcting parsing: Aho and Peterson, 1972).

use std::ops::Range;

use super::{Ahead, AheadLine, FIELDS_MAX, Form, is_like_end_marker};
use crate::input::Line;
use crate::solver::Part;

/// The most lines of a file that is divided.
const LINES_MAX: usize = 2000;
/// More numbers on a line than a header has.
const LONG_ROW: u64 = 4;
/// The most players of a game without their number.
const PLAYERS_MAX: u64 = 64;
/// The costs of mistakes: the division whose costs have the smallest sum is taken.
const WRAPPED: u32 = 1;
const SHARED: u32 = 2;
const STRAY: u32 = 2;
const ODD_ROW: u32 = 2;
const CHANGED: u32 = 3;
const MISSING: u32 = 4;

/// Lines of a file that belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece {
    /// How many lines, without blank lines and comments.
    pub lines: usize,
    /// Whether they are a puzzle, right or wrong. Other lines belong to no puzzle.
    pub is_puzzle: bool,
}

/// How the cheapest path goes on from a line.
#[derive(Debug, Clone, Copy)]
struct Step {
    /// The cost of the path to the end.
    cost: u32,
    /// The next line.
    next: usize,
    is_puzzle: bool,
}

/// Returns the pieces of a file, up to a line that ends it; `None` if the file has too many lines, or no puzzle.
/// `is_counted` says that a line with the number of puzzles precedes them.
pub(super) fn pieces<F: Form>(form: &F, lines: &[Line<'_>], is_counted: bool) -> Option<Vec<Piece>> {
    let count = lines.len();
    if count > LINES_MAX {
        return None;
    }
    let mut file = File { form, ahead: Ahead::rough(lines.iter().copied()), count, has_markers: false };
    file.has_markers = file.count_markers() > 1;
    let mut steps = vec![Step { cost: 0, next: count, is_puzzle: false }; count + 1];
    for at in (0..count).rev() {
        let is_count = is_counted && (0..at).all(|at| file.is_text(at));
        let cost = if is_count { file.count_cost(at) } else { file.stray_cost(at) };
        let mut best = Step { cost: cost + steps[at + 1].cost, next: at + 1, is_puzzle: false };
        if form.is_end(&mut file.ahead, at, true) {
            let cost = if at + 1 == count { 0 } else { STRAY + (count - at).min(6) as u32 };
            // What only looks like an end marker does not end a file that goes on.
            if cost < best.cost || file.ahead.line(at).is_some_and(|line| line.is_clean) {
                best = Step { cost, next: at, is_puzzle: false };
            }
        }
        for (next, cost) in file.puzzles(at) {
            let cost = cost + steps[next].cost + if is_count { MISSING } else { 0 };
            if cost < best.cost {
                best = Step { cost, next, is_puzzle: true };
            }
        }
        steps[at] = best;
    }
    let (mut pieces, mut at) = (Vec::new(), 0);
    while at < count && steps[at].next > at {
        let Step { next, is_puzzle, .. } = steps[at];
        pieces.push(Piece { lines: next - at, is_puzzle });
        at = next;
    }
    pieces.iter().any(|piece| piece.is_puzzle).then_some(pieces)
}

struct File<'f, 't, F> {
    form: &'f F,
    ahead: Ahead<'t>,
    count: usize,
    /// End markers stand after several puzzles with players.
    has_markers: bool,
}

/// Where a puzzle can end, and the cost of its mistakes.
type Ends = Vec<(usize, u32)>;

impl<F: Form> File<'_, '_, F> {
    fn numbers(&mut self, at: usize) -> u64 {
        self.ahead.line(at).map_or(0, |line| line.count)
    }

    fn is_alone(&mut self, at: usize) -> bool {
        self.ahead.line(at).is_some_and(|line| line.is_clean && line.count == 1)
    }

    /// Returns how many lines `0 0` follow the last player of a puzzle.
    fn count_markers(&mut self) -> usize {
        let form = self.form;
        let mut count = 0;
        for at in 0..if form.fields().len() == 2 { self.count } else { 0 } {
            let Some(header) = self.ahead.valid_header(form, at) else { continue };
            let rows =
                form.parts(&header).iter().fold(at as u64 + 2, |rows, part| rows.saturating_add(part.rows));
            let Some(end) = usize::try_from(rows).ok().filter(|&end| end < self.count) else { continue };
            count += usize::from(
                self.ahead.line(end).is_some_and(|line| line.line.numbers() == Some([0, 0]))
                    && self.ahead.surely_begins(form, at)
                    && (end + 1 == self.count || self.ahead.surely_begins(form, end + 1)),
            );
        }
        count
    }

    /// Returns the cost of a line that belongs to no puzzle.
    fn stray_cost(&mut self, at: usize) -> u32 {
        let Some(line) = self.ahead.line(at) else { return 0 };
        let (count, is_words, has_digits, is_clean) =
            (line.count, is_text(line), has_digits(line), line.is_clean);
        let is_marker = is_like_end_marker(line.line.text) && !(is_clean && self.form.is_surely_row(line));
        let is_label = !is_clean && (count == 1 || line.is_prompt());
        let is_word = |token: &[u8]| token.iter().all(u8::is_ascii_alphabetic);
        let is_label = is_label
            || count == 2
                && line.line.tokens().next().is_some_and(|(_, token)| is_word(token))
                && self.ahead.surely_begins(self.form, at + 1);
        // Zeros below a row of the same length, written alike, are rather a row.
        let is_like = |line: &AheadLine<'_>| line.count == count && line.is_clean == is_clean;
        let is_row = (at + 1 < self.count || count > 2)
            && at > 0
            && self.ahead.line(at - 1).is_some_and(is_like)
            && !(self.has_markers && is_marker);
        if is_words || is_marker && !is_row || is_label {
            return STRAY;
        }
        if !has_digits {
            return CHANGED;
        }
        if count == 1 { CHANGED } else { 2 * CHANGED + count.min(10) as u32 }
    }

    /// Returns the cost of a line before the first puzzle as the number of puzzles.
    fn count_cost(&mut self, at: usize) -> u32 {
        if self.is_alone(at) { 0 } else { self.stray_cost(at).min(CHANGED) }
    }

    fn is_text(&mut self, at: usize) -> bool {
        self.ahead.line(at).is_some_and(is_text)
    }

    /// Returns how many runs of digits a line has.
    fn runs(&mut self, at: usize) -> u64 {
        let Some(line) = self.ahead.line(at) else { return 0 };
        let runs = line.line.text.split(|byte| !byte.is_ascii_digit());
        runs.filter(|digits| !digits.is_empty()).count() as u64
    }

    /// Returns whether a line has more than one or two letters.
    fn is_long(&mut self, at: usize) -> bool {
        self.ahead.line(at).is_some_and(|line| line.line.text.trim_ascii().len() > 2)
    }

    /// Returns where a puzzle that begins at a line can end.
    fn puzzles(&mut self, at: usize) -> Ends {
        let (form, fields) = (self.form, self.form.fields());
        let behind = at + fields.len();
        let mut ends = Vec::new();
        let is_clean = self.ahead.line(at).is_some_and(|line| line.is_clean);
        if let Some(header) = self.ahead.header(form, at) {
            let is_valid = self.ahead.valid_header(form, at).is_some();
            let base = if is_valid { u32::from(!is_clean) } else { STRAY };
            let parts = form.parts(&header);
            if parts[0].numbers() == 0 && header.iter().any(|&number| number > 0) {
                ends.push((behind, MISSING));
            }
            // A header ends the file.
            if is_valid && is_clean && parts[0].rows > 0 && (behind == self.count || self.ends_file(behind)) {
                let are_values = self.ahead.line(at).is_some_and(|line| are_values_of(form, line));
                ends.push((behind, if are_values { MISSING } else { CHANGED }));
            }
            self.bodies(behind, parts, base, &mut ends);
        }
        // Words stand behind the header on its line.
        let early = if is_clean { None } else { self.header_before_words(at) };
        if let Some([Part { widths: Some(widths), .. }, _]) = early {
            ends.extend(self.rows(behind, early.map_or(Part::NONE, |[board, _]| board), CHANGED, widths));
        }
        let first = self.numbers(at);
        // The header is written twice.
        let is_same = |at: usize, file: &mut Self| {
            let text = |line: Option<&AheadLine<'_>>| line.map(|line| line.line.text.trim_ascii().to_vec());
            let line = text(file.ahead.line(at));
            line.is_some() && line == text(file.ahead.line(at + fields.len()))
        };
        if (at..behind).all(|at| is_same(at, self))
            && let Some(header) = self.ahead.valid_header(form, behind)
        {
            self.bodies(behind + fields.len(), form.parts(&header), STRAY, &mut ends);
        }
        if F::WRAPS && is_clean && first > fields[0].len() as u64 {
            self.wrapped(at, &mut ends);
        }
        if let [_, second] = fields {
            self.two_lines(at, second.len() as u64, &mut ends);
        } else {
            // The size is another one, or missing.
            let is_odd = !super::counts(&fields[0]).contains(&first);
            if (1..=4).contains(&first) {
                let parts = self.shape(at + 1);
                // A line that can be the row before the others is rather that row.
                let widths = parts.and_then(|[board, _]| board.widths);
                let is_row = widths.is_some_and(|[_, width]| self.is_row(at, width));
                let header = self.ahead.valid_header(form, at);
                // Many more rows are rather two boards, the second without a header.
                let is_double = header.zip(parts).is_some_and(|(header, [board, _])| {
                    let [said, _] = form.parts(&header);
                    let is_twice = said.widths == board.widths && said.rows + 2 < board.rows;
                    is_twice && !self.is_one_board(at, board)
                });
                // A header with a number too many names the size all the same.
                let is_size = F::IS_SQUARE && {
                    let size = widths.map_or(0, |[width, _]| width);
                    self.ahead.line(at).is_some_and(|line| line.numbers[..2].contains(&size))
                };
                let is_row = is_row && header.is_none() && !is_size;
                let row_cost = if is_double || is_row { STRAY } else { 0 };
                self.bodies_of(at + 1, parts, CHANGED + u32::from(is_odd) + row_cost, &mut ends);
            }
            // The numbers are exchanged.
            if is_clean && first == 2 && fields[0].len() == 2 && !fields[0][1].is_optional {
                let [one, two] =
                    self.ahead.line(at).map_or([0; 2], |line| [line.numbers[0], line.numbers[1]]);
                let are_allowed = fields[0][0].allows(two) && fields[0][1].allows(one) && one != two;
                self.bodies_of(at + 1, are_allowed.then(|| form.parts(&[two, one])), CHANGED, &mut ends);
            }
            // The first number names the rows, though one of them does not fit.
            let rows = self.ahead.line(at).map_or(0, |line| line.numbers[0]);
            let widths = [self.numbers(at + 1), self.numbers(at + 2)];
            if is_odd && is_clean && !F::IS_SQUARE && rows > 1 && widths[0].wrapping_sub(widths[1]) < 2 {
                self.bodies(
                    at + 1,
                    [Part { rows, widths: Some(widths) }, Part::NONE],
                    CHANGED + 1,
                    &mut ends,
                );
            }
            let parts = self.shape(at);
            self.bodies_of(at, parts, MISSING, &mut ends);
            // The header stands after the first row.
            if let Some(header) = self.ahead.valid_header(form, at + 1)
                && let [Part { rows: rows @ 2.., widths: Some([width, next]) }, other] = form.parts(&header)
                && self.is_row(at, width)
            {
                let board = Part { rows: rows - 1, widths: Some([next, width]) };
                self.bodies(at + 2, [board, other], CHANGED, &mut ends);
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
                self.bodies_of(at + 2, parts, CHANGED, &mut ends);
            }
        }
        ends
    }

    /// Returns the parts of a puzzle on whose header line the words stand that should follow the rows.
    fn header_before_words(&mut self, at: usize) -> Option<[Part; 2]> {
        let line = self.ahead.line(at)?.line;
        let is_number = |byte: &u8| byte.is_ascii_digit() || *byte == b' ';
        let (numbers, words) =
            line.text.split_at(line.text.iter().take_while(|byte| is_number(byte)).count());
        let [header, words] = [numbers, words].map(|text| AheadLine::new(Line { text, ..line }));
        let fields = &self.form.fields()[0];
        let is_header = header.count > 0 && super::counts(fields).contains(&header.count);
        let is_early = is_header && !words.is_clean && self.form.ends_puzzle(&words);
        is_early.then(|| self.form.parts(&header.numbers[..header.count as usize]))
    }

    /// Returns whether rows below a header are one board although the header says fewer: only blank lines surround them,
    /// or another puzzle has the header that fits them.
    fn is_one_board(&mut self, at: usize, board: Part) -> bool {
        let end = at + 1 + board.rows as usize;
        let number = |at: usize, file: &mut Self| file.ahead.line(at).map(|line| line.line.number);
        let is_block = number(end - 1, self).zip(number(at, self))
            == number(at, self).map(|first| (first + board.rows, first));
        let is_apart =
            number(end, self).is_some_and(|next| Some(next) > number(end - 1, self).map(|last| last + 1));
        let fitting = self.form.headers(&[], board.rows, board.widths.unwrap_or_default());
        let is_fitting = |line: &AheadLine<'_>| {
            fitting.iter().any(|fitting| {
                line.is_clean && line.count == fitting.len() as u64 && line.numbers.starts_with(fitting)
            })
        };
        is_block && is_apart || (0..self.count).any(|line| self.ahead.line(line).is_some_and(is_fitting))
    }

    /// Adds puzzles whose first two lines are wrong: the size, then the number of rows of the second part.
    fn two_lines(&mut self, at: usize, second: u64, ends: &mut Ends) {
        let (first, next) = (self.numbers(at), self.numbers(at + 1));
        let behind = at + 2;
        // Another size, written with one number or two; or another number of players.
        if (1..=2).contains(&first) && next == second {
            let parts = self.shape(behind);
            self.bodies_of(behind, parts, CHANGED + u32::from(first == 1), ends);
        }
        if first == 2 {
            let size = self.ahead.line(at).map_or([0; 2], |line| [line.numbers[0], line.numbers[1]]);
            // The number of players is another one, or missing.
            if next <= 3 {
                self.counted(behind, size, CHANGED + u32::from(next != second), ends);
            }
            self.counted(at + 1, size, CHANGED, ends);
            // The number of players after the rows.
            let behind = at + 1 + usize::try_from(size[0]).unwrap_or(self.count).min(self.count);
            if self.is_alone(behind) && (at + 1..behind).all(|row| self.is_row(row, size[1])) {
                let players = self.ahead.line(behind).map_or(0, |line| line.numbers[0]);
                ends.extend(self.rows(behind + 1, part_of_pairs(players), CHANGED, [2; 2]));
            }
        }
        // A number too many beside the size.
        if first == 3 && next == second {
            let [one, two, three] = self.ahead.line(at).map_or([0; FIELDS_MAX], |line| line.numbers);
            let players = self.ahead.line(at + 1).map_or(0, |line| line.numbers[0]);
            for [rows, width] in [[one, two], [two, three], [one, three]] {
                let board = Part { rows, widths: Some([width; 2]) };
                self.bodies(behind, [board, part_of_pairs(players)], CHANGED, ends);
            }
        }
        // The number of players before the size.
        if first == second && next == 2 {
            let numbers =
                |at, file: &mut Self| file.ahead.line(at).map_or([0; FIELDS_MAX], |line| line.numbers);
            let ([players, ..], [rows, width, _]) = (numbers(at, self), numbers(at + 1, self));
            let board = Part { rows, widths: Some([width; 2]) };
            self.bodies(behind, [board, part_of_pairs(players)], CHANGED, ends);
        }
        // No size.
        if first == second {
            let parts = self.shape(at + 1);
            self.bodies_of(at + 1, parts, MISSING, ends);
        }
    }

    /// Adds where a game can end whose rows begin at a line: after as many rows of this width, then after each line with
    /// a square of the board.
    fn counted(&mut self, at: usize, [rows, width]: [u64; 2], cost: u32, ends: &mut Ends) {
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

    /// Returns how many lines of two numbers, one after the other, begin at a line and are no size.
    fn pairs(&mut self, at: usize) -> u64 {
        let mut count = 0;
        while self.numbers(at + count) == 2 && self.numbers(at + count + 1) != 1 {
            count += 1;
        }
        count as u64
    }

    /// Returns the parts that the lines from a line on show: rows of one length, or of two lengths in turn.
    fn shape(&mut self, at: usize) -> Option<[Part; 2]> {
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

    /// Returns whether a line is the last one and ends the file.
    fn ends_file(&mut self, at: usize) -> bool {
        at + 1 == self.count && self.form.is_end(&mut self.ahead, at, true)
    }

    fn is_row(&mut self, at: usize, width: u64) -> bool {
        let form = self.form;
        self.ahead
            .line(at)
            .is_some_and(|line| line.count == width && !is_text(line) && are_values_of(form, line))
    }

    fn bodies_of(&mut self, at: usize, parts: Option<[Part; 2]>, base: u32, ends: &mut Ends) {
        if let Some(parts) = parts {
            self.bodies(at, parts, base, ends);
        }
    }

    /// Adds where the rows of a puzzle can end that begin at a line.
    fn bodies(&mut self, at: usize, [board, other]: [Part; 2], base: u32, ends: &mut Ends) {
        let Some(widths) = board.widths else { return };
        let form = self.form;
        let mut boards = self.rows(at, board, base, widths);
        match other.widths {
            _ if other.rows == 0 => ends.append(&mut boards),
            Some(widths) => {
                // The second part can stand before the first one.
                let early =
                    usize::try_from(other.rows).ok().filter(|&rows| rows < self.count.saturating_sub(at));
                if let Some(rows) = early.filter(|_| widths != board.widths.unwrap_or(widths))
                    && (at..at + rows).all(|row| self.numbers(row) == widths[0])
                {
                    ends.extend(self.rows(at + rows, board, base + CHANGED, board.widths.unwrap_or(widths)));
                }
                let size = [board.rows, board.widths.map_or(0, |[width, _]| width)];
                for (end, cost) in boards {
                    for (behind, cost) in self.rows(end, other, cost, widths) {
                        ends.push((behind, cost + self.cost_of_players(end..behind, size)));
                    }
                    // The number of these rows again.
                    if self.is_alone(end) {
                        ends.extend(self.rows(end + 1, other, cost + CHANGED, widths));
                    }
                }
            }
            None => {
                let is_words =
                    |at, file: &mut Self| file.ahead.line(at).is_some_and(|line| form.is_words(line));
                let is_early = is_words(at, self);
                for (end, cost) in boards {
                    ends.push((end, cost + MISSING));
                    let mut behind = end;
                    let mut cost = cost;
                    while behind < self.count
                        && if behind == end {
                            is_words(behind, self)
                        } else {
                            form.is_words_too(&mut self.ahead, behind)
                        }
                    {
                        let is_sure = self.ahead.line(behind).is_some_and(|line| form.ends_puzzle(line));
                        behind += 1;
                        ends.push((behind, cost + if is_sure || behind > end + 1 { 0 } else { CHANGED }));
                        cost += WRAPPED;
                    }
                }
                if is_early {
                    ends.extend(self.rows(at + 1, board, base + CHANGED, widths));
                }
            }
        }
    }

    /// Returns the cost of lines that are rather headers than players: their two numbers are no square of the board,
    /// and a line with one number follows.
    fn cost_of_players(&mut self, lines: Range<usize>, [rows, width]: [u64; 2]) -> u32 {
        let is_header = |at: usize, file: &mut Self| {
            let is_outside = file.ahead.line(at).is_some_and(|line| {
                line.is_clean && line.count == 2 && (line.numbers[0] >= rows || line.numbers[1] >= width)
            });
            is_outside && file.is_alone(at + 1)
        };
        let headers = lines.filter(|&at| is_header(at, self)).count() as u32;
        headers * CHANGED
    }

    /// Returns where the rows of a part can end that begin at a line: after as many lines as there should be, after one
    /// or two more or fewer, or after as many numbers.
    fn rows(&mut self, at: usize, part: Part, base: u32, widths: [u64; 2]) -> Ends {
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
                let form = self.form;
                let is_right = self
                    .ahead
                    .line(at + row)
                    .is_some_and(|line| are_values_of(form, line) && has_digits(line));
                odd += if fits { u32::from(!is_right) } else { ODD_ROW };
                // Words are rather no row.
                let is_words = self.is_text(at + row) && self.is_long(at + row);
                let is_other = self.ends_file(at + row) || is_words && self.runs(at + row) < widths[row % 2];
                odd += if is_other { MISSING } else { 0 };
            }
            // So is one line of words among rows.
            let words = (at..at + lines).filter(|&row| self.is_text(row)).count();
            let fitting = (at..at + lines).filter(|&row| widths.contains(&self.numbers(row))).count();
            let is_title = words == 1 && lines == rows + 1 && fitting == rows;
            if is_title {
                ends.push((at + lines, base + STRAY));
                continue;
            }
            // Rows of one other length are one mistake.
            let width = self.numbers(at);
            if lines == rows && lines > 1 && (at..at + lines).all(|row| self.is_row(row, width)) {
                odd = odd.min(CHANGED);
            }
            // So are short rows below a right header: somebody wrote spaces for empty squares.
            let is_short = |row: usize, file: &mut Self| file.numbers(at + row) < widths[row % 2];
            let has_gap = |at| self.ahead.line(at).is_some_and(|line| has_gap(line.line.text));
            let has_gaps = (at..at + lines).any(has_gap);
            if base == 0
                && has_gaps
                && lines == rows
                && lines > 1
                && (0..lines).all(|row| is_short(row, self))
            {
                odd = odd.min(MISSING);
            }
            // One number after rows of two lengths in turn is rather a row than a line of no puzzle.
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
    fn wrapped(&mut self, at: usize, ends: &mut Ends) {
        let fields: usize = self.form.fields().iter().map(Vec::len).sum();
        let Some(line) = self.ahead.line(at) else { return };
        let (numbers, header) = (u128::from(line.count), line.numbers);
        let header = &header[..fields];
        let mut declared = self.form.fields().iter().flatten().zip(header);
        if !declared.all(|(field, &value)| field.allows(value)) {
            return;
        }
        let parts = self.form.parts(header);
        let total = parts.iter().map(Part::numbers).fold(fields as u128, u128::saturating_add);
        if let Some(end) = self.behind_numbers(at, total) {
            // A line like the row before it is rather a row as well.
            let is_row = at > 0 && u128::from(self.numbers(at - 1)) == numbers;
            ends.push((end, if is_row { MISSING } else { SHARED }));
        } else if numbers.abs_diff(total) == 1 && numbers > 4 {
            // A surplus row is more likely.
            ends.push((at + 1, CHANGED + 1));
        }
    }

    /// Adds where rows can end that are not one line each: after as many numbers, or nearly as many.
    fn wrapped_rows(&mut self, at: usize, numbers: u128, base: u32, ends: &mut Ends) {
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
            are_values &= self.ahead.line(end).is_some_and(|line| are_values_of(self.form, line));
            end += 1;
        }
        while end > at && end <= count && numbers.abs_diff(read) <= slack {
            if read == numbers {
                // Whole puzzles within this one are more likely the next ones.
                let has_others = (at + 1..end).any(|line| self.ahead.surely_begins(form, line));
                let cost = if has_others { CHANGED + 1 } else { WRAPPED };
                ends.push((end, base + cost + u32::from(!are_values)));
            } else if are_values && self.are_alike(at..end) {
                ends.push((end, base + MISSING + ODD_ROW + 1));
            }
            read += u128::from(self.numbers(end).max(1));
            end += 1;
        }
    }

    /// Returns whether lines have as many numbers as the first one, perhaps except two of them and the last.
    fn are_alike(&mut self, lines: Range<usize>) -> bool {
        let (first, last) = (self.numbers(lines.start), lines.end.saturating_sub(1));
        (lines.start..last).filter(|&line| self.numbers(line) != first).count() < 3
    }

    /// Returns the line after as many numbers, if they end at the end of a line.
    fn behind_numbers(&mut self, at: usize, numbers: u128) -> Option<usize> {
        let (mut left, mut end) = (numbers, at);
        while left > 0 {
            let line = self.ahead.line(end).filter(|line| line.is_clean)?;
            left = left.checked_sub(line.count.into())?;
            end += 1;
        }
        Some(end)
    }
}

/// Returns whether the first numbers of a line can stand on a board.
fn are_values_of<F: Form>(form: &F, line: &AheadLine<'_>) -> bool {
    let numbers = line.numbers.iter().take(line.count as usize).enumerate();
    !line.is_clean || numbers.into_iter().all(|(column, &value)| form.is_value(&[], 0, column, value))
}

/// Returns whether blanks stand before the text of a line, behind it, or twice within it.
fn has_gap(text: &[u8]) -> bool {
    let text = text.strip_suffix(b"\r").unwrap_or(text);
    let is_blank = |byte: Option<&u8>| byte.is_some_and(|byte| matches!(byte, b' ' | b'\t'));
    is_blank(text.first())
        || is_blank(text.last())
        || text.windows(2).any(|pair| pair.iter().all(|byte| is_blank(Some(byte))))
}

fn has_digits(line: &AheadLine<'_>) -> bool {
    line.line.text.iter().any(u8::is_ascii_digit)
}

/// Returns whether a line has words instead of numbers. Letters and marks one by one are more likely squares.
fn is_text(line: &AheadLine<'_>) -> bool {
    let mut tokens = line.line.tokens().peekable();
    line.is_text() && (line.line.count() == 1 || tokens.any(|(_, token)| token.len() > 1))
}

fn part_of_pairs(rows: u64) -> Part {
    Part { rows, widths: Some([2; 2]) }
}
