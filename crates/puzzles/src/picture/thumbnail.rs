//! A way over a board that is too large for its squares: the way alone.

use super::arrow::{arrow_head, polyline};
use super::point::Point;
use maud::{Markup, html};

/// Units of the longer side.
const SIDE: f64 = 640.0;
/// Units beside the board.
const MARGIN: f64 = 10.0;
/// Turns that are drawn of a way: each takes some 14 bytes.
const TURNS_MAX: usize = 12_000;

/// The picture of a way.
pub struct Thumbnail {
    /// What is drawn.
    pub content: Markup,
    /// Units across and down.
    pub size: [f64; 2],
    /// Steps of the way that are drawn.
    pub drawn: usize,
}

/// Draws a way over the squares of a board, each by row and column, with a dot at its beginning and an arrowhead at its end.
#[must_use]
pub fn thumbnail([rows, columns]: [usize; 2], way: &[(usize, usize)]) -> Thumbnail {
    let scale = SIDE / rows.max(columns) as f64;
    // A thin board is still seen.
    let sides = [columns, rows].map(|side| (side as f64 * scale).max(1.0));
    let point = |(row, column): (usize, usize)| Point {
        x: MARGIN + (column as f64 + 0.5) * scale,
        y: MARGIN + (row as f64 + 0.5) * scale,
    };
    let is_turn = |&number: &usize| {
        number == 0 || number + 1 == way.len() || !is_straight(&way[number - 1..=number + 1])
    };
    let turns: Vec<usize> = (0..way.len()).filter(is_turn).take(TURNS_MAX).collect();
    let points: Vec<Point> = turns.iter().map(|&number| point(way[number])).collect();
    let content = html! {
        rect class="tn-board" x=(MARGIN) y=(MARGIN) width=(sides[0]) height=(sides[1]) {}
        @if let [from @ .., to] = &points[..] {
            (polyline(&points, "tn-way"))
            @if let Some(from) = from.last() { path class="tn-head" d=(arrow_head(*from, *to, MARGIN)) {} }
            circle class="tn-head" cx=(points[0].x) cy=(points[0].y) r="4" {}
        }
    };
    let size = sides.map(|side| side + 2.0 * MARGIN);
    Thumbnail { content, size, drawn: turns.last().copied().unwrap_or(0) }
}

/// Whether the way goes straight on over the second of three squares.
fn is_straight(three: &[(usize, usize)]) -> bool {
    let step =
        |from: (usize, usize), to: (usize, usize)| (to.0 as f64 - from.0 as f64, to.1 as f64 - from.1 as f64);
    let (before, behind) = (step(three[0], three[1]), step(three[1], three[2]));
    let (across, along) =
        (before.0 * behind.1 - before.1 * behind.0, before.0 * behind.0 + before.1 * behind.1);
    across.abs() < 0.5 && along > 0.0
}
