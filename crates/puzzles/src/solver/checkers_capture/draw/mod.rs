//! The picture: the board, and the way of the capturing piece over it.

// The squares and what stands on them.
mod board;
// The way of the piece, with all it takes.
mod path;
// What is told beside the picture, and what it shows in words.
mod told;

use serde_json::Value;

use crate::board::checkers::{CheckersBoard, OPPONENT};
use crate::picture::{Frame, Markup, SIDE_MAX, Thumbnail, html, svg, thumbnail};
use crate::solver::Shown;
use crate::solver::checkers_capture::capture::{Played, Square, play};

/// Draws a board, with what became of it.
pub fn draw(board: &CheckersBoard, shown: &Shown<'_>) -> Markup {
    let way = Way::of(board, shown.witness);
    let (content, [width, height], drawn) = if board.rows() > SIDE_MAX || board.columns() > SIDE_MAX {
        let Thumbnail { content, size, drawn } = thumbnail([board.rows(), board.columns()], way.visited());
        (content, size, Some(drawn))
    } else {
        let content = html! { (board::draw(board, &way)) (path::draw(board, &way)) };
        (content, board::size(board), None)
    };
    let told = told::Told { board, way: &way, drawn, shown };
    let frame = Frame { width, height, title: told.title(), description: told.description() };
    html! {
        figure {
            (svg(&frame, &content))
            figcaption {
                @for line in told.caption() { (line) br; }
            }
        }
    }
}

/// A way over a board as far as it goes.
pub struct Way {
    /// The squares to the first that breaks a rule, that one too.
    pub squares: Vec<Square>,
    /// What they capture.
    pub played: Played,
}

impl Way {
    /// The way that a witness gives.
    pub fn of(board: &CheckersBoard, witness: &Value) -> Self {
        let list = witness.as_array().map_or(&[][..], Vec::as_slice);
        // No way over the board has more squares but one that breaks a rule.
        let squares_max = board.count(OPPONENT) + 2;
        let mut squares: Vec<_> = list.iter().take(squares_max).map(square).collect();
        let played = play(board, &squares);
        let drawn = played.fault.map_or(squares.len(), |(number, _)| number + 1);
        squares.truncate(drawn);
        Self { squares, played }
    }

    /// The squares that the piece does visit.
    pub fn visited(&self) -> &[Square] {
        &self.squares[..self.played.fault.map_or(self.squares.len(), |(number, _)| number)]
    }

    /// Whether it goes straight on over one of the squares that it visits.
    pub fn is_straight_over(&self, number: usize) -> bool {
        let Some(three) = number.checked_sub(1).and_then(|from| self.visited().get(from..from + 3)) else {
            return false;
        };
        // A jump is two rows and columns long, so the middle is that of both ends.
        let is_middle = |before: usize, middle: usize, behind: usize| before + behind == 2 * middle;
        is_middle(three[0].0, three[1].0, three[2].0) && is_middle(three[0].1, three[1].1, three[2].1)
    }
}

/// A square by row and column; one beyond any board where it is none.
fn square(value: &Value) -> Square {
    let side = |index: usize| value.get(index).and_then(Value::as_u64).and_then(|side| side.try_into().ok());
    let is_pair = value.as_array().is_some_and(|list| list.len() == 2);
    side(0).zip(side(1)).filter(|_| is_pair).unwrap_or((usize::MAX, usize::MAX))
}
