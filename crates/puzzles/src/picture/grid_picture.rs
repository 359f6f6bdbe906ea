//! The drawing model of all solvers: a board, its pieces, and a path over it or the boards after each move.

use std::collections::BTreeMap;

use super::svg::{Point, rounded};
use crate::words::{Language, Phrase, messages};
use maud::{Markup, html};

/// Maximum side, in squares, of a board that is drawn square by square. On a larger board only the path is drawn.
pub const SIDE_MAX: usize = 40;
/// Maximum number of steps of a picture, and of bytes with all of them. A longer picture shows every tenth step, or
/// fewer.
const STEPS_MAX: usize = 100;
const BYTES_MAX: usize = 64 << 10;
/// Maximum side, in squares, of a thumbnail that shows its pieces.
const THUMBNAIL_SIDE_MAX: usize = 16;
/// Maximum number of turns drawn of a path over a large board, and of any path in a thumbnail.
const TURNS_MAX: usize = 4_000;
const THUMBNAIL_TURNS_MAX: usize = 200;
/// Minimum height of a text in pixels. Smaller texts are hidden.
const TEXT_MIN: f64 = 9.0;
/// Widths of a picture, in pixels, from which on some texts are shown.
pub(super) const WIDTHS: [u32; 11] = [180, 220, 270, 320, 400, 480, 560, 680, 800, 950, 1110];

/// A square by row and column. It can lie outside the board.
pub type Square = (usize, usize);

/// The look of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Kind {
    /// Dark and light squares with pieces.
    #[default]
    Checkers,
    /// Tiles of 2048.
    Tiles,
    /// Squares with numbers, on which players stand.
    Map,
}

/// A drawing of an answer.
#[derive(Debug, Clone, Default)]
pub struct GridPicture {
    /// The look of its boards.
    pub kind: Kind,
    /// Rows and columns.
    pub sides: [usize; 2],
    /// A title of a few words.
    pub title: String,
    /// A description in words of what the picture shows.
    pub description: String,
    /// The board, or several boards one after the other, without a path. Empty if the board is too large.
    pub boards: Vec<Board>,
    /// A path over the board.
    pub path: Path,
    /// Lines of text below the picture.
    pub notes: Vec<String>,
    /// All moves as letters.
    pub letters: String,
    /// The moves, or the squares of the path, as numbers. They are compared with those of another answer.
    pub moves: Vec<usize>,
    /// The index of the first move that differs from the other answer.
    pub differs: Option<usize>,
}

/// A board with what stands on it.
#[derive(Debug, Clone, Default)]
pub struct Board {
    /// Number of moves made before it.
    pub moves: usize,
    /// Its number and move, shown in a strip.
    pub name: String,
    /// Further text about it.
    pub caption: String,
    /// A description in words of what it shows.
    pub description: String,
    /// Pieces or tiles, painted in this order.
    pub dots: Vec<Dots>,
    /// Outlines around squares.
    pub outlines: Vec<Outline>,
    /// Texts on squares.
    pub texts: Vec<(usize, String)>,
    /// Names of the players on squares.
    pub badges: Vec<(usize, String)>,
    /// The square with the flag.
    pub goal: Option<usize>,
}

/// Dots or tiles of one class.
#[derive(Debug, Clone)]
pub struct Dots {
    /// The class in the style sheet.
    pub class: &'static str,
    /// Width in units.
    pub width: f64,
    /// The squares they stand on.
    pub squares: Vec<usize>,
}

/// A line around one square, or around two squares of a row or column and everything between them.
#[derive(Debug, Clone)]
pub struct Outline {
    /// The class in the style sheet.
    pub class: &'static str,
    /// The squares.
    pub squares: [usize; 2],
}

/// A path over a board.
#[derive(Debug, Clone, Default)]
pub struct Path {
    /// The squares of the path.
    pub squares: Vec<Square>,
    /// The square that shows the number of each jump.
    pub numbered: Vec<Square>,
    /// How the path ends.
    pub end: PathEnd,
}

