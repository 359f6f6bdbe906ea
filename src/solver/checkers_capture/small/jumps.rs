//! The jumps that are left to one piece of a half grid, and what their parities tell.

/// What can still be captured by one piece: the opponent pieces' cells between two empty squares. The two sets
/// have no cell in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Jumps {
    /// Columns of the half grid.
    pub stride: u32,
    /// From the upper left to the lower right corner, and back.
    pub falling: u64,
    /// From the upper right to the lower left corner, and back.
    pub rising: u64,
}

/// A jump: the cell it goes over, in one of the two sets, and the square it leads to.
#[derive(Clone, Copy)]
pub struct Jump {
    falling: u64,
    rising: u64,
    /// The square.
    pub to: u64,
}

impl Jumps {
    /// The jumps from the square `at`.
    #[inline]
    pub fn from(self, at: u64) -> impl Iterator<Item = Jump> {
        let Self { stride, falling, rising } = self;
        let (up_left, left, up) = (at >> (stride + 1), at >> 1, at >> stride);
        [
            Jump { falling: falling & up_left, rising: 0, to: up_left },
            Jump { falling: 0, rising: rising & up, to: up << 1 },
            Jump { falling: 0, rising: rising & left, to: left << stride },
            Jump { falling: falling & at, rising: 0, to: at << (stride + 1) },
        ]
        .into_iter()
        .filter(|jump| jump.falling | jump.rising != 0)
    }

    /// What is left behind a jump.
    #[must_use]
    pub fn without(self, jump: Jump) -> Self {
        Self { falling: self.falling ^ jump.falling, rising: self.rising ^ jump.rising, ..self }
    }

    /// The most captures from `at`. Meaningless once no steps are left.
    pub fn longest(self, at: u64, steps: &mut u32) -> u32 {
        let mut best = 0;
        for jump in self.from(at) {
            if *steps == 0 {
                break;
            }
            *steps -= 1;
            best = best.max(1 + self.without(jump).longest(jump.to, steps));
        }
        best
    }

    /// The cells whichever way they are jumped over.
    #[must_use]
    pub fn cells(self) -> u64 {
        self.falling | self.rising
    }

    /// The jumps that a piece on `at` may come to, as far as single jumps lead.
    #[must_use]
    pub fn reached_from(self, at: u64) -> Self {
        let Self { stride, falling, rising } = self;
        let mut squares = at;
        loop {
            let from_upper_left = (squares & falling) << (stride + 1);
            let from_lower_right = squares >> (stride + 1) & falling;
            let from_upper_right = (squares >> 1 & rising) << stride;
            let from_lower_left = (squares >> stride & rising) << 1;
            let wider = squares | from_upper_left | from_lower_right | from_upper_right | from_lower_left;
            if wider == squares {
                return Self { stride, falling: falling & squares, rising: rising & squares >> 1 };
            }
            squares = wider;
        }
    }

    /// Without the branches that do not come back, however long; and how long the longest of them was. What
    /// leads from `at` to the rest is no such branch.
    #[must_use]
    pub fn without_branches(self, at: u64) -> (Self, usize) {
        let Self { stride, mut falling, mut rising } = self;
        let mut length = 0;
        loop {
            let [a, b, c, d] = [falling, falling << (stride + 1), rising << 1, rising << stride];
            // Squares with one jump: an odd number, but not three.
            let leaves = (a ^ b ^ c ^ d) & !(a & b | c & d) & !at;
            if leaves == 0 {
                return (Self { stride, falling, rising }, length);
            }
            falling &= !(leaves | leaves >> (stride + 1));
            rising &= !(leaves >> 1 | leaves >> stride);
            length += 1;
        }
    }

    /// The squares from which an odd number of jumps leads.
    #[must_use]
    pub fn odd_squares(self) -> u64 {
        let Self { stride, falling, rising } = self;
        falling ^ falling << (stride + 1) ^ rising << 1 ^ rising << stride
    }

    /// The squares one jump from any of `squares`.
    #[must_use]
    pub fn neighbours(self, squares: u64) -> u64 {
        let Self { stride, falling, rising } = self;
        (squares & falling) << (stride + 1)
            | squares >> (stride + 1) & falling
            | (squares >> 1 & rising) << stride
            | (squares >> stride & rising) << 1
    }
}
