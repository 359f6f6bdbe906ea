//! Random boards: some random valid swipes from the start board.

use std::io;

use super::answer::write_board;
use crate::board::sliding::Direction;
use crate::board::swipe::Board;
use crate::solver::{DirectiveRule, Kind, OptionSpec, Options, Random};

/// Options of the generator.
pub(super) const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "size",
        kind: Kind::Integer { min: 2, max: 64 },
        default: "4",
        help: "squares on a side",
        directive: DirectiveRule::Free,
    },
    OptionSpec {
        name: "moves",
        kind: Kind::Integer { min: 0, max: 1_000_000 },
        default: "40",
        help: "random valid swipes from the start board; fewer where no swipe is valid any more",
        directive: DirectiveRule::Free,
    },
];

/// Writes `count` boards. Each swipe is drawn from the valid ones, each equally likely.
pub(super) fn generate(
    options: &Options,
    count: u64,
    random: &mut Random,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let size = options.integer("size").unwrap_or(4) as usize;
    let moves = options.integer("moves").unwrap_or(40);
    for _ in 0..count {
        let mut board = Board::start(size);
        for _ in 0..moves {
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
