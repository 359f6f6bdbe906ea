//! The squares of a board as they arrive, and what ends a board before or behind its last one.

use super::ahead::Ahead;
use super::fault::Fault;
use super::header::{Header, Size};
use super::mistake::{Mistake, Oddity, Part};
use super::tally::{FULL_ROWS, Tally};
use crate::board::checkers::{CheckersBoard, EMPTY, OPPONENT, OWN};
use crate::input::{Found, Lexeme, Next, Place, QUOTE_BYTES_MAX, Scanner, Token, printable};
use crate::solver::Problem;
use crate::words::Phrase;

/// Squares for which there is room at first; more room comes as they arrive.
const SQUARES_FIRST: usize = 4096;

/// The squares of a board as they arrive.
pub struct Squares {
    header: Header,
    published: bool,
    /// The most pieces that there may be of each player.
    pieces_max: u64,
    /// The squares so far, if the memory allows for all of them.
    pub kept: Option<Vec<u8>>,
    /// Own and opponent pieces so far.
    pub pieces: [u64; 2],
    /// The first piece too many.
    too_many: Option<(Place, u8)>,
    /// All squares of the board: up to 2^127.
    count: u128,
    tally: Tally,
    /// Where the last of them ends.
    end: Place,
}

impl Squares {
    /// No square yet of a board with that header, of which at most `squares_max` may be kept; `end` is where the header
    /// ends.
    pub fn new(header: Header, published: bool, squares_max: u64, end: Place) -> Self {
        let count = CheckersBoard::playable(header.size.rows, header.size.columns);
        // The header may be wrapped, too: such a file shows nothing by its lines.
        let tally = if header.place.line == end.line { Tally::new(header.size) } else { Tally::default() };
        Self {
            pieces_max: header.size.pieces_max(published),
            header,
            published,
            count,
            kept: (count <= u128::from(squares_max)).then(Vec::new),
            pieces: [0; 2],
            too_many: None,
            tally,
            end,
        }
    }

    pub fn size(&self) -> Size {
        self.header.size
    }

    /// Reads all squares, and looks whether something follows that belongs to the board.
    pub fn read_all(&mut self, input: &mut Scanner<'_>) -> Result<(), Fault> {
        while self.tally.numbers < self.count {
            match input.advance()? {
                Next::SameLine => {
                    if self.tally.numbers == 0 {
                        self.tally.spoil();
                    }
                    self.read_on(input)?;
                }
                Next::NewLine => {
                    self.tally.begin_line(input.place());
                    self.read_line_start(input)?;
                }
                Next::End => return Err(self.missing(Found::EndOfFile)),
            }
            self.end = input.place();
        }
        let goes_on = match input.advance()? {
            Next::SameLine => true,
            Next::NewLine => {
                Ahead::goes_on(input, self.published)? || self.published && self.tally.zeros_go_on(input)?
            }
            Next::End => false,
        };
        if goes_on {
            return Err(Fault::Surplus(input.place()));
        }
        if let Some(problem) = self.tally.uneven() {
            return Err(Fault::Whole(problem));
        }
        self.tally.end_line();
        Ok(())
    }

    /// Reads the first squares of a line, unless the line shows that the board ends before it.
    fn read_line_start(&mut self, input: &mut Scanner<'_>) -> Result<(), Fault> {
        // Three squares on a line are neither a header nor the end marker.
        if input.has_digits_on_line(OPPONENT, 3) {
            return self.read_on(input);
        }
        let line = input.place().line;
        match self.tally.look_ahead(input)? {
            Ahead::Header => {
                let header = printable(input.line_ahead()?.text.trim_ascii(), QUOTE_BYTES_MAX);
                Err(self.missing(Part::NextHeader { header, line }))
            }
            Ahead::Marker => Err(self.missing(Part::NextMarker { line })),
            Ahead::Squares | Ahead::Other => self.read_one(input),
        }
    }

    /// Reads the next square, and those that follow on its line as plainly as files usually have them.
    fn read_on(&mut self, input: &mut Scanner<'_>) -> Result<(), Fault> {
        let read = self.tally.numbers;
        input.take_digits_on_line(OPPONENT, self.count - self.tally.numbers, |square, place| {
            self.place(square, place);
        });
        if self.tally.numbers == read { self.read_one(input) } else { Ok(()) }
    }

