//! One pass: breadth-first search among the positions whose estimate does not exceed a limit.
//!
//! The estimate of a position is the slides made plus the bound on those still needed. Layer after layer is
//! made of the positions that one more slide reaches for the first time, those beyond the limit left out. A
//! position is first reached by its fewest slides, so nothing needs to be put right later, and the first goal
//! has the fewest slides of all solutions within the limit. When there is none, every solution needs more
//! than the limit: breadth-first heuristic search of Zhou and Hansen (2006).
//!
//! No parents are stored. The way to a goal is found backwards: the positions of the layer before are slid
//! again until one of them gives the position that is wanted.

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
    /// No solution within the limit. Estimates beyond it were `beyond` and more; `None` when there was none,
    /// so that there is no solution at all.
    Exhausted {
        /// The least estimate left out.
        beyond: Option<u64>,
        /// Positions stored.
        positions: usize,
    },
}

/// Searches for a solution of at most `limit` slides, which is less than [`u32::MAX`].
///
/// # Errors
/// The limit of the budget that was hit.
pub(super) fn search<E: Expand>(task: &Task<'_>, expander: &mut E, limit: u64) -> Result<Pass, Stop> {
    let mut layers = Layers {
        store: Store::new(task.budget),
        starts: Vec::new(),
        limit,
        beyond: None,
        meter: Meter::new(task.budget),
    };
    expander.begin();
    let mut goal = layers.add_children(expander)?;
    while goal.is_none() {
        let (mut at, end) = (layers.starts[layers.starts.len() - 1], layers.store.end());
        if at == end {
            return Ok(Pass::Exhausted { beyond: layers.beyond, positions: layers.store.len() });
        }
        layers.starts.push(end);
        while at < end && goal.is_none() {
            let (record, next) = layers.store.record(at);
            expander.set_parent(record.key, record.spent);
            goal = layers.add_children(expander)?;
            at = next;
        }
    }
    let slides = layers.starts.len() as u64;
    let way = goal.filter(|_| task.witness).map(|goal| layers.way(task, expander, goal)).transpose()?;
    Ok(Pass::Found((slides, way.flatten())))
}

/// The positions found so far.
struct Layers<'b> {
    store: Store<'b>,
    /// Where each layer begins, that of one slide first.
    starts: Vec<Address>,
    limit: u64,
    /// The least estimate left out.
    beyond: Option<u64>,
    meter: Meter<'b>,
}

impl Layers<'_> {
    /// Adds what the slides of the parent that `expander` holds give to the last layer; the goal, if met.
    fn add_children<E: Expand>(&mut self, expander: &mut E) -> Result<Option<Address>, Stop> {
        if self.starts.is_empty() {
            self.starts.push(self.store.end());
        }
        let (slides, since) = (self.starts.len() as u64, self.starts[self.starts.len() - 1]);
        self.meter.spend(expander.work())?;
        for direction in Direction::ALL {
            let Some(bound) = expander.slide(direction) else { continue };
            let estimate = slides + u64::from(bound);
            if bound >= NEVER {
                continue;
            }
            if estimate > self.limit {
                self.beyond = Some(self.beyond.map_or(estimate, |beyond| beyond.min(estimate)));
                continue;
            }
            let (key, spent) = expander.child_key();
            let (at, _) = self.store.insert(key, spent, since)?;
            if bound == 0 {
                return Ok(Some(at));
            }
        }
        Ok(None)
    }

    /// The slides to `goal`, which is in the last layer.
    fn way<E: Expand>(
        &mut self,
        task: &Task<'_>,
        expander: &mut E,
        goal: Address,
    ) -> Result<Option<Vec<Direction>>, Stop> {
        let mut keys = vec![self.store.record(goal).0.key];
        for layer in self.starts.windows(2).rev() {
            let wanted = keys[keys.len() - 1];
            let (mut at, end) = (layer[0], layer[1]);
            let mut found = None;
            while at < end && found.is_none() {
                let (record, next) = self.store.record(at);
                expander.set_parent(record.key, record.spent);
                self.meter.spend(expander.work())?;
                let leads = Direction::ALL
                    .into_iter()
                    .any(|direction| expander.slide(direction).is_some() && expander.child_key().0 == wanted);
                found = leads.then_some(record.key);
                at = next;
            }
            let Some(key) = found else { return Ok(None) };
            keys.push(key);
        }
        let keys = keys.into_iter().rev();
        Ok(path::slides(task.board, keys, |board, direction, key| expander.key_behind(board, direction, key)))
    }
}
