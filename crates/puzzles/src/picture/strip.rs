//! Boards of a game one after the other, with the moves between them, and long lists of moves as letters.

use std::ops::Range;

use super::STRIP_MAX;
use super::svg::{Frame, PHONE_WIDTH, Point, arrow, rounded, svg};
use super::tile_boards::{Tiles, tiles_board};
use crate::board::sliding::Direction;
use crate::words::{Language, Phrase, messages};
use maud::{Markup, html};

/// Units above a board, for its number and the move.
const HEAD: f64 = 24.0;
/// Units that the head is wide at least.
const HEAD_WIDTH: f64 = 84.0;
/// Units that an arrow is long.
const ARROW: f64 = 20.0;
/// Sides up to this stand several in a row on a phone.
const SMALL_MAX: usize = 6;
/// Boards with sides up to this are described value by value.
const DESCRIBED_MAX: usize = 8;
/// Letters of a list of moves that are shown.
const LETTERS_MAX: usize = 1 << 16;
/// Squares of all boards of a strip: what half a megabyte holds.
const SQUARES_MAX: usize = 1 << 14;
/// Squares that are moved to draw a game at most: a tenth of a second.
const REPLAYED_SQUARES_MAX: usize = 1 << 25;
/// Letters that stand together.
const GROUP: usize = 10;

messages! {
    "tiles-picture"
    /// What is said of boards of tiles.
    enum Caption {
        Rows = "rows" { rows: String },
        Size = "size" { size: usize, tiles: usize },
        Next = "next" { direction: Phrase, letter: String },
        Merging = "merging" { pairs: String },
        Left = "left" { boards: usize },
        Letters = "letters" { letters: usize },
    }
}

messages! {
    "tiles-picture"
    /// Where tiles slide to.
    enum Towards {
        Left = "towards-left",
        Right = "towards-right",
        Up = "towards-up",
        Down = "towards-down",
    }
}

/// A board of a strip.
#[derive(Debug, Clone)]
pub struct Shot<'a> {
    /// The board.
    pub tiles: Tiles<'a>,
    /// What it is, in words.
    pub title: Phrase,
    /// Its number, above it.
    pub number: String,
    /// The move that follows at once.
    pub next: Option<Direction>,
}

/// Draws a board with its number and the next move above it, and `caption` below it.
#[must_use]
pub fn shot(shot: &Shot<'_>, caption: &Markup, language: Language) -> Markup {
    let side = shot.tiles.side();
    let width = side.max(HEAD_WIDTH);
    // A large board is made smaller by a narrow page, and its head is not.
    let scale = (side / PHONE_WIDTH).max(1.0);
    let (head, right) = (HEAD * scale, width / scale);
    let frame = Frame {
        width,
        height: side + head,
        title: shot.title.say(language),
        description: describe(&shot.tiles, shot.next, language),
    };
    let content = html! {
        g class="shot" transform=[(scale > 1.0).then(|| format!("scale({})", rounded(scale)))] {
            text class="start" x="2" y="11" { (shot.number) }
            @if let Some(direction) = shot.next {
                (move_arrow(direction, Point { x: rounded(right - 30.0), y: 11.0 }))
                text class="move" x=(rounded(right - 9.0)) y="11" { (direction.letter()) }
            }
        }
        (tiles_board(&shot.tiles, Point { x: (width - side) / 2.0, y: rounded(head) }))
    };
    html! { figure { (svg(&frame, &content)) figcaption { (caption) } } }
}

/// Boards one after the other, of that many squares on a side.
#[must_use]
pub fn strip(size: usize, shots: &[Markup]) -> Markup {
    html! { div class={ "strip" @if size > SMALL_MAX { " large" } } { @for shot in shots { (shot) } } }
}

/// Returns a note in the place of boards that are left out.
#[must_use]
pub fn left_out(boards: usize, language: Language) -> Markup {
    html! { p class="gap" { (Phrase::from(Caption::Left { boards }).say(language)) } }
}

/// Returns which of `count` boards are drawn where `most` are: the first and the last ones.
#[must_use]
pub fn kept(count: usize, most: usize) -> [Range<usize>; 2] {
    if count <= most {
        return [0..count, count..count];
    }
    let first = most.div_ceil(2);
    [0..first, count - (most - first)..count]
}

/// Moves as letters in groups.
#[must_use]
pub fn letters(moves: &[Direction], language: Language) -> Markup {
    let shown = &moves[..moves.len().min(LETTERS_MAX)];
    let groups = shown.chunks(GROUP).map(|group| group.iter().map(|to| to.letter()).collect::<String>());
    let left = moves.len() - shown.len();
    html! {
        p class="letters mono" { (groups.collect::<Vec<_>>().join(" ")) }
        @if left > 0 {
            p class="soft" { (Phrase::from(Caption::Letters { letters: left }).say(language)) }
        }
    }
}

/// Boards of that size that a strip has at most.
#[must_use]
pub fn strip_max(size: usize) -> usize {
    (SQUARES_MAX / size.saturating_mul(size).max(1)).clamp(2, STRIP_MAX)
}

/// Moves that are made on a board of that size to be drawn.
#[must_use]
pub fn replayed_max(size: usize) -> usize {
    REPLAYED_SQUARES_MAX / size.saturating_mul(size).max(1)
}

/// Describes a board in words.
#[must_use]
pub fn describe(tiles: &Tiles<'_>, next: Option<Direction>, language: Language) -> String {
    let board = if tiles.size <= DESCRIBED_MAX {
        Caption::Rows { rows: tiles.rows() }
    } else {
        let count = tiles.values.iter().filter(|&&value| value > 0).count();
        Caption::Size { size: tiles.size, tiles: count }
    };
    let mut phrases = vec![Phrase::from(board)];
    if let Some(direction) = next {
        let letter = direction.letter().to_string();
        phrases.push(Caption::Next { direction: towards(direction).into(), letter }.into());
    }
    if !tiles.outlined.is_empty() && tiles.size <= DESCRIBED_MAX {
        let square = |square: usize| format!("{},{}", square / tiles.size + 1, square % tiles.size + 1);
        let pair = |&[one, other]: &[usize; 2]| format!("{} + {}", square(one), square(other));
        let pairs = tiles.outlined.iter().map(pair).collect::<Vec<_>>().join("; ");
        phrases.push(Caption::Merging { pairs }.into());
    }
    phrases.iter().map(|phrase| phrase.say(language)).collect::<Vec<_>>().join(" ")
}

fn towards(direction: Direction) -> Towards {
    match direction {
        Direction::Left => Towards::Left,
        Direction::Right => Towards::Right,
        Direction::Up => Towards::Up,
        Direction::Down => Towards::Down,
    }
}

/// Draws an arrow around a point.
fn move_arrow(direction: Direction, at: Point) -> Markup {
    let (x, y) = match direction {
        Direction::Left => (-1.0, 0.0),
        Direction::Right => (1.0, 0.0),
        Direction::Up => (0.0, -1.0),
        Direction::Down => (0.0, 1.0),
    };
    let end = |half: f64| Point { x: at.x + half * x, y: at.y + half * y };
    arrow(end(-ARROW / 2.0), end(ARROW / 2.0), 9.0, "")
}
