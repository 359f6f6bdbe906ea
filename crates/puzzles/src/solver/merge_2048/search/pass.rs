//! One pass: breadth-first search among the positions whose estimate does not exceed a limit.
//!
//! The estimate of a position is the number of slides made plus the bound on those still needed. Each layer holds the
//! positions that one more slide reaches for the first time, without those whose estimate exceeds the limit. A position
//! is first reached by its fewest slides, so nothing needs to be corrected later, and the first goal has the fewest
//! slides of all solutions within the limit. If there is no goal, every solution needs more slides than the limit. This
//! is the breadth-first heuristic search of Zhou and Hansen (2006); docs/proofs/2048-merge.md, section 4, proves it.
//!
//! More than half of all positions have an estimate equal to the limit, and 19 of 20 of these are immediate dead ends.
//! They are not stored, but searched depth-first when they are found: every slide must lower the bound by one, so that
//! search is as short as the bound. When memory is scarce, positions with an estimate just below the limit are not
//! stored either. The search from them may waste as many slides as the estimate is below the limit, so it costs more
//! time. When it finds a solution, the limit becomes one slide less, and the pass goes on to find a shorter one or to
//! prove that there is none.

use super::solution_slides;
use super::store::{Address, Store};
use crate::board::sliding::Direction;
use crate::solver::Stop;
use crate::solver::merge_2048::position::Expand;
use crate::solver::merge_2048::search::{Slides, Solution, Task};

/// The most by which the estimate of a position that is not stored for lack of memory can be below the limit.
const SLACK_MAX: u64 = 3;

/// A goal, and the positions that lead to it.
struct Goal {
    /// The last stored position; `None` for the first position.
    from: Option<Address>,
    /// The positions after it, the goal first.
    tail: Vec<Vec<u8>>,
    slides: u64,
}

/// A pass, and the positions that it has found so far.
pub struct Pass<'t, 'b> {
    task: &'t Task<'b>,
    store: Store<'b>,
    /// The slides that lead to the layer in progress. Fewer slides are proved not to reach a goal.
    pub slides: u64,
    limit: u64,
    /// Bytes of memory that were left when the pass began.
    bytes: u64,
    /// Where the layer in progress begins.
    since: Address,
    /// Whether no estimate exceeded the limit. If so, and if the pass finds no solution, the board has none.
    pub complete: bool,
    /// A goal found depth-first; it has one slide more than the current limit.
    goal: Option<Goal>,
}

impl<'t, 'b> Pass<'t, 'b> {
    /// Creates a pass for solutions of at most `limit` slides; `limit` is at least 1.
    pub fn new(task: &'t Task<'b>, limit: u64) -> Self {
        let store = Store::new(task.budget);
        let since = store.records().end();
        let bytes = task.budget.memory_bytes_left();
        Self { task, store, slides: 1, limit, bytes, since, complete: true, goal: None }
    }

    /// Returns a shortest solution: none is shorter, whatever the limit. `None` if there is none within the limit.
    ///
    /// # Errors
    /// Returns the limit of the budget that was hit.
    pub fn search<E: Expand>(&mut self, expander: &mut E) -> Result<Option<Solution>, Stop> {
        expander.begin()?;
        let mut goal = self.add_children(expander, None)?;
        let mut at = Address::default();
        while goal.is_none() && at < self.store.records().end() {
            if at >= self.since {
                self.slides += 1;
                self.since = self.store.records().end();
            }
            let (record, next) = self.store.records().get_with_next(at);
            expander.set_parent(record.key, record.spent)?;
            goal = self.add_children(expander, Some(at))?;
            at = next;
        }
        // A goal in a layer has fewer slides than one found depth-first.
        let Some(goal) = goal.or(self.goal.take()) else { return Ok(None) };
        let mut found = Solution { count: goal.slides, slides: None };
        if self.task.slides != Slides::Unwanted {
            let records = self.store.records();
            let slides = solution_slides(self.task, expander, records, goal.from, &goal.tail);
            // The count is proved. It stays proved if the budget ends the search for the slides.
            found.slides = slides.unwrap_or(None);
        }
        Ok(Some(found))
    }

    /// Returns the number of stored positions.
    pub fn positions(&self) -> usize {
        self.store.len()
    }

    /// Slides the parent that `expander` holds, which is stored at `from`, and adds the new positions to the last
    /// layer. Returns a goal that takes fewer slides than the limit.
    fn add_children<E: Expand>(
        &mut self,
        expander: &mut E,
        from: Option<Address>,
    ) -> Result<Option<Goal>, Stop> {
        let slack = self.slack();
        for direction in Direction::ALL {
            let Some(bound) = expander.slide(direction)? else { continue };
            let estimate = self.slides + u64::from(bound);
            if estimate > self.limit {
                self.complete = false;
            } else if bound == 0 && estimate < self.limit {
                let tail = vec![expander.child_key()?.0.to_vec()];
                return Ok(Some(Goal { from, tail, slides: self.slides }));
            } else if self.limit - estimate <= slack {
                self.search_depth_first(expander, bound, from)?;
            } else {
                let (key, spent) = expander.child_key()?;
                self.store.insert(key, spent, from, self.since)?;
            }
        }
        Ok(None)
    }

    /// Returns how far below the limit the estimate of a position that is not stored can be: one more with each halving
    /// of the memory left. The memory left depends only on the stored positions, so the answer is reproducible.
    fn slack(&self) -> u64 {
        let left = self.task.budget.memory_bytes_left();
        (0..SLACK_MAX).take_while(|&halvings| left < self.bytes >> (halvings + 1)).count() as u64
    }

    /// Searches depth-first from the position that `expander` made last, whose bound is `bound` and whose parent is
    /// stored at `from`, for solutions within the limit. Each solution lowers the limit.
    fn search_depth_first<E: Expand>(
        &mut self,
        expander: &mut E,
        bound: u32,
        from: Option<Address>,
    ) -> Result<(), Stop> {
        while self.slides + u64::from(bound) <= self.limit {
            let (slides_left, mut tail) = (self.limit - self.slides, Vec::new());
            if !descend(expander, bound, slides_left, &mut tail, &mut self.complete)? {
                break;
            }
            // `tail` includes the first position, to which `self.slides` slides have already led.
            let slides = self.slides + tail.len() as u64 - 1;
            self.goal = Some(Goal { from, tail, slides });
            self.limit = slides - 1;
        }
        Ok(())
    }
}

/// Returns whether `slides_left` slides, at least `bound`, solve the position that `expander` made last. Pushes the
/// positions on the way to `tail`, the goal first. Clears `complete` if a position is left out.
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
    use super::*;
    use crate::board::sliding::SlidingBoard;
    use crate::solver::{Budget, Cancel, Charge};

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
}
