//! The result of a search: the longest capture, or what is proved if a limit ends the search. [`play`] replays a given
//! capture square by square.

use std::collections::HashSet;

use crate::board::checkers::{CheckersBoard, Jump, OWN};
use crate::solver::Stop;

/// The longest capture found.
#[derive(Debug, Default)]
pub struct Best {
    pub captures: u64,
    /// The indices of the squares that the capturing piece visits, its start first. Empty if there is no capture, if
    /// the caller did not ask for the squares, or if there was no memory for them.
    pub path: Vec<usize>,
}

/// What is known after a limit ended a search.
#[derive(Debug)]
pub struct Interrupted {
    pub stop: Stop,
    /// The longest capture found before the limit.
    pub best: Best,
    /// No capture on the board is longer.
    pub at_most: u64,
}

impl Interrupted {
    /// Creates the result of a search. It found `best` and proved the upper bound `at_most` before `stop` ended it.
    pub fn new(stop: Stop, best: Best, at_most: u64) -> Self {
        Self { stop, at_most: at_most.max(best.captures), best }
    }
}

/// A square as (row, column), which can lie off the board.
pub type Square = (usize, usize);

/// The moves of a piece along given squares.
#[derive(Debug, Default)]
pub struct Played {
    /// The legal jumps before the first illegal one.
    pub jumps: Vec<Jump>,
    /// The index in the path of the first square that breaks a rule, and the rule.
    pub fault: Option<(usize, Fault)>,
}

/// Which rule a square breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The square is off the board, or is not playable.
    OffBoard,
    /// The first square holds no own piece.
    WithoutPiece,
    /// The move to this square captures nothing.
    WithoutCapture,
}

/// Moves the piece on the first square along the others. A captured piece leaves the board at once.
pub fn play(board: &CheckersBoard, squares: &[Square]) -> Played {
    let mut played = Played::default();
    let Some(&first) = squares.first() else { return played };
    let start = match index(board, first) {
        Some(start) if board.squares()[start] == OWN => start,
        found => {
            let fault = if found.is_some() { Fault::WithoutPiece } else { Fault::OffBoard };
            return Played { fault: Some((0, fault)), ..played };
        }
    };
    let (mut at, mut taken) = (start, HashSet::new());
    for (number, &square) in (1..).zip(&squares[1..]) {
        let Some(to) = index(board, square) else {
            played.fault = Some((number, Fault::OffBoard));
            break;
        };
        let capture = board.jumps(start, at).find(|jump| jump.to == to);
        let Some(jump) = capture.filter(|jump| taken.insert(jump.over)) else {
            played.fault = Some((number, Fault::WithoutCapture));
            break;
        };
        played.jumps.push(jump);
        at = to;
    }
    played
}

/// Returns the index of a square; `None` if it is off the board or not playable.
pub fn index(board: &CheckersBoard, (row, column): Square) -> Option<usize> {
    let is_inside = row < board.rows() && column < board.columns() && (row + column).is_multiple_of(2);
    is_inside.then(|| board.index(row, column))
}
