//! A game in progress: the board, the score, the new pieces, and the record of it all.

use super::meter::Meter;
use super::position;
use super::seed::Pieces;
use crate::board::sliding::{Direction, SlidingBoard};
use crate::solver::{Budget, Stop};

/// Rough bytes of one line of the record in the outcome for machines: a JSON string and its place in a list.
const WITNESS_LINE_BYTES: u64 = 96;
/// Lines for which room is made at once, at first.
const RECORD_MOVES_MIN: usize = 1024;

/// A game in progress.
#[derive(Debug, Clone)]
pub struct Game {
    board: SlidingBoard,
    pieces: Pieces,
    empties: u64,
    score: u128,
    moves: u64,
    record: Option<Record>,
}

/// A piece that the game inserted.
#[derive(Debug, Clone, Copy)]
pub struct Piece {
    /// Its square, counted in row order from 0.
    pub square: u32,
    /// 1 or 2.
    pub rank: u8,
}

/// A whole game, so that it can be replayed.
#[derive(Debug, Clone, Default)]
pub struct Record {
    /// The pieces of a new game.
    pub opening: Vec<Piece>,
    /// Every move and the piece inserted after it.
    pub moves: Vec<(Direction, Piece)>,
    bytes_per_move: u64,
}

/// A game as it stands: what a report shows.
#[derive(Debug)]
pub struct Standing {
    /// The board.
    pub board: SlidingBoard,
    /// The sum of all pieces made by merging.
    pub score: u128,
    /// Moves made.
    pub moves: u64,
    /// No direction changes the board.
    pub over: bool,
    /// The whole game, when it was kept.
    pub record: Option<Record>,
}

impl Record {
    /// An empty record; `for_machines` when it will be given as JSON as well.
    pub fn new(for_machines: bool) -> Self {
        let witness_bytes = if for_machines { WITNESS_LINE_BYTES } else { 0 };
        let bytes_per_move = size_of::<(Direction, Piece)>() as u64 + witness_bytes;
        Self { bytes_per_move, ..Self::default() }
    }

    /// Makes room for another move.
    fn reserve(&mut self, budget: &Budget) -> Result<(), Stop> {
        if self.moves.len() < self.moves.capacity() {
            return Ok(());
        }
        let before = self.moves.capacity();
        let after = (before * 2).max(RECORD_MOVES_MIN);
        // While the moves are copied, the old and the new place exist together.
        budget.charge(after as u64 * self.bytes_per_move)?;
        self.moves.reserve_exact(after - self.moves.len());
        budget.release(before as u64 * self.bytes_per_move);
        Ok(())
    }
}

impl Game {
    /// Begins on `board`; an empty board is a new game and gets its two pieces.
    pub fn new(board: SlidingBoard, pieces: Pieces, record: Option<Record>) -> Self {
        let empties = board.ranks().iter().map(|&rank| u64::from(rank == 0)).sum();
        let mut game = Self { board, pieces, empties, score: 0, moves: 0, record };
        if game.empties == game.board.ranks().len() as u64 {
            for _ in 0..2 {
                let piece = game.insert();
                if let Some(record) = &mut game.record {
                    record.opening.push(piece);
                }
            }
        }
        game
    }

    /// The board.
    pub fn board(&self) -> &SlidingBoard {
        &self.board
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

    /// Makes a move and inserts a piece; false when the move changes nothing, and so is none.
    ///
    /// # Errors
    /// The limit that was hit; the game is as it was before.
    pub fn play(&mut self, direction: Direction, meter: &mut Meter<'_>) -> Result<bool, Stop> {
        if let Some(record) = &mut self.record {
            record.reserve(meter.budget())?;
        }
        let Some(moved) = position::slide(&self.board, direction, meter)? else { return Ok(false) };
        self.board = moved.board;
        self.score += moved.points;
        self.empties += moved.merges;
        self.moves += 1;
        let piece = self.insert();
        if let Some(record) = &mut self.record {
            record.moves.push((direction, piece));
        }
        Ok(true)
    }

    /// Whether no direction changes the board.
    pub fn is_over(&self) -> bool {
        let (size, ranks) = (self.board.size(), self.board.ranks());
        let row_merges = || ranks.chunks_exact(size).any(|row| row.windows(2).any(|pair| pair[0] == pair[1]));
        let column_merges = || ranks.iter().zip(&ranks[size..]).any(|(above, below)| above == below);
        // Pieces beside an empty square can move; a board always has a piece.
        self.empties == 0 && !row_merges() && !column_merges()
    }

    /// What there is to report.
    pub fn into_standing(self) -> Standing {
        let over = self.is_over();
        let Self { board, score, moves, record, .. } = self;
        Standing { board, score, moves, over, record }
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
