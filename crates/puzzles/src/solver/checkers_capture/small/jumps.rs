//! The jumps that are left to one piece of a half grid, and the longest way over them.

/// What can still be captured by one piece: the opponent pieces' cells between two empty squares. The two sets
/// have no cell in common.
#[derive(Debug, Clone, Copy)]
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
struct Jump {
    falling: u64,
    rising: u64,
    /// The square.
    to: u64,
}

impl Jumps {
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

    /// The squares of a longest way from `at`, which has so many captures.
    pub fn longest_path(mut self, mut at: u64, captures: u32) -> Vec<u64> {
        let mut path = vec![at];
        // The way was found within few steps, so each end of it is found within as many.
        let mut steps = u32::MAX;
        for left in (0..captures).rev() {
            let goes_on = |jump: &Jump| self.without(*jump).longest(jump.to, &mut steps) == left;
            let Some(jump) = self.from(at).find(goes_on) else { break };
            (self, at) = (self.without(jump), jump.to);
            path.push(at);
        }
        path
    }

    /// The jumps from the square `at`.
    #[inline]
    fn from(self, at: u64) -> impl Iterator<Item = Jump> {
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
    fn without(self, jump: Jump) -> Self {
        Self { falling: self.falling ^ jump.falling, rising: self.rising ^ jump.rising, ..self }
    }
}
