//! A set of grid points from which rectangles are removed, for sets that only shrink.
//!
//! A word holds a tile of 8 × 8 points. A word above it says which of 8 × 8 tiles still hold any, and so on up to a
//! single word. Taking a rectangle begins at the lowest level on which it spans a few words, and goes down only where a
//! tile can still hold points inside. It marks tiles that it finds empty, so what was already taken costs next to
//! nothing.
//!
//! Each level above the lowest takes a sixty-fourth of the room of the level below, so these stay in the cache. A row
//! of tiles has words only from its first tile to its last, so a grid with few places per line (the diagonals of a
//! narrow board) takes room for these alone.

use crate::solver::{ChargedVec, Pace, Stop};

/// Lines and places from the first to the last, inclusive.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rectangle {
    pub(super) lines: (u32, u32),
    pub(super) places: (u32, u32),
}

/// The place of a tile.
#[derive(Debug, Clone, Copy)]
struct Tile {
    level: usize,
    row: u32,
    column: u32,
}

/// The tiles of a level that lie side by side in one row.
#[derive(Debug, Clone, Copy)]
struct TileRow {
    /// The number of the first tile; every row has one.
    first: u32,
    /// The number of the last tile.
    last: u32,
    /// The index of the first tile's word.
    word: u32,
}

#[derive(Debug)]
struct Level<'b> {
    rows: ChargedVec<'b, TileRow>,
    /// Bit 8·r + c of a word stands for line r and place c in the tile.
    words: ChargedVec<'b, u64>,
}

/// The set.
#[derive(Debug)]
pub(super) struct Tiles<'b> {
    levels: Vec<Level<'b>>,
    /// Points in the set.
    count: u64,
}

impl<'b> Tiles<'b> {
    /// Creates the empty set of the points on `lines` lines; `line` returns the first and the last place on each.
    /// Charges its memory.
    pub(super) fn new(
        lines: u32,
        line: impl Fn(u32) -> (u32, u32),
        pace: &mut Pace<'b>,
    ) -> Result<Self, Stop> {
        let mut levels: Vec<Level<'b>> = Vec::new();
        let (mut height, budget) = (lines, pace.budget());
        while levels.last().is_none_or(|top| top.words.len() > 1) && height > 0 {
            let mut rows = ChargedVec::with_capacity(height.div_ceil(8) as usize, budget)?;
            let mut words = 0;
            for row in 0..height.div_ceil(8) {
                pace.count(1)?;
                let (mut first, mut last) = (u32::MAX, 0);
                for below in 8 * row..height.min(8 * row + 8) {
                    let ends = ends(levels.last(), &line, below);
                    (first, last) = (first.min(ends.0 / 8), last.max(ends.1 / 8));
                }
                rows.push(TileRow { first, last, word: words })?;
                words += last - first + 1;
            }
            let mut empty = ChargedVec::with_capacity(words as usize, budget)?;
            empty.resize(words as usize, 0)?;
            height = rows.len() as u32;
            levels.push(Level { rows, words: empty });
        }
        Ok(Self { levels, count: 0 })
    }

    /// Adds all points to the set; the arguments are those of [`Tiles::new`].
    ///
    /// # Errors
    /// Returns the limit that was hit; the set is then unusable.
    pub(super) fn fill(
        &mut self,
        lines: u32,
        line: impl Fn(u32) -> (u32, u32),
        pace: &mut Pace<'_>,
    ) -> Result<(), Stop> {
        self.count = (0..lines).map(|number| u64::from(line(number).1 - line(number).0 + 1)).sum();
        for level in 0..self.levels.len() {
            let (below, level) = self.levels.split_at_mut(level);
            let (below, level) = (below.last(), &mut level[0]);
            level.words.fill(0);
            // Tiles between the first and the last can be empty from the start; taking finds that out.
            for number in 0..below.map_or(lines, |below| below.rows.len() as u32) {
                let (first, last) = ends(below, &line, number);
                pace.count(1 + (last - first) as usize / 8)?;
                for tile in first / 8..=last / 8 {
                    let places = span(first.max(8 * tile) % 8, last.min(8 * tile + 7) % 8);
                    *level.word_of(number / 8, tile) |= places << (number % 8 * 8);
                }
            }
        }
        Ok(())
    }

    /// Returns whether there is nothing to take.
    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Removes a point; returns false if it was not in the set.
    pub(super) fn remove(&mut self, line: u32, place: u32) -> bool {
        let word = self.levels[0].word_of(line / 8, place / 8);
        let bit = 1 << (line % 8 * 8 + place % 8);
        let there = *word & bit != 0;
        *word &= !bit;
        self.count -= u64::from(there);
        there
    }

    /// Removes the points of a rectangle. `each` gets the points of one tile at a time: its first line, its first
    /// place, and the bits of the points.
    ///
    /// # Errors
    /// Returns the limit that was hit, or the error of `each`; the set is then unusable.
    pub(super) fn take(
        &mut self,
        area: Rectangle,
        pace: &mut Pace<'_>,
        mut each: impl FnMut(u32, u32, u64) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let Rectangle { lines, places } = area;
        let span = (lines.1 - lines.0).max(places.1 - places.0);
        let mut level = 0;
        while level + 1 < self.levels.len() && u64::from(span) >> (3 * level + 3) > 0 {
            level += 1;
        }
        let shift = 3 * level as u32 + 3;
        for row in lines.0 >> shift..=lines.1 >> shift {
            let tiles = self.levels[level].rows[row as usize];
            for tile in tiles.first.max(places.0 >> shift)..=tiles.last.min(places.1 >> shift) {
                self.take_in_tile(Tile { level, row, column: tile }, area, pace, &mut each)?;
            }
        }
        Ok(())
    }

