//! The published algorithm: depth-first search with the best count so far, its pruning put right.
//!
//! A branch ends when its slides reach the best count or M, and when the slides left cannot merge the tiles
//! left (one slide makes one tile of two at most). A slide that changes nothing is skipped. So is the
//! opposite of a slide that merged nothing: every lane holds the same tiles as before, so the opposite gives
//! what it would have given at once. The published program kept that last slide in one variable for all
//! sibling branches, and lost solutions; here every position on the path keeps its own.

use super::path::slide;
use crate::board::sliding::{Direction, SlidingBoard};
use crate::solver::merge_2048::task::{Answer, Found, Slides, Task};
use crate::solver::{ChargedVec, Pace, Stop};

/// Squares handled between two looks at the budget; some tens of microseconds of work.
const SQUARES_PER_LOOK: usize = 20_000;

/// A position on the path from the first one.
struct Step {
    /// The slide that led here, and whether it merged nothing.
    arrival: Option<(Direction, bool)>,
    /// Directions tried already, of [`Direction::ALL`].
    tried: usize,
}

/// The fewest slides for `task`.
pub fn solve(task: &Task<'_>) -> Answer {
    let mut best = None;
    let stopped = search(task, &mut best).err();
    match (best, stopped) {
        (Some(found), None) => Answer::Shortest(found),
        // What cannot be fewer is an answer all the same.
        (Some(found), Some(_)) if found.count == task.at_least => Answer::Shortest(found),
        (None, None) => Answer::None,
        (best, Some(stop)) => Answer::Stopped { stop, at_least: task.at_least, best },
    }
}

fn search(task: &Task<'_>, best: &mut Option<Found>) -> Result<(), Stop> {
    let (size, area) = (task.board.size(), task.board.ranks().len());
    let mut pace = Pace::every(SQUARES_PER_LOOK, task.budget);
    // The path, and the boards of its positions one behind the other.
    let (mut path, mut boards) = (ChargedVec::new(task.budget), ChargedVec::new(task.budget));
    path.push(Step { arrival: None, tried: 0 })?;
    boards.extend_from_slice(task.board.ranks())?;
    loop {
        let depth = path.len().saturating_sub(1) as u64;
        let Some(step) = path.last_mut() else { return Ok(()) };
        // Only fewer slides than the best are of use.
        let slides_max = best.as_ref().map_or(task.moves_max, |found| found.count - 1);
        let slides_left = slides_max.saturating_sub(depth);
        if step.tried == Direction::ALL.len() || slides_left == 0 {
            path.pop();
            boards.truncate(path.len() * area);
            continue;
        }
        let direction = Direction::ALL[step.tried];
        step.tried += 1;
        if step.arrival == Some((direction.opposite(), true)) {
            continue;
        }
        let mut board = SlidingBoard::new(size, boards[boards.len() - area..].to_vec());
        let slide = slide(&mut board, direction, &mut pace)?;
        if !slide.changed {
            continue;
        }
        let mut tiles = 0;
        for lane in board.ranks().chunks(size) {
            pace.count(size)?;
            tiles += lane.iter().filter(|&&rank| rank != 0).count();
        }
        // The slides left behind this one: none for two tiles, or one for more than two, is too few.
        let hopeless = tiles > 1 && (slides_left == 1 || (slides_left == 2 && tiles > 2));
        if hopeless {
            continue;
        }
        let arrival = Some((direction, slide.merges == 0));
        if tiles == 1 {
            let slides = || {
                let arrivals = path.iter().filter_map(|step| step.arrival).chain(arrival);
                arrivals.map(|(direction, _)| direction).collect()
            };
            *best = Some(Found { count: depth + 1, slides: (task.slides != Slides::Unwanted).then(slides) });
            continue;
        }
        path.push(Step { arrival, tried: 0 })?;
        boards.extend_from_slice(board.ranks())?;
    }
}
