//! The boards a search walks through, packed into 64 bits where they fit, and the lower bound.
//!
//! A search knows its boards only through [`Space`]. It never sees a won board: a swipe that wins says so,
//! hence every tile of a board in the search is below the goal, and a board of at most 4 × 4 squares with a
//! goal of at most 2^16 fits four bits a square.

use crate::board::packed::{self, PackedBoard, SlideTables};
use crate::board::sliding::{Direction, SlidingBoard};
use crate::board::swipe::{refill, value_of};

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
    /// How well the tiles lie along the snake; see [`snake_exponent`].
    fn snake(&self, board: &Self::Board) -> Self::Score;
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

/// Place in the snake, 0 at its head: the left column downwards, the next one upwards, and so on. On boards
/// of even size it ends in the upper right corner, where the twos appear.
fn snake_place(size: usize, row: usize, column: usize) -> usize {
    let along = if column % 2 == 0 { row } else { size - 1 - row };
    column * size + along
}

/// Boards of at most 4 × 4 squares with a goal of at most 2^16.
pub(super) struct PackedSpace {
    size: usize,
    goal_rank: u8,
    tables: &'static SlideTables,
    /// The snake's scores of every row of the board.
    scores: Vec<u64>,
}

impl PackedSpace {
    /// The space and the board in it; `None` when it does not fit.
    pub(super) fn new(board: &SlidingBoard, goal_rank: u8) -> Option<(Self, PackedBoard)> {
        let size = board.size();
        let start = PackedBoard::from_sliding(board)?;
        let tables = SlideTables::of_size(size)?;
        if goal_rank > packed::RANK_MAX + 1 {
            return None;
        }
        let rows = (0..size).flat_map(|row| (0..=u16::MAX).map(move |ranks| row_score(size, row, ranks)));
        Some((Self { size, goal_rank, tables, scores: rows.collect() }, start))
    }
}

/// Weights fall by this power of two from one place of the snake to the next.
const SNAKE_STEP_BITS: usize = 2;

/// The score of one row of a packed board. The weights fall from 2^30 to 1, so that a score is below 2^50.
fn row_score(size: usize, row: usize, ranks: u16) -> u64 {
    let square_score = |column: usize| {
        let rank = (ranks >> (4 * column)) as u8 & packed::RANK_MAX;
        value_of(rank) << (SNAKE_STEP_BITS * (size * size - 1 - snake_place(size, row, column)))
    };
    (0..size).map(square_score).sum()
}

impl Space for PackedSpace {
    type Board = PackedBoard;
    type Score = u64;

    #[inline]
    fn swipe(&self, board: &PackedBoard, direction: Direction) -> Swipe<PackedBoard> {
        let (slid, made) = board.slide(self.tables, direction);
        if slid == *board {
            return Swipe::Invalid;
        }
        let right = self.size - 1;
        match (0..self.size).find(|&row| slid.rank(row, right) == 0) {
            None => Swipe::Invalid,
            Some(_) if made >= self.goal_rank => Swipe::Won,
            Some(row) => Swipe::Board(slid.with(row, right, 1)),
        }
    }

    fn hash(&self, board: &PackedBoard) -> u64 {
        mix(board.bits())
    }

    fn snake(&self, board: &PackedBoard) -> u64 {
        let row_score = |row| self.scores[row << 16 | usize::from(board.row(row))];
        (0..self.size).map(row_score).sum()
    }

    fn counts(&self, board: &PackedBoard) -> Counts {
        counts_of(&board.to_sliding(self.size))
    }

    fn to_sliding(&self, board: &PackedBoard) -> SlidingBoard {
        board.to_sliding(self.size)
    }

    fn board_bytes(&self) -> u64 {
        size_of::<PackedBoard>() as u64
    }

    fn goal_rank(&self) -> u8 {
        self.goal_rank
    }

    fn squares(&self) -> u64 {
        1
    }
}

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
    type Score = u128;

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

    /// Weights fall from 2^60 by [`SNAKE_STEP_BITS`], and stay at 1 from the 31st square on.
    fn snake(&self, board: &SlidingBoard) -> u128 {
        let squares = board.ranks().iter().enumerate().filter(|(_, rank)| **rank > 0);
        squares.fold(0_u128, |score, (square, &rank)| {
            let place = snake_place(self.size, square / self.size, square % self.size);
            let weight_bits = 60_usize.saturating_sub(SNAKE_STEP_BITS * place);
            score.saturating_add(u128::from(value_of(rank)) << weight_bits)
        })
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

/// The finalizer of `SplitMix64` (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014).
fn mix(bits: u64) -> u64 {
    let bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ bits >> 31
}
