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
//! down by one, so that search is as short as the bound. When memory grows scarce, neither are those whose estimate
//! is near the limit: the search from them may make as many slides more, and costs time instead. A solution that
//! it meets lowers the limit to one slide less, and the pass goes on, to find a shorter one or to prove that there is
//! none.
//!
//! Positions are handled in batches. What follows from each by itself is found by all threads that are idle, what
//! depends on those before it in their order: neither the answer nor the positions stored depend on the number of threads.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use super::batch::{self, Sheet};
use super::solution_slides;
use super::store::{Address, Store};
use crate::board::sliding::Direction;
use crate::solver::merge_2048::position::Expand;
use crate::solver::merge_2048::task::{Found, Slides, Task};
use crate::solver::{Charge, Stop};

/// The most by which the estimate of a position may be below the limit if it is not stored for want of memory.
const SLACK_MAX: u64 = 3;

/// Positions of a batch, unless their keys are long.
const PARENTS_A_BATCH: usize = 4096;
/// Fewer positions are handled one after the other: threads take a while to begin.
const PARENTS_SHARED: usize = 256;
/// Bytes of the keys of a batch, those of a word with each included.
const BATCH_BYTES: u64 = 512 << 10;
/// Bytes that what is made of a batch takes, about eight times its own; where less than so many times as much is left, positions are
/// handled one after the other.
const MADE_BYTES: u64 = 4 << 20;
const MADE_PART: u64 = 16;
/// A batch takes such a part of the memory that is left at most, so that the slack rises in time.
const BATCH_PART: u64 = 64;

/// How far a pass goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Reach {
    /// Slides that lead to the positions of the layer that is being made.
    slides: u64,
    limit: u64,
    /// How far below the limit the estimate of a position may be that is not stored.
    slack: u64,
}

/// What becomes of a position.
enum Fate {
    /// It is beyond the limit.
    LeftOut,
    /// It is a goal within the limit.
    Goal,
    /// What is behind it is searched at once.
    Searched,
    Stored,
}

