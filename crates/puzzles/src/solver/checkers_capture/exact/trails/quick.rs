//! Trails through a graph: a long one found at once, and the one that uses a given set of edges.
//!
//! Proofs: docs/proofs/checkers.md, section 4.

use std::collections::VecDeque;

use super::super::graph::across;
use super::super::rooted::Rooted;
use crate::solver::{Charge, Pace, Stop};

/// The squares a piece visits, its start first.
pub type Trail = Vec<usize>;

/// A trail that leaves out a short path between each odd vertex and the nearest other one, and uses everything
/// that is then connected with the start. Good where the graph has many circles.
///
/// # Errors
/// The limit that ended it: on a large graph the ways between odd vertices may be long.
pub fn balanced(graph: &Rooted<'_>, pace: &mut Pace<'_>) -> Result<Trail, Stop> {
    /// Whether an edge is kept, and the trail in the making and made.
    const EDGE_BYTES: usize = size_of::<bool>() + size_of::<u32>() + size_of::<usize>();
    /// Whether a vertex is odd, how it was reached, and the queue.
    const VERTEX_BYTES: usize = size_of::<bool>() + 2 * size_of::<u32>() + size_of::<usize>();

    let vertices = graph.squares.len();
    let bytes = graph.edges.len() * EDGE_BYTES + vertices * VERTEX_BYTES;
    let _working = Charge::new(bytes as u64, pace.budget())?;
    let mut kept = vec![true; graph.edges.len()];
    let is_odd = |vertex| vertex != graph.start && !graph.links.of(vertex as usize).count().is_multiple_of(2);
    let mut odd: Vec<bool> = (0..vertices as u32).map(is_odd).collect();
    // From which search a vertex is known, and the edge by which it was reached.
    let (mut known_from, mut reached_by) = (vec![u32::MAX; vertices], vec![0; vertices]);
    let mut queue = VecDeque::new();
    for from in 0..vertices as u32 {
        if !odd[from as usize] {
            continue;
        }
        queue.clear();
        queue.push_back(from);
        known_from[from as usize] = from;
        while let Some(vertex) = queue.pop_front() {
            pace.count(1)?;
            if vertex != from && odd[vertex as usize] {
                let mut back = vertex;
                while back != from {
                    let edge = reached_by[back as usize];
                    kept[edge] = false;
                    back = across(graph.edges[edge], back);
                }
                (odd[from as usize], odd[vertex as usize]) = (false, false);
                break;
            }
            for (edge, next) in graph.links(vertex).filter(|&(edge, _)| kept[edge]) {
                if known_from[next as usize] != from {
                    known_from[next as usize] = from;
                    reached_by[next as usize] = edge;
                    queue.push_back(next);
                }
            }
        }
    }
    Ok(through(graph, kept))
}

/// The trail from the start that uses exactly the edges in `unused`, as far as they are connected with the start.
/// They must have no odd vertices except perhaps the start and one other (Hierholzer 1873).
#[must_use]
pub fn through(graph: &Rooted<'_>, mut unused: Vec<bool>) -> Trail {
    let mut stack = vec![graph.start];
    let mut trail = Vec::new();
    while let Some(&vertex) = stack.last() {
        let link = graph.links(vertex).find(|&(edge, _)| unused[edge]);
        if let Some((edge, next)) = link {
            unused[edge] = false;
            stack.push(next);
        } else {
            trail.push(graph.squares[vertex as usize] as usize);
            stack.pop();
        }
    }
    trail.reverse();
    trail
}
