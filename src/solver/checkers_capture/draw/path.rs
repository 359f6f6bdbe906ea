//! The way of the piece: a line with an arrowhead a jump, and what it takes, crossed out and numbered.
//!
//! A piece is taken once, so no two jumps lie on each other. Where a square is visited twice two parts of the line meet: each
//! turns in an arc before the middle of the square, so that one sees which part goes where.

use super::Way;
use super::board::{SQUARE, dots, middle};
use crate::board::checkers::CheckersBoard;
use crate::picture::{Markup, Point, arrow_head, html};
use crate::solver::checkers_capture::capture::Square;

/// Share of a jump behind which the line turns, and where the point of its arrowhead is.
const TURN: f64 = 0.14;
const POINT: f64 = 0.8;
/// Units of an arrowhead.
const HEAD: f64 = 11.0;
/// How far a stroke through a piece goes from its middle.
const STROKE: f64 = 12.0;

/// Draws a way.
pub fn draw(board: &CheckersBoard, way: &Way) -> Markup {
    let visited = way.visited();
    let points: Vec<Point> = visited.iter().map(|&square| middle(square)).collect();
    let jumps = &way.played.jumps;
    let taken = || jumps.iter().map(|jump| board.place(jump.over));
    let is_moved = points.len() > 1;
    html! {
        @if is_moved {
            @let line = line(way, &points);
            path class="ck-casing" d=(line) {}
            path class="ck-way" d=(line) {}
            path class="ck-heads" d=(heads(&points)) {}
            path class="ck-out" d=(strokes(&points)) {}
            path class="ck ck-badge-edge" d=(dots(taken())) {}
            path class="ck ck-badge" d=(dots(taken())) {}
            g class="ck-number" {
                @for (number, square) in (1..).zip(taken()) {
                    @let at = middle(square);
                    text class=[(number > 99).then_some("long")] x=(at.x) y=(at.y) { (number) }
                }
            }
            @if let Some(&end) = points.last() { circle class="ck-end" cx=(end.x) cy=(end.y) r="13" {} }
        }
        @if let Some((number, _)) = way.played.fault { (fault(board, &points, way.squares[number])) }
    }
}

/// The line from the first square to the last.
fn line(way: &Way, points: &[Point]) -> String {
    let last = points.len() - 1;
    let part = |(number, &point): (usize, &Point)| match number {
        0 => format!("M{point}"),
        _ if number == last || way.is_straight_over(number) => format!("L{point}"),
        _ => {
            let before = point.towards(points[number - 1], TURN);
            let behind = point.towards(points[number + 1], TURN);
            format!("L{before}Q{point} {behind}")
        }
    };
    points.iter().enumerate().map(part).collect()
}

/// An arrowhead for every jump, the last one at its end.
fn heads(points: &[Point]) -> String {
    let last = points.len() - 2;
    let head = |(number, pair): (usize, &[Point])| {
        let point = pair[0].towards(pair[1], if number == last { 1.0 } else { POINT });
        arrow_head(pair[0], point, HEAD)
    };
    points.windows(2).enumerate().map(head).collect()
}

/// A stroke through every piece that is taken, across the way that goes over it.
fn strokes(points: &[Point]) -> String {
    let stroke = |pair: &[Point]| {
        let over = pair[0].towards(pair[1], 0.5);
        let side = |way: f64| {
            let share = way * STROKE / (2.0 * SQUARE);
            Point { x: over.x - (pair[1].y - pair[0].y) * share, y: over.y + (pair[1].x - pair[0].x) * share }
        };
        format!("M{}L{}", side(-1.0), side(1.0))
    };
    points.windows(2).map(stroke).collect()
}

/// The step that breaks a rule, from the last square of the way.
fn fault(board: &CheckersBoard, points: &[Point], (row, column): Square) -> Markup {
    // What lies outside is shown at the edge.
    let end = middle((row.min(board.rows()), column.min(board.columns())));
    html! {
        @if let Some(&from) = points.last().filter(|from| from.distance(end) > HEAD) {
            path class="ck-casing" d=(format!("M{from}L{end}")) {}
            path class="ck-fault" d=(format!("M{from}L{end}")) {}
            path class="ck-fault-head" d=(arrow_head(from, end, HEAD)) {}
        } @else {
            circle class="ck-fault" cx=(end.x) cy=(end.y) r=(SQUARE / 2.0 - 2.0) {}
        }
    }
}
