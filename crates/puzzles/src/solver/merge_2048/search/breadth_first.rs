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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::sliding::SlidingBoard;
    use crate::solver::merge_2048::generate;
    use crate::solver::merge_2048::task::{Found, Slides};
    use crate::solver::{Budget, Cancel, Random};

    /// With more memory more layers are searched, and each that was searched is told of.
    #[test]
    fn a_limit_leaves_the_layers_that_were_searched() {
        let mut random = Random::new(6);
        let values = loop {
            let values = generate::case(25, 20, &mut random);
            if values.iter().sum::<u64>() == 64 {
                break values;
            }
        };
        let ranks = values.iter().map(|&value| if value == 0 { 0 } else { value.ilog2() as u8 + 1 });
        let board = SlidingBoard::new(5, ranks.collect());
        let solve = |bytes: u64| {
            let budget = Budget::new(None, None, bytes, Cancel::default());
            let slides = Slides::Unwanted;
            super::solve(&Task {
                board: &board,
                rank_max: 7,
                moves_max: 30,
                at_least: 1,
                slides,
                budget: &budget,
            })
        };
        let Answer::Shortest(Found { count, .. }) = solve(u64::MAX) else { panic!("there is a solution") };
        let mut leasts = Vec::new();
        for chunks in 0..100 {
            let Answer::Stopped { at_least, best: None, .. } = solve(chunks << 17) else { break };
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
