//! Compressed weights of a tuple: which places have a weight, and its value.
//!
//! A weight resembles those of the tuples that differ only in one tile of one rank less. So the file has the difference
//! between a weight and the mean of these ([`guess`]), and for its place the number of places left out before it. Both
//! are mostly small numbers. They are coded by the frequency of each size of number, with asymmetric numeral systems
//! (Duda, Asymmetric Numeral Systems, 2009), because these decode in few steps.
//!
//! The bytes of a tuple hold, with all numbers low byte first:
//!
//! 1. the number of weights (4 bytes);
//! 2. the frequency of each symbol in each context, out of 4096 (2 bytes each);
//! 3. the words of the coder (4 bytes each).

/// Weights of a tuple of six squares, each with one of 16 ranks.
pub const TABLE: usize = 1 << 24;
/// Squares of a tuple.
const SQUARES: usize = 6;

/// The frequencies of a context add up to 2 to this power.
pub const SCALE_BITS: u32 = 12;
/// The sum of the frequencies of a context.
const SCALE: usize = 1 << SCALE_BITS;
/// The coder's state is at least this between two symbols; if it falls below, a word of 32 bits is read or written.
pub const STATE_MIN: u64 = 1 << 31;

/// Numbers below this are their own symbols.
pub const SMALL: u32 = 16;
/// Symbols: the small numbers, and four per power of two up to 2²³.
pub const SYMBOLS: usize = SMALL as usize + 4 * 20;

/// Contexts of places, by the number of places left out before the last weight.
const PLACE_CONTEXTS: usize = 3;
/// Contexts of weights for each number of known neighbours (0, 1, 2 or 3, more), by how much these differ.
const SPREADS: usize = 12;
/// All contexts.
pub const CONTEXTS: usize = PLACE_CONTEXTS + 4 * SPREADS;

/// Decodes `bytes` into `table`, which has [`TABLE`] weights, all 0. Broken bytes give other or fewer weights, nothing
/// worse.
pub fn decode(bytes: &[u8], table: &mut [i16]) {
    let Some((count, rest)) = bytes.split_first_chunk() else { return };
    let Some((occurrences, words)) = rest.split_at_checked(2 * CONTEXTS * SYMBOLS) else { return };
    let contexts: Vec<Context> = occurrences.chunks_exact(2 * SYMBOLS).map(Context::new).collect();
    let mut reader = Reader::new(words);
    let (mut at, mut gap) = (0_usize, 0);
    for _ in 0..u32::from_le_bytes(*count) {
        gap = reader.number(&contexts[place_context(gap)]);
        at += gap as usize;
        if at >= TABLE.min(table.len()) {
            break;
        }
        let (expected, context) = guess(table, at);
        let weight = expected.wrapping_add(unfolded(reader.number(&contexts[context])));
        table[at] = weight as i16;
        at += 1;
    }
}

/// The symbols of a context.
struct Context {
    /// The symbol of each slot.
    slots: Box<[u8; SCALE]>,
    /// The first slot of each symbol, and the number of its slots.
    symbols: [(u16, u16); SYMBOLS],
}

impl Context {
    /// Creates a context from the frequencies of its symbols, 2 bytes each.
    fn new(bytes: &[u8]) -> Self {
        let (mut slots, mut symbols) = (Box::new([0; SCALE]), [(0, 0); SYMBOLS]);
        let mut first = 0;
        for (symbol, bytes) in bytes.as_chunks().0.iter().enumerate().take(SYMBOLS) {
            let end = (first + usize::from(u16::from_le_bytes(*bytes))).min(SCALE);
            slots[first..end].fill(symbol as u8);
            symbols[symbol] = (first as u16, (end - first) as u16);
            first = end;
        }
        Self { slots, symbols }
    }
}

/// The words not yet read, and the state of the coder.
struct Reader<'a> {
    words: std::slice::Iter<'a, [u8; 4]>,
    state: u64,
}

