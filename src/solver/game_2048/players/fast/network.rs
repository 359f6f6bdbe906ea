//! How many points a board still promises: an n-tuple network, learned by playing.
//!
//! The value of a board is a sum of weights, one for what stands on each of a number of groups of squares. A
//! group (*tuple*) is looked at in all eight turns and reflections of the board, with the same weights. The
//! idea and the learning are those of Szubert and Jaśkowski, Temporal Difference Learning of N-Tuple Networks
//! for the Game 2048 (2014), and Jaśkowski, Mastering 2048 (2016): the program plays against itself, and after
//! each game every weight is moved a little so that the value of a board agrees better with the points of
//! the next move and the value after it. `examples/train_2048.rs` did so and wrote `weights.bin`; how, stands
//! there and in `docs/performance/2048-game.md`.
//!
//! The tuples have six squares, and so tables of 16 million weights each, of which most are for what never
//! occurs. The file has only the weights that matter most, in a byte each: those with the largest product of
//! how much was learned about them and their square. The others are 0, as they were before the learning.

use std::sync::LazyLock;

use crate::board::packed::PackedBoard;

/// Weights of a tuple.
const TABLE: usize = 1 << 24;
const WEIGHTS: usize = 4 * TABLE;

/// The points that the largest byte stands for. A byte b stands for its square, b² / 127² of this, so that
/// small weights are finer than large ones.
const POINTS_MAX: i32 = 20_000;

/// What was learned: how many weights there are as 4 bytes, low byte first; for each the distance from the
/// weight before it (the first: from weight 0) in groups of 7 bits, the low ones first, with the high bit set
/// in all but the last; then the byte of each.
static FILE: &[u8] = include_bytes!("weights.bin");

/// Made once, at the first use, and shared by all games: 64 MiB, which none of them is charged with.
static TRAINED: LazyLock<Network> = LazyLock::new(|| Network::unpacked(FILE));

/// A network that values boards.
pub struct Network {
    /// The bytes of all weights, one table after the other; the system gives memory only to the parts of it
    /// that hold one.
    bytes: Box<[i8]>,
    /// What each byte stands for, in points.
    points: [i32; 256],
}

impl Network {
    /// The network that is built in.
    pub fn trained() -> &'static Self {
        &TRAINED
    }

    /// The network of a file; weights that it leaves out are 0.
    fn unpacked(file: &[u8]) -> Self {
        let points = std::array::from_fn(|byte| {
            let root = i32::from((byte as u8).cast_signed());
            POINTS_MAX * root * root.abs() / (127 * 127)
        });
        let mut bytes = vec![0; WEIGHTS].into_boxed_slice();
        for (at, byte) in entries(file) {
            if let Some(weight) = bytes.get_mut(at) {
                *weight = byte;
            }
        }
        Self { bytes, points }
    }

    /// The points that are still to be expected on `board`, on which a new piece is due.
    pub fn value(&self, board: PackedBoard) -> f32 {
        let mut sum = 0;
        for turn in [board, board.transposed()] {
            for turn in [turn, turn.mirrored()] {
                for turn in [turn, turn.upside_down()] {
                    for weight in weights_of(turn) {
                        sum += self.points[usize::from(self.bytes[weight].cast_unsigned())];
                    }
                }
            }
        }
        sum as f32
    }
}

/// The weights for what stands on each tuple, by the ranks on its squares, the first one lowest: a row and two squares
/// below its beginning, for the outer row and the next one; and three squares with the three below them, likewise.
fn weights_of(board: PackedBoard) -> [usize; 4] {
    let row = |shift: u32| (board.bits() >> shift) as usize % TABLE;
    let block = |shift: u32| row(shift) & 0xFFF | (row(shift + 16) & 0xFFF) << 12;
    [row(0), TABLE + row(16), 2 * TABLE + block(0), 3 * TABLE + block(16)]
}

