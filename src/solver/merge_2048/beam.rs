//! A quick solution that need not be the shortest: beam search.
//!
//! Layer by layer, only the most promising positions of those that one more slide reaches are kept: those
//! with the smallest bound, the fewest tiles, the least room. What it finds bounds the exact search from
//! above, which then has less to look at; and it is what is known when a limit ends that search.

use std::ops::Range;

use super::bound::NEVER;
use super::case::Task;
use super::charged::ChargedVec;
use super::expand::Expand;
use super::layers::{Found, slides_left};
use super::meter::Meter;
use super::path;
use super::store::{Address, Store};
use crate::board::sliding::Direction;
use crate::solver::Stop;

/// Slides after which the beam gives up: many times what boards of the published limits need, so that a board
/// without a solution does not keep it going round for ever.
const LAYERS_MAX: u64 = 400;

/// How promising a position is, the smallest first; its address makes the order total.
type Score = (u32, usize, usize, Address);

/// A position that was kept, and the one before it.
type Kept = (Address, Option<u32>);

/// Some solution of `task` of at most `slides_max` slides, or `None` where a beam of `width` positions a layer
/// meets none.
///
/// # Errors
/// The limit that was hit.
pub(super) fn search<E: Expand>(
    task: &Task<'_>,
    expander: &mut E,
    width: usize,
    slides_max: u64,
) -> Result<Option<Found>, Stop> {
    let mut beam = Beam {
        slides_max,
        store: Store::new(task.budget),
        kept: ChargedVec::new(task.budget),
        scores: ChargedVec::new(task.budget),
        meter: Meter::new(task.budget),
    };
    expander.begin(slides_left(slides_max, 0));
    let mut goal = beam.add_children(expander, 1, None)?;
    let mut slides = 1;
    while goal.is_none() && slides < slides_max.min(LAYERS_MAX) {
        let layer = beam.keep_best(width)?;
        if layer.is_empty() {
            break;
        }
        slides += 1;
        for parent in layer {
            let (record, _) = beam.store.record(beam.kept.as_slice()[parent as usize].0);
            expander.set_parent(record.key, record.spent, slides_left(slides_max, slides - 1));
            goal = beam.add_children(expander, slides, Some(parent))?;
            if goal.is_some() {
                break;
            }
        }
    }
    Ok(goal.map(|goal| (slides, task.witness.then(|| beam.way(task, expander, goal)).flatten())))
}

/// The positions met, and those kept.
struct Beam<'b> {
    slides_max: u64,
    store: Store<'b>,
    kept: ChargedVec<'b, Kept>,
    /// Of the positions that are new in the layer, with their parents.
    scores: ChargedVec<'b, (Score, Option<u32>)>,
    meter: Meter<'b>,
}

impl Beam<'_> {
    /// Scores what the slides of the parent that `expander` holds give: the goal, if met.
    fn add_children<E: Expand>(
        &mut self,
        expander: &mut E,
        slides: u64,
        parent: Option<u32>,
    ) -> Result<Option<Kept>, Stop> {
        self.meter.spend(expander.work())?;
        for direction in Direction::ALL {
            let Some(bound) = expander.slide(direction) else { continue };
            if bound >= NEVER || slides + u64::from(bound) > self.slides_max {
                continue;
            }
            let (key, spent) = expander.child_key();
            let (at, new) = self.store.insert(key, spent, self.store.end())?;
            if bound == 0 {
                return Ok(Some((at, parent)));
            }
            if new {
                let (tiles, area) = expander.child_size();
                self.scores.push(((bound, tiles, area, at), parent))?;
            }
        }
        Ok(None)
    }

    /// Keeps the best of the layer: their numbers.
    fn keep_best(&mut self, width: usize) -> Result<Range<u32>, Stop> {
        let scores = self.scores.as_mut_slice();
        let count = width.min(scores.len());
        if count < scores.len() {
            scores.select_nth_unstable(count);
        }
        scores[..count].sort_unstable();
        let start = self.kept.len() as u32;
        for &((_, _, _, at), parent) in &scores[..count] {
            self.kept.push((at, parent))?;
        }
        self.scores.clear();
        Ok(start..self.kept.len() as u32)
    }

    fn way<E: Expand>(&self, task: &Task<'_>, expander: &mut E, goal: Kept) -> Option<Vec<Direction>> {
        let mut keys = Vec::new();
        let mut next = Some(goal);
        while let Some((at, parent)) = next {
            keys.push(self.store.record(at).0.key);
            next = parent.map(|number| self.kept.as_slice()[number as usize]);
        }
        let keys = keys.into_iter().rev();
        path::slides(task.board, keys, |board, direction, key| expander.key_behind(board, direction, key))
    }
}
