//! The published algorithm: depth-first search with the best count so far, its pruning put right.
//!
//! A branch ends when its slides reach the best count or M, and when the slides left cannot merge the tiles
//! left (one slide makes one tile of two at most). A slide that changes nothing is skipped. So is the
//! opposite of a slide that merged nothing: every lane holds the same tiles as before, so the opposite gives
//! what it would have given at once. The published program kept that last slide in one variable for all
//! sibling branches, and lost solutions; here every position on the path keeps its own.

use super::case::{Answer, Task};
use super::charged::ChargedVec;
use super::meter::Meter;
use crate::board::sliding::{Direction, SlidingBoard};
use crate::solver::{Budget, Stop};

/// A position on the path from the first one.
struct Step {
    board: SlidingBoard,
    /// The slide that led here, and whether it merged nothing.
    arrival: Option<(Direction, bool)>,
    /// Directions tried already, of [`Direction::ALL`].
    tried: usize,
}

/// The path of a search, charged to the budget board by board.
struct Path<'b> {
    steps: ChargedVec<'b, Step>,
    board_bytes: u64,
    budget: &'b Budget,
}

impl Path<'_> {
    fn push(&mut self, step: Step) -> Result<(), Stop> {
        self.budget.charge(self.board_bytes)?;
        self.steps.push(step).inspect_err(|_| self.budget.release(self.board_bytes))
    }

    fn pop(&mut self) {
        if self.steps.pop().is_some() {
            self.budget.release(self.board_bytes);
        }
    }

    /// Slides made so far.
    fn depth(&self) -> u64 {
        self.steps.len().saturating_sub(1) as u64
    }

    fn slides(&self) -> Vec<Direction> {
        self.steps.as_slice().iter().filter_map(|step| step.arrival.map(|(direction, _)| direction)).collect()
    }
}

impl Drop for Path<'_> {
    fn drop(&mut self) {
        self.budget.release(self.board_bytes * self.steps.len() as u64);
    }
}

/// The best solution so far: the number of its slides, and these where they are wanted.
type Best = Option<(u64, Option<Vec<Direction>>)>;

/// The fewest slides for `task`.
pub(super) fn solve(task: &Task<'_>) -> Answer {
    let mut best = None;
    let stopped = search(task, &mut best).err();
    match (best, stopped) {
        (Some((count, slides)), None) => Answer::Slides(count, slides),
        // What cannot be fewer is an answer all the same.
        (Some((count, slides)), Some(_)) if count == task.at_least => Answer::Slides(count, slides),
        (None, None) => Answer::None,
        (best, Some(stop)) => {
            Answer::Stopped { stop, at_least: task.at_least, at_most: best.map(|(count, _)| count) }
        }
    }
}

fn search(task: &Task<'_>, best: &mut Best) -> Result<(), Stop> {
    let area = task.board.ranks().len();
    let mut meter = Meter::new(task.budget);
    let mut path =
        Path { steps: ChargedVec::new(task.budget), board_bytes: area as u64, budget: task.budget };
    path.push(Step { board: task.board.clone(), arrival: None, tried: 0 })?;
    loop {
        let depth = path.depth();
        let Some(step) = path.steps.as_mut_slice().last_mut() else { return Ok(()) };
        // Only fewer slides than the best are of use.
        let slides_max = best.as_ref().map_or(task.moves_max, |(count, _)| count - 1);
        let slides_left = slides_max.saturating_sub(depth);
        if step.tried == Direction::ALL.len() || slides_left == 0 {
            path.pop();
            continue;
        }
        let direction = Direction::ALL[step.tried];
        step.tried += 1;
        if step.arrival == Some((direction.opposite(), true)) {
            continue;
        }
        meter.spend(2 * area)?;
        let mut board = step.board.clone();
        let slide = board.slide(direction);
        if !slide.changed {
            continue;
        }
        let tiles = board.ranks().iter().filter(|&&rank| rank != 0).count();
        // The slides left behind this one: none for two tiles, or one for more than two, is too few.
        let hopeless = tiles > 1 && (slides_left == 1 || (slides_left == 2 && tiles > 2));
        if hopeless {
            continue;
        }
        path.push(Step { board, arrival: Some((direction, slide.merges == 0)), tried: 0 })?;
        if tiles == 1 {
            *best = Some((path.depth(), task.witness.then(|| path.slides())));
            path.pop();
        }
    }
}
