//! Draws a board with a path as SVG: the board, an arrow per jump, and numbers on captures or landing squares.
//!
//! The elements of a step have its number as a class. The style sheet uses it to show a step strong, thin or faint.

use super::grid_picture::{Board, GridPicture, Kind, PathEnd, Square};
use super::svg::{Point, arrow_head};
use maud::{Markup, html};

/// How far before a corner a line turns, and where an arrowhead's point lies, as shares of a jump.
const TURN: f64 = 0.14;
const POINT: f64 = 0.8;
/// Length of an arrowhead in units.
const HEAD: f64 = 11.0;
/// How far a bent jump strays from its chord: a share of its length, and a maximum in units. The bend separates a jump
/// forth from a jump back, and keeps jumps off the squares between their ends.
const BEND: f64 = 0.24;
const BEND_MAX: f64 = 32.0;
/// Half the length of a stroke through a piece, in units.
const STROKE: f64 = 12.0;
/// Half the height of a badge, in units.
const BADGE: f64 = 7.5;
/// Maximum number of names in a badge. A mark replaces the others.
const NAMES_MAX: usize = 3;

impl GridPicture {
    /// Draws a board with the path, in steps of `stride` jumps each.
    pub(super) fn svg(&self, board: &Board, stride: usize) -> Markup {
        let [width, height] = self.size();
        let mut points: Vec<Point> = self.path.squares.iter().map(|&square| self.anchor(square)).collect();
        if let Some(first) = points.first_mut() {
            // The path starts in the middle of its first square, where the player's name stands.
            *first = self.middle(self.path.squares[0]);
        }
        let jumps: Vec<usize> = (1..points.len()).collect();
        let badge_width = self.width_for(14.0);
        html! {
            svg role="img" viewBox=(format!("0 0 {width} {height}")) width=(width) height=(height) fill="none" stroke="currentColor" stroke-linecap="round" stroke-linejoin="round" {
                title { @if board.name.is_empty() { (self.title) } @else { (board.name) } }
                desc { @if board.description.is_empty() { (self.description) } @else { (board.description) } }
                (self.ground(board))
                @if self.kind == Kind::Checkers {
                    @for (step, jumps) in (2..).zip(jumps.chunks(stride)) {
                        @let taken = self.dots(jumps.iter().map(|&jump| self.path.numbered[jump - 1]));
                        g class={ "t i" (step) } {
                            path class="edge" stroke-width="29" d=(taken) {}
                            path class="other" stroke-width="26" d=(taken) {}
                        }
                    }
                }
                @for (step, jumps) in (2..).zip(jumps.chunks(stride)) {
                    @let (lines, heads): (String, String) = jumps.iter().map(|&jump| self.jump(&points, jump)).unzip();
                    @let is_different = self.differs.is_some_and(|at| jumps.contains(&at.max(1)));
                    g class={ "a i" (step) @if is_different { " diff" } } {
                        path class="casing" d=(lines) {}
                        path class="way" d=(lines) {}
                        path class="head" d=(heads) {}
                    }
                }
                @if let (Some(&end), true) = (points.last(), points.len() > 1 && self.kind == Kind::Checkers) {
                    circle class="end" cx=(end.x) cy=(end.y) r="13" {}
                }
                (self.upper(board))
                @if let Some(goal) = board.goal { (self.flag(goal)) }
                @for (index, names) in &board.badges {
                    @let at = self.middle(self.place(*index));
                    (badge(at, names, "badge", self.width_for(13.0)))
                }
                @for (step, jumps) in (2..).zip(jumps.chunks(stride)) {
                    g class={ "a i" (step) } {
                        @if self.kind == Kind::Checkers {
                            path class="out" d=(jumps.iter().map(|&jump| stroke(points[jump - 1], points[jump])).collect::<String>()) {}
                        }
                        @for &jump in jumps {
                            (badge(self.anchor(self.path.numbered[jump - 1]), &jump.to_string(), "number", badge_width))
                        }
                    }
                }
                @if let Some(&first) = points.first() {
                    (mover(first, "me me0 i1"))
                }
                @for step in 1..=jumps.len().div_ceil(stride) {
                    (mover(points[(step * stride).min(jumps.len())], &format!("me i{}", step + 1)))
                }
                (self.wrong(&points))
            }
        }
    }

    /// Returns where a jump begins and ends in a square: below the text in it.
    fn anchor(&self, square: Square) -> Point {
        let below = if self.kind == Kind::Map { 12.5 } else { 0.0 };
        let Point { x, y } = self.middle(square);
        Point { x, y: y + below }
    }

