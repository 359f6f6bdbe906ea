//! Compares components with those by the definition, which removes each edge and each pair of edges in turn.

use super::super::super::edge_sets::{EdgeSets, Gain};
use super::super::super::graph::Links;
use super::super::{Edge, Kernel, Vertex};
use super::*;
use crate::solver::{Budget, Random};

/// Returns a connected graph with at most four edges per vertex and some removed vertices, and the ends of its edges.
fn graph<'b>(random: &mut Random, budget: &'b Budget) -> (Kernel<'b>, Vec<[usize; 2]>) {
    let (count, gone) = (random.between(1, 10) as usize, random.below(3) as usize);
    let mut ends: Vec<[usize; 2]> = Vec::new();
    let mut degrees = vec![0; count];
    for vertex in 1..count {
        let open: Vec<usize> = (0..vertex).filter(|&other| degrees[other] < 4).collect();
        ends.push([vertex, open[random.below(open.len() as u64) as usize]]);
        for end in ends[ends.len() - 1] {
            degrees[end] += 1;
        }
    }
    for _ in 0..random.below(16) {
        let [a, b] = [0, 1].map(|_| random.below(count as u64) as usize);
        if a != b && degrees[a].max(degrees[b]) < 4 {
            ends.push([a, b]);
            degrees[a] += 1;
            degrees[b] += 1;
        }
    }
    random.shuffle(&mut ends);
    let (whole, nothing) = (Gain::edge(0), Gain::default());
    let kernel = Kernel {
        vertices: vec![Vertex { origin: 0, loops: nothing, end: nothing }; count + gone],
        edges: ends.iter().map(|&ends| Edge { ends, whole, end_from: [nothing; 2] }).collect(),
        links: Links::new(count + gone, ends.iter().copied()),
        root: random.below(count as u64) as usize,
        within: nothing,
        sets: EdgeSets::new(1, budget),
        _charge: Charge::none(budget),
    };
    (kernel, ends)
}

/// Returns, for each vertex, the smallest vertex that the kept edges connect it with.
fn connected(vertices: usize, ends: &[[usize; 2]], keep: impl Fn(usize) -> bool) -> Vec<usize> {
    let mut of: Vec<usize> = (0..vertices).collect();
    for (_, &[a, b]) in ends.iter().enumerate().filter(|&(edge, _)| keep(edge)) {
        let (low, high) = (of[a].min(of[b]), of[a].max(of[b]));
        for component in of.iter_mut().filter(|component| **component == high) {
            *component = low;
        }
    }
    of
}

#[test]
fn components_are_what_no_two_edges_take_apart() {
    let mut random = Random::new(24);
    let budget = Budget::unlimited();
    let pace = &mut Pace::new(&budget);
    let (mut larger, mut by_two) = (0, 0);
    for _ in 0..3000 {
        let (kernel, ends) = graph(&mut random, &budget);
        let (vertices, root) = (kernel.vertices.len(), kernel.root);
        let whole = connected(vertices, &ends, |_| true);
        let takes_apart =
            |a: usize, b: usize| connected(vertices, &ends, |edge| edge != a && edge != b) != whole;
        let alone: Vec<bool> = (0..ends.len()).map(|edge| takes_apart(edge, edge)).collect();
        let with_another =
            |a: usize| (0..ends.len()).any(|b| !alone[a] && !alone[b] && a != b && takes_apart(a, b));
        let separates: Vec<bool> = (0..ends.len()).map(|edge| alone[edge] || with_another(edge)).collect();
        let left = connected(vertices, &ends, |edge| !separates[edge]);
        let mut expected: Vec<Vec<usize>> = Vec::new();
        for first in std::iter::once(left[root]).chain((0..vertices).filter(|&vertex| vertex != left[root])) {
            let members: Vec<usize> = (0..vertices).filter(|&vertex| left[vertex] == first).collect();
            let is_there = first == left[root] || ends.iter().flatten().any(|&end| members.contains(&end));
            if !members.is_empty() && is_there {
                expected.push(members);
            }
        }
        larger += expected.iter().filter(|members| members.len() > 1).count();
        by_two += (0..ends.len()).filter(|&edge| separates[edge] && !alone[edge]).count();
        let reduction = Reduction::open(kernel, pace).unwrap();
        assert_eq!(components(&reduction, pace).unwrap(), expected, "{ends:?} from {root}");
    }
    assert!(larger > 1000 && by_two > 1000, "{larger} {by_two}");
}
