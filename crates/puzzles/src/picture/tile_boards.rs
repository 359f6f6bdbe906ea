//! Boards of tiles, as 2048 has them. Squares of one colour are one path, which keeps a board of hundreds of tiles small.

use std::collections::BTreeMap;

use super::svg::{Point, rounded};
use maud::{Markup, html};

/// A tile whose value is not known.
pub const UNKNOWN: u128 = u128::MAX;
/// Units of a square of a board.
const SQUARE: f64 = 40.0;
/// Units between squares.
const GAP: f64 = 4.0;
/// Units by which the line around a square rounds its corners.
const ROUND: f64 = 2.0;
/// Above so many squares on a side, empty ones are a ground with lines on it.
const EMPTY_MAX: usize = 8;
/// Units by which an outline lies inside: pairs side by side stay apart.
const OUTLINE: f64 = 0.5;
/// The highest rank with a colour of its own.
const COLOURS: u32 = 17;
/// From so many digits on, a power of two is written as one.
const DIGITS: usize = 7;

/// A board of tiles.
#[derive(Debug, Clone, Copy)]
pub struct Tiles<'a> {
    /// Squares on a side.
    pub size: usize,
    /// The value of every square, row by row: 0 for an empty one.
    pub values: &'a [u128],
    /// Pairs of squares of a row or a column with an outline around both, and what is between them.
    pub outlined: &'a [[usize; 2]],
}

impl Tiles<'_> {
    /// Units on a side.
    #[must_use]
    pub fn side(&self) -> f64 {
        self.size as f64 * SQUARE + GAP
    }

    /// Returns the values in words, row by row.
    #[must_use]
    pub fn rows(&self) -> String {
        let row = |row: &[u128]| row.iter().map(|&value| written(value)).collect::<Vec<_>>().join(" ");
        self.values.chunks(self.size.max(1)).map(row).collect::<Vec<_>>().join("; ")
    }

    /// Returns the upper left corner of a square.
    fn corner(&self, index: usize, at: Point) -> Point {
        let (row, column) = (index / self.size, index % self.size);
        Point { x: at.x + GAP + column as f64 * SQUARE, y: at.y + GAP + row as f64 * SQUARE }
    }

    /// A path around rectangles, each from one square to another, and smaller by `inset` all around.
    fn path(&self, rectangles: impl Iterator<Item = [usize; 2]>, inset: f64, at: Point) -> String {
        let rectangle = |[one, other]: [usize; 2]| {
            let (from, to) = (self.corner(one.min(other), at), self.corner(one.max(other), at));
            let side = |from: f64, to: f64| rounded(to - from + SQUARE - GAP - 2.0 * inset);
            let (width, height) = (side(from.x, to.x), side(from.y, to.y));
            let (x, y) = (rounded(from.x + inset), rounded(from.y + inset));
            format!("M{x},{y}h{width}v{height}h-{width}z")
        };
        rectangles.map(rectangle).collect()
    }
}

/// Draws a board with its upper left corner at a point.
#[must_use]
pub fn tiles_board(tiles: &Tiles<'_>, at: Point) -> Markup {
    let side = tiles.side();
    let mut shades = BTreeMap::<u32, Vec<usize>>::new();
    let mut faces = BTreeMap::<(u32, usize), Vec<(usize, String)>>::new();
    for (index, &value) in tiles.values.iter().enumerate() {
        if value > 0 || tiles.size <= EMPTY_MAX {
            shades.entry(shade(value)).or_default().push(index);
        }
        if value > 0 {
            let face = face(value);
            faces.entry((shade(value), face.chars().count())).or_default().push((index, face));
        }
    }
    let middle = (SQUARE - GAP) / 2.0;
    html! {
        g class="tiles" {
            rect class="frame" x=(at.x) y=(at.y) width=(side) height=(side) rx="4" {}
            @if tiles.size > EMPTY_MAX {
                (ground(tiles, at))
            }
            @for (shade, squares) in &shades {
                path class={ "t" (shade) } d=(tiles.path(squares.iter().map(|&square| [square; 2]), ROUND, at)) {}
            }
            @if !tiles.outlined.is_empty() {
                path class="outlined" d=(tiles.path(tiles.outlined.iter().copied(), OUTLINE, at)) {}
            }
            @for ((shade, digits), squares) in &faces {
                g class={ "value t" (shade) } font-size=(font_size(*digits)) {
                    @for (index, face) in squares {
                        @let corner = tiles.corner(*index, at);
                        text x=(rounded(corner.x + middle)) y=(rounded(corner.y + middle)) { (face) }
                    }
                }
            }
        }
    }
}

/// Empty squares, all over the board.
fn ground(tiles: &Tiles<'_>, at: Point) -> Markup {
    let side = tiles.side() - GAP;
    let lines = (1..tiles.size).map(|line| {
        let between = GAP / 2.0 + line as f64 * SQUARE;
        let (column, row) = (rounded(at.x + between), rounded(at.y + between));
        format!("M{column} {}v{side}M{} {row}h{side}", rounded(at.y + GAP / 2.0), rounded(at.x + GAP / 2.0))
    });
    html! {
        rect class="t0" x=(at.x + GAP / 2.0) y=(at.y + GAP / 2.0) width=(side) height=(side) {}
        path class="grid" d=(lines.collect::<String>()) {}
    }
}

/// Returns which colour a value has: its power of two. One has that of two, as no board has much of both.
fn shade(value: u128) -> u32 {
    match value {
        0 => 0,
        UNKNOWN => COLOURS,
        value => value.ilog2().clamp(1, COLOURS),
    }
}

/// Returns what stands on a tile.
fn face(value: u128) -> String {
    let digits = written(value);
    if digits.len() < DIGITS || !value.is_power_of_two() {
        return digits;
    }
    let raised = |digit: char| match digit {
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '0' => '⁰',
        // Those from four on follow each other.
        digit => char::from_u32('⁴' as u32 + digit as u32 - '4' as u32).unwrap_or(digit),
    };
    format!("2{}", value.ilog2().to_string().chars().map(raised).collect::<String>())
}

/// Returns a value in a sentence.
fn written(value: u128) -> String {
    if value == UNKNOWN { "?".to_owned() } else { value.to_string() }
}

/// Returns the height of digits that fit into a square, in units.
fn font_size(digits: usize) -> f64 {
    match digits {
        0..=2 => 17.0,
        3 => 15.0,
        4 => 12.5,
        5 => 10.0,
        6 => 8.5,
        // A digit is six tenths as wide as it is high.
        _ => ((SQUARE - GAP) / 0.62 / digits as f64).floor().max(1.0),
    }
}