impl Reach {
    fn fate(self, bound: u32) -> Fate {
        let estimate = self.slides + u64::from(bound);
        if estimate > self.limit {
            Fate::LeftOut
        } else if bound == 0 && estimate < self.limit {
            Fate::Goal
        } else if self.limit - estimate <= self.slack {
            Fate::Searched
        } else {
            Fate::Stored
        }
    }
}

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
    reach: Reach,
    /// What the pass had when it began.
    bytes: u64,
    /// For what is made of a batch, from the first one on that is large.
    made: Option<Charge<'b>>,
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
        let reach = Reach { slides: 1, limit, slack: 0 };
        Self { task, store, reach, bytes, made: None, since, complete: true, goal: None }
    }

    /// Returns the shortest solution; none is shorter, whatever the limit. `None` when there is none within the limit.
    ///
    /// # Errors
    /// The limit of the budget that was hit.
    pub fn search<E: Expand + Sync>(&mut self, expander: &mut E) -> Result<Option<Found>, Stop> {
        expander.begin()?;
        let mut goal = self.add_children(expander, None)?;
        let (mut at, mut parents) = (Address::default(), Vec::new());
        while goal.is_none() && at < self.store.records().end() {
            self.reach.slides += 1;
            self.since = self.store.records().end();
            while goal.is_none() && at < self.since {
                let bytes_max = BATCH_BYTES.min(self.task.budget.memory_bytes_left() / BATCH_PART);
                let mut bytes = 0;
                parents.clear();
                while at < self.since && parents.len() < PARENTS_A_BATCH && bytes <= bytes_max {
                    let (record, next) = self.store.records().get_with_next(at);
                    bytes += (record.key.len() + size_of::<u64>()) as u64;
                    parents.push(at);
                    at = next;
                }
                goal = self.add_children_of(expander, &parents)?;
            }
        }
        // A goal of the layers has fewer slides than one met depth-first.
        let Some(goal) = goal.or(self.goal.take()) else { return Ok(None) };
        let mut found = Found { count: goal.slides, slides: None };
        if self.task.slides != Slides::Unwanted {
            let records = self.store.records();
            let slides = solution_slides(self.task, expander, records, goal.from, &goal.tail);
            // The answer is known by now, and stays so if a limit leaves its slides unknown.
            found.slides = slides.unwrap_or(None);
        }
        Ok(Some(found))
    }

    /// Returns whether nothing was beyond the limit, so there is no solution at all if none was found.
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// Positions stored.
    pub fn positions(&self) -> usize {
        self.store.len()
    }

    /// Fewer slides lead to no goal, as far as the pass went.
    pub fn slides(&self) -> u64 {
        self.reach.slides
    }

    /// Adds what the slides of `parents` give to the last layer. Gives a goal that is nearer than the limit.
    fn add_children_of<E: Expand + Sync>(
        &mut self,
        expander: &mut E,
        parents: &[Address],
    ) -> Result<Option<Goal>, Stop> {
        self.reach.slack = self.slack();
        let (reach, made) = (self.reach, self.make(expander, parents)?);
        for (index, parents) in batch::sheets(parents).enumerate() {
            let mut done = 0;
            // What was made for a limit that has fallen since is made again.
            let sheet = made.as_ref().and_then(|made| made.get(index)?.get());
            if let Some(sheet) = sheet.filter(|_| self.reach == reach) {
                for (parent, key, spent, ()) in sheet.children() {
                    self.store.insert(key, spent, Some(parents[parent]), self.since)?;
                }
                done = sheet.parents();
            }
            for &at in &parents[done..] {
                let record = self.store.records().get(at);
                expander.set_parent(record.key, record.spent)?;
                let goal = self.add_children(expander, Some(at))?;
                if goal.is_some() {
                    return Ok(goal);
                }
            }
        }
        Ok(None)
    }

    /// What the slides of `parents` give, if several threads make them: each by itself, those left that lead to a
    /// solution, and those that were not begun when one was met.
    fn make<E: Expand + Sync>(
        &mut self,
        expander: &E,
        parents: &[Address],
    ) -> Result<Option<Vec<OnceLock<Sheet<()>>>>, Stop> {
        let budget = self.task.budget;
        if parents.len() < PARENTS_SHARED {
            return Ok(None);
        }
        // Whether or not there is help, so that the memory that is left does not depend on it.
        if self.made.is_none() {
            if budget.memory_bytes_left() < MADE_PART * MADE_BYTES {
                return Ok(None);
            }
            self.made = Some(Charge::new(MADE_BYTES, budget)?);
        }
        let (reach, incomplete) = (self.reach, AtomicBool::new(false));
        let visit = |expander: &mut E, sheet: &mut Sheet<()>| {
            let mut complete = true;
            for direction in Direction::ALL {
                let Some(bound) = expander.slide(direction)? else { continue };
                match reach.fate(bound) {
                    Fate::LeftOut => complete = false,
                    Fate::Goal => return Ok(false),
                    Fate::Searched => {
                        let slides_left = reach.limit - reach.slides;
                        if descend(expander, bound, slides_left, &mut Vec::new(), &mut complete)? {
                            return Ok(false);
                        }
                    }
                    Fate::Stored => {
                        let (key, spent) = expander.child_key()?;
                        sheet.push(key, spent, ());
                    }
                }
            }
            if !complete {
                incomplete.store(true, Ordering::Relaxed);
            }
            Ok(true)
        };
        let made = batch::make(expander, self.store.records(), budget, parents, visit)?;
        self.complete &= !incomplete.into_inner();
        Ok(made)
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
            match self.reach.fate(bound) {
                Fate::LeftOut => self.complete = false,
                Fate::Goal => {
                    let tail = vec![expander.child_key()?.0.to_vec()];
                    return Ok(Some(Goal { from, tail, slides: self.reach.slides }));
                }
                Fate::Searched => self.search_behind(expander, bound, from)?,
                Fate::Stored => {
                    let (key, spent) = expander.child_key()?;
                    self.store.insert(key, spent, from, self.since)?;
                }
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
        while self.reach.slides + u64::from(bound) <= self.reach.limit {
            let (slides_left, mut tail) = (self.reach.limit - self.reach.slides, Vec::new());
            if !descend(expander, bound, slides_left, &mut tail, &mut self.complete)? {
                break;
            }
            // The first of the positions is one that so many slides have led to.
            let slides = self.reach.slides + tail.len() as u64 - 1;
            self.goal = Some(Goal { from, tail, slides });
            self.reach.limit = slides - 1;
        }
        Ok(())
    }
}

