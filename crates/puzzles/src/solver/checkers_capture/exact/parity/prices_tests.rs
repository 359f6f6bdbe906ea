//! Prices against what their sets say, edge by edge.

use std::collections::BTreeSet;

use super::super::super::edge_sets::Gain;
use super::super::super::graph::Graph;
use super::super::super::graph::lattices::lattice;
use super::super::super::rooted::{Regions, Rooted};
use super::super::super::trails::Components;
use super::*;
use crate::solver::{Budget, Random};

/// How often something was met that a test is about.
#[derive(Debug, Default)]
struct Met {
    higher: u32,
    lower: u32,
    rounded: u32,
    loops: u32,
    loops_left: u32,
    single: u32,
    root_loops: u32,
    no_gain: u32,
}

fn length(kernel: &Kernel<'_>, edge: usize) -> i64 {
    i64::from(kernel.edges[edge].whole.edges)
}

fn loops(kernel: &Kernel<'_>, vertex: usize) -> i64 {
    i64::from(kernel.vertices[vertex].loops.edges)
}

/// How many ends of an edge are in a set.
fn ends_in(kernel: &Kernel<'_>, edge: usize, members: &[u32]) -> usize {
    kernel.edges[edge].ends.iter().filter(|&&end| members.contains(&(end as u32))).count()
}

/// The graph under the prices is the one without, with every set's price where the set says.
fn check_relaxed(prices: &Prices<'_>, relaxed: &Relaxed<'_>, met: &mut Met) {
    let kernel = relaxed.kernel;
    let plain = Relaxed::new(kernel);
    let priced: Vec<&PricedSet> = prices.sets.iter().filter(|set| set.price > 0).collect();
    for edge in 0..kernel.edges.len() {
        let mut gain = plain.gains[edge];
        for set in &priced {
            gain += set.price * i64::from(ends_in(kernel, edge, &set.members) == 1);
            if set.edges.contains(&(edge as u32)) {
                gain -= 2 * (set.price * length(kernel, edge) / set.worth);
            }
        }
        met.no_gain += u32::from(gain == 0);
        let gain = if gain == 0 { 2 } else { gain };
        assert_eq!((relaxed.gains[edge], relaxed.lengths[edge]), (gain, gain.abs()));
        assert_eq!(relaxed.is_used(edge), gain > 0);
    }
    let mut end_max = 0;
    for vertex in 0..kernel.vertices.len() {
        let (mut around, mut end) = (plain.loops[vertex], plain.end_cost - plain.to_end[vertex]);
        for set in priced.iter().filter(|set| set.members.contains(&(vertex as u32))) {
            around -= 2 * set.price * loops(kernel, vertex) / set.worth;
            end += set.price;
        }
        assert_eq!(relaxed.loops[vertex], around.max(0));
        assert_eq!(relaxed.to_end[vertex], relaxed.end_cost - end);
        end_max = end_max.max(end);
        let used = kernel.links.of(vertex).filter(|&edge| relaxed.gains[edge] > 0).count();
        let is_terminal = (used % 2 == 1) != (vertex == kernel.root);
        assert_eq!(relaxed.terminals.contains(&vertex), is_terminal);
    }
    assert_eq!(relaxed.terminals.last(), Some(&kernel.vertices.len()));
    if !relaxed.lengths.is_empty() {
        // One edge to the end costs more than all others; two are worse than one.
        assert!(relaxed.to_end.iter().all(|&cost| cost >= relaxed.lengths.iter().sum::<i64>() + SCALE));
        assert_eq!(relaxed.end_cost, relaxed.lengths.iter().sum::<i64>() + end_max + SCALE);
    }
    let gains = relaxed.gains.iter().filter(|&&gain| gain > 0).sum::<i64>();
    assert_eq!(relaxed.worth, gains + relaxed.loops.iter().sum::<i64>());
}

/// The prices of the sets that were known follow the choice.
fn check_followed(
    (set, before): (&PricedSet, i64),
    relaxation: &Relaxation<'_, '_>,
    step: i64,
    met: &mut Met,
) {
    let Relaxation { choice: Choice { used, end }, relaxed, .. } = relaxation;
    let kernel = relaxed.kernel;
    let is_crossing = |&edge: &usize| used[edge] && ends_in(kernel, edge, &set.members) == 1;
    let crossing =
        (0..used.len()).filter(is_crossing).count() + usize::from(set.members.contains(&(*end as u32)));
    let mut chosen: i64 = set
        .edges
        .iter()
        .map(|&edge| edge as usize)
        .filter(|&edge| used[edge])
        .map(|edge| length(kernel, edge))
        .sum();
    for &vertex in &set.members {
        let vertex = vertex as usize;
        met.loops += u32::from(loops(kernel, vertex) > 0);
        if relaxed.loops[vertex] > 0 {
            chosen += loops(kernel, vertex);
        } else {
            met.loops_left += u32::from(loops(kernel, vertex) > 0);
        }
    }
    let price = (before + 2 * step * chosen / set.worth - step * crossing as i64).max(0);
    met.rounded += u32::from(price % 2 != 0);
    assert_eq!(set.price, price - price % 2);
    met.higher += u32::from(set.price > before);
    met.lower += u32::from(set.price < before);
}

