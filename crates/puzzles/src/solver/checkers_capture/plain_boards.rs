//! Reads plain boards quickly, from text to bits. A plain board is written as `generate` and most people write it: a
//! line `N M`, then one line per row, each number one digit, with one blank between numbers.
//!
//! Eight bytes hold four squares. Compared with the text `0 0 0 0 ` (a line feed for the blank at the end of the row),
//! only the two low bits of each digit can differ, and not both. One multiplication gathers these bits. Any other text
//! is left to the careful reader, which alone decides what is right and wrong. The quick reader takes only valid
//! boards, and reads them as the careful one would.

use std::sync::LazyLock;

use crate::solver::checkers_capture::checkers_options::{AREA_MAX, SIDE_MAX, SIDE_MIN};
use crate::solver::checkers_capture::half_grids::{HalfGrids, Pieces};

/// The bytes that must be in the window: the longest header, the most squares with a byte after each, and what the last
/// word reads beyond them.
pub const BYTES_AT_HAND: usize = 6 + AREA_MAX as usize + 3 * WORD_BYTES;

const WORD_BYTES: usize = size_of::<u64>();
/// Words that hold the longest row, of ten squares.
const WORDS_MAX: usize = 3;
/// The lowest bit of each digit.
const DIGITS: u64 = 0x0001_0001_0001_0001;

/// A board read from text.
pub struct Plain {
    pub board: HalfGrids,
    /// The length of its text in bytes, including the last line feed.
    pub bytes: usize,
}

/// The text of a row with a given number of squares.
#[derive(Clone, Copy, Default)]
struct Row {
    bytes: usize,
    /// The text of a row of zeros, and a mask of the bytes that belong to the row.
    words: [(u64, u64); WORDS_MAX],
}

/// The rows of one to ten squares.
static ROWS: LazyLock<[Row; SIDE_MAX as usize / 2 + 1]> = LazyLock::new(|| {
    std::array::from_fn(|squares| {
        let mut text = "0 ".repeat(squares).into_bytes();
        if let Some(last) = text.last_mut() {
            *last = b'\n';
        }
        let mut row = Row { bytes: text.len(), ..Row::default() };
        for (word, part) in row.words.iter_mut().zip(text.chunks(WORD_BYTES)) {
            let (mut zeros, mut mask) = ([0; WORD_BYTES], [0; WORD_BYTES]);
            zeros[..part.len()].copy_from_slice(part);
            mask[..part.len()].fill(u8::MAX);
            *word = (u64::from_le_bytes(zeros), u64::from_le_bytes(mask));
        }
        row
    })
});

/// Returns the board with which `text` begins, if it is plain, of a published size, and followed by a header.
///
/// `text` should have at least [`BYTES_AT_HAND`] bytes.
pub fn read(text: &[u8]) -> Option<Plain> {
    let (rows, behind_rows) = side(text, b' ')?;
    let (columns, behind_columns) = side(&text[behind_rows..], b'\n')?;
    let area = rows * columns;
    if area > AREA_MAX as usize {
        return None;
    }
    let squares = &text[behind_rows + behind_columns..];
    let (wide, narrow) = (columns.div_ceil(2), columns / 2);
    let shape = Shape { rows, stride: wide, even: &ROWS[wide], odd: &ROWS[narrow] };
    let grids = match wide.div_ceil(4) {
        1 => shape.read::<1>(squares),
        2 => shape.read::<2>(squares),
        _ => shape.read::<3>(squares),
    }?;
    let bytes = behind_rows + behind_columns + 2 * area.div_ceil(2);
    // The next line must begin with a number that is no square. Otherwise it can belong to this board, or be the end
    // marker.
    matches!(text.get(bytes..)?, [b'3'..=b'9', ..] | [b'1' | b'2', b'0'..=b'9', ..]).then_some(())?;
    Some(Plain { board: HalfGrids::new(rows as u8, columns as u8, grids), bytes })
}

/// Returns a number from 3 to 20 that ends with `end`, and the index after `end`.
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
    // A number with a leading zero is not plain. Bytes that are not digits are out of range.
    let plain = digit(first) <= 9 && digit(first) > 0 && (behind == 2 || digit(second) <= 9);
    let range = SIDE_MIN as usize..=SIDE_MAX as usize;
    (plain && range.contains(&side)).then_some((side, behind))
}

struct Shape<'a> {
    rows: usize,
    stride: usize,
    even: &'a Row,
    odd: &'a Row,
}

impl Shape<'_> {
    /// Returns the squares; `None` if they are not plain. Each row must fit in `WORDS` words.
    #[inline]
    fn read<const WORDS: usize>(&self, mut text: &[u8]) -> Option<[Pieces; 2]> {
        let (mut even, mut odd) = (Pieces::default(), Pieces::default());
        let mut strange = 0;
        for pair in 0..self.rows / 2 {
            read_row::<WORDS>(&mut text, self.even, pair * self.stride, &mut even, &mut strange)?;
            read_row::<WORDS>(&mut text, self.odd, pair * self.stride, &mut odd, &mut strange)?;
        }
        if self.rows % 2 == 1 {
            read_row::<WORDS>(&mut text, self.even, self.rows / 2 * self.stride, &mut even, &mut strange)?;
        }
        (strange & !(3 * DIGITS) == 0).then_some([even, odd])
    }
}

/// Reads a row into the grid at `shift`. Every deviation from a plain row leaves a bit in `strange`.
#[inline]
fn read_row<const WORDS: usize>(
    text: &mut &[u8],
    row: &Row,
    shift: usize,
    grid: &mut Pieces,
    strange: &mut u64,
) -> Option<()> {
    /// Moves bit 16 i to bit 48 + i. All other products land elsewhere, and no two in the same place.
    const GATHER: u64 = 1 << 48 | 1 << 33 | 1 << 18 | 1 << 3;

    let (mut own, mut opponents) = (0, 0);
    let words = text.as_chunks::<WORD_BYTES>().0.first_chunk::<WORDS>()?.iter();
    for (index, (word, &(zeros, mask))) in words.zip(row.words.first_chunk::<WORDS>()?).enumerate() {
        let differs = (u64::from_le_bytes(*word) ^ zeros) & mask;
        // Adding 1 to 3, which is no square, carries into the bit above the two bits of a square.
        *strange |= differs | differs.wrapping_add(DIGITS);
        // Own pieces are in the lowest bit of a digit, opponent pieces four bits above it.
        let pieces = (differs & DIGITS) | (differs & DIGITS << 1) << 3;
        let gathered = pieces.wrapping_mul(GATHER) >> 48;
        own |= (gathered & 0xf) << (4 * index);
        opponents |= (gathered >> 4 & 0xf) << (4 * index);
    }
    grid.own |= own << shift;
    grid.opponents |= opponents << shift;
    *text = text.get(row.bytes..)?;
    Some(())
}
