//! A capture: what a search gives, the longest one, or what is proved if a limit interrupted it; and one that is played square by
//! square.

use std::collections::HashSet;

use crate::board::checkers::{CheckersBoard, DIAGONALS, EMPTY, Jump, OPPONENT, OWN};
use crate::solver::Stop;

/// The longest capture found.
#[derive(Debug, Default)]
pub struct Best {
    /// How many pieces it takes.
    pub captures: u64,
    /// The squares of the capturing piece by index, the first its start; empty if they are not wanted or a limit refused them, and
    /// if there is no capture.
    pub path: Vec<usize>,
}

/// A search that a limit ended.
#[derive(Debug)]
pub struct Interrupted {
    /// The limit.
    pub stop: Stop,
    /// The longest capture found until then.
    pub best: Best,
    /// No capture is longer.
    pub at_most: u64,
}

impl Interrupted {
    /// Returns what `stop` left: `best`, and the proof that no capture is longer than `at_most`.
    pub fn new(stop: Stop, best: Best, at_most: u64) -> Self {
        Self { stop, at_most: at_most.max(best.captures), best }
    }
}

/// A square by its row and column, which may lie anywhere.
pub type Square = (usize, usize);

/// A piece that was moved along squares.
#[derive(Debug, Default)]
pub struct Played {
    /// The jumps that the rules allow, to the first that they do not.
    pub jumps: Vec<Jump>,
    /// The first square that breaks a rule, by its place among the squares.
    pub fault: Option<(usize, Fault)>,
}

/// Which rule a square breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// It is not on the board, or not played on.
    OffBoard,
    /// It is the first one, and nothing to move stands there.
    WithoutPiece,
    /// Nothing is taken on the way there.
    WithoutCapture,
}

/// Moves the piece on the first of some squares along the others; a piece that is taken leaves the board at once.
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
    for (number, pair) in (1..).zip(squares.windows(2)) {
        let Some(to) = index(board, pair[1]) else {
            played.fault = Some((number, Fault::OffBoard));
            break;
        };
        let direction = (pair[1].0.cmp(&pair[0].0) as isize, pair[1].1.cmp(&pair[0].1) as isize);
        let way = if DIAGONALS.contains(&direction) { board.way(at, direction) } else { None };
        let is_capture = |jump: &Jump| {
            let is_empty = board.squares()[to] == EMPTY || to == start;
            jump.to == to && is_empty && board.squares()[jump.over] == OPPONENT
        };
        let Some(jump) = way.filter(is_capture).filter(|jump| taken.insert(jump.over)) else {
            played.fault = Some((number, Fault::WithoutCapture));
            break;
        };
        played.jumps.push(jump);
        at = to;
    }
    played
}

/// Returns the index of a square that is played on.
pub fn index(board: &CheckersBoard, (row, column): Square) -> Option<usize> {
    let is_inside = row < board.rows() && column < board.columns() && (row + column).is_multiple_of(2);
    is_inside.then(|| board.index(row, column))
}
