//! Encodes weights in few bytes: the inverse of `decode`. The tests of the player include this file.

use super::coded::{CONTEXTS, SCALE_BITS, SMALL, STATE_MIN, SYMBOLS, guess, place_context, shape};

/// Encodes all weights of a table that are not 0.
pub fn encode(table: &[i16]) -> Vec<u8> {
    let numbers = numbers(table);
    let mut counts = vec![[0_u64; SYMBOLS]; CONTEXTS];
    for &(context, number) in &numbers {
        counts[context][usize::from(symbol(number))] += 1;
    }
    let occurrences: Vec<_> = counts.iter().map(scaled).collect();
    let words = words(&numbers, &occurrences);
    let mut bytes = Vec::with_capacity(4 * words.len());
    bytes.extend(((numbers.len() / 2) as u32).to_le_bytes());
    bytes.extend(occurrences.iter().flatten().flat_map(|occurrences| (*occurrences as u16).to_le_bytes()));
    bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    bytes
}

/// Returns the numbers to encode, each with its context: of each weight its place, then its value.
fn numbers(table: &[i16]) -> Vec<(usize, u32)> {
    let mut numbers = Vec::new();
    let (mut next, mut gap) = (0, 0);
    for (at, &weight) in table.iter().enumerate().filter(|&(_, &weight)| weight != 0) {
        let context = place_context(gap);
        gap = (at - next) as u32;
        numbers.push((context, gap));
        let (expected, context) = guess(table, at);
        numbers.push((context, folded(i32::from(weight) - expected)));
        next = at + 1;
    }
    numbers
}

/// Scales counts to parts of 4096. A symbol that occurs gets at least one part.
fn scaled(counts: &[u64; SYMBOLS]) -> [u64; SYMBOLS] {
    let (all, scale) = (counts.iter().sum::<u64>().max(1), 1 << SCALE_BITS);
    let mut scaled = counts.map(|count| if count == 0 { 0 } else { (count * scale / all).max(1) });
    // The largest part takes or gives the difference. It can spare it, because there are few symbols.
    while scaled.iter().any(|&part| part > 0) && scaled.iter().sum::<u64>() != scale {
        let sum = scaled.iter().sum::<u64>();
        let largest = scaled.iter().enumerate().max_by_key(|&(_, part)| *part).map_or(0, |(at, _)| at);
        scaled[largest] = if sum < scale { scaled[largest] + scale - sum } else { scaled[largest] - 1 };
    }
    scaled
}

/// Returns the words of these numbers, from last to first, because the decoder returns the last number first.
fn words(numbers: &[(usize, u32)], occurrences: &[[u64; SYMBOLS]]) -> Vec<u32> {
    let firsts: Vec<[u64; SYMBOLS]> = occurrences
        .iter()
        .map(|occurrences| std::array::from_fn(|symbol| occurrences[..symbol].iter().sum()))
        .collect();
    let mut words = Vec::new();
    let mut state = STATE_MIN;
    let mut make_room = |state: u64, parts: u64, scale_bits: u32| {
        // Afterwards the state is below 2⁶³ / parts · 2^scale_bits, so that it does not outgrow 64 bits.
        let is_large = state >= ((STATE_MIN >> scale_bits) << 32) * parts;
        if is_large {
            words.push(state as u32);
        }
        if is_large { state >> 32 } else { state }
    };
    for &(context, number) in numbers.iter().rev() {
        let symbol = symbol(number);
        let (least, bits) = shape(symbol);
        if bits > 0 {
            state = make_room(state, 1, bits) << bits | u64::from(number - least);
        }
        let parts = occurrences[context][usize::from(symbol)];
        state = make_room(state, parts, SCALE_BITS);
        state = ((state / parts) << SCALE_BITS) + firsts[context][usize::from(symbol)] + state % parts;
    }
    words.extend([state as u32, (state >> 32) as u32]);
    words.reverse();
    words
}

/// Returns the symbol of a number below 2²⁴. [`shape`] returns how many of its bits follow.
fn symbol(number: u32) -> u8 {
    if number < SMALL {
        return number as u8;
    }
    let bits = number.ilog2();
    (SMALL + 4 * (bits - 4) + (number >> (bits - 2) & 3)) as u8
}

/// Maps a signed difference to an unsigned number.
fn folded(difference: i32) -> u32 {
    (difference << 1 ^ difference >> 31).cast_unsigned()
}