/// A new set is one of the components, or a vertex that is not used but has loops.
fn check_new(set: &PricedSet, relaxation: &Relaxation<'_, '_>, apart: &[Vec<u32>], met: &mut Met) {
    let (used, kernel) = (&relaxation.choice.used, relaxation.relaxed.kernel);
    assert!(set.members.is_sorted() && !set.members.contains(&(kernel.root as u32)));
    let inside: Vec<u32> = (0..used.len())
        .filter(|&edge| used[edge] && ends_in(kernel, edge, &set.members) == 2)
        .map(|edge| edge as u32)
        .collect();
    assert_eq!(set.edges, inside);
    let is_apart = apart.iter().any(|vertices| {
        vertices.iter().collect::<BTreeSet<_>>() == set.members.iter().collect::<BTreeSet<_>>()
    });
    assert!(is_apart || (set.members.len() == 1 && set.edges.is_empty()));
    met.single += u32::from(!is_apart);
    let edges = set.edges.iter().map(|&edge| length(kernel, edge as usize)).sum::<i64>();
    let loops = set.members.iter().map(|&vertex| loops(kernel, vertex as usize)).sum::<i64>();
    assert_eq!(set.worth, edges + loops);
    assert!(set.worth > 0);
}

/// Every component has its set, and so has every vertex with loops that is not used.
fn check_complete(prices: &Prices<'_>, relaxation: &Relaxation<'_, '_>, apart: &[Vec<u32>], met: &mut Met) {
    let (used, kernel) = (&relaxation.choice.used, relaxation.relaxed.kernel);
    let mut known = BTreeSet::new();
    for set in &prices.sets {
        assert!(known.insert((&set.members, &set.edges)), "{:?} twice", set.members);
    }
    for vertices in apart {
        let count = vertices.len();
        assert!(prices.sets.iter().any(|set| {
            set.members.len() == count && vertices.iter().all(|vertex| set.members.contains(vertex))
        }));
    }
    for vertex in (0..kernel.vertices.len()).filter(|&vertex| loops(kernel, vertex) > 0) {
        let has_set = known.contains(&(&vec![vertex as u32], &Vec::new()));
        if vertex == kernel.root {
            met.root_loops += 1;
            assert!(!has_set);
        } else {
            assert!(has_set || kernel.links.of(vertex).any(|edge| used[edge]));
        }
    }
}

#[test]
fn prices_are_where_their_sets_say() {
    let mut random = Random::new(14);
    let budget = Budget::unlimited();
    let pace = &mut Pace::new(&budget);
    let mut met = Met::default();
    for _ in 0..600 {
        let board = lattice(&mut random, (14, 24), (45, 75), (9, 9));
        let graph = Graph::new(&board, pace).unwrap();
        let regions = Regions::new(&graph, pace).unwrap();
        let starts = regions.starts(pace).unwrap();
        let Some(&start) = starts.first() else { continue };
        let rooted = Rooted::new(&regions, start, pace).unwrap();
        let mut kernel = Kernel::new(&rooted, pace).unwrap();
        if kernel.edges.is_empty() {
            continue;
        }
        // Loops and longer edges, which such a board has few of; what is tested asks only for their numbers.
        for vertex in &mut kernel.vertices {
            vertex.loops = Gain::prize(random.between(0, 9).saturating_sub(5) as u32);
        }
        for edge in &mut kernel.edges {
            edge.whole = Gain::prize(random.between(1, 3) as u32);
        }
        let mut prices = Prices::new(pace);
        for step in [32, 33, 16, 17, 9, 8, 5, 4, 3] {
            let mut relaxation = prices.relax(&kernel, pace).unwrap();
            check_relaxed(&prices, &relaxation.relaxed, &mut met);
            // Hardly a choice leaves out all edges of a vertex by itself.
            let left_out = random.below(kernel.vertices.len() as u64) as usize;
            if random.chance(0.5) {
                kernel.links.of(left_out).for_each(|edge| relaxation.choice.used[edge] = false);
            }
            let choice = relaxation.choice.clone();
            let components = Components::new(&kernel, &choice);
            let apart = components.vertices.get(1..).unwrap();
            let before: Vec<i64> = prices.sets.iter().map(|set| set.price).collect();
            prices.follow(&relaxation, apart, step, pace).unwrap();
            for (set, &before) in prices.sets.iter().zip(&before) {
                check_followed((set, before), &relaxation, step, &mut met);
            }
            for set in &prices.sets[before.len()..] {
                assert_eq!(set.price, 2 * step);
                check_new(set, &relaxation, apart, &mut met);
            }
            check_complete(&prices, &relaxation, apart, &mut met);
        }
    }
    let Met { higher, lower, rounded, loops, loops_left, single, root_loops, no_gain } = met;
    let all = [higher, lower, rounded, loops, loops_left, single, root_loops, no_gain];
    assert!(all.iter().all(|&times| times > 0), "{met:?}");
}
