//! The picture.

use crate::board::sliding::SlidingBoard;
use crate::picture::{Markup, html};
use crate::solver::Shown;

/// Draws a game that begins with this board, with what became of it.
pub(super) fn draw(_start: &SlidingBoard, shown: &Shown<'_>) -> Markup {
    html! { p { (shown.headline) } }
}
