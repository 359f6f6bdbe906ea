//! Draws a game on tiles, as in 2048, as one board after the other.

use super::grid_picture::{Board, Dots, GridPicture, Kind, Outline};
use crate::board::sliding::{Direction, SlidingBoard};
use crate::words::{Language, Phrase, messages};

/// Maximum number of boards kept of a game, and of squares on all of them.
const BOARDS_MAX: usize = 101;
const SQUARES_MAX: usize = 1 << 13;
/// Boards with sides up to this are described value by value.
const DESCRIBED_MAX: usize = 8;
/// Maximum number of letters shown of a list of moves.
const LETTERS_MAX: usize = 1 << 16;
/// Number of letters in a group.
const GROUP: usize = 10;
/// Maximum number of squares moved to draw a game; it takes a tenth of a second.
const REPLAYED_SQUARES_MAX: usize = 1 << 25;
/// A power of two is written as `2` with an exponent if it has at least this many digits.
const DIGITS: usize = 7;
/// Classes of tiles, indexed by power of two.
const CLASSES: [&str; 18] = [
    "t0", "t1", "t2", "t3", "t4", "t5", "t6", "t7", "t8", "t9", "t10", "t11", "t12", "t13", "t14", "t15",
    "t16", "t17",
];

messages! {
    "tiles-picture"
    /// Texts about boards of tiles.
    enum Caption {
        Rows = "rows" { rows: String },
        Size = "size" { size: usize, tiles: usize },
        Next = "next" { step: String },
        Letters = "letters" { letters: usize },
        Legend = "legend",
        LegendNext = "legend-next",
    }
}

/// A board of a game and the moves around it.
#[derive(Debug, Default)]
pub struct Shot {
    /// The move that led to this board.
    pub moved: Option<Direction>,
    /// The next move.
    pub next: Option<Direction>,
    /// Squares with a merged tile.
    pub merged: Vec<usize>,
    /// Squares with a tile that the game placed.
    pub new: Vec<usize>,
    /// Pairs of squares that merge in the next move.
    pub merging: Vec<[usize; 2]>,
    /// Further text about the board.
    pub caption: String,
}

/// The drawing of a game, to which the caller adds the boards one by one.
pub struct TileGame<'a> {
    picture: GridPicture,
    /// Returns the value of a rank; `None` if it is not known.
    value: &'a dyn Fn(u8) -> Option<u128>,
    moves: usize,
    stride: usize,
    /// Whether the boards show the next move.
    has_next: bool,
    language: Language,
}

impl<'a> TileGame<'a> {
    /// Begins a game of `moves` moves on a board of `size` × `size` squares.
    pub fn new(
        size: usize,
        title: String,
        moves: usize,
        value: &'a dyn Fn(u8) -> Option<u128>,
        language: Language,
    ) -> Self {
        let most = (SQUARES_MAX / size.saturating_mul(size).max(1)).clamp(2, BOARDS_MAX) - 1;
        let mut stride = 1;
        while moves.div_ceil(stride) > most && stride < moves {
            stride *= 10;
        }
        Self {
            picture: GridPicture::new(Kind::Tiles, [size; 2], title),
            value,
            moves,
            stride,
            has_next: false,
            language,
        }
    }

    /// Adds the board after `number` moves if it is one of those to draw.
    pub fn add(&mut self, number: usize, board: &SlidingBoard, shot: impl FnOnce() -> Shot) {
        let is_kept = number.is_multiple_of(self.stride) || number == self.moves;
        if is_kept && GridPicture::has_squares(self.picture.sides) {
            let shot = shot();
            self.has_next |= shot.next.is_some();
            let board = self.board(number, board, shot);
            self.picture.boards.push(board);
        }
    }