impl<'a> Reader<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        let mut reader = Self { words: bytes.as_chunks().0.iter(), state: 0 };
        reader.state = reader.word() << 32;
        reader.state |= reader.word();
        reader
    }

    /// Returns the next word, or 0 if there is none.
    fn word(&mut self) -> u64 {
        self.words.next().map_or(0, |word| u64::from(u32::from_le_bytes(*word)))
    }

    /// Changes to another state, and reads a word if the state is too small.
    #[inline]
    fn become_state(&mut self, state: u64) {
        self.state = state;
        if state < STATE_MIN {
            self.state = state << 32 | self.word();
        }
    }

    /// Returns the next number.
    #[inline]
    fn number(&mut self, context: &Context) -> u32 {
        let slot = self.state as usize % SCALE;
        let symbol = context.slots[slot];
        let (first, occurrences) = context.symbols[usize::from(symbol)];
        let within = (slot as u64).saturating_sub(u64::from(first));
        self.become_state(u64::from(occurrences) * (self.state >> SCALE_BITS) + within);
        let (least, bits) = shape(symbol);
        if bits == 0 {
            return least;
        }
        let rest = self.state & ((1 << bits) - 1);
        self.become_state(self.state >> bits);
        least | rest as u32
    }
}

/// Returns the smallest number of a symbol, and how many bits of the number follow the symbol.
pub fn shape(symbol: u8) -> (u32, u32) {
    let symbol = u32::from(symbol);
    let Some(large) = symbol.checked_sub(SMALL) else { return (symbol, 0) };
    let bits = large / 4 + 2;
    ((4 + large % 4) << bits, bits)
}

/// Returns the difference that a number stands for: 0, 1, 2, 3 stand for 0, −1, 1, −2, and so on.
fn unfolded(number: u32) -> i32 {
    (number >> 1).cast_signed() ^ -(number & 1).cast_signed()
}

/// Returns the context of a place; `gap` places were left out before the last weight.
pub fn place_context(gap: u32) -> usize {
    match gap {
        0 => 0,
        1..4 => 1,
        _ => 2,
    }
}

/// Returns the expected weight, by the weights of `table` that come before it, and the context for the difference from
/// that.
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

#[cfg(test)]
mod tests {
    use super::super::encode::encode;
    use super::*;
    use crate::solver::Random;

    /// Returns weights with and without neighbours, small and large.
    fn weights(random: &mut Random, parts: u64, size: u64) -> Vec<i16> {
        let mut table = vec![0; TABLE];
        for _ in 0..2_000 {
            let bits = 4 + random.below(21);
            let at = random.below(1 << bits) as usize;
            for near in 0..=random.below(parts) as usize {
                let weight = random.below(2 * size) as i64 - size as i64;
                table[(at + near) % TABLE] = weight as i16;
            }
        }
        table
    }

    #[test]
    fn what_is_written_is_read() {
        let mut random = Random::new(41);
        for (parts, size) in [(1, 2), (9, 40), (30, 900), (3, 1 << 15)] {
            let table = weights(&mut random, parts, size);
            let bytes = encode(&table);
            let mut read = vec![0; TABLE];
            decode(&bytes, &mut read);
            assert!(read == table, "{parts} {size}");
        }
        let mut extremes = vec![0; TABLE];
        (extremes[0], extremes[1], extremes[TABLE - 1]) = (i16::MIN, i16::MAX, -1);
        for table in [vec![0; TABLE], extremes] {
            let mut read = vec![0; TABLE];
            decode(&encode(&table), &mut read);
            assert!(read == table);
        }
    }

    #[test]
    fn numbers_near_what_is_guessed_take_few_bytes() {
        let (mut smooth, mut rough) = (vec![0; TABLE], vec![0; TABLE]);
        let mut random = Random::new(42);
        for at in 0..1 << 16 {
            let rank_sum = (0..4).map(|square| at >> (4 * square) & 15).sum::<usize>();
            smooth[at] = (1_000 + 50 * rank_sum) as i16;
            rough[at] = smooth[random.below(at as u64 + 1) as usize];
        }
        let [smooth, rough] = [smooth, rough].map(|table| encode(&table).len());
        assert!(smooth < 50_000 && rough > 90_000, "{smooth} {rough}");
    }

    #[test]
    fn broken_bytes_are_read_to_their_end() {
        let mut random = Random::new(43);
        let bytes = encode(&weights(&mut random, 9, 40));
        let mut read = vec![0; TABLE];
        for length in [0, 1, 7, 8, 100, bytes.len() / 2, bytes.len() - 1] {
            decode(&bytes[..length], &mut read);
        }
        for _ in 0..40 {
            let mut broken = bytes.clone();
            for _ in 0..3 {
                let at = random.below(bytes.len() as u64) as usize;
                broken[at] = random.bits() as u8;
            }
            decode(&broken, &mut read);
        }
    }
}
