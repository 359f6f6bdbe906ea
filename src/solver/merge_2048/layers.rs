//! One pass: breadth-first search among the positions whose estimate does not exceed a limit.
//!
//! The estimate of a position is the slides made plus the bound on those still needed. Layer after layer is
//! made of the positions that one more slide reaches for the first time, those beyond the limit left out. A
//! position is first reached by its fewest slides, so nothing needs to be put right later, and the first goal
//! has the fewest slides of all solutions within the limit. When there is none, every solution needs more
//! than the limit: breadth-first heuristic search of Zhou and Hansen (2006).
//!
//! Positions whose estimate *is* the limit are more than half of all, and nineteen of twenty lead nowhere at
//! once. They are not stored, but searched depth-first when they are met: every slide must bring the bound
//! down by one, so that search is as short as the bound. It can meet one solution only, of as many slides as
//! the limit; then the limit falls by one and the pass goes on, to find a shorter one or to prove that there
//! is none.
//!
//! No parents are stored. The way to a goal is found backwards: the positions of the layer before are slid
//! again until one of them gives the position that is wanted.

use std::cmp::Ordering;

use super::bound::NEVER;
use super::case::Task;
use super::expand::Expand;
use super::meter::Meter;
use super::path;
use super::store::{Address, Store};
use crate::board::sliding::Direction;
use crate::solver::Stop;

/// A number of slides that suffices, and such slides where they are wanted.
pub(super) type Found = (u64, Option<Vec<Direction>>);

/// What a pass found.
pub(super) enum Pass {
    /// The shortest solution; none is shorter, whatever the limit.
    Found(Found),
    /// No solution within the limit.
    Exhausted {
        /// Nothing was beyond the limit, so there is no solution at all.
        complete: bool,
        /// Positions stored.
        positions: usize,
    },
}

/// Slides left of `slides_max` when `slides` are made, as far as a bound can tell.
pub(super) fn slides_left(slides_max: u64, slides: u64) -> u32 {
    u32::try_from(slides_max.saturating_sub(slides)).unwrap_or(NEVER)
}

/// Searches for a solution of at most `limit` slides, which are one at least and less than [`NEVER`].
///
/// # Errors
/// The limit of the budget that was hit.
pub(super) fn search<E: Expand>(task: &Task<'_>, expander: &mut E, limit: u64) -> Result<Pass, Stop> {
    let store = Store::new(task.budget);
    let starts = vec![store.end()];
    let meter = Meter::new(task.budget);
    let mut layers = Layers { store, starts, limit, complete: true, solution: None, meter };
    expander.begin(slides_left(limit, 0));
    let mut goal = layers.add_children(expander, None)?;
    while goal.is_none() {
        let (mut at, end) = (layers.starts[layers.starts.len() - 1], layers.store.end());
        if at == end {
            break;
        }
        let slides = layers.starts.len() as u64;
        layers.starts.push(end);
        while at < end && goal.is_none() {
            let (record, next) = layers.store.record(at);
            expander.set_parent(record.key, record.spent, slides_left(layers.limit, slides));
            goal = layers.add_children(expander, Some(at))?;
            at = next;
        }
    }
    // A goal of the layers has fewer slides than one met depth-first.
    let Some(solution) = goal.or(layers.solution.take()) else {
        return Ok(Pass::Exhausted { complete: layers.complete, positions: layers.store.len() });
    };
    let slides = solution.layer as u64 + solution.keys.len() as u64;
    let way = if task.witness { layers.way(task, expander, &solution)? } else { None };
    Ok(Pass::Found((slides, way)))
}

/// How a goal was met.
struct Solution {
    /// A stored position, `None` the first one, in the layer of so many slides.
    from: Option<Address>,
    layer: usize,
    /// The positions behind it, the goal first.
    keys: Vec<Vec<u8>>,
}

/// The positions found so far.
struct Layers<'b> {
    store: Store<'b>,
    /// Where each layer begins, that of one slide first.
    starts: Vec<Address>,
    limit: u64,
    /// Nothing was left out.
    complete: bool,
    /// Has one slide more than the limit has now.
    solution: Option<Solution>,
    meter: Meter<'b>,
}

impl Layers<'_> {
    /// Adds what the slides of the parent that `expander` holds, which is stored at `from`, give to the last
    /// layer. Gives a goal that is nearer than the limit.
    fn add_children<E: Expand>(
        &mut self,
        expander: &mut E,
        from: Option<Address>,
    ) -> Result<Option<Solution>, Stop> {
        let (slides, since) = (self.starts.len() as u64, self.starts[self.starts.len() - 1]);
        let layer = self.starts.len() - 1;
        self.meter.spend(expander.work())?;
        for direction in Direction::ALL {
            let Some(bound) = expander.slide(direction) else { continue };
            if bound >= NEVER {
                continue;
            }
            let estimate = slides + u64::from(bound);
            match estimate.cmp(&self.limit) {
                Ordering::Greater => self.complete = false,
                Ordering::Equal => {
                    let mut keys = Vec::new();
                    if self.descend(expander, bound, &mut keys)? {
                        self.solution = Some(Solution { from, layer, keys });
                        self.limit -= 1;
                    }
                }
                Ordering::Less => {
                    let (key, spent) = expander.child_key();
                    if bound == 0 {
                        return Ok(Some(Solution { from, layer, keys: vec![key.to_vec()] }));
                    }
                    self.store.insert(key, spent, since)?;
                }
            }
        }
        Ok(None)
    }

    /// Whether the position that `expander` made last is solved by `slides_left` slides, its bound. `keys` gets
    /// the positions on the way, the goal first.
    fn descend<E: Expand>(
        &mut self,
        expander: &mut E,
        slides_left: u32,
        keys: &mut Vec<Vec<u8>>,
    ) -> Result<bool, Stop> {
        let mut found = slides_left == 0;
        if !found {
            expander.descend(slides_left);
            self.meter.spend(expander.work())?;
            for direction in Direction::ALL {
                let Some(bound) = expander.slide(direction) else { continue };
                if bound >= slides_left {
                    self.complete &= bound >= NEVER;
                } else if self.descend(expander, bound, keys)? {
                    found = true;
                    break;
                }
            }
            expander.ascend();
        }
        if found {
            keys.push(expander.child_key().0.to_vec());
        }
        Ok(found)
    }

    /// The slides of a solution.
    fn way<E: Expand>(
        &mut self,
        task: &Task<'_>,
        expander: &mut E,
        solution: &Solution,
    ) -> Result<Option<Vec<Direction>>, Stop> {
        let mut keys: Vec<&[u8]> = solution.keys.iter().map(Vec::as_slice).collect();
        if let Some(from) = solution.from {
            keys.push(self.store.record(from).0.key);
            for layer in self.starts[..solution.layer].windows(2).rev() {
                let wanted = keys[keys.len() - 1];
                let (mut at, end) = (layer[0], layer[1]);
                let mut found = None;
                while at < end && found.is_none() {
                    let (record, next) = self.store.record(at);
                    expander.set_parent(record.key, record.spent, NEVER);
                    self.meter.spend(expander.work())?;
                    let leads = Direction::ALL.into_iter().any(|direction| {
                        expander.slide(direction).is_some() && expander.child_key().0 == wanted
                    });
                    found = leads.then_some(record.key);
                    at = next;
                }
                let Some(key) = found else { return Ok(None) };
                keys.push(key);
            }
        }
        let keys = keys.into_iter().rev();
        Ok(path::slides(task.board, keys, |board, direction, key| expander.key_behind(board, direction, key)))
    }
}
