//! Boards of at most 8 × 8 squares with any goal, eight bits a square.

use super::space::{Counts, SNAKE_ALONE_SIZE_MAX, Space, Swipe, mix};
use super::wide_space::snake_bits;
use crate::board::rows::{self, RowBoard};
use crate::board::sliding::{Direction, SlidingBoard};
use crate::board::swipe::value_of;

/// Boards of at most 8 × 8 squares with any goal.
pub(super) struct RowSpace {
    size: usize,
    goal_rank: u8,
    /// Weights of the squares in the snake's score, row by row, as powers of two.
    weight_bits: [[u8; rows::SIZE_MAX]; rows::SIZE_MAX],
}

impl RowSpace {
    /// The space and the board in it; `None` when it does not fit.
    pub(super) fn new(board: &SlidingBoard, goal_rank: u8) -> Option<(Self, RowBoard)> {
        let size = board.size();
        let start = RowBoard::from_sliding(board)?;
        let bits =
            |row: usize, column| if row.max(column) < size { snake_bits(size, row, column) } else { 0 };
        let weight_bits = std::array::from_fn(|row| std::array::from_fn(|column| bits(row, column) as u8));
        Some((Self { size, goal_rank, weight_bits }, start))
    }
}

impl Space for RowSpace {
    type Board = RowBoard;
    type Score = (usize, u128);

    #[inline]
    fn swipe(&self, board: &RowBoard, direction: Direction) -> Swipe<RowBoard> {
        let slid = board.slide(direction);
        if slid == *board {
            return Swipe::Invalid;
        }
        let right = self.size - 1;
        match (0..self.size).find(|&row| slid.rank(row, right) == 0) {
            None => Swipe::Invalid,
            Some(_) if slid.holds(self.goal_rank) => Swipe::Won,
            Some(row) => Swipe::Board(slid.with(row, right, 1)),
        }
    }

    fn hash(&self, board: &RowBoard) -> u64 {
        board.rows().iter().fold(0, |hash: u64, &row| mix(hash.rotate_left(5) ^ row))
    }

    /// The score of the space of any size.
    fn beam_score(&self, board: &RowBoard) -> (usize, u128) {
        let (mut tiles, mut snake) = (0, 0_u128);
        for (&row, weights) in board.rows().iter().zip(&self.weight_bits) {
            for (rank, &bits) in row.to_le_bytes().into_iter().zip(weights).filter(|&(rank, _)| rank > 0) {
                snake = snake.saturating_add(u128::from(value_of(rank)) << bits);
                tiles += 1;
            }
        }
        (if self.size <= SNAKE_ALONE_SIZE_MAX { 0 } else { self.size * self.size - tiles }, snake)
    }

    fn counts(&self, board: &RowBoard) -> Counts {
        let mut counts = [0; 64];
        for rank in board.ranks() {
            counts[usize::from(rank & 63)] += 1;
        }
        counts
    }

    fn to_sliding(&self, board: &RowBoard) -> SlidingBoard {
        board.to_sliding()
    }

    fn board_bytes(&self) -> u64 {
        size_of::<RowBoard>() as u64
    }

    fn goal_rank(&self) -> u8 {
        self.goal_rank
    }

    fn squares(&self) -> u64 {
        (self.size * self.size) as u64
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::wide_space::WideSpace;
    use super::*;

    proptest! {
        /// The space of any size is the model: same swipes, same wins, same scores.
        #[test]
        fn agrees_with_the_wide_space(
            size in 2_usize..=8,
            goal_rank in 2_u8..=63,
            ranks in prop::collection::vec(prop_oneof![1 => Just(0_u8), 3 => 0_u8..64], 64),
        ) {
            let ranks = ranks[..size * size].iter().map(|rank| rank % goal_rank).collect();
            let board = SlidingBoard::new(size, ranks);
            let wide = WideSpace::new(size, goal_rank);
            let (space, packed) = RowSpace::new(&board, goal_rank).unwrap();
            prop_assert_eq!(space.counts(&packed), wide.counts(&board));
            prop_assert_eq!(space.beam_score(&packed), wide.beam_score(&board));
            for direction in Direction::ALL {
                match (space.swipe(&packed, direction), wide.swipe(&board, direction)) {
                    (Swipe::Invalid, Swipe::Invalid) | (Swipe::Won, Swipe::Won) => {}
                    (Swipe::Board(found), Swipe::Board(expected)) => {
                        prop_assert_eq!(space.to_sliding(&found), expected);
                    }
                    _ => prop_assert!(false, "swipes of different kinds"),
                }
            }
        }
    }

    #[test]
    fn larger_boards_are_not_packed() {
        assert!(RowSpace::new(&SlidingBoard::new(8, vec![63; 64]), 63).is_some());
        assert!(RowSpace::new(&SlidingBoard::new(9, vec![1; 81]), 11).is_none());
    }
}
