//! A tile of 8 × 8 points in a word: bit 8·l + p is the point on line l and place p.

/// Lines and places from the first to the last, both included.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rectangle {
    pub(super) lines: (u32, u32),
    pub(super) places: (u32, u32),
}

/// The first place of every line.
pub(super) const FIRST_PLACES: u64 = 0x0101_0101_0101_0101;

/// The bits of a tile that stand for something which overlaps the area.
pub(super) fn cover(level: u32, (row, tile): (u32, u32), area: Rectangle) -> u64 {
    let shift = 3 * level;
    let clip = |(low, high): (u32, u32), first: u32| {
        ((low >> shift).max(first) - first, (high >> shift).min(first + 7) - first)
    };
    let (top, bottom) = clip(area.lines, 8 * row);
    let (left, right) = clip(area.places, 8 * tile);
    let rows = u64::MAX << (8 * top) & u64::MAX >> (56 - 8 * bottom);
    rows & (span(left, right) * FIRST_PLACES)
}

/// The bits of the places from `first` to `last` on the first line of a tile.
pub(super) fn span(first: u32, last: u32) -> u64 {
    0xff << first & 0xff >> (7 - last)
}

/// The places that occur on any line.
pub(super) fn fold(mut word: u64) -> u64 {
    word |= word >> 32;
    word |= word >> 16;
    word |= word >> 8;
    word & 0xff
}

/// Bit k of eight moves to the first place of line k.
pub(super) fn spread(bits: u64) -> u64 {
    // Copies of the lower seven bits at distances of seven do not touch each other.
    (bits & 0x7f).wrapping_mul(0x0002_0408_1020_4081) & FIRST_PLACES | (bits & 0x80) << 49
}

/// The first place of every line that has a bit.
pub(super) fn any_in_line(mut word: u64) -> u64 {
    word |= (word >> 4) & (0x0f * FIRST_PLACES);
    word |= (word >> 2) & (0x03 * FIRST_PLACES);
    word |= word >> 1;
    word & FIRST_PLACES
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::Random;

    #[test]
    fn bits_of_tiles_are_moved_right() {
        let mut random = Random::new(1);
        for _ in 0..2000 {
            let word = random.bits() & random.bits() & random.bits() & random.bits();
            let has = |line: u32, place: u32| word >> (8 * line + place) & 1;
            let set =
                |bits: &mut dyn Iterator<Item = (u32, u64)>| bits.fold(0, |set, (at, bit)| set | bit << at);
            let line = |l: u32| (0..8).map(|p| has(l, p)).max().unwrap();
            let place = |p: u32| (0..8).map(|l| has(l, p)).max().unwrap();
            assert_eq!(any_in_line(word), set(&mut (0..8).map(|l| (8 * l, line(l)))));
            assert_eq!(fold(word), set(&mut (0..8).map(|p| (p, place(p)))));
            assert_eq!(spread(word & 0xff), set(&mut (0..8).map(|p| (8 * p, has(0, p)))));
        }
    }
}