/// The weights in a file, each with its place.
fn entries(file: &[u8]) -> impl Iterator<Item = (usize, i8)> {
    let (count, rest) = file.split_at(file.len().min(4));
    let count = count.iter().rev().fold(0, |count, &byte| count << 8 | usize::from(byte));
    let (gaps, bytes) = rest.split_at(rest.len().saturating_sub(count));
    let mut at = 0;
    let mut gaps = gaps.iter();
    bytes.iter().map_while(move |&byte| {
        let mut shift = 0;
        loop {
            let group = *gaps.next()?;
            at += usize::from(group & 127) << shift;
            shift += 7;
            if group < 128 {
                return Some((at, byte.cast_signed()));
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::board::sliding::SlidingBoard;
    use crate::solver::Random;

    /// The value as it is defined: every tuple on every turn of the board, each weight looked up by its ranks.
    fn defined_value(weights: &HashMap<usize, i32>, ranks: &[u8]) -> i32 {
        let tuples = [[0, 1, 2, 3, 4, 5], [4, 5, 6, 7, 8, 9], [0, 1, 2, 4, 5, 6], [4, 5, 6, 8, 9, 10]];
        let mut sum = 0;
        for turn in 0..8 {
            let turned: Vec<u8> = (0..16)
                .map(|square| {
                    let (row, column) = (square / 4, square % 4);
                    let (row, column) = if turn & 1 == 1 { (column, row) } else { (row, column) };
                    let row = if turn & 2 == 2 { 3 - row } else { row };
                    ranks[4 * row + if turn & 4 == 4 { 3 - column } else { column }]
                })
                .collect();
            let mut table = 0;
            for tuple in tuples {
                let digits = tuple.iter().rev().map(|&square: &usize| usize::from(turned[square]));
                let index = table + digits.fold(0, |index, digit| 16 * index + digit);
                sum += weights.get(&index).copied().unwrap_or(0);
                table += 1 << 24;
            }
        }
        sum
    }

    #[test]
    fn the_value_is_as_it_is_defined() {
        let in_points = |byte: i8| 20_000 * i32::from(byte) * i32::from(byte).abs() / (127 * 127);
        let weights = entries(FILE).map(|(at, byte)| (at, in_points(byte))).collect();
        let network = Network::trained();
        let mut random = Random::new(3);
        let mut different_from_0 = 0;
        for round in 0..2_000 {
            let ranks: Vec<u8> = (0..16).map(|_| random.below([4, 8, 15][round % 3]) as u8).collect();
            let board = PackedBoard::from_sliding(&SlidingBoard::new(4, ranks.clone())).unwrap();
            let expected = defined_value(&weights, &ranks);
            assert_eq!(network.value(board).to_bits(), (expected as f32).to_bits());
            different_from_0 += u32::from(expected != 0);
        }
        assert!(different_from_0 > 1_000);
    }

    #[test]
    fn the_file_is_whole() {
        let (count, rest) = FILE.split_first_chunk::<4>().unwrap();
        let count = u32::from_le_bytes(*count) as usize;
        let (gaps, bytes) = rest.split_at(rest.len() - count);
        assert_eq!(gaps.iter().filter(|&&group| group < 128).count(), count);
        assert!(bytes.iter().all(|&byte| byte != 0));
        let places: Vec<usize> = entries(FILE).map(|(at, _)| at).collect();
        assert_eq!(places.len(), count);
        assert!(places.is_sorted_by(|a, b| a < b) && places.last().is_some_and(|&last| last < WEIGHTS));
        assert!(FILE.len() < 700_000);
    }

    #[test]
    fn order_is_worth_points() {
        let value = |ranks: [u8; 16]| {
            Network::trained()
                .value(PackedBoard::from_sliding(&SlidingBoard::new(4, ranks.to_vec())).unwrap())
        };
        let ordered = value([9, 8, 7, 6, 2, 3, 4, 5, 1, 1, 0, 0, 0, 0, 0, 0]);
        let scattered = value([1, 9, 0, 5, 7, 2, 8, 0, 0, 6, 1, 3, 4, 0, 0, 0]);
        assert!(ordered > scattered + 1_000.0, "{ordered} {scattered}");
    }
}
