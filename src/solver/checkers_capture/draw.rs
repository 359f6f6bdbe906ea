//! The picture.

use crate::board::checkers::CheckersBoard;
use crate::picture::{Markup, html};
use crate::solver::Shown;

/// Draws a board, with what became of it.
pub(super) fn draw(_board: &CheckersBoard, shown: &Shown<'_>) -> Markup {
    html! { p { (shown.headline) } }
}
