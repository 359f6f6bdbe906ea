//! The fewest slides: passes with rising limits, and beam searches for an upper bound.
//!
//! A pass ([`super::pass`]) with the limit L either finds a shortest solution or proves that every solution has more
//! than L slides. Limits rise from the first lower bound. Each pass examines more than twice as many positions as the
//! one before it, so all earlier passes together cost less than the last. Between passes a beam search ([`beam`]) looks
//! for a solution; its width keeps it cheap compared with the passes. It usually finds a shortest solution early. Then
//! the last pass only proves that one slide fewer does not suffice, which saves one pass. Limits then rise by two if
//! that leads to this last pass.
//!
//! Nothing here depends on time, so neither do the answer and its slides. If a limit of the budget ends the search,
//! both bounds are proved: a finished pass gives the lower one, a beam the upper one (docs/proofs/2048-merge.md,
//! section 5).

use super::beam;
use super::pass::Pass;
use crate::board::sliding::Direction;
use crate::solver::Stop;
use crate::solver::merge_2048::position::{Expand, ExpandBoards, ExpandLanes};
use crate::solver::merge_2048::search::{Answer, Solution, Task};

/// The most slides of any limit: more slides need more positions than a search can hold.
const SLIDES_MAX: u64 = 1 << 31;
/// Positions that the first beam keeps of each layer, at least.
const WIDTH_FIRST: usize = 16;
/// Pairs of tiles that widen the first beam by one. So the beam soon finds a good solution on boards that are too large
/// for a pass, and costs no more than the passes on small boards.
const PAIRS_PER_WIDTH: usize = 32;
/// Tiles beyond which the first beam grows no wider.
const TILES_WIDE: usize = 400;
/// Stored positions of a pass that widen the next beam by one. A beam then costs less than the pass before it, and the
/// next pass costs twice as much. Three times as many make no difference.
const POSITIONS_PER_WIDTH: usize = 40;

/// Returns the fewest slides for `task`.
pub fn solve(task: &Task<'_>) -> Answer {
    let Task { board, rank_max, budget, .. } = *task;
    if let Some(expander) = ExpandLanes::<u64>::new(board, rank_max, budget) {
        return Shortest::new(task, expander).solve();
    }
    if let Some(expander) = ExpandLanes::<u128>::new(board, rank_max, budget) {
        return Shortest::new(task, expander).solve();
    }
    Shortest::new(task, ExpandBoards::new(board, rank_max, budget)).solve()
}

/// What is known so far, and the last pass and beam.
struct Shortest<'t, 'b, E> {
    task: &'t Task<'b>,
    expander: E,
    /// Fewer slides are proved not to suffice.
    at_least: u64,
    best: Option<Solution>,
    /// The width of the first beam.
    width_first: usize,
    /// The width of the last beam.
    width: usize,
    /// The positions that the last pass stored.
    positions: usize,
    /// How much the limit rises while no solution is known.
    step: u64,
}

impl<'t, 'b, E: Expand> Shortest<'t, 'b, E> {
    fn new(task: &'t Task<'b>, expander: E) -> Self {
        let at_least = task.at_least;
        let tiles = task.board.ranks().iter().filter(|&&rank| rank != 0).count();
        let width_first =
            WIDTH_FIRST.max(tiles.min(TILES_WIDE) * tiles.min(TILES_WIDE) / 2 / PAIRS_PER_WIDTH);
        Self { task, expander, at_least, best: None, width_first, width: 0, positions: 0, step: 1 }
    }

    fn solve(mut self) -> Answer {
        match (self.search(), self.best) {
            (Ok(()), Some(found)) => Answer::Shortest(found),
            (Ok(()), None) => Answer::None,
            (Err(stop), best) => Answer::Stopped { stop, at_least: self.at_least, best },
        }
    }

    /// Raises the lower bound to that of the first position.
    fn bound_first(&mut self) -> Result<(), Stop> {
        self.expander.begin()?;
        let mut behind = u32::MAX;
        for direction in Direction::ALL {
            behind = behind.min(self.expander.slide(direction)?.unwrap_or(u32::MAX));
        }
        self.at_least = self.at_least.max(1 + u64::from(behind));
        Ok(())
    }

    /// Searches until `best` is a shortest solution, or until it is proved that there is none.
    fn search(&mut self) -> Result<(), Stop> {
        self.bound_first()?;
        while self.at_least <= self.slides_max() {
            self.widen_beam()?;
            if self.at_least > self.slides_max() {
                break;
            }
            let limit = self.limit();
            let mut pass = Pass::new(self.task, limit);
            if let Some(found) = pass.search(&mut self.expander)? {
                self.best = Some(found);
                break;
            }
            if pass.complete {
                break;
            }
            self.at_least = limit + 1;
            // If passes hardly grow, most positions are known and a solution is unlikely.
            let hardly = self.positions > 0 && pass.positions() < self.positions * 3 / 2;
            self.step = if hardly { self.step * 2 } else { 1 };
            self.positions = pass.positions();
        }
        Ok(())
    }

    /// Returns the most slides of a solution that is still of use.
    fn slides_max(&self) -> u64 {
        let slides_max = self.task.moves_max.min(SLIDES_MAX);
        self.best.as_ref().map_or(slides_max, |found| slides_max.min(found.count - 1))
    }

