//! Boards of any size with any goal: the model of the packed ones.

use std::borrow::Cow;

use super::snake;
use super::space::{Space, Swipe, mix};
use crate::board::sliding::{Direction, SlidingBoard};
use crate::board::swipe::{swiped, value_of};

/// Boards of any size and any goal.
pub struct WideSpace {
    goal_rank: u8,
    /// The snake's weights of the squares, row by row, as powers of two.
    weight_bits: Vec<u8>,
    snake_alone: bool,
}

impl WideSpace {
    /// The space of boards of `size` × `size` squares.
    pub fn new(size: usize, goal_rank: u8) -> Self {
        let bits = |square| snake::weight_bits(size, square / size, square % size) as u8;
        let weight_bits = (0..size * size).map(bits).collect();
        Self { goal_rank, weight_bits, snake_alone: size <= snake::ALONE_SIZE_MAX }
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

    /// The blank squares, unless the snake is [alone](snake::ALONE_SIZE_MAX), and the snake.
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
