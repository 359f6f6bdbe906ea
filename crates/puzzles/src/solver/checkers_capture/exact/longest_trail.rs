//! The default algorithm: the longest trail from every own piece, proved.
//!
//! 1. Each own piece has a graph of its own ([`graph`], [`rooted`]). Quick trails give a first lower bound, counting
//!    odd vertices a first upper bound.
//! 2. What can be decided by itself is taken away; the *kernel* is left ([`kernel`]).
//! 3. Parity bounds what a trail through the kernel can gain ([`parity`]).
//! 4. If the bound is above the best trail, parts behind one edge or two are decided by themselves ([`kernel`]),
//!    and prices on being connected lower the bound and make better trails ([`parity`], [`trails`]).
//! 5. A search over the kernel under that bound keeps few states at first, then more and more, until no state
//!    is left out that could lead to a longer trail ([`frontier_search`]). On boards filled to 70 % and more the first
//!    or second pass mostly finds a trail as long as the bound; on sparser ones the kernel is small.
//!
//! Everything left aside has a proved bound, so a search that a limit ends has proved something too.
//!
//! Proofs: docs/proofs/checkers.md, sections 3 and 10.
//!
//! [`graph`]: super::graph
//! [`rooted`]: super::rooted
//! [`kernel`]: super::kernel
//! [`parity`]: super::parity
//! [`frontier_search`]: super::frontier_search
//! [`trails`]: super::trails

use std::cmp::Reverse;
use std::rc::Rc;

use super::circles;
use super::edge_sets::Gain;
use super::frontier_search::{Pass, Task};
use super::graph::Graph;
use super::kernel::{Kernel, without_parts};
use super::parity::{ParityCuts, Prices, Relaxation};
use super::plan::{Plan, WIDTH_MAX};
use super::rooted::{Regions, Rooted, Start};
use super::trails::{self, Components, Trail};
use crate::board::checkers::{CheckersBoard, OPPONENT};
use crate::solver::checkers_capture::capture::{Best, Interrupted};
use crate::solver::{Budget, Pace, Stop};

/// Own pieces for which a quick trail is tried.
const QUICK_STARTS_MAX: usize = 8;
/// Changes of prices without a better bound before they are made smaller, and the smallest.
const PRICE_IDLE_MAX: usize = 3;
const PRICE_STEP_MIN: i64 = 4;
/// States kept between two steps, in the first pass and at most.
const STATES_FIRST: usize = 128;
const STATES_MAX: usize = 1 << 28;
/// By how much each pass keeps more of them.
const STATES_FACTOR: usize = 8;

/// Returns the longest capture on `board`, with its path if that is wanted.
///
/// # Errors
/// The limit that ended the search, and what was proved until then.
pub fn solve(board: &CheckersBoard, path: bool, budget: &Budget) -> Result<Best, Interrupted> {
    solve_with(board, path, Effort { width_max: WIDTH_MAX, states_first: STATES_FIRST }, budget)
}

/// How far a search goes.
#[derive(Debug, Clone, Copy)]
struct Effort {
    /// A frontier of so many vertices is too wide.
    width_max: usize,
    /// States kept between two steps, in the first pass.
    states_first: usize,
}

fn solve_with(
    board: &CheckersBoard,
    path: bool,
    effort: Effort,
    budget: &Budget,
) -> Result<Best, Interrupted> {
    let mut pace = Pace::new(budget);
    let unprepared = |stop| Interrupted::new(stop, Best::default(), board.count(OPPONENT) as u64);
    let graph = Graph::new(board, &mut pace).map_err(unprepared)?;
    let regions = Regions::new(&graph, &mut pace).map_err(unprepared)?;
    let starts = regions.starts(&mut pace).map_err(unprepared)?;
    let mut search =
        Search { board, regions: &regions, path, effort, pace, best: Best::default(), at_most: 0 };
    for &start in starts.iter().take(QUICK_STARTS_MAX) {
        if let Err(stop) = search.try_quick_trail(start) {
            return Err(Interrupted::new(stop, search.best, u64::from(starts[0].bound)));
        }
    }
    let mut bounds: Vec<u64> = starts.iter().map(|start| u64::from(start.bound)).collect();
    let open = |bounds: &[u64], best: &Best| bounds.iter().filter(|&&bound| bound > best.captures).count();
    // If several pieces are left, what each could do at most is worth more than to decide the first.
    if open(&bounds, &search.best) > 1 {
        for (index, &start) in starts.iter().enumerate() {
            if let Err(stop) = search.bound(start) {
                return Err(Interrupted::new(stop, search.best, most(&bounds)));
            }
            bounds[index] = search.at_most;
        }
    }
    let mut order: Vec<usize> = (0..starts.len()).collect();
    order.sort_by_key(|&index| Reverse(bounds[index]));
    for index in order {
        search.at_most = bounds[index];
        if let Err(stop) = search.decide(starts[index]) {
            bounds[index] = search.at_most;
            return Err(Interrupted::new(stop, search.best, most(&bounds)));
        }
        bounds[index] = 0;
    }
    Ok(search.best)
}

