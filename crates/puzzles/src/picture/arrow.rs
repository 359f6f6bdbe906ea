//! Arrows and paths. Arrowheads are shapes of their own: markers would need names, which are one page's for all its pictures.

use super::point::Point;
use maud::{Markup, html};

/// A line from one point to another with a head of `head` units at its end. Its class is `arrow` with `class`.
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

/// The data of a path: an arrowhead of so many units whose point is at `to`, on the way there from another point.
#[must_use]
pub fn arrow_head(from: Point, to: Point, head: f64) -> String {
    let base = to.towards(from, head / from.distance(to).max(f64::EPSILON));
    let [left, right] = sides(base, to);
    format!("M{to}L{left} {right}z")
}

/// The other corners of an arrowhead, half as wide as it is long.
fn sides(base: Point, to: Point) -> [Point; 2] {
    let across = Point { x: (to.y - base.y) / 2.0, y: (base.x - to.x) / 2.0 };
    [
        Point { x: base.x + across.x, y: base.y + across.y },
        Point { x: base.x - across.x, y: base.y - across.y },
    ]
}

/// A line through points.
#[must_use]
pub fn polyline(points: &[Point], class: &str) -> Markup {
    let points = points.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    html! { polyline class=(class) points=(points) {} }
}
