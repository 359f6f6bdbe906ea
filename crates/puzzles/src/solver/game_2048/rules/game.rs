//! A game in progress: the board, the score, and the new pieces.

use super::moved::slide;
use super::pieces::Pieces;
use crate::board::sliding::{Direction, SlidingBoard};
use crate::solver::{Pace, Stop};

/// A game in progress.
#[derive(Debug, Clone)]
pub struct Game {
    board: SlidingBoard,
    seed: u64,
    pieces: Pieces,
    empties: u64,
    score: u128,
    moves: u64,
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
    /// Begins on `board` with the pieces of `seed`, of which `percent_four` in 100 cases are a 4; an empty board is a
    /// new game and gets the two pieces that are given beside it.
    pub fn new(board: SlidingBoard, seed: u64, percent_four: u64) -> (Self, Vec<Piece>) {
        let empties = board.ranks().iter().map(|&rank| u64::from(rank == 0)).sum();
        let pieces = Pieces::new(seed, percent_four);
        let mut game = Self { board, seed, pieces, empties, score: 0, moves: 0 };
        let is_new = empties == game.board.ranks().len() as u64;
        let opening = (0..if is_new { 2 } else { 0 }).map(|_| game.insert()).collect();
        (game, opening)
    }

    /// The board.
    pub fn board(&self) -> &SlidingBoard {
        &self.board
    }

    /// The board alone.
    pub fn into_board(self) -> SlidingBoard {
        self.board
    }

    /// The seed of its new pieces.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Squares without a piece.
    pub fn empties(&self) -> u64 {
        self.empties
    }

    /// The sum of all pieces made by merging.
    pub fn score(&self) -> u128 {
        self.score
    }

    /// Moves made.
    pub fn moves(&self) -> u64 {
        self.moves
    }

    /// Makes a move and inserts the piece that is given; `None` when the move changes nothing, and so is none.
    ///
    /// # Errors
    /// The limit that was hit; the game is as it was before.
    pub fn play(&mut self, direction: Direction, pace: &mut Pace<'_>) -> Result<Option<Piece>, Stop> {
        let Some(moved) = slide(&self.board, direction, pace)? else { return Ok(None) };
        self.board = moved.board;
        self.score += moved.points;
        self.empties += moved.merges;
        self.moves += 1;
        Ok(Some(self.insert()))
    }

    /// Whether no direction changes the board.
    pub fn is_over(&self) -> bool {
        let (size, ranks) = (self.board.size(), self.board.ranks());
        let row_merges = || ranks.chunks_exact(size).any(|row| row.windows(2).any(|pair| pair[0] == pair[1]));
        let column_merges = || ranks.iter().zip(&ranks[size..]).any(|(above, below)| above == below);
        // Pieces beside an empty square can move; a board always has a piece.
        self.empties == 0 && !row_merges() && !column_merges()
    }

    /// Puts the next piece on its square. There is always room: after a move a square is empty.
    fn insert(&mut self) -> Piece {
        let (index, rank) = self.pieces.draw(self.empties);
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
