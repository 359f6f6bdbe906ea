//! The automatic players: expectimax, and greedy and random for comparison.

use super::expectimax;
use super::fast::{Depth, Thinker};
use super::meter::Meter;
use super::position;
use super::settings::{DEPTH_MAX, PlayerKind, Settings};
use crate::board::packed::{self, PackedBoard};
use crate::board::sliding::{Direction, SlidingBoard};
use crate::solver::{Random, Stop};

/// Chooses moves for a whole game.
pub struct Player<'a> {
    settings: &'a Settings,
    /// The random player's own numbers.
    random: Random,
    /// What thinks about 4 × 4 boards, once there was one.
    thinker: Option<Thinker>,
}

impl<'a> Player<'a> {
    /// The player of `settings`. The random player draws from a source of its own, seeded with the bitwise
    /// complement of the game's seed, so that every player of a seed meets the same random pieces.
    pub fn new(settings: &'a Settings, seed: u64) -> Self {
        Self { settings, random: Random::new(!seed), thinker: None }
    }

    /// Copies of the board that the player keeps while it thinks.
    pub fn boards_max(settings: &Settings) -> u64 {
        match settings.player {
            PlayerKind::Greedy | PlayerKind::Random => 1,
            PlayerKind::Expectimax => {
                let deepest = settings.depth.unwrap_or(if settings.time_per_move.is_some() { 8 } else { 4 });
                2 * u64::from(deepest)
            }
        }
    }

    /// A legal move on `board`, which has `empties` empty squares; `None` when the game is over.
    ///
    /// # Errors
    /// The limit that was hit.
    pub fn choose(
        &mut self,
        board: &SlidingBoard,
        empties: u64,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Direction>, Stop> {
        match self.settings.player {
            PlayerKind::Greedy => most_points(board, meter),
            PlayerKind::Random => self.any_legal(board, meter),
            PlayerKind::Expectimax => match thinkable(board) {
                Some(packed) => self.think(packed, meter),
                None => self.look_ahead(board, empties, meter),
            },
        }
    }

    /// Expectimax on the 4 × 4 board.
    fn think(&mut self, board: PackedBoard, meter: &mut Meter<'_>) -> Result<Option<Direction>, Stop> {
        let thinker = match &mut self.thinker {
            Some(thinker) => thinker,
            none => {
                // As many threads as the pool has that solves puzzles.
                let threads = rayon::current_num_threads();
                none.insert(Thinker::new(self.settings.percent_four, threads, meter.budget())?)
            }
        };
        let depth = match (self.settings.time_per_move, self.settings.depth) {
            (Some(time), depth) => Depth::Within(time, depth.unwrap_or(DEPTH_MAX as u32)),
            (None, Some(moves)) => Depth::Moves(moves),
            (None, None) => Depth::Auto,
        };
        thinker.best_move(board, depth, meter)
    }

    /// Expectimax on boards of any size.
    fn look_ahead(
        &self,
        board: &SlidingBoard,
        empties: u64,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Direction>, Stop> {
        let fours = self.settings.percent_four as f64 / 100.0;
        let depth = self.settings.depth;
        if let Some(time) = self.settings.time_per_move {
            let part = meter.budget().part(time);
            return expectimax::best_move_within(board, depth, fours, &part, meter);
        }
        let depth = depth.unwrap_or_else(|| expectimax::auto_depth(board.ranks().len(), empties, fours));
        expectimax::best_move(board, depth, fours, meter)
    }

    fn any_legal(&mut self, board: &SlidingBoard, meter: &mut Meter<'_>) -> Result<Option<Direction>, Stop> {
        let mut legal = Vec::with_capacity(4);
        for direction in Direction::ALL {
            if position::slide(board, direction, meter)?.is_some() {
                legal.push(direction);
            }
        }
        if legal.is_empty() {
            return Ok(None);
        }
        Ok(legal.get(self.random.below(legal.len() as u64) as usize).copied())
    }
}

/// The board for the player of the 4 × 4 board; `None` for another size, and where a nibble cannot hold the pieces, or
/// what the next move may make of them.
fn thinkable(board: &SlidingBoard) -> Option<PackedBoard> {
    let packed = PackedBoard::from_sliding(board)?;
    (board.size() == packed::SIZE_MAX && !packed.may_outgrow()).then_some(packed)
}

/// The move that scores most at once; of equals the first in the order left, right, up, down.
fn most_points(board: &SlidingBoard, meter: &mut Meter<'_>) -> Result<Option<Direction>, Stop> {
    let mut best: Option<(u128, Direction)> = None;
    for direction in Direction::ALL {
        if let Some(moved) = position::slide(board, direction, meter)?
            && best.is_none_or(|(points, _)| moved.points > points)
        {
            best = Some((moved.points, direction));
        }
    }
    Ok(best.map(|(_, direction)| direction))
}