/// Whether the position that `expander` made last, whose bound is known, is solved by `slides_left` slides, which are no
/// fewer. `tail` gets the positions on the way, the goal first; if any is left out, what was done is not `complete`.
fn descend<E: Expand>(
    expander: &mut E,
    bound: u32,
    slides_left: u64,
    tail: &mut Vec<Vec<u8>>,
    complete: &mut bool,
) -> Result<bool, Stop> {
    let mut found = bound == 0;
    if !found {
        expander.descend()?;
        for direction in Direction::ALL {
            let Some(next) = expander.slide(direction)? else { continue };
            if u64::from(next) >= slides_left {
                *complete = false;
            } else if descend(expander, next, slides_left - 1, tail, complete)? {
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::board::sliding::SlidingBoard;
    use crate::solver::merge_2048::generate;
    use crate::solver::merge_2048::position::ExpandLanes;
    use crate::solver::{Budget, Cancel, Random, Threads};

    #[test]
    fn the_slack_rises_by_one_with_each_halving_of_the_memory() {
        const BYTES: u64 = 1 << 20;
        let board = SlidingBoard::new(2, vec![1, 1, 0, 0]);
        let budget = &Budget::new(None, None, BYTES, Cancel::default());
        let slides = Slides::Unwanted;
        let task = Task { board: &board, rank_max: 2, moves_max: 9, at_least: 1, slides, budget };
        let pass = Pass::new(&task, 9);
        assert_eq!(pass.bytes, BYTES);
        let lefts = [BYTES, BYTES / 2, BYTES / 2 - 1, BYTES / 4, BYTES / 4 - 1, BYTES / 8, BYTES / 8 - 1, 0];
        for (left, slack) in lefts.into_iter().zip([0, 0, 1, 1, 2, 2, 3, 3]) {
            let charge = Charge::new(BYTES - left, budget).unwrap();
            assert_eq!(pass.slack(), slack, "{left} bytes left");
            drop(charge);
        }
    }

    /// Threads meet the solutions at the limit that one after the other meets, and no others.
    #[test]
    fn threads_miss_no_solution_at_the_limit() {
        let mut random = Random::new(4);
        let mut shared = 0;
        while shared < 12 {
            let values = generate::case(49, random.between(30, 40), &mut random);
            let sum: u64 = values.iter().sum();
            if !sum.is_power_of_two() {
                continue;
            }
            let ranks = values.iter().map(|&value| if value == 0 { 0 } else { value.ilog2() as u8 + 1 });
            let board = SlidingBoard::new(7, ranks.collect());
            let rank_max = sum.ilog2() as u8 + 1;
            let found = |limit: u64, threads: usize| {
                let budget = Budget::unlimited().helped_by(&Arc::new(Threads::new(threads)));
                let slides = Slides::Needed;
                let task =
                    Task { board: &board, rank_max, moves_max: limit, at_least: 1, slides, budget: &budget };
                let mut pass = Pass::new(&task, limit);
                let mut expander = ExpandLanes::<u128>::new(&board, rank_max, &budget).unwrap();
                let found = pass.search(&mut expander).unwrap();
                (found, pass.made.is_some())
            };
            let Some(limit) = (1..16).find(|&limit| found(limit, 1).0.is_some()) else { continue };
            let (with_help, made) = found(limit, 3);
            assert_eq!(with_help, found(limit, 1).0, "{board:?}");
            shared += usize::from(made);
        }
    }
}
