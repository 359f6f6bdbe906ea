//! Trails through a component: long ones found at once, and the one that uses a given set of edges.

use super::graph::Component;

/// A trail as the vertices it visits, the start first.
pub type Trail = Vec<u32>;

/// A long trail from `start`, found in linear time: always on to the square with the most ways out, then
/// closed detours are put in where the trail left something behind.
#[must_use]
pub fn greedy(component: &Component, start: u32) -> Trail {
    let mut walker = Walker::new(component, start);
    let mut open = walker.walk(start);
    let mut trail = Vec::with_capacity(open.len());
    while let Some(vertex) = open.pop() {
        // Only a detour that returns can be put in; what it used behind its last return is lost.
        let detour = walker.walk(vertex);
        match detour.iter().rposition(|&at| at == vertex) {
            Some(closed @ 1..) => open.extend_from_slice(&detour[..=closed]),
            _ => trail.push(vertex),
        }
    }
    trail.reverse();
    trail
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

struct Walker<'a> {
    component: &'a Component,
    start: u32,
    used: Vec<bool>,
}

impl<'a> Walker<'a> {
    fn new(component: &'a Component, start: u32) -> Self {
        Self { component, start, used: vec![false; component.edges.len()] }
    }

    /// Walks from `vertex` over unused edges until it is stuck.
    fn walk(&mut self, mut vertex: u32) -> Trail {
        let mut trail = vec![vertex];
        while let Some((edge, next)) = self.best_way(vertex) {
            self.used[edge as usize] = true;
            vertex = next;
            trail.push(vertex);
        }
        trail
    }

    fn best_way(&self, vertex: u32) -> Option<(u32, u32)> {
        self.ways(vertex).max_by_key(|&(edge, next)| (self.ways(next).count(), std::cmp::Reverse(edge)))
    }

    fn ways(&self, vertex: u32) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.component
            .links(vertex)
            .filter(|&edge| !self.used[edge as usize])
            .map(move |edge| (edge, self.component.across(edge, vertex)))
            .filter(|&(_, next)| next == self.start || !self.component.own[next as usize])
    }
}
