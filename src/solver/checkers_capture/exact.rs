//! The default algorithm: quick long trails first, then for each component that could hold a longer one the
//! frontier search, asked for less and less until it finds what it is asked for.
//!
//! The first target is the parity bound, which dense boards often reach; few states survive under it. Each
//! failed pass proves a smaller bound, so that a search cut short has proved something too.

use super::frontier::Plan;
use super::graph::{Component, components};
use super::trail::{self, Trail};
use super::{Best, Cut};
use crate::board::checkers::{CheckersBoard, OPPONENT};
use crate::solver::{Budget, Stop};

/// Own pieces of a component from which a quick trail is tried.
const QUICK_STARTS_MAX: usize = 8;
/// What a plan takes for each edge while both its directions are weighed.
const PLAN_EDGE_BYTES: u64 = 128;

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
    // The component with the largest bound that had to be given up for want of memory.
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

impl Search<'_> {
    /// Tries a few trails that cost next to nothing.
    fn try_quick_trails(&mut self, component: &Component) -> Result<(), Stop> {
        if u64::from(component.edges_max) <= self.best.captures {
            return Ok(());
        }
        for (bound, start) in component.starts().into_iter().take(QUICK_STARTS_MAX) {
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
    ///
    /// On a limit: that, and what no trail of the component exceeds.
    fn decide(&mut self, component: &Component) -> Result<(), (Stop, u64)> {
        let plan_bytes = PLAN_EDGE_BYTES * component.edges.len() as u64;
        let charged = self.budget.check().and_then(|()| self.budget.charge(plan_bytes));
        charged.map_err(|stop| (stop, u64::from(component.edges_max)))?;
        let result = self.decide_by_frontier(component);
        self.budget.release(plan_bytes);
        result
    }

    fn decide_by_frontier(&mut self, component: &Component) -> Result<(), (Stop, u64)> {
        let mut at_most = u64::from(component.edges_max);
        let cut = |at_most| move |stop| (stop, at_most);
        let place = |square| self.board.place(square as usize);
        let plan = Plan::new(component, place, self.budget).map_err(cut(at_most))?;
        let mut slack = 0;
        while at_most > self.best.captures {
            let target = at_most.saturating_sub(slack).max(self.best.captures + 1);
            let pass = plan.longest(target as u32, self.witness, self.budget).map_err(cut(at_most))?;
            let longest = u64::from(pass.longest);
            if longest > self.best.captures {
                let chosen = pass.chosen.unwrap_or_default();
                self.improve(component, longest, || through(component, &chosen));
            }
            if longest >= target {
                break;
            }
            at_most = (target - 1).min(longest.max(u64::from(pass.dropped_max)));
            slack = 2 * slack + 1;
        }
        Ok(())
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

/// The trail of the chosen edges, from the one own piece's square they touch.
fn through(component: &Component, chosen: &[bool]) -> Trail {
    let ends = component.edges.iter().zip(chosen).filter(|(_, chosen)| **chosen).flat_map(|(edge, _)| edge);
    let start = ends.copied().find(|&vertex| component.own[vertex as usize]);
    start.map_or_else(Trail::new, |start| trail::through(component, start, chosen))
}