    /// Runs a beam for a better solution, if it can be at least twice as wide as the last one.
    fn widen_beam(&mut self) -> Result<(), Stop> {
        let width = self.width_first.max(self.positions / POSITIONS_PER_WIDTH);
        if width < 2 * self.width {
            return Ok(());
        }
        self.width = width;
        let slides_max = self.slides_max();
        let done = beam::search(self.task, &mut self.expander, width, slides_max, &mut self.best);
        // If the limit was hit while the beam looked for the slides of its solution, the answer is already known.
        if self.at_least > self.slides_max() { Ok(()) } else { done }
    }

    /// Returns the limit of the next pass.
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
    use crate::solver::merge_2048::merge_generator;
    use crate::solver::merge_2048::search::Slides;
    use crate::solver::{Budget, Cancel, Random};

    /// Half of the memory that a search uses is mostly enough: positions that are not stored are searched again.
    #[test]
    fn scarce_memory_costs_time_and_no_answer() {
        // Memory comes in chunks of 64 KiB.
        const BYTES_MIN: u64 = 128 << 10;
        let mut random = Random::new(2);
        let (mut answered, mut cases) = (0, 0);
        while cases < 8 {
            let values = merge_generator::case(64, random.between(45, 55), &mut random);
            let sum: u64 = values.iter().sum();
            if !sum.is_power_of_two() {
                continue;
            }
            let ranks = values.iter().map(|&value| if value == 0 { 0 } else { value.ilog2() as u8 + 1 });
            let board = SlidingBoard::new(8, ranks.collect());
            let solve = |budget: &Budget| {
                let rank_max = sum.ilog2() as u8 + 1;
                let slides = Slides::Unwanted;
                super::solve(&Task { board: &board, rank_max, moves_max: 50, at_least: 1, slides, budget })
            };
            let free = Budget::unlimited();
            let answer = solve(&free);
            if free.memory_bytes_peak() < BYTES_MIN {
                continue;
            }
            cases += 1;
            let scarce = Budget::new(None, None, free.memory_bytes_peak() / 2, Cancel::default());
            match (solve(&scarce), answer) {
                (Answer::Stopped { at_least, best, .. }, Answer::Shortest(Solution { count, .. })) => {
                    assert!(at_least <= count && best.is_none_or(|best| best.count >= count), "{board:?}");
                }
                (Answer::Stopped { .. }, Answer::None) => {}
                (found, answer) => {
                    assert_eq!(found, answer, "{board:?}");
                    answered += 1;
                }
            }
        }
        assert!(answered > cases / 2, "{answered} of {cases}");
    }

    /// If nothing can be shorter, the beam's solution is the answer, even if its slides can no longer be found.
    #[test]
    fn what_meets_the_bound_is_never_undecided() {
        let board = SlidingBoard::new(4, vec![1; 16]);
        let solve = |budget: &Budget| {
            let slides = Slides::Needed;
            super::solve(&Task { board: &board, rank_max: 5, moves_max: 9, at_least: 1, slides, budget })
        };
        let free = Budget::failing_at(u64::MAX, Stop::TimeLimit);
        let Answer::Shortest(whole) = solve(&free) else { panic!("there is a solution") };
        assert!(whole.count == 4 && whole.slides.is_some());
        let mut without = 0;
        for number in 1..=free.requests() {
            match solve(&Budget::failing_at(number, Stop::TimeLimit)) {
                Answer::Shortest(found) => {
                    assert_eq!(found.count, whole.count);
                    without += usize::from(found.slides.is_none());
                }
                Answer::Stopped { at_least, best, .. } => {
                    assert!(at_least <= 4 && best.is_none_or(|best| best.count > at_least));
                }
                Answer::None => panic!("there is a solution"),
            }
        }
        assert!(without > 0, "{} questions", free.requests());
    }

    /// All representations of positions give the same numbers.
    #[test]
    fn all_kinds_of_positions_agree() {
        let mut random = Random::new(1);
        let (mut solved, mut unsolvable) = (0, 0);
        for _ in 0..600 {
            let size = random.between(2, 5);
            let tiles = random.between(2, (size * size).min(18));
            let values = merge_generator::case(size * size, tiles, &mut random);
            let sum: u64 = values.iter().sum();
            if !sum.is_power_of_two() {
                continue;
            }
            let ranks = values.iter().map(|&value| if value == 0 { 0 } else { value.ilog2() as u8 + 1 });
            let board = SlidingBoard::new(size as usize, ranks.collect());
            let budget = Budget::unlimited();
            let rank_max = sum.ilog2() as u8 + 1;
            let moves_max = random.between(4, 30);
            let task = Task {
                board: &board,
                rank_max,
                moves_max,
                at_least: 1,
                slides: Slides::Needed,
                budget: &budget,
            };
            let count = |answer: Answer| match answer {
                Answer::Shortest(Solution { count, slides }) => {
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
            let narrow = count(
                Shortest::new(&task, ExpandLanes::<u64>::new(&board, rank_max, &budget).unwrap()).solve(),
            );
            let wide = count(
                Shortest::new(&task, ExpandLanes::<u128>::new(&board, rank_max, &budget).unwrap()).solve(),
            );
            let any = count(Shortest::new(&task, ExpandBoards::new(&board, rank_max, &budget)).solve());
            assert_eq!((narrow, wide), (any, any), "{board:?} {moves_max}");
            solved += usize::from(any.is_some());
            unsolvable += usize::from(any.is_none());
        }
        assert!(solved > 300 && unsolvable > 20, "{solved} {unsolvable}");
    }
}
