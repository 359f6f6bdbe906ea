//! How a line of tiles slides: the one place that says so.
//!
//! Every tile goes as far towards the wall as it can. Two equal tiles that meet become one of the next rank, those
//! nearest the wall first, and a tile made by a merge does not merge again in the same slide. A line is a row
//! or a column read from the wall outwards, so that this serves all four directions and any size.
//!
//! The board of any size ([`super::sliding`]) moves its lines by it, the tables of all rows ([`super::packed`])
//! are made by it. What moves many tiles at once ([`super::lane`]) goes about it another way and
//! is checked against it.

/// A line that is being slid: its tiles are pushed one by one, from the wall outwards.
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
    filled: usize,
    /// The rank of the outermost tile while another may merge with it, else 0.
    open: u8,
}

/// Where a tile comes to rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Landing {
    /// Squares from the wall.
    pub square: usize,
    /// What stands there now: the rank of the tile, or the next one where it met its equal.
    pub rank: u8,
    /// It met its equal.
    pub merged: bool,
}

impl Line {
    /// An empty line. Two tiles of `rank_max` lie side by side unmerged: what a square cannot hold is not made.
    #[must_use]
    pub fn new(rank_max: u8) -> Self {
        Self { rank_max, filled: 0, open: 0 }
    }

    /// Slides the tile of the next square of the line, counted from the wall; `None` if `rank` is 0, for empty.
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

    /// Squares taken so far.
    #[must_use]
    pub fn filled(&self) -> usize {
        self.filled
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
