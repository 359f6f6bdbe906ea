//! A set of points in a grid from which rectangles are taken, for sets that only shrink.
//!
//! A word holds a tile of 8 × 8 points, a word above it says which of 8 × 8 tiles still hold any, and so on up
//! to a single word. Taking a rectangle begins at the lowest level on which it spans a few words, and goes down
//! only where something is left inside the tile: what was taken already costs nothing.
//!
//! What can be looked at in vain are tiles on the border of the rectangle whose points all lie outside it, and a
//! board of one large number has as many jumps as squares that each meet a long border. So two words more for each
//! row and column of eight tiles tell which of them have anything on a certain line or place; of eight tiles on a
//! border only those are looked at that give something. What is left is a few words for every 64 points of the
//! border's length.
//!
//! The levels above the lowest take a sixty-fourth of its room each, so they stay in the cache. A row of tiles
//! has words only from its first tile to its last, so a grid in which every line has few places (the
//! diagonals of a narrow board) takes room for these alone.

use super::tile::{FIRST_PLACES, Rectangle, any_in_line, cover, fold, span, spread};
use crate::solver::{Budget, ChargedVec, Pace, Stop};

/// The tiles of a level that lie beside each other.
#[derive(Debug, Clone, Copy)]
struct TileRow {
    /// Number of the first tile; every row has one.
    first: u32,
    /// Number of the last tile.
    last: u32,
    /// The word of the first tile.
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
    /// Eight words for every word of level 1, one for each row of its tiles: bit 8·l + c tells that the tile in
    /// column c may have points on its line l. Bits are cleared when a tile lost a line, but kept one tile.
    lines: ChargedVec<'b, u64>,
    /// The same for the columns of tiles: bit 8·p + r tells that the tile in row r may have points on place p.
    places: ChargedVec<'b, u64>,
    /// Points in the set.
    count: u64,
}

impl<'b> Tiles<'b> {
    /// The empty set of the points on `lines` lines; `line` gives the first and the last place on each. The
    /// memory is charged.
    ///
    /// # Errors
    /// The limit that was hit.
    pub(super) fn new(
        lines: u32,
        line: impl Fn(u32) -> (u32, u32),
        pace: &mut Pace<'b>,
    ) -> Result<Self, Stop> {
        let mut levels: Vec<Level<'b>> = Vec::new();
        let (mut height, budget) = (lines, pace.budget());
        while levels.last().is_none_or(|top| top.words.len() > 1) && height > 0 {
            let rows_count = height.div_ceil(8);
            let mut rows = ChargedVec::with_capacity(rows_count as usize, budget)?;
            let mut words = 0;
            for row in 0..rows_count {
                pace.count(1)?;
                let mut first = u32::MAX;
                let mut last = 0;
                for below in 8 * row..height.min(8 * row + 8) {
                    let ends = levels.last().map_or_else(
                        || line(below),
                        |level| (level.rows[below as usize].first, level.rows[below as usize].last),
                    );
                    first = first.min(ends.0 / 8);
                    last = last.max(ends.1 / 8);
                }
                rows.push(TileRow { first, last, word: words })?;
                words += last - first + 1;
            }
            levels.push(Level { rows, words: filled(words as usize, 0, budget)? });
            height = rows_count;
        }
        let borders = 8 * levels.get(1).map_or(0, |level| level.words.len());
        // Nothing is known about borders yet.
        let [lines, places] = [filled(borders, u64::MAX, budget)?, filled(borders, u64::MAX, budget)?];
        Ok(Self { levels, lines, places, count: 0 })
    }

    /// Makes the set hold all points; the arguments are those of [`Tiles::new`].
    ///
    /// # Errors
    /// The limit that was hit; the set is of no use then.
    pub(super) fn fill(
        &mut self,
        lines: u32,
        line: impl Fn(u32) -> (u32, u32),
        pace: &mut Pace<'_>,
    ) -> Result<(), Stop> {
        self.count = 0;
        self.levels.iter_mut().for_each(|level| level.words.fill(0));
        // Nothing is known about borders yet.
        self.lines.fill(u64::MAX);
        self.places.fill(u64::MAX);
        for number in 0..lines {
            let (first, last) = line(number);
            self.count += u64::from(last - first + 1);
            pace.count(1 + (last - first) as usize / 8)?;
            let level = &mut self.levels[0];
            let row = level.rows[number as usize / 8];
            for tile in first / 8..=last / 8 {
                let places = span(first.max(8 * tile) % 8, last.min(8 * tile + 7) % 8);
                level.words[(row.word + tile - row.first) as usize] |= places << (number % 8 * 8);
            }
        }
        for upper in 1..self.levels.len() {
            let (below, above) = self.levels.split_at_mut(upper);
            let (below, above) = (&below[upper - 1], &mut above[0]);
            for (row, tiles) in (0..).zip(below.rows.iter()) {
                pace.count(1 + (tiles.last - tiles.first) as usize)?;
                for tile in tiles.first..=tiles.last {
                    let any = below.words[(tiles.word + tile - tiles.first) as usize] != 0;
                    let parent = above.rows[row as usize / 8];
                    above.words[(parent.word + tile / 8 - parent.first) as usize] |=
                        u64::from(any) << (row % 8 * 8 + tile % 8);
                }
            }
        }
        Ok(())
    }

