//! Expectimax on the 4 × 4 board, with a cache, and without branches too unlikely to matter.
//!
//! Nodes are boards after a move, on which a new piece is due. The search from a board goes as far as its *reach*: a
//! number of moves of the player, and a total improbability of new pieces. A new piece of probability p uses up
//! log₂(1/p) bits of the improbability, rounded to half bits. A branch that has no bits left is valued after its next
//! move. A 4 that would leave no bits is treated like a 2 on its square.
//!
//! The value of a board depends only on the board and the reach. So a cached value ([`Memo`]) stays valid in all later
//! moves, and the chosen move does not depend on the size of the cache.
//!
//! Expectimax: Michie, Game-Playing and Game-Learning Automata, 1966. Leaving out improbable branches comes from
//! nneonneo/2048-ai (2014), which stops at a cumulative probability.

use super::downgrade::downgraded;
use super::memo::Memo;
use super::network::Network;
use crate::board::packed::{After, PackedBoard, SQUARES};
use crate::solver::{Pace, Stop};

/// The work of valuing one board, in the squares that [`Pace`] counts.
const SQUARES_PER_VALUE: usize = 4 * SQUARES;

/// Steps of improbability per factor of two.
const STEPS_PER_BIT: f64 = 2.0;

/// A search from one board.
pub struct Search<'a, 'm, 'p> {
    pub network: &'a Network,
    pub memo: &'a mut Memo<'m>,
    pub chances: &'a Chances,
    pub pace: &'a mut Pace<'p>,
}

impl Search<'_, '_, '_> {
    /// Returns the value of a board on which a new piece is due: the average of the points still to be made.
    pub fn after_move(&mut self, board: PackedBoard, reach: Reach) -> Result<f32, Stop> {
        if reach.is_over() {
            return Ok(self.network.value(downgraded(board)));
        }
        if let Some(value) = self.memo.get(board, reach) {
            return Ok(value);
        }
        let squares = board.empty_squares();
        let empties = squares.left();
        self.pace.count(empties * SQUARES_PER_VALUE)?;
        let chances = self.chances;
        let mut sum = 0.0;
        for square in squares {
            sum += chances.expected(empties, reach, |rank, left| {
                self.before_move(board.with_piece(square, rank), left)
            })?;
        }
        // A move always leaves an empty square: a full board only changes by merging.
        let value = sum / empties.max(1) as f32;
        self.memo.put(board, reach, value);
        Ok(value)
    }

    /// Returns the value of a board on which the player is to move, or 0 if no move is left.
    pub fn before_move(&mut self, board: PackedBoard, reach: Reach) -> Result<f32, Stop> {
        let reach = reach.after_move();
        let mut best: Option<f32> = None;
        for After { board: after, points } in board.moves() {
            if after != board {
                let value = points as f32 + self.after_move(after, reach)?;
                best = Some(best.map_or(value, |best| best.max(value)));
            }
        }
        Ok(best.unwrap_or(0.0))
    }
}

/// How far to look ahead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reach {
    moves: u16,
    improbability: u16,
}

impl Reach {
    /// No moves are left to look ahead.
    const SPENT: Self = Self { moves: 0, improbability: 0 };

    /// Allows `moves` moves of the player, and new pieces whose probabilities multiply to more than
    /// 2^(−`half_bits` / 2).
    pub const fn new(moves: u16, half_bits: u16) -> Self {
        Self { moves, improbability: half_bits }
    }

    /// Returns whether no move is left.
    pub fn is_over(self) -> bool {
        self.moves == 0
    }

    /// Packs both numbers into one, which is 0 only if both are.
    pub fn bits(self) -> u32 {
        u32::from(self.moves) << 16 | u32::from(self.improbability)
    }

    /// Returns what is left after one more move; the new piece before it is already accounted for.
    pub fn after_move(self) -> Self {
        Self { moves: self.moves.saturating_sub(1), ..self }
    }

    /// Returns what is left after a piece that uses up `cost`; `None` if the piece is too improbable.
    fn after_piece(self, cost: u16) -> Option<Self> {
        let left = self.improbability.checked_sub(cost).filter(|&left| left > 0)?;
        Some(Self { improbability: left, ..self })
    }
}

/// The probabilities of new pieces.
#[derive(Debug, Clone)]
pub struct Chances {
    /// Probability of a 4.
    fours: f32,
    /// Improbability of a 2 on a given square, by the number of empty squares; `None` if no piece is a 2.
    two_costs: [Option<u16>; SQUARES + 1],
    /// The same for a 4.
    four_costs: [Option<u16>; SQUARES + 1],
}

