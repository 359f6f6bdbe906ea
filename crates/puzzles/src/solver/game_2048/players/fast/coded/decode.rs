//! Reading weights.

use super::model::{CONTEXTS, SCALE_BITS, STATE_MIN, SYMBOLS, TABLE, guess, place_context, shape, unfolded};

/// All occurrences of a context together.
const SCALE: usize = 1 << SCALE_BITS;

/// Puts the weights in `bytes` into `table`, which has [`TABLE`] of them, all 0 before. Broken bytes give other weights, or
/// fewer; nothing worse.
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
    /// The first slot of each symbol, and how many it has.
    symbols: [(u16, u16); SYMBOLS],
}

impl Context {
    /// Of the occurrences of each symbol, 2 bytes each.
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

/// What is left of the words, and the state of the coder.
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

    /// The next word; 0 when there is none.
    fn word(&mut self) -> u64 {
        self.words.next().map_or(0, |word| u64::from(u32::from_le_bytes(*word)))
    }

    /// Goes on to another state.
    #[inline]
    fn become_state(&mut self, state: u64) {
        self.state = state;
        if state < STATE_MIN {
            self.state = state << 32 | self.word();
        }
    }

    /// The next number.
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
