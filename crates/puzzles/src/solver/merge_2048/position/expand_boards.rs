//! Positions as whole boards, one byte per square: any size, any ranks.
//!
//! The lexicographically last of the eight symmetric images stands for all. Its key ends with its last tile.

use std::cmp::Ordering;

use super::estimates::{Features, rounds};
use super::{Axes, Expand};
use crate::board::sliding::{Direction, Slide, SlidingBoard};
use crate::solver::merge_2048::search::SQUARES_PER_CHECK;
use crate::solver::{Budget, Charge, Pace, Stop};

/// Makes positions that are boards.
pub struct ExpandBoards<'t> {
    first: &'t SlidingBoard,
    rank_max: u8,
    /// Whether every position but the goal has the bound 1.
    is_plain: bool,
    /// The path of parents; the last is the current one.
    parents: Vec<SlidingBoard>,
    /// For all parents except the first.
    memory: Charge<'t>,
    child: SlidingBoard,
    /// The result of a slide of the child.
    grandchild: SlidingBoard,
    key: Vec<u8>,
    pace: Pace<'t>,
}

impl<'t> ExpandBoards<'t> {
    /// Creates an expander for the positions that `board` leads to, whose last tile has `rank_max`.
    pub fn new(board: &'t SlidingBoard, rank_max: u8, budget: &'t Budget) -> Self {
        Self {
            first: board,
            rank_max,
            is_plain: false,
            parents: Vec::new(),
            memory: Charge::none(budget),
            child: board.clone(),
            grandchild: board.clone(),
            key: Vec::new(),
            pace: Pace::every(SQUARES_PER_CHECK, budget),
        }
    }

    /// Creates an expander for a plain search, in which the bound of every position is 1.
    pub fn plain(board: &'t SlidingBoard, rank_max: u8, budget: &'t Budget) -> Self {
        Self { is_plain: true, ..Self::new(board, rank_max, budget) }
    }

    /// Returns the bound of [`super::estimates`] for the child.
    fn bound(&mut self) -> Result<u32, Stop> {
        let (mut tiles, mut counts) = (0, vec![0; usize::from(self.rank_max) + 1]);
        for part in self.child.ranks().chunks(SQUARES_PER_CHECK) {
            self.pace.count(part.len())?;
            for &rank in part.iter().filter(|&&rank| rank != 0) {
                counts[usize::from(rank)] += 1;
                tiles += 1;
            }
        }
        if tiles <= 1 || self.is_plain {
            return Ok(u32::from(tiles > 1));
        }
        let mut behind = u32::MAX;
        for direction in [Direction::Left, Direction::Up] {
            let mut next = counts.clone();
            let on_merge = |rank| {
                next[usize::from(rank)] += 1;
                next[usize::from(rank) - 1] -= 2;
            };
            self.grandchild.ranks_mut().copy_from_slice(self.child.ranks());
            slide(&mut self.grandchild, direction, &mut self.pace, on_merge)?;
            behind = behind.min(rounds(&mut next));
        }
        Ok(1 + behind)
    }
}

impl Expand for ExpandBoards<'_> {
    fn begin(&mut self) -> Result<(), Stop> {
        self.parents = vec![self.first.clone()];
        Ok(())
    }

    fn set_parent(&mut self, key: &[u8], _spent: Axes) -> Result<(), Stop> {
        self.parents.truncate(1);
        let (tiles, rest) = self.parents[0].ranks_mut().split_at_mut(key.len());
        tiles.copy_from_slice(key);
        rest.fill(0);
        Ok(())
    }

    fn descend(&mut self) -> Result<(), Stop> {
        self.memory.grow(self.child.ranks().len() as u64)?;
        self.parents.push(self.child.clone());
        Ok(())
    }

    fn ascend(&mut self) {
        self.child = self.parents.pop().unwrap_or_else(|| self.first.clone());
        self.memory.shrink_to(self.memory.bytes() - self.child.ranks().len() as u64);
    }

    fn slide(&mut self, direction: Direction) -> Result<Option<u32>, Stop> {
        let parent = &self.parents[self.parents.len() - 1];
        self.child.ranks_mut().copy_from_slice(parent.ranks());
        let moved = slide(&mut self.child, direction, &mut self.pace, |_| {})?;
        if moved.changed { self.bound().map(Some) } else { Ok(None) }
    }

    fn child_key(&mut self) -> Result<(&[u8], Axes), Stop> {
        pack(&self.child, &mut self.pace, &mut self.key)?;
        Ok((&self.key, Axes::default()))
    }

    fn child_score(&mut self, bound: u32) -> Result<i64, Stop> {
        let (mut features, mut lanes) = (Features::default(), [0; 2]);
        let size = self.child.size();
        for (axis, lanes) in lanes.iter_mut().enumerate() {
            for lane in 0..size {
                self.pace.count(size)?;
                let (first, step) = if axis == 0 { (lane * size, 1) } else { (lane, size) };
                let squares = self.child.ranks()[first..].iter().step_by(step).take(size);
                let mut tiles = squares.copied().filter(|&rank| rank != 0).peekable();
                *lanes += usize::from(tiles.peek().is_some());
                features.add_line(axis, tiles);
            }
        }
        Ok(features.score(bound, lanes[0] * lanes[1]))
    }

    fn key_behind(&mut self, board: &SlidingBoard, direction: Direction) -> Result<Vec<u8>, Stop> {
        let (mut slid, mut key) = (board.clone(), Vec::new());
        slide(&mut slid, direction, &mut self.pace, |_| {})?;
        pack(&slid, &mut self.pace, &mut key)?;
        Ok(key)
    }
}

