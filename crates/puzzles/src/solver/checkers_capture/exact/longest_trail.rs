//! The default algorithm: finds and proves the longest trail of all own pieces.
//!
//! 1. Each own piece has a graph of its own ([`graph`]). Counting odd vertices gives a first upper bound.
//! 2. Parts of the graph that can be decided on their own are removed. The rest is the *kernel* ([`kernel`]).
//! 3. Parity bounds what a trail through the kernel can gain ([`parity`]).
//! 4. If the bound is above the best trail, larger parts behind one edge or two are decided on their own ([`kernel`]).
//!    Then Lagrangian prices on disconnected parts lower the bound and lead to longer trails ([`parity`], [`trails`]).
//! 5. If the bound is still above the best trail, a search over the kernel looks for longer ones ([`frontier_search`]).
//!
//! Every trail that is not tried has a proved bound, so even a search that a limit ends proves an upper bound.
//!
//! Proofs: docs/proofs/checkers.md, sections 3 and 10.
//!
//! [`graph`]: super::graph
//! [`kernel`]: super::kernel
//! [`parity`]: super::parity
//! [`frontier_search`]: super::frontier_search
//! [`trails`]: super::trails

use std::cmp::Reverse;
use std::rc::Rc;

use super::circles;
use super::edge_sets::Gain;
use super::frontier_search::{BestTrail, Task};
use super::graph::{Graph, Graphs, Start};
use super::kernel::{Kernel, without_parts};
use super::parity::{ParityCuts, Prices, Relaxation};
use super::plan::{Plan, WIDTH_MAX};
use super::trails::{self, Components, Trail};
use crate::board::checkers::{CheckersBoard, OPPONENT};
use crate::solver::checkers_capture::capture::{Best, Interrupted};
use crate::solver::{Budget, Pace, Stop};

/// After this many price changes without a better bound, the step is reduced.
const PRICE_IDLE_MAX: usize = 3;
/// The smallest step, scaled as the prices are.
const PRICE_STEP_MIN: i64 = 4;

/// Returns the longest capture on `board`, with its path if `path`.
///
/// # Errors
/// The limit that ended the search, and what was proved until then.
pub fn solve(board: &CheckersBoard, path: bool, budget: &Budget) -> Result<Best, Interrupted> {
    solve_with(board, path, WIDTH_MAX, budget)
}

