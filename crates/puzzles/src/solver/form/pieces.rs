//! Divides the lines of a file into puzzles so that as few mistakes as possible explain all of them.
//!
//! A missing header, a surplus row and a wrong size look alike where a reader stops. Only the lines after it show what
//! the writer meant. The division is the cheapest path over the lines: from each line, a puzzle leads to the line after
//! it, and each of its mistakes has a cost (error-correcting parsing: Aho and Peterson, 1972).

mod odd_headers;
mod row_ends;

use super::{Ahead, AheadLine, FIELDS_MAX, Form, is_like_end_marker};
use crate::input::Line;
use crate::solver::Part;

/// The most lines of a file that is divided.
const LINES_MAX: usize = 2000;
/// As many numbers as no header has on one line.
const LONG_ROW: u64 = 4;
/// The most players of a game that does not state their number.
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
            // Neither a line that only looks like an end marker nor a marker before more puzzles ends the file.
            let is_clean = file.is_clean(at);
            if cost < best.cost || is_clean && !(at + 1..count).any(|at| file.ahead.surely_begins(form, at)) {
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

    /// Returns the first numbers of a line; 0 for each that is none.
    fn values(&mut self, at: usize) -> [u64; FIELDS_MAX] {
        self.ahead.line(at).map_or([0; FIELDS_MAX], |line| line.numbers)
    }

    fn is_clean(&mut self, at: usize) -> bool {
        self.ahead.line(at).is_some_and(|line| line.is_clean)
    }

    fn is_alone(&mut self, at: usize) -> bool {
        self.is_clean(at) && self.numbers(at) == 1
    }

    /// Returns whether the first numbers of a line can stand on a board.
    fn are_values(&mut self, at: usize) -> bool {
        let form = self.form;
        self.ahead.line(at).is_some_and(|line| are_values_of(form, line))
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
        let is_like_marker = is_like_end_marker(line.line.text);
        let may_be_row = is_clean && self.form.is_surely_row(line);
        let is_label = !is_clean && (count == 1 || line.is_prompt());
        let is_word = |token: &[u8]| token.iter().all(u8::is_ascii_alphabetic);
        let is_label = is_label
            || count == 2
                && line.line.tokens().next().is_some_and(|(_, token)| is_word(token))
                && self.ahead.surely_begins(self.form, at + 1);
        let is_marker = is_like_marker && (!may_be_row || self.ahead.surely_begins(self.form, at + 1));
        // Zeros below a row of the same length, written alike, are more likely a row.
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

    /// Returns whether a line has more than two bytes.
    fn is_long(&mut self, at: usize) -> bool {
        self.ahead.line(at).is_some_and(|line| line.line.text.trim_ascii().len() > 2)
    }

    /// Returns where a puzzle that begins at a line can end.
    fn puzzles(&mut self, at: usize) -> Ends {
        let (form, fields) = (self.form, self.form.fields());
        let behind = at + fields.len();
        let mut ends = Vec::new();
        let is_clean = self.is_clean(at);
        if let Some(header) = self.ahead.header(form, at) {
            let is_valid = self.ahead.valid_header(form, at).is_some();
            let base = if is_valid { u32::from(!is_clean) } else { STRAY };
            let parts = form.parts(&header);
            if parts[0].numbers() == 0 && header.iter().any(|&number| number > 0) {
                ends.push((behind, MISSING));
            }
            // A header ends the file.
            if is_valid && is_clean && parts[0].rows > 0 && (behind == self.count || self.ends_file(behind)) {
                ends.push((behind, if self.are_values(at) { MISSING } else { CHANGED }));
            }
            if is_valid && self.ends_within(behind, parts[0]) {
                ends.push((self.count, base + MISSING));
            }
            // The optional number stands on a line of its own.
            if fields[0].last().is_some_and(|field| field.is_optional) && self.is_alone(behind) {
                self.add_ends(behind + 1, Some(parts), base + SHARED, &mut ends);
            }
            self.add_ends(behind, Some(parts), base, &mut ends);
        }
        // Words stand behind the header on its line.
        let early = if is_clean { None } else { self.header_before_words(at) };
        if let Some([board @ Part { widths: Some(widths), .. }, _]) = early {
            ends.extend(self.row_ends(behind, board, CHANGED, widths));
        }
        let first = self.numbers(at);
        // The header is written twice.
        let is_same = |at: usize, file: &mut Self| {
            let Some(line) = file.ahead.line(at).map(|line| line.line) else { return false };
            file.ahead.line(at + fields.len()).is_some_and(|again| line.is_like(&again.line))
        };
        if (at..behind).all(|at| is_same(at, self))
            && let Some(header) = self.ahead.valid_header(form, behind)
        {
            self.add_ends(behind + fields.len(), Some(form.parts(&header)), STRAY, &mut ends);
        }
        // Of two header lines, the first one alone is written twice.
        let text = |at: usize, file: &mut Self| file.ahead.line(at).map(|line| line.line.text.trim_ascii());
        if fields.len() == 2
            && is_clean
            && text(at, self) == text(at + 1, self)
            && let Some(header) = self.ahead.valid_header(form, at + 1)
        {
            self.add_ends(behind + 1, Some(form.parts(&header)), STRAY, &mut ends);
        }
        if F::WRAPS && is_clean && first > fields[0].len() as u64 {
            self.wrapped(at, &mut ends);
        }
        if let [_, second] = fields {
            self.two_lines(at, second.len() as u64, &mut ends);
        } else {
            self.one_line(at, &mut ends);
        }
        ends
    }

    /// Returns whether the file ends within the rows that begin at a line.
    fn ends_within(&mut self, at: usize, Part { rows, widths }: Part) -> bool {
        let (Some(widths), left) = (widths, self.count.saturating_sub(at)) else { return false };
        let last = self.count.saturating_sub(1);
        let fits = |row: usize| {
            let (numbers, width) = (self.numbers(at + row), widths[row % 2]);
            numbers == width || at + row == last && numbers < width
        };
        left > 0 && (left as u64) < rows && (0..left).all(fits) && !self.ends_file(last)
    }

    /// Returns whether a line is the last one and ends the file.
    fn ends_file(&mut self, at: usize) -> bool {
        at + 1 == self.count && self.form.is_end(&mut self.ahead, at, true)
    }

    fn is_row(&mut self, at: usize, width: u64) -> bool {
        self.numbers(at) == width && !self.is_text(at) && self.are_values(at)
    }
}

/// Returns whether the first numbers of a line can stand on a board.
fn are_values_of<F: Form>(form: &F, line: &AheadLine<'_>) -> bool {
    let numbers = line.numbers.iter().take(line.count as usize).enumerate();
    !line.is_clean || numbers.into_iter().all(|(column, &value)| form.is_value(&[], 0, column, value))
}

fn has_digits(line: &AheadLine<'_>) -> bool {
    line.line.text.iter().any(u8::is_ascii_digit)
}

/// Returns whether a line has words instead of numbers. Letters and marks one by one are more likely squares.
fn is_text(line: &AheadLine<'_>) -> bool {
    let mut tokens = line.line.tokens().peekable();
    let is_word = |token: &[u8]| String::from_utf8_lossy(token).chars().count() > 1;
    line.is_text() && (line.line.count() == 1 || tokens.any(|(_, token)| is_word(token)))
}

fn part_of_pairs(rows: u64) -> Part {
    Part { rows, widths: Some([2; 2]) }
}
