//! The unclaimed squares of a walk, in near-linear time for all jumps together.
//!
//! A walk of S ends on the squares at Manhattan distance at most S whose distance has the parity of S. In the
//! coordinates s = row + column and t = row − column that is |Δs| ≤ S and |Δt| ≤ S: an axis-parallel square.
//! The parity of the distance is that of Δs, and t has the parity of s, so the board falls into two classes,
//! and a jump looks into one of them. Within a class s and t go in steps of two; the lines of constant s are
//! numbered i, and the places on them j.
//!
//! Over the lines of a class stands a binary tree. A node covers a run of lines, and keeps one bit for every
//! j: whether any of its lines still has an unclaimed square there. A jump splits its range of i into
//! O(log(N + M)) nodes, and in each asks for the next bit within its range of j. What it finds it follows down
//! to a square, whose removal clears the bits above as far as they have become untrue. So the numbers on the
//! board cost nothing, every square is paid once with O(log(N + M)), and every jump costs as much besides.
//!
//! A node keeps bits only for the j that occur in it, which halves in sum from one height to the next: about
//! two bits a square in all. On a narrow board the nodes themselves weigh more, 32 bytes for each of the
//! N + M lines.

use super::bits::Bits;
use super::pace::Pace;
use super::unclaimed::Unclaimed;
use crate::board::jump::Board;
use crate::solver::Stop;

/// A run of lines: which j occur in it, and where the bits of these stand.
#[derive(Debug, Clone, Copy)]
struct Node {
    /// Smallest j.
    first: u32,
    /// Largest j; there always is one.
    last: u32,
    /// The bit of `first`.
    bit: u64,
}

impl Node {
    fn bit_of(&self, j: u32) -> Option<usize> {
        (self.first <= j && j <= self.last).then(|| self.bit as usize + (j - self.first) as usize)
    }
}

/// The squares whose row + column has one parity.
#[derive(Debug, Default)]
struct Class {
    /// The parity of s.
    parity: u32,
    /// The parity of t.
    t_parity: u32,
    /// `heights[h][x]` covers the lines from x·2^h to (x + 1)·2^h, as far as there are such; the last height
    /// has one node.
    heights: Vec<Vec<Node>>,
}

/// A square in the coordinates of its class.
#[derive(Debug, Clone, Copy)]
struct Point {
    class: usize,
    i: u32,
    j: u32,
}

impl Point {
    fn new(board: &Board, square: u32) -> Self {
        let (row, column) = board.position(square);
        let s = row + column;
        Self { class: (s % 2) as usize, i: s / 2, j: (row + board.columns() - 1 - column) / 2 }
    }
}

/// The unclaimed squares, by class, line and place.
#[derive(Debug)]
pub(super) struct Diagonals {
    classes: [Class; 2],
    bits: Bits,
}

impl Unclaimed for Diagonals {
    fn new(board: &Board, pace: &mut Pace<'_>) -> Result<Self, Stop> {
        // Twice as many nodes as lines, and one more at every height for the odd ones.
        let lines = u64::from(board.rows()) + u64::from(board.columns());
        pace.budget().charge((2 * lines + 128) * size_of::<Node>() as u64)?;
        let mut bits = 0;
        let even = Class::new(board, 0, &mut bits, pace)?;
        let odd = Class::new(board, 1, &mut bits, pace)?;
        pace.budget().charge(Bits::bytes(bits))?;
        Ok(Self { classes: [even, odd], bits: Bits::new(bits as usize) })
    }

    fn fill(&mut self, board: &Board, pace: &mut Pace<'_>, keep: impl Fn(u32) -> bool) -> Result<(), Stop> {
        self.bits.clear();
        for square in 0..board.squares() as u32 {
            pace.count(1)?;
            if keep(square) {
                let point = Point::new(board, square);
                self.set(point.class, 0, point.i, point.j);
            }
        }
        for class in 0..self.classes.len() {
            for height in 1..self.classes[class].heights.len() {
                self.fill_height(class, height, pace)?;
            }
        }
        Ok(())
    }

    fn remove(&mut self, board: &Board, square: u32) -> bool {
        let point = Point::new(board, square);
        let there = self.has(point.class, 0, point.i, point.j);
        if there {
            self.remove_point(point);
        }
        there
    }

