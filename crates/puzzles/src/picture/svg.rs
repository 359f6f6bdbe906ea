//! SVG pictures with their words, and what they are drawn with: points, arrows, paths; and the thumbnail of a path over a board
//! that is too large for its squares.
//!
//! Arrowheads are shapes of their own: markers would need names, which all pictures of a page share.

use std::fmt;

use maud::{Markup, html};

/// Pixels that a phone has for a picture.
pub(super) const PHONE_WIDTH: f64 = 328.0;
/// How far a picture shrinks on a narrow page: its numbers can still be read. A wider one scrolls.
const SHRINKS_TO: f64 = 0.6;
/// Units of the longer side of a thumbnail.
const THUMBNAIL_SIDE: f64 = 640.0;
/// Units beside the board of a thumbnail.
const MARGIN: f64 = 10.0;
/// Turns that are drawn of a way: each takes some 14 bytes.
const TURNS_MAX: usize = 12_000;

/// How large a picture is, and what it shows in words.
#[derive(Debug, Clone)]
pub struct Frame {
    /// In units, which are pixels on a page that has room for them.
    pub width: f64,
    /// In the same units.
    pub height: f64,
    /// What it is, in a few words.
    pub title: String,
    /// What one sees in it, in words.
    pub description: String,
}

/// Draws a picture. On a narrow page it shrinks.
#[must_use]
pub fn svg(frame: &Frame, content: &Markup) -> Markup {
    let (width, height) = (rounded(frame.width), rounded(frame.height));
    let least = (SHRINKS_TO * width).ceil();
    let style = (least > PHONE_WIDTH).then(|| format!("min-width:{least}px"));
    html! {
        svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox=(format!("0 0 {width} {height}")) width=(width) height=(height) style=[style] {
            title { (frame.title) }
            desc { (frame.description) }
            (content)
        }
    }
}

/// A point of a picture, in its units, from the upper left corner.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// To the right.
    pub x: f64,
    /// Down.
    pub y: f64,
}

impl Point {
    /// Returns the point at `share` of the way to another one.
    #[must_use]
    pub fn towards(self, to: Self, share: f64) -> Self {
        Self { x: self.x + (to.x - self.x) * share, y: self.y + (to.y - self.y) * share }
    }

    /// Returns how far another one is.
    #[must_use]
    pub fn distance(self, to: Self) -> f64 {
        (to.x - self.x).hypot(to.y - self.y)
    }
}

/// As a list of points has it, to a hundredth.
impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", rounded(self.x), rounded(self.y))
    }
}

/// To a hundredth, without zeros behind the point.
pub(super) fn rounded(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

impl maud::Render for Point {
    fn render_to(&self, buffer: &mut String) {
        // No character of it needs to be escaped.
        buffer.push_str(&self.to_string());
    }
}

/// Draws a line from one point to another with a head of `head` units at its end. Its class is `arrow` with `class`.
#[must_use]
pub fn arrow(from: Point, to: Point, head: f64, class: &str) -> Markup {
    let length = from.distance(to);
    if length < f64::EPSILON {
        return html! {};
    }
    let base = to.towards(from, (head / length).min(1.0));
    let [left, right] = sides(base, to);
    html! {
        g class={ "arrow " (class) } {
            path d={ "M" (from) "L" (base) } {}
            polygon points={ (to) " " (left) " " (right) } {}
        }
    }
}

/// Returns the data of a path: an arrowhead of so many units whose point is at `to`, on the way there from another
/// point.
#[must_use]
pub fn arrow_head(from: Point, to: Point, head: f64) -> String {
    let base = to.towards(from, head / from.distance(to).max(f64::EPSILON));
    let [left, right] = sides(base, to);
    format!("M{to}L{left} {right}z")
}

/// Returns the other corners of an arrowhead, half as wide as it is long.
fn sides(base: Point, to: Point) -> [Point; 2] {
    let across = Point { x: (to.y - base.y) / 2.0, y: (base.x - to.x) / 2.0 };
    [
        Point { x: base.x + across.x, y: base.y + across.y },
        Point { x: base.x - across.x, y: base.y - across.y },
    ]
}

/// Draws a line through points.
#[must_use]
pub fn polyline(points: &[Point], class: &str) -> Markup {
    let points = points.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    html! { polyline class=(class) points=(points) {} }
}

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
    let scale = THUMBNAIL_SIDE / rows.max(columns) as f64;
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

/// Returns whether the way goes straight on over the second of three squares.
fn is_straight(three: &[(usize, usize)]) -> bool {
    let step =
        |from: (usize, usize), to: (usize, usize)| (to.0 as f64 - from.0 as f64, to.1 as f64 - from.1 as f64);
    let (before, behind) = (step(three[0], three[1]), step(three[1], three[2]));
    let (across, along) =
        (before.0 * behind.1 - before.1 * behind.0, before.0 * behind.0 + before.1 * behind.1);
    across.abs() < 0.5 && along > 0.0
}
