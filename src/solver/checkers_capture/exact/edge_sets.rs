//! Sets of edges that are built by uniting smaller ones, and counted without being looked at.
//!
//! The reductions of a graph replace whole parts of it by what they are worth. Each worth is a [`Gain`]: a
//! number of edges, and the name of the set of those edges. Only the sets of the one answer that is shown
//! are ever spelled out.

/// A number of edges, and which they are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Gain {
    /// How many edges.
    pub edges: u32,
    set: u32,
}

impl Gain {
    /// The larger of two; this one where they are equal.
    #[must_use]
    pub fn or_larger(self, other: Self) -> Self {
        if other.edges > self.edges { other } else { self }
    }
}

#[derive(Debug, Clone, Copy)]
enum Node {
    Edge(u32),
    Union(u32, u32),
    /// The edges of the first, and those of the second taken out of a set united with this one.
    Instead(u32, u32),
}

/// All sets of one graph. The set 0 is empty.
#[derive(Debug, Default)]
pub struct EdgeSets(Vec<Node>);

impl EdgeSets {
    /// The set of one edge.
    pub fn edge(&mut self, edge: u32) -> Gain {
        self.push(1, Node::Edge(edge))
    }

    /// The union of disjoint sets.
    pub fn union(&mut self, a: Gain, b: Gain) -> Gain {
        match (a.set, b.set) {
            (_, 0) => a,
            (0, _) => b,
            _ => self.push(a.edges + b.edges, Node::Union(a.set, b.set)),
        }
    }

    /// What is gained by `new` in the place of the smaller set `old`; it may only be united with a set that
    /// holds `old`.
    pub fn instead(&mut self, new: Gain, old: Gain) -> Gain {
        self.push(new.edges - old.edges, Node::Instead(new.set, old.set))
    }

    /// Counts the edges of `gain` in `counts`: 1 for each edge that is in it, 0 for the others.
    pub fn count(&self, gain: Gain, counts: &mut [i8]) {
        let mut open = vec![(gain.set, 1)];
        while let Some((set, sign)) = open.pop() {
            match set.checked_sub(1).map(|index| self.0[index as usize]) {
                None => {}
                Some(Node::Edge(edge)) => counts[edge as usize] += sign,
                Some(Node::Union(a, b)) => open.extend([(a, sign), (b, sign)]),
                Some(Node::Instead(new, old)) => open.extend([(new, sign), (old, -sign)]),
            }
        }
    }

    fn push(&mut self, edges: u32, node: Node) -> Gain {
        self.0.push(node);
        Gain { edges, set: self.0.len() as u32 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_counted_and_spelled_out() {
        let mut sets = EdgeSets::default();
        let [a, b, c, d] = [0, 1, 2, 3].map(|edge| sets.edge(edge));
        let ab = sets.union(a, b);
        let empty = Gain::default();
        assert_eq!((sets.union(empty, ab), sets.union(ab, empty)), (ab, ab));
        let cd = sets.union(c, d);
        let cd_for_a = sets.instead(cd, a);
        let all = sets.union(ab, cd_for_a);
        assert_eq!((ab.edges, cd_for_a.edges, all.edges), (2, 1, 3));
        let mut counts = [0; 4];
        sets.count(all, &mut counts);
        assert_eq!(counts, [0, 1, 1, 1]);
        assert_eq!((ab.or_larger(all), ab.or_larger(cd)), (all, ab));
    }
}
