//! The numbers behind a header: how many there are, and how they are parted into lines.

use std::io;

use super::ahead::Ahead;
use super::header::{Size, is_header};
use crate::input::{LineShape, Next, Place, Scanner};
use crate::solver::checkers_capture::options::{SIDE_MAX, SIDE_MIN};
use crate::solver::{Problem, RowLengths};

/// So many lines with a number a column show that all squares were written, though some rows are missing or doubled.
pub const FULL_ROWS: u64 = 3;
/// Rows looked at behind a line that may be a header or a row.
const ROWS_PREVIEWED: usize = SIDE_MAX as usize;

/// The numbers behind a header, as they arrive.
#[derive(Default)]
pub struct Tally {
    /// How many there are.
    pub numbers: u128,
    /// Lines that are complete.
    lines: u64,
    /// Numbers on the first line, and on the second one.
    widths: [u128; 2],
    /// Some line has another width than the one before the last.
    is_uneven: bool,
    /// Numbers before the line at hand.
    before: u128,
    lengths: RowLengths,
}

impl Tally {
    /// No number yet of a board of that size.
    pub fn new(size: Size) -> Self {
        Self { lengths: RowLengths::new(size.rows, widths(size.columns)), ..Self::default() }
    }

    /// Begins a line.
    pub fn begin_line(&mut self, place: Place) {
        self.end_line();
        self.lengths.begin_line(self.numbers, place);
    }

    /// Ends a line, if there is one.
    pub fn end_line(&mut self) {
        let width = self.numbers - self.before;
        self.before = self.numbers;
        if width == 0 {
            return;
        }
        match self.widths.get_mut(self.lines as usize) {
            Some(place) => *place = width,
            None => self.is_uneven |= self.widths[(self.lines % 2) as usize] != width,
        }
        self.lines += 1;
    }

    /// Some numbers stand on the header's line.
    pub fn spoil(&mut self) {
        self.is_uneven = true;
    }

    /// How many lines there are, and the numbers on the first one and on the second, where the others are like these in
    /// turn.
    pub fn even(&self) -> Option<(u64, [u128; 2])> {
        (!self.is_uneven && self.lines >= 2).then_some((self.lines, self.widths))
    }

    /// Returns what is wrong with a whole board whose rows are too short and too long.
    pub fn uneven(&self) -> Option<Problem> {
        self.lengths.uneven(self.numbers)
    }

    /// Looks at the line that begins. A row of two squares with a wrong value looks like a header.
    pub fn look_ahead(&self, input: &mut Scanner<'_>) -> io::Result<Ahead> {
        match Ahead::within(input)? {
            Ahead::Header if self.is_row(input)? => Ok(Ahead::Squares),
            ahead => Ok(ahead),
        }
    }

    /// Whether a line that looks like a header is a row of this board: the rows so far are lines, the rest of the rows
    /// follows, and then a header or the end; and there are not the rows of which the line would be the header.
    fn is_row(&self, input: &mut Scanner<'_>) -> io::Result<bool> {
        let Some((row, left)) = self.lengths.row_at_hand() else { return Ok(false) };
        let [line, lines @ ..] = input.preview::<{ 2 + ROWS_PREVIEWED }>()?;
        if !line.is_row(self.lengths.expected(row)) {
            return Ok(false);
        }
        let is_header = line
            .exactly::<2>()
            .filter(|sides| sides.iter().all(|&side| side >= SIDE_MIN))
            .is_some_and(|[rows, columns]| {
                let widths = widths(columns);
                !lines[0].exists() || rows_follow(rows, |row| widths[(row % 2) as usize], &lines)
            });
        Ok(!is_header && rows_follow(left, |next| self.lengths.expected(row + 1 + next), &lines))
    }

    /// Whether `0 0` behind the last row is a row too many and no end marker: another row follows it, or more of zeros and
    /// then another row.
    pub fn zeros_go_on(&self, input: &mut Scanner<'_>) -> io::Result<bool> {
        let Some((last, 0)) = self.lengths.row_at_hand() else { return Ok(false) };
        if Ahead::of(&input.line_ahead()?) != Ahead::Marker {
            return Ok(false);
        }
        let lines = input.preview::<{ 2 + ROWS_PREVIEWED }>()?;
        let zeros = lines.iter().take_while(|line| line.exactly() == Some([0, 0])).count();
        let is_square = |number: &u64| *number < SIDE_MIN;
        let is_row = |(row, line): (u64, &LineShape)| {
            line.clean && line.is_row(self.lengths.expected(row)) && line.numbers.iter().all(is_square)
        };
        Ok(zeros < lines.len() && (last + 1..).zip(&lines).take(zeros + 1).all(is_row))
    }

    /// Drops what is left of an invalid board, up to a line that begins something else, and counts it.
    pub fn drop_rest(&mut self, input: &mut Scanner<'_>) -> io::Result<Ahead> {
        loop {
            match input.advance()? {
                Next::End => {
                    self.end_line();
                    return Ok(Ahead::Other);
                }
                Next::SameLine => {}
                Next::NewLine => {
                    self.begin_line(input.place());
                    let ahead = self.look_ahead(input)?;
                    if matches!(ahead, Ahead::Header | Ahead::Marker) {
                        return Ok(ahead);
                    }
                }
            }
            while input.next_on_line()?.is_some() {
                self.numbers += 1;
            }
        }
    }
}

/// Squares of the first row and every second one behind it, and of the others.
pub fn widths(columns: u64) -> [u64; 2] {
    [columns.div_ceil(2), columns / 2]
}

/// Whether so many rows of these widths follow, and then a header or the end, as far as the lines are there.
fn rows_follow(rows: u64, width: impl Fn(u64) -> u64, lines: &[LineShape; 1 + ROWS_PREVIEWED]) -> bool {
    let ends = |line: &LineShape| {
        let is_end = |[rows, columns]: [u64; 2]| is_header(rows, columns) || [rows, columns] == [0, 0];
        !line.clean || line.exactly().is_some_and(is_end)
    };
    (0..rows).zip(lines).all(|(row, line)| line.is_row(width(row)))
        && usize::try_from(rows).ok().and_then(|rows| lines.get(rows)).is_none_or(ends)
}
