//! Sets of edges, built as unions of smaller sets and counted without listing their edges.
//!
//! The reductions of a graph replace a part of it by the edges that a trail gains there. Such a [`Gain`] is a number of
//! edges and the ID of the set that they form. Only the sets of the final answer are spelled out as edges.

use crate::solver::{Budget, ChargedVec, Stop};

/// A number of edges, with the set that they form.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Gain {
    pub edges: u32,
    set: u32,
}

impl Gain {
    /// Returns the set of one edge.
    pub fn edge(number: u32) -> Self {
        Self { edges: 1, set: number + 1 }
    }

    /// Returns a gain that counts as `edges` edges but has an empty set. A union drops it and its count.
    pub fn prize(edges: u32) -> Self {
        Self { edges, set: 0 }
    }

    /// Returns the larger gain; `self` if both are equal.
    pub fn or_larger(self, other: Self) -> Self {
        if other.edges > self.edges { other } else { self }
    }
}

#[derive(Debug, Clone, Copy)]
enum Node {
    Union(u32, u32),
    /// Adds the edges of the first set. Removes the edges of the second set from the set that is united with this one.
    Instead(u32, u32),
}

/// All sets of one graph. Set 0 is empty. Then come the sets of a single edge, and then those made of other sets.
#[derive(Debug)]
pub struct EdgeSets<'b> {
    edges: usize,
    nodes: ChargedVec<'b, Node>,
}

impl<'b> EdgeSets<'b> {
    /// Creates the empty set and the sets of a single edge, for a graph of `edges` edges.
    pub fn new(edges: usize, budget: &'b Budget) -> Self {
        Self { edges, nodes: ChargedVec::new(budget) }
    }

    /// Returns the union of two disjoint sets.
    pub fn union(&mut self, a: Gain, b: Gain) -> Result<Gain, Stop> {
        match (a.set, b.set) {
            (_, 0) => Ok(a),
            (0, _) => Ok(b),
            _ => self.push(a.edges + b.edges, Node::Union(a.set, b.set)),
        }
    }

    /// Returns what is gained if the larger set `new` replaces `old`. Unite it only with a set that contains `old`.
    pub fn instead(&mut self, new: Gain, old: Gain) -> Result<Gain, Stop> {
        self.push(new.edges - old.edges, Node::Instead(new.set, old.set))
    }

    /// Returns, for each edge, whether it is in the union of the disjoint `gains`.
    pub fn spell_out(&self, gains: impl IntoIterator<Item = Gain>) -> Vec<bool> {
        let mut counts = vec![0_i8; self.edges];
        let mut open: Vec<(usize, i8)> = gains.into_iter().map(|gain| (gain.set as usize, 1)).collect();
        while let Some((set, sign)) = open.pop() {
            if let Some(edge) = set.checked_sub(1).filter(|&edge| edge < self.edges) {
                counts[edge] += sign;
            } else if set > 0 {
                let (others, other_sign) = match self.nodes[set - 1 - self.edges] {
                    Node::Union(a, b) => ([a, b], sign),
                    Node::Instead(new, old) => ([new, old], -sign),
                };
                open.extend([(others[0] as usize, sign), (others[1] as usize, other_sign)]);
            }
        }
        debug_assert!(counts.iter().all(|count| (0..=1).contains(count)), "an edge is in a set once");
        counts.into_iter().map(|count| count > 0).collect()
    }

    fn push(&mut self, edges: u32, node: Node) -> Result<Gain, Stop> {
        self.nodes.push(node)?;
        Ok(Gain { edges, set: (self.edges + self.nodes.len()) as u32 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_counted_and_spelled_out() {
        let budget = Budget::unlimited();
        let mut sets = EdgeSets::new(4, &budget);
        let [a, b, c, d] = [0, 1, 2, 3].map(Gain::edge);
        let ab = sets.union(a, b).unwrap();
        let empty = Gain::default();
        assert_eq!((sets.union(empty, ab), sets.union(ab, empty)), (Ok(ab), Ok(ab)));
        let cd = sets.union(c, d).unwrap();
        let cd_for_a = sets.instead(cd, a).unwrap();
        let all = sets.union(ab, cd_for_a).unwrap();
        assert_eq!((ab.edges, cd_for_a.edges, all.edges), (2, 1, 3));
        assert_eq!(sets.spell_out([all]), [false, true, true, true]);
        assert_eq!((ab.or_larger(all), ab.or_larger(cd)), (all, ab));
    }
}
