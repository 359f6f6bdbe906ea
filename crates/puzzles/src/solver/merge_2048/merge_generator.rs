//! Random cases: one power of two, split at random into tiles that are shuffled over the board.
//!
//! Splitting preserves the one necessary condition, so most cases are worth a search. In one case in ten a tile is
//! doubled, which breaks the condition.

use std::io;

use super::merge_options::{M_MAX, N_MAX};
use crate::board::Rows;
use crate::solver::{OptionKey, OptionSpec, Options, Out, Random, Values};

/// The sizes that `random` chooses from.
const SIZES: (u64, u64) = (3, 6);
/// The most tiles that `random` chooses; cases with more tiles take long.
const TILES_RANDOM_MAX: u64 = 24;
/// The last tile is doubled at most this often beyond what the number of tiles demands.
const DOUBLINGS_MAX: u64 = 4;

const SIZE: OptionKey<Option<u64>> = Values::integer_or(&["random"], 1..=N_MAX).option(
    "size",
    "random",
    "squares on a side; random is 3 to 6, anew for each case",
);

const TILES: OptionKey<Option<u64>> = Values::integer_or(&["random"], 1..=N_MAX * N_MAX).option(
    "tiles",
    "random",
    "tiles, as many as there are squares at most; random is 2 to all squares, at most 24, anew for each case",
);

/// The options of the generator.
pub(super) const OPTIONS: &[OptionSpec] = &[SIZE.spec, TILES.spec];

/// Writes `count` cases.
pub(super) fn generate(options: &Options, count: u64, random: &mut Random, out: Out<'_>) -> io::Result<()> {
    writeln!(out, "{count}")?;
    for _ in 0..count {
        let size = options.get(SIZE).unwrap_or_else(|| random.between(SIZES.0, SIZES.1));
        let area = size * size;
        let tiles = match options.get(TILES) {
            Some(tiles) => tiles.min(area),
            None => random.between(area.min(2), area.min(TILES_RANDOM_MAX)),
        };
        let squares = case(area, tiles, random);
        write!(out, "{size} {M_MAX}\n{}", Rows(size as usize, squares.iter()))?;
    }
    Ok(())
}

/// Returns the values of one case's squares; 1 ≤ `tiles` ≤ `area`.
pub(super) fn case(area: u64, tiles: u64, random: &mut Random) -> Vec<u64> {
    let whole = tiles.next_power_of_two() << random.below(DOUBLINGS_MAX + 1);
    let mut squares = vec![whole];
    while (squares.len() as u64) < tiles {
        // There are fewer tiles than units, so some tile can be halved.
        let at = random.below(squares.len() as u64) as usize;
        if squares[at] > 1 {
            squares[at] /= 2;
            squares.push(squares[at]);
        }
    }
    if random.below(10) == 0 {
        let at = random.below(tiles) as usize;
        squares[at] *= 2;
    }
    squares.resize(area as usize, 0);
    random.shuffle(&mut squares);
    squares
}
