//! Values boards by the points they still promise: an n-tuple network, learned by playing.
//!
//! The value of a board is a sum of weights, one for the tiles on each of several groups of squares. Each group
//! (*tuple*) is read in all eight turns and reflections of the board, with the same weights. The idea and the training
//! are those of Szubert and Jaśkowski, Temporal Difference Learning of N-Tuple Networks for the Game 2048 (2014), and
//! Jaśkowski, Mastering 2048 (2016): the program plays against itself, and after each game it adjusts every weight a
//! little so that the value of a board agrees better with the points of the next move and the value after it.
//! `examples/train_2048` did so and wrote `weights.bin`.
//!
//! The tuples have six squares, so each table has 16 million weights, most of them for tiles that never occur. The file
//! has only the weights learned most about, in steps of some points ([`coded`](super::coded)). The others are 0, as
//! before the training.

use std::sync::{LazyLock, Mutex, PoisonError};
use std::thread;

use super::coded::{TABLE, decode};
use crate::board::packed::PackedBoard;

/// The number of tuples.
const TUPLES: usize = 4;
/// Bytes of the network. All games share it. It is charged to no game, or games would wait for each other.
pub const SHARED_BYTES: u64 = 128 << 20;
const _: () = assert!(SHARED_BYTES == (TUPLES * TABLE * size_of::<i16>()) as u64, "two bytes a weight");

/// The learned weights: the points of a step as 2 bytes, low byte first; then for each tuple its length in bytes, as 4
/// bytes, and its bytes.
static FILE: &[u8] = tabuleiro_weights::WEIGHTS;

/// Decoded once, at the first use.
static TRAINED: LazyLock<Network> = LazyLock::new(|| Network::unpacked(FILE));

/// A network that values boards.
pub struct Network {
    /// All weights in steps, one table after the other. The system only provides memory for pages that hold a weight.
    steps: Box<[i16]>,
    /// The points of a step.
    points: i32,
}

impl Network {
    /// Returns the network that is built in.
    pub fn trained() -> &'static Self {
        &TRAINED
    }

    /// Decodes the network of a file; weights that it leaves out are 0.
    fn unpacked(file: &[u8]) -> Self {
        let (points, tuples) = parts(file);
        let mut steps = vec![0; TUPLES * TABLE].into_boxed_slice();
        let left = Mutex::new(tuples.into_iter().zip(steps.chunks_mut(TABLE)));
        let next = || left.lock().unwrap_or_else(PoisonError::into_inner).next();
        let decode_all = || {
            while let Some((bytes, table)) = next() {
                decode(bytes, table);
            }
        };
        // A tuple takes some ten milliseconds. If no thread can be started, this one decodes all tuples.
        thread::scope(|scope| {
            for _ in 1..TUPLES {
                drop(thread::Builder::new().spawn_scoped(scope, decode_all));
            }
            decode_all();
        });
        Self { steps, points }
    }

    /// Returns the expected points still to be made on `board`, on which a new piece is due.
    pub fn value(&self, board: PackedBoard) -> f32 {
        let mut sum = 0;
        for turn in [board, board.transposed()] {
            for turn in [turn, turn.mirrored()] {
                for turn in [turn, turn.upside_down()] {
                    for weight in weights_of(turn) {
                        sum += i32::from(self.steps[weight]);
                    }
                }
            }
        }
        (sum * self.points) as f32
    }
}

/// Returns the indices of the weights for the tiles on each tuple. The ranks on its squares are the digits, the first
/// one lowest. The tuples are a row and the first two squares of the row below, for the outer row and the next one, and
/// three squares with the three below them, for the same two rows.
fn weights_of(board: PackedBoard) -> [usize; 4] {
    let row = |shift: u32| (board.bits() >> shift) as usize % TABLE;
    let block = |shift: u32| row(shift) & 0xFFF | (row(shift + 16) & 0xFFF) << 12;
    [row(0), TABLE + row(16), 2 * TABLE + block(0), 3 * TABLE + block(16)]
}

/// Returns the points of a step, and the bytes of each tuple.
fn parts(file: &[u8]) -> (i32, [&[u8]; TUPLES]) {
    let (points, mut rest) = file.split_first_chunk().unwrap_or((&[0; 2], &[]));
    let tuples = std::array::from_fn(|_| {
        let (length, after) = rest.split_first_chunk().unwrap_or((&[0; 4], &[]));
        let (tuple, after) = after.split_at(after.len().min(u32::from_le_bytes(*length) as usize));
        rest = after;
        tuple
    });
    (i32::from(u16::from_le_bytes(*points)), tuples)
}

#[cfg(test)]
mod tests {
    use super::super::encode::encode;
    use super::*;
    use crate::board::sliding::SlidingBoard;
    use crate::solver::Random;

    /// Returns the value by its definition: every tuple on every turn of the board, each weight looked up by its ranks.
    fn defined_value(network: &Network, ranks: &[u8]) -> i32 {
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
                sum += network.points * i32::from(network.steps[index]);
                table += 1 << 24;
            }
        }
        sum
    }

    #[test]
    fn the_value_is_as_it_is_defined() {
        let network = Network::trained();
        let mut random = Random::new(3);
        let mut different_from_0 = 0;
        for round in 0..2_000 {
            let ranks: Vec<u8> = (0..16).map(|_| random.below([4, 8, 15][round % 3]) as u8).collect();
            let board = PackedBoard::from_sliding(&SlidingBoard::new(4, ranks.clone())).unwrap();
            let expected = defined_value(network, &ranks);
            assert_eq!(network.value(board).to_bits(), (expected as f32).to_bits());
            different_from_0 += u32::from(expected != 0);
        }
        assert!(different_from_0 > 1_000);
    }

    #[test]
    fn the_file_is_whole() {
        let (points, tuples) = parts(FILE);
        assert!(points > 0);
        assert_eq!(2 + tuples.iter().map(|tuple| 4 + tuple.len()).sum::<usize>(), FILE.len());
        for (tuple, table) in tuples.iter().zip(Network::trained().steps.chunks(TABLE)) {
            // The decoded weights are all that the file has, and those that were written.
            let weights = table.iter().filter(|&&steps| steps != 0).count();
            assert_eq!(Some(&(weights as u32).to_le_bytes()), tuple.first_chunk());
            assert!(encode(table) == *tuple);
        }
        assert!(FILE.len() < 8_000_000);
    }

    #[test]
    fn a_file_that_is_not_whole_gives_fewer_weights() {
        for length in [0, 1, 2, 5, 100, 50_000] {
            let network = Network::unpacked(&FILE[..length]);
            assert_eq!(network.steps.len(), TUPLES * TABLE);
        }
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
