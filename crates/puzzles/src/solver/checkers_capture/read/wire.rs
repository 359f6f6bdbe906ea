//! The form in which a board travels: its sides, and five squares a byte, as digits of a number to the base 3.

use serde::{Deserialize, Serialize};

use super::header::Size;
use crate::board::checkers::{CheckersBoard, OPPONENT, OWN};
use crate::solver::WireError;
use crate::solver::wire::{decode, encode};

/// Squares a byte.
const DIGITS: usize = 5;
/// What stands on a square: a digit.
const BASE: u8 = 3;

#[derive(Serialize, Deserialize)]
struct Form<'a> {
    rows: u64,
    columns: u64,
    squares: &'a [u8],
}

/// A board as bytes.
pub fn to_wire(board: &CheckersBoard) -> Vec<u8> {
    // The first square is the lowest digit.
    let packed = |squares: &[u8]| squares.iter().rev().fold(0, |byte, square| BASE * byte + square);
    let squares: Vec<u8> = board.squares().chunks(DIGITS).map(packed).collect();
    encode(&Form { rows: board.rows() as u64, columns: board.columns() as u64, squares: &squares })
}

/// The board that these bytes are, under the `published` limits or any, of at most so many squares.
///
/// # Errors
/// What is wrong with them.
pub fn of_wire(wire: &[u8], published: bool, squares_max: u64) -> Result<CheckersBoard, WireError> {
    let Form { rows, columns, squares: packed } = decode(wire)?;
    let (size, count) = (Size { rows, columns }, CheckersBoard::playable(rows, columns));
    WireError::unless(size.is_allowed(published), "sides that no board has")?;
    let is_whole = count <= u128::from(squares_max) && count.div_ceil(DIGITS as u128) == packed.len() as u128;
    WireError::unless(is_whole, "another number of squares than its sides say")?;
    // There are a fifth as many bytes, and they are there.
    let count = count as usize;
    let mut squares = Vec::with_capacity(packed.len() * DIGITS);
    for &byte in packed {
        let mut rest = byte;
        for _ in 0..DIGITS {
            squares.push(rest % BASE);
            rest /= BASE;
        }
        WireError::unless(rest == 0, "squares that are none")?;
    }
    let is_filled = squares[count..].iter().all(|&digit| digit == 0);
    WireError::unless(is_filled, "squares behind the last one")?;
    squares.truncate(count);
    // Neither side is above the number of squares twice over.
    let board = CheckersBoard::new(rows as usize, columns as usize, squares);
    let is_allowed = |piece| board.count(piece) as u64 <= size.pieces_max(published);
    WireError::unless(is_allowed(OWN) && is_allowed(OPPONENT), "more pieces than a player has")?;
    Ok(board)
}
