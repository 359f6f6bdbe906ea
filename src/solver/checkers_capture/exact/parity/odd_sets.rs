//! Odd sets of vertices with their dual variables, the certificate of the bound.
//!
//! The search rests on them, so they are checked whoever made them: on no edge may the dual variables of the sets
//! that it leaves exceed its length. Sets that fail are not used.
//!
//! Proofs: docs/proofs/checkers.md, sections 7.3 and 7.5.

use super::matching::{self, Dual};
use super::relaxed::{Relaxed, SCALE};
use crate::solver::{Charge, Pace, Stop};

/// What a set takes besides a byte for each vertex.
const SET_BYTES: u64 = 64;

/// A set of vertices with its dual variable.
#[derive(Debug, Clone)]
pub struct OddSet {
    /// Whether each vertex, and the end behind them, is in it.
    pub members: Vec<bool>,
    /// Its dual variable, above 0.
    pub dual: i64,
}

/// The odd sets of `relaxed` whose dual variables reach the cost of a cheapest T-join; `charge` grows by what they
/// take.
///
/// # Errors
/// The limit that ended it.
pub fn optimal(
    relaxed: &Relaxed<'_>,
    charge: &mut Charge<'_>,
    pace: &mut Pace<'_>,
) -> Result<Vec<OddSet>, Stop> {
    let terminals = &relaxed.terminals;
    let distances = terminals.iter().map(|&terminal| relaxed.distances(terminal, pace));
    let distances: Vec<Vec<i64>> = distances.collect::<Result<_, _>>()?;
    let distance = |a: usize, b: usize| distances[a][terminals[b]];
    let last_dual = relaxed.to_end.iter().copied().min().unwrap_or(0);
    let mut sets = Vec::new();
    for dual in matching::duals(terminals.len(), last_dual, &distance, pace)? {
        pace.count(dual.members.len() * relaxed.end())?;
        let begins = begins(&dual, &distances);
        // As the dual variable grows, the set of vertices takes in one after the other.
        let mut edges: Vec<i64> =
            begins.iter().copied().filter(|&begin| begin > 0 && begin < dual.value).collect();
        edges.extend([0, dual.value]);
        edges.sort_unstable();
        edges.dedup();
        charge.grow((edges.len() as u64 - 1) * (relaxed.end() as u64 + SET_BYTES))?;
        for pair in edges.windows(2) {
            let members = begins.iter().map(|&begin| begin <= pair[0]).collect();
            sets.push(OddSet { members, dual: pair[1] - pair[0] });
        }
    }
    Ok(sets)
}

/// How large the dual variable must be for its set to reach each vertex.
fn begins(dual: &Dual, distances: &[Vec<i64>]) -> Vec<i64> {
    let mut begins = vec![i64::MAX; distances[0].len()];
    for &(member, inner) in &dual.members {
        for (begin, distance) in begins.iter_mut().zip(&distances[member]) {
            *begin = (*begin).min(distance - inner);
        }
    }
    begins
}

/// Whether no edge, those to the end included, is shorter than the dual variables of the sets it leaves.
///
/// # Errors
/// The limit that ended it.
pub fn is_feasible(relaxed: &Relaxed<'_>, sets: &[OddSet], pace: &mut Pace<'_>) -> Result<bool, Stop> {
    let (kernel, end) = (relaxed.kernel, relaxed.end());
    let mut room: Vec<i64> = kernel.edges.iter().map(|edge| SCALE * i64::from(edge.whole.edges)).collect();
    let mut room_to_end = relaxed.to_end.clone();
    for OddSet { members, dual } in sets {
        pace.count((room.len() + end) / 4)?;
        for (room, edge) in room.iter_mut().zip(&kernel.edges) {
            *room -= if members[edge.ends[0]] == members[edge.ends[1]] { 0 } else { *dual };
        }
        for (room, member) in room_to_end.iter_mut().zip(members) {
            *room -= if *member == members[end] { 0 } else { *dual };
        }
    }
    let is_kept = |room: &i64| *room >= 0;
    Ok(sets.iter().all(|set| set.dual >= 0) && room.iter().chain(&room_to_end).all(is_kept))
}
