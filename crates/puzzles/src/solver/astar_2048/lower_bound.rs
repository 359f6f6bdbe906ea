//! A lower bound on the swipes that win, from the tiles alone, wherever they lie.

use crate::board::sliding::SlidingBoard;

/// Returns a lower bound on the swipes that win from `board`, or `None` if no swipes can win.
///
/// The goal tile G = 2^k is made of tiles of the board and of spawned twos. Let S be the sum of the board.
/// - S < G: the goal tile contains at least (G − S)/2 spawned twos. The last of them appears after that many swipes and
///   then merges k − 1 times, at most once per swipe. When it appears, all other parts are on the board, so at least k
///   squares are needed: 2, 2, 4, 8, …, G/2.
/// - S ≥ G: if the goal tile contains spawned twos, the last one merges k − 1 times. Otherwise its parts are tiles of
///   the board. Let j be the rank at which the tiles, added from the largest down, reach the sum G. Some part has at
///   most this rank, and merges at least k − j times.
pub fn lower_bound(board: &SlidingBoard, goal_rank: u8) -> Option<u64> {
    let mut counts = [0_u64; 64];
    for &rank in board.ranks() {
        counts[usize::from(rank & 63)] += 1;
    }
    let goal_rank = usize::from(goal_rank);
    if counts[goal_rank..].iter().any(|&count| count > 0) {
        return Some(0);
    }
    let goal = 1_u128 << goal_rank;
    let mut sum = 0;
    for rank in (1..goal_rank).rev() {
        sum += u128::from(counts[rank]) << rank;
        if sum >= goal {
            return Some((goal_rank - rank) as u64);
        }
    }
    let squares = board.ranks().len() as u64;
    // Sums and goals are even, and the goal is at most 2^63.
    (squares >= goal_rank as u64).then(|| ((goal - sum) / 2) as u64 + goal_rank as u64 - 1)
}

/// Returns the sum of the tiles of `board`.
pub fn sum(board: &SlidingBoard) -> u128 {
    board.ranks().iter().filter(|&&rank| rank > 0).map(|&rank| 1_u128 << rank).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bound(size: usize, ranks: Vec<u8>, goal_rank: u8) -> Option<u64> {
        lower_bound(&SlidingBoard::new(size, ranks), goal_rank)
    }

    fn start(size: usize) -> Vec<u8> {
        let mut ranks = vec![0; size * size];
        ranks[size - 1] = 1;
        ranks
    }

    #[test]
    fn bounds_of_the_page() {
        assert_eq!(bound(4, start(4), 11), Some(1033));
        assert_eq!(bound(4, start(4), 16), Some(32_782));
        assert_eq!(bound(4, start(4), 10), Some(520));
        assert_eq!(bound(4, vec![8, 3, 0, 1, 8, 3, 4, 1, 9, 2, 0, 0, 10, 0, 0, 0], 11), Some(3));
    }

    #[test]
    fn a_goal_of_2_to_the_k_needs_k_squares() {
        assert_eq!(
            (bound(4, start(4), 17), bound(3, start(3), 10), bound(2, start(2), 5)),
            (None, None, None)
        );
        assert!(bound(3, start(3), 9).is_some() && bound(2, start(2), 4).is_some());
        // This does not hold if the parts are already there.
        assert_eq!(bound(2, vec![20, 20, 0, 0], 21), Some(1));
    }

    #[test]
    fn a_won_board_needs_no_moves() {
        assert_eq!(bound(2, vec![63, 1, 1, 1], 63), Some(0));
        assert_eq!(bound(2, vec![63, 1, 1, 1], 4), Some(0));
        assert_eq!(bound(8, vec![62; 64], 63), Some(1));
    }

    #[test]
    fn a_sum_is_that_of_the_tiles_without_the_blank_squares() {
        assert_eq!(sum(&SlidingBoard::new(2, vec![0, 1, 3, 63])), 2 + 8 + (1 << 63));
    }
}
