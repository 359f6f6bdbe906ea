//! The player on the 4 × 4 board: expectimax over the values of a trained network, on boards of 64 bits
//! ([`crate::board::packed`]), with a cache. The network knows tiles up to 8192. The player treats a board with larger
//! tiles as one with smaller ones.

mod coded;
mod downgrade;
#[cfg(test)]
#[path = "../../../../../../../examples/train_2048/encode.rs"]
mod encode;
mod lookahead;
mod memo;
mod network;

use self::downgrade::downgraded;
use self::lookahead::{Chances, Reach, Search};
use self::memo::Memo;
use self::network::Network;
use super::super::game_options::DEPTH_MAX;
use crate::board::packed::PackedBoard;
use crate::board::sliding::Direction;
use crate::solver::{Budget, Pace, Stop};

pub use network::SHARED_BYTES;

/// Chooses the moves of one game.
pub struct Thinker<'b> {
    network: &'static Network,
    memo: Memo<'b>,
    chances: Chances,
}

impl<'b> Thinker<'b> {
    /// Creates a thinker whose cache is charged to `budget`.
    ///
    /// # Errors
    /// Fails if the budget has no memory left.
    pub fn new(percent_four: u64, budget: &'b Budget) -> Result<Self, Stop> {
        let memo = Memo::new(budget)?;
        Ok(Self { network: Network::trained(), memo, chances: Chances::new(percent_four) })
    }

    /// Returns the best move, or `None` if there is no move. Of equally good moves it returns the first in the order
    /// left, right, up, down. `depth` is the number of moves to look ahead (at least 1); without one, it depends on the
    /// position. A board with a tile above 8192 is [downgraded] first.
    ///
    /// # Errors
    /// Fails if the budget is spent or cancelled.
    pub fn best_move(
        &mut self,
        board: PackedBoard,
        depth: Option<u32>,
        pace: &mut Pace<'_>,
    ) -> Result<Option<Direction>, Stop> {
        let board = downgraded(board);
        let reach = depth.map_or_else(|| auto_reach(board), reach_of).after_move();
        let Self { network, memo, chances } = self;
        let mut search = Search { network, memo, chances, pace };
        let mut best: Option<(f32, Direction)> = None;
        for (direction, after) in board.legal_moves() {
            let value = after.points as f32 + search.after_move(after.board, reach)?;
            if best.is_none_or(|(best_value, _)| value > best_value) {
                best = Some((value, direction));
            }
        }
        Ok(best.map(|(_, direction)| direction))
    }
}

/// Returns the reach of `moves` moves (at least 1). New pieces may use up three bits of improbability per move.
fn reach_of(moves: u32) -> Reach {
    let moves = moves.clamp(1, DEPTH_MAX) as u16;
    Reach::new(moves, 6 * moves)
}

/// Returns a reach at which all positions cost about the same.
fn auto_reach(board: PackedBoard) -> Reach {
    // A crowded board deserves a longer reach: one mistake can lose the game, and there are few new pieces to examine.
    if board.empty_squares().left() <= 4 { Reach::new(4, 24) } else { Reach::new(3, 20) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::sliding::SlidingBoard;
    use crate::solver::{Cancel, Random};

    /// Returns the first moves of a game.
    fn moves(memory_bytes: u64, depth: Option<u32>) -> Vec<Direction> {
        let budget = Budget::new(None, None, memory_bytes, Cancel::default());
        let mut thinker = Thinker::new(10, &budget).unwrap();
        let mut random = Random::new(31);
        let mut board =
            PackedBoard::from_sliding(&SlidingBoard::new(4, [1; 2].into_iter().chain([0; 14]).collect()));
        let mut made = Vec::new();
        while let Some(current) = board.filter(|_| made.len() < 150) {
            let pace = &mut Pace::new(&budget);
            let Some(direction) = thinker.best_move(current, depth, pace).unwrap() else { break };
            let after = current.moves()[Direction::ALL.iter().position(|&it| it == direction).unwrap()].board;
            assert_ne!(after, current);
            let mut squares = after.empty_squares();
            let square = squares.nth(random.below(squares.left() as u64) as usize).unwrap();
            board = Some(after.with_piece(square, 1 + u8::from(random.below(10) == 0)));
            made.push(direction);
        }
        made
    }

    #[test]
    fn memory_changes_no_move() {
        for depth in [Some(2), None] {
            let roomy = moves(u64::MAX, depth);
            assert_eq!(roomy.len(), 150);
            assert_eq!(moves(10_000, depth), roomy);
        }
    }

    #[test]
    fn a_16384_and_what_is_above_the_gap_are_thought_about_as_smaller_ones() {
        let budget = Budget::unlimited();
        let mut thinker = Thinker::new(10, &budget).unwrap();
        let mut best = |large: [u8; 3]| {
            let ranks = large.into_iter().chain([10, 3, 0, 2, 8, 1, 0, 0, 7, 0, 1, 0, 1]);
            let board = PackedBoard::from_sliding(&SlidingBoard::new(4, ranks.collect())).unwrap();
            let direction = thinker.best_move(board, Some(2), &mut Pace::new(&budget)).unwrap().unwrap();
            let (_, after) = board.legal_moves().find(|&(legal, _)| legal == direction).unwrap();
            let (memo, pace) = (&mut Memo::new(&budget).unwrap(), &mut Pace::new(&budget));
            let chances = &Chances::new(10);
            let mut search = Search { network: Network::trained(), memo, chances, pace };
            let values =
                [0, 1].map(|moves| search.after_move(after.board, Reach::new(moves, 20)).unwrap().to_bits());
            (direction, values)
        };
        // The first board has no 2048 and no 1024, the others have no 1024.
        assert_eq!(best([14, 13, 12]), best([13, 12, 11]));
        assert_ne!(best([13, 12, 11]).1, best([12, 11, 9]).1);
    }

    #[test]
    fn a_lost_board_has_no_move_and_a_search_can_be_cancelled() {
        let budget = Budget::unlimited();
        let mut thinker = Thinker::new(10, &budget).unwrap();
        let board =
            |ranks: [u8; 16]| PackedBoard::from_sliding(&SlidingBoard::new(4, ranks.to_vec())).unwrap();
        let lost = board([1, 2, 1, 2, 2, 1, 2, 1, 1, 2, 1, 2, 2, 1, 2, 1]);
        for depth in [None, Some(8)] {
            assert_eq!(thinker.best_move(lost, depth, &mut Pace::new(&budget)), Ok(None));
        }
        let open = board([1, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
        let cancel = Cancel::default();
        cancel.cancel();
        let cancelled = Budget::new(None, None, u64::MAX, cancel);
        let stopped = thinker.best_move(open, Some(6), &mut Pace::new(&cancelled));
        assert_eq!(stopped, Err(Stop::Cancelled));
    }
}
