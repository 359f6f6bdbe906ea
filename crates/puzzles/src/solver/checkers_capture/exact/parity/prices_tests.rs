//! Compares prices with their sets, edge by edge.

use std::collections::BTreeSet;

use super::super::super::edge_sets::Gain;
use super::super::super::graph::Graphs;
use super::super::super::graph::lattices::lattice;
use super::super::super::trails::Components;
use super::*;
use crate::solver::{Budget, Random};

/// How often each case occurs that the test must cover.
#[derive(Debug, Default)]
struct Met {
    higher: u32,
    lower: u32,
    rounded: u32,
    no_gain: u32,
}

fn length(kernel: &Kernel<'_>, edge: usize) -> i64 {
    i64::from(kernel.edges[edge].whole.edges)
}

/// Returns how many ends of an edge are in a set.
fn ends_in(kernel: &Kernel<'_>, edge: usize, members: &[u32]) -> usize {
    kernel.edges[edge].ends.iter().filter(|&&end| members.contains(&(end as u32))).count()
}

/// Checks that the graph under prices is the graph without prices plus each set's price at the set's edges and ends.
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
        let mut end = plain.end_cost - plain.to_end[vertex];
        for set in priced.iter().filter(|set| set.members.contains(&(vertex as u32))) {
            end += set.price;
        }
        assert_eq!(relaxed.loops[vertex], plain.loops[vertex]);
        assert_eq!(relaxed.to_end[vertex], relaxed.end_cost - end);
        end_max = end_max.max(end);
        let used = kernel.links.of(vertex).filter(|&edge| relaxed.gains[edge] > 0).count();
        let is_terminal = (used % 2 == 1) != (vertex == kernel.root);
        assert_eq!(relaxed.terminals.contains(&vertex), is_terminal);
    }
    assert_eq!(relaxed.terminals.last(), Some(&kernel.vertices.len()));
    if !relaxed.lengths.is_empty() {
        // One edge to the end costs more than all kernel edges, so two such edges are worse than one.
        assert!(relaxed.to_end.iter().all(|&cost| cost >= relaxed.lengths.iter().sum::<i64>() + SCALE));
        assert_eq!(relaxed.end_cost, relaxed.lengths.iter().sum::<i64>() + end_max + SCALE);
    }
    let gains = relaxed.gains.iter().filter(|&&gain| gain > 0).sum::<i64>();
    assert_eq!(relaxed.worth, gains + relaxed.loops.iter().sum::<i64>());
}

/// Checks that the price of a set that existed before follows the choice.
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
    let chosen: i64 = set
        .edges
        .iter()
        .map(|&edge| edge as usize)
        .filter(|&edge| used[edge])
        .map(|edge| length(kernel, edge))
        .sum();
    let price = (before + 2 * step * chosen / set.worth - step * crossing as i64).max(0);
    met.rounded += u32::from(price % 2 != 0);
    assert_eq!(set.price, price - price % 2);
    met.higher += u32::from(set.price > before);
    met.lower += u32::from(set.price < before);
}

/// Checks that a new set is one of the components.
fn check_new(set: &PricedSet, relaxation: &Relaxation<'_, '_>, apart: &[Vec<u32>]) {
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
    assert!(is_apart);
    assert_eq!(set.worth, set.edges.iter().map(|&edge| length(kernel, edge as usize)).sum::<i64>());
    assert!(set.worth > 0);
}

/// Checks that every component has a set, and that no set occurs twice.
fn check_complete(prices: &Prices<'_>, apart: &[Vec<u32>]) {
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
}

#[test]
fn prices_are_where_their_sets_say() {
    let mut random = Random::new(14);
    let budget = Budget::unlimited();
    let pace = &mut Pace::new(&budget);
    let mut met = Met::default();
    for _ in 0..600 {
        let board = lattice(&mut random, (14, 24), (45, 75), (9, 9));
        let mut graphs = Graphs::new(&board, pace).unwrap();
        let starts = graphs.starts(pace).unwrap();
        let Some(&start) = starts.first() else { continue };
        let rooted = graphs.of(start.square, pace).unwrap();
        let mut kernel = Kernel::new(&rooted, pace).unwrap();
        if kernel.edges.is_empty() {
            continue;
        }
        // Add loops and longer edges, which are rare on such boards. Prices use only their numbers of edges.
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
            // Sometimes leave out all edges of a vertex, which choices rarely do.
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
                check_new(set, &relaxation, apart);
            }
            check_complete(&prices, apart);
        }
    }
    let Met { higher, lower, rounded, no_gain } = met;
    let all = [higher, lower, rounded, no_gain];
    assert!(all.iter().all(|&times| times > 0), "{met:?}");
}
