//! The automatic players: expectimax, and the greedy and random players of the source.

mod expectimax;
mod fast;

use super::game_options::{DEPTH_MAX, PlayerKind, Settings};
use super::game_rules::{SQUARES_PER_CHECK, slide};
use crate::board::packed::{self, PackedBoard};
use crate::board::sliding::{Direction, SlidingBoard};
use crate::solver::{Pace, Random, Stop};
use fast::Thinker;

pub use fast::SHARED_BYTES;

/// Chooses moves for a whole game.
pub struct Player<'b> {
    settings: &'b Settings,
    /// The random player's own numbers.
    random: Random,
    /// Thinks about 4 × 4 boards; created when the first such board comes.
    thinker: Option<Thinker<'b>>,
}

impl<'b> Player<'b> {
    /// Creates the player of `settings`. The random player draws from its own source, seeded with the bitwise
    /// complement of the game's seed, so that all players get the same new pieces from a seed.
    pub fn new(settings: &'b Settings, seed: u64) -> Self {
        Self { settings, random: Random::new(!seed), thinker: None }
    }

    /// Returns how many copies of the board the player keeps while it thinks.
    pub fn boards_max(settings: &Settings) -> u64 {
        match settings.player {
            PlayerKind::Greedy | PlayerKind::Random => 1,
            PlayerKind::Expectimax => {
                let deepest = settings.depth.unwrap_or(if settings.time_per_move.is_some() { 8 } else { 4 });
                2 * u64::from(deepest)
            }
        }
    }

    /// Returns a legal move on `board`, which has `empties` empty squares; `None` if the game is over.
    pub fn choose(
        &mut self,
        board: &SlidingBoard,
        empties: u64,
        pace: &mut Pace<'b>,
    ) -> Result<Option<Direction>, Stop> {
        match self.settings.player {
            PlayerKind::Greedy => most_points(board, pace),
            PlayerKind::Random => self.any_legal(board, pace),
            PlayerKind::Expectimax => self.look_ahead(board, empties, pace),
        }
    }

    /// Returns the best move by expectimax: at the depth of the options or, with a time per move, at increasing depths
    /// until the time is over. The first depth is always completed.
    fn look_ahead(
        &mut self,
        board: &SlidingBoard,
        empties: u64,
        pace: &mut Pace<'b>,
    ) -> Result<Option<Direction>, Stop> {
        let packed = thinkable(board);
        if packed.is_some() && self.thinker.is_none() {
            self.thinker = Some(Thinker::new(self.settings.percent_four, pace.budget())?);
        }
        let fours = self.settings.percent_four as f64 / 100.0;
        let thinker = &mut self.thinker;
        let mut best_move = |depth: Option<u32>, pace: &mut Pace<'_>| {
            if let (Some(packed), Some(thinker)) = (packed, &mut *thinker) {
                return thinker.best_move(packed, depth, pace);
            }
            let by_position = || expectimax::auto_depth(board.ranks().len(), empties, fours);
            expectimax::best_move(board, depth.unwrap_or_else(by_position), fours, pace)
        };
        let Some(time) = self.settings.time_per_move else { return best_move(self.settings.depth, pace) };
        let mut best = best_move(Some(1), pace)?;
        let part = pace.budget().part(time);
        for depth in 2..=self.settings.depth.unwrap_or(DEPTH_MAX) {
            let Ok(deeper) = best_move(Some(depth), &mut Pace::every(SQUARES_PER_CHECK, &part)) else {
                pace.budget().check()?;
                break;
            };
            best = deeper;
        }
        Ok(best)
    }

    fn any_legal(&mut self, board: &SlidingBoard, pace: &mut Pace<'_>) -> Result<Option<Direction>, Stop> {
        let mut legal = Vec::with_capacity(4);
        for direction in Direction::ALL {
            if slide(board, direction, pace)?.is_some() {
                legal.push(direction);
            }
        }
        if legal.is_empty() {
            return Ok(None);
        }
        Ok(legal.get(self.random.below(legal.len() as u64) as usize).copied())
    }
}

/// Returns the board for the 4 × 4 player; `None` for another size, or if a nibble cannot hold the pieces that are
/// there or that the next move can make.
fn thinkable(board: &SlidingBoard) -> Option<PackedBoard> {
    let packed = PackedBoard::from_sliding(board)?;
    (board.size() == packed::SIZE_MAX && !packed.may_outgrow()).then_some(packed)
}

/// Returns the move that scores most points; among equals the first in the order left, right, up, down.
fn most_points(board: &SlidingBoard, pace: &mut Pace<'_>) -> Result<Option<Direction>, Stop> {
    let mut best: Option<(u128, Direction)> = None;
    for direction in Direction::ALL {
        if let Some(moved) = slide(board, direction, pace)?
            && best.is_none_or(|(points, _)| moved.points > points)
        {
            best = Some((moved.points, direction));
        }
    }
    Ok(best.map(|(_, direction)| direction))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::solver::{Budget, default_options};

    #[test]
    fn time_ends_a_thought_and_a_lost_board_has_none() {
        let budget = Budget::unlimited();
        let settings = Settings::new(&default_options(&super::super::Game2048));
        let choose = |ranks: [u8; 16], time_per_move, depth| {
            let settings = Settings { depth, time_per_move, ..settings.clone() };
            let (board, pace) = (SlidingBoard::new(4, ranks.to_vec()), &mut Pace::new(&budget));
            Player::new(&settings, 7).choose(&board, 9, pace)
        };
        let lost = [1, 2, 1, 2, 2, 1, 2, 1, 1, 2, 1, 2, 2, 1, 2, 1];
        assert_eq!(choose(lost, Some(Duration::ZERO), Some(8)), Ok(None));
        let open = [1, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];
        assert_eq!(choose(open, Some(Duration::ZERO), Some(8)), choose(open, None, Some(1)));
    }
}