    fn take_in_reach<E>(
        &mut self,
        board: &Board,
        from: u32,
        mut each: impl FnMut(u32) -> Result<(), E>,
    ) -> Result<(), E> {
        let value = board.value(from);
        if value == 0 {
            return Ok(());
        }
        let (row, column) = board.position(from);
        let farthest = board.rows() + board.columns() - 2;
        let (s, t) = (row + column, row + board.columns() - 1 - column);
        // No two squares are farther apart than `farthest`; the parity stays that of the whole number.
        let radius = u32::try_from(value).unwrap_or(u32::MAX).min(farthest);
        let class = ((u64::from(s) ^ value) & 1) as usize;
        let Class { parity, t_parity, .. } = self.classes[class];
        let lines = steps(s.saturating_sub(radius), farthest.min(s + radius), parity);
        let places = steps(t.saturating_sub(radius), farthest.min(t + radius), t_parity);
        let (Some(lines), Some(places)) = (lines, places) else { return Ok(()) };
        // The usual climb from both ends of the range: a node whose sibling is outside stands for itself.
        let (mut left, mut right, mut height) = (lines.0, lines.1 + 1, 0);
        while left < right {
            if left % 2 == 1 {
                self.take_in_node(board, class, (height, left), places, &mut each)?;
                left += 1;
            }
            if right % 2 == 1 {
                right -= 1;
                self.take_in_node(board, class, (height, right), places, &mut each)?;
            }
            (left, right, height) = (left / 2, right / 2, height + 1);
        }
        Ok(())
    }
}

impl Diagonals {
    /// Takes out all points of a node (height and number) whose j lies in `places`.
    fn take_in_node<E>(
        &mut self,
        board: &Board,
        class: usize,
        (height, x): (usize, u32),
        places: (u32, u32),
        each: &mut impl FnMut(u32) -> Result<(), E>,
    ) -> Result<(), E> {
        let node = self.classes[class].heights[height][x as usize];
        let (from, to) = (places.0.max(node.first), places.1.min(node.last));
        let (Some(mut from), Some(to)) = (node.bit_of(from), node.bit_of(to)) else { return Ok(()) };
        while let Some(bit) = self.bits.first_in(from, to) {
            from = bit;
            let j = node.first + (bit - node.bit as usize) as u32;
            let mut i = x;
            for below in (0..height).rev() {
                // One of the two children has it, or the bit would not be set.
                i = if self.has(class, below, 2 * i, j) { 2 * i } else { 2 * i + 1 };
            }
            let point = Point { class, i, j };
            self.remove_point(point);
            each(self.square(board, point))?;
        }
        Ok(())
    }

    /// Takes one point out, and out of the nodes above that have no other with its j.
    fn remove_point(&mut self, Point { class, mut i, j }: Point) {
        for height in 0..self.classes[class].heights.len() {
            let Some(bit) = self.bit(class, height, i, j) else { return };
            self.bits.remove(bit);
            if self.has(class, height, i ^ 1, j) {
                return;
            }
            i /= 2;
        }
    }

    /// Sets the bits of a height that follow from the height below.
    fn fill_height(&mut self, class: usize, height: usize, pace: &mut Pace<'_>) -> Result<(), Stop> {
        for x in 0..self.classes[class].heights[height - 1].len() {
            let node = self.classes[class].heights[height - 1][x];
            for j in node.first..=node.last {
                pace.count(1)?;
                if self.has(class, height - 1, x as u32, j) {
                    self.set(class, height, x as u32 / 2, j);
                }
            }
        }
        Ok(())
    }

    fn bit(&self, class: usize, height: usize, x: u32, j: u32) -> Option<usize> {
        self.classes[class].heights[height].get(x as usize)?.bit_of(j)
    }

    fn has(&self, class: usize, height: usize, x: u32, j: u32) -> bool {
        self.bit(class, height, x, j).is_some_and(|bit| self.bits.contains(bit))
    }

    fn set(&mut self, class: usize, height: usize, x: u32, j: u32) {
        if let Some(bit) = self.bit(class, height, x, j) {
            self.bits.insert(bit);
        }
    }

    fn square(&self, board: &Board, Point { class, i, j }: Point) -> u32 {
        let Class { parity, t_parity, .. } = self.classes[class];
        let (s, t) = (2 * i + parity, 2 * j + t_parity);
        let row = (s + t - (board.columns() - 1)) / 2;
        board.square(row, s - row)
    }
}

