//! The fewest slides: passes within rising limits, and a beam for what is known from above.
//!
//! A pass ([`layers`]) with the limit L either finds a shortest solution or proves that every solution has
//! more than L slides. Limits rise from the first lower bound on; as a pass looks at more than twice as many
//! positions as the one before it, all earlier ones together cost less than the last. Between passes a beam
//! ([`beam`]) looks for a solution, with a width that keeps it cheap beside the passes. It mostly meets a
//! shortest one early, which needs one pass less: the proof that one slide fewer does not do. Limits then rise
//! by two where that leads to that last pass.
//!
//! Nothing here depends on time, so neither do the answer and its slides. What a limit of the budget leaves
//! is proved: a finished pass bounds from below, the beam from above.

use super::case::{Answer, Task};
use super::expand::{AnySize, Expand};
use super::layers::{self, Found, Pass};
use super::packed::Packed;
use super::shrinking::Shrinking;
use super::{beam, bound};
use crate::board::sliding::Direction;
use crate::solver::Stop;

/// The most slides looked for: more positions than a search can hold.
const SLIDES_MAX: u64 = 1 << 31;
/// Positions kept of each layer by the first beam.
const WIDTH_FIRST: usize = 16;
/// So many stored positions of a pass allow the next beam to be wider by one: a beam then costs less than the
/// pass did, and the next pass twice as much. Three times as many make no difference.
const POSITIONS_PER_WIDTH: usize = 20;

/// The fewest slides for `task`.
pub(super) fn solve(task: &Task<'_>) -> Answer {
    if let Some(expander) = Packed::<u64>::new(task.board, task.rank_max) {
        return Shortest::new(task, expander).solve();
    }
    if let Some(expander) = Shrinking::new(task.board, task.rank_max) {
        return Shortest::new(task, expander).solve();
    }
    Shortest::new(task, AnySize::new(task)).solve()
}

/// What is known, and what has been done for it.
struct Shortest<'t, 'b, E> {
    task: &'t Task<'b>,
    expander: E,
    /// Fewer slides are proved not to suffice.
    at_least: u64,
    best: Option<Found>,
    /// Of the beam done last.
    width: usize,
    /// Of the pass done last.
    positions: usize,
    /// How much the limit rises while no solution is known.
    step: u64,
}

impl<'t, 'b, E: Expand> Shortest<'t, 'b, E> {
    fn new(task: &'t Task<'b>, mut expander: E) -> Self {
        expander.begin(u32::MAX);
        let behind = Direction::ALL.into_iter().filter_map(|direction| expander.slide(direction)).min();
        let bound = 1 + u64::from(behind.unwrap_or(bound::NEVER));
        Self {
            task,
            expander,
            at_least: task.at_least.max(bound),
            best: None,
            width: 0,
            positions: 0,
            step: 1,
        }
    }

    fn solve(mut self) -> Answer {
        let searched = self.search();
        match (searched, self.best) {
            (Ok(()), Some((count, slides))) => Answer::Slides(count, slides),
            (Ok(()), None) => Answer::None,
            (Err(stop), best) => {
                let at_most = best.map(|(count, _)| count);
                Answer::Stopped { stop, at_least: self.at_least, at_most }
            }
        }
    }

    /// Returns when `best` is shortest, or there is none.
    fn search(&mut self) -> Result<(), Stop> {
        while self.at_least <= self.slides_max() {
            self.widen_beam()?;
            if self.at_least > self.slides_max() {
                break;
            }
            let limit = self.limit();
            match layers::search(self.task, &mut self.expander, limit)? {
                Pass::Found(found) => {
                    self.best = Some(found);
                    break;
                }
                Pass::Exhausted { complete: true, .. } => break,
                Pass::Exhausted { complete: false, positions } => {
                    self.at_least = limit + 1;
                    // Where passes hardly grow, most positions are known and a solution is unlikely.
                    let hardly = self.positions > 0 && positions < self.positions * 3 / 2;
                    self.step = if hardly { self.step * 2 } else { 1 };
                    self.positions = positions;
                }
            }
        }
        Ok(())
    }

    /// Only solutions of so many slides are of use.
    fn slides_max(&self) -> u64 {
        let slides_max = self.task.moves_max.min(SLIDES_MAX);
        self.best.as_ref().map_or(slides_max, |&(count, _)| slides_max.min(count - 1))
    }

    /// Looks for a better solution, if the beam may be at least twice as wide as the last one.
    fn widen_beam(&mut self) -> Result<(), Stop> {
        let width = WIDTH_FIRST.max(self.positions / POSITIONS_PER_WIDTH);
        if width < 2 * self.width {
            return Ok(());
        }
        self.width = width;
        let slides_max = self.slides_max();
        match beam::search(self.task, &mut self.expander, width, slides_max) {
            Ok(found) => self.best = found.or(self.best.take()),
            // What is too much for the beam need not be for the passes.
            Err(Stop::MemoryLimit) => {}
            Err(stop) => return Err(stop),
        }
        Ok(())
    }

    /// Of the next pass.
    fn limit(&self) -> u64 {
        let slides_max = self.slides_max();
        match self.best {
            Some(_) => self.at_least + (slides_max - self.at_least) % 2,
            None => slides_max.min(self.at_least.saturating_add(self.step - 1)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::sliding::SlidingBoard;
    use crate::solver::{Budget, Random};

    /// All kinds of positions give the same numbers.
    #[test]
    fn all_kinds_of_positions_agree() {
        let mut random = Random::new(1);
        let (mut solved, mut unsolvable) = (0, 0);
        for _ in 0..600 {
            let size = random.between(2, 5);
            let tiles = random.between(2, (size * size).min(18));
            let values = super::super::generate::case(size * size, tiles, &mut random);
            let sum: u64 = values.iter().sum();
            if !sum.is_power_of_two() {
                continue;
            }
            let ranks = values.iter().map(|&value| if value == 0 { 0 } else { value.ilog2() as u8 + 1 });
            let board = SlidingBoard::new(size as usize, ranks.collect());
            let budget = Budget::unlimited();
            let rank_max = sum.ilog2() as u8 + 1;
            let moves_max = random.between(4, 30);
            let task =
                Task { board: &board, rank_max, moves_max, at_least: 1, witness: true, budget: &budget };
            let count = |answer: Answer| match answer {
                Answer::Slides(count, slides) => {
                    let mut board = board.clone();
                    for direction in slides.unwrap() {
                        board.slide(direction);
                    }
                    assert_eq!(board.ranks().iter().filter(|&&rank| rank != 0).count(), 1);
                    Some(count)
                }
                Answer::None => None,
                Answer::Stopped { .. } => panic!("there is no limit"),
            };
            let narrow = count(Shortest::new(&task, Packed::<u64>::new(&board, rank_max).unwrap()).solve());
            let wide = count(Shortest::new(&task, Shrinking::new(&board, rank_max).unwrap()).solve());
            let any = count(Shortest::new(&task, AnySize::new(&task)).solve());
            assert_eq!((narrow, wide), (any, any), "{board:?} {moves_max}");
            solved += usize::from(any.is_some());
            unsolvable += usize::from(any.is_none());
        }
        assert!(solved > 300 && unsolvable > 20, "{solved} {unsolvable}");
    }
}