/// Returns the largest of the bounds that are left.
fn most(bounds: &[u64]) -> u64 {
    bounds.iter().copied().max().unwrap_or(0)
}

struct Search<'a, 'b> {
    board: &'a CheckersBoard,
    regions: &'a Regions<'a, 'b>,
    path: bool,
    effort: Effort,
    pace: Pace<'b>,
    best: Best,
    /// No trail from the start in hand has more edges, unless the best one has.
    at_most: u64,
}

/// Prices, and the relaxations under them.
struct Priced<'k, 'b> {
    prices: Prices<'b>,
    /// The relaxation that proves the bound, if it is not the one without prices; and the last one.
    best: Option<Rc<Relaxation<'k, 'b>>>,
    last: Option<Rc<Relaxation<'k, 'b>>>,
}

impl<'b> Search<'_, 'b> {
    /// Tries a trail that costs next to nothing.
    fn try_quick_trail(&mut self, start: Start) -> Result<(), Stop> {
        if u64::from(start.bound) > self.best.captures {
            let graph = Rooted::new(self.regions, start, &mut self.pace)?;
            let trail = trails::balanced(&graph, &mut self.pace)?;
            self.improve(trail.len() as u64 - 1, || trail);
        }
        Ok(())
    }

    fn is_decided(&self) -> bool {
        self.at_most <= self.best.captures
    }

    /// Bounds the trails from `start` by parity, and tries those that come of it.
    fn bound(&mut self, start: Start) -> Result<(), Stop> {
        self.at_most = u64::from(start.bound);
        if !self.is_decided() {
            let graph = Rooted::new(self.regions, start, &mut self.pace)?;
            let kernel = Kernel::new(&graph, &mut self.pace)?;
            self.by_parity(&graph, &kernel)?;
        }
        Ok(())
    }

    /// Lowers the bound by parity, and tries the trails that come of it. Returns the relaxation of a kernel that has
    /// edges.
    fn by_parity<'k>(
        &mut self,
        graph: &Rooted<'_>,
        kernel: &'k Kernel<'_>,
    ) -> Result<Option<Relaxation<'k, 'b>>, Stop> {
        self.try_within(graph, kernel);
        let within = u64::from(kernel.within.edges);
        if kernel.edges.is_empty() {
            self.at_most = within;
            return Ok(None);
        }
        let relaxation = Relaxation::new(kernel, &mut self.pace)?;
        self.at_most = self.at_most.min(u64::from(relaxation.at_most).max(within));
        if !self.is_decided() {
            self.try_choice(graph, kernel, &relaxation)?;
        }
        Ok(Some(relaxation))
    }

    /// Finds the longest trail from `start`, if it is longer than the best so far. If a limit ends it, the bound holds.
    fn decide(&mut self, start: Start) -> Result<(), Stop> {
        if self.is_decided() {
            return Ok(());
        }
        let graph = Rooted::new(self.regions, start, &mut self.pace)?;
        let kernel = Kernel::new(&graph, &mut self.pace)?;
        self.by_parity(&graph, &kernel)?;
        if self.is_decided() {
            return Ok(());
        }
        // Only now: most dense boards are decided without it.
        let kernel = without_parts(kernel, &mut self.pace)?;
        let Some(relaxation) = self.by_parity(&graph, &kernel)? else { return Ok(()) };
        let mut priced = Priced { prices: Prices::new(&self.pace), best: None, last: None };
        self.price(&graph, &kernel, &relaxation, &mut priced)?;
        if self.is_decided() {
            return Ok(());
        }
        let place =
            |vertex: usize| self.board.place(graph.squares[kernel.vertices[vertex].origin as usize] as usize);
        let Some(plan) = Plan::new(&kernel, self.effort.width_max, place, &mut self.pace)? else {
            // Too wide for any search: prices begin anew with large changes, and trails come of them, until both meet
            // or a limit ends it.
            while !self.is_decided() {
                self.price(&graph, &kernel, &relaxation, &mut priced)?;
            }
            return Ok(());
        };
        let best = priced.best.as_deref().unwrap_or(&relaxation);
        let cuts = ParityCuts::new(best, &plan, &mut self.pace)?;
        self.pass_by_pass(&graph, &kernel, &plan, &cuts)
    }

    /// Tries the longest trail that meets no edge of the kernel.
    fn try_within(&mut self, graph: &Rooted<'_>, kernel: &Kernel<'_>) {
        self.improve(u64::from(kernel.within.edges), || {
            trails::through(graph, kernel.sets.spell_out([kernel.within]))
        });
    }

    /// Tries the trail that a cheapest T-join leaves, its components joined as far as it pays and a limit allows.
    fn try_choice(
        &mut self,
        graph: &Rooted<'_>,
        kernel: &Kernel<'_>,
        relaxation: &Relaxation<'_, '_>,
    ) -> Result<(), Stop> {
        let mut choice = relaxation.choice.clone();
        let connected = circles::connect(kernel, &mut choice, &mut self.pace);
        // Wherever it was ended, the choice is balanced.
        let components = Components::new(kernel, &choice);
        self.improve(u64::from(choice.worth(kernel, &components)), || {
            trails::through(graph, choice.graph_edges(kernel, &components))
        });
        connected
    }

    /// Lowers the bound by prices on being connected, and tries the trails that come of them.
    fn price<'k>(
        &mut self,
        graph: &Rooted<'_>,
        kernel: &'k Kernel<'_>,
        relaxation: &Relaxation<'_, '_>,
        priced: &mut Priced<'k, 'b>,
    ) -> Result<(), Stop> {
        let (mut step, mut idle) = (2 * Prices::STEP, 0);
        while !self.is_decided() && step >= PRICE_STEP_MIN {
            let current = priced.last.as_deref().unwrap_or(relaxation);
            let components = Components::new(kernel, &current.choice);
            let apart = components.vertices.get(1..).unwrap_or_default();
            priced.prices.follow(current, apart, step, &mut self.pace)?;
            let next = Rc::new(priced.prices.relax(kernel, &mut self.pace)?);
            idle += 1;
            if u64::from(next.at_most) < self.at_most {
                (self.at_most, idle) = (u64::from(next.at_most), 0);
                priced.best = Some(Rc::clone(&next));
            }
            self.try_choice(graph, kernel, &next)?;
            if idle >= PRICE_IDLE_MAX {
                (step, idle) = (step * 3 / 4, 0);
            }
            priced.last = Some(next);
        }
        Ok(())
    }

    /// Searches with more and more states.
    fn pass_by_pass(
        &mut self,
        graph: &Rooted<'_>,
        kernel: &Kernel<'_>,
        plan: &Plan<'_>,
        cuts: &ParityCuts<'_, '_>,
    ) -> Result<(), Stop> {
        let mut states_max = self.effort.states_first;
        while !self.is_decided() {
            // Passes end without a proof only if that many states would not be enough.
            if states_max >= STATES_MAX {
                return Err(Stop::MemoryLimit);
            }
            let task = Task {
                kernel,
                plan,
                cuts,
                edges_wanted: self.path,
                longer_than: self.best.captures as u32,
                states_max,
                budget: self.pace.budget(),
            };
            let mut pass = task.run();
            if pass.ended == Err(Stop::MemoryLimit) && self.path {
                self.improve_by(pass, graph, kernel);
                pass = self.without_path(&task);
            }
            let (ended, left_out_max) = (pass.ended, pass.left_out_max);
            self.improve_by(pass, graph, kernel);
            ended?;
            self.at_most = self.at_most.min(u64::from(left_out_max));
            states_max *= STATES_FACTOR;
        }
        Ok(())
    }

    /// The same pass without what only the path needs, and then the path by itself: that takes less when the length is
    /// known. If it does not fit all the same, no path is sought any more, as the number is worth more.
    fn without_path(&mut self, task: &Task<'_>) -> Pass {
        let longer_than = self.best.captures as u32;
        let mut pass = Task { edges_wanted: false, longer_than, ..*task }.run();
        if pass.longest > longer_than {
            let again = Task { longer_than: pass.longest - 1, ..*task }.run();
            // A pass with other limits may find a longer one.
            (pass.longest, pass.chosen) = (again.longest.max(pass.longest), again.chosen);
            self.path = pass.chosen.is_some();
        }
        pass
    }

    /// Keeps the trail that a pass found if it is the longest so far.
    fn improve_by(&mut self, pass: Pass, graph: &Rooted<'_>, kernel: &Kernel<'_>) {
        let trail = |chosen: Vec<Gain>| trails::through(graph, kernel.sets.spell_out(chosen));
        self.improve(u64::from(pass.longest), || pass.chosen.map_or_else(Trail::new, trail));
    }

    /// Keeps a trail if it is the longest so far, and its squares if they are wanted.
    fn improve(&mut self, captures: u64, trail: impl FnOnce() -> Trail) {
        if captures > self.best.captures {
            let path = if self.path { trail() } else { Trail::new() };
            self.best = Best { captures, path };
        }
    }
}

#[cfg(test)]
#[path = "longest_trail_tests.rs"]
mod tests;
#[cfg(test)]
#[path = "undecided_tests.rs"]
mod undecided_tests;
