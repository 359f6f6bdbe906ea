//! Circles that join the components of a balanced choice.
//!
//! To use the unused edges of a circle and to leave its used ones keeps the choice balanced. A circle that leaves a
//! component and comes back to it may join it to others. What the T-join has lost is the least, so a circle costs
//! something or nothing; it is worth it if it joins more to the root than it costs. Circles are short paths that
//! return, found by depth-first search around each component; the cheap ones are tried first.

use super::kernel::Kernel;
use super::trails::{Choice, Components, UNTOUCHED};
use crate::solver::{Pace, Stop};

/// The edges of a circle at most, in the first rounds and the last.
const LENGTHS: [usize; 4] = [4, 6, 8, 10];
/// Vertices of a component around which circles are sought, and circles of one component that are tried.
const SEEDS_MAX: usize = 64;
const TRIED_MAX: usize = 24;
/// Circles that are collected around one component.
const FOUND_MAX: usize = 512;

/// Joins components of `choice` to the root's as long as it pays.
///
/// # Errors
/// The limit that ended it; the choice is balanced all the same.
pub fn connect(kernel: &Kernel<'_>, choice: &mut Choice, pace: &mut Pace<'_>) -> Result<(), Stop> {
    let mut joining = Joining {
        kernel,
        components: Components::new(kernel, choice),
        choice,
        seen: vec![(0, 0); kernel.vertices.len()],
        round: 0,
        pace,
    };
    for length_max in LENGTHS {
        while joining.components.worth.len() > 1 && joining.round_of(length_max)? {}
    }
    Ok(())
}

struct Joining<'a, 'b> {
    kernel: &'a Kernel<'a>,
    choice: &'a mut Choice,
    components: Components,
    /// The round in which each vertex was seen last, and its group then.
    seen: Vec<(u32, u32)>,
    round: u32,
    pace: &'a mut Pace<'b>,
}

/// A search for circles through a vertex.
struct CircleSearch {
    start: usize,
    length_max: usize,
    cost_max: i64,
    /// The edges from the start so far.
    path: Vec<usize>,
    /// Circles by their edges, each with its cost.
    found: Vec<(i64, Vec<usize>)>,
}

impl Joining<'_, '_> {
    /// Tries circles around every component but the root's; whether one was of use.
    fn round_of(&mut self, length_max: usize) -> Result<bool, Stop> {
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
                    self.components = Components::new(self.kernel, self.choice);
                    self.pace.count(8 * self.kernel.edges.len())?;
                    improved = true;
                    break;
                }
            }
        }
        Ok(improved)
    }

    /// Collects the circles that begin at the start of `search` with an unused edge out of its component, and go on
    /// from `at`, to which its path costs `cost`.
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

    /// Goes round a circle if that is a gain.
    fn is_gain(&mut self, cost: i64, circle: &[usize]) -> Result<bool, Stop> {
        let kernel = self.kernel;
        let mut vertices: Vec<usize> = circle.iter().flat_map(|&edge| kernel.edges[edge].ends).collect();
        vertices.sort_unstable();
        vertices.dedup();
        let mut before: Vec<u32> = vertices.iter().map(|&vertex| self.components.of[vertex]).collect();
        before.sort_unstable();
        before.dedup();
        before.retain(|&component| component != UNTOUCHED);
        if before.len() < 2 {
            return Ok(false);
        }
        let touches_root = before[0] == 0;
        let apart = |components: &[u32]| -> i64 {
            let worth = components.iter().filter(|&&component| component != 0);
            worth.map(|&component| i64::from(self.components.worth[component as usize])).sum()
        };
        let apart_before = apart(&before);
        if touches_root && apart_before <= cost || !touches_root && cost > 0 {
            return Ok(false);
        }
        self.flip(circle);
        let left = self.left_apart(&vertices)?;
        let is_gain = match left {
            // Without the root's component all that counts is that components become fewer.
            Some((groups, _)) if !touches_root => groups < before.len(),
            Some((_, apart)) => apart_before - apart > cost,
            None => false,
        };
        if !is_gain {
            self.flip(circle);
        }
        Ok(is_gain)
    }

    fn flip(&mut self, circle: &[usize]) {
        for &edge in circle {
            self.choice.used[edge] ^= true;
        }
    }

    /// Returns how many components meet `vertices`, and what they are worth without the root's. One component is not
    /// followed to its end, and counts as the root's; `None` if the root is in another one.
    fn left_apart(&mut self, vertices: &[usize]) -> Result<Option<(usize, i64)>, Stop> {
        self.round += 1;
        let kernel = self.kernel;
        let mut groups: Vec<Group> = Vec::new();
        for &vertex in vertices {
            // The root is in a component even if the circle has taken its last edges.
            if vertex == kernel.root || kernel.links.of(vertex).any(|edge| self.choice.used[edge]) {
                self.seen[vertex] = (self.round, groups.len() as u32);
                groups.push(Group { into: groups.len(), queue: vec![vertex], at: 0 });
            }
        }
        let mut open: Vec<usize> = (0..groups.len()).collect();
        let mut done = Vec::new();
        // All grow in turn, until one is left.
        while open.len() > 1 {
            let mut index = 0;
            while index < open.len() && open.len() > 1 {
                let group = open[index];
                let Some(&vertex) = groups[group].queue.get(groups[group].at) else {
                    done.push(group);
                    open.swap_remove(index);
                    continue;
                };
                groups[group].at += 1;
                self.pace.count(4)?;
                for edge in kernel.links.of(vertex).filter(|&edge| self.choice.used[edge]) {
                    let next = kernel.across(edge, vertex);
                    if self.seen[next].0 != self.round {
                        self.seen[next] = (self.round, group as u32);
                        groups[group].queue.push(next);
                        continue;
                    }
                    let other = find(&groups, self.seen[next].1 as usize);
                    if other != group {
                        groups[other].into = group;
                        let Group { queue, at, .. } = std::mem::take(&mut groups[other]);
                        groups[other].into = group;
                        // Vertices already visited go before the others.
                        let mut merged = queue[..at].to_vec();
                        merged.append(&mut groups[group].queue);
                        merged.extend_from_slice(&queue[at..]);
                        groups[group].queue = merged;
                        groups[group].at += at;
                        open.retain(|&open| open != other);
                    }
                }
                index = open.iter().position(|&other| other == group).map_or(index, |at| at + 1);
            }
        }
        let mut apart = 0;
        for &group in &done {
            let mut worth = 0;
            for &vertex in &groups[group].queue {
                if vertex == kernel.root {
                    return Ok(None);
                }
                let used = kernel.links.of(vertex).filter(|&edge| self.choice.used[edge]);
                worth += used.map(|edge| i64::from(kernel.edges[edge].whole.edges)).sum::<i64>();
                worth += 2 * i64::from(kernel.vertices[vertex].loops.edges);
            }
            apart += worth / 2;
        }
        Ok(Some((done.len() + open.len(), apart)))
    }
}

/// Vertices that are connected, as far as is known.
#[derive(Debug, Default)]
struct Group {
    /// The group it has become a part of, or itself.
    into: usize,
    /// Its vertices; those from `at` on are still to be visited.
    queue: Vec<usize>,
    at: usize,
}

fn find(groups: &[Group], mut group: usize) -> usize {
    while groups[group].into != group {
        group = groups[group].into;
    }
    group
}

#[cfg(test)]
#[path = "circles_tests.rs"]
mod tests;