    /// Reads the next square.
    fn read_one(&mut self, input: &mut Scanner<'_>) -> Result<(), Fault> {
        let lexeme = input.next_token()?;
        let Token::Number(square @ 0..=2) = lexeme.token else {
            return Err(Fault::Value(self.wrong_value(&lexeme)));
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
        self.tally.numbers += 1;
        if let Some(kept) = &mut self.kept {
            if kept.len() == kept.capacity() {
                // Twice the room, but never more than the board needs.
                let room = (2 * kept.capacity()).max(SQUARES_FIRST) as u128;
                kept.reserve_exact(room.min(self.count) as usize - kept.len());
            }
            kept.push(square);
        }
    }

    /// The board has too few numbers: `next` comes.
    fn missing(&self, next: impl Into<Phrase>) -> Fault {
        let what = Mistake::SquaresMissing {
            numbers: self.tally.numbers,
            header: self.header.size.to_string(),
            found: next.into(),
            expected: self.count,
        };
        Problem::new(self.end, what).into()
    }

    /// The token is no square. It is read, so it counts.
    fn wrong_value(&mut self, lexeme: &Lexeme) -> Problem {
        self.tally.numbers += 1;
        let Size { rows, columns } = self.header.size;
        let found = lexeme.token.quoted();
        let what = if is_joined(&lexeme.token) {
            Mistake::SquaresJoined { found }
        } else {
            Mistake::SquareValue { found, square: self.tally.numbers, squares: self.count, rows, columns }
        };
        Problem::new(lexeme.place, what)
    }

    /// Drops the rest of a board with a wrong square or with more numbers than squares, and says what is wrong with it.
    pub fn judge(&mut self, fault: Fault, input: &mut Scanner<'_>) -> Result<Problem, Fault> {
        if !matches!(fault, Fault::Value(_) | Fault::Surplus(_)) {
            return Err(fault);
        }
        self.tally.drop_rest(input)?;
        let (numbers, header, expected) = (self.tally.numbers, self.header.size.to_string(), self.count);
        Ok(match fault {
            _ if self.has_all_squares() => {
                Problem::new(self.header.place, Mistake::AllSquares { numbers, header, expected })
            }
            Fault::Surplus(place) => {
                Problem::new(place, Mistake::SquaresSurplus { numbers, header, expected })
            }
            Fault::Value(problem) | Fault::Invalid(problem) | Fault::Whole(problem) => problem,
            Fault::Io(error) => return Err(error.into()),
        })
    }

    /// Whether the squares are there that are not played on: all, or as many on each line as the board has columns.
    fn has_all_squares(&self) -> bool {
        let Size { rows, columns } = self.header.size;
        let columns = u128::from(columns);
        self.tally.numbers == u128::from(rows) * columns
            || self.tally.even().is_some_and(|(lines, widths)| lines >= FULL_ROWS && widths == [columns; 2])
    }

    /// More pieces of a player than there may be, at the first one too many.
    pub fn too_many_pieces(&self) -> Option<Problem> {
        let (place, piece) = self.too_many?;
        let Size { rows, columns } = self.header.size;
        let most = self.pieces_max;
        let [own, opponents] = self.pieces;
        let what = if piece == OWN {
            Mistake::OwnPieces { pieces: own, most, rows, columns }
        } else {
            Mistake::OpponentPieces { pieces: opponents, most, rows, columns }
        };
        Some(Problem::new(place, what))
    }

    /// Another header that would fit the lines of a valid board.
    pub fn other_header(&self) -> Option<Oddity> {
        let (lines, [width, narrow]) = self.tally.even()?;
        let columns =
            (width == narrow || width == narrow + 1).then(|| u64::try_from(width + narrow).ok())??;
        let (size, fitting) = (self.header.size, Size { rows: lines, columns });
        let is_valid = || {
            let most = fitting.pieces_max(self.published);
            fitting.is_allowed(self.published) && self.pieces.iter().all(|&pieces| pieces <= most)
        };
        // Some rows a line, as the published board of 20 x 10 is written, contradict nothing.
        let rows_a_line = if size.rows % lines == 0 { size.rows / lines } else { 0 };
        let holds_rows = rows_a_line > 0 && width == narrow && (size.columns * rows_a_line) % 2 == 0;
        if fitting == size || holds_rows || !is_valid() {
            return None;
        }
        let (header, fitting, line) = (size.to_string(), fitting.to_string(), self.header.place.line);
        Some(if width == narrow {
            Oddity::OtherHeader { lines, width, header, fitting, line }
        } else {
            Oddity::OtherHeaderInTurn { lines, width, narrow, header, fitting, line }
        })
    }
}

/// Digits of several squares.
fn is_joined(token: &Token) -> bool {
    let text = match token {
        Token::Number(number) => number.to_string(),
        Token::TooLarge(text) => text.clone(),
        Token::Word(_) | Token::End => return false,
    };
    text.len() > 1 && text.trim_end_matches('…').bytes().all(|digit| matches!(digit, b'0'..=b'2'))
}
