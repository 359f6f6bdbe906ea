//! Odd sets of vertices with their dual variables: the certificate of the bound.
//!
//! A node of the matching covers more and more vertices as its dual variable grows. Each set that it covers on the way
//! gets the part of the dual variable during which the node covers this set. [`is_feasible`] checks for every edge that
//! the dual variables of the sets that it crosses add up to at most its length.
//!
//! Proofs: docs/proofs/checkers.md, sections 7.3 and 7.5.

use super::matching::Matching;
use super::relaxation::Relaxed;
use crate::solver::{Charge, Pace, Stop};

/// Bytes per set besides the numbers of its vertices.
const SET_BYTES: u64 = 64;

/// A set of vertices with its dual variable.
#[derive(Debug, Clone)]
pub struct OddSet {
    /// The vertices, each once; the end, whose number follows those of the kernel's vertices, can be one of them.
    pub members: Vec<u32>,
    /// The dual variable, scaled. A certificate with a negative one is not feasible.
    pub dual: i64,
}

/// Returns the odd sets of `relaxed` whose dual variables reach the cost of the cheapest T-join, which `matching`
/// gives. Adds their memory to `charge`.
pub fn of_matching(
    relaxed: &Relaxed<'_>,
    matching: &Matching,
    charge: &mut Charge<'_>,
    pace: &mut Pace<'_>,
) -> Result<Vec<OddSet>, Stop> {
    let Matching { blossoms, regions, .. } = matching;
    let mut sets = Vec::new();
    let mut within = vec![0; blossoms.top.len()];
    for (number, node) in blossoms.nodes.iter().enumerate().filter(|(_, node)| node.dual > 0) {
        let mut members: Vec<u32> =
            node.circle.iter().flat_map(|&child| regions.vertices(blossoms, child)).collect();
        for point in blossoms.points_of(number) {
            within[point] = 0;
            let mut inner = point;
            while inner != number {
                within[point] += blossoms.nodes[inner].dual;
                inner = blossoms.nodes[inner].blossom;
            }
        }
        // As the dual variable grows, the vertices of the shell join the set one after the other.
        let begin = |vertex: u32| {
            let vertex = vertex as usize;
            regions.distance[vertex] - within[regions.source[vertex] as usize]
        };
        let mut shell = regions.shells[number].clone();
        shell.sort_by_key(|&vertex| begin(vertex));
        let (mut from, mut next) = (0, shell.iter().copied().peekable());
        while from < node.dual {
            while let Some(vertex) = next.next_if(|&vertex| begin(vertex) <= from) {
                members.push(vertex);
            }
            let to = next.peek().map_or(node.dual, |&vertex| begin(vertex).min(node.dual));
            pace.count(members.len() + 1)?;
            charge.grow(4 * members.len() as u64 + SET_BYTES)?;
            sets.push(OddSet { members: members.clone(), dual: to - from });
            from = to;
        }
    }
    // The set of the end alone gets the largest dual variable that its edges permit.
    let mut to_end = relaxed.to_end.clone();
    for (vertex, room) in to_end.iter_mut().enumerate() {
        *room -= regions.cover(blossoms, vertex);
    }
    let dual = to_end.into_iter().min().unwrap_or(0);
    sets.push(OddSet { members: vec![relaxed.end() as u32], dual });
    Ok(sets)
}

/// Returns whether no dual variable is negative, and no edge, those to the end included, is shorter than the sum of the
/// dual variables of the sets that it crosses.
pub fn is_feasible(relaxed: &Relaxed<'_>, sets: &[OddSet], pace: &mut Pace<'_>) -> Result<bool, Stop> {
    let (kernel, end) = (relaxed.kernel, relaxed.end());
    let (mut room, mut room_to_end) = (relaxed.lengths.clone(), relaxed.to_end.clone());
    // A set that holds the end is crossed by the end's edges to all vertices outside the set.
    let mut to_all = 0;
    let mut is_member = vec![false; end + 1];
    for OddSet { members, dual } in sets {
        pace.count(4 * members.len())?;
        for &vertex in members {
            is_member[vertex as usize] = true;
        }
        let holds_end = is_member[end];
        to_all += if holds_end { *dual } else { 0 };
        for vertex in members.iter().map(|&vertex| vertex as usize).filter(|&vertex| vertex != end) {
            room_to_end[vertex] -= if holds_end { -*dual } else { *dual };
            for edge in kernel.links.of(vertex) {
                room[edge] -= if is_member[kernel.across(edge, vertex)] { 0 } else { *dual };
            }
        }
        for &vertex in members {
            is_member[vertex as usize] = false;
        }
    }
    Ok(sets.iter().all(|set| set.dual >= 0)
        && room.iter().all(|room| *room >= 0)
        && room_to_end.iter().all(|room| *room >= to_all))
}

/// Returns a lower bound on the cost of every T-join: the sum of the dual variables of the sets that are odd for T.
pub fn proved(relaxed: &Relaxed<'_>, sets: &[OddSet]) -> i64 {
    let in_terminals = relaxed.in_terminals();
    let is_odd =
        |set: &&OddSet| set.members.iter().filter(|&&vertex| in_terminals[vertex as usize]).count() % 2 == 1;
    sets.iter().filter(is_odd).map(|set| set.dual).sum()
}
