//! Pictures: what the pages of results are drawn with. A picture is markup, which [`maud`] makes and escapes; no other way leads
//! into a page but through [`html!`] and [`Page`].
//!
//! Everything that is shown must be readable without colours and without the picture: shapes and numbers carry the meaning, and
//! every [`svg()`] has a title and a description in words.

// Curves over an axis.
mod chart;
// A page: its head, its style, its end.
mod page;
// Boards one after the other, and moves as letters.
mod strip;
// SVG pictures, points, arrows, paths.
mod svg;
// Boards of tiles.
mod tile_boards;

pub use chart::{Chart, Curve, chart};
pub use maud::{Markup, html};
pub use page::{Page, PageWords};
pub use strip::{Shot, describe, kept, left_out, letters, replayed_max, shot, strip, strip_max};
pub use svg::{Frame, Point, Thumbnail, arrow, arrow_head, polyline, svg, thumbnail};
pub use tile_boards::{Tiles, UNKNOWN, tiles_board};

/// Squares on a side of a board that is drawn square by square. Of a larger one the path alone is drawn.
pub const SIDE_MAX: usize = 40;
/// Boards of a strip, rows of a table.
pub const STRIP_MAX: usize = 64;
