//! Random boards: some random valid swipes from the start board.

use std::io;

use super::answer::write_board;
use crate::board::sliding::Direction;
use crate::board::swipe::Board;
use crate::solver::{OptionKey, OptionSpec, Options, Random, Values};

const SIZE: OptionKey<u64> = Values::integer(2..=64).option("size", "4", "squares on a side");

const MOVES: OptionKey<u64> = Values::integer(0..=1_000_000).option(
    "moves",
    "40",
    "random valid swipes from the start board; fewer where no swipe is valid any more",
);

/// Options of the generator.
pub(super) const OPTIONS: &[OptionSpec] = &[SIZE.spec, MOVES.spec];

/// Writes `count` boards. Each swipe is drawn from the valid ones, each equally likely.
pub(super) fn generate(
    options: &Options,
    count: u64,
    random: &mut Random,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    for _ in 0..count {
        let mut board = Board::start(options.get(SIZE) as usize);
        for _ in 0..options.get(MOVES) {
            let mut next: Vec<(Direction, Board)> = board.neighbours().collect();
            if next.is_empty() {
                break;
            }
            board = next.swap_remove(random.below(next.len() as u64) as usize).1;
        }
        write_board(board.squares(), out)?;
    }
    Ok(())
}
