//! The form of boards: rows and columns, and the playable squares row by row.

use super::checkers_mistakes::Mistake;
use super::checkers_options::{ALGORITHM, AREA_MAX, Algorithm, LIMITS, SIDE_MAX, SIDE_MIN};
use super::checkers_puzzle::{Board, CheckersPuzzle, Proof, undecided};
use crate::board::checkers::{CheckersBoard, EMPTY, OPPONENT, OWN};
use crate::input::{Lexeme, Token, digits_value, is_comment};
use crate::solver::form::{Ahead, AheadLine, At, Field, Form, Side, is_like_end_marker};
use crate::solver::{Limits, MEMORY_LIMIT, Options, Part, Stop, Work};
use crate::words::Phrase;

/// This many lines with one number per column show that all squares were written, even if rows are missing or doubled.
const FULL_ROWS: usize = 3;
/// Squares for which room is reserved at first; more is reserved as squares arrive.
const SQUARES_FIRST: usize = 4096;

/// The boards of a file, and how they are answered.
pub struct BoardForm {
    algorithm: Algorithm,
    proof: Proof,
    published: bool,
    squares_max: u64,
    fields: [Vec<Field>; 1],
}

/// The squares of a board as they arrive.
pub struct Squares {
    /// The squares so far; `None` if the whole board would exceed the memory limit.
    kept: Option<Vec<u8>>,
    count: u128,
    /// How many squares were read so far.
    read: u64,
    /// How many own and opponent pieces there are; `pieces_max` is the most that each player can have.
    pieces: [u64; 2],
    pieces_max: u64,
    /// The index of the square with the first surplus piece, and that piece.
    too_many: Option<(u64, u64)>,
}

impl BoardForm {
    /// Creates the form of boards under the solver's options.
    pub fn new(options: &Options) -> Self {
        let published = options.get(LIMITS) == Limits::Published;
        let [least, most] = if published { [SIDE_MIN, SIDE_MAX] } else { [1, u64::MAX] };
        Self {
            algorithm: options.get(ALGORITHM),
            proof: Proof::of(options),
            published,
            squares_max: options.get(MEMORY_LIMIT),
            fields: [[Side::Rows, Side::Columns].map(|side| Field::new(side, least, most)).into()],
        }
    }

    /// Returns whether neither player has more pieces than the limits allow.
    pub fn allows(&self, rows: usize, columns: usize, pieces: [u32; 2]) -> bool {
        let most = self.pieces_max(rows as u64, columns as u64);
        pieces.iter().all(|&pieces| u64::from(pieces) <= most)
    }

    /// Returns the puzzle of a board.
    pub fn solve(&self, board: Board) -> Work {
        Work::Solve(Box::new(CheckersPuzzle { board, algorithm: self.algorithm, proof: self.proof }))
    }

    fn pieces_max(&self, rows: u64, columns: u64) -> u64 {
        // Under the published limits the product is at most 200.
        if self.published { rows.saturating_mul(columns) / 4 } else { u64::MAX }
    }
}

impl Form for BoardForm {
    type Board = Squares;

    const VALUES: [u64; 2] = [EMPTY as u64, OPPONENT as u64];

    fn fields(&self) -> &[Vec<Field>] {
        &self.fields
    }

    fn parts(&self, header: &[u64]) -> [Part; 2] {
        let columns = header[1];
        [Part { rows: header[0], widths: Some([columns.div_ceil(2), columns / 2]) }, Part::NONE]
    }

    fn check(&self, header: &[u64]) -> Result<(), Phrase> {
        let squares = header[0].saturating_mul(header[1]);
        if !self.published || squares <= AREA_MAX {
            return Ok(());
        }
        Err(Mistake::Area { rows: header[0], columns: header[1], squares, most: AREA_MAX }.into())
    }

    fn board(&self, header: &[u64]) -> Squares {
        let count = CheckersBoard::playable(header[0], header[1]);
        Squares {
            kept: (count <= u128::from(self.squares_max)).then(Vec::new),
            count,
            read: 0,
            pieces: [0; 2],
            pieces_max: self.pieces_max(header[0], header[1]),
            too_many: None,
        }
    }

    #[inline]
    fn take(&self, squares: &mut Squares, _: usize, value: u64) -> bool {
        if value > u64::from(OPPONENT) {
            return false;
        }
        if value != u64::from(EMPTY) {
            let pieces = &mut squares.pieces[usize::from(value == u64::from(OPPONENT))];
            *pieces += 1;
            if *pieces > squares.pieces_max && squares.too_many.is_none() {
                squares.too_many = Some((squares.read, value));
            }
        }
        squares.read += 1;
        if let Some(kept) = &mut squares.kept {
            if kept.len() == kept.capacity() {
                // Double the room, but never reserve more than the board needs.
                let room = (2 * kept.capacity()).max(SQUARES_FIRST) as u128;
                kept.reserve_exact(room.min(squares.count) as usize - kept.len());
            }
            kept.push(value as u8);
        }
        true
    }

