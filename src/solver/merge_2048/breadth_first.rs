//! Plain breadth-first search over the positions of the board, symmetric ones taken as one.
//!
//! Kept simple for comparison: no bound, and positions are whole boards. Every position that k slides reach
//! is known before any that needs k + 1, so the first merged one has the fewest slides.

use super::case::{Answer, Task};
use super::charged::ChargedVec;
use super::grid::Grid;
use super::meter::Meter;
use super::path;
use super::states::StateSet;
use crate::board::sliding::{Direction, SlidingBoard};
use crate::solver::Stop;

/// The parent of the first position.
const NO_PARENT: u32 = u32::MAX;

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
                    let way = || {
                        let mut numbers = vec![child];
                        while parents.as_slice()[numbers[numbers.len() - 1] as usize] != 0 {
                            numbers.push(parents.as_slice()[numbers[numbers.len() - 1] as usize]);
                        }
                        let keys = numbers.iter().rev().map(|&number| states.key(number));
                        path::slides(task.board, keys, |board, _, key| board_key(board, key))
                    };
                    return Ok(Answer::Slides(*at_least, task.witness.then(way).flatten()));
                }
            }
        }
        layer = layer.end..parents.len() as u32;
        *at_least += 1;
    }
    Ok(Answer::None)
}
