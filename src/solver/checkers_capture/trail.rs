//! Trails through a component: long ones found at once, and the one that uses a given set of edges.

use std::collections::VecDeque;

use super::Pace;
use super::graph::Component;
use crate::solver::{Budget, Stop};

/// A trail as the vertices it visits, the start first.
pub type Trail = Vec<u32>;

/// A trail from `start`, found in linear time: always on to the square with the most ways out. Good where
/// the component is almost a tree.
///
/// # Errors
/// The limit that ended it.
pub fn walk(component: &Component, start: u32, budget: &Budget) -> Result<Trail, Stop> {
    let mut pace = Pace::new(budget);
    let mut unused = usable(component, start);
    let mut trail = vec![start];
    let mut vertex = start;
    loop {
        pace.step(1)?;
        let ways = |vertex: u32| component.links(vertex).filter(|&edge| unused[edge as usize]);
        let ways_behind = |edge: u32| ways(component.across(edge, vertex)).count();
        let best = ways(vertex).max_by_key(|&edge| (ways_behind(edge), std::cmp::Reverse(edge)));
        let Some(edge) = best else { return Ok(trail) };
        unused[edge as usize] = false;
        vertex = component.across(edge, vertex);
        trail.push(vertex);
    }
}

/// A trail from `start` that leaves out a short path between each odd vertex and the nearest other one, and
/// uses everything that is then connected with `start`. Good where the component has many circles.
///
/// # Errors
/// The limit that ended it: on a large component the ways between odd vertices may be long.
pub fn balanced(component: &Component, start: u32, budget: &Budget) -> Result<Trail, Stop> {
    let mut kept = usable(component, start);
    let degree =
        |vertex: u32, kept: &[bool]| component.links(vertex).filter(|&edge| kept[edge as usize]).count();
    let vertices = component.squares.len();
    let mut odd: Vec<bool> = (0..vertices as u32)
        .map(|vertex| vertex != start && !degree(vertex, &kept).is_multiple_of(2))
        .collect();
    // From which search a vertex is known, and the edge by which it was reached.
    let (mut known_from, mut reached_by) = (vec![u32::MAX; vertices], vec![0_u32; vertices]);
    let mut queue = VecDeque::new();
    let mut pace = Pace::new(budget);
    for from in 0..vertices as u32 {
        if !odd[from as usize] {
            continue;
        }
        queue.clear();
        queue.push_back(from);
        known_from[from as usize] = from;
        while let Some(vertex) = queue.pop_front() {
            pace.step(1)?;
            if vertex != from && odd[vertex as usize] {
                let mut back = vertex;
                while back != from {
                    let edge = reached_by[back as usize];
                    kept[edge as usize] = false;
                    back = component.across(edge, back);
                }
                (odd[from as usize], odd[vertex as usize]) = (false, false);
                break;
            }
            for edge in component.links(vertex).filter(|&edge| kept[edge as usize]) {
                let next = component.across(edge, vertex);
                if known_from[next as usize] != from {
                    known_from[next as usize] = from;
                    reached_by[next as usize] = edge;
                    queue.push_back(next);
                }
            }
        }
    }
    Ok(through(component, start, &kept))
}

/// The trail from `start` that uses exactly the edges in `chosen`, which must be connected, hold `start`,
/// and have no odd vertices except perhaps `start` and one other (Hierholzer 1873).
#[must_use]
pub fn through(component: &Component, start: u32, chosen: &[bool]) -> Trail {
    let mut unused = chosen.to_vec();
    let mut stack = vec![start];
    let mut trail = Vec::new();
    while let Some(&vertex) = stack.last() {
        let edge = component.links(vertex).find(|&edge| unused[edge as usize]);
        if let Some(edge) = edge {
            unused[edge as usize] = false;
            stack.push(component.across(edge, vertex));
        } else {
            trail.push(vertex);
            stack.pop();
        }
    }
    trail.reverse();
    trail
}

/// The edges that touch no own piece's square but `start`.
fn usable(component: &Component, start: u32) -> Vec<bool> {
    let free = |vertex: u32| vertex == start || !component.own[vertex as usize];
    component.edges.iter().map(|&[a, b]| free(a) && free(b)).collect()
}
