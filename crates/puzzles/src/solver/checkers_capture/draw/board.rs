//! The squares and what stands on them. Own pieces are rings, those of the opponent discs.
//!
//! Rows of squares are dashed lines as wide as a square, and pieces are dots of wide lines: a picture of a full board takes a
//! few kilobytes.

use super::Way;
use crate::board::checkers::{CheckersBoard, OPPONENT, OWN};
use crate::picture::{Markup, Point, html};
use crate::solver::checkers_capture::capture::Square;

/// Units of a square; `style.css` has the same.
pub const SQUARE: f64 = 36.0;
/// Units beside the board, for the numbers of rows and columns.
const EDGE: f64 = 26.0;
/// Units on the other two sides.
const MARGIN: f64 = 4.0;

/// How large the picture is.
pub fn size(board: &CheckersBoard) -> [f64; 2] {
    [board.columns(), board.rows()].map(|side| EDGE + side as f64 * SQUARE + MARGIN)
}

/// The middle of a square.
pub fn middle((row, column): Square) -> Point {
    Point { x: EDGE + (column as f64 + 0.5) * SQUARE, y: EDGE + (row as f64 + 0.5) * SQUARE }
}

/// Dots in the middle of squares, as the data of a path.
pub fn dots(squares: impl IntoIterator<Item = Square>) -> String {
    squares.into_iter().map(|square| format!("M{}h.01", middle(square))).collect()
}

/// Draws the board as it is before the first jump; what the way takes looks taken.
pub fn draw(board: &CheckersBoard, way: &Way) -> Markup {
    let [width, height] = [board.columns(), board.rows()].map(|side| side as f64 * SQUARE);
    let taken: Vec<usize> = way.played.jumps.iter().map(|jump| jump.over).collect();
    let start = way.visited().first().copied();
    let of = |piece: u8| {
        let squares = board.squares().iter().enumerate().filter(move |&(_, &found)| found == piece);
        squares.map(|(index, _)| index)
    };
    let others = dots(of(OPPONENT).filter(|index| !taken.contains(index)).map(|index| board.place(index)));
    let taken = dots(taken.iter().map(|&index| board.place(index)));
    let own = dots(of(OWN).map(|index| board.place(index)));
    let resting = dots(of(OWN).map(|index| board.place(index)).filter(|&square| Some(square) != start));
    html! {
        rect class="light" x=(EDGE) y=(EDGE) width=(width) height=(height) {}
        path class="ck ck-squares" d=(rows(board)) {}
        g class="ck-side" {
            @for row in 0..board.rows() { text x=(EDGE / 2.0) y=(middle((row, 0)).y) { (row) } }
            @for column in 0..board.columns() { text x=(middle((0, column)).x) y=(EDGE / 2.0) { (column) } }
        }
        @if !others.is_empty() {
            path class="ck ck-edge" d=(others) {}
            path class="ck ck-other" d=(others) {}
        }
        @if !taken.is_empty() {
            path class="ck ck-edge" d=(taken) {}
            path class="ck ck-taken" d=(taken) {}
        }
        @if !own.is_empty() {
            path class="ck ck-edge" d=(own) {}
            path class="ck ck-own" d=(own) {}
        }
        @if !resting.is_empty() { path class="ck ck-ring" d=(resting) {} path class="ck ck-hole" d=(resting) {} }
        @if let Some(start) = start.filter(|_| way.played.fault.is_none_or(|(number, _)| number > 0)) {
            path class="ck ck-start" d=(dots([start])) {}
        }
    }
}

/// The squares that are played on, a line a row.
fn rows(board: &CheckersBoard) -> String {
    let row = |row: usize| {
        let from = Point { x: EDGE + (row % 2) as f64 * SQUARE, y: middle((row, 0)).y };
        format!("M{from}H{}", EDGE + board.columns() as f64 * SQUARE)
    };
    (0..board.rows()).map(row).collect()
}
