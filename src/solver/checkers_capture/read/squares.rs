//! The squares of a board as they arrive, and what ends a board before all are there.

use super::fault::{Behind, Fault};
use super::header::{Size, is_header};
use crate::board::checkers::{CheckersBoard, EMPTY, OPPONENT, OWN};
use crate::input::{Lexeme, Next, Place, Scanner, Token};
use crate::solver::Problem;

/// Squares for which there is room at first; more room comes as they arrive.
const SQUARES_FIRST: usize = 4096;

/// The squares of a board as they arrive.
pub struct Squares {
    pub size: Size,
    /// The squares so far, if the memory allows for all of them.
    pub kept: Option<Vec<u8>>,
    /// Own and opponent pieces so far.
    pub pieces: [u64; 2],
    /// The most there may be of each.
    pieces_max: u64,
    /// The first piece too many.
    too_many: Option<(Place, u8)>,
    /// All squares of the board: up to 2^127.
    count: u128,
    read: u128,
}

impl Squares {
    /// No square yet of a board of that size, of which at most `squares_max` may be kept, and on which at most
    /// `pieces_max` pieces of each player may stand.
    pub fn new(size: Size, squares_max: u64, pieces_max: u64) -> Self {
        let count = CheckersBoard::playable(size.rows, size.columns);
        Self {
            size,
            count,
            read: 0,
            kept: (count <= u128::from(squares_max)).then(Vec::new),
            pieces: [0; 2],
            pieces_max,
            too_many: None,
        }
    }

    /// Whether all squares are read.
    pub fn complete(&self) -> bool {
        self.read == self.count
    }

    /// Reads the first square of a line (both of a line `0 0`), unless the line shows that the board ends before it.
    pub fn read_line_start(&mut self, input: &mut Scanner<'_>) -> Result<(), Fault> {
        // Three squares on a line are neither a header nor the end marker.
        if input.has_digits_on_line(OPPONENT, 3) {
            return self.read_on(input);
        }
        let [shape] = input.preview::<1>()?;
        let place = input.place();
        if let Some([rows, columns]) = shape.exactly::<2>() {
            if is_header(rows, columns) {
                let found = format!("the header '{rows} {columns}' of another board");
                return Err(Fault::Invalid(self.missing(place, found), Behind::Line));
            }
            if (rows, columns) == (0, 0) {
                input.next_token()?;
                let second = input.next_token()?;
                if input.advance()? == Next::End {
                    let found = "the end marker 0 0".to_owned();
                    return Err(Fault::Invalid(self.missing(place, found), Behind::Marker));
                }
                self.push(EMPTY);
                if self.complete() {
                    return Err(Fault::Invalid(self.surplus(&second), Behind::Line));
                }
                self.push(EMPTY);
                return Ok(());
            }
        }
        self.read_one(input)
    }

    /// Reads the next square, and those that follow on its line as plainly as files usually have them.
    pub fn read_on(&mut self, input: &mut Scanner<'_>) -> Result<(), Fault> {
        let read = self.read;
        input
            .take_digits_on_line(OPPONENT, self.count - self.read, |square, place| self.place(square, place));
        if self.read == read { self.read_one(input) } else { Ok(()) }
    }

    /// Reads the next square.
    pub fn read_one(&mut self, input: &mut Scanner<'_>) -> Result<(), Fault> {
        let lexeme = input.next_token()?;
        let Token::Number(square @ 0..=2) = lexeme.token else {
            let expected =
                format!("0, 1 or 2 (square {} of {} on a {} board)", self.read + 1, self.count, self.size);
            return Err(Problem::token(&lexeme, "square-value", expected, true).into());
        };
        self.place(square as u8, lexeme.place);
        Ok(())
    }

    /// Adds a square that stands at `place` in the file.
    fn place(&mut self, square: u8, place: Place) {
        if square != EMPTY {
            let pieces = &mut self.pieces[usize::from(square == OPPONENT)];
            *pieces += 1;
            if *pieces > self.pieces_max && self.too_many.is_none() {
                self.too_many = Some((place, square));
            }
        }
        self.push(square);
    }

    fn push(&mut self, square: u8) {
        self.read += 1;
        if let Some(kept) = &mut self.kept {
            if kept.len() == kept.capacity() {
                // Twice the room, but never more than the board needs.
                let room = (2 * kept.capacity()).max(SQUARES_FIRST) as u128;
                kept.reserve_exact(room.min(self.count) as usize - kept.len());
            }
            kept.push(square);
        }
    }

    /// The board ends at `place`, where `found` stands.
    pub fn missing(&self, place: Place, found: String) -> Problem {
        let missing = self.count - self.read;
        Problem::old(place, "squares-missing", found, format!("{missing} more of {}", self.all()), true)
    }

    /// More pieces of a player than there may be, at the first one too many.
    pub fn too_many_pieces(&self) -> Option<Problem> {
        let (place, piece) = self.too_many?;
        let (rule, name) =
            if piece == OWN { ("own-pieces", "own (1)") } else { ("opponent-pieces", "opponent (2)") };
        let found = format!("{} {name} pieces", self.pieces[usize::from(piece == OPPONENT)]);
        Some(Problem::old(
            place,
            rule,
            found,
            format!("at most {} on a {} board", self.pieces_max, self.size),
            true,
        ))
    }

    /// A token behind the last square on its line.
    pub fn surplus(&self, lexeme: &Lexeme) -> Problem {
        let expected = format!("the end of the line after {}", self.all());
        Problem::token(lexeme, "squares-surplus", expected, true)
    }

    /// `the 5 squares of a 3 x 3 board`.
    fn all(&self) -> String {
        format!("the {} squares of a {} board", self.count, self.size)
    }
}
