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

    /// The one whose lines are the lanes of a slide, from the wall outwards.
    fn of_lanes(direction: Direction) -> Self {
        Self {
            columns: matches!(direction, Direction::Up | Direction::Down),
            lines_backwards: false,
            squares_backwards: matches!(direction, Direction::Right | Direction::Down),
        }
    }
}

impl Grid {
    /// The whole board.
    pub fn of(board: &SlidingBoard) -> Self {
        Self { columns: board.size(), ranks: board.ranks().to_vec() }
    }

    /// The position that [`key`](Self::key) is of.
    pub fn from_key(key: &[u8]) -> Self {
        let (columns, ranks) = key.split_first_chunk().unwrap_or((&[0; 4], &[]));
        Self { columns: u32::from_le_bytes(*columns) as usize, ranks: ranks.to_vec() }
    }

    /// The ranks, row by row.
    pub fn ranks(&self) -> &[u8] {
        &self.ranks
    }

    /// How many tiles there are.
    pub fn tiles(&self) -> usize {
        self.ranks.iter().filter(|&&rank| rank != 0).count()
    }

    /// What a slide gives; `on_merge` gets the rank of every tile made. Lanes become rows and the wall is on
    /// their left, whatever the direction: the image of the true position under a symmetry.
    ///
    /// # Errors
    /// The limit that was hit.
    pub fn slid(
        &self,
        direction: Direction,
        empty: Empty,
        pace: &mut Pace<'_>,
        mut on_merge: impl FnMut(u8),
    ) -> Result<Self, Stop> {
        let image = Image::of_lanes(direction);
        let (lanes, length) = self.shape(image);
        let mut squares = self.read(image);
        let mut ranks = Vec::with_capacity(self.ranks.len());
        let mut longest = 0;
        for _ in 0..lanes {
            pace.count(length)?;
            let start = ranks.len();
            ranks.resize(start + length, 0);
            let mut line = Line::new(RANK_MAX);
            for landing in squares.by_ref().take(length).filter_map(|rank| line.push(rank)) {
                ranks[start + landing.square] = landing.rank;
                if landing.merged {
                    on_merge(landing.rank);
                }
            }
            longest = longest.max(line.filled());
            if line.filled() == 0 && empty == Empty::Dropped {
                ranks.truncate(start);
            }
        }
        if empty == Empty::Kept || longest == length {
            return Ok(Self { columns: length, ranks });
        }
        let narrow = ranks.chunks(length).flat_map(|lane| &lane[..longest]).copied().collect();
        Ok(Self { columns: longest, ranks: narrow })
    }

    /// The key, the same for all images: the columns of the one that stands for them, and its ranks.
    ///
    /// # Errors
    /// The limit that was hit.
    pub fn key(&self, pace: &mut Pace<'_>) -> Result<Vec<u8>, Stop> {
        let wide = |image: &Image| {
            let (rows, columns) = self.shape(*image);
            rows <= columns
        };
        let mut best: Option<Image> = None;
        for image in Image::all().filter(wide) {
            pace.count(self.ranks.len())?;
            if best.is_none_or(|best| self.read(image).lt(self.read(best))) {
                best = Some(image);
            }
        }
        let mut key = Vec::with_capacity(4 + self.ranks.len());
        if let Some(best) = best {
            key.extend((self.shape(best).1 as u32).to_le_bytes());
            key.extend(self.read(best));
        }
        Ok(key)
    }

    /// Lines of an image, and squares of a line.
    fn shape(&self, image: Image) -> (usize, usize) {
        let rows = self.ranks.len() / self.columns.max(1);
        if image.columns { (self.columns, rows) } else { (rows, self.columns) }
    }

    /// The ranks of an image, line by line.
    fn read(&self, image: Image) -> impl Iterator<Item = u8> {
        let (lines, length) = self.shape(image);
        let (line_step, square_step) = if image.columns { (1, self.columns) } else { (self.columns, 1) };
        (0..lines).flat_map(move |line| {
            let line = if image.lines_backwards { lines - 1 - line } else { line };
            (0..length).map(move |square| {
                let square = if image.squares_backwards { length - 1 - square } else { square };
                self.ranks[line * line_step + square * square_step]
            })
        })
    }
}

#[cfg(test)]
#[path = "grid_tests.rs"]
mod tests;
