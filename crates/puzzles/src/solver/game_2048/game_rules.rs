//! The rules of the game: the board, the score, the effect of a move, and the source of new pieces.

use crate::board::sliding::{Direction, SlidingBoard};
use crate::solver::{Pace, Random, Stop};

/// Squares moved between two checks of the budget: some tens of microseconds.
pub const SQUARES_PER_CHECK: usize = 1 << 15;

/// A game in progress.
#[derive(Debug, Clone)]
pub struct Game {
    pub board: SlidingBoard,
    pub seed: u64,
    /// Draws two numbers per new piece, first the square and then the value, so that the squares do not depend on the
    /// probability of a 4.
    random: Random,
    percent_four: u64,
    /// The number of squares without a piece.
    pub empties: u64,
    /// The sum of all pieces made by merging.
    pub score: u128,
    pub moves: u64,
}

/// A piece that the game inserted.
#[derive(Debug, Clone, Copy)]
pub struct Piece {
    /// Its square, counted in row order from 0.
    pub square: u32,
    /// 1 or 2.
    pub rank: u8,
}

impl Game {
    /// Begins a game on `board`. Its new pieces follow from `seed`; `percent_four` percent of them are a 4. An empty
    /// board is a new game and gets two pieces, which are returned with the game.
    pub fn new(board: SlidingBoard, seed: u64, percent_four: u64) -> (Self, Vec<Piece>) {
        let empties = board.ranks().iter().map(|&rank| u64::from(rank == 0)).sum();
        let random = Random::new(seed);
        let mut game = Self { board, seed, random, percent_four, empties, score: 0, moves: 0 };
        let is_new = empties == game.board.ranks().len() as u64;
        let opening = (0..if is_new { 2 } else { 0 }).map(|_| game.insert()).collect();
        (game, opening)
    }

    /// Makes a move, inserts a piece and returns it; `None` if the move changes nothing and does not count.
    ///
    /// # Errors
    /// Returns the limit that was hit; the game is unchanged.
    pub fn play(&mut self, direction: Direction, pace: &mut Pace<'_>) -> Result<Option<Piece>, Stop> {
        let Some(moved) = slide(&self.board, direction, pace)? else { return Ok(None) };
        self.board = moved.board;
        self.score += moved.points;
        self.empties += moved.merges;
        self.moves += 1;
        Ok(Some(self.insert()))
    }

    /// Returns whether no direction changes the board.
    pub fn is_over(&self) -> bool {
        let (size, ranks) = (self.board.size(), self.board.ranks());
        let row_merges = || ranks.chunks_exact(size).any(|row| row.windows(2).any(|pair| pair[0] == pair[1]));
        let column_merges = || ranks.iter().zip(&ranks[size..]).any(|(above, below)| above == below);
        // Pieces next to an empty square can move, and a board always has a piece.
        self.empties == 0 && !row_merges() && !column_merges()
    }

    /// Inserts the next piece. There is always room: a move leaves a square empty.
    fn insert(&mut self) -> Piece {
        let index = self.random.below(self.empties.max(1));
        let rank = 1 + u8::from(self.random.below(100) < self.percent_four);
        let mut empty_squares = self.board.ranks_mut().iter_mut().enumerate().filter(|(_, rank)| **rank == 0);
        let mut square = 0;
        if let Some((at, empty)) = empty_squares.nth(index as usize) {
            *empty = rank;
            square = at as u32;
            self.empties -= 1;
        }
        Piece { square, rank }
    }
}

/// The result of a move.
#[derive(Debug)]
pub struct Moved {
    /// The board after the move, before a new piece appears.
    pub board: SlidingBoard,
    /// The sum of the pieces made by merging.
    pub points: u128,
    pub merges: u64,
}

/// Moves on a copy of `board`; returns `None` if nothing changes. Checks the budget between two lanes.
pub fn slide(board: &SlidingBoard, direction: Direction, pace: &mut Pace<'_>) -> Result<Option<Moved>, Stop> {
    let (mut after, mut points) = (board.clone(), 0);
    let add_points = |rank| points += 1_u128 << rank;
    let slide = after.try_slide(direction, add_points, || pace.count(board.size()))?;
    Ok(slide.changed.then_some(Moved { board: after, points, merges: slide.merges.into() }))
}