/// Slides a board, checking the budget meanwhile. Calls `on_merge` with the rank of every tile made.
///
/// # Errors
/// Returns the limit that was hit, which leaves a part of the board unmoved.
pub fn slide(
    board: &mut SlidingBoard,
    direction: Direction,
    pace: &mut Pace<'_>,
    on_merge: impl FnMut(u8),
) -> Result<Slide, Stop> {
    let size = board.size();
    board.try_slide(direction, on_merge, || pace.count(size))
}

/// Sets `key` to the ranks of the image that stands for all images of the board, up to its last tile.
fn pack(board: &SlidingBoard, pace: &mut Pace<'_>, key: &mut Vec<u8>) -> Result<(), Stop> {
    let (ranks, size) = (board.ranks(), board.size());
    // A row of an image. The bits of `image` say whether it is transposed, upside down and mirrored.
    let row = |image: usize, row: usize| {
        let row = if image & 2 == 0 { row } else { size - 1 - row };
        let (row_step, step) = if image & 4 == 0 { (size, 1) } else { (1, size) };
        let at = move |column: usize| if image & 1 == 0 { column } else { size - 1 - column };
        (0..size).map(move |column| ranks[row * row_step + at(column) * step])
    };
    let mut best = 0;
    for image in 1..8 {
        for number in 0..size {
            pace.count(size)?;
            match row(image, number).cmp(row(best, number)) {
                Ordering::Equal => continue,
                Ordering::Greater => best = image,
                Ordering::Less => {}
            }
            break;
        }
    }
    key.clear();
    for number in 0..size {
        pace.count(size)?;
        key.extend(row(best, number));
    }
    key.truncate(key.iter().rposition(|&rank| rank != 0).map_or(0, |last| last + 1));
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;
    use crate::solver::merge_2048::merge_generator;
    use crate::solver::{Cancel, Random};

    /// Returns the board turned by a quarter.
    fn turned(board: &SlidingBoard) -> SlidingBoard {
        let size = board.size();
        let squares = (0..size * size).map(|at| board.ranks()[(size - 1 - at % size) * size + at / size]);
        SlidingBoard::new(size, squares.collect())
    }

    fn mirrored(board: &SlidingBoard) -> SlidingBoard {
        let size = board.size();
        let ranks = board.ranks().chunks(size).flat_map(|row| row.iter().rev().copied()).collect();
        SlidingBoard::new(size, ranks)
    }

    proptest! {
        #[test]
        fn all_eight_images_have_one_key_which_tells_one_of_them(
            size in 1_usize..7,
            ranks in prop::collection::vec(prop_oneof![3 => Just(0_u8), 2 => 1_u8..5], 36),
        ) {
            let board = SlidingBoard::new(size, ranks[..size * size].to_vec());
            let budget = Budget::unlimited();
            let mut expander = ExpandBoards::new(&board, 64, &budget);
            let mut image = board.clone();
            let (mut keys, mut images) = (HashSet::new(), HashSet::new());
            for _ in 0..4 {
                image = turned(&image);
                for image in [mirrored(&image), image.clone()] {
                    expander.child = image.clone();
                    keys.insert(expander.child_key().unwrap().0.to_vec());
                    images.insert(image);
                }
            }
            prop_assert_eq!(keys.len(), 1);
            expander.begin().unwrap();
            for key in keys {
                expander.set_parent(&key, Axes::default()).unwrap();
            }
            prop_assert!(images.contains(&expander.parents[0]));
        }
    }

    /// A depth-first search takes memory, one board per step, and gives it back.
    #[test]
    fn steps_down_take_memory_and_steps_up_give_it_back() {
        let board = SlidingBoard::new(3, vec![1, 1, 2, 3, 4, 5, 6, 7, 8]);
        let budget = Budget::new(None, None, 1000, Cancel::default());
        let mut expander = ExpandBoards::new(&board, 9, &budget);
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

    /// Since the bound is 0 at the goal, it never exceeds the true distance.
    #[test]
    fn the_bound_falls_by_one_at_most() {
        let mut random = Random::new(1);
        let budget = Budget::unlimited();
        let mut merges = 0;
        for _ in 0..2000 {
            let size = random.between(2, 6);
            let tiles = random.between(2, size * size);
            let values = merge_generator::case(size * size, tiles, &mut random);
            if !values.iter().sum::<u64>().is_power_of_two() {
                continue;
            }
            let ranks = values.iter().map(|&value| if value == 0 { 0 } else { value.ilog2() as u8 + 1 });
            let mut board = SlidingBoard::new(size as usize, ranks.collect());
            let bound_of = |board: &SlidingBoard| {
                let mut expander = ExpandBoards::new(board, 64, &budget);
                expander.child = board.clone();
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
