//! The default algorithm: the longest trail from every own piece, proved.
//!
//! 1. The board falls into components, and each own piece has a graph of its own in them ([`graph`],
//!    [`rooted`]). Quick trails give a first lower bound, counting odd vertices a first upper bound.
//! 2. What can be decided by itself is taken away; the *kernel* is left ([`kernel`]).
//! 3. Parity bounds what a trail through the kernel can gain: by a table where the frontier is narrow
//!    ([`parity_table`]), by odd cuts where it is not ([`parity_cuts`]).
//! 4. A search over the kernel under that bound keeps few states at first, then more and more, until no state
//!    is left out that could lead to a longer trail ([`search`]). On boards filled to 70 % and more the first
//!    or second pass mostly finds a trail as long as the bound; on sparser ones the kernel is small.
//!
//! Everything left aside has a proved bound, so a search that a limit ends has proved something too.
//!
//! [`graph`]: super::graph
//! [`rooted`]: super::rooted
//! [`kernel`]: super::kernel
//! [`parity_table`]: super::parity_table
//! [`parity_cuts`]: super::parity_cuts
//! [`search`]: super::search

use super::graph::{Component, components};
use super::kernel::{self, Kernel};
use super::parity_cuts::ParityCuts;
use super::parity_table::ParityTable;
use super::plan::{self, Plan};
use super::rooted::{self, Rooted};
use super::search::{Bound, Task};
use super::trail::{self, Trail};
use super::{Best, Cut};
use crate::board::checkers::{CheckersBoard, OPPONENT};
use crate::solver::{Budget, Stop};

/// Own pieces of a component from which a quick trail is tried.
const QUICK_STARTS_MAX: usize = 8;
/// States kept between two steps, in the first pass and at most.
const STATES_FIRST: usize = 128;
const STATES_MAX: usize = 1 << 28;
/// By how much each pass keeps more of them.
const STATES_FACTOR: usize = 8;
/// Up to so many values the table of parities is made at once; it takes about 5 ns a value.
const TABLE_VALUES_CHEAP: f64 = 2e6;
/// Up to so many it is made where the other bound has not led to a proof with so many states kept.
const TABLE_VALUES_MAX: f64 = 1e8;
const STATES_BEFORE_TABLE: usize = 8192;

/// The longest capture on `board`, with its path if `witness`.
///
/// # Errors
/// The limit that ended the search, and what was proved until then.
pub fn solve(board: &CheckersBoard, witness: bool, budget: &Budget) -> Result<Best, Cut> {
    let mut search = Search { board, witness, budget, best: Best::default() };
    let components = match components(board, budget) {
        Ok(components) => components,
        Err(stop) => return Err(Cut::new(stop, search.best, board.count(OPPONENT) as u64)),
    };
    let bound = |index: usize| components.get(index).map_or(0, |component| u64::from(component.edges_max));
    for component in &components {
        if let Err(stop) = search.try_quick_trails(component) {
            return Err(Cut::new(stop, search.best, bound(0)));
        }
    }
    // The largest bound of what had to be given up for want of memory.
    let mut given_up = 0;
    for (index, component) in components.iter().enumerate() {
        if u64::from(component.edges_max) <= search.best.captures {
            break;
        }
        match search.decide(component) {
            Ok(()) => {}
            Err((Stop::MemoryLimit, at_most)) => given_up = given_up.max(at_most),
            Err((stop, at_most)) => {
                let at_most = at_most.max(given_up).max(bound(index + 1));
                return Err(Cut::new(stop, search.best, at_most));
            }
        }
    }
    if given_up > search.best.captures {
        return Err(Cut::new(Stop::MemoryLimit, search.best, given_up));
    }
    Ok(search.best)
}

struct Search<'a> {
    board: &'a CheckersBoard,
    witness: bool,
    budget: &'a Budget,
    best: Best,
}

/// The limit that ended something, and what no trail left undecided exceeds.
type Undecided = (Stop, u64);

