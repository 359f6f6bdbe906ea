//! What the lines of a case tell about its count of values.
//!
//! Rows may be wrapped, so lines prove nothing while a case is valid by its tokens. They do tell a missing or
//! surplus value from a wrapped row where the case was written as the format has it: `N M` alone on a line,
//! and then rows of N values. Without that one bad row would spoil all cases after it.

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
    /// One that ended held one value more.
    long: bool,
    /// Values before the line at hand.
    values: u128,
}

impl RowLines {
    pub(super) fn new(size: u64, header_alone: bool) -> Self {
        Self { size, header_alone, begun: 0, complete: 0, long: false, values: 0 }
    }

    /// A line begins after `count` values; whether its beginning is worth a look.
    pub(super) fn begin(&mut self, count: u128) -> bool {
        if self.begun > 0 {
            let values = count - self.values;
            self.complete += u64::from(values == u128::from(self.size));
            self.long |= values == u128::from(self.size) + 1;
        }
        self.values = count;
        self.begun += 1;
        self.header_alone && self.complete > 0
    }

    /// Lines with values so far.
    pub(super) fn seen(&self) -> u64 {
        self.begun
    }

    /// Whether the line that began after `count` values, were it the `N M` of a case, is that of the next one:
    /// all N rows are over, most of them complete, or all rows so far were complete and this is none. Two lines
    /// that are just what the case lacks belong to it.
    pub(super) fn lacks_values(&self, count: u128, line: &LineShape) -> bool {
        let ended = self.begun - 1;
        let rows_over = ended == self.size && 2 * self.complete >= self.size;
        let row_missing = ended == self.complete && self.size != 2;
        let missing = u128::from(self.size) * u128::from(self.size) - count;
        let fills =
            line.exactly::<2>().is_some_and(|[size, _]| missing == 2 + u128::from(size) * u128::from(size));
        (rows_over || row_missing) && !fills
    }

    /// Whether, were there one value more on the line at hand, it would be in one of N rows that are else complete.
    pub(super) fn one_too_many(&self) -> bool {
        let incomplete = self.size.saturating_sub(self.complete);
        self.header_alone
            && self.size > 1
            && self.begun == self.size
            && (incomplete == 1 || incomplete == 2 && self.long)
    }

    /// Whether the N lines that ended were N complete rows.
    pub(super) fn all_complete(&self) -> bool {
        self.complete == self.size && self.begun == self.size + 1
    }

    /// Whether a line looks like one more row; with two values it looks like `N M`.
    pub(super) fn is_surplus_row(&self, line: &LineShape) -> bool {
        self.size > 2 && line.clean && line.is_row(self.size)
    }
}
