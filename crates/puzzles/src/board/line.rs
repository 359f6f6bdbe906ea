//! The only definition of how a line of tiles slides.
//!
//! Every tile moves towards the wall as far as it can. Two equal tiles that meet become one of the next rank, those
//! nearest the wall first. A tile made by a merge does not merge again in the same slide. A line is a row or a column
//! read from the wall outwards, so one rule serves all four directions and any size.
//!
//! The board of any size ([`super::sliding`]) moves its lines by this rule, and the tables of all rows
//! ([`super::packed`]) are made by it. [`super::lane`] moves many tiles at once by other code, which tests check
//! against this rule.

/// A line during a slide. The caller pushes its tiles one by one, from the wall outwards.
///
/// ```
/// use tabuleiro_puzzles::board::line::Line;
///
/// // 2 2 2 4 towards the left: the first two merge, the others close up.
/// let mut line = Line::new(u8::MAX);
/// let slid = [1, 1, 1, 2].map(|rank| line.push(rank).map(|landing| (landing.square, landing.rank)));
/// assert_eq!(slid, [Some((0, 1)), Some((0, 2)), Some((1, 1)), Some((2, 2))]);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Line {
    rank_max: u8,
    /// Number of squares filled so far.
    pub filled: usize,
    /// The rank of the outermost tile while another tile can merge with it, otherwise 0.
    open: u8,
}

/// Where a tile ends up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Landing {
    /// Number of squares from the wall.
    pub square: usize,
    /// The rank on that square now: the rank of the tile, or the next one after a merge.
    pub rank: u8,
    /// Whether the tile merged with an equal one.
    pub merged: bool,
}

impl Line {
    /// Creates an empty line. Tiles of `rank_max` stay unmerged, because a square cannot hold the next rank.
    pub fn new(rank_max: u8) -> Self {
        Self { rank_max, filled: 0, open: 0 }
    }

    /// Slides the tile of the line's next square, counted from the wall. Returns `None` for an empty square, rank 0.
    #[inline]
    pub fn push(&mut self, rank: u8) -> Option<Landing> {
        if rank == 0 {
            return None;
        }
        if rank == self.open && rank < self.rank_max {
            self.open = 0;
            return Some(Landing { square: self.filled - 1, rank: rank + 1, merged: true });
        }
        self.open = rank;
        self.filled += 1;
        Some(Landing { square: self.filled - 1, rank, merged: false })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slid<const N: usize>(squares: [u8; N], rank_max: u8) -> [u8; N] {
        let (mut line, mut slid) = (Line::new(rank_max), [0; N]);
        for rank in squares {
            if let Some(landing) = line.push(rank) {
                slid[landing.square] = landing.rank;
            }
        }
        slid
    }

    #[test]
    fn lines_of_the_pages() {
        assert_eq!(slid([1, 1, 1, 0], 255), [2, 1, 0, 0]);
        assert_eq!(slid([0, 1, 0, 1], 255), [2, 0, 0, 0]);
        assert_eq!(slid([1, 1, 1, 1], 255), [2, 2, 0, 0]);
        assert_eq!(slid([1, 1, 2, 3], 255), [2, 2, 3, 0]);
        assert_eq!(slid([2, 1, 1, 1], 255), [2, 2, 1, 0]);
        assert_eq!(slid([0; 0], 255), [0; 0]);
    }

    #[test]
    fn what_a_square_cannot_hold_is_not_made() {
        assert_eq!(slid([15, 0, 15, 14, 14], 15), [15, 15, 15, 0, 0]);
        assert_eq!(slid([15, 0, 15, 14, 14], 16), [16, 15, 0, 0, 0]);
        assert_eq!(slid([255, 255, 255], 255), [255, 255, 255]);
    }
}
