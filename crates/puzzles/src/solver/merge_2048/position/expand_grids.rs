//! Positions made from positions of any size, a byte a square: see [`super::grid`].

use super::estimates::{Look, rounds};
use super::expand::{Axes, Expand};
use super::grid::{Empty, Grid};
use crate::board::sliding::{Direction, SlidingBoard};
use crate::solver::merge_2048::task::SQUARES_PER_LOOK;
use crate::solver::{Budget, Charge, Pace, Stop};

/// Makes positions that are grids.
pub struct ExpandGrids<'t> {
    first: &'t SlidingBoard,
    rank_max: u8,
    empty: Empty,
    /// The parents on the way to the current one, the last.
    parents: Vec<Grid>,
    /// For the parents but the first.
    memory: Charge<'t>,
    child: Grid,
    /// What a slide of the child gives.
    grandchild: Grid,
    key: Vec<u8>,
    pace: Pace<'t>,
}

impl<'t> ExpandGrids<'t> {
    /// For the positions that `board` leads to, whose last tile has `rank_max`.
    pub fn new(board: &'t SlidingBoard, rank_max: u8, budget: &'t Budget) -> Self {
        Self {
            first: board,
            rank_max,
            empty: Empty::Dropped,
            parents: Vec::new(),
            memory: Charge::none(budget),
            child: Grid::default(),
            grandchild: Grid::default(),
            key: Vec::new(),
            pace: Pace::every(SQUARES_PER_LOOK, budget),
        }
    }

    /// The same for a plain search: positions are whole boards, and the bound of each is 1.
    pub fn plain(board: &'t SlidingBoard, rank_max: u8, budget: &'t Budget) -> Self {
        Self { empty: Empty::Kept, ..Self::new(board, rank_max, budget) }
    }

    /// Returns the bound of [`super::estimates`] for the child.
    fn bound(&mut self) -> Result<u32, Stop> {
        let (mut tiles, mut counts) = (0, vec![0; usize::from(self.rank_max) + 1]);
        for part in self.child.ranks().chunks(SQUARES_PER_LOOK) {
            self.pace.count(part.len())?;
            for &rank in part.iter().filter(|&&rank| rank != 0) {
                counts[usize::from(rank)] += 1;
                tiles += 1;
            }
        }
        if tiles <= 1 || self.empty == Empty::Kept {
            return Ok(u32::from(tiles > 1));
        }
        let mut behind = u32::MAX;
        for direction in [Direction::Left, Direction::Up] {
            let mut next = counts.clone();
            let on_merge = |rank| {
                next[usize::from(rank)] += 1;
                next[usize::from(rank) - 1] -= 2;
            };
            let pace = &mut self.pace;
            self.grandchild.set_to_slide_of(&self.child, direction, Empty::Kept, pace, on_merge)?;
            behind = behind.min(rounds(&mut next));
        }
        Ok(1 + behind)
    }
}

impl Expand for ExpandGrids<'_> {
    fn begin(&mut self) -> Result<(), Stop> {
        self.parents = vec![Grid::of(self.first)];
        Ok(())
    }

    fn set_parent(&mut self, key: &[u8], _spent: Axes) -> Result<(), Stop> {
        self.parents.truncate(1);
        self.parents[0].unpack(key);
        Ok(())
    }

    fn descend(&mut self) -> Result<(), Stop> {
        self.memory.grow(self.child.ranks().len() as u64)?;
        self.parents.push(std::mem::take(&mut self.child));
        Ok(())
    }

    fn ascend(&mut self) {
        self.child = self.parents.pop().unwrap_or_default();
        self.memory.shrink_to(self.memory.bytes() - self.child.ranks().len() as u64);
    }

    fn another(&self) -> Option<Self> {
        None
    }

    fn slide(&mut self, direction: Direction) -> Result<Option<u32>, Stop> {
        let parent = &self.parents[self.parents.len() - 1];
        let moved = self.child.set_to_slide_of(parent, direction, self.empty, &mut self.pace, |_| {})?;
        if moved { self.bound().map(Some) } else { Ok(None) }
    }

    fn child_key(&mut self) -> Result<(&[u8], Axes), Stop> {
        self.child.pack(&mut self.pace, &mut self.key)?;
        Ok((&self.key, Axes::default()))
    }

    fn child_score(&mut self, bound: u32) -> Result<i64, Stop> {
        let mut look = Look::default();
        for (axis, direction) in [Direction::Left, Direction::Up].into_iter().enumerate() {
            for line in self.child.lanes(direction) {
                let mut squares = 0;
                look.add_line(axis, line.inspect(|_| squares += 1).filter(|&rank| rank != 0));
                self.pace.count(squares)?;
            }
        }
        Ok(look.score(bound, self.child.ranks().len()))
    }

    fn key_behind(&mut self, board: &SlidingBoard, direction: Direction) -> Result<Vec<u8>, Stop> {
        let (mut slid, mut key) = (Grid::default(), Vec::new());
        slid.set_to_slide_of(&Grid::of(board), direction, self.empty, &mut self.pace, |_| {})?;
        slid.pack(&mut self.pace, &mut key)?;
        Ok(key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::merge_2048::generate;
    use crate::solver::{Cancel, Random};

    /// What is searched depth-first takes memory, a board a step, and gives it back.
    #[test]
    fn steps_down_take_memory_and_steps_up_give_it_back() {
        let board = SlidingBoard::new(3, vec![1, 1, 2, 3, 4, 5, 6, 7, 8]);
        let budget = Budget::new(None, None, 1000, Cancel::default());
        let mut expander = ExpandGrids::new(&board, 9, &budget);
        expander.begin().unwrap();
        for _ in 0..3 {
            let mut lefts = vec![budget.memory_bytes_left()];
            for direction in [Direction::Left, Direction::Right, Direction::Left, Direction::Up] {
                if expander.slide(direction).unwrap().is_some() {
                    expander.descend().unwrap();
                    lefts.push(budget.memory_bytes_left());
                }
            }
            assert!(lefts.len() > 2 && lefts.windows(2).all(|pair| pair[0] > pair[1]), "{lefts:?}");
            while lefts.len() > 1 {
                assert_eq!(lefts.pop(), Some(budget.memory_bytes_left()));
                expander.ascend();
            }
            assert_eq!(lefts, [budget.memory_bytes_left()]);
        }
    }

    /// With 0 at the goal this keeps the bound below every true distance.
    #[test]
    fn the_bound_falls_by_one_at_most() {
        let mut random = Random::new(1);
        let budget = Budget::unlimited();
        let mut merges = 0;
        for _ in 0..2000 {
            let size = random.between(2, 6);
            let tiles = random.between(2, size * size);
            let values = generate::case(size * size, tiles, &mut random);
            if !values.iter().sum::<u64>().is_power_of_two() {
                continue;
            }
            let ranks = values.iter().map(|&value| if value == 0 { 0 } else { value.ilog2() as u8 + 1 });
            let mut board = SlidingBoard::new(size as usize, ranks.collect());
            let bound_of = |board: &SlidingBoard| {
                let mut expander = ExpandGrids::new(board, 64, &budget);
                expander.child = Grid::of(board);
                expander.bound().unwrap()
            };
            for _ in 0..30 {
                let before = bound_of(&board);
                merges += board.slide(Direction::ALL[random.below(4) as usize]).merges;
                let after = bound_of(&board);
                assert!(before <= after + 1, "from {before} to {after}: {board:?}");
                assert_eq!(after == 0, board.ranks().iter().filter(|&&rank| rank != 0).count() == 1);
            }
        }
        assert!(merges > 10_000, "{merges}");
    }
}
