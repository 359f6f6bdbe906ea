//! Replaces boards that have tiles unknown to the network by boards with smaller tiles.
//!
//! If no tile has some rank below the largest one, there is a *gap*, and every tile above it can be lowered by one
//! rank. The same tiles are equal as before, so the same moves are legal and the same tiles merge, until a tile with
//! the rank of the gap is made. The new board resembles boards that games often had; as far as is known, what is good
//! on one is good on the other. The largest gap is closed first, then others while there are tiles that are too large.
//!
//! Tile-downgrading: Guei, Chen and Wu, Optimistic Temporal Difference Learning for 2048, 2021.

use crate::board::packed::{PackedBoard, RANK_MAX};

/// The largest rank that the network has learned about: 8192. Games of the training end when a larger tile is made.
pub const LARGEST_LEARNED: u8 = 13;

/// Returns `board`, lowered if the network does not know its largest tile. Unchanged if it does, or without a gap.
pub fn downgraded(mut board: PackedBoard) -> PackedBoard {
    while let Some(gap) = largest_gap(board) {
        board = board.lowered_above(gap);
    }
    board
}

/// Returns the largest rank below the largest tile that no tile has; `None` if the network knows all tiles, or if there
/// is no gap.
fn largest_gap(board: PackedBoard) -> Option<u8> {
    let largest = (LARGEST_LEARNED + 1..=RANK_MAX).rev().find(|&rank| board.holds(rank))?;
    (1..largest).rev().find(|&rank| !board.holds(rank))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::sliding::SlidingBoard;
    use crate::solver::Random;

    fn packed(ranks: &[u8]) -> PackedBoard {
        PackedBoard::from_sliding(&SlidingBoard::new(4, ranks.to_vec())).unwrap()
    }

    #[test]
    fn tiles_above_the_largest_gap_are_halved() {
        for (ranks, expected) in [
            // Boards that the network knows are unchanged.
            (
                [13, 12, 11, 9, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
                [13, 12, 11, 9, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
            ),
            (
                [14, 13, 12, 9, 11, 8, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0],
                [13, 12, 11, 9, 10, 8, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0],
            ),
            (
                [14, 14, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
                [13, 13, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
            ),
            // Twice: at 16384, then at 8192; and at 1024, then at 256.
            (
                [15, 13, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
                [13, 12, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
            ),
            (
                [15, 14, 13, 12, 11, 9, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0],
                [13, 12, 11, 10, 9, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0],
            ),
            // There is no gap, and a board this close to its end needs none.
            (
                [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 0, 0],
                [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 0, 0],
            ),
        ] {
            assert_eq!(downgraded(packed(&ranks)), packed(&expected), "{ranks:?}");
        }
    }

    #[test]
    fn the_same_moves_are_legal_and_the_same_tiles_merge() {
        let mut random = Random::new(51);
        let mut changed = 0;
        for _ in 0..20_000 {
            let ranks: Vec<u8> = (0..16).map(|_| (random.below(20) as u8).saturating_sub(4)).collect();
            let board = packed(&ranks);
            // Two tiles of 32768 would merge if nibbles allowed it; no player gets such a board.
            if board.may_outgrow() {
                continue;
            }
            let lower = downgraded(board);
            changed += u32::from(lower != board);
            for (before, after) in board.moves().into_iter().zip(lower.moves()) {
                assert_eq!(before.board == board, after.board == lower);
                assert_eq!(
                    before.board.empty_squares().left(),
                    after.board.empty_squares().left(),
                    "{ranks:?}"
                );
            }
            let lower_ranks = lower.to_sliding(4).ranks().to_vec();
            for (a, lower_a) in ranks.iter().zip(&lower_ranks) {
                for (b, lower_b) in ranks.iter().zip(&lower_ranks) {
                    assert_eq!(a.cmp(b), lower_a.cmp(lower_b), "{ranks:?}");
                }
            }
            let full =
                (1..=lower_ranks.iter().copied().max().unwrap()).all(|rank| lower_ranks.contains(&rank));
            assert!(full || lower_ranks.iter().all(|&rank| rank <= LARGEST_LEARNED), "{ranks:?}");
        }
        assert!(changed > 5_000, "{changed}");
    }
}