fn solve_with(
    board: &CheckersBoard,
    path: bool,
    width_max: usize,
    budget: &Budget,
) -> Result<Best, Interrupted> {
    let mut pace = Pace::new(budget);
    let unprepared = |stop| Interrupted::new(stop, Best::default(), board.count(OPPONENT) as u64);
    let mut graphs = Graphs::new(board, &pace).map_err(unprepared)?;
    let starts = graphs.starts(&mut pace).map_err(unprepared)?;
    let mut search = Search { board, graphs, path, width_max, pace, best: Best::default(), at_most: 0 };
    let mut bounds: Vec<u64> = starts.iter().map(|start| u64::from(start.bound)).collect();
    let open = |bounds: &[u64], best: &Best| bounds.iter().filter(|&&bound| bound > best.captures).count();
    // If several pieces are open, bounds for all of them are worth more than deciding the first.
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

/// Returns the largest bound; 0 if there is none.
fn most(bounds: &[u64]) -> u64 {
    bounds.iter().copied().max().unwrap_or(0)
}

struct Search<'a, 'b> {
    board: &'a CheckersBoard,
    graphs: Graphs<'a, 'b>,
    path: bool,
    /// A kernel whose frontier reaches this many vertices is not searched.
    width_max: usize,
    pace: Pace<'b>,
    best: Best,
    /// No trail from the current start is longer than this or `best`, whichever is longer.
    at_most: u64,
}

impl<'b> Search<'_, 'b> {
    fn is_decided(&self) -> bool {
        self.at_most <= self.best.captures
    }

    /// Bounds the trails from `start` by parity, and tries the trails that the relaxation leads to.
    fn bound(&mut self, start: Start) -> Result<(), Stop> {
        self.at_most = u64::from(start.bound);
        if !self.is_decided() {
            let graph = self.graphs.of(start.square, &mut self.pace)?;
            let kernel = Kernel::new(&graph, &mut self.pace)?;
            self.bound_by_parity(&graph, &kernel)?;
        }
        Ok(())
    }

    /// Lowers the bound by parity, and tries the trails that the relaxation leads to. Returns the relaxation; `None` if
    /// the kernel has no edges.
    fn bound_by_parity<'k>(
        &mut self,
        graph: &Graph<'_>,
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

    /// Finds the longest trail from `start` if it is longer than `best`. If a limit ends this, `at_most` still holds.
    fn decide(&mut self, start: Start) -> Result<(), Stop> {
        if self.is_decided() {
            return Ok(());
        }
        let graph = self.graphs.of(start.square, &mut self.pace)?;
        let kernel = Kernel::new(&graph, &mut self.pace)?;
        self.bound_by_parity(&graph, &kernel)?;
        if self.is_decided() {
            return Ok(());
        }
        // Parts come after parity, which decides most dense boards without them.
        let kernel = without_parts(kernel, &mut self.pace)?;
        let Some(relaxation) = self.bound_by_parity(&graph, &kernel)? else { return Ok(()) };
        let mut prices = Prices::new(&self.pace);
        let mut priced = self.price(&graph, &kernel, &mut prices, Rc::new(relaxation))?;
        if self.is_decided() {
            return Ok(());
        }
        let place =
            |vertex: usize| self.board.place(graph.squares[kernel.vertices[vertex].origin as usize] as usize);
        let Some(plan) = Plan::new(&kernel, self.width_max, place, &mut self.pace)? else {
            // The frontier is too wide for a search. Restart the prices with large steps, which lead to new bounds and
            // trails, until the bound meets the best trail or a limit ends the loop.
            while !self.is_decided() {
                priced = self.price(&graph, &kernel, &mut prices, priced)?;
            }
            return Ok(());
        };
        let cuts = ParityCuts::new(&priced, &plan, &mut self.pace)?;
        self.search(&graph, &kernel, &plan, &cuts)
    }

    /// Tries the longest trail that uses no edge of the kernel.
    fn try_within(&mut self, graph: &Graph<'_>, kernel: &Kernel<'_>) {
        self.improve(u64::from(kernel.within.edges), || {
            trails::through(graph, kernel.sets.spell_out([kernel.within]))
        });
    }

    /// Tries the trail that a cheapest T-join leaves, after circles have joined components to it. A limit can end the
    /// joining early.
    fn try_choice(
        &mut self,
        graph: &Graph<'_>,
        kernel: &Kernel<'_>,
        relaxation: &Relaxation<'_, '_>,
    ) -> Result<(), Stop> {
        let mut choice = relaxation.choice.clone();
        let connected = circles::connect(kernel, &mut choice, &mut self.pace);
        // The choice is balanced even if a limit ended the joining.
        let components = Components::new(kernel, &choice);
        self.improve(u64::from(choice.worth(kernel, &components)), || {
            trails::through(graph, choice.graph_edges(kernel, &components))
        });
        connected
    }

    /// Lowers the bound by prices on disconnected parts, and tries the trails that the choices under prices leave.
    /// Starts from a relaxation under the current prices, and returns the one with the lowest bound.
    fn price<'k>(
        &mut self,
        graph: &Graph<'_>,
        kernel: &'k Kernel<'_>,
        prices: &mut Prices<'b>,
        mut relaxation: Rc<Relaxation<'k, 'b>>,
    ) -> Result<Rc<Relaxation<'k, 'b>>, Stop> {
        let mut best = Rc::clone(&relaxation);
        let (mut step, mut idle) = (2 * Prices::STEP, 0);
        while !self.is_decided() && step >= PRICE_STEP_MIN {
            let components = Components::new(kernel, &relaxation.choice);
            let apart = components.vertices.get(1..).unwrap_or_default();
            prices.follow(&relaxation, apart, step, &mut self.pace)?;
            relaxation = Rc::new(prices.relax(kernel, &mut self.pace)?);
            idle += 1;
            if u64::from(relaxation.at_most) < self.at_most {
                (self.at_most, idle) = (u64::from(relaxation.at_most), 0);
                best = Rc::clone(&relaxation);
            }
            self.try_choice(graph, kernel, &relaxation)?;
            if idle >= PRICE_IDLE_MAX {
                (step, idle) = (step * 3 / 4, 0);
            }
        }
        Ok(best)
    }

    /// Searches the kernel for a trail that is longer than `best`.
    fn search(
        &mut self,
        graph: &Graph<'_>,
        kernel: &Kernel<'_>,
        plan: &Plan<'_>,
        cuts: &ParityCuts<'_, '_>,
    ) -> Result<(), Stop> {
        let longer_than = self.best.captures as u32;
        let budget = self.pace.budget();
        let task = Task { kernel, plan, cuts, edges_wanted: self.path, longer_than, budget };
        let mut found = task.run();
        if found.ended == Err(Stop::MemoryLimit) && self.path {
            // The number matters more than the path: search again without the path.
            self.improve_by(found, graph, kernel);
            let longer_than = self.best.captures as u32;
            found = Task { edges_wanted: false, longer_than, ..task }.run();
        }
        let ended = found.ended;
        self.improve_by(found, graph, kernel);
        ended?;
        self.at_most = self.best.captures;
        Ok(())
    }

    /// Keeps the result of a search if it is the longest trail so far.
    fn improve_by(&mut self, found: BestTrail, graph: &Graph<'_>, kernel: &Kernel<'_>) {
        let trail = |chosen: Vec<Gain>| trails::through(graph, kernel.sets.spell_out(chosen));
        self.improve(u64::from(found.longest), || found.chosen.map_or_else(Trail::new, trail));
    }

    /// Keeps a trail if it is the longest so far, with its squares if `path`.
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
