//! The boards a search walks through, as it sees them, and the lower bound.
//!
//! A search knows its boards only through [`Space`]. It never sees a won board: a swipe that wins says so,
//! hence every tile of a board in the search is below the goal.

use crate::board::sliding::{Direction, SlidingBoard};

/// What a swipe does.
pub(super) enum Swipe<B> {
    /// It changes nothing, or leaves no blank in the right column.
    Invalid,
    /// It makes a tile of the goal.
    Won,
    /// The board after it.
    Board(B),
}

/// Boards of one size without a tile of the goal.
pub(super) trait Space {
    /// A board.
    type Board: Clone + Eq;
    /// How good a board looks, the greater the better.
    type Score: Ord + Copy;

    /// The board after a swipe.
    fn swipe(&self, board: &Self::Board, direction: Direction) -> Swipe<Self::Board>;
    /// A well-mixed hash.
    fn hash(&self, board: &Self::Board) -> u64;
    /// How promising a board is, compared with others of the same sum; see [`snake_place`].
    fn beam_score(&self, board: &Self::Board) -> Self::Score;
    /// How many tiles there are of every rank.
    fn counts(&self, board: &Self::Board) -> Counts;
    /// The board for the scores of the published algorithms.
    fn to_sliding(&self, board: &Self::Board) -> SlidingBoard;
    /// Bytes of memory that one board takes.
    fn board_bytes(&self) -> u64;
    /// Rank of the goal: the goal is 2^`goal_rank`.
    fn goal_rank(&self) -> u8;
    /// Squares of a board: what a swipe costs.
    fn squares(&self) -> u64;
}

/// Tiles of every rank; the blank squares are those of rank 0.
pub(super) type Counts = [u64; 64];

/// The tiles of `board`.
pub(super) fn counts_of(board: &SlidingBoard) -> Counts {
    let mut counts = [0; 64];
    for &rank in board.ranks() {
        counts[usize::from(rank & 63)] += 1;
    }
    counts
}

/// Fewest swipes that could win from a board with these tiles; `None` when no swipes can.
///
/// The goal tile G = 2^k is put together from tiles of the board and from spawned twos. Let S be the sum of
/// the board.
/// - S < G: at least (G − S)/2 spawned twos are in it. The last of them appears after that many swipes and
///   then merges k − 1 times, once a swipe. At the moment it appears, all the other parts are on the board,
///   so k squares are needed at the least: 2, 2, 4, 8, …, G/2.
/// - S ≥ G: if twos are spawned for it, the last one merges k − 1 times. If none are, the parts are tiles of
///   the board; going down from the largest, those that reach the sum G end with one of rank j, so some part
///   has at most that rank, and merges k − j times.
pub(super) fn lower_bound(counts: &Counts, goal_rank: u8) -> Option<u64> {
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
    let squares: u64 = counts.iter().sum();
    // Sums and goals are even, and the goal is at most 2^63.
    (squares >= goal_rank as u64).then(|| ((goal - sum) / 2) as u64 + goal_rank as u64 - 1)
}

/// Largest board whose beams go by the snake alone. On larger ones there is room to leave tiles lying about, and
/// the fewest tiles come first: from the start boards of 5 × 5 to 8 × 8 the narrowest beam then meets the bound
/// for most goals, where by the snake alone it takes up to twice the moves. On 4 × 4 it is the other way round.
pub(super) const SNAKE_ALONE_SIZE_MAX: usize = 4;
/// Weights of the snake fall by this power of two from one place to the next, where it is alone.
pub(super) const SNAKE_STEP_BITS: usize = 2;

/// Place in the snake, 0 at its head: along the left column, back along the next one, and so on. It ends in the
/// upper right corner, where the twos appear.
pub(super) fn snake_place(size: usize, row: usize, column: usize) -> usize {
    let downwards = (size - column).is_multiple_of(2);
    let along = if downwards { row } else { size - 1 - row };
    column * size + along
}

/// The finalizer of `SplitMix64` (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014).
pub(super) fn mix(bits: u64) -> u64 {
    let bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ bits >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bound(size: usize, ranks: Vec<u8>, goal_rank: u8) -> Option<u64> {
        lower_bound(&counts_of(&SlidingBoard::new(size, ranks)), goal_rank)
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
        // Not so when the parts are there already.
        assert_eq!(bound(2, vec![20, 20, 0, 0], 21), Some(1));
    }

    #[test]
    fn a_won_board_needs_no_moves() {
        assert_eq!(bound(2, vec![63, 1, 1, 1], 63), Some(0));
        assert_eq!(bound(2, vec![63, 1, 1, 1], 4), Some(0));
        assert_eq!(bound(8, vec![62; 64], 63), Some(1));
    }
}
