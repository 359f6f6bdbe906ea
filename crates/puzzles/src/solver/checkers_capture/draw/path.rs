//! The way of the piece: a line with an arrowhead a jump, and what it takes, crossed out and numbered.
//!
//! A piece is taken once, so no two jumps lie on each other. Where a square is visited twice two parts of the line meet: each
//! turns in an arc before the middle of the square, so that one sees which part goes where.

use super::Way;
use super::board::{SQUARE, dots, middle};
use crate::board::checkers::CheckersBoard;
use crate::picture::{Markup, Point, arrow_head, html};
use crate::solver::checkers_capture::capture::Square;

/// Share of a jump behind which the line turns, where the point of its arrowhead is, and how far from the last one it ends.
const TURN: f64 = 0.14;
const POINT: f64 = 0.8;
const TIP: f64 = 0.06;
/// Units of an arrowhead.
const HEAD: f64 = 11.0;
/// How far beside the way a step is drawn that breaks a rule.
const ASIDE: f64 = 6.0;
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
        // The point of the last arrowhead stays sharp.
        _ if number == last => format!("L{}", point.towards(points[number - 1], TIP)),
        _ if way.is_straight_over(number) => format!("L{point}"),
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

/// The step that breaks a rule, from the last square of the way; beside it, so that it hides nothing.
fn fault(board: &CheckersBoard, points: &[Point], square: Square) -> Markup {
    let end = edge_or(board, square);
    let (Some(&from), Some(to)) = (points.last(), end) else {
        // It has no beginning, or no end.
        return html! {
            @if let Some(at) = points.last().copied().or(end) { circle class="ck-fault" cx=(at.x) cy=(at.y) r="16" {} }
        };
    };
    let length = from.distance(to);
    if length < HEAD {
        return html! { circle class="ck-fault" cx=(to.x) cy=(to.y) r="16" {} };
    }
    let aside = |point: Point| Point {
        x: point.x - (to.y - from.y) / length * ASIDE,
        y: point.y + (to.x - from.x) / length * ASIDE,
    };
    let (from, to) = (aside(from), aside(to));
    let line = format!("M{from}L{to}");
    html! {
        path class="ck-casing" d=(line) {}
        path class="ck-fault" d=(line) {}
        path class="ck-fault-head" d=(arrow_head(from, to, HEAD)) {}
    }
}

/// The middle of a square; of one outside the board, where it is nearest. What is no square has none.
fn edge_or(board: &CheckersBoard, (row, column): Square) -> Option<Point> {
    let (rows, columns) = (board.rows() - 1, board.columns() - 1);
    let inside = middle((row.min(rows), column.min(columns)));
    let beyond = |is_beyond: bool| if is_beyond { SQUARE / 2.0 } else { 0.0 };
    let end = Point { x: inside.x + beyond(column > columns), y: inside.y + beyond(row > rows) };
    (row < usize::MAX).then_some(end)
}
