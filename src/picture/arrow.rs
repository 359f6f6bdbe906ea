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
    // Across the line, half as wide as long.
    let across = Point { x: (to.y - base.y) / 2.0, y: (base.x - to.x) / 2.0 };
    let left = Point { x: base.x + across.x, y: base.y + across.y };
    let right = Point { x: base.x - across.x, y: base.y - across.y };
    html! {
        g class={ "arrow " (class) } {
            path d={ "M" (from) "L" (base) } {}
            polygon points={ (to) " " (left) " " (right) } {}
        }
    }
}

/// A line through points.
#[must_use]
pub fn polyline(points: &[Point], class: &str) -> Markup {
    let points = points.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    html! { polyline class=(class) points=(points) {} }
}
