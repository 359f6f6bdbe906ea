//! Writes new games with consecutive seeds, to be played by the program.

use std::io::{self, Write};
use std::iter::repeat_n;

use crate::board::Rows;
use crate::solver::{OptionKey, OptionSpec, Options, Random, Values};

const SIZE: OptionKey<u64> = Values::integer(2..=1000).option("size", "4", "squares on a side of the board");

/// The options of the generator.
pub const OPTIONS: &[OptionSpec] = &[SIZE.spec];

/// Writes `count` new games with `AUTO`. The first seed is a random number below a million, every other one
/// more than the one before.
///
/// # Errors
/// Those of `out`.
pub fn generate(options: &Options, count: u64, random: &mut Random, out: &mut dyn Write) -> io::Result<()> {
    let size = options.get(SIZE);
    let first = random.below(1_000_000);
    for game in 0..count {
        let (seed, squares) = (first.wrapping_add(game), repeat_n(0, (size * size) as usize));
        write!(out, "{size} {seed}\n{}AUTO\n", Rows(size as usize, squares))?;
    }
    Ok(())
}
