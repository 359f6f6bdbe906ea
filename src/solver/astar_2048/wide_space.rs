//! Boards of any size with any goal.

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

    /// The blank squares, unless the snake is [alone](SNAKE_ALONE_SIZE_MAX), and the snake: its weights fall from
    /// 2^62, and stay at 1 where they would fall below.
    fn beam_score(&self, board: &SlidingBoard) -> (usize, u128) {
        let alone = self.size <= SNAKE_ALONE_SIZE_MAX;
        let step_bits = if alone { SNAKE_STEP_BITS } else { 1 };
        let squares = board.ranks().iter().enumerate().filter(|(_, rank)| **rank > 0);
        let (mut tiles, mut snake) = (0, 0_u128);
        for (square, &rank) in squares {
            let place = snake_place(self.size, square / self.size, square % self.size);
            let weight_bits = SNAKE_HEAD_BITS.saturating_sub(step_bits * place);
            snake = snake.saturating_add(u128::from(value_of(rank)) << weight_bits);
            tiles += 1;
        }
        (if alone { 0 } else { board.ranks().len() - tiles }, snake)
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
