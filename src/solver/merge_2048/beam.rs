//! A quick solution that need not be the shortest: beam search.
//!
//! Layer by layer, only the most promising positions of those that one more slide reaches are kept: those
//! with the smallest bound, the fewest tiles, the least room. What it finds bounds the exact search from
//! above, so that this stores no position that cannot be better.

use super::case::Task;
use super::charged::ChargedVec;
use super::expand::{Expander, board_key};
use super::path::{self, NO_PARENT};
use super::states::StateSet;
use crate::board::sliding::Direction;
use crate::solver::Stop;

/// Positions kept of each layer.
const WIDTH: usize = 48;
/// Slides after which the beam gives up: many times what boards of the published limits need, so that a board
/// without a solution does not keep it going round for ever.
const LAYERS_MAX: u64 = 400;

/// A number of slides that suffices, and such slides where they are wanted.
pub(super) type Found = (u64, Option<Vec<Direction>>);

/// How promising a position is, the smallest first; its number makes the order total.
type Score = (u32, usize, usize, u32);

/// Some solution of `task` within M, or `None` where the beam meets none.
///
/// # Errors
/// The limit that was hit.
pub(super) fn search(task: &Task<'_>) -> Result<Option<Found>, Stop> {
    let mut expander = Expander::new(task);
    let mut states = StateSet::new(task.budget);
    let mut parents = ChargedVec::new(task.budget);
    expander.begin(task.board);
    states.insert(expander.child_key())?;
    parents.push(NO_PARENT)?;
    let mut layer = vec![0];
    let mut scores: Vec<Score> = Vec::new();
    let mut slides = 0_u64;
    while !layer.is_empty() && slides < task.moves_max.min(LAYERS_MAX) {
        slides += 1;
        scores.clear();
        for &number in &layer {
            expander.set_parent(states.key(number));
            for direction in Direction::ALL {
                expander.slide(direction)?;
                let (child, new) = states.insert(expander.child_key())?;
                if !new {
                    continue;
                }
                parents.push(number)?;
                let bound = expander.child_bound();
                if bound == 0 {
                    let parent = |number: u32| parents.as_slice()[number as usize];
                    let path = || path::slides(task.board, &states, child, parent, board_key(task));
                    return Ok(Some((slides, task.witness.then(path).flatten())));
                }
                if slides.saturating_add(u64::from(bound)) <= task.moves_max {
                    scores.push((bound, expander.child_tiles(), expander.child_area(), child));
                }
            }
        }
        scores.sort_unstable();
        layer.clear();
        layer.extend(scores.iter().take(WIDTH).map(|score| score.3));
    }
    Ok(None)
}
