//! Positions up to all that does not matter: without empty rows and columns, the same for all eight
//! symmetries, and packed into a few bytes.
//!
//! What a slide does depends on the order of the tiles in each lane and on the order of the lanes, never on
//! how many empty squares lie between. Dropping every empty row and column therefore loses nothing: sliding
//! and then dropping gives the same as dropping, sliding and dropping again. It joins many positions into one
//! (a block of tiles and the same block elsewhere), and boards of any size with few tiles become small. As a
//! slide neither makes rows or columns, nor fills more of them than the longest lane has tiles, a position
//! never grows again.
//!
//! Of the eight symmetric images the first in lexicographic order, no wider than high turned to no higher
//! than wide, stands for all.

use crate::board::line::Line;
use crate::board::sliding::{Direction, RANK_MAX, SlidingBoard};

/// A rectangle of ranks, row by row; 0 is empty.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Grid {
    rows: usize,
    columns: usize,
    ranks: Vec<u8>,
}

/// A way to read a grid: turned, mirrored, or along the lanes of a slide.
#[derive(Debug, Clone, Copy)]
struct View {
    rows: usize,
    columns: usize,
    start: usize,
    row_step: isize,
    column_step: isize,
}

impl View {
    fn at(self, row: usize, column: usize) -> usize {
        self.start
            .wrapping_add_signed(self.row_step * row.cast_signed() + self.column_step * column.cast_signed())
    }

    fn indices(self) -> impl Iterator<Item = usize> {
        (0..self.rows).flat_map(move |row| (0..self.columns).map(move |column| self.at(row, column)))
    }
}

impl Grid {
    /// The whole board, empty rows and columns included.
    pub(super) fn of(board: &SlidingBoard) -> Self {
        Self { rows: board.size(), columns: board.size(), ranks: board.ranks().to_vec() }
    }

    /// The board without its empty rows and columns.
    pub(super) fn compact(board: &SlidingBoard) -> Self {
        let (size, ranks) = (board.size(), board.ranks());
        let mut columns = vec![false; size];
        for row in ranks.chunks(size.max(1)) {
            for (column, &rank) in columns.iter_mut().zip(row) {
                *column |= rank != 0;
            }
        }
        let mut grid =
            Self { rows: 0, columns: columns.iter().filter(|&&used| used).count(), ranks: Vec::new() };
        for row in ranks.chunks(size.max(1)).filter(|row| row.iter().any(|&rank| rank != 0)) {
            grid.rows += 1;
            grid.ranks.extend(row.iter().zip(&columns).filter(|&(_, &used)| used).map(|(&rank, _)| rank));
        }
        grid
    }

    /// Squares, empty ones included.
    pub(super) fn area(&self) -> usize {
        self.ranks.len()
    }

    /// Rows and columns.
    pub(super) fn sides(&self) -> (usize, usize) {
        (self.rows, self.columns)
    }

    /// The ranks, row by row.
    pub(super) fn ranks(&self) -> &[u8] {
        &self.ranks
    }

    /// Whether one tile is left; of a grid without empty rows and columns.
    pub(super) fn is_merged(&self) -> bool {
        self.ranks.len() <= 1
    }

    /// Makes `self` what a slide of `grid`, which has no empty rows and columns, gives. Lanes become rows and
    /// the wall is on their left, whatever the direction: the image of the true position under a symmetry.
    pub(super) fn set_to_slide_of(&mut self, grid: &Self, direction: Direction) {
        let view = grid.lanes(direction);
        self.ranks.clear();
        self.ranks.resize(view.rows * view.columns, 0);
        self.rows = view.rows;
        self.columns = 0;
        for lane in 0..view.rows {
            let out = &mut self.ranks[lane * view.columns..][..view.columns];
            let mut line = Line::new(RANK_MAX);
            for column in 0..view.columns {
                if let Some(landing) = line.push(grid.ranks[view.at(lane, column)]) {
                    out[landing.square] = landing.rank;
                }
            }
            self.columns = self.columns.max(line.filled());
        }
        // Narrow the rows to the longest one.
        for lane in 1..self.rows {
            let from = lane * view.columns;
            self.ranks.copy_within(from..from + self.columns, lane * self.columns);
        }
        self.ranks.truncate(self.rows * self.columns);
    }

