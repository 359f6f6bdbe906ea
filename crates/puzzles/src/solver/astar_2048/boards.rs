//! The boards of a search: up to 4 × 4 in 64 bits ([`PackedSpace`]), or of any size ([`WideSpace`]).
//!
//! A search holds no won board, because a winning swipe returns [`Swipe::Won`] and no board. So every tile of its
//! boards is below the goal.
//!
//! Beams prefer boards whose values decrease along a *snake* through the board, because equal tiles then end up side by
//! side.

use std::borrow::Cow;
use std::sync::OnceLock;

use crate::board::packed::{self, PackedBoard};
use crate::board::sliding::{Direction, SlidingBoard};
use crate::board::swipe::{swiped, value_of};
use crate::solver::random::mix;

/// Largest side of boards that beams compare by the snake alone. If the boards are larger, those with the fewest tiles
/// come first, and the snake decides between equals. From the start boards of 5 × 5 to 8 × 8, the narrowest beam then
/// meets the bound for most goals; by the snake alone, it would take up to twice the moves. On 4 × 4 the snake alone is
/// better.
const SNAKE_SIZE_MAX: usize = 4;
/// The exponent of the weight of the snake's head, a power of two.
const HEAD_BITS: usize = 62;
/// How much the exponent falls from one place to the next if only the snake counts; otherwise it falls by 1.
const STEP_BITS: usize = 2;

/// The result of a swipe.
pub enum Swipe<B> {
    /// The swipe changes nothing, or leaves no blank square in the right column.
    Invalid,
    Won,
    Board(B),
}

/// Boards of one size that have no goal tile.
pub trait Space {
    /// A board. It is `Ord` only because queue entries must be: two entries never have the same score and number.
    type Board: Clone + Ord;
    /// How good a board looks; greater is better.
    type Score: Ord + Copy;

    /// Returns the rank of the goal, which is 2^`goal_rank`.
    fn goal_rank(&self) -> u8;
    /// Returns the board after a swipe.
    fn swipe(&self, board: &Self::Board, direction: Direction) -> Swipe<Self::Board>;
    /// Returns a well-mixed hash.
    fn hash(&self, board: &Self::Board) -> u64;
    /// Returns how promising a board is, compared with others of the same sum.
    fn beam_score(&self, board: &Self::Board) -> Self::Score;
    /// Returns the board in the representation for any size.
    fn to_sliding<'a>(&self, board: &'a Self::Board) -> Cow<'a, SlidingBoard>;
    /// Returns the bytes that one board takes on the heap.
    fn bytes_elsewhere(&self) -> u64;
    /// Returns the steps of work that a swipe costs.
    fn steps(&self) -> usize;
}

/// Boards of any size and any goal.
pub struct WideSpace {
    goal_rank: u8,
    /// The snake's weights of the squares, row by row, as exponents of two.
    weight_bits: Vec<u8>,
    snake_alone: bool,
}

impl WideSpace {
    /// Creates the space of boards of `size` × `size` squares.
    pub fn new(size: usize, goal_rank: u8) -> Self {
        let bits = |square| weight_bits(size, square / size, square % size) as u8;
        let weight_bits = (0..size * size).map(bits).collect();
        Self { goal_rank, weight_bits, snake_alone: size <= SNAKE_SIZE_MAX }
    }
}

impl Space for WideSpace {
    type Board = SlidingBoard;
    type Score = (usize, u128);

    fn goal_rank(&self) -> u8 {
        self.goal_rank
    }

    fn swipe(&self, board: &SlidingBoard, direction: Direction) -> Swipe<SlidingBoard> {
        match swiped(board, direction) {
            None => Swipe::Invalid,
            Some((_, made)) if made >= self.goal_rank => Swipe::Won,
            Some((next, _)) => Swipe::Board(next),
        }
    }

    fn hash(&self, board: &SlidingBoard) -> u64 {
        board.ranks().chunks(8).fold(0, |hash, chunk| {
            let word = chunk.iter().fold(0, |word, &rank| word << 8 | u64::from(rank));
            mix(hash.rotate_left(5) ^ word)
        })
    }

