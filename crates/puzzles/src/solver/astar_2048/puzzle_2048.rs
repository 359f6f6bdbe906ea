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
use super::astar_puzzle::answer;
pub use crate::board::sliding::Direction;
pub use crate::board::swipe::{Board, BoardError, OutsideBoard};
use crate::solver::Cancel;
pub use crate::solver::{Budget, Stop};

/// The time limit of [`Solver::new`].
pub const TIME_LIMIT: Duration = Duration::from_secs(60);
/// The memory limit of [`Solver::new`] in bytes: 1 GiB.
pub const MEMORY_BYTES_MAX: u64 = 1 << 30;

/// A board with swipes that reach a goal tile. Creating it runs the search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Solver {
    start: Board,
    swipes: Vec<Direction>,
    at_least: u64,
}

/// Why there is no solution to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SolveError {
    /// The goal is not a power of two, or is below 4.
    #[error("the goal {0} is no power of two from 4")]
    Goal(u64),
    /// It is proved that no swipes reach the goal.
    #[error("unsolvable")]
    Unsolvable,
    /// A limit ended the search before it found a solution.
    #[error("undecided (at least {at_least} moves): {} was hit", stop.name())]
    Undecided {
        /// The limit that was hit.
        stop: Stop,
        /// Fewer moves than this do not reach the goal.
        at_least: u64,
    },
}

impl Solver {
    /// Searches for the fewest moves from `start` to a tile of at least `goal`, within [`TIME_LIMIT`] and
    /// [`MEMORY_BYTES_MAX`].
    ///
    /// The search goes layer by layer, since every swipe adds 2 to the sum of the tiles. A path to `goal` has about
    /// goal / 2 moves. Finding one that meets the lower bound costs O(100 · n² · goal); in the worst case the cost
    /// depends on the number of boards that can be reached.
    ///
    /// # Errors
    /// Fails if `goal` is not a power of two or is below 4, if it cannot be reached, or if a limit is hit before a path
    /// is found.
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
    /// Fails like [`Solver::new`].
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

    /// Returns the number of moves of the solution, 0 if the board was already won. Takes constant time.
    pub fn moves(&self) -> u64 {
        self.swipes.len() as u64
    }

    /// Returns a proved lower bound on the moves that reach the goal. Takes constant time.
    pub fn at_least(&self) -> u64 {
        self.at_least
    }

    /// Returns whether the solution is proved to have the fewest moves. Takes constant time.
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
    pub fn swipes(&self) -> &[Direction] {
        &self.swipes
    }

    /// Returns the boards of the solution in order, one more than moves. Each board is made in O(n²) when it is
    /// requested, and only the current one is kept.
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
