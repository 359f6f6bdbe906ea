//! Joins the components of a balanced [`Choice`] by circles. A circle is a closed trail in the kernel.
//!
//! Exchanging the used and unused edges of a circle keeps the choice balanced. If a circle leaves a component and comes
//! back to it, the exchange can join the component to others. The choice leaves out as few edges as possible, so a
//! circle costs 0 edges or more. A circle pays if it joins more edges to the root than it costs. A depth-first search
//! around each component finds short circles, and the cheapest are tried first.
//!
//! Proofs: docs/proofs/checkers.md, section 7.7.

use super::kernel::Kernel;
use super::trails::{Choice, Components, UNTOUCHED};
use crate::solver::{Pace, Stop};

/// Maximum number of edges of a circle, in successive rounds.
const LENGTHS: [usize; 4] = [4, 6, 8, 10];
/// Maximum number of vertices of a component from which circles are searched.
const SEEDS_MAX: usize = 64;
/// Maximum number of circles per component that are tried.
const TRIED_MAX: usize = 24;
/// Maximum number of circles per component that are collected.
const FOUND_MAX: usize = 512;

/// Joins components of `choice` to the root's component as long as a circle pays.
///
/// # Errors
/// Returns the limit that ended the search. The choice is balanced even then.
pub fn connect(kernel: &Kernel<'_>, choice: &mut Choice, pace: &mut Pace<'_>) -> Result<(), Stop> {
    let mut joining = Joining { kernel, components: Components::new(kernel, choice), choice, pace };
    for length_max in LENGTHS {
        while joining.components.worth.len() > 1 && joining.try_round(length_max)? {}
    }
    Ok(())
}

struct Joining<'a, 'b> {
    kernel: &'a Kernel<'a>,
    choice: &'a mut Choice,
    components: Components,
    pace: &'a mut Pace<'b>,
}

/// A search for circles through a vertex.
struct CircleSearch {
    start: usize,
    length_max: usize,
    cost_max: i64,
    /// The edges of the current path from the start.
    path: Vec<usize>,
    /// The circles found: cost, and edges in ascending order.
    found: Vec<(i64, Vec<usize>)>,
}

impl Joining<'_, '_> {
    /// Tries circles around every component except the root's. Returns whether one paid.
    fn try_round(&mut self, length_max: usize) -> Result<bool, Stop> {
        let mut seeds: Vec<u32> = self.components.vertices[1..].iter().map(|vertices| vertices[0]).collect();
        seeds.sort_by_key(|&seed| self.components.worth[self.components.of[seed as usize] as usize]);
        let mut improved = false;
        for seed in seeds {
            let component = self.components.of[seed as usize];
            if component == 0 || component == UNTOUCHED {
                continue;
            }
            let cost_max = i64::from(self.components.worth[component as usize]) - 1;
            let mut search =
                CircleSearch { start: 0, length_max, cost_max, path: Vec::new(), found: Vec::new() };
            for at in 0..self.components.vertices[component as usize].len().min(SEEDS_MAX) {
                let start = self.components.vertices[component as usize][at] as usize;
                search.start = start;
                self.circles(&mut search, start, 0)?;
            }
            let mut circles = search.found;
            circles.sort_unstable();
            circles.dedup();
            for (cost, circle) in circles.into_iter().take(TRIED_MAX) {
                if self.is_gain(cost, &circle)? {
                    improved = true;
                    break;
                }
            }
        }
        Ok(improved)
    }

    /// Collects the circles that begin with the path of `search`. The path leads to `at` and costs `cost`. The first
    /// edge of a circle is unused and leaves the component of the start.
    fn circles(&mut self, search: &mut CircleSearch, at: usize, cost: i64) -> Result<(), Stop> {
        self.pace.count(4)?;
        let kernel = self.kernel;
        for edge in kernel.links.of(at) {
            if search.found.len() >= FOUND_MAX || search.path.contains(&edge) {
                continue;
            }
            let next = kernel.across(edge, at);
            let leaves = self.components.of[next] != self.components.of[search.start];
            if search.path.is_empty() && (self.choice.used[edge] || !leaves) {
                continue;
            }
            let length = i64::from(kernel.edges[edge].whole.edges);
            let cost = if self.choice.used[edge] { cost + length } else { cost - length };
            search.path.push(edge);
            if next == search.start {
                if cost <= search.cost_max {
                    let mut circle = search.path.clone();
                    circle.sort_unstable();
                    search.found.push((cost, circle));
                }
            } else if search.path.len() < search.length_max {
                self.circles(search, next, cost)?;
            }
            search.path.pop();
        }
        Ok(())
    }

    /// Exchanges the edges of a circle if that pays, and returns whether it did. It pays if the root's component gains
    /// edges, or if fewer components are left at no cost.
    fn is_gain(&mut self, cost: i64, circle: &[usize]) -> Result<bool, Stop> {
        let (kernel, components) = (self.kernel, &self.components);
        let ends = circle.iter().flat_map(|&edge| kernel.edges[edge].ends);
        let mut met: Vec<u32> = ends.map(|end| components.of[end]).collect();
        met.sort_unstable();
        met.dedup();
        met.retain(|&component| component != UNTOUCHED);
        let meets_root = met.first() == Some(&0);
        let others = met.iter().filter(|&&component| component != 0);
        let gain_max: i64 = others.map(|&component| i64::from(components.worth[component as usize])).sum();
        if met.len() < 2 || meets_root && gain_max <= cost || !meets_root && cost > 0 {
            return Ok(false);
        }
        self.flip(circle);
        self.pace.count(8 * kernel.edges.len())?;
        let after = Components::new(kernel, self.choice);
        let is_gain = if meets_root {
            after.worth[0] > self.components.worth[0]
        } else {
            after.worth.len() < self.components.worth.len()
        };
        if is_gain {
            self.components = after;
        } else {
            self.flip(circle);
        }
        Ok(is_gain)
    }

    fn flip(&mut self, circle: &[usize]) {
        for &edge in circle {
            self.choice.used[edge] ^= true;
        }
    }
}

#[cfg(test)]
#[path = "circles_tests.rs"]
mod tests;