    /// Removes the points of the area that lie in a tile. Returns whether the tile is empty afterwards.
    fn take_in_tile(
        &mut self,
        at: Tile,
        area: Rectangle,
        pace: &mut Pace<'_>,
        each: &mut impl FnMut(u32, u32, u64) -> Result<(), Stop>,
    ) -> Result<bool, Stop> {
        let Tile { level, row, column } = at;
        let word = *self.levels[level].word_of(row, column);
        let inside = word & at.cover(area);
        if inside == 0 {
            return Ok(word == 0);
        }
        pace.count(inside.count_ones() as usize)?;
        let mut left = word & !inside;
        if level == 0 {
            self.count -= u64::from(inside.count_ones());
            each(8 * row, 8 * column, inside)?;
        } else {
            let mut todo = inside;
            while todo != 0 {
                let bit = todo.trailing_zeros();
                let below = Tile { level: level - 1, row: 8 * row + bit / 8, column: 8 * column + bit % 8 };
                if !self.take_in_tile(below, area, pace, each)? {
                    left |= 1 << bit;
                }
                todo &= todo - 1;
            }
        }
        *self.levels[level].word_of(row, column) = left;
        Ok(left == 0)
    }
}

impl Level<'_> {
    fn word_of(&mut self, row: u32, tile: u32) -> &mut u64 {
        let tiles = self.rows[row as usize];
        &mut self.words[(tiles.word + tile - tiles.first) as usize]
    }
}

/// Returns the first and the last place on a line of points or, if there is a level `below`, the first and the last
/// tile of a row of that level.
fn ends(below: Option<&Level<'_>>, line: impl Fn(u32) -> (u32, u32), number: u32) -> (u32, u32) {
    below.map_or_else(
        || line(number),
        |below| (below.rows[number as usize].first, below.rows[number as usize].last),
    )
}

impl Tile {
    /// Returns the bits of everything in the tile that overlaps the area.
    fn cover(self, area: Rectangle) -> u64 {
        let shift = 3 * self.level as u32;
        let clip = |(low, high): (u32, u32), first: u32| {
            ((low >> shift).max(first) - first, (high >> shift).min(first + 7) - first)
        };
        let (top, bottom) = clip(area.lines, 8 * self.row);
        let (left, right) = clip(area.places, 8 * self.column);
        let rows = u64::MAX << (8 * top) & u64::MAX >> (56 - 8 * bottom);
        // Copies the places on the first line to all lines.
        rows & (span(left, right) * 0x0101_0101_0101_0101)
    }
}

/// Returns the bits of the places from `first` to `last` on the first line of a tile.
fn span(first: u32, last: u32) -> u64 {
    0xff << first & 0xff >> (7 - last)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::solver::{Budget, Random};

    /// On random grids, among them long diagonals, every rectangle takes what a plain set says.
    #[test]
    fn agrees_with_a_tree_set() {
        let budget = Budget::unlimited();
        let mut random = Random::new(5);
        for round in 0..300 {
            let lines = random.between(1, [7, 70, 700][round % 3]) as u32;
            let slope = random.below(3) as u32;
            let ends: Vec<(u32, u32)> = (0..lines)
                .map(|line| {
                    let first = slope * line + random.below(4) as u32;
                    (first, first + random.below([2, 20, 300][round % 3]) as u32)
                })
                .collect();
            let line = |number: u32| ends[number as usize];
            let mut pace = Pace::new(&budget);
            let mut tiles = Tiles::new(lines, line, &mut pace).unwrap();
            let mut set = BTreeSet::new();
            let all = (0..lines).flat_map(|i| (line(i).0..=line(i).1).map(move |j| (i, j)));
            tiles.fill(lines, line, &mut pace).unwrap();
            set.extend(all);
            if round % 2 == 1 {
                for (i, j) in set.clone().into_iter().filter(|_| random.chance(0.5)) {
                    assert!(tiles.remove(i, j) && set.remove(&(i, j)));
                }
            }
            for _ in 0..60 {
                let i = random.below(u64::from(lines)) as u32;
                let j = random.between(u64::from(line(i).0), u64::from(line(i).1)) as u32;
                assert_eq!(tiles.remove(i, j), set.remove(&(i, j)));
                let reach = random.below(40) as u32;
                let area = Rectangle {
                    lines: (i.saturating_sub(reach), (i + reach).min(lines - 1)),
                    places: (j.saturating_sub(reach), j + random.below(40) as u32),
                };
                let mut taken = Vec::new();
                tiles
                    .take(area, &mut pace, |line, place, bits| {
                        let found = (0..64).filter(|bit| bits >> bit & 1 == 1);
                        taken.extend(found.map(|bit| (line + bit / 8, place + bit % 8)));
                        Ok(())
                    })
                    .unwrap();
                taken.sort_unstable();
                let inside = |&&(i, j): &&(u32, u32)| {
                    (area.lines.0..=area.lines.1).contains(&i) && (area.places.0..=area.places.1).contains(&j)
                };
                let expected: Vec<_> = set.iter().filter(inside).copied().collect();
                assert_eq!(taken, expected);
                for point in &expected {
                    assert!(set.remove(point));
                }
                assert_eq!(tiles.is_empty(), set.is_empty());
            }
        }
    }
}