    /// Calls `on_merge` with the rank of both tiles of every pair that a slide in `direction` merges. The
    /// opposite direction merges the same numbers of pairs of each rank.
    pub(super) fn for_each_merge(&self, direction: Direction, mut on_merge: impl FnMut(u8)) {
        let view = self.lanes(direction);
        for lane in 0..view.rows {
            let mut line = Line::new(RANK_MAX);
            for column in 0..view.columns {
                let rank = self.ranks[view.at(lane, column)];
                if line.push(rank).is_some_and(|landing| landing.merged) {
                    on_merge(rank);
                }
            }
        }
    }

    /// Makes `key` the packed canonical form: rows, columns, then `rank_bits` bits a square.
    pub(super) fn pack(&self, rank_bits: u32, key: &mut Vec<u8>) {
        let view = self.canonical();
        key.clear();
        push_varint(view.rows, key);
        push_varint(view.columns, key);
        let (mut word, mut bits) = (0_u32, 0);
        for index in view.indices() {
            word |= u32::from(self.ranks[index]) << bits;
            bits += rank_bits;
            while bits >= 8 {
                key.push(word as u8);
                word >>= 8;
                bits -= 8;
            }
        }
        if bits > 0 {
            key.push(word as u8);
        }
    }

    /// Makes `self` the position that [`pack`](Self::pack) made `key` of.
    pub(super) fn unpack(&mut self, rank_bits: u32, mut key: &[u8]) {
        self.rows = take_varint(&mut key);
        self.columns = take_varint(&mut key);
        self.ranks.clear();
        let (mut word, mut bits) = (0_u32, 0);
        let mask = (1 << rank_bits) - 1;
        for _ in 0..self.rows * self.columns {
            while bits < rank_bits {
                word |= u32::from(key.first().copied().unwrap_or(0)) << bits;
                key = key.get(1..).unwrap_or(&[]);
                bits += 8;
            }
            self.ranks.push((word & mask) as u8);
            word >>= rank_bits;
            bits -= rank_bits;
        }
    }

    /// The view that gives the image standing for all eight.
    fn canonical(&self) -> View {
        let mut best = self.view(self.rows > self.columns, false, false);
        for turned in [false, true] {
            if if turned { self.columns > self.rows } else { self.rows > self.columns } {
                continue;
            }
            for (flip_rows, flip_columns) in [(false, false), (false, true), (true, false), (true, true)] {
                let view = self.view(turned, flip_rows, flip_columns);
                let ranks = |view: View| view.indices().map(|index| self.ranks[index]);
                if ranks(view).lt(ranks(best)) {
                    best = view;
                }
            }
        }
        best
    }

    /// The view whose rows are the lanes of a slide, from the wall outwards.
    fn lanes(&self, direction: Direction) -> View {
        match direction {
            Direction::Left => self.view(false, false, false),
            Direction::Right => self.view(false, false, true),
            Direction::Up => self.view(true, false, false),
            Direction::Down => self.view(true, true, false),
        }
    }

    fn view(&self, turned: bool, flip_rows: bool, flip_columns: bool) -> View {
        let (rows, columns) = (self.rows, self.columns);
        let (mut start, mut row_step, mut column_step) = (0, columns.cast_signed(), 1);
        if flip_rows {
            start += rows.saturating_sub(1) * columns;
            row_step = -row_step;
        }
        if flip_columns {
            start += columns.saturating_sub(1);
            column_step = -column_step;
        }
        if turned {
            View { rows: columns, columns: rows, start, row_step: column_step, column_step: row_step }
        } else {
            View { rows, columns, start, row_step, column_step }
        }
    }
}

/// Seven bits a byte, the lowest first, the highest bit set where more follow (LEB128).
fn push_varint(mut value: usize, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn take_varint(bytes: &mut &[u8]) -> usize {
    let mut value = 0;
    let mut shift = 0;
    while let Some((&byte, rest)) = bytes.split_first() {
        *bytes = rest;
        value |= usize::from(byte & 0x7f) << shift;
        shift += 7;
        if byte < 0x80 {
            break;
        }
    }
    value
}

#[cfg(test)]
#[path = "grid_tests.rs"]
mod tests;