    fn board(&self, number: usize, board: &SlidingBoard, shot: Shot) -> Board {
        let values: Vec<Option<u128>> = board.ranks().iter().map(|&rank| (self.value)(rank)).collect();
        let mut dots: Vec<Dots> =
            CLASSES[1..].iter().map(|class| Dots { class, width: 36.0, squares: Vec::new() }).collect();
        for (index, value) in values.iter().enumerate().filter(|(_, value)| **value != Some(0)) {
            // A tile of 1 has the class of 2, because no board has many of both.
            let power = value.map_or(17, |value| value.ilog2().clamp(1, 17));
            dots[power as usize - 1].squares.push(index);
        }
        dots.retain(|dots| !dots.squares.is_empty());
        let filled = values.iter().enumerate().filter(|(_, value)| **value != Some(0));
        let outlines = shot.merging.iter().map(|&squares| ("merging", squares));
        let outlines = outlines.chain(shot.merged.iter().map(|&square| ("merged", [square; 2])));
        let outlines = outlines.chain(shot.new.iter().map(|&square| ("new", [square; 2])));
        let say = |caption: Caption| Phrase::from(caption).say(self.language);
        let size = self.picture.sides[0];
        let written = |value: &Option<u128>| value.map_or("?".to_owned(), |value| value.to_string());
        let description = if size <= DESCRIBED_MAX {
            let row = |row: &[Option<u128>]| row.iter().map(written).collect::<Vec<_>>().join(" ");
            say(Caption::Rows { rows: values.chunks(size.max(1)).map(row).collect::<Vec<_>>().join("; ") })
        } else {
            say(Caption::Size { size, tiles: filled.clone().count() })
        };
        let moved = shot.moved.map(|direction| format!(" {}", towards(direction))).unwrap_or_default();
        let next = shot.next.map(|direction| say(Caption::Next { step: towards(direction) }));
        Board {
            moves: number,
            name: if self.moves == 0 { String::new() } else { format!("{number}{moved}") },
            caption: [next.unwrap_or_default(), shot.caption].join(" ").trim().to_owned(),
            description,
            texts: filled.map(|(index, value)| (index, face(*value))).collect(),
            outlines: outlines.map(|(class, squares)| Outline { class, squares }).collect(),
            dots,
            ..Board::default()
        }
    }

    /// Ends the game. Returns a picture with all moves as letters.
    pub fn finish(self, moves: &[Direction], notes: Vec<String>) -> GridPicture {
        let Self { mut picture, language, has_next, .. } = self;
        let say = |caption: Caption| Phrase::from(caption).say(language);
        picture.moves = moves.iter().map(|direction| *direction as usize).collect();
        let groups = moves[..moves.len().min(LETTERS_MAX)].chunks(GROUP);
        let groups = groups.map(|group| group.iter().map(|to| to.letter()).collect::<String>());
        picture.letters = groups.collect::<Vec<_>>().join(" ");
        picture.description =
            picture.boards.first().map_or_else(|| picture.title.clone(), |board| board.description.clone());
        picture.notes = notes;
        if let Some(letters) = moves.len().checked_sub(LETTERS_MAX).filter(|&left| left > 0) {
            picture.notes.push(say(Caption::Letters { letters }));
        }
        if picture.boards.len() > 1 {
            picture.notes.push(say(if has_next { Caption::LegendNext } else { Caption::Legend }));
        }
        picture
    }
}

/// Returns how many moves on a board of that size may be replayed for a drawing.
pub fn replayed_max(size: usize) -> usize {
    (REPLAYED_SQUARES_MAX / size.saturating_mul(size).max(1)).max(1)
}

/// Returns a move as its letter with an arrow.
fn towards(direction: Direction) -> String {
    let arrow = match direction {
        Direction::Left => '←',
        Direction::Right => '→',
        Direction::Up => '↑',
        Direction::Down => '↓',
    };
    format!("{arrow} {}", direction.letter())
}

/// Returns the text on a tile.
fn face(value: Option<u128>) -> String {
    let Some(value) = value else { return "?".to_owned() };
    let digits = value.to_string();
    if digits.len() < DIGITS || !value.is_power_of_two() {
        return digits;
    }
    let raised = |digit: u8| ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'][usize::from(digit - b'0')];
    format!("2{}", value.ilog2().to_string().bytes().map(raised).collect::<String>())
}
