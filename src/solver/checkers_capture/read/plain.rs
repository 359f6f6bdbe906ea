//! The quick way from text to bits: a board as `generate` and most people write it, a line `N M` and a line a
//! row, numbers of one digit with one blank between them.
//!
//! Eight bytes hold four squares. Compared with the text `0 0 0 0 ` (a line feed for the blank at the end of
//! the row) only the two low bits of each digit may differ, and not both; one multiplication gathers them.
//! Whatever is not exactly so is left to the careful reader, which alone says what is right and what is wrong:
//! this one takes only boards that are valid and that the careful one would read the same.

use std::sync::LazyLock;

use crate::solver::checkers_capture::half_grids::{HalfGrids, Pieces};
use crate::solver::checkers_capture::options::{AREA_MAX, SIDE_MAX, SIDE_MIN};

/// The bytes that must be at hand: the longest header, the most squares with a byte behind each, and what the
/// last word reads beyond them.
pub const BYTES_AT_HAND: usize = 6 + AREA_MAX as usize + 3 * WORD_BYTES;

const WORD_BYTES: usize = size_of::<u64>();
/// The lowest bit of each digit.
const DIGITS: u64 = 0x0001_0001_0001_0001;

/// A board read from text.
pub struct Plain {
    pub board: HalfGrids,
    /// The bytes it stands in, the last line feed included.
    pub bytes: usize,
}

/// What a row of some number of squares looks like.
struct Row {
    bytes: usize,
    /// The text of a row of zeros, and which of its bytes belong to the row.
    words: Vec<(u64, u64)>,
}

/// The rows of no to ten squares.
static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    let rows = (0..=SIDE_MAX as usize / 2).map(|squares| {
        let mut text = "0 ".repeat(squares).into_bytes();
        if let Some(last) = text.last_mut() {
            *last = b'\n';
        }
        let word = |part: &[u8]| {
            let (mut zeros, mut mask) = ([0; WORD_BYTES], [0; WORD_BYTES]);
            zeros[..part.len()].copy_from_slice(part);
            mask[..part.len()].fill(u8::MAX);
            (u64::from_le_bytes(zeros), u64::from_le_bytes(mask))
        };
        Row { bytes: text.len(), words: text.chunks(WORD_BYTES).map(word).collect() }
    });
    rows.collect()
});

/// The board with which `text` begins, if it is plain, of a published size, and more numbers follow it.
///
/// `text` should have [`BYTES_AT_HAND`] at least.
#[must_use]
pub fn read(text: &[u8]) -> Option<Plain> {
    let (rows, behind_rows) = side(text, b' ')?;
    let (columns, behind_columns) = side(&text[behind_rows..], b'\n')?;
    let area = rows * columns;
    if area > AREA_MAX as usize {
        return None;
    }
    let mut squares = &text[behind_rows + behind_columns..];
    let wide = columns.div_ceil(2);
    let like = [&ROWS[wide], &ROWS[columns / 2]];
    let (mut grids, mut strange) = ([Pieces::default(); 2], 0);
    for row in 0..rows {
        let grid = &mut grids[row % 2];
        strange |= read_row(squares, like[row % 2], row / 2 * wide, grid)?;
        squares = squares.get(like[row % 2].bytes..)?;
    }
    if strange != 0 {
        return None;
    }
    let bytes = behind_rows + behind_columns + 2 * area.div_ceil(2);
    // Behind the last board a row `0 0` would be the end marker: whether it is that is not decided here.
    text.get(bytes).is_some_and(u8::is_ascii_digit).then_some(())?;
    Some(Plain { board: HalfGrids::new(rows as u8, columns as u8, grids), bytes })
}

/// A number from 3 to 20 that ends with `end`, and where the next one begins.
fn side(text: &[u8], end: u8) -> Option<(usize, usize)> {
    let &[first, second, third, ..] = text else { return None };
    let digit = |byte: u8| usize::from(byte.wrapping_sub(b'0'));
    let (side, behind) = if second == end {
        (digit(first), 2)
    } else if third == end {
        (10 * digit(first) + digit(second), 3)
    } else {
        return None;
    };
    // A leading zero would be a number too, but not a plain one; bytes that are no digits are out of range.
    let plain = digit(first) <= 9 && digit(first) > 0 && (behind == 2 || digit(second) <= 9);
    let range = SIDE_MIN as usize..=SIDE_MAX as usize;
    (plain && range.contains(&side)).then_some((side, behind))
}

/// Reads a row that should look `like` this one into the grid at `shift`; not 0 if it does not.
#[inline]
fn read_row(text: &[u8], like: &Row, shift: usize, grid: &mut Pieces) -> Option<u64> {
    /// Bit 16 i goes to bit 48 + i: the sums of other bits and factors go elsewhere, and no two to one place.
    const GATHER: u64 = 1 << 48 | 1 << 33 | 1 << 18 | 1 << 3;

    let (mut own, mut opponents, mut strange) = (0, 0, 0);
    let (words, _) = text.as_chunks::<WORD_BYTES>();
    for (index, (word, (zeros, mask))) in words.get(..like.words.len())?.iter().zip(&like.words).enumerate() {
        let differs = (u64::from_le_bytes(*word) ^ zeros) & mask;
        strange |= differs & !(3 * DIGITS) | differs & differs >> 1 & DIGITS;
        // Own pieces in the lowest bit of a digit, opponent pieces four bits above.
        let pieces = (differs & DIGITS) | (differs & DIGITS << 1) << 3;
        let gathered = pieces.wrapping_mul(GATHER) >> 48;
        own |= (gathered & 0xf) << (4 * index);
        opponents |= (gathered >> 4 & 0xf) << (4 * index);
    }
    grid.own |= own << shift;
    grid.opponents |= opponents << shift;
    Some(strange)
}