    /// Whether there is nothing to take.
    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Takes a point out; false when it was not there.
    pub(super) fn remove(&mut self, line: u32, place: u32) -> bool {
        let word = self.levels[0].word_of(line / 8, place / 8);
        let bit = 1 << (line % 8 * 8 + place % 8);
        let there = *word & bit != 0;
        if there {
            self.count -= 1;
            self.cut(0, line, place);
        }
        there
    }

    /// Takes the points of a rectangle out. `each` gets those of a tile together: its first line, its first
    /// place, and their bits.
    ///
    /// # Errors
    /// The limit that was hit, or those of `each`; the set is of no use then.
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
            let (first, last) = (tiles.first.max(places.0 >> shift), tiles.last.min(places.1 >> shift));
            for tile in first..=last {
                if self.take_in_tile(level, (row, tile), area, pace, &mut each)? {
                    self.cut(level + 1, row, tile);
                }
            }
        }
        Ok(())
    }

    /// Takes what lies in a tile, and says whether that left it empty.
    fn take_in_tile(
        &mut self,
        level: usize,
        (row, tile): (u32, u32),
        area: Rectangle,
        pace: &mut Pace<'_>,
        each: &mut impl FnMut(u32, u32, u64) -> Result<(), Stop>,
    ) -> Result<bool, Stop> {
        let word = *self.levels[level].word_of(row, tile);
        let mut inside = word & cover(level as u32, (row, tile), area);
        if level == 1 && inside != 0 {
            inside &= self.inside_borders((row, tile), area);
        }
        if inside == 0 {
            return Ok(false);
        }
        pace.count(inside.count_ones() as usize)?;
        let mut left = word & !inside;
        if level == 0 {
            self.count -= u64::from(inside.count_ones());
            if left != 0 {
                self.note_borders((row, tile), word, left);
            }
            each(8 * row, 8 * tile, inside)?;
        } else {
            let mut todo = inside;
            while todo != 0 {
                let bit = todo.trailing_zeros();
                let below = (8 * row + bit / 8, 8 * tile + bit % 8);
                if !self.take_in_tile(level - 1, below, area, pace, each)? {
                    left |= 1 << bit;
                }
                todo &= todo - 1;
            }
        }
        *self.levels[level].word_of(row, tile) = left;
        Ok(left == 0)
    }

    /// The tiles of a word of level 1 that may have points inside the area, as far as lines or places alone tell.
    fn inside_borders(&self, (row, tile): (u32, u32), area: Rectangle) -> u64 {
        let word = 8 * self.levels[1].number_of(row, tile);
        let mut inside = u64::MAX;
        // The tiles on a border that is not their own, as a row or column of the word, and what they show inside.
        let borders = |(low, high): (u32, u32), first: u32| {
            let (from, to) = (low.checked_sub(first), high.checked_sub(first));
            let from = from.filter(|from| from % 8 != 0).map(|from| (from / 8, span(from % 8, 7)));
            let to = to.filter(|to| to % 8 != 7).map(|to| (to / 8, span(0, to % 8)));
            [from, to].into_iter().flatten().filter(|&(number, _)| number < 8)
        };
        for (number, lines) in borders(area.lines, 64 * row) {
            let columns = fold(self.lines[word + number as usize] & (spread(lines) * 0xff));
            inside &= !(0xff << (8 * number)) | columns << (8 * number);
        }
        for (number, places) in borders(area.places, 64 * tile) {
            let rows = fold(self.places[word + number as usize] & (spread(places) * 0xff));
            inside &= !(FIRST_PLACES << number) | spread(rows) << number;
        }
        inside
    }

    /// A tile has `left` of `word`: notes the lines and places that it lost.
    fn note_borders(&mut self, (row, tile): (u32, u32), word: u64, left: u64) {
        let Some(above) = self.levels.get(1) else { return };
        let above = 8 * above.number_of(row / 8, tile / 8);
        let (row, column) = (row as usize % 8, tile as usize % 8);
        self.lines[above + row] &= !((any_in_line(word) & !any_in_line(left)) << column);
        self.places[above + column] &= !(spread(fold(word) & !fold(left)) << row);
    }

    /// Clears the bit of a tile (of a point, at level 0), and those above that it leaves without meaning.
    fn cut(&mut self, level: usize, mut row: u32, mut column: u32) {
        for level in &mut self.levels[level..] {
            let word = level.word_of(row / 8, column / 8);
            *word &= !(1 << (row % 8 * 8 + column % 8));
            if *word != 0 {
                return;
            }
            (row, column) = (row / 8, column / 8);
        }
    }
}

impl Level<'_> {
    fn number_of(&self, row: u32, tile: u32) -> usize {
        let tiles = self.rows[row as usize];
        (tiles.word + tile - tiles.first) as usize
    }

    fn word_of(&mut self, row: u32, tile: u32) -> &mut u64 {
        let number = self.number_of(row, tile);
        &mut self.words[number]
    }
}

/// A list of so many times `word`.
fn filled(words: usize, word: u64, budget: &Budget) -> Result<ChargedVec<'_, u64>, Stop> {
    let mut list = ChargedVec::with_capacity(words, budget)?;
    list.resize(words, word)?;
    Ok(list)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::solver::Random;

    /// Any grid whose lines have a place each, among them long diagonals: every rectangle takes what a plain
    /// set says.
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
