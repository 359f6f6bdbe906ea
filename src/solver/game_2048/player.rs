//! The automatic players: expectimax, and greedy and random for comparison.

use super::expectimax;
use super::fast::Packed;
use super::meter::Meter;
use super::position::{self, Position};
use super::settings::{PlayerKind, Settings};
use crate::board::sliding::{Direction, SlidingBoard};
use crate::solver::{Random, Stop};

/// Chooses moves for a whole game.
pub struct Player<'a> {
    settings: &'a Settings,
    /// The random player's own numbers.
    random: Random,
}

impl<'a> Player<'a> {
    /// The player of `settings`. The random player draws from a source of its own, seeded with the bitwise
    /// complement of the game's seed, so that every player of a seed meets the same random pieces.
    pub fn new(settings: &'a Settings, seed: u64) -> Self {
        Self { settings, random: Random::new(!seed) }
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
            PlayerKind::Expectimax => match Packed::new(board) {
                Some(packed) => self.look_ahead(&packed, empties, meter),
                None => self.look_ahead(board, empties, meter),
            },
        }
    }

    fn look_ahead<P: Position>(
        &self,
        position: &P,
        empties: u64,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Direction>, Stop> {
        let fours = self.settings.percent_four as f64 / 100.0;
        let depth = self.settings.depth;
        if let Some(time) = self.settings.time_per_move {
            let part = meter.budget().part(time);
            return expectimax::best_move_within(position, depth, fours, &part, meter);
        }
        let depth = depth.unwrap_or_else(|| expectimax::auto_depth(position.squares(), empties, fours));
        expectimax::best_move(position, depth, fours, meter)
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
