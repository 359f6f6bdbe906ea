//! Boards of at most 4 × 4 squares with a goal of at most 2^16, packed into 64 bits.
//!
//! Every tile below such a goal has a rank of at most 15, which is four bits.

use std::borrow::Cow;
use std::sync::OnceLock;

use super::snake;
use super::space::{Space, Swipe, mix};
use super::wide::WideSpace;
use crate::board::packed::{self, PackedBoard};
use crate::board::sliding::{Direction, SlidingBoard};
use crate::board::swipe::value_of;

/// Boards of at most 4 × 4 squares with a goal of at most 2^16.
pub struct PackedSpace {
    size: usize,
    goal_rank: u8,
    /// The snake's scores of every row of the board.
    scores: &'static [u64],
}

impl PackedSpace {
    /// The space and the board in it; `None` when it does not fit.
    pub fn new(board: &SlidingBoard, goal_rank: u8) -> Option<(Self, PackedBoard)> {
        let size = board.size();
        let start = PackedBoard::from_sliding(board)?;
        let scores = row_scores(size)?;
        let fits = goal_rank <= packed::RANK_MAX + 1;
        fits.then_some((Self { size, goal_rank, scores }, start))
    }

    /// A swipe that may make a tile of the goal that does not fit.
    #[cold]
    fn swipe_unpacked(&self, board: PackedBoard, direction: Direction) -> Swipe<PackedBoard> {
        match WideSpace::new(self.size, self.goal_rank).swipe(&board.to_sliding(self.size), direction) {
            Swipe::Invalid => Swipe::Invalid,
            Swipe::Won => Swipe::Won,
            // Without the goal every tile fits.
            Swipe::Board(next) => PackedBoard::from_sliding(&next).map_or(Swipe::Invalid, Swipe::Board),
        }
    }
}

/// The scores of all rows of boards of one size, made at the first call: 65,536 for every place of a row.
fn row_scores(size: usize) -> Option<&'static [u64]> {
    static SCORES: [OnceLock<Vec<u64>>; packed::SIZE_MAX + 1] =
        [const { OnceLock::new() }; packed::SIZE_MAX + 1];
    let scores = SCORES.get(size)?.get_or_init(|| {
        let all_rows = |row| (0..=u16::MAX).map(move |ranks| row_score(size, row, ranks));
        (0..size).flat_map(all_rows).collect()
    });
    Some(scores)
}

/// The score of one row of a packed board. The weights fall from 2^30 to 1, so that a score is below 2^50.
fn row_score(size: usize, row: usize, ranks: u16) -> u64 {
    let tail_bits = snake::weight_bits(size, 0, size - 1);
    let square_score = |column: usize| {
        let rank = (ranks >> (4 * column)) as u8 & packed::RANK_MAX;
        value_of(rank) << (snake::weight_bits(size, row, column) - tail_bits)
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
        // Every tile is below the goal, so that only the largest goal can do without fitting.
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// The general space is the model: same swipes, same wins, same order of the scores.
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

    /// Found by the property above: the winning tile itself was taken for a blank square.
    #[test]
    fn a_winning_tile_too_large_to_pack_fills_its_square() {
        // Up merges the two 15s in the right column, whose other squares are full afterwards.
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
