//! One pass: breadth-first search among the positions whose estimate does not exceed a limit.
//!
//! The estimate of a position is the slides made plus the bound on those still needed. Layer after layer is
//! made of the positions that one more slide reaches for the first time, those beyond the limit left out. A
//! position is first reached by its fewest slides, so nothing needs to be put right later, and the first goal
//! has the fewest slides of all solutions within the limit. When there is none, every solution needs more
//! than the limit: breadth-first heuristic search of Zhou and Hansen (2006).
//! docs/proofs/2048-merge.md, section 4, proves it.
//!
//! Positions whose estimate *is* the limit are more than half of all, and nineteen of twenty lead nowhere at
//! once. They are not stored, but searched depth-first when they are met: every slide must bring the bound
//! down by one, so that search is as short as the bound. Where memory grows scarce, neither are those whose estimate
//! is near the limit: the search from them may make as many slides more, and costs time instead. A solution that
//! it meets lowers the limit to one slide less, and the pass goes on, to find a shorter one or to prove that there is
//! none.

use super::path;
use super::records::Address;
use super::store::Store;
use crate::board::sliding::Direction;
use crate::solver::Stop;
use crate::solver::merge_2048::position::Expand;
use crate::solver::merge_2048::task::{Found, Slides, Task};

/// The most by which the estimate of a position may be below the limit where it is not stored for want of memory.
const SLACK_MAX: u64 = 3;

/// How a goal was met.
struct Goal {
    /// A stored position, `None` the first one.
    from: Option<Address>,
    /// The positions behind it, the goal first.
    tail: Vec<Vec<u8>>,
    slides: u64,
}

/// A pass, and the positions that it found so far.
pub struct Pass<'t, 'b> {
    task: &'t Task<'b>,
    store: Store<'b>,
    limit: u64,
    /// What the pass had when it began.
    bytes: u64,
    /// Slides that lead to the positions of the layer that is being made.
    slides: u64,
    /// Where that layer begins.
    since: Address,
    /// Nothing was left out.
    complete: bool,
    /// Has one slide more than the limit has now.
    goal: Option<Goal>,
}

impl<'t, 'b> Pass<'t, 'b> {
    /// For solutions of at most `limit` slides, which are one at least.
    pub fn new(task: &'t Task<'b>, limit: u64) -> Self {
        let store = Store::new(task.budget);
        let since = store.records().end();
        let bytes = task.budget.memory_bytes_left();
        Self { task, store, limit, bytes, slides: 1, since, complete: true, goal: None }
    }

    /// The shortest solution; none is shorter, whatever the limit. `None` when there is none within the limit.
    ///
    /// # Errors
    /// The limit of the budget that was hit.
    pub fn search<E: Expand>(&mut self, expander: &mut E) -> Result<Option<Found>, Stop> {
        expander.begin()?;
        let mut goal = self.add_children(expander, None)?;
        let mut at = Address::default();
        while goal.is_none() && at < self.store.records().end() {
            self.slides += 1;
            self.since = self.store.records().end();
            while goal.is_none() && at < self.since {
                let (record, next) = self.store.records().get_with_next(at);
                expander.set_parent(record.key, record.spent)?;
                goal = self.add_children(expander, Some(at))?;
                at = next;
            }
        }
        // A goal of the layers has fewer slides than one met depth-first.
        let Some(goal) = goal.or(self.goal.take()) else { return Ok(None) };
        let mut found = Found { count: goal.slides, slides: None };
        if self.task.slides != Slides::Unwanted {
            let records = self.store.records();
            let slides = path::slides(self.task, expander, records, goal.from, &goal.tail);
            // The answer is known by now, and stays so where a limit leaves its slides unknown.
            found.slides = slides.unwrap_or(None);
        }
        Ok(Some(found))
    }

    /// Whether nothing was beyond the limit, so that there is no solution at all where none was found.
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// Positions stored.
    pub fn positions(&self) -> usize {
        self.store.len()
    }

    /// Fewer slides lead to no goal, as far as the pass went.
    pub fn slides(&self) -> u64 {
        self.slides
    }

    /// Adds what the slides of the parent that `expander` holds, which is stored at `from`, give to the last
    /// layer. Gives a goal that is nearer than the limit.
    fn add_children<E: Expand>(
        &mut self,
        expander: &mut E,
        from: Option<Address>,
    ) -> Result<Option<Goal>, Stop> {
        for direction in Direction::ALL {
            let Some(bound) = expander.slide(direction)? else { continue };
            let estimate = self.slides + u64::from(bound);
            if estimate > self.limit {
                self.complete = false;
            } else if bound == 0 && estimate < self.limit {
                let tail = vec![expander.child_key()?.0.to_vec()];
                return Ok(Some(Goal { from, tail, slides: estimate }));
            } else if self.limit - estimate <= self.slack() {
                self.search_behind(expander, bound, from)?;
            } else {
                let (key, spent) = expander.child_key()?;
                self.store.insert(key, spent, from, self.since)?;
            }
        }
        Ok(None)
    }

    /// How far below the limit the estimate of a position may be that is not stored: one more with each halving of the
    /// memory that is left. That depends on the positions alone, so neither does the answer depend on anything else.
    fn slack(&self) -> u64 {
        let left = self.task.budget.memory_bytes_left();
        (0..SLACK_MAX).take_while(|&halvings| left < self.bytes >> (halvings + 1)).count() as u64
    }

    /// Searches what is behind the position that `expander` made last, whose bound is known and which is made from that
    /// at `from`, for solutions within the limit, which falls with each.
    fn search_behind<E: Expand>(
        &mut self,
        expander: &mut E,
        bound: u32,
        from: Option<Address>,
    ) -> Result<(), Stop> {
        while self.slides + u64::from(bound) <= self.limit {
            let (slides_left, mut tail) = (self.limit - self.slides, Vec::new());
            if !self.descend(expander, bound, slides_left, &mut tail)? {
                break;
            }
            // The first of the positions is one that so many slides have led to.
            let slides = self.slides + tail.len() as u64 - 1;
            self.goal = Some(Goal { from, tail, slides });
            self.limit = slides - 1;
        }
        Ok(())
    }

    /// Whether the position that `expander` made last, whose bound is known, is solved by `slides_left` slides, which are no
    /// fewer. `tail` gets the positions on the way, the goal first.
    fn descend<E: Expand>(
        &mut self,
        expander: &mut E,
        bound: u32,
        slides_left: u64,
        tail: &mut Vec<Vec<u8>>,
    ) -> Result<bool, Stop> {
        let mut found = bound == 0;
        if !found {
            expander.descend()?;
            for direction in Direction::ALL {
                let Some(next) = expander.slide(direction)? else { continue };
                if u64::from(next) >= slides_left {
                    self.complete = false;
                } else if self.descend(expander, next, slides_left - 1, tail)? {
                    found = true;
                    break;
                }
            }
            expander.ascend();
        }
        if found {
            tail.push(expander.child_key()?.0.to_vec());
        }
        Ok(found)
    }
}
