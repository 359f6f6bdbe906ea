//! Two searches for comparison: the published depth-first search, and a plain breadth-first search.
//!
//! # Depth-first
//!
//! A branch ends when its slides reach `moves_max` or the best count. It also ends when the remaining slides cannot
//! merge the remaining tiles, since a slide at best halves the number of tiles. The search skips a slide that changes
//! nothing. It also skips the opposite of a slide that merged nothing: every lane still holds the same tiles, so the
//! opposite slide alone would have led to the same board. The published program kept the last slide in one variable for
//! all sibling branches, and so lost solutions. Here every position on the path keeps its own.
//!
//! # Breadth-first
//!
//! A single pass over whole boards, without a bound on the slides still needed. Symmetric boards count as one. The pass
//! finds every position that k slides reach before any that needs k + 1, so the first solution has the fewest slides.

use super::pass::Pass;
use crate::board::sliding::{Direction, SlidingBoard};
use crate::solver::merge_2048::position::{ExpandBoards, slide};
use crate::solver::merge_2048::search::{Answer, SQUARES_PER_CHECK, Slides, Solution, Task};
use crate::solver::{ChargedVec, Pace, Stop};

/// Returns the fewest slides for `task`, by breadth-first search.
pub fn breadth_first(task: &Task<'_>) -> Answer {
    let mut pass = Pass::new(task, task.moves_max);
    match pass.search(&mut ExpandBoards::plain(task.board, task.rank_max, task.budget)) {
        Ok(Some(found)) => Answer::Shortest(found),
        Ok(None) => Answer::None,
        Err(stop) => Answer::Stopped { stop, at_least: pass.slides.max(task.at_least), best: None },
    }
}

/// A position on the path from the first one.
struct Step {
    /// The slide that led here, and whether it merged nothing.
    arrival: Option<(Direction, bool)>,
    /// How many of [`Direction::ALL`] have been tried.
    tried: usize,
}

/// Returns the fewest slides for `task`, by depth-first search.
pub fn depth_first(task: &Task<'_>) -> Answer {
    let mut best = None;
    let stopped = search(task, &mut best).err();
    match (best, stopped) {
        (Some(found), None) => Answer::Shortest(found),
        // A solution that meets the lower bound is the shortest, although the search was stopped.
        (Some(found), Some(_)) if found.count == task.at_least => Answer::Shortest(found),
        (None, None) => Answer::None,
        (best, Some(stop)) => Answer::Stopped { stop, at_least: task.at_least, best },
    }
}

fn search(task: &Task<'_>, best: &mut Option<Solution>) -> Result<(), Stop> {
    let (size, area) = (task.board.size(), task.board.ranks().len());
    let mut pace = Pace::every(SQUARES_PER_CHECK, task.budget);
    // The path, and the boards of its positions one after the other.
    let (mut path, mut boards) = (ChargedVec::new(task.budget), ChargedVec::new(task.budget));
    path.push(Step { arrival: None, tried: 0 })?;
    boards.extend_from_slice(task.board.ranks())?;
    loop {
        let depth = path.len().saturating_sub(1) as u64;
        let Some(step) = path.last_mut() else { return Ok(()) };
        // Only a solution with fewer slides than the best one is of use.
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
        let slide = slide(&mut board, direction, &mut pace, |_| {})?;
        if !slide.changed {
            continue;
        }
        let mut tiles = 0;
        for lane in board.ranks().chunks(size) {
            pace.count(size)?;
            tiles += lane.iter().filter(|&&rank| rank != 0).count();
        }
        // After this slide too few are left: none for two or more tiles, or one for more than two tiles.
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
            *best =
                Some(Solution { count: depth + 1, slides: (task.slides != Slides::Unwanted).then(slides) });
            continue;
        }
        path.push(Step { arrival, tried: 0 })?;
        boards.extend_from_slice(board.ranks())?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::sliding::SlidingBoard;
    use crate::solver::merge_2048::merge_generator;
    use crate::solver::{Budget, Cancel, Random};

    /// With more memory the search completes more layers, and each one raises the lower bound.
    #[test]
    fn a_limit_leaves_the_layers_that_were_searched() {
        let mut random = Random::new(6);
        let values = loop {
            let values = merge_generator::case(25, 20, &mut random);
            if values.iter().sum::<u64>() == 64 {
                break values;
            }
        };
        let ranks = values.iter().map(|&value| if value == 0 { 0 } else { value.ilog2() as u8 + 1 });
        let board = SlidingBoard::new(5, ranks.collect());
        let solve = |bytes: u64| {
            let budget = Budget::new(None, None, bytes, Cancel::default());
            let slides = Slides::Unwanted;
            breadth_first(&Task {
                board: &board,
                rank_max: 7,
                moves_max: 30,
                at_least: 1,
                slides,
                budget: &budget,
            })
        };
        let Answer::Shortest(Solution { count, .. }) = solve(u64::MAX) else { panic!("there is a solution") };
        let mut leasts = Vec::new();
        for chunks in 0..100 {
            let Answer::Stopped { at_least, best: None, .. } = solve(chunks << 14) else { break };
            leasts.push(at_least);
        }
        assert!(
            leasts.is_sorted() && leasts.last().is_some_and(|&last| last <= count),
            "{leasts:?} of {count}"
        );
        leasts.dedup();
        assert!(leasts.len() > 1, "{leasts:?} of {count}");
    }
}
