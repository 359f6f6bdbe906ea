//! Exact solvers for the board puzzles of algorithms courses: text goes in; answers, drawings and verdicts come out.
//!
//! ```
//! use tabuleiro_puzzles::input::Scanner;
//! use tabuleiro_puzzles::solver::{self, Budget, Work};
//!
//! let file = b"1 9\n3\n4 1 3 2 2 1 2 1 0\n0 0\n0 1\n0 2\n";
//! let jump_game = solver::find("jump-game").ok_or("no such solver")?;
//! let mut reader = jump_game.open(&solver::default_options(jump_game));
//! let mut scanner = Scanner::new(&file[..], "game.txt")?;
//! while let Some(entry) = reader.read(&mut scanner)? {
//!     if let Work::Solve(game) = entry.work {
//!         assert_eq!(game.solve(&Budget::unlimited()).to_text(), "C\n3\n");
//!     }
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`solver`] has the table of solvers, [`SOLVERS`](solver::SOLVERS), and all that belongs to them: options, limits of
//! time and memory, outcomes, and the grading of other programs' answers. The other modules are [`input`] (tokens and
//! lines with their places), [`board`] (the rules of boards), [`picture`] (SVG and HTML) and [`words`] (messages in
//! English and Portuguese). [`puzzle_2048`] provides the `Board` and the `Solver` that the 2048 assignment of COS 226
//! (Princeton) asks for:
//!
//! ```
//! use tabuleiro_puzzles::puzzle_2048::{Board, Solver};
//!
//! let board: Board = "4  256 8 0 2  256 8 16 2  512 4 0 0  1024 0 0 0".parse()?;
//! let solver = Solver::new(board, 2048)?;
//! assert_eq!((solver.moves(), solver.is_minimal()), (3, true));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The crate does no I/O except through the readers and writers that the caller passes. It logs nothing, and reads no
//! clock except through a [`Budget`](solver::Budget). It starts threads only once: the first 4 × 4 game of `2048-game`
//! uses them to unpack a network. The same text and options give the same answer, unless a time limit ended the search.

pub mod board;
pub mod input;
pub mod picture;
pub mod solver;
pub mod words;

pub use solver::puzzle_2048;
