//! The unclaimed squares for walks.
//!
//! A walk of S steps ends on the squares at Manhattan distance at most S whose distance has the parity of S. In the
//! coordinates s = row + column and t = row − column this is |Δs| ≤ S and |Δt| ≤ S: an axis-parallel square. The
//! distance has the parity of Δs, and t has the parity of s. So the board falls into two classes, and a jump only
//! searches one of them. Within a class, s and t go in steps of two. The squares of one s are a *line*, and t gives the
//! *place* on it; both are numbered without gaps. [`Tiles`] takes the remaining squares out of a rectangle of lines and
//! places. A jump into a class with no square left costs nothing. The code adds columns − 1 to t, which keeps it
//! from being negative.

use super::super::jump_options::Movement;
use super::tile_set::{Rectangle, Tiles};
use super::unclaimed::{Claims, Jump, Unclaimed};
use crate::board::jump::Board;
use crate::solver::{Pace, Stop};

/// The unclaimed squares of both classes.
#[derive(Debug)]
pub(super) struct Diagonals<'b> {
    shape: Shape,
    /// One set for each parity of s.
    classes: [Tiles<'b>; 2],
}

/// The size of the board, which defines the lines.
#[derive(Debug, Clone, Copy)]
struct Shape {
    rows: u32,
    columns: u32,
}

impl<'b> Unclaimed<'b> for Diagonals<'b> {
    fn new(board: &Board, _movement: Movement, pace: &mut Pace<'b>) -> Result<Self, Stop> {
        let shape = Shape { rows: board.rows(), columns: board.columns() };
        let mut class = |parity| Tiles::new(shape.lines(parity), |line| shape.places(parity, line), pace);
        Ok(Self { shape, classes: [class(0)?, class(1)?] })
    }

    fn fill(&mut self, pace: &mut Pace<'_>) -> Result<(), Stop> {
        for (parity, class) in (0..).zip(&mut self.classes) {
            class.fill(self.shape.lines(parity), |line| self.shape.places(parity, line), pace)?;
        }
        Ok(())
    }

    fn remove(&mut self, board: &Board, square: u32) -> bool {
        let (parity, line, place) = self.shape.point(board, square);
        self.classes[parity].remove(line, place)
    }

    fn take_in_reach(
        &mut self,
        board: &Board,
        jump: Jump,
        claims: &mut Claims<'_>,
        pace: &mut Pace<'_>,
    ) -> Result<(), Stop> {
        let Shape { columns, .. } = self.shape;
        let (row, column) = board.position(jump.square);
        let (s, t) = (row + column, row + columns - 1 - column);
        let parity = (s ^ jump.length) % 2;
        let class = &mut self.classes[parity as usize];
        if class.is_empty() {
            return Ok(());
        }
        let (farthest, t_parity) = (Movement::Walk.longest(board), self.shape.t_parity(parity));
        let ends = |middle: u32, parity: u32| {
            let high = farthest.min(middle.saturating_add(jump.length));
            steps(middle.saturating_sub(jump.length), high, parity)
        };
        let (Some(lines), Some(places)) = (ends(s, parity), ends(t, t_parity)) else { return Ok(()) };
        class.take(Rectangle { lines, places }, pace, |line, place, bits| {
            let first = self.shape.square(parity, line, place);
            let mut left = bits;
            while left != 0 {
                let bit = left.trailing_zeros();
                // From one line to the next, a square moves down and right; from one place to the next, down and left.
                let along = (bit / 8).wrapping_mul(columns + 1).wrapping_add((bit % 8) * (columns - 1));
                claims.push(first.wrapping_add(along), jump.claim)?;
                left &= left - 1;
            }
            Ok(())
        })
    }
}

impl Shape {
    /// Returns the number of lines in a class.
    fn lines(self, parity: u32) -> u32 {
        (self.rows + self.columns - parity) / 2
    }

    /// Returns the first and the last place on a line.
    fn places(self, parity: u32, line: u32) -> (u32, u32) {
        let s = 2 * line + parity;
        let t = |row: u32| row + self.columns - 1 - (s - row);
        (t(s.saturating_sub(self.columns - 1)) / 2, t(s.min(self.rows - 1)) / 2)
    }

    /// Returns the parity of t in a class.
    fn t_parity(self, parity: u32) -> u32 {
        (self.columns - 1 + parity) % 2
    }

    /// Returns the class, line and place of a square.
    fn point(self, board: &Board, square: u32) -> (usize, u32, u32) {
        let (row, column) = board.position(square);
        let s = row + column;
        ((s % 2) as usize, s / 2, (row + self.columns - 1 - column) / 2)
    }

