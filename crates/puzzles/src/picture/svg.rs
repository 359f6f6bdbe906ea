//! An SVG picture with its words.

use super::point::rounded;
use maud::{Markup, html};

/// How large a picture is, and what it shows in words.
#[derive(Debug, Clone)]
pub struct Frame {
    /// In its units, which are pixels on a page that has room for them.
    pub width: f64,
    /// Likewise.
    pub height: f64,
    /// What it is, in a few words.
    pub title: String,
    /// What one sees in it, in words.
    pub description: String,
}

/// Pixels that a phone has for a picture.
const PHONE_WIDTH: f64 = 328.0;
/// How far a picture shrinks on a narrow page, so that its numbers can still be read. A wider one scrolls.
const SHRINKS_TO: f64 = 0.6;

/// A picture. On a narrow page it shrinks.
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
