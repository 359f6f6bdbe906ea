//! The way alone, on a board that is too large for its squares.

use super::Way;
use crate::board::checkers::CheckersBoard;
use crate::picture::{Markup, Point, arrow_head, html, polyline};
use crate::solver::checkers_capture::capture::Square;

/// Units of the longer side.
const SIDE: f64 = 640.0;
/// Units beside the board.
const MARGIN: f64 = 10.0;
/// Turns that are drawn of a way: each takes some 14 bytes.
pub const TURNS_MAX: usize = 12_000;

/// Draws a way, and gives the size of the picture.
pub fn draw(board: &CheckersBoard, way: &Way) -> (Markup, [f64; 2]) {
    let scale = SIDE / board.rows().max(board.columns()) as f64;
    // A thin board is still seen.
    let sides = [board.columns(), board.rows()].map(|side| (side as f64 * scale).max(1.0));
    let point = |&(row, column): &Square| Point {
        x: MARGIN + (column as f64 + 0.5) * scale,
        y: MARGIN + (row as f64 + 0.5) * scale,
    };
    let turns = turns(way);
    let points: Vec<Point> = turns.iter().map(|&number| point(&way.visited()[number])).collect();
    let content = html! {
        rect class="ck-board" x=(MARGIN) y=(MARGIN) width=(sides[0]) height=(sides[1]) {}
        @if let [from @ .., to] = &points[..] {
            (polyline(&points, "ck-thin"))
            @if let Some(from) = from.last() { path class="ck-heads" d=(arrow_head(*from, *to, MARGIN)) {} }
            circle class="ck-begin" cx=(points[0].x) cy=(points[0].y) r="4" {}
        }
    };
    (content, sides.map(|side| side + 2.0 * MARGIN))
}

/// The squares on which the way turns, with its ends, as far as it is drawn.
fn turns(way: &Way) -> Vec<usize> {
    let count = way.visited().len();
    (0..count).filter(|&number| !way.is_straight_over(number)).take(TURNS_MAX).collect()
}

/// Jumps of the way that are drawn.
pub fn jumps_drawn(way: &Way) -> usize {
    turns(way).last().copied().unwrap_or(0)
}