    /// Returns the number of blank squares, or 0 if only the [snake](SNAKE_SIZE_MAX) counts, and the snake's score.
    fn beam_score(&self, board: &SlidingBoard) -> (usize, u128) {
        let (mut blanks, mut snake) = (0, 0_u128);
        for (&rank, &bits) in board.ranks().iter().zip(&self.weight_bits) {
            snake = snake.saturating_add(u128::from(value_of(rank)) << bits);
            blanks += usize::from(rank == 0);
        }
        (if self.snake_alone { 0 } else { blanks }, snake)
    }

    fn to_sliding<'a>(&self, board: &'a SlidingBoard) -> Cow<'a, SlidingBoard> {
        Cow::Borrowed(board)
    }

    fn bytes_elsewhere(&self) -> u64 {
        // The squares are an allocation of their own, with the allocator's overhead.
        self.steps() as u64 + 16
    }

    fn steps(&self) -> usize {
        self.weight_bits.len()
    }
}

/// Boards of at most 4 × 4 squares with a goal of at most 2^16.
pub struct PackedSpace {
    size: usize,
    goal_rank: u8,
    /// The snake's scores of all possible rows of the board.
    scores: &'static [u64],
}

impl PackedSpace {
    /// Returns the space and the board in it; `None` if the board or the goal does not fit.
    pub fn new(board: &SlidingBoard, goal_rank: u8) -> Option<(Self, PackedBoard)> {
        let size = board.size();
        let start = PackedBoard::from_sliding(board)?;
        let scores = row_scores(size)?;
        let fits = goal_rank <= packed::RANK_MAX + 1;
        fits.then_some((Self { size, goal_rank, scores }, start))
    }

    /// Swipes a board on which the swipe may make a goal tile that does not fit in a packed board.
    #[cold]
    fn swipe_unpacked(&self, board: PackedBoard, direction: Direction) -> Swipe<PackedBoard> {
        match WideSpace::new(self.size, self.goal_rank).swipe(&board.to_sliding(self.size), direction) {
            Swipe::Invalid => Swipe::Invalid,
            Swipe::Won => Swipe::Won,
            // Every tile below the goal fits.
            Swipe::Board(next) => PackedBoard::from_sliding(&next).map_or(Swipe::Invalid, Swipe::Board),
        }
    }
}

/// Returns the scores of all rows of boards of one size, 65,536 per row of the board. Computes them at the first call.
fn row_scores(size: usize) -> Option<&'static [u64]> {
    static SCORES: [OnceLock<Vec<u64>>; packed::SIZE_MAX + 1] =
        [const { OnceLock::new() }; packed::SIZE_MAX + 1];
    let scores = SCORES.get(size)?.get_or_init(|| {
        let all_rows = |row| (0..=u16::MAX).map(move |ranks| row_score(size, row, ranks));
        (0..size).flat_map(all_rows).collect()
    });
    Some(scores)
}

/// Returns the score of one row of a packed board. The weights are at most 2^30, so a score is below 2^50.
fn row_score(size: usize, row: usize, ranks: u16) -> u64 {
    let tail_bits = weight_bits(size, 0, size - 1);
    let square_score = |column: usize| {
        let rank = (ranks >> (4 * column)) as u8 & packed::RANK_MAX;
        value_of(rank) << (weight_bits(size, row, column) - tail_bits)
    };
    (0..size).map(square_score).sum()
}

impl Space for PackedSpace {
    type Board = PackedBoard;
    type Score = u64;

    fn goal_rank(&self) -> u8 {
        self.goal_rank
    }

    #[inline]
    fn swipe(&self, board: &PackedBoard, direction: Direction) -> Swipe<PackedBoard> {
        let goal_fits = self.goal_rank <= packed::RANK_MAX;
        // Every tile is below the goal, so only the largest goal can fail to fit.
        if !goal_fits && board.may_outgrow() {
            return self.swipe_unpacked(*board, direction);
        }
        let slid = board.slide(direction, self.size);
        if slid == *board {
            return Swipe::Invalid;
        }
        let right = self.size - 1;
        match (0..self.size).find(|&row| slid.rank(row, right) == 0) {
            None => Swipe::Invalid,
            Some(_) if goal_fits && slid.holds(self.goal_rank) => Swipe::Won,
            Some(row) => Swipe::Board(slid.with(row, right, 1)),
        }
    }

