//! The board of the 2048 family: tiles that slide, and merge in pairs of equals.
//!
//! A square holds a *rank*: 0 is empty, and merging two tiles of rank r gives one of rank r + 1. Each puzzle decides
//! which value a rank stands for: 2^r in the game, base · 2^(r − 1) in the clean-up puzzle.

use std::convert::Infallible;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::line::Line;

/// The largest rank of a square. Two tiles of this rank do not merge; no puzzle comes near it.
pub const RANK_MAX: u8 = u8::MAX;

/// The direction in which tiles slide. The letters are those of the source documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Direction {
    /// `E`, esquerda.
    #[serde(rename = "E")]
    Left,
    /// `D`, direita.
    #[serde(rename = "D")]
    Right,
    /// `C`, cima.
    #[serde(rename = "C")]
    Up,
    /// `B`, baixo.
    #[serde(rename = "B")]
    Down,
}

impl Direction {
    /// All four directions, in the order in which searches try them.
    pub const ALL: [Self; 4] = [Self::Left, Self::Right, Self::Up, Self::Down];

    /// Returns the letter in files: `E`, `D`, `C`, `B`.
    pub fn letter(self) -> char {
        match self {
            Self::Left => 'E',
            Self::Right => 'D',
            Self::Up => 'C',
            Self::Down => 'B',
        }
    }

    /// Returns the direction of an upper- or lower-case letter.
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|direction| direction.letter() == letter.to_ascii_uppercase())
    }

    /// Returns the opposite direction.
    pub fn opposite(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
            Self::Up => Self::Down,
            Self::Down => Self::Up,
        }
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

/// A square board of ranks, row by row.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "Vec<u8>", try_from = "Vec<u8>")]
pub struct SlidingBoard {
    size: usize,
    ranks: Box<[u8]>,
}

impl From<SlidingBoard> for Vec<u8> {
    fn from(board: SlidingBoard) -> Self {
        board.ranks.into_vec()
    }
}

impl TryFrom<Vec<u8>> for SlidingBoard {
    type Error = &'static str;

    fn try_from(ranks: Vec<u8>) -> Result<Self, &'static str> {
        let size = ranks.len().isqrt();
        let is_square = size > 0 && size * size == ranks.len();
        is_square.then(|| Self::new(size, ranks)).ok_or("a board that is not square")
    }
}

/// The effect of a slide.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Slide {
    /// Some tile moved or merged.
    pub changed: bool,
    /// Number of pairs that merged.
    pub merges: u32,
}

impl SlidingBoard {
    /// Creates a board of `size` × `size` squares with these ranks, row by row.
    ///
    /// # Panics
    /// Panics unless there are exactly `size`² ranks.
    pub fn new(size: usize, ranks: Vec<u8>) -> Self {
        assert_eq!(ranks.len(), size * size, "a board of size {size} has {} squares", size * size);
        Self { size, ranks: ranks.into_boxed_slice() }
    }

    /// Returns the number of squares on a side.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Returns the ranks, row by row.
    pub fn ranks(&self) -> &[u8] {
        &self.ranks
    }

    /// Returns the ranks for modification, row by row.
    pub fn ranks_mut(&mut self) -> &mut [u8] {
        &mut self.ranks
    }

    /// Slides every tile as far as it goes. Equal tiles that meet merge in pairs, those nearest the wall first, and no
    /// tile merges twice. Calls `on_merge` with the rank of every tile made.
    pub fn slide_with(&mut self, direction: Direction, on_merge: impl FnMut(u8)) -> Slide {
        let Ok(slide) = self.try_slide(direction, on_merge, || Ok::<_, Infallible>(()));
        slide
    }

    /// Slides like [`slide_with`](Self::slide_with), but interruptibly: calls `before_lane` before it slides a row or a
    /// column.
    ///
    /// # Errors
    /// Returns the error of `before_lane`; the remaining rows or columns have not moved.
    pub fn try_slide<E>(
        &mut self,
        direction: Direction,
        mut on_merge: impl FnMut(u8),
        mut before_lane: impl FnMut() -> Result<(), E>,
    ) -> Result<Slide, E> {
        let mut slide = Slide::default();
        for lane in 0..self.size {
            before_lane()?;
            let at = self.lane(direction, lane);
            let mut line = Line::new(RANK_MAX);
            for index in 0..self.size {
                let Some(landing) = line.push(std::mem::take(&mut self.ranks[at(index)])) else { continue };
                self.ranks[at(landing.square)] = landing.rank;
                slide.changed |= landing.square != index;
                if landing.merged {
                    on_merge(landing.rank);
                    slide.merges += 1;
                }
            }
        }
        Ok(slide)
    }

