//! The first published algorithm: walks every path from every own piece.
//!
//! It takes a captured piece off the board, goes on from there, and puts it back. The path is a stack of
//! its own, so that no board is too deep for the thread.

use crate::board::checkers::{CheckersBoard, DIAGONALS, EMPTY, OPPONENT, OWN};
use crate::solver::checkers_capture::capture::{Best, Interrupted};
use crate::solver::{Budget, Charge, ChargedVec, Pace, Stop};

/// A square of the path at hand.
struct Visit {
    square: usize,
    /// The square of the piece captured on the way here; the start's own for the start.
    over: usize,
    /// How many directions from here were tried.
    tried: usize,
}

/// The longest capture on `board`, with its path if `witness`.
///
/// # Errors
/// The limit that ended the search, and what was proved until then.
pub fn solve(board: &CheckersBoard, witness: bool, budget: &Budget) -> Result<Best, Interrupted> {
    let mut best = Best::default();
    let at_most = board.count(OPPONENT) as u64;
    match walk_all(board, witness, budget, &mut best) {
        Ok(()) => Ok(best),
        Err(stop) => Err(Interrupted::new(stop, best, at_most)),
    }
}

fn walk_all(board: &CheckersBoard, witness: bool, budget: &Budget, best: &mut Best) -> Result<(), Stop> {
    let _board = Charge::new(board.squares().len() as u64, budget)?;
    let mut board = board.clone();
    let mut path = ChargedVec::new(budget);
    let mut pace = Pace::new(budget);
    for start in 0..board.squares().len() {
        pace.count(1)?;
        if board.squares()[start] != OWN {
            continue;
        }
        board.squares_mut()[start] = EMPTY;
        path.push(Visit { square: start, over: start, tried: 0 })?;
        while let Some(visit) = path.last_mut() {
            pace.count(1)?;
            let Some(&direction) = DIAGONALS.get(visit.tried) else {
                // Back again: the piece returns, or the own piece at the start.
                let piece = if path.len() == 1 { OWN } else { OPPONENT };
                path.pop().into_iter().for_each(|visit| board.squares_mut()[visit.over] = piece);
                continue;
            };
            visit.tried += 1;
            let Some(jump) = board.jump(visit.square, direction) else { continue };
            board.squares_mut()[jump.over] = EMPTY;
            path.push(Visit { square: jump.to, over: jump.over, tried: 0 })?;
            let captures = path.len() as u64 - 1;
            if captures > best.captures {
                best.captures = captures;
                if witness {
                    best.path = path.iter().map(|visit| visit.square).collect();
                }
            }
        }
    }
    Ok(())
}
