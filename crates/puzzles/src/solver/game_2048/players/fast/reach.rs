//! How far to look ahead from a board, and which new pieces are to be expected there.

use crate::board::packed::SQUARES;
use crate::solver::Stop;

/// Steps in which improbability is counted, for every factor of two.
const STEPS_PER_BIT: f64 = 2.0;

/// How far to look ahead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reach {
    moves: u16,
    improbability: u16,
}

impl Reach {
    /// No move is looked at.
    const SPENT: Self = Self { moves: 0, improbability: 0 };

    /// So many moves of the player, and new pieces as improbable as 2^(−`half_bits` / 2) together.
    pub const fn new(moves: u16, half_bits: u16) -> Self {
        Self { moves, improbability: half_bits }
    }

    /// No move is left.
    pub fn is_over(self) -> bool {
        self.moves == 0
    }

    /// Both in one number; not 0 unless nothing is looked at.
    pub fn bits(self) -> u32 {
        u32::from(self.moves) << 16 | u32::from(self.improbability)
    }

    /// What is left after one more move, by which the new piece before it is accounted for.
    pub fn after_move(self) -> Self {
        Self { moves: self.moves.saturating_sub(1), ..self }
    }

    /// What is left after a piece that takes `cost`; `None` when it is too improbable.
    fn after_piece(self, cost: u16) -> Option<Self> {
        let left = self.improbability.checked_sub(cost).filter(|&left| left > 0)?;
        Some(Self { improbability: left, ..self })
    }
}

/// What new pieces are to be expected.
#[derive(Debug, Clone)]
pub struct Chances {
    /// Probability of a 4.
    fours: f32,
    /// Improbability of a 2 and of a 4 on one of so many empty squares; `None`: never.
    two_costs: [Option<u16>; SQUARES + 1],
    four_costs: [Option<u16>; SQUARES + 1],
}

impl Chances {
    /// A piece is a 4 in `percent_four` (at most 100) of 100 cases, else a 2.
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

    /// The expected value of a board with one of `empties` squares filled, from its value with a 2 and with a
    /// 4 there; what is left of `reach` is given to each.
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
