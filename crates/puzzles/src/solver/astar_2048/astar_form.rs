//! The form of boards: a size, then size² values.

use super::answer::Proved;
use super::astar_options::Settings;
use super::astar_puzzle::{AstarPuzzle, SQUARE_BYTES};
use crate::board::sliding::SlidingBoard;
use crate::board::swipe::rank_of;
use crate::input::{Lexeme, Token};
use crate::solver::form::{Ahead, At, Field, Form};
use crate::solver::{Bounds, Outcome, Stop, Work};
use crate::words::{Argument, Phrase, messages};

messages! {
    "astar"
    /// Words of messages about boards, and what is wrong with a board.
    enum AstarMessage {
        Size = "size",
        /// 0 or any power of two.
        Power = "power",
        /// 0 or a power of two up to the largest allowed.
        PowerUpTo = "power-up-to" { most: u64 },
        /// 0 or a power of two, such as the two next to the number that was found.
        Powers = "powers" { below: u64, above: u64 },
        /// A square does not hold the value of a tile.
        SquareValue = "square-value" { found: Argument, expected: Phrase },
    }
}

/// The boards of a file, and how they are solved.
pub(super) struct AstarForm {
    settings: Settings,
    /// The option `memory_limit`.
    memory_bytes_max: u64,
    fields: [Vec<Field>; 1],
}

impl AstarForm {
    pub(super) fn new(settings: Settings, memory_bytes_max: u64) -> Self {
        Self { settings, memory_bytes_max, fields: [vec![Field::new(AstarMessage::Size, 2, u64::MAX)]] }
    }
}

impl Form for AstarForm {
    /// The ranks of the squares; `None` if they would exceed the memory limit.
    type Board = Option<Vec<u8>>;

    const IS_SQUARE: bool = true;

    fn fields(&self) -> &[Vec<Field>] {
        &self.fields
    }

    fn board(&self, header: &[u64]) -> Self::Board {
        let squares = u128::from(header[0]) * u128::from(header[0]);
        (squares.saturating_mul(SQUARE_BYTES) <= u128::from(self.memory_bytes_max)).then(Vec::new)
    }

    #[inline]
    fn take(&self, board: &mut Self::Board, _: usize, value: u64) -> bool {
        let Some(rank) = rank_of(value) else { return false };
        if let Some(ranks) = board {
            ranks.push(rank);
        }
        true
    }

    fn finish(&self, board: Self::Board, header: &[u64]) -> Result<Work, (u64, Phrase)> {
        let Some(ranks) = board else {
            let bounds = Bounds { at_least: Some(0), at_most: None };
            let outcome = Outcome::undecided(Stop::MemoryLimit, bounds, Proved::Moves { least: 0 });
            return Ok(Work::Settled(Box::new(outcome)));
        };
        let start = SlidingBoard::new(header[0] as usize, ranks);
        Ok(Work::Solve(Box::new(AstarPuzzle { start, settings: self.settings })))
    }

    fn wrong_value(&self, _: &[u64], _: At, found: &Lexeme) -> Phrase {
        let most = 1 << 63;
        let expected = match found.token {
            Token::Number(value) if value > 2 && value < most => {
                let below = 1 << value.ilog2();
                AstarMessage::Powers { below, above: 2 * below }
            }
            Token::Number(value) if value < most => AstarMessage::Power,
            Token::Number(_) | Token::TooLarge(_) => AstarMessage::PowerUpTo { most },
            _ => AstarMessage::Power,
        };
        AstarMessage::SquareValue { found: found.token.quoted(), expected: expected.into() }.into()
    }

    fn is_value(&self, _: &[u64], _: usize, _: usize, value: u64) -> bool {
        rank_of(value).is_some()
    }

    fn headers(&self, _: &[u64], rows: u64, [width, _]: [u64; 2]) -> Vec<Vec<u64>> {
        if rows == width { vec![vec![rows]] } else { Vec::new() }
    }

    fn resumes(&self, ahead: &mut Ahead<'_>, at: usize, is_wrong: bool) -> bool {
        is_wrong && ahead.line(at).is_some_and(|line| line.count == 1 && line.is_clean)
    }
}
