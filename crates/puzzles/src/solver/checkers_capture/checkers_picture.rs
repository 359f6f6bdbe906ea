//! Draws the board, and the path of the capturing piece over it.

use serde_json::Value;

use super::capture::{Fault, Played, Square, play};
use super::checkers_puzzle::CheckersPuzzle;
use crate::board::checkers::{CheckersBoard, OPPONENT, OWN};
use crate::picture::{Board, Dots, GridPicture, Kind, Path, PathEnd};
use crate::solver::{Bounds, Drawable, RenderInput};
use crate::words::{Phrase, messages};

/// Maximum number of squares of a path that the description names.
const NAMED_MAX: usize = 64;

messages! {
    "checkers-picture"
    /// The texts of a picture, and the sentence with the answer. Squares are written row,column.
    enum Caption {
        Title = "title" { rows: usize, columns: usize },
        Pieces = "pieces" { rows: usize, columns: usize, own: usize, opponents: usize },
        Squares = "squares" { squares: String, more: usize },
        Legend = "legend",
        NoSquare = "no-square" { number: usize },
        OffBoard = "off-board" { square: String },
        WithoutPiece = "without-piece" { square: String },
        WithoutCapture = "without-capture" { jump: usize, from: String, to: String },
        Asks = "asks",
        Takes = "takes" { row: usize, column: usize, captures: usize },
        Longest = "longest" { captures: u64 },
        None = "none",
        Best = "best" { row: usize, column: usize, captures: usize, most: u64 },
    }
}

impl Drawable for CheckersPuzzle {
    fn draw(&self, input: &RenderInput) -> Option<GridPicture> {
        let board = &*self.board.expand();
        let say = |caption: Caption| Phrase::from(caption).say(input.language);
        let (rows, columns) = (board.rows(), board.columns());
        let (squares, played) = path(board, &input.witness);
        let legal = played.fault.map_or(squares.len(), |(number, _)| number);
        let mut picture =
            GridPicture::new(Kind::Checkers, [rows, columns], say(Caption::Title { rows, columns }));
        let taken: Vec<usize> = played.jumps.iter().map(|jump| jump.over).collect();
        picture.path = Path {
            squares: squares[..legal].to_vec(),
            numbered: taken.iter().map(|&index| board.place(index)).collect(),
            end: match played.fault {
                None => PathEnd::Legal,
                Some((number, _)) if squares[number].0 == usize::MAX => PathEnd::Nowhere,
                Some((number, _)) => PathEnd::Wrong(squares[number]),
            },
        };
        picture.moves =
            squares.iter().map(|&(row, column)| row.saturating_mul(columns).saturating_add(column)).collect();
        if GridPicture::has_squares(picture.sides) {
            let start = squares.first().filter(|_| legal > 0);
            let of = |piece: u8| {
                let found = board.squares().iter().enumerate().filter(move |&(_, &found)| found == piece);
                found.map(|(index, _)| board.place(index)).filter(|square| Some(square) != start)
            };
            let others: Vec<Square> =
                of(OPPONENT).filter(|&square| !picture.path.numbered.contains(&square)).collect();
            let own: Vec<Square> = of(OWN).collect();
            let dots = |class, width, squares: &[Square]| Dots {
                class,
                width,
                squares: squares.iter().map(|&(row, column)| row * columns + column).collect(),
            };
            let all = [&own[..], &others].concat();
            let dots = vec![dots("edge", 29.0, &all), dots("other", 26.0, &others), dots("own", 25.0, &own)];
            picture.boards = vec![Board { dots, ..Board::default() }];
        }
        picture.description =
            say(Caption::Pieces { rows, columns, own: board.count(OWN), opponents: board.count(OPPONENT) });
        if legal > 1 {
            let named: Vec<String> = squares[..legal].iter().take(NAMED_MAX).map(named).collect();
            let caption =
                Caption::Squares { squares: named.join(" "), more: legal.saturating_sub(NAMED_MAX) };
            picture.description += &format!(" {}", say(caption));
            picture.notes.push(say(Caption::Legend));
        }
        picture.notes.extend(played.fault.map(|(number, fault)| say(fault_caption(&squares, number, fault))));
        Some(picture)
    }

    fn sentence(&self, input: &RenderInput) -> Option<Phrase> {
        let (squares, played) = path(&self.board.expand(), &input.witness);
        let captures = played.jumps.len();
        let start = squares.first().filter(|_| captures > 0 && played.fault.is_none());
        Some(match (start, input.answer.as_u64(), input.bounds) {
            (Some(&(row, column)), _, Bounds { at_most: Some(most), .. }) if !input.is_answered => {
                Caption::Best { row, column, captures, most }.into()
            }
            (Some(&(row, column)), ..) => Caption::Takes { row, column, captures }.into(),
            (None, Some(0), _) => Caption::None.into(),
            (None, Some(captures), _) => Caption::Longest { captures }.into(),
            _ => return None,
        })
    }

    fn asks(&self) -> Option<Phrase> {
        Some(Caption::Asks.into())
    }
}

/// Returns the squares of a path up to and including the first that breaks a rule, and the captures on them.
fn path(board: &CheckersBoard, witness: &Value) -> (Vec<Square>, Played) {
    let list = witness.as_array().map_or(&[][..], Vec::as_slice);
    // A legal path has at most one square more than there are opponents, so two more include the first fault.
    let mut squares: Vec<_> = list.iter().take(board.count(OPPONENT) + 2).map(square).collect();
    let played = play(board, &squares);
    squares.truncate(played.fault.map_or(squares.len(), |(number, _)| number + 1));
    (squares, played)
}

/// Parses a square as (row, column). Returns `(usize::MAX, usize::MAX)`, which is on no board, if `value` is no square.
fn square(value: &Value) -> Square {
    let side = |index: usize| value.get(index).and_then(Value::as_u64).and_then(|side| side.try_into().ok());
    let is_pair = value.as_array().is_some_and(|list| list.len() == 2);
    side(0).zip(side(1)).filter(|_| is_pair).unwrap_or((usize::MAX, usize::MAX))
}

fn fault_caption(squares: &[Square], number: usize, fault: Fault) -> Caption {
    let square = named(&squares[number]);
    match fault {
        Fault::OffBoard if squares[number].0 == usize::MAX => Caption::NoSquare { number: number + 1 },
        Fault::OffBoard => Caption::OffBoard { square },
        Fault::WithoutPiece => Caption::WithoutPiece { square },
        Fault::WithoutCapture => {
            Caption::WithoutCapture { jump: number, from: named(&squares[number - 1]), to: square }
        }
    }
}

fn named(&(row, column): &Square) -> String {
    format!("{row},{column}")
}
