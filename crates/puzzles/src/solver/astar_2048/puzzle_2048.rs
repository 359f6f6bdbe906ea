//! The deterministic 2048 for other programs: the `Board` and the `Solver` that its assignment asks for.
//!
//! ```
//! use tabuleiro_puzzles::puzzle_2048::{Board, Solver};
//!
//! let board: Board = "4  256 8 0 2  256 8 16 2  512 4 0 0  1024 0 0 0".parse()?;
//! let solver = Solver::new(board, 2048)?;
//! assert_eq!((solver.moves(), solver.is_minimal()), (3, true));
//! for board in solver.solution() {
//!     println!("{board}");
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::iter::FusedIterator;
use std::time::Duration;

use super::answer::Answer;
pub use super::astar_options::Algorithm;
use super::astar_options::GOAL_MIN;
use super::puzzle::answer;
pub use crate::board::sliding::Direction;
pub use crate::board::swipe::{Board, BoardError, OutsideBoard};
use crate::solver::Cancel;
pub use crate::solver::{Budget, Stop};

/// Time that [`Solver::new`] takes at most.
pub const TIME_LIMIT: Duration = Duration::from_secs(60);
/// Bytes that [`Solver::new`] takes at most: 1 GiB.
pub const MEMORY_BYTES_MAX: u64 = 1 << 30;

/// A board with swipes that reach a goal tile, found when it is made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Solver {
    start: Board,
    swipes: Vec<Direction>,
    at_least: u64,
}

/// Why there is no solution to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SolveError {
    /// A goal that is no power of two from 4.
    #[error("the goal {0} is no power of two from 4")]
    Goal(u64),
    /// No swipes reach the goal; this is proved.
    #[error("unsolvable")]
    Unsolvable,
    /// A limit ended the search before it found a solution.
    #[error("undecided (at least {at_least} moves): {} was hit", stop.name())]
    Undecided {
        /// The limit.
        stop: Stop,
        /// Fewer moves than this do not reach the goal.
        at_least: u64,
    },
}

impl Solver {
    /// Searches for the fewest moves from `start` to a tile of at least `goal`, for at most [`TIME_LIMIT`] and in at
    /// most [`MEMORY_BYTES_MAX`].
    ///
    /// The search goes layer by layer, every swipe adding 2 to the sum of the tiles. A path to `goal` has about
    /// goal / 2 moves; one that meets the lower bound costs O(100 · n² · goal), and in the worst case the
    /// number of boards that can be reached decides.
    ///
    /// # Errors
    /// When `goal` is no power of two from 4, when it cannot be reached, or when a limit was hit before a path was
    /// found.
    ///
    /// ```
    /// use tabuleiro_puzzles::puzzle_2048::{Board, SolveError, Solver};
    ///
    /// assert_eq!(Solver::new(Board::start(4), 2048)?.moves(), 1033);
    /// assert_eq!(Solver::new(Board::start(2), 32), Err(SolveError::Unsolvable));
    /// assert_eq!(Solver::new(Board::start(2), 10), Err(SolveError::Goal(10)));
    /// # Ok::<(), SolveError>(())
    /// ```
    pub fn new(start: Board, goal: u64) -> Result<Self, SolveError> {
        let memory = Budget::new(None, None, MEMORY_BYTES_MAX, Cancel::default());
        Self::within(start, goal, Algorithm::Shortest, &memory.part(TIME_LIMIT))
    }

    /// Searches by `algorithm` within `budget`.
    ///
    /// # Errors
    /// Those of [`Solver::new`].
    ///
    /// ```
    /// use tabuleiro_puzzles::puzzle_2048::{Algorithm, Board, Budget, Solver};
    ///
    /// let solver = Solver::within(Board::start(3), 64, Algorithm::LeftWeighted, &Budget::unlimited())?;
    /// assert!(solver.moves() >= solver.at_least());
    /// # Ok::<(), tabuleiro_puzzles::puzzle_2048::SolveError>(())
    /// ```
    pub fn within(
        start: Board,
        goal: u64,
        algorithm: Algorithm,
        budget: &Budget,
    ) -> Result<Self, SolveError> {
        if !goal.is_power_of_two() || goal < GOAL_MIN {
            return Err(SolveError::Goal(goal));
        }
        match answer(start.squares(), goal.trailing_zeros() as u8, algorithm, budget) {
            Answer::Path { moves, at_least } => Ok(Self { start, swipes: moves, at_least }),
            Answer::Unsolvable => Err(SolveError::Unsolvable),
            Answer::Undecided { stop, at_least } => Err(SolveError::Undecided { stop, at_least }),
        }
    }

    /// Moves of the solution; 0 when the board had won already. Takes constant time.
    #[must_use]
    pub fn moves(&self) -> u64 {
        self.swipes.len() as u64
    }

    /// Fewer moves than this are proved not to do. Takes constant time.
    #[must_use]
    pub fn at_least(&self) -> u64 {
        self.at_least
    }

    /// Returns whether the solution is proved to have the fewest moves. Takes constant time.
    #[must_use]
    pub fn is_minimal(&self) -> bool {
        self.moves() == self.at_least
    }

    /// Returns the swipes of the solution. Takes constant time.
    ///
    /// ```
    /// use tabuleiro_puzzles::puzzle_2048::{Board, Direction, Solver};
    ///
    /// let solver = Solver::new(Board::from_rows(&[[2, 0], [2, 0]])?, 4)?;
    /// assert_eq!(solver.swipes(), [Direction::Up]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn swipes(&self) -> &[Direction] {
        &self.swipes
    }

    /// Returns the boards of the solution, first to last: one more than moves. Each is made in O(n²) when it is
    /// asked for, and only the one at hand is kept.
    ///
    /// ```
    /// use tabuleiro_puzzles::puzzle_2048::{Board, Solver};
    ///
    /// let solver = Solver::new(Board::start(4), 64)?;
    /// let boards = solver.solution();
    /// assert_eq!(boards.len() as u64, solver.moves() + 1);
    /// assert!(boards.last().is_some_and(|board| board.is_won(64)));
    /// # Ok::<(), tabuleiro_puzzles::puzzle_2048::SolveError>(())
    /// ```
    #[must_use]
    pub fn solution(&self) -> impl ExactSizeIterator<Item = Board> + FusedIterator {
        let (mut board, boards) = (self.start.clone(), self.swipes.len() + 1);
        (0..boards).map(move |moves| {
            let last = moves.checked_sub(1).map(|index| self.swipes[index]);
            if let Some(next) = last.and_then(|swipe| board.swiped(swipe)) {
                board = next;
            }
            board.clone()
        })
    }
}
