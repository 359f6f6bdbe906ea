//! The picture.

use crate::board::sliding::SlidingBoard;
use crate::picture::{Markup, html};
use crate::solver::Shown;

/// Draws a case, whose board is unknown where no slides make its tiles one, with what became of it.
pub(super) fn draw(_board: Option<&SlidingBoard>, shown: &Shown<'_>) -> Markup {
    html! { p { (shown.headline) } }
}