/// How a path ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PathEnd {
    /// The rules allow the whole path.
    #[default]
    Legal,
    /// A square of the path does not exist, or the path ends too early.
    Nowhere,
    /// The rules do not allow the last step. Its square can lie outside the board.
    Wrong(Square),
}

messages! {
    "grid"
    /// Texts beside a picture.
    pub(super) enum Control {
        Whole = "whole",
        Play = "play",
        TooLarge = "too-large",
        Overview = "overview",
        Cut = "cut" { drawn: usize, jumps: usize },
        Sampled = "sampled" { stride: usize },
        Differs = "differs" { step: usize },
    }
}

impl Kind {
    pub(super) fn class(self) -> &'static str {
        match self {
            Self::Checkers => "checkers",
            Self::Tiles => "tiles",
            Self::Map => "map",
        }
    }

    /// Returns a square's side, the gap between squares and both margins, in units; `style.css` has the same numbers.
    pub(super) fn units(self) -> [f64; 4] {
        match self {
            Self::Checkers => [36.0, 0.0, 26.0, 4.0],
            Self::Tiles => [40.0, 4.0, 2.0, 2.0],
            Self::Map => [44.0, 2.0, 26.0, 4.0],
        }
    }
}

impl GridPicture {
    /// Creates an empty picture.
    pub fn new(kind: Kind, sides: [usize; 2], title: String) -> Self {
        Self { kind, sides, title, ..Self::default() }
    }

    /// Returns whether a board with these sides is drawn square by square.
    pub fn has_squares(sides: [usize; 2]) -> bool {
        sides.iter().all(|&side| side <= SIDE_MAX)
    }

    /// Marks the first difference between two answers in both.
    pub fn compare(&mut self, other: &mut Self) {
        let differs = (0..self.moves.len().max(other.moves.len()))
            .find(|&index| self.moves.get(index) != other.moves.get(index));
        (self.differs, other.differs) = (differs, differs);
    }

    /// Draws the picture with the buttons that step through it. `name` must be unique on the page.
    pub fn draw(&self, name: &str, language: Language) -> Markup {
        let say = |control: Control| Phrase::from(control).say(language);
        let mut notes = self.notes.clone();
        let picture = if self.boards.is_empty() {
            self.overview(&mut |control| notes.push(say(control)))
        } else {
            let (picture, stride) = self.stepped(name, language);
            let stride = self.boards.get(stride).map_or(stride, |board| board.moves);
            if stride > 1 {
                notes.push(say(Control::Sampled { stride }));
            }
            picture
        };
        if let Some(step) = self.differs {
            notes.push(say(Control::Differs { step: step.max(1) }));
        }
        html! {
            (picture)
            @if !self.letters.is_empty() { p class="letters mono" { (self.letters) } }
            @for note in &notes { p class="soft note" { (note) } }
        }
    }

    /// Draws as many steps as fit. Also returns the stride between them.
    fn stepped(&self, name: &str, language: Language) -> (Markup, usize) {
        let steps = self.steps();
        let mut stride = 1;
        loop {
            let is_last = stride >= steps;
            if is_last || steps.div_ceil(stride) <= STEPS_MAX {
                let picture = self.with_steps(name, stride, language);
                if is_last || picture.0.len() <= BYTES_MAX {
                    return (picture, stride);
                }
            }
            stride *= 10;
        }
    }

    /// Returns the number of steps.
    pub(super) fn steps(&self) -> usize {
        (self.boards.len().max(self.path.squares.len())).saturating_sub(1)
    }

    /// Returns the width and height in units.
    pub(super) fn size(&self) -> [f64; 2] {
        let [square, _, before, behind] = self.kind.units();
        [1, 0].map(|side| before + self.sides[side] as f64 * square + behind)
    }

    /// Returns the upper left corner of a square.
    pub(super) fn corner(&self, (row, column): Square) -> Point {
        let [square, gap, before, _] = self.kind.units();
        let at = |side: usize| before + gap / 2.0 + side as f64 * square;
        Point { x: at(column), y: at(row) }
    }

