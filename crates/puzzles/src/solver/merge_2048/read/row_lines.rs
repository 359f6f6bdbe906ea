//! What the lines of a case tell about its count of values.
//!
//! Rows may be wrapped, so lines prove nothing while a case is valid by its tokens. They do tell a missing or
//! surplus value from a wrapped row where the case was written as the format has it: `N M` alone on a line,
//! and then rows of N values. Without that one bad row would spoil all cases after it.

use super::headers::is_long_row;
use crate::input::LineShape;

/// The lines of a case so far.
pub(super) struct RowLines {
    size: u64,
    /// `N M` stands alone on its line.
    header_alone: bool,
    /// Lines that began so far, the one of `N M` not among them.
    begun: u64,
    /// Of those that ended, the ones that held exactly N values.
    complete: u64,
    /// Values on the first line, once it ended, where all others that ended have as many.
    width: Option<u64>,
    /// Values before the line at hand.
    values: u128,
}

impl RowLines {
    pub(super) fn new(size: u64, header_alone: bool) -> Self {
        Self { size, header_alone, begun: 0, complete: 0, width: None, values: 0 }
    }

    /// A line begins after `count` values; whether its beginning is worth a look.
    pub(super) fn begin(&mut self, count: u128) -> bool {
        if self.begun > 0 {
            let values = u64::try_from(count - self.values).unwrap_or(u64::MAX);
            self.complete += u64::from(values == self.size);
            self.width =
                if self.begun == 1 { Some(values) } else { self.width.filter(|&width| width == values) };
        }
        self.values = count;
        self.begun += 1;
        self.header_alone && (self.complete > 0 || self.width.is_some())
    }

    /// Whether the line that began after `count` values, were it the `N M` of a case, is that of the next one:
    /// all N rows are over, most of them complete, or all rows so far were complete and this is none, or they are a square
    /// board of another size. Two lines that are just what the case lacks belong to it.
    pub(super) fn lacks_values(&self, count: u128, line: &LineShape) -> bool {
        let ended = self.begun - 1;
        let rows_over = ended == self.size && 2 * self.complete >= self.size && self.complete > 0;
        let row_missing = ended == self.complete && ended > 0 && (self.size != 2 || line.numbers[0] != 2);
        let is_square = self.width.is_some_and(|width| width == ended && width > 2);
        let missing = u128::from(self.size) * u128::from(self.size) - count;
        let fills =
            line.exactly::<2>().is_some_and(|[size, _]| missing == 2 + u128::from(size) * u128::from(size));
        (rows_over || row_missing || is_square) && !fills
    }

    /// Whether the case was written a row a line, so that it ends with one.
    pub(super) fn is_by_rows(&self) -> bool {
        self.header_alone && (self.complete > 0 || self.width.is_some_and(|width| width > 2))
    }

    /// Whether the first line below `N M` is at hand.
    pub(super) fn is_at_first(&self) -> bool {
        self.header_alone && self.begun == 1
    }

    /// Whether the lines that ended were N complete rows, or rows of one other count.
    pub(super) fn are_rows(&self) -> bool {
        self.complete == self.size && self.begun == self.size + 1 || self.width.is_some_and(|width| width > 2)
    }

    /// Whether a line looks like one more row; with two values it looks like `N M`.
    pub(super) fn is_surplus_row(&self, line: &LineShape) -> bool {
        let is_row = is_long_row(line, self.size) || self.width.is_some_and(|width| is_long_row(line, width));
        line.clean && is_row
    }
}
