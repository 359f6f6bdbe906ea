//! Boards of any size with any goal: the model of the packed ones.

use super::space::{
    Counts, SNAKE_ALONE_SIZE_MAX, SNAKE_STEP_BITS, Space, Swipe, counts_of, mix, snake_place,
};
use crate::board::sliding::{Direction, SlidingBoard};
use crate::board::swipe::{refill, value_of};

/// The weight of the snake's head is two to this power.
const SNAKE_HEAD_BITS: usize = 62;

/// Boards of any size and any goal.
pub(super) struct WideSpace {
    size: usize,
    goal_rank: u8,
}

/// The weight of a square in the snake's score is two to this: it falls from the head on, and stays at 1 where it
/// would fall below.
pub(super) fn snake_bits(size: usize, row: usize, column: usize) -> usize {
    let step_bits = if size <= SNAKE_ALONE_SIZE_MAX { SNAKE_STEP_BITS } else { 1 };
    SNAKE_HEAD_BITS.saturating_sub(step_bits * snake_place(size, row, column))
}

impl WideSpace {
    /// The space of boards of `size` × `size` squares.
    pub(super) fn new(size: usize, goal_rank: u8) -> Self {
        Self { size, goal_rank }
    }
}

impl Space for WideSpace {
    type Board = SlidingBoard;
    type Score = (usize, u128);

    fn swipe(&self, board: &SlidingBoard, direction: Direction) -> Swipe<SlidingBoard> {
        let mut slid = board.clone();
        let mut made = 0;
        let slide = slid.slide_with(direction, |rank| made = made.max(rank));
        if !slide.changed || !refill(&mut slid) {
            Swipe::Invalid
        } else if made >= self.goal_rank {
            Swipe::Won
        } else {
            Swipe::Board(slid)
        }
    }

    fn hash(&self, board: &SlidingBoard) -> u64 {
        board.ranks().chunks(8).fold(0, |hash, chunk| {
            let word = chunk.iter().fold(0, |word, &rank| word << 8 | u64::from(rank));
            mix(hash.rotate_left(5) ^ word)
        })
    }

    /// The blank squares, unless the snake is [alone](SNAKE_ALONE_SIZE_MAX), and the snake with the weights of
    /// [`snake_bits`].
    fn beam_score(&self, board: &SlidingBoard) -> (usize, u128) {
        let squares = board.ranks().iter().enumerate().filter(|(_, rank)| **rank > 0);
        let (mut tiles, mut snake) = (0, 0_u128);
        for (square, &rank) in squares {
            let weight_bits = snake_bits(self.size, square / self.size, square % self.size);
            snake = snake.saturating_add(u128::from(value_of(rank)) << weight_bits);
            tiles += 1;
        }
        (if self.size <= SNAKE_ALONE_SIZE_MAX { 0 } else { board.ranks().len() - tiles }, snake)
    }

    fn counts(&self, board: &SlidingBoard) -> Counts {
        counts_of(board)
    }

    fn to_sliding(&self, board: &SlidingBoard) -> SlidingBoard {
        board.clone()
    }

    fn board_bytes(&self) -> u64 {
        // The squares are an allocation of their own, with the allocator's overhead.
        size_of::<SlidingBoard>() as u64 + self.squares() + 16
    }

    fn goal_rank(&self) -> u8 {
        self.goal_rank
    }

    fn squares(&self) -> u64 {
        (self.size * self.size) as u64
    }
}
