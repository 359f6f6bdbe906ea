//! Compares what circles and joins promise with the worth of a choice before and after them. The choices are random:
//! better and worse than those that a cheapest T-join leaves.

use super::super::graph::lattices::lattice;
use super::super::graph::{Graph, Graphs};
use super::super::trails::through;
use super::*;
use crate::solver::{Budget, Random};

/// Calls `check` with random choices in the kernels of lattices with holes and one own piece.
fn on_choices(seed: u64, mut check: impl FnMut(&Graph<'_>, &Kernel<'_>, Choice)) {
    let mut random = Random::new(seed);
    let budget = Budget::unlimited();
    let pace = &mut Pace::new(&budget);
    for _ in 0..300 {
        let board = lattice(&mut random, (14, 40), (45, 80), (9, 9));
        let mut graphs = Graphs::new(&board, pace).unwrap();
        let starts = graphs.starts(pace).unwrap();
        let Some(&start) = starts.first() else { continue };
        let rooted = graphs.of(start.square, pace).unwrap();
        let kernel = Kernel::new(&rooted, pace).unwrap();
        if !kernel.edges.is_empty() {
            for _ in 0..5 {
                let choice = balanced(&kernel, &mut random);
                check(&rooted, &kernel, choice);
            }
        }
    }
}

/// Returns a balanced choice of random edges. The edges of a spanning tree correct the parities of the vertices.
fn balanced(kernel: &Kernel<'_>, random: &mut Random) -> Choice {
    let share = random.between(20, 100) as f64 / 100.0;
    let mut used: Vec<bool> = (0..kernel.edges.len()).map(|_| random.chance(share)).collect();
    let end = random.below(kernel.vertices.len() as u64) as usize;
    let mut is_odd = vec![false; kernel.vertices.len()];
    let used_ends = (0..used.len()).filter(|&edge| used[edge]).flat_map(|edge| kernel.edges[edge].ends);
    for vertex in used_ends.chain([kernel.root, end]) {
        is_odd[vertex] ^= true;
    }
    let mut reached_by = vec![None; kernel.vertices.len()];
    let (mut order, mut at) = (vec![kernel.root], 0);
    while let Some(&vertex) = order.get(at) {
        at += 1;
        for edge in kernel.links.of(vertex) {
            let next = kernel.across(edge, vertex);
            if next != kernel.root && reached_by[next].is_none() {
                reached_by[next] = Some(edge);
                order.push(next);
            }
        }
    }
    for &vertex in order.iter().rev().filter(|&&vertex| vertex != kernel.root) {
        let edge = reached_by[vertex].unwrap();
        if std::mem::take(&mut is_odd[vertex]) {
            used[edge] ^= true;
            is_odd[kernel.across(edge, vertex)] ^= true;
        }
    }
    assert!(is_odd.iter().all(|odd| !odd));
    Choice { used, end }
}

/// Returns the component of each vertex, named by its smallest vertex, by joining the ends of each used edge; `None`
/// for an untouched vertex.
fn by_joining(kernel: &Kernel<'_>, used: &[bool]) -> Vec<Option<usize>> {
    let mut of: Vec<Option<usize>> = vec![None; kernel.vertices.len()];
    of[kernel.root] = Some(kernel.root);
    for (number, edge) in kernel.edges.iter().enumerate().filter(|&(number, _)| used[number]) {
        let [a, b] = edge.ends.map(|end| of[end].unwrap_or(end));
        for end in edge.ends {
            of[end] = of[end].or(Some(end));
        }
        let (low, high) = (a.min(b), a.max(b));
        for component in of.iter_mut().flatten().filter(|component| **component == high) {
            *component = low;
        }
        assert!(used[number]);
    }
    of
}

/// Returns the worth of a component, summed over its edges and vertices.
fn worth(kernel: &Kernel<'_>, used: &[bool], of: &[Option<usize>], component: Option<usize>) -> u32 {
    let loops = (0..of.len()).filter(|&vertex| of[vertex] == component);
    let loops: u32 = loops.map(|vertex| kernel.vertices[vertex].loops.edges).sum();
    let whole = (0..used.len()).filter(|&edge| used[edge] && of[kernel.edges[edge].ends[0]] == component);
    loops + whole.map(|edge| kernel.edges[edge].whole.edges).sum::<u32>()
}

