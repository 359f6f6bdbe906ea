//! The picture.

use super::game::Game;
use crate::picture::{Markup, html};
use crate::solver::Shown;

/// Draws a game, with what became of it.
pub(super) fn draw(_game: &Game, shown: &Shown<'_>) -> Markup {
    html! { p { (shown.headline) } }
}