    pub(super) fn middle(&self, square: Square) -> Point {
        let [side, gap, ..] = self.kind.units();
        let half = (side - gap) / 2.0;
        let Point { x, y } = self.corner(square);
        Point { x: x + half, y: y + half }
    }

    pub(super) fn place(&self, index: usize) -> Square {
        (index / self.sides[1].max(1), index % self.sides[1].max(1))
    }

    /// Draws the squares of a board and the pieces on them, beneath any path.
    pub(super) fn ground(&self, board: &Board) -> Markup {
        let [square, gap, before, _] = self.kind.units();
        let [width, height] = self.size();
        let side = square - gap;
        let dashes = if gap > 0.0 { format!("{side} {gap}") } else { side.to_string() };
        let row = |row: usize| {
            let first = if self.kind == Kind::Checkers { row % 2 } else { 0 };
            let Point { x, y } = self.corner((row, first));
            format!("M{x},{}H{}", y + side / 2.0, before + self.sides[1] as f64 * square)
        };
        let is_numbered = self.kind != Kind::Tiles;
        let [x, y] = [before; 2];
        let inner = [1, 0].map(|side| self.sides[side] as f64 * square);
        html! {
            @if is_numbered {
                rect class="frame" x=(x) y=(y) width=(inner[0]) height=(inner[1]) {}
            } @else {
                rect class="frame" width=(width) height=(height) rx="4" {}
            }
            path class="ground" stroke-width=(side) stroke-dasharray=(dashes) d=((0..self.sides[0]).map(row).collect::<String>()) {}
            @if let (true, Some(width)) = (is_numbered, self.width_for(14.0)) {
                g class={ "side " (width) } {
                    @for row in 0..self.sides[0] { text x="13" y=(self.middle((row, 0)).y) { (row) } }
                    @for column in 0..self.sides[1] { text x=(self.middle((0, column)).x) y="13" { (column) } }
                }
            }
            @for Dots { class, width, squares } in &board.dots {
                @if !squares.is_empty() { path class=(class) stroke-width=(width) d=(self.dots(squares.iter().map(|&index| self.place(index)))) {} }
            }
        }
    }

    /// Returns the data of a path with a dot on every square.
    pub(super) fn dots(&self, squares: impl IntoIterator<Item = Square>) -> String {
        squares.into_iter().map(|square| format!("M{}h.01", self.middle(square))).collect()
    }

    /// Draws outlines and the texts on squares, above any path.
    pub(super) fn upper(&self, board: &Board) -> Markup {
        let mut sizes = BTreeMap::<(usize, &str), Vec<(Point, &str)>>::new();
        for (index, text) in &board.texts {
            let size = self.font_size(text.chars().count());
            let Some(width) = self.width_for(size as f64 / 10.0) else { continue };
            let square = self.place(*index);
            let Point { x, y } = self.corner(square);
            let at =
                if self.kind == Kind::Map { Point { x: x + 2.0, y: y + 8.0 } } else { self.middle(square) };
            sizes.entry((size, width)).or_default().push((at, text));
        }
        let outline = |Outline { class, squares: [one, other] }: &Outline| {
            let [square, gap, ..] = self.kind.units();
            let (from, to) =
                (self.corner(self.place(*one.min(other))), self.corner(self.place(*one.max(other))));
            let [width, height] = [to.x - from.x, to.y - from.y].map(|side| side + square - gap - 1.0);
            html! { rect class=(class) x=(from.x + 0.5) y=(from.y + 0.5) width=(width) height=(height) rx="2" {} }
        };
        html! {
            @for each in &board.outlines { (outline(each)) }
            @for ((size, width), texts) in &sizes {
                g class={ "value " (width) } font-size=(*size as f64 / 10.0) {
                    @for (at, text) in texts { text x=(rounded(at.x)) y=(rounded(at.y)) { (text) } }
                }
            }
        }
    }

