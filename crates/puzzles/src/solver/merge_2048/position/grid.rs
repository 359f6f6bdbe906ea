//! A position as a rectangle of squares: any size, any ranks.
//!
//! Of the eight symmetric images the first in lexicographic order, among those no higher than wide, stands for all.

use crate::board::line::Line;
use crate::board::sliding::{Direction, RANK_MAX, SlidingBoard};
use crate::solver::{Pace, Stop};

/// A rectangle of ranks, row by row; 0 is empty.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Grid {
    columns: usize,
    ranks: Vec<u8>,
}

/// What a slide leaves of a grid's empty lanes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Empty {
    /// They are left out.
    Dropped,
    /// They stay.
    Kept,
}

/// A way to read a grid: the lines of the image are the columns of the grid, or its rows; from the last line or
/// square on, or from the first.
#[derive(Debug, Clone, Copy)]
struct Image {
    columns: bool,
    lines_backwards: bool,
    squares_backwards: bool,
}

impl Image {
    /// All eight.
    fn all() -> impl Iterator<Item = Self> {
        (0..8).map(|bits| Self {
            columns: bits & 4 != 0,
            lines_backwards: bits & 2 != 0,
            squares_backwards: bits & 1 != 0,
        })
    }

    /// Returns the one whose lines are the lanes of a slide, from the wall outwards.
    fn of_lanes(direction: Direction) -> Self {
        Self {
            columns: matches!(direction, Direction::Up | Direction::Down),
            lines_backwards: false,
            squares_backwards: matches!(direction, Direction::Right | Direction::Down),
        }
    }
}

impl Grid {
    /// Returns the whole board.
    pub fn of(board: &SlidingBoard) -> Self {
        Self { columns: board.size(), ranks: board.ranks().to_vec() }
    }

    /// Makes `self` the position that `key` was [packed](Self::pack) of.
    pub fn unpack(&mut self, key: &[u8]) {
        let (columns, ranks) = key.split_first_chunk().unwrap_or((&[0; 4], &[]));
        self.columns = u32::from_le_bytes(*columns) as usize;
        self.ranks.clear();
        self.ranks.extend(ranks);
    }

    /// Returns the ranks, row by row.
    pub fn ranks(&self) -> &[u8] {
        &self.ranks
    }

    /// Returns the lanes of a slide in that direction, each from the wall outwards.
    pub fn lanes(&self, direction: Direction) -> impl Iterator<Item = impl Iterator<Item = u8>> {
        let image = Image::of_lanes(direction);
        (0..self.shape(image).0).map(move |lane| self.line(image, lane))
    }

    /// Makes `self` what a slide of `from` gives; `on_merge` gets the rank of every tile made. Lanes become rows and
    /// the wall is on their left, whatever the direction: the image of the true position under a symmetry. Whether
    /// any tile moved.
    ///
    /// # Errors
    /// The limit that was hit.
    pub fn set_to_slide_of(
        &mut self,
        from: &Self,
        direction: Direction,
        empty: Empty,
        pace: &mut Pace<'_>,
        mut on_merge: impl FnMut(u8),
    ) -> Result<bool, Stop> {
        let image = Image::of_lanes(direction);
        let (lanes, length) = from.shape(image);
        self.ranks.clear();
        let (mut longest, mut moved) = (0, false);
        for lane in 0..lanes {
            pace.count(length)?;
            let start = self.ranks.len();
            self.ranks.resize(start + length, 0);
            let mut line = Line::new(RANK_MAX);
            for (square, rank) in from.line(image, lane).enumerate() {
                let Some(landing) = line.push(rank) else { continue };
                self.ranks[start + landing.square] = landing.rank;
                moved |= landing.square != square;
                if landing.merged {
                    on_merge(landing.rank);
                }
            }
            longest = longest.max(line.filled());
            if line.filled() == 0 && empty == Empty::Dropped {
                self.ranks.truncate(start);
            }
        }
        self.columns = if empty == Empty::Kept { length } else { longest };
        if self.columns < length {
            for lane in 1..self.ranks.len() / length {
                let from = lane * length;
                self.ranks.copy_within(from..from + longest, lane * longest);
            }
            self.ranks.truncate(self.ranks.len() / length * longest);
        }
        Ok(moved)
    }

    /// Makes `key` the same for all images: the columns of the one that stands for them, and its ranks.
    ///
    /// # Errors
    /// The limit that was hit.
    pub fn pack(&self, pace: &mut Pace<'_>, key: &mut Vec<u8>) -> Result<(), Stop> {
        let lines = |image: Image| (0..self.shape(image).0).map(move |line| self.line(image, line));
        let mut best: Option<Image> = None;
        for image in Image::all() {
            let (rows, columns) = self.shape(image);
            if rows > columns {
                continue;
            }
            let Some(other) = best else {
                best = Some(image);
                continue;
            };
            for (one, other) in lines(image).zip(lines(other)) {
                pace.count(columns)?;
                let order = one.cmp(other);
                if order.is_lt() {
                    best = Some(image);
                }
                if order.is_ne() {
                    break;
                }
            }
        }
        key.clear();
        if let Some(best) = best {
            key.extend((self.shape(best).1 as u32).to_le_bytes());
            for line in lines(best) {
                pace.count(self.shape(best).1)?;
                key.extend(line);
            }
        }
        Ok(())
    }

    /// Lines of an image, and squares of a line.
    fn shape(&self, image: Image) -> (usize, usize) {
        let rows = self.ranks.len() / self.columns.max(1);
        if image.columns { (self.columns, rows) } else { (rows, self.columns) }
    }

    /// Returns the ranks of a line of an image.
    fn line(&self, image: Image, line: usize) -> impl Iterator<Item = u8> {
        let (lines, length) = self.shape(image);
        let (line_step, square_step) = if image.columns { (1, self.columns) } else { (self.columns, 1) };
        let line = if image.lines_backwards { lines - 1 - line } else { line };
        (0..length).map(move |square| {
            let square = if image.squares_backwards { length - 1 - square } else { square };
            self.ranks[line * line_step + square * square_step]
        })
    }
}

#[cfg(test)]
#[path = "grid_tests.rs"]
mod tests;