impl Chances {
    /// Creates the chances if `percent_four` percent (at most 100) of the pieces are a 4 and the others a 2.
    pub fn new(percent_four: u64) -> Self {
        let fours = percent_four as f64 / 100.0;
        #[expect(clippy::cast_sign_loss, reason = "a probability has at least 0 bits")]
        let cost = |probability: f64, empties: usize| {
            let bits = (empties.max(1) as f64 / probability).log2();
            (probability > 0.0).then(|| (bits * STEPS_PER_BIT).round() as u16)
        };
        Self {
            fours: fours as f32,
            two_costs: std::array::from_fn(|empties| cost(1.0 - fours, empties)),
            four_costs: std::array::from_fn(|empties| cost(fours, empties)),
        }
    }

    /// Returns the expected value of a board when a piece appears on a given square, one of `empties` empty ones.
    /// `value` gets the rank of the piece and what the piece leaves of `reach`.
    pub fn expected(
        &self,
        empties: usize,
        reach: Reach,
        mut value: impl FnMut(u8, Reach) -> Result<f32, Stop>,
    ) -> Result<f32, Stop> {
        let left = |costs: &[Option<u16>; SQUARES + 1]| costs[empties].map(|cost| reach.after_piece(cost));
        match (left(&self.two_costs), left(&self.four_costs)) {
            (None, four) => value(2, four.flatten().unwrap_or(Reach::SPENT)),
            (Some(two), Some(Some(four))) => {
                let two = value(1, two.unwrap_or(Reach::SPENT))?;
                Ok(two + (value(2, four)? - two) * self.fours)
            }
            (Some(two), _) => value(1, two.unwrap_or(Reach::SPENT)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::sliding::SlidingBoard;
    use crate::solver::{Budget, Random};

    fn random_board(random: &mut Random, empties: u64) -> PackedBoard {
        let ranks = (0..SQUARES as u64)
            .map(|_| if random.below(16) < empties { 0 } else { 1 + random.below(9) as u8 });
        PackedBoard::from_sliding(&SlidingBoard::new(4, ranks.collect())).unwrap()
    }

    /// Computes expectimax by its definition on [`SlidingBoard`], and leaves out no branch.
    fn defined_value(board: &SlidingBoard, moves: u32, fours: f64) -> f64 {
        if moves == 0 {
            return f64::from(Network::trained().value(PackedBoard::from_sliding(board).unwrap()));
        }
        let empties: Vec<usize> = (0..SQUARES).filter(|&square| board.ranks()[square] == 0).collect();
        let mut sum = 0.0;
        for &square in &empties {
            for (rank, probability) in [(1, 1.0 - fours), (2, fours)] {
                let mut with_piece = board.clone();
                with_piece.ranks_mut()[square] = rank;
                let best = crate::board::sliding::Direction::ALL.into_iter().filter_map(|direction| {
                    let (mut after, mut points) = (with_piece.clone(), 0.0);
                    let slide = after.slide_with(direction, |rank| points += f64::from(1_u32 << rank));
                    slide.changed.then(|| points + defined_value(&after, moves - 1, fours))
                });
                sum += probability
                    * best
                        .fold(None, |best: Option<f64>, value| Some(best.map_or(value, |b| b.max(value))))
                        .unwrap_or(0.0);
            }
        }
        sum / empties.len() as f64
    }

    fn value(board: PackedBoard, reach: Reach, percent_four: u64, entries: usize) -> f32 {
        let (budget, chances) = (Budget::unlimited(), Chances::new(percent_four));
        let (memo, pace) = (&mut Memo::of_entries(entries, &budget).unwrap(), &mut Pace::new(&budget));
        let mut search = Search { network: Network::trained(), memo, chances: &chances, pace };
        search.after_move(board, reach).unwrap()
    }

    #[test]
    fn a_long_reach_gives_the_value_as_it_is_defined() {
        let mut random = Random::new(21);
        for round in 0..40 {
            let board = random_board(&mut random, 4);
            if board.empty_squares().left() == 0 {
                continue;
            }
            let (moves, percent) = (1 + round % 2, [5, 10, 0, 100][round as usize % 4]);
            let sliding = board.to_sliding(4);
            let expected = defined_value(&sliding, moves, percent as f64 / 100.0);
            let found = f64::from(value(board, Reach::new(moves as u16, 1000), percent, 1 << 12));
            assert!((found - expected).abs() <= 1e-5 * expected.abs() + 0.1, "{found} {expected}");
        }
    }

    #[test]
    fn the_size_of_the_memo_changes_no_value() {
        let mut random = Random::new(22);
        let mut different = 0;
        for _ in 0..30 {
            let board = random_board(&mut random, 5);
            for reach in [Reach::new(3, 12), Reach::new(3, 24)] {
                let [none, small, large] = [1, 64, 1 << 14].map(|entries| value(board, reach, 10, entries));
                assert_eq!((none.to_bits(), small.to_bits()), (large.to_bits(), large.to_bits()));
            }
            let near = value(board, Reach::new(3, 6), 10, 1 << 14);
            different += u32::from(near.to_bits() != value(board, Reach::new(3, 24), 10, 1 << 14).to_bits());
        }
        // Improbable pieces do change values.
        assert!(different > 10, "{different}");
    }
}