    /// Returns the class that hides texts of this height, in units, while they are too small to read. Returns `None` if
    /// they are always too small.
    pub(super) fn width_for(&self, size: f64) -> Option<&'static str> {
        const CLASSES: [&str; 11] = ["q0", "q1", "q2", "q3", "q4", "q5", "q6", "q7", "q8", "q9", "q10"];
        let needed = TEXT_MIN / size * self.size()[0];
        if needed <= 150.0 {
            return Some("");
        }
        WIDTHS.iter().position(|&width| f64::from(width) >= needed).map(|index| CLASSES[index])
    }

    /// Returns the largest height, in tenths of a unit, at which a text of so many letters fits on a square.
    fn font_size(&self, letters: usize) -> usize {
        match letters {
            // Players and rounds are written below.
            0..=3 if self.kind == Kind::Map => 150,
            4.. if self.kind == Kind::Map => 110,
            0..=2 => 170,
            3 => 150,
            4 => 135,
            5 => 115,
            6 => 98,
            // A digit's width is six tenths of its height.
            _ => 10 * (58 / letters).max(1),
        }
    }

    /// Draws only the path, for a board that is too large to show its squares.
    fn overview(&self, note: &mut dyn FnMut(Control)) -> Markup {
        let jumps = self.path.squares.len().saturating_sub(1);
        if jumps == 0 {
            note(Control::TooLarge);
            return html! {};
        }
        note(Control::Overview);
        let drawn = self.turns().last().copied().unwrap_or(0);
        if drawn < jumps {
            note(Control::Cut { drawn, jumps });
        }
        let [rows, columns] = self.sides;
        let view = format!("0 0 {columns} {rows}");
        html! {
            div class="overview" {
                svg role="img" viewBox=(view) {
                    title { (self.title) }
                    desc { (self.description) }
                    (self.outline(TURNS_MAX))
                }
            }
        }
    }

    /// Draws the edge of the board and the path over it, one unit per square, with a dot where the path begins.
    fn outline(&self, turns_max: usize) -> Markup {
        let [rows, columns] = self.sides;
        let middle = |(row, column): Square| format!("{column}.5,{row}.5");
        let way: Vec<_> =
            self.turns().iter().take(turns_max).map(|&turn| middle(self.path.squares[turn])).collect();
        html! {
            rect class="frame" width=(columns) height=(rows) {}
            @if let [first, _, ..] = &way[..] {
                polyline points=(way.join(" ")) {}
                path class="begin" d={ "M" (first) "h.01" } {}
            }
        }
    }

    /// Returns the indices at which the path turns, including both ends.
    fn turns(&self) -> Vec<usize> {
        let squares = &self.path.squares;
        let step = |one: usize, other: usize| {
            let side = |one: usize, other: usize| other as i64 - one as i64;
            (side(squares[one].0, squares[other].0), side(squares[one].1, squares[other].1))
        };
        let is_turn = |&at: &usize| {
            if at == 0 || at + 1 == squares.len() {
                return true;
            }
            let (before, behind) = (step(at - 1, at), step(at, at + 1));
            before.0 * behind.1 != before.1 * behind.0 || before.0 * behind.0 + before.1 * behind.1 < 0
        };
        (0..squares.len()).filter(is_turn).take(TURNS_MAX).collect()
    }

    /// Draws the board a few pixels large, as the image of a link.
    pub fn thumbnail(&self) -> Markup {
        let [rows, columns] = self.sides.map(|side| side.max(1));
        let tiles = |board: &&Board| board.dots.iter().map(|dots| dots.squares.len()).sum::<usize>();
        let board = self.boards.iter().max_by_key(tiles).filter(|_| rows.max(columns) <= THUMBNAIL_SIDE_MAX);
        let scale = 1.0 / self.kind.units()[0];
        let dot = |&index: &usize| {
            let (row, column) = self.place(index);
            format!("M{column}.5,{row}.5h.01")
        };
        html! {
            svg class={ "thumb " (self.kind.class()) } viewBox=(format!("0 0 {columns} {rows}")) aria-hidden="true" {
                (self.outline(THUMBNAIL_TURNS_MAX))
                @for Dots { class, width, squares } in board.map_or(&[][..], |board| &board.dots) {
                    path class=(class) stroke-width=(rounded(width * scale)) d=(squares.iter().map(dot).collect::<String>()) {}
                }
            }
        }
    }
}
