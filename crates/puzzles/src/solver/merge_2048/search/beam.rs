//! A quick solution that need not be the shortest: beam search.
//!
//! Of the positions that one more slide reaches, each layer keeps only the most promising ones, by a score of how their
//! tiles lie. A solution bounds the exact search from above, which then has fewer positions to examine. It is also the
//! best known solution if a limit ends that search.

use super::solution_slides;
use super::store::{Address, Store};
use crate::board::sliding::Direction;
use crate::solver::merge_2048::position::Expand;
use crate::solver::merge_2048::search::{Slides, Solution, Task};
use crate::solver::{ChargedVec, Stop};

/// Slides after which the beam gives up, many times what boards of the published limits need. On a board without a
/// solution the beam would otherwise never end.
const LAYERS_MAX: u64 = 400;

/// How promising a position is, the lowest first, and its address, which makes the order total.
type Score = (i64, Address);

/// Sets `best` to some solution of `task` with at most `slides_max` slides, if a beam of `width` positions per layer
/// finds one.
///
/// # Errors
/// Returns the limit that was hit, perhaps after a solution was found and before its slides were.
pub fn search<E: Expand>(
    task: &Task<'_>,
    expander: &mut E,
    width: usize,
    slides_max: u64,
    best: &mut Option<Solution>,
) -> Result<(), Stop> {
    let (mut layer, scores) = (ChargedVec::new(task.budget), ChargedVec::new(task.budget));
    let mut beam = Beam { slides_max, store: Store::new(task.budget), scores };
    // A board that is too much for the beam need not be too much for the passes, so the beam ends before it has used up
    // all memory. A layer and a growing table take less than half of what the layers before them took.
    let bytes_left_min = task.budget.memory_bytes_left() / 3;
    expander.begin()?;
    let mut slides = 1;
    let mut goal = beam.add_children(expander, slides, None)?;
    while goal.is_none() && slides < slides_max.min(LAYERS_MAX) {
        std::mem::swap(&mut layer, &mut beam.scores);
        beam.scores.clear();
        keep_best(&mut layer, width);
        if layer.is_empty() || task.budget.memory_bytes_left() < bytes_left_min {
            break;
        }
        slides += 1;
        for &(_, at) in layer.iter() {
            let record = beam.store.records().get(at);
            expander.set_parent(record.key, record.spent)?;
            goal = beam.add_children(expander, slides, Some(at))?;
            if goal.is_some() {
                break;
            }
        }
    }
    if goal.is_some() {
        let found = best.insert(Solution { count: slides, slides: None });
        if task.slides != Slides::Unwanted {
            found.slides = solution_slides(task, expander, beam.store.records(), goal, &[])?;
        }
    }
    Ok(())
}

/// Keeps the `width` best positions of a layer, in order.
fn keep_best(layer: &mut ChargedVec<'_, Score>, width: usize) {
    if width < layer.len() {
        layer.select_nth_unstable(width);
        layer.truncate(width);
    }
    layer.sort_unstable();
}

/// The positions found so far.
struct Beam<'b> {
    slides_max: u64,
    store: Store<'b>,
    /// Scores of the positions that are new in the current layer.
    scores: ChargedVec<'b, Score>,
}

impl Beam<'_> {
    /// Slides the parent that `expander` holds and scores the new positions. Returns the goal, if found.
    fn add_children<E: Expand>(
        &mut self,
        expander: &mut E,
        slides: u64,
        parent: Option<Address>,
    ) -> Result<Option<Address>, Stop> {
        for direction in Direction::ALL {
            let Some(bound) = expander.slide(direction)? else { continue };
            if slides + u64::from(bound) > self.slides_max {
                continue;
            }
            let (key, spent) = expander.child_key()?;
            let (at, new) = self.store.insert(key, spent, parent, self.store.records().end())?;
            if bound == 0 {
                return Ok(Some(at));
            }
            if new {
                self.scores.push((expander.child_score(bound)?, at))?;
            }
        }
        Ok(None)
    }
}