impl Search<'_> {
    /// Tries a few trails that cost next to nothing.
    fn try_quick_trails(&mut self, component: &Component) -> Result<(), Stop> {
        if u64::from(component.edges_max) <= self.best.captures {
            return Ok(());
        }
        for &(bound, start) in component.starts().iter().take(QUICK_STARTS_MAX) {
            self.budget.check()?;
            if u64::from(bound) <= self.best.captures {
                break;
            }
            let trail = trail::walk(component, start, self.budget)?;
            self.improve(component, trail.len() as u64 - 1, || trail);
            if u64::from(bound) > self.best.captures {
                let trail = trail::balanced(component, start, self.budget)?;
                self.improve(component, trail.len() as u64 - 1, || trail);
            }
        }
        Ok(())
    }

    /// Finds the longest trail of `component`, if it is longer than the best so far.
    fn decide(&mut self, component: &Component) -> Result<(), Undecided> {
        let mut given_up = 0;
        for &(bound, start) in component.starts() {
            let bound = u64::from(bound);
            if bound <= self.best.captures {
                break;
            }
            let result = self.decide_from(component, start, bound);
            match result {
                Ok(()) => {}
                Err((Stop::MemoryLimit, at_most)) => given_up = at_most.max(given_up),
                // The starts that follow have no larger bound.
                Err((stop, _)) => return Err((stop, bound.max(given_up))),
            }
        }
        if given_up > self.best.captures { Err((Stop::MemoryLimit, given_up)) } else { Ok(()) }
    }

    /// Finds the longest trail from `start`, if it is longer than the best so far.
    fn decide_from(&mut self, component: &Component, start: u32, bound: u64) -> Result<(), Undecided> {
        let bytes =
            component.edges.len() as u64 * (rooted::EDGE_BYTES + kernel::EDGE_BYTES + plan::EDGE_BYTES);
        let charged = self.budget.check().and_then(|()| self.budget.charge(bytes));
        charged.map_err(|stop| (stop, bound))?;
        let result = self.decide_kernel(component, start, bound);
        self.budget.release(bytes);
        result
    }

    fn decide_kernel(&mut self, component: &Component, start: u32, bound: u64) -> Result<(), Undecided> {
        let cut = |stop| (stop, bound);
        let graph = Rooted::new(component, start, self.budget).map_err(cut)?;
        let kernel = Kernel::new(&graph, self.budget).map_err(cut)?;
        let within = u64::from(kernel.within.edges);
        self.improve(component, within, || {
            let mut counts = vec![0; graph.edges.len()];
            kernel.sets.count(kernel.within, &mut counts);
            let chosen: Vec<bool> = counts.into_iter().map(|count| count > 0).collect();
            through(component, &graph, &chosen)
        });
        if kernel.root.is_none() {
            return Ok(());
        }
        let place = |vertex: usize| {
            let square = component.squares[graph.vertices[kernel.vertices[vertex].origin as usize] as usize];
            self.board.place(square as usize)
        };
        let plan = Plan::new(&kernel, place, self.budget).map_err(cut)?;
        // A frontier too wide for any plan is one that no memory could bear either.
        let plan = plan.ok_or((Stop::MemoryLimit, bound))?;
        let rooted = RootedKernel { component, graph: &graph, kernel: &kernel, plan: &plan };
        self.decide_by_passes(&rooted, bound)
    }

    fn decide_by_passes(&mut self, rooted: &RootedKernel<'_>, bound: u64) -> Result<(), Undecided> {
        let RootedKernel { kernel, plan, .. } = *rooted;
        let values = ParityTable::values(plan);
        let table_fits = ParityTable::can_hold(kernel);
        let mut states_max = STATES_FIRST;
        let mut bound = bound;
        if !table_fits || values > TABLE_VALUES_CHEAP {
            let cuts = ParityCuts::new(kernel, plan, self.budget).map_err(|stop| (stop, bound))?;
            let enough =
                if table_fits && values <= TABLE_VALUES_MAX { STATES_BEFORE_TABLE } else { STATES_MAX };
            bound = self.pass_by_pass(rooted, &cuts, bound, &mut states_max, enough)?;
        }
        if bound > self.best.captures {
            let table = ParityTable::new(kernel, plan, self.budget).map_err(|stop| (stop, bound))?;
            bound = self.pass_by_pass(rooted, &table, bound, &mut states_max, STATES_MAX)?;
        }
        // Passes end without a proof only where that many states would not be enough.
        if bound > self.best.captures { Err((Stop::MemoryLimit, bound)) } else { Ok(()) }
    }

    /// Searches with more and more states, up to `enough`; the upper bound that is proved in the end.
    fn pass_by_pass(
        &mut self,
        rooted: &RootedKernel<'_>,
        gains: &dyn Bound,
        bound: u64,
        states_max: &mut usize,
        enough: usize,
    ) -> Result<u64, Undecided> {
        let mut bound = bound.min(u64::from(gains.gain_max(0, 0).unwrap_or(0)));
        while bound > self.best.captures && *states_max < enough {
            let task = Task {
                kernel: rooted.kernel,
                plan: rooted.plan,
                bound: gains,
                graph_edges: self.witness.then_some(rooted.graph.edges.len()),
                longer_than: self.best.captures as u32,
                states_max: *states_max,
                budget: self.budget,
            };
            let pass = task.run().map_err(|stop| (stop, bound))?;
            if let Some(found) = pass.longest {
                let chosen = found.chosen.unwrap_or_default();
                let captures = u64::from(found.edges);
                self.improve(rooted.component, captures, || through(rooted.component, rooted.graph, &chosen));
            }
            bound = bound.min(u64::from(pass.left_out_max)).max(self.best.captures);
            *states_max = states_max.saturating_mul(STATES_FACTOR);
        }
        Ok(bound)
    }

    /// Keeps a trail if it is the longest so far, and its squares if they are wanted.
    fn improve(&mut self, component: &Component, captures: u64, trail: impl FnOnce() -> Trail) {
        if captures > self.best.captures {
            self.best.captures = captures;
            if self.witness {
                let square = |vertex: u32| component.squares[vertex as usize] as usize;
                self.best.path = trail().into_iter().map(square).collect();
            }
        }
    }
}

/// All that belongs to one start.
struct RootedKernel<'a> {
    component: &'a Component,
    graph: &'a Rooted,
    kernel: &'a Kernel,
    plan: &'a Plan,
}

/// The trail of the chosen edges of a graph, as vertices of the component.
fn through(component: &Component, graph: &Rooted, chosen: &[bool]) -> Trail {
    let mut of_component = vec![false; component.edges.len()];
    for (&edge, &chosen) in graph.edge_numbers.iter().zip(chosen) {
        of_component[edge as usize] = chosen;
    }
    trail::through(component, graph.vertices[graph.start as usize], &of_component)
}

#[cfg(test)]
#[path = "exact_tests.rs"]
mod tests;
