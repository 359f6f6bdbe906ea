//! The picture.

use crate::board::sliding::SlidingBoard;
use crate::picture::{Markup, html};
use crate::solver::Shown;

/// Draws a board with the goal that it is to reach, with what became of it.
pub(super) fn draw((_start, _goal_rank): (&SlidingBoard, u8), shown: &Shown<'_>) -> Markup {
    html! { p { (shown.headline) } }
}