    fn finish(&self, squares: Squares, header: &[u64]) -> Result<Work, (u64, Phrase)> {
        let &[rows, columns, ..] = header else { return Err((0, Side::Rows.into())) };
        let [own, opponents] = squares.pieces;
        if let Some((square, piece)) = squares.too_many {
            let most = squares.pieces_max;
            let what = if piece == u64::from(OWN) {
                Mistake::OwnPieces { pieces: own, most, rows, columns }
            } else {
                Mistake::OpponentPieces { pieces: opponents, most, rows, columns }
            };
            return Err((square, what.into()));
        }
        // A board that is kept fits in memory, so its sides fit `usize`.
        let sides = usize::try_from(rows).ok().zip(usize::try_from(columns).ok());
        let (Some(kept), Some((rows, columns))) = (squares.kept, sides) else {
            return Ok(Work::Settled(Box::new(undecided(Stop::MemoryLimit, 0, opponents))));
        };
        Ok(self.solve(Board::from(CheckersBoard::new(rows, columns, kept))))
    }

    fn wrong_value(&self, _: &[u64], At { row, column, .. }: At, lexeme: &Lexeme) -> Phrase {
        let text = match &lexeme.token {
            Token::Number(number) => number.to_string(),
            Token::TooLarge(text) => text.clone(),
            Token::Word(_) | Token::End => String::new(),
        };
        let is_square = |digit: u8| matches!(digit, b'0'..=b'2');
        let (found, row, number) = (lexeme.token.quoted(), row + 1, column + 1);
        if text.len() > 1 && text.trim_end_matches('…').bytes().all(is_square) {
            return Mistake::SquaresJoined { found }.into();
        }
        let kind = if text.is_empty() { "word" } else { "number" };
        Mistake::SquareValue { found, kind, row, number }.into()
    }

    fn is_surely_header(&self, header: &[u64]) -> bool {
        header.iter().any(|&side| side > u64::from(OPPONENT))
    }

    fn is_surely_row(&self, line: &AheadLine<'_>) -> bool {
        let numbers = &line.numbers[..line.numbers.len().min(line.count as usize)];
        // Without limits a board can have sides of 1 and 2.
        let may_be_header = !self.published && line.count == 2 && !numbers.contains(&0);
        line.is_clean && numbers.iter().all(|&value| value <= u64::from(OPPONENT)) && !may_be_header
    }

    fn headers(&self, header: &[u64], rows: u64, [wide, narrow]: [u64; 2]) -> Vec<Vec<u64>> {
        // If the rows have the right width, their count is more likely wrong than the header. One line shows nothing.
        let is_as_wide = |header: &[u64]| {
            let [wide_said, narrow_said] = [header[1].div_ceil(2), header[1] / 2];
            self.fields[0][0].allows(header[0]) && [wide_said, narrow_said] == [wide, narrow]
        };
        if rows < 2 || header.len() > 1 && is_as_wide(header) {
            return Vec::new();
        }
        let columns = wide.saturating_add(narrow);
        vec![vec![rows, columns], vec![rows, columns.saturating_sub(1)]]
    }

    fn fits(&self, squares: &Squares, header: &[u64]) -> bool {
        let most = self.pieces_max(header[0], header[1]);
        squares.pieces.iter().all(|&pieces| pieces <= most)
    }

    /// Reports that all squares of a board are written instead of the playable ones.
    fn explain(&self, header: &[u64], counts: &[u64]) -> Option<Phrase> {
        let &[rows, columns, ..] = header else { return None };
        let numbers = counts.iter().map(|&count| u128::from(count)).sum::<u128>();
        let are_rows = counts
            .iter()
            .enumerate()
            .all(|(row, &count)| count == [columns.div_ceil(2), columns / 2][row % 2]);
        let is_full = counts.len() >= FULL_ROWS && counts.iter().all(|&count| count == columns);
        let is_all = !are_rows && numbers == u128::from(rows) * u128::from(columns);
        let (header, expected) = (format!("{rows} {columns}"), CheckersBoard::playable(rows, columns));
        (is_full || is_all).then(|| Mistake::AllSquares { numbers, header, expected }.into())
    }

    /// Recognises `0 0`, with or without a comment. Within a board it is a row unless it is the last line. After a
    /// board it is a row if another row follows.
    fn is_end(&self, ahead: &mut Ahead<'_>, at: usize, is_whole: bool) -> bool {
        let zeros = |ahead: &mut Ahead<'_>, at| ahead.line(at).is_some_and(is_marker);
        let single = |ahead: &mut Ahead<'_>, at| {
            ahead.line(at).is_some_and(|line| line.is_clean && line.count == 1 && line.numbers[0] == 0)
        };
        if single(ahead, at) && single(ahead, at + 1) && ahead.line(at + 2).is_none() {
            return true;
        }
        if !zeros(ahead, at) {
            let is_last = ahead.line(at + 1).is_none();
            return ahead.line(at).is_some_and(|line| {
                let may_end = if line.is_clean { is_whole && is_last } else { is_whole || is_last };
                may_end && is_like_end_marker(line.line.text)
            });
        }
        let mut behind = at + 1;
        while is_whole && self.published && zeros(ahead, behind) {
            behind += 1;
        }
        let is_row = |line: &AheadLine<'_>| line.count == 2 && self.is_surely_row(line);
        match ahead.line(behind) {
            None => true,
            Some(line) => is_whole && !(self.published && is_row(line)),
        }
    }
}

/// Returns whether a line is `0 0`, with or without a comment after it.
fn is_marker(line: &AheadLine<'_>) -> bool {
    let mut tokens = line.line.tokens().map(|(_, token)| token);
    let is_zero = |token: Option<&[u8]>| token.is_some_and(|token| digits_value(0, token) == Some(0));
    is_zero(tokens.next()) && is_zero(tokens.next()) && tokens.next().is_none_or(is_comment)
}
