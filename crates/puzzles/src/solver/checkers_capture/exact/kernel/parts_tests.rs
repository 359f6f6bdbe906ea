//! Compares reduced graphs with the best of all choices, on decorated graphs with a part behind one edge or two.

use super::super::super::plan::Use;
use super::*;
use crate::solver::{Budget, Random};

/// Returns a gain of `edges` new edges, which are in no other gain.
fn gain(edges: u64, sets: &mut EdgeSets<'_>, next: &mut u32) -> Gain {
    (0..edges).fold(Gain::default(), |gain, _| {
        *next += 1;
        sets.union(gain, Gain::edge(*next - 1)).unwrap()
    })
}

/// Returns a kernel of two small groups of vertices that one or two edges join, with decorations. Either has the root.
fn kernel<'b>(random: &mut Random, budget: &'b Budget) -> Kernel<'b> {
    let sizes = [random.between(1, 3) as usize, random.between(1, 3) as usize];
    let count = sizes[0] + sizes[1];
    let mut ends = Vec::new();
    for (first, size) in [(0, sizes[0]), (sizes[0], sizes[1])] {
        for vertex in first + 1..first + size {
            ends.push([vertex, first + random.below((vertex - first) as u64) as usize]);
        }
        for _ in 0..random.below(3) {
            ends.push([0, 1].map(|_| first + random.below(size as u64) as usize));
        }
    }
    for _ in 0..random.between(1, 2) {
        let between =
            [random.below(sizes[0] as u64) as usize, sizes[0] + random.below(sizes[1] as u64) as usize];
        ends.push(if random.chance(0.5) { between } else { [between[1], between[0]] });
    }
    ends.retain(|ends| ends[0] != ends[1]);
    random.shuffle(&mut ends);
    // Keep at most four edges per vertex, and few enough edges to try all choices.
    let mut degrees = vec![0; count];
    ends.retain(|ends| {
        let has_room = ends.iter().all(|&end| degrees[end] < 4);
        for &end in ends {
            degrees[end] += usize::from(has_room);
        }
        has_room
    });
    ends.truncate(7);
    let (mut sets, mut next) = (EdgeSets::new(1000, budget), 0);
    let mut draw = |random: &mut Random, least: u64, most: u64| {
        let edges = if random.chance(0.5) { least } else { random.between(least, most) };
        gain(edges, &mut sets, &mut next)
    };
    let edges: Vec<Edge> = ends
        .iter()
        .map(|&ends| Edge {
            ends,
            whole: draw(random, 1, 3),
            end_from: [draw(random, 0, 5), draw(random, 0, 5)],
        })
        .collect();
    let vertices: Vec<Vertex> = (0..count as u32)
        .map(|origin| Vertex { origin, loops: draw(random, 0, 4), end: draw(random, 0, 5) })
        .collect();
    let root = random.below(count as u64) as usize;
    let links = Links::new(count, edges.iter().map(|edge| edge.ends));
    Kernel { vertices, edges, links, root, within: Gain::default(), sets, _charge: Charge::none(budget) }
}

/// Returns the value of a choice; `None` if it is not balanced and connected.
fn value(kernel: &Kernel<'_>, uses: &[Use]) -> Option<u32> {
    let mut degrees = vec![0; kernel.vertices.len()];
    let (mut value, mut ended) = (0, 0);
    for (edge, &how) in kernel.edges.iter().zip(uses) {
        for (end, touches) in edge.ends.into_iter().zip(how.touches()) {
            degrees[end] += u32::from(touches);
        }
        let inside = match how {
            Use::Skip => continue,
            Use::Whole => {
                value += edge.whole.edges;
                continue;
            }
            Use::EndFromFirst => edge.end_from[0].edges,
            Use::EndFromSecond => edge.end_from[1].edges,
        };
        (value, ended) = (value + inside, ended + 1);
        if inside == 0 {
            return None;
        }
    }
    let mut odd = (0..degrees.len()).filter(|&vertex| degrees[vertex] % 2 == 1).collect::<Vec<_>>();
    match (ended, odd.len()) {
        (1, 1) if odd == [kernel.root] => {}
        (0, 2) if odd.contains(&kernel.root) => {
            odd.retain(|&vertex| vertex != kernel.root);
            value += kernel.vertices[odd[0]].end.edges;
        }
        (0, 0) => value += kernel.vertices[kernel.root].end.edges,
        _ => return None,
    }
    let mut reached = vec![kernel.root];
    let mut at = 0;
    while let Some(&vertex) = reached.get(at) {
        at += 1;
        for (edge, _) in kernel.edges.iter().zip(uses).filter(|&(_, &how)| how == Use::Whole) {
            if edge.ends.contains(&vertex) {
                let other = edge.ends[usize::from(edge.ends[0] == vertex)];
                if !reached.contains(&other) {
                    reached.push(other);
                }
            }
        }
    }
    let touched = (0..degrees.len()).filter(|&vertex| degrees[vertex] > 0 || vertex == kernel.root);
    for vertex in touched {
        value += kernel.vertices[vertex].loops.edges;
        if !reached.contains(&vertex) {
            return None;
        }
    }
    Some(value)
}

/// Returns the value of the best choice. Without any edge, the trail stays at the root.
fn best(kernel: &Kernel<'_>) -> u32 {
    let mut uses = vec![Use::Skip; kernel.edges.len()];
    let mut best = 0;
    for number in 0..4_u32.pow(uses.len() as u32) {
        for (at, how) in uses.iter_mut().enumerate() {
            *how = Use::ALL[(number >> (2 * at) & 3) as usize];
        }
        best = best.max(value(kernel, &uses).unwrap_or(0));
    }
    best
}

#[test]
fn parts_are_worth_what_all_choices_in_them_are() {
    let mut random = Random::new(17);
    let budget = Budget::unlimited();
    let pace = &mut Pace::new(&budget);
    let mut taken = 0;
    for number in 0..3000 {
        let kernel = kernel(&mut random, &budget);
        // Skip kernels that are not connected with the root, which reductions never make.
        let kernel = Reduction::open(kernel, pace).unwrap().finish(pace).unwrap();
        if !is_connected(&kernel) {
            continue;
        }
        let (before, expected) = (kernel.vertices.len(), best(&kernel));
        let shown = format!("{kernel:?}");
        let kernel = without_parts(kernel, pace).unwrap();
        taken += u32::from(kernel.vertices.len() < before);
        assert_eq!(best(&kernel), expected, "{number}: {shown}");
        assert!(best(&kernel) >= kernel.within.edges);
    }
    assert!(taken > 2000, "{taken}");
}

fn is_connected(kernel: &Kernel<'_>) -> bool {
    let (mut reached, mut at) = (vec![kernel.root], 0);
    while let Some(&vertex) = reached.get(at) {
        at += 1;
        for next in kernel.neighbours(vertex) {
            if !reached.contains(&next) {
                reached.push(next);
            }
        }
    }
    reached.len() == kernel.vertices.len()
}
