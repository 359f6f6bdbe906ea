//! What the writer and the reader of weights must agree on.

/// Weights of a tuple of six squares, each with one of 16 ranks.
pub const TABLE: usize = 1 << 24;
/// Squares of a tuple.
const SQUARES: usize = 6;

/// Occurrences are counted so that all of a context are 2 to this.
pub const SCALE_BITS: u32 = 12;
/// The state of the coder is at least this between two symbols; a word of 32 bits goes in or out where it is not.
pub const STATE_MIN: u64 = 1 << 31;

/// Numbers below this are symbols themselves.
pub const SMALL: u32 = 16;
/// Symbols: the small numbers, and four for each power of two up to 2²³.
pub const SYMBOLS: usize = SMALL as usize + 4 * 20;

/// Contexts of places, by how many were left out before the last weight.
const PLACE_CONTEXTS: usize = 3;
/// Contexts of weights, for each number of neighbours that are there (0, 1, 2 or 3, more), by how much these differ.
const SPREADS: usize = 12;
/// All contexts.
pub const CONTEXTS: usize = PLACE_CONTEXTS + 4 * SPREADS;

/// The least number of a symbol, and how many bits of the number follow it.
pub fn shape(symbol: u8) -> (u32, u32) {
    let symbol = u32::from(symbol);
    let Some(large) = symbol.checked_sub(SMALL) else { return (symbol, 0) };
    let bits = large / 4 + 2;
    ((4 + large % 4) << bits, bits)
}

/// The difference that a number stands for: 0, −1, 1, −2, and so on.
pub fn unfolded(number: u32) -> i32 {
    (number >> 1).cast_signed() ^ -(number & 1).cast_signed()
}

/// The context of a place, after so many left out before the weight before it.
pub fn place_context(gap: u32) -> usize {
    match gap {
        0 => 0,
        1..4 => 1,
        _ => 2,
    }
}

/// What a weight may be, by the weights of `table` that come before it, and the context for how far it is from that.
#[inline]
pub fn guess(table: &[i16], at: usize) -> (i32, usize) {
    let (mut sum, mut count, mut least, mut most) = (0, 0_usize, i32::MAX, i32::MIN);
    for square in 0..SQUARES {
        let rank = at >> (4 * square) & 15;
        let weight = if rank > 0 { i32::from(table[at - (1 << (4 * square))]) } else { 0 };
        if weight != 0 {
            (sum, count) = (sum + weight, count + 1);
            (least, most) = (least.min(weight), most.max(weight));
        }
    }
    let known = [0, 1, 2, 2, 3, 3, 3][count];
    let about = if count < 2 { sum } else { most - least };
    let spread = (u32::BITS - about.unsigned_abs().leading_zeros()) as usize;
    (sum / count.max(1) as i32, PLACE_CONTEXTS + SPREADS * known + spread.min(SPREADS - 1))
}
