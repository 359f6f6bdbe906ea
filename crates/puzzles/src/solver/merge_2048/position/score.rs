//! How promising a position seems: a guess of what is left to do, for searches that keep the best only.
//!
//! The bound says how many rounds of merging are left where position does not matter; the rest is about position. Fewer tiles
//! are better, above all if the next slide makes them fewer. So are equal tiles with one or two others between them,
//! which a slide or two may bring together, and a position without gaps. The weights were found by trial on
//! generated boards of 10 × 10 with 90 tiles and 16 × 16 with 256. No answer depends on them.

/// What a score is made of, one line of a position after the other.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Look {
    tiles: i64,
    /// Merges of a slide along the rows, and along the columns.
    merges: [i64; 2],
    /// Equal tiles with one other between them.
    near: i64,
    /// Equal tiles with two others between them.
    far: i64,
}

impl Look {
    /// Looks at a line along the axis of that index: the ranks of its tiles in their order.
    #[inline]
    pub fn add_line(&mut self, axis: usize, ranks: impl Iterator<Item = u8>) {
        // The three tiles before, the last first, and whether the last one merges with the one before it.
        let (mut before, mut merged) = ([0; 3], false);
        for rank in ranks {
            self.tiles += i64::from(axis == 0);
            merged = rank == before[0] && !merged;
            self.merges[axis] += i64::from(merged);
            if rank != before[0] {
                self.near += i64::from(rank == before[1]);
                self.far += i64::from(rank == before[2] && rank != before[1]);
            }
            before = [rank, before[0], before[1]];
        }
    }

    /// The score of a position with so many squares, the lower the better.
    #[inline]
    pub fn score(&self, bound: u32, squares: usize) -> i64 {
        let [rows, columns] = self.merges;
        let (most, least) = (rows.max(columns), rows.min(columns));
        let gaps = squares as i64 - self.tiles;
        40 * i64::from(bound) + 10 * (self.tiles - most) - 5 * (least + self.near) - 2 * self.far + 3 * gaps
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_looked_at() {
        let mut look = Look::default();
        look.add_line(0, [1, 1, 1, 1, 1].into_iter());
        look.add_line(0, [1, 2, 1, 3, 4, 1].into_iter());
        look.add_line(1, [2, 2, 3, 2].into_iter());
        assert_eq!(look, Look { tiles: 11, merges: [2, 1], near: 2, far: 1 });
        assert_eq!(look.score(3, 13), 120 + 90 - 15 - 2 + 6);
    }
}
