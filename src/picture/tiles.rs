//! Boards of tiles, as 2048 has them.

use super::point::Point;
use maud::{Markup, html};

/// Units of a square of a board.
const SQUARE: f64 = 40.0;
/// Units between squares.
const GAP: f64 = 4.0;
/// The highest rank with a colour of its own.
const COLOURS: u8 = 17;

/// A board of tiles.
#[derive(Debug, Clone, Copy)]
pub struct Tiles<'a> {
    /// Squares on a side.
    pub size: usize,
    /// The rank of every square, row by row: 0 for an empty one, otherwise a tile of 2 to that power.
    pub ranks: &'a [u8],
    /// Squares with an outline.
    pub outlined: &'a [usize],
}

impl Tiles<'_> {
    /// Units on a side.
    #[must_use]
    pub fn side(&self) -> f64 {
        self.size as f64 * SQUARE + GAP
    }
}

/// Draws a board with its upper left corner at a point.
#[must_use]
pub fn tiles_board(tiles: &Tiles<'_>, at: Point) -> Markup {
    let side = tiles.side();
    html! {
        g class="tiles" {
            rect class="frame" x=(at.x) y=(at.y) width=(side) height=(side) rx="4" {}
            @for (index, &rank) in tiles.ranks.iter().enumerate() {
                (tile(rank, tiles.outlined.contains(&index), square(tiles.size, index, at)))
            }
        }
    }
}

/// The upper left corner of a square.
fn square(size: usize, index: usize, at: Point) -> Point {
    let (row, column) = (index / size, index % size);
    Point { x: at.x + GAP + column as f64 * SQUARE, y: at.y + GAP + row as f64 * SQUARE }
}

fn tile(rank: u8, is_outlined: bool, at: Point) -> Markup {
    let side = SQUARE - GAP;
    let class = format!("t{}{}", rank.min(COLOURS), if is_outlined { " outlined" } else { "" });
    let value = (rank > 0).then(|| (1_u128 << rank.min(127)).to_string());
    html! {
        rect class=(class) x=(at.x) y=(at.y) width=(side) height=(side) rx="3" {}
        @if let Some(value) = value {
            text class={ "value t" (rank.min(COLOURS)) } x=(at.x + side / 2.0) y=(at.y + side / 2.0) font-size=(font_size(value.len())) { (value) }
        }
    }
}

/// Units that digits are high, so that they fit into a square.
fn font_size(digits: usize) -> f64 {
    match digits {
        0..=2 => 17.0,
        3 => 15.0,
        4 => 12.5,
        5 => 10.0,
        6 => 8.5,
        // A digit is six tenths as wide as it is high.
        _ => ((SQUARE - GAP) / 0.62 / digits as f64).floor(),
    }
}
