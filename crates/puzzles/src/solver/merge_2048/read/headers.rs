//! Where the next case begins, by the lines ahead.
//!
//! The first line of a case has two numbers and those behind it are rows of as many numbers as the first one says. After an
//! error the reader goes back to the first line of the case and passes its rows by, however many there are and however
//! long, so that one bad case never spoils the ones after it.

use std::io;

use crate::input::{LineShape, Scanner};

/// Rows looked at to recognise a case.
pub(super) const ROWS_PREVIEWED: usize = 4;

/// Numbers from which on a line is no `N M`.
const WIDTH_MIN: u64 = 3;

/// Whether a line holds `N M`, and the next ones rows of N values.
pub(super) fn is_whole([header, rows @ ..]: &[LineShape; 1 + ROWS_PREVIEWED]) -> bool {
    is_header(header, &rows[0]) && rows_follow(header.numbers[0], rows)
}

/// Whether a line holds `N M`, and the next one as many values as a first row. Both may be out of range: it is meant as
/// the first line of a case all the same.
pub(super) fn is_header(header: &LineShape, row: &LineShape) -> bool {
    header.exactly::<2>().is_some_and(|[size, _]| size > 0 && row.is_row(size))
}

/// Whether the first rows of a board of `size` are these.
pub(super) fn rows_follow(size: u64, rows: &[LineShape; ROWS_PREVIEWED]) -> bool {
    let seen = size.clamp(1, ROWS_PREVIEWED as u64) as usize;
    rows[..seen].iter().all(|row| row.is_row(size))
}

/// Whether a line, by its count of numbers, is a row and no `N M`.
pub(super) fn is_long_row(line: &LineShape, width: u64) -> bool {
    width >= WIDTH_MIN && line.is_row(width)
}

/// Returns the size of a square board whose rows are the next lines, if a case or nothing follows them; `read` numbers of
/// the first row are read.
pub(super) fn board_ahead(read: u64, input: &mut Scanner<'_>) -> io::Result<Option<u64>> {
    let mut lines = input.lines_ahead()?;
    let Some(size) = lines.next().map(|line| read + line.count()) else { return Ok(None) };
    let are_rows = (1..size).all(|_| lines.next().is_some_and(|line| line.count() == size));
    let is_end = lines.next().is_none_or(|header| {
        header.numbers().is_some_and(|[size, _]| lines.next().is_some_and(|row| row.count() == size))
    });
    Ok((are_rows && is_end).then_some(size))
}

/// Passes the rows of a case of `size` by, from behind its first line on.
pub(super) fn skip_rows(size: u64, input: &mut Scanner<'_>) -> io::Result<()> {
    // The size may be what is wrong.
    if let Some(rows) = board_ahead(0, input)? {
        for _ in 0..rows {
            input.advance()?;
            input.skip_line()?;
        }
        return Ok(());
    }
    let (mut left, mut width) = (size, None);
    loop {
        let lines = input.preview::<{ 1 + ROWS_PREVIEWED }>()?;
        let line = &lines[0];
        let width = *width.get_or_insert(u64::from(line.tokens));
        // On a board of 2 a row looks like the N M of another one.
        let is_header = is_whole(&lines) && (size != 2 || left == 0 || line.numbers[0] != 2);
        let is_row = left > 0 || is_long_row(line, size) || is_long_row(line, width);
        if !line.exists() || is_header || !is_row {
            return Ok(());
        }
        // Moves over blank and comment lines to the line that was looked at.
        input.advance()?;
        input.skip_line()?;
        left = left.saturating_sub(1);
    }
}

/// Passes by this line and all before the next that looks like the first one of a case.
pub(super) fn skip_to_header(input: &mut Scanner<'_>) -> io::Result<()> {
    loop {
        input.skip_line()?;
        let [header, row] = input.preview()?;
        if !header.exists() || is_header(&header, &row) {
            return Ok(());
        }
        input.advance()?;
    }
}
