//! Where in a picture something lies.

use std::fmt;

/// A point of a picture, in its units, from the upper left corner.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// To the right.
    pub x: f64,
    /// Down.
    pub y: f64,
}

impl Point {
    /// The point at `share` of the way to another one.
    #[must_use]
    pub fn towards(self, to: Self, share: f64) -> Self {
        Self { x: self.x + (to.x - self.x) * share, y: self.y + (to.y - self.y) * share }
    }

    /// How far another one is.
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