#[test]
fn a_choice_is_worth_what_its_best_end_leaves() {
    let (mut inside, mut apart, mut refused) = (0, 0, 0);
    on_choices(21, |graph, kernel, choice| {
        let components = Components::new(kernel, &choice);
        let of = by_joining(kernel, &choice.used);
        for a in 0..of.len() {
            assert_eq!(components.of[a] == UNTOUCHED, of[a].is_none());
            for b in 0..a {
                assert_eq!(components.of[a] == components.of[b], of[a] == of[b]);
            }
        }
        for (number, vertices) in components.vertices.iter().enumerate() {
            assert!(vertices.iter().all(|&vertex| components.of[vertex as usize] == number as u32));
            let known = of[vertices[0] as usize];
            assert_eq!(vertices.len(), of.iter().filter(|&&component| component == known).count());
            assert_eq!(components.worth[number], worth(kernel, &choice.used, &of, known));
        }
        assert_eq!(components.of[kernel.root], 0);
        apart += components.worth.len() - 1;
        // The best end is at the vertex, or inside an edge there if the trail loses no other vertex by that.
        let root = of[kernel.root];
        let in_root = |of: &[Option<usize>]| of.iter().filter(|&&other| other == of[kernel.root]).count();
        let at_vertex = components.worth[0] + kernel.vertices[choice.end].end.edges;
        let mut best = at_vertex;
        for edge in kernel.links.of(choice.end).filter(|&edge| choice.used[edge]) {
            let mut without = choice.used.clone();
            without[edge] = false;
            let other = kernel.edges[edge].ends.iter().position(|&end| end != choice.end).unwrap();
            let left = by_joining(kernel, &without);
            let ended = worth(kernel, &choice.used, &of, root) - kernel.edges[edge].whole.edges
                + kernel.edges[edge].end_from[other].edges;
            if in_root(&left) == in_root(&of) {
                best = best.max(ended);
            } else {
                refused += u32::from(ended > best);
            }
        }
        assert_eq!(choice.worth(kernel, &components), best);
        inside += u32::from(best > at_vertex);
        let chosen = choice.graph_edges(kernel, &components);
        assert_eq!(chosen.iter().filter(|chosen| **chosen).count() as u32, best);
        assert_eq!(through(graph, chosen).len() as u32, best + 1);
    });
    assert!(inside > 50 && apart > 500 && refused > 20, "{inside} {apart} {refused}");
}

#[test]
fn a_circle_is_taken_where_more_is_joined_to_the_root_or_components_become_fewer() {
    let budget = Budget::unlimited();
    let pace = &mut Pace::new(&budget);
    let (mut gains, mut elsewhere, mut losses, mut missed) = (0, 0, 0, 0);
    on_choices(22, |_, kernel, mut choice| {
        let components = Components::new(kernel, &choice);
        let seeds: Vec<u32> = components.vertices[1..].iter().map(|vertices| vertices[0]).collect();
        let mut joining = Joining { kernel, choice: &mut choice, components, pace };
        for seed in seeds {
            let (start, length_max, cost_max) = (seed as usize, 6, 5);
            let mut search =
                CircleSearch { start, length_max, cost_max, path: Vec::new(), found: Vec::new() };
            joining.circles(&mut search, start, 0).unwrap();
            for (cost, circle) in search.found {
                let before = Components::new(kernel, joining.choice);
                let used = joining.choice.used.clone();
                let mut flipped = used.clone();
                let (mut degrees, mut lost) = (vec![0; kernel.vertices.len()], 0);
                for &edge in &circle {
                    let length = i64::from(kernel.edges[edge].whole.edges);
                    lost += if used[edge] { length } else { -length };
                    flipped[edge] ^= true;
                    for end in kernel.edges[edge].ends {
                        degrees[end] += 1;
                    }
                }
                assert!(circle.len() <= 6 && circle.windows(2).all(|pair| pair[0] < pair[1]));
                assert!(degrees.iter().all(|degree| degree % 2 == 0));
                assert!(cost == lost && cost <= cost_max);
                let after =
                    Components::new(kernel, &Choice { used: flipped.clone(), end: joining.choice.end });
                let meets_root =
                    (0..degrees.len()).any(|vertex| degrees[vertex] > 0 && before.of[vertex] == 0);
                let is_good = if meets_root {
                    after.worth[0] > before.worth[0]
                } else {
                    cost <= 0 && after.worth.len() < before.worth.len()
                };
                if joining.is_gain(cost, &circle).unwrap() {
                    assert!(is_good, "{cost} {before:?} {after:?}");
                    assert_eq!(joining.choice.used, flipped);
                    gains += u32::from(meets_root);
                    elsewhere += u32::from(!meets_root);
                    // The costs of the other circles have changed.
                    break;
                }
                assert_eq!(joining.choice.used, used);
                missed += u32::from(is_good);
                losses += u32::from(!is_good);
            }
        }
    });
    assert!(gains > 50 && elsewhere > 50 && losses > 50, "{gains} {elsewhere} {losses}");
    // The search does not count loops at vertices that a circle touches for the first time.
    assert!(missed * 50 < gains, "{missed} of {gains}");
}

#[test]
fn most_components_are_joined_to_the_root() {
    // If a circle wrongly counted as a gain, it would be tried forever: the budget ends that.
    let budget = Budget::failing_at(5_000, Stop::TimeLimit);
    let pace = &mut Pace::new(&budget);
    let (mut before, mut after) = (0, 0);
    on_choices(23, |_, kernel, mut choice| {
        let components = Components::new(kernel, &choice);
        connect(kernel, &mut choice, pace).unwrap();
        let joined = Components::new(kernel, &choice);
        assert!(joined.worth[0] >= components.worth[0]);
        before += components.worth.len() - 1;
        after += joined.worth.len() - 1;
    });
    assert!(before > 100 && after * 4 < before, "{before} {after}");
}