impl Class {
    /// The nodes over the lines of one parity; their bits begin at `bits`, which moves behind them.
    fn new(board: &Board, parity: u32, bits: &mut u64, pace: &mut Pace<'_>) -> Result<Self, Stop> {
        let (rows, columns) = (board.rows(), board.columns());
        let mut class = Self { parity, t_parity: (columns - 1 + parity) % 2, heights: Vec::new() };
        let mut node = |first: u32, last: u32| {
            let bit = *bits;
            *bits += u64::from(last - first + 1);
            Node { first, last, bit }
        };
        let mut nodes = Vec::with_capacity((rows + columns - parity) as usize / 2);
        for s in (parity..rows + columns - 1).step_by(2) {
            pace.count(1)?;
            let (row_first, row_last) = (s.saturating_sub(columns - 1), s.min(rows - 1));
            let t = |row: u32| row + columns - 1 - (s - row);
            nodes.push(node(t(row_first) / 2, t(row_last) / 2));
        }
        while nodes.len() > 1 {
            let mut above = Vec::with_capacity(nodes.len().div_ceil(2));
            for pair in nodes.chunks(2) {
                pace.count(1)?;
                let last = pair[pair.len() - 1];
                above.push(node(pair[0].first.min(last.first), pair[0].last.max(last.last)));
            }
            class.heights.push(std::mem::replace(&mut nodes, above));
        }
        class.heights.push(nodes);
        Ok(class)
    }
}

/// The numbers of the steps of two from `low` to `high` that have a parity: k stands for 2k + parity.
fn steps(low: u32, high: u32, parity: u32) -> Option<(u32, u32)> {
    let first = low.saturating_sub(parity).div_ceil(2);
    let last = high.checked_sub(parity)? / 2;
    (first <= last).then_some((first, last))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::jump::Movement;
    use crate::solver::{Budget, Random};

    /// Every jump takes exactly the squares that are there and that the rule reaches.
    #[test]
    fn takes_what_the_rule_reaches() {
        let budget = Budget::unlimited();
        let mut random = Random::new(3);
        for round in 0..600 {
            let (rows, columns) = (random.between(1, 9), random.between(1, 9));
            let (rows, columns) = if round % 5 == 0 { (1, rows * columns) } else { (rows, columns) };
            let mut board = Board::new(rows, columns).unwrap();
            for _ in 0..rows * columns {
                let top = if random.chance(0.1) { u64::MAX } else { 12 };
                board.push(random.below(top));
            }
            let mut pace = Pace::new(&budget).unwrap();
            let mut set = Diagonals::new(&board, &mut pace).unwrap();
            let squares = board.squares() as u32;
            let mut there: Vec<bool> = (0..squares).map(|_| random.chance(0.7)).collect();
            set.fill(&board, &mut pace, |square| there[square as usize]).unwrap();
            while board.squares() > 1 && there.contains(&true) {
                let from = random.below(u64::from(squares)) as u32;
                let mut taken = Vec::new();
                set.take_in_reach::<()>(&board, from, |square| {
                    taken.push(square);
                    Ok(())
                })
                .unwrap();
                taken.sort_unstable();
                let expected: Vec<u32> = (0..squares)
                    .filter(|&to| there[to as usize] && board.reaches(Movement::Walk, from, to))
                    .collect();
                assert_eq!(taken, expected);
                for square in taken {
                    there[square as usize] = false;
                }
                let other = random.below(u64::from(squares)) as u32;
                assert_eq!(set.remove(&board, other), there[other as usize]);
                there[other as usize] = false;
            }
        }
    }

    #[test]
    fn the_nodes_are_charged() {
        for (rows, columns) in [(1, 1), (1, 1000), (1000, 1), (70, 64), (2, 3)] {
            let board = Board::new(rows, columns).unwrap();
            let budget = Budget::new(None, None, u64::MAX, crate::solver::Cancel::default());
            let set = Diagonals::new(&board, &mut Pace::new(&budget).unwrap()).unwrap();
            let nodes: usize = set.classes.iter().flat_map(|class| &class.heights).map(Vec::len).sum();
            assert!(nodes as u64 <= 2 * (rows + columns) + 128);
        }
    }
}
