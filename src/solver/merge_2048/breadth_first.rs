//! Plain breadth-first search over the positions of the board, symmetric ones taken as one.
//!
//! Kept simple for comparison: no bound, and positions are whole boards. Every position that k slides reach
//! is known before any that needs k + 1, so the first merged one has the fewest slides.

use super::case::{Answer, Task};
use super::charged::ChargedVec;
use super::grid::Grid;
use super::meter::Meter;
use super::path::{self, NO_PARENT};
use super::states::StateSet;
use crate::board::sliding::{Direction, SlidingBoard};
use crate::solver::Stop;

/// The fewest slides for `task`.
pub(super) fn solve(task: &Task<'_>) -> Answer {
    // Positions of fewer slides than this are all seen and none of them is merged.
    let mut at_least = 1;
    match search(task, &mut at_least) {
        Ok(answer) => answer,
        Err(stop) => Answer::Stopped { stop, at_least: at_least.max(task.at_least), at_most: None },
    }
}

fn search(task: &Task<'_>, at_least: &mut u64) -> Result<Answer, Stop> {
    let rank_bits = u8::BITS - task.rank_max.leading_zeros();
    let board_key = |board: &SlidingBoard, key: &mut Vec<u8>| Grid::of(board).pack(rank_bits, key);
    let mut states = StateSet::new(task.budget);
    let mut parents = ChargedVec::new(task.budget);
    let mut meter = Meter::new(task.budget);
    let (mut key, mut grid) = (Vec::new(), Grid::default());
    board_key(task.board, &mut key);
    states.insert(&key)?;
    parents.push(NO_PARENT)?;
    let mut layer = 0..1;
    while !layer.is_empty() && *at_least <= task.moves_max {
        for number in layer.clone() {
            grid.unpack(rank_bits, states.key(number));
            let board = SlidingBoard::new(task.board.size(), grid.ranks().to_vec());
            for direction in Direction::ALL {
                meter.spend(4 * grid.area())?;
                let mut next = board.clone();
                if !next.slide(direction).changed {
                    continue;
                }
                board_key(&next, &mut key);
                let (child, new) = states.insert(&key)?;
                if !new {
                    continue;
                }
                parents.push(number)?;
                if next.ranks().iter().filter(|&&rank| rank != 0).count() == 1 {
                    let parent = |number: u32| parents.as_slice()[number as usize];
                    let slides = task
                        .witness
                        .then(|| path::slides(task.board, &states, child, parent, board_key))
                        .flatten();
                    return Ok(Answer::Slides(*at_least, slides));
                }
            }
        }
        layer = layer.end..parents.len() as u32;
        *at_least += 1;
    }
    Ok(Answer::None)
}
