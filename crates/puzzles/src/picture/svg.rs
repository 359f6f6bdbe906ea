//! Points of a picture, and arrowheads. Arrowheads are shapes of their own, because SVG markers need names, and all
//! pictures of a page share one namespace.

use std::fmt;

/// A point of a picture, in its units, from the upper left corner.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Point {
    pub(super) x: f64,
    pub(super) y: f64,
}

impl Point {
    /// Returns the point at the given share of the way to another point.
    pub(super) fn towards(self, to: Self, share: f64) -> Self {
        Self { x: self.x + (to.x - self.x) * share, y: self.y + (to.y - self.y) * share }
    }

    /// Returns the distance to another point.
    pub(super) fn distance(self, to: Self) -> f64 {
        (to.x - self.x).hypot(to.y - self.y)
    }

    /// Returns the point `units` to the left of this one, seen in the direction of another point.
    pub(super) fn beside(self, to: Self, units: f64) -> Self {
        let share = units / self.distance(to).max(f64::EPSILON);
        Self { x: self.x + (to.y - self.y) * share, y: self.y - (to.x - self.x) * share }
    }
}

/// Displays the point as in SVG path data, rounded to a hundredth.
impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", rounded(self.x), rounded(self.y))
    }
}

/// Rounds to a hundredth, which is written without trailing zeros.
pub(super) fn rounded(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

/// Returns the path data of an arrowhead of length `head` whose point is at `to`, as wide as it is long.
pub(super) fn arrow_head(from: Point, to: Point, head: f64) -> String {
    let base = to.towards(from, head / from.distance(to).max(f64::EPSILON));
    let [left, right] = [head / 2.0, -head / 2.0].map(|units| base.beside(to, units));
    format!("M{to}L{left} {right}z")
}