    /// Returns a jump as the data of a line and its arrowhead.
    fn jump(&self, points: &[Point], jump: usize) -> (String, String) {
        let (from, to) = (points[jump - 1], points[jump]);
        if self.kind == Kind::Map {
            return arc(from, to);
        }
        let turns = |at: usize| {
            at > 0 && at + 1 < points.len() && {
                let middle = points[at - 1].towards(points[at + 1], 0.5);
                middle.distance(points[at]) > 1.0
            }
        };
        let begin = if turns(jump - 1) { from.towards(to, TURN) } else { from };
        let is_last = jump + 1 == points.len();
        let point = if is_last { to } else { from.towards(to, POINT) };
        let line = if turns(jump) {
            // If a path visits a square twice, each part turns before its middle, so that the parts can be told apart.
            format!("M{begin}L{}Q{to} {}", to.towards(from, TURN), to.towards(points[jump + 1], TURN))
        } else {
            // The line stops short of the last arrowhead, to keep its point sharp.
            format!("M{begin}L{}", if is_last { to.towards(from, 0.06) } else { to })
        };
        (line, arrow_head(from, point, HEAD))
    }

    fn flag(&self, goal: usize) -> Markup {
        let at = self.corner(self.place(goal));
        html! { path class="flag" d=(format!("M{}v-12l8 4l-8 4", Point { x: at.x + 33.0, y: at.y + 14.0 })) {} }
    }

    /// Draws the step that breaks a rule, beside the path. If the step names no square, marks the last one.
    fn wrong(&self, points: &[Point]) -> Markup {
        let PathEnd::Wrong((row, column)) = self.path.end else {
            let at = points.last().filter(|_| self.path.end == PathEnd::Nowhere);
            return html! { @if let Some(at) = at { (wrong_square(*at)) } };
        };
        let [rows, columns] = self.sides;
        let inside = self.anchor((row.min(rows - 1), column.min(columns - 1)));
        let half = self.kind.units()[0] / 2.0;
        let beyond = |is_beyond: bool| if is_beyond { half } else { 0.0 };
        let to = Point {
            x: inside.x + beyond(column >= columns),
            y: (inside.y + beyond(row >= rows)).min(self.size()[1]),
        };
        let Some(&from) = points.last().filter(|from| from.distance(to) > HEAD) else {
            return wrong_square(to);
        };
        let (begin, end) = (from.beside(to, -6.0), to.beside(from, 6.0));
        html! {
            path class="casing" d={ "M" (begin.to_string()) "L" (end.to_string()) } {}
            path class="wrong" d={ "M" (begin.to_string()) "L" (end.towards(begin, 0.06).to_string()) } {}
            path class="wrong-head" d=(arrow_head(begin, end, HEAD)) {}
        }
    }
}

/// Returns a stroke through the piece that a jump takes, at right angles to the jump.
fn stroke(from: Point, to: Point) -> String {
    let over = from.towards(to, 0.5);
    format!("M{}L{}", over.beside(to, STROKE), over.beside(to, -STROKE))
}

/// Returns a bent jump: a line that ends where its arrowhead begins, and in the same direction.
fn arc(from: Point, to: Point) -> (String, String) {
    let bend = (from.distance(to) * BEND).min(BEND_MAX);
    let aside = from.towards(to, 0.5).beside(to, bend);
    let near = |end: Point, units: f64| end.towards(aside, units / end.distance(aside).max(units));
    let (begin, point) = (near(from, BADGE + 2.0), near(to, BADGE + 1.0));
    let base = point.towards(aside, (HEAD - 2.0) / point.distance(aside).max(HEAD));
    (format!("M{begin}Q{aside} {base}"), arrow_head(aside, point, HEAD))
}

/// Draws a ring around a wrong square.
fn wrong_square(at: Point) -> Markup {
    html! { @for class in ["casing", "wrong"] { circle class=(class) cx=(at.x) cy=(at.y) r="16" {} } }
}

/// Draws the marker that moves along the path.
fn mover(at: Point, class: &str) -> Markup {
    html! {
        g class=(class) {
            circle cx=(at.x) cy=(at.y) r="13" {}
            circle class="core" cx=(at.x) cy=(at.y) r="7.5" {}
        }
    }
}

/// Draws a text in a frame with round ends, or only the frame if the text would be too small to read.
fn badge(at: Point, text: &str, class: &str, width: Option<&str>) -> Markup {
    let half = (text.chars().count() as f64 * 4.3 + 3.0).max(BADGE);
    html! {
        g class=(class) {
            rect x=(at.x - half) y=(at.y - BADGE) width=(2.0 * half) height=(2.0 * BADGE) rx=(BADGE) {}
            @if let Some(width) = width { text class=(width) x=(at.x) y=(at.y) { (text) } }
        }
    }
}

/// Joins a few names with commas. A mark replaces the others.
pub fn joined(names: &[String]) -> String {
    let more = if names.len() > NAMES_MAX { "…" } else { "" };
    names[..names.len().min(NAMES_MAX)].join(",") + more
}