    /// Returns the square of a point, modulo 2³²: the first point of a tile can lie outside the board.
    fn square(self, parity: u32, line: u32, place: u32) -> u32 {
        let (s, t) = (2 * line + parity, 2 * place + self.t_parity(parity));
        // On the board s + t is at least columns − 1 and has its parity; outside it can be less.
        let twice_row = u64::from(s).wrapping_add(u64::from(t)).wrapping_sub(u64::from(self.columns - 1));
        let row = (twice_row.cast_signed() >> 1).cast_unsigned() as u32;
        row.wrapping_mul(self.columns).wrapping_add(s).wrapping_sub(row)
    }
}

/// Returns the first and last k for which 2k + `parity` lies between `low` and `high`.
fn steps(low: u32, high: u32, parity: u32) -> Option<(u32, u32)> {
    let first = low.saturating_sub(parity).div_ceil(2);
    let last = high.checked_sub(parity)? / 2;
    (first <= last).then_some((first, last))
}

#[cfg(test)]
mod tests {
    use super::super::unclaimed::Flags;
    use super::*;
    use crate::solver::{Budget, Cancel, Random};

    /// Checks that every jump takes exactly the remaining squares that the rule reaches.
    fn takes_what_the_rule_reaches<'b, U: Unclaimed<'b>>(movement: Movement, budget: &'b Budget) {
        let mut random = Random::new(3);
        for round in 0..600 {
            let side = if round < 550 { 9 } else { 90 };
            let (rows, columns) = (random.between(1, side), random.between(1, side));
            let (rows, columns) = if round % 5 == 0 { (1, rows * columns) } else { (rows, columns) };
            let board = Board::new(rows, columns).unwrap();
            let mut pace = Pace::new(budget);
            let mut set = U::new(&board, movement, &mut pace).unwrap();
            let squares = board.squares() as u32;
            let density = if round % 2 == 0 { 1.0 } else { 0.7 };
            let mut there: Vec<bool> = (0..squares).map(|_| random.chance(density)).collect();
            set.fill(&mut pace).unwrap();
            for square in (0..squares).filter(|&square| !there[square as usize]) {
                assert!(set.remove(&board, square));
            }
            let longest = movement.longest(&board) + 2;
            for _ in 0..2 * squares.min(50) {
                let square = random.below(u64::from(squares)) as u32;
                let length = random.between(1, u64::from(longest).max(1)) as u32;
                let mut claims = Claims::new(0, budget).unwrap();
                set.take_in_reach(&board, Jump { square, length, claim: 7 }, &mut claims, &mut pace).unwrap();
                let mut taken = claims.squares.to_vec();
                taken.sort_unstable();
                let reached = |&to: &u32| movement.leads(&board, u64::from(length), square, to);
                let expected: Vec<u32> =
                    (0..squares).filter(reached).filter(|&to| there[to as usize]).collect();
                assert_eq!(taken, expected, "{rows} x {columns}: {length} from {square}");
                assert!(
                    (0..claims.squares.len())
                        .all(|claim| claims.parent(claim) == Some(7).filter(|_| claim != 7))
                );
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
    fn a_walk_takes_what_the_rule_reaches() {
        takes_what_the_rule_reaches::<Diagonals<'_>>(Movement::Walk, &Budget::unlimited());
    }

    #[test]
    fn a_straight_jump_takes_what_the_rule_reaches() {
        takes_what_the_rule_reaches::<Flags<'_>>(Movement::Straight, &Budget::unlimited());
    }

    #[test]
    fn the_published_search_takes_what_the_rule_reaches() {
        takes_what_the_rule_reaches::<Flags<'_>>(Movement::Walk, &Budget::unlimited());
    }

    /// On large boards the unclaimed squares take a few bits each, on the narrowest boards a few bytes.
    #[test]
    fn tiles_are_small() {
        for (rows, columns, bytes_max) in
            [(1, 1_000_000, 8), (1_000_000, 1, 8), (2, 500_000, 8), (1000, 1000, 1), (3000, 400, 1)]
        {
            let board = Board::new(rows, columns).unwrap();
            let memory = rows * columns * bytes_max;
            let budget = Budget::new(None, None, memory, Cancel::default());
            assert!(
                Diagonals::new(&board, Movement::Walk, &mut Pace::new(&budget)).is_ok(),
                "{rows} x {columns}"
            );
        }
    }
}
