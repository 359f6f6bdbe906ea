//! Plain breadth-first search over the positions of the board, symmetric ones taken as one.
//!
//! Kept simple for comparison: a single pass without a bound, and positions are whole boards. Every position that k
//! slides reach is known before any that needs k + 1, so the first merged one has the fewest slides.

use super::pass::Pass;
use crate::solver::merge_2048::position::ExpandGrids;
use crate::solver::merge_2048::task::{Answer, Task};

/// The fewest slides for `task`.
pub fn solve(task: &Task<'_>) -> Answer {
    let mut pass = Pass::new(task, task.moves_max);
    match pass.search(&mut ExpandGrids::plain(task.board, task.rank_max, task.budget)) {
        Ok(Some(found)) => Answer::Shortest(found),
        Ok(None) => Answer::None,
        Err(stop) => Answer::Stopped { stop, at_least: pass.slides().max(task.at_least), best: None },
    }
}
