//! Boards for the tests of graphs and of the modules that use them.

use crate::board::checkers::{CheckersBoard, EMPTY, OPPONENT, OWN};
use crate::solver::Random;

/// Draws a square board with one own piece at `own`. Its side, and the percentage of squares on even rows that hold an
/// opponent piece, are drawn from the ranges `sides` and `percent`.
pub fn lattice(
    random: &mut Random,
    sides: (u64, u64),
    percent: (u64, u64),
    own: (usize, usize),
) -> CheckersBoard {
    let side = random.between(sides.0, sides.1) as usize;
    let fill = random.between(percent.0, percent.1) as f64 / 100.0;
    let row = |row: usize| (row % 2..side).step_by(2).map(move |column| (row, column));
    let squares = (0..side).flat_map(row).map(|(row, column)| match (row, column) {
        place if place == own => OWN,
        _ if row % 2 == 0 && random.chance(fill) => OPPONENT,
        _ => EMPTY,
    });
    let squares = squares.collect();
    CheckersBoard::new(side, side, squares)
}