    /// Returns the merges of a slide, in each lane those nearer the wall first: the squares of the two tiles, and the
    /// square on which the merged tile ends up.
    fn merges(&self, direction: Direction) -> Vec<([usize; 2], usize)> {
        let mut merges = Vec::new();
        for lane in 0..self.size {
            let at = self.lane(direction, lane);
            let (mut line, mut last) = (Line::new(RANK_MAX), 0);
            for index in 0..self.size {
                let Some(landing) = line.push(self.ranks[at(index)]) else { continue };
                if landing.merged {
                    merges.push(([at(last), at(index)], at(landing.square)));
                }
                last = index;
            }
        }
        merges
    }

    /// Returns the pairs of squares whose tiles merge in a slide.
    pub fn merging(&self, direction: Direction) -> Vec<[usize; 2]> {
        self.merges(direction).into_iter().map(|(pair, _)| pair).collect()
    }

    /// Returns the squares on which a slide leaves merged tiles.
    pub fn merged(&self, direction: Direction) -> Vec<usize> {
        self.merges(direction).into_iter().map(|(_, square)| square).collect()
    }

    /// Returns a function from the position in a lane, counted from the wall, to the square.
    #[inline]
    pub(crate) fn lane(&self, direction: Direction, lane: usize) -> impl Fn(usize) -> usize + use<> {
        let (size, last) = (self.size, self.size.saturating_sub(1));
        let (start, step) = match direction {
            Direction::Left => (lane * size, 1),
            Direction::Right => (lane * size + last, -1),
            Direction::Up => (lane, size as isize),
            Direction::Down => (last * size + lane, -(size as isize)),
        };
        move |index: usize| start.wrapping_add_signed(step * index as isize)
    }

    /// Slides like [`slide_with`](Self::slide_with), for callers that do not need the merges.
    pub fn slide(&mut self, direction: Direction) -> Slide {
        self.slide_with(direction, |_| {})
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn slid(row: &[u8], direction: Direction) -> Vec<u8> {
        let size = row.len();
        let mut ranks = vec![0; size * size];
        ranks[..size].copy_from_slice(row);
        let mut board = SlidingBoard::new(size, ranks);
        board.slide(direction);
        board.ranks()[..size].to_vec()
    }

    #[test]
    fn rows_of_the_pages() {
        assert_eq!(slid(&[1, 1, 1], Direction::Right), [0, 1, 2]);
        assert_eq!(slid(&[1, 1, 1], Direction::Left), [2, 1, 0]);
        assert_eq!(slid(&[1, 1, 2], Direction::Right), [0, 2, 2]);
        assert_eq!(slid(&[0, 1, 1, 1], Direction::Right), [0, 0, 1, 2]);
        assert_eq!(slid(&[1, 1, 1, 1], Direction::Right), [0, 0, 2, 2]);
        assert_eq!(slid(&[1, 1, 2, 3], Direction::Right), [0, 2, 2, 3]);
        assert_eq!(slid(&[1, 2, 0, 0], Direction::Left), [1, 2, 0, 0]);
    }

    #[test]
    fn letters_and_directions_are_inverse() {
        for direction in Direction::ALL {
            assert_eq!(Direction::from_letter(direction.letter()), Some(direction));
            assert_eq!(Direction::from_letter(direction.letter().to_ascii_lowercase()), Some(direction));
            assert_eq!(direction.opposite().opposite(), direction);
        }
        assert_eq!(Direction::from_letter('L'), None);
    }

    /// A slide written another way: takes the lane out, merges it as a list, and puts it back.
    fn plain_slide(board: &SlidingBoard, direction: Direction) -> (Vec<u8>, u32) {
        let size = board.size();
        let mut out = vec![0; size * size];
        let mut merges = 0;
        for lane in 0..size {
            let square = |index: usize| match direction {
                Direction::Left => lane * size + index,
                Direction::Right => lane * size + size - 1 - index,
                Direction::Up => index * size + lane,
                Direction::Down => (size - 1 - index) * size + lane,
            };
            let mut tiles: std::collections::VecDeque<u8> =
                (0..size).map(|i| board.ranks()[square(i)]).filter(|&r| r != 0).collect();
            let mut index = 0;
            while let Some(tile) = tiles.pop_front() {
                let merged = tiles.front() == Some(&tile);
                if merged {
                    tiles.pop_front();
                    merges += 1;
                }
                out[square(index)] = tile + u8::from(merged);
                index += 1;
            }
        }
        (out, merges)
    }

    proptest! {
        #[test]
        fn agrees_with_a_slide_on_lists(size in 1_usize..7, seed in prop::collection::vec(0_u8..4, 36)) {
            let board = SlidingBoard::new(size, seed[..size * size].to_vec());
            for direction in Direction::ALL {
                let (expected, merges) = plain_slide(&board, direction);
                let mut moved = board.clone();
                let mut made = Vec::new();
                let slide = moved.slide_with(direction, |rank| made.push(rank));
                prop_assert_eq!(moved.ranks(), &expected[..]);
                prop_assert_eq!(slide.merges, merges);
                prop_assert_eq!(made.len() as u32, merges);
                prop_assert_eq!(slide.changed, board.ranks() != moved.ranks());
            }
        }
    }
}