    fn hash(&self, board: &PackedBoard) -> u64 {
        mix(board.bits())
    }

    fn beam_score(&self, board: &PackedBoard) -> u64 {
        let row_score = |row| self.scores[row << 16 | usize::from(board.row(row))];
        (0..self.size).map(row_score).sum()
    }

    fn to_sliding<'a>(&self, board: &'a PackedBoard) -> Cow<'a, SlidingBoard> {
        Cow::Owned(board.to_sliding(self.size))
    }

    fn bytes_elsewhere(&self) -> u64 {
        0
    }

    fn steps(&self) -> usize {
        1
    }
}

/// Returns the exponent of a square's weight, a power of two. It falls from the head on, but not below 0.
fn weight_bits(size: usize, row: usize, column: usize) -> usize {
    let step_bits = if size <= SNAKE_SIZE_MAX { STEP_BITS } else { 1 };
    HEAD_BITS.saturating_sub(step_bits * place_in_snake(size, row, column))
}

/// Returns the place in the snake, 0 at its head. The snake goes along the left column, back along the next one, and so
/// on. It ends in the upper right corner, where the twos appear.
fn place_in_snake(size: usize, row: usize, column: usize) -> usize {
    let downwards = (size - column).is_multiple_of(2);
    let along = if downwards { row } else { size - 1 - row };
    column * size + along
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// The wide space is the model: the swipes, the wins and the order of the scores agree.
        #[test]
        fn agrees_with_the_wide_space(
            size in 2_usize..=4,
            goal_rank in 2_u8..=16,
            seed in prop::collection::vec(0_u8..16, 16),
        ) {
            let ranks = seed[..size * size].iter().map(|rank| rank % goal_rank).collect();
            let board = SlidingBoard::new(size, ranks);
            let wide = WideSpace::new(size, goal_rank);
            let (space, packed) = PackedSpace::new(&board, goal_rank).unwrap();
            prop_assert_eq!(space.to_sliding(&packed).into_owned(), board.clone());
            for direction in Direction::ALL {
                match (space.swipe(&packed, direction), wide.swipe(&board, direction)) {
                    (Swipe::Invalid, Swipe::Invalid) | (Swipe::Won, Swipe::Won) => {}
                    (Swipe::Board(found), Swipe::Board(expected)) => {
                        prop_assert_eq!(space.to_sliding(&found).into_owned(), expected.clone());
                        let order = space.beam_score(&found).cmp(&space.beam_score(&packed));
                        prop_assert_eq!(order, wide.beam_score(&expected).cmp(&wide.beam_score(&board)));
                    }
                    _ => prop_assert!(false, "swipes of different kinds"),
                }
            }
        }
    }

    /// The property above found this case: the winning tile itself counted as a blank square.
    #[test]
    fn a_winning_tile_too_large_to_pack_fills_its_square() {
        // Up merges the two 15s in the right column, and one of its squares becomes blank.
        let board = SlidingBoard::new(3, vec![0, 0, 15, 0, 0, 15, 1, 1, 2]);
        let (space, packed) = PackedSpace::new(&board, 16).unwrap();
        assert!(matches!(space.swipe(&packed, Direction::Up), Swipe::Won), "one square is blank");
        let full = SlidingBoard::new(2, vec![15, 15, 1, 2]);
        let (space, packed) = PackedSpace::new(&full, 16).unwrap();
        assert!(matches!(space.swipe(&packed, Direction::Right), Swipe::Invalid), "no square is blank");
        assert!(matches!(space.swipe(&packed, Direction::Left), Swipe::Won));
    }

    #[test]
    fn larger_boards_and_goals_are_not_packed() {
        assert!(PackedSpace::new(&SlidingBoard::new(4, vec![1; 16]), 16).is_some());
        assert!(PackedSpace::new(&SlidingBoard::new(4, vec![1; 16]), 17).is_none());
        assert!(PackedSpace::new(&SlidingBoard::new(5, vec![1; 25]), 11).is_none());
    }
}
