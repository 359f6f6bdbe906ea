//! The player on the 4 × 4 board: expectimax ([`search`]) over the values of a trained network ([`network`]),
//! on boards of 64 bits ([`crate::board::packed`]; when a second 32768 arises in what it looks ahead to, the two
//! lie side by side unmerged: no game is played there), with a memory ([`memo`]) that idle cores help to fill ([`team`]).

mod memo;
mod network;
mod search;
mod team;

use std::sync::Arc;
use std::time::Duration;

use self::memo::Memo;
use self::network::Network;
use self::search::{Chances, Reach, Search};
use self::team::Team;
use super::meter::Meter;
use super::settings::DEPTH_MAX;
use crate::board::packed::PackedBoard;
use crate::board::sliding::Direction;
use crate::solver::{Budget, Stop};

/// How deeply to think about a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// By the position.
    Auto,
    /// So many moves, at least 1.
    Moves(u32),
    /// As many as there is time for, at most so many.
    Within(Duration, u32),
}

/// Thinks about the moves of one game.
pub struct Thinker {
    network: &'static Network,
    memo: Arc<Memo>,
    chances: Chances,
    team: Team,
}

impl Thinker {
    /// A thinker with its memory charged to `budget`, which `threads` threads (at least 1) work for.
    ///
    /// # Errors
    /// When there is no memory left.
    pub fn new(percent_four: u64, threads: usize, budget: &Budget) -> Result<Self, Stop> {
        // One network serves all games, but each that needs it answers for it.
        budget.charge(Network::BYTES)?;
        let memo = Arc::new(Memo::new(budget)?);
        let (network, chances) = (Network::trained(), Chances::new(percent_four));
        let team = Team::new(network, &memo, &chances, threads);
        Ok(Self { network, memo, chances, team })
    }

    /// The best move; `None` when there is none. Of moves that are as good the first in the order left, right,
    /// up, down.
    ///
    /// # Errors
    /// The limit that was hit; the end of the time for a move is none.
    pub fn best_move(
        &self,
        board: PackedBoard,
        depth: Depth,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Direction>, Stop> {
        match depth {
            Depth::Auto => self.best_at(board, auto_reach(board), meter.budget()),
            Depth::Moves(moves) => self.best_at(board, reach_of(moves), meter.budget()),
            Depth::Within(time, moves_max) => {
                let mut best = self.best_at(board, reach_of(1), meter.budget())?;
                let part = meter.budget().part(time);
                for moves in 2..=moves_max.min(DEPTH_MAX as u32) {
                    let Ok(deeper) = self.best_at(board, reach_of(moves), &part) else {
                        meter.budget().check()?;
                        break;
                    };
                    best = deeper;
                }
                Ok(best)
            }
        }
    }

    fn best_at(&self, board: PackedBoard, reach: Reach, budget: &Budget) -> Result<Option<Direction>, Stop> {
        let meter = Meter::new(budget);
        let mut search = Search { network: self.network, memo: &self.memo, chances: &self.chances, meter };
        let _thinking = self.team.think(board, reach);
        let mut best: Option<(f32, Direction)> = None;
        for (direction, after) in board.legal_moves() {
            let value = after.points as f32 + search.after_move(after.board, reach.after_move())?;
            if best.is_none_or(|(best_value, _)| value > best_value) {
                best = Some((value, direction));
            }
        }
        Ok(best.map(|(_, direction)| direction))
    }
}

/// How far to look for `moves` moves (at least 1), pieces too unlikely together left out.
fn reach_of(moves: u32) -> Reach {
    let moves = moves.clamp(1, DEPTH_MAX as u32) as u16;
    Reach::new(moves, 6 * moves)
}

/// How far to look at a position so that positions cost about the same.
fn auto_reach(board: PackedBoard) -> Reach {
    // Where the board is crowded a mistake is deadly, and there are few new pieces to look at.
    if board.empty_squares().left() <= 4 { Reach::new(4, 24) } else { Reach::new(3, 20) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::sliding::SlidingBoard;
    use crate::solver::Random;

    /// The first moves of a game.
    fn moves(threads: usize, memory_bytes: u64, depth: Depth) -> Vec<Direction> {
        let budget = Budget::new(None, None, memory_bytes, crate::solver::Cancel::default());
        let thinker = Thinker::new(10, threads, &budget).unwrap();
        let mut random = Random::new(31);
        let mut board =
            PackedBoard::from_sliding(&SlidingBoard::new(4, [1; 2].into_iter().chain([0; 14]).collect()));
        let mut made = Vec::new();
        while let Some(current) = board.filter(|_| made.len() < 150) {
            let meter = &mut Meter::new(&budget);
            let Some(direction) = thinker.best_move(current, depth, meter).unwrap() else { break };
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
    fn neither_threads_nor_memory_change_a_move() {
        for depth in [Depth::Moves(2), Depth::Auto] {
            let alone = moves(1, u64::MAX, depth);
            assert_eq!(alone.len(), 150);
            assert_eq!(moves(2, u64::MAX, depth), alone);
            assert_eq!(moves(4, Network::BYTES + 10_000, depth), alone);
        }
    }

    #[test]
    fn time_ends_a_thought_and_a_lost_board_has_none() {
        let budget = Budget::unlimited();
        let thinker = Thinker::new(10, 1, &budget).unwrap();
        let board =
            |ranks: [u8; 16]| PackedBoard::from_sliding(&SlidingBoard::new(4, ranks.to_vec())).unwrap();
        let meter = &mut Meter::new(&budget);
        let lost = board([1, 2, 1, 2, 2, 1, 2, 1, 1, 2, 1, 2, 2, 1, 2, 1]);
        for depth in [Depth::Auto, Depth::Moves(8), Depth::Within(Duration::ZERO, 8)] {
            assert_eq!(thinker.best_move(lost, depth, meter), Ok(None));
        }
        let open = board([1, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
        let at_once = thinker.best_move(open, Depth::Within(Duration::ZERO, 8), meter);
        assert_eq!(at_once, thinker.best_move(open, Depth::Moves(1), meter));
        let cancel = crate::solver::Cancel::default();
        cancel.cancel();
        let cancelled = Budget::new(None, None, u64::MAX, cancel);
        let stopped = thinker.best_move(open, Depth::Moves(6), &mut Meter::new(&cancelled));
        assert_eq!(stopped, Err(Stop::Cancelled));
    }
}
