//! Pictures for the pages of results. A solver describes its answer as a [`GridPicture`]; only this module turns it
//! into markup, which [`maud`] builds and escapes. All content of a page goes through [`html!`] and [`Page`].
//!
//! Shapes and numbers carry the meaning: every picture is readable without colours, and has a title and a description.

mod grid_picture;
mod page;
mod path_drawing;
mod stepping;
mod svg;
mod tile_game;

pub use grid_picture::{Board, Dots, GridPicture, Kind, Outline, Path, PathEnd, SIDE_MAX, Square};
pub use maud::{Markup, html};
pub use page::{Page, image};
pub use path_drawing::joined;
pub use tile_game::{Shot, TileGame, replayed_max};
