//! Compares the parts of the exact algorithm with each other and with a search through all trails.

use std::collections::BTreeMap;

use super::super::graph::lattices::lattice;
use super::super::parity::table::ParityTable;
use super::super::plan::{ENDED, Use, leave, use_edge};
use super::*;
use crate::board::checkers::{EMPTY, OWN};
use crate::solver::Random;

/// Returns a board with a few own pieces. Mostly its even rows are full of opponent pieces except for some holes;
/// sometimes its opponent pieces are random.
fn board(random: &mut Random) -> CheckersBoard {
    let (rows, columns) = (random.between(5, 13) as usize, random.between(5, 13) as usize);
    let lattice = random.chance(0.8);
    let holes = 0.4 * random.below(100) as f64 / 100.0;
    let mut squares = Vec::new();
    for row in 0..rows {
        for _ in (row % 2..columns).step_by(2) {
            let opponent = if lattice { row % 2 == 0 && !random.chance(holes) } else { random.chance(0.4) };
            squares.push(if opponent { OPPONENT } else { EMPTY });
        }
    }
    let empty: Vec<usize> = (0..squares.len()).filter(|&square| squares[square] == EMPTY).collect();
    for _ in 0..random.between(1, 3) {
        squares[empty[random.below(empty.len() as u64) as usize]] = OWN;
    }
    CheckersBoard::new(rows, columns, squares)
}

/// Returns the most captures from a square by trying all; `None` if that takes more than `steps`.
fn by_trying(board: &mut CheckersBoard, from: usize, steps: &mut u32) -> Option<u64> {
    *steps = steps.checked_sub(1)?;
    let mut most = 0;
    for direction in crate::board::checkers::DIAGONALS {
        if let Some(jump) = board.jump(from, direction) {
            board.squares_mut()[jump.over] = EMPTY;
            let captures = by_trying(board, jump.to, steps);
            board.squares_mut()[jump.over] = OPPONENT;
            most = most.max(1 + captures?);
        }
    }
    Some(most)
}

/// The graph of one start, its kernel, and a plan.
struct Rig<'a> {
    graph: Graph<'a>,
    kernel: Kernel<'a>,
    plan: Plan<'a>,
}

/// Prepares a start. Returns the longest trail as an error if the kernel has no edges.
fn rig<'a>(graphs: &mut Graphs<'_, 'a>, start: Start, pace: &mut Pace<'a>) -> Result<Rig<'a>, u32> {
    let graph = graphs.of(start.square, pace).unwrap();
    let kernel = Kernel::new(&graph, pace).unwrap();
    with_plan(graph, kernel, pace)
}

fn with_plan<'a>(graph: Graph<'a>, kernel: Kernel<'a>, pace: &mut Pace<'a>) -> Result<Rig<'a>, u32> {
    if kernel.edges.is_empty() {
        return Err(kernel.within.edges);
    }
    let place = |vertex: usize| (kernel.vertices[vertex].origin as usize, 0);
    let plan = Plan::new(&kernel, WIDTH_MAX, place, pace).unwrap().unwrap();
    Ok(Rig { graph, kernel, plan })
}

/// Returns the longest trail of a start after replacing parts of its kernel, and whether there are such parts.
fn longest_without_parts<'a>(rig: Rig<'a>, pace: &mut Pace<'a>) -> (u32, bool) {
    let before = rig.kernel.vertices.len();
    let kernel = without_parts(rig.kernel, pace).unwrap();
    let has_parts = kernel.vertices.len() < before;
    match with_plan(rig.graph, kernel, pace) {
        Ok(rig) => {
            let relaxation = Relaxation::new(&rig.kernel, pace).unwrap();
            let cuts = ParityCuts::new(&relaxation, &rig.plan, pace).unwrap();
            (longest(&rig, &cuts), has_parts)
        }
        Err(within) => (within, has_parts),
    }
}

/// Returns the longest trail of a start by a search with the bound `cuts`.
fn longest(rig: &Rig<'_>, cuts: &ParityCuts<'_, '_>) -> u32 {
    let task = Task {
        kernel: &rig.kernel,
        plan: &rig.plan,
        cuts,
        edges_wanted: true,
        longer_than: rig.kernel.within.edges,
        budget: &Budget::unlimited(),
    };
    let found = task.run();
    assert_eq!(found.ended, Ok(()));
    if let Some(chosen) = found.chosen {
        assert!(found.longest > rig.kernel.within.edges);
        let chosen = rig.kernel.sets.spell_out(chosen);
        assert_eq!(trails::through(&rig.graph, chosen).len() as u32, found.longest + 1);
    }
    found.longest
}

/// Returns the longest trail that T-joins under prices leave, whether circles have joined components, the upper bound,
/// and the last relaxation.
fn without_search<'k, 'a>(
    rig: &'k Rig<'_>,
    pace: &mut Pace<'a>,
) -> (u32, bool, u32, Option<Relaxation<'k, 'a>>) {
    let Rig { graph, kernel, .. } = rig;
    let (mut longest, mut joined, mut at_most) = (kernel.within.edges, false, u32::MAX);
    let (mut prices, mut last) = (Prices::new(pace), None);
    for step in [32, 32, 16, 16, 8, 8, 4, 4] {
        let relaxation = prices.relax(kernel, pace).unwrap();
        at_most = at_most.min(relaxation.at_most).max(kernel.within.edges);
        let mut choice = relaxation.choice.clone();
        let before = Components::new(kernel, &choice);
        let apart = before.vertices.get(1..).unwrap_or_default();
        prices.follow(&relaxation, apart, step, pace).unwrap();
        circles::connect(kernel, &mut choice, pace).unwrap();
        let components = Components::new(kernel, &choice);
        joined |= components.worth.len() < before.worth.len();
        let worth = choice.worth(kernel, &components);
        let chosen = choice.graph_edges(kernel, &components);
        assert_eq!(chosen.iter().filter(|chosen| **chosen).count() as u32, worth);
        assert_eq!(trails::through(graph, chosen).len() as u32, worth + 1);
        longest = longest.max(worth);
        last = Some(relaxation);
    }
    (longest, joined, at_most, last)
}

#[test]
fn every_start_is_as_long_as_trying_everything_finds_it() {
    let mut random = Random::new(11);
    let (mut compared, mut with_kernel, mut weaker) = (0, 0, 0);
    let (mut without, mut with_parts) = (0, 0);
    let budget = Budget::unlimited();
    let pace = &mut Pace::new(&budget);
    for _ in 0..3000 {
        let board = board(&mut random);
        let mut graphs = Graphs::new(&board, pace).unwrap();
        for &start in graphs.starts(pace).unwrap().iter() {
            let square = start.square as usize;
            let mut lifted = board.clone();
            lifted.squares_mut()[square] = EMPTY;
            let tried = by_trying(&mut lifted, square, &mut 100_000);
            let Some(tried) = tried else { continue };
            compared += 1;
            assert!(tried <= u64::from(start.bound));
            let rig = match rig(&mut graphs, start, pace) {
                Ok(rig) => rig,
                Err(within) => {
                    assert_eq!(u64::from(within), tried, "{board:?}");
                    continue;
                }
            };
            with_kernel += 1;
            let (found, _, at_most, _) = without_search(&rig, pace);
            assert!(u64::from(found) <= tried && tried <= u64::from(at_most), "{found} {at_most} {board:?}");
            without += u32::from(u64::from(found) == tried);
            let table = ParityTable::new(&rig.kernel, &rig.plan);
            let relaxation = Relaxation::new(&rig.kernel, pace).unwrap();
            let cuts = ParityCuts::new(&relaxation, &rig.plan, pace).unwrap();
            // Before the first step both bounds are as sharp as parity can be, so they are equal.
            assert_eq!(table.gain_max(0, 0), cuts.at_most(0, 0, 0), "{board:?}");
            // A wrong certificate is detected. The bound that replaces it is weaker, but valid.
            let wrong = (random.below(1000) as usize, 1 << 20);
            let fallen_back = Relaxation::corrupted(&rig.kernel, wrong, pace).unwrap();
            let fallen_back = ParityCuts::new(&fallen_back, &rig.plan, pace).unwrap();
            assert!(fallen_back.at_most(0, 0, 0) >= cuts.at_most(0, 0, 0), "{board:?}");
            weaker += u32::from(fallen_back.at_most(0, 0, 0) > cuts.at_most(0, 0, 0));
            for cuts in [&cuts, &fallen_back] {
                assert_eq!(u64::from(longest(&rig, cuts)), tried, "{board:?}");
            }
            drop(cuts);
            let (found, has_parts) = longest_without_parts(rig, pace);
            assert_eq!(u64::from(found), tried, "{board:?}");
            with_parts += u32::from(has_parts);
        }
    }
    assert!(compared > 3000 && with_kernel > 700, "{compared} {with_kernel}");
    assert!(weaker > 50 && with_parts > 20, "{weaker} {with_parts}");
    assert!(without > with_kernel * 9 / 10, "{without} of {with_kernel}");
}

#[test]
fn the_search_agrees_with_prices_and_circles() {
    let mut random = Random::new(13);
    let budget = Budget::unlimited();
    let pace = &mut Pace::new(&budget);
    let (mut met, mut joins, mut priced, mut parts, mut with_kernel) = (0, 0, 0, 0, 0);
    for _ in 0..300 {
        let board = lattice(&mut random, (16, 30), (50, 75), (9, 9));
        let mut graphs = Graphs::new(&board, pace).unwrap();
        let starts = graphs.starts(pace).unwrap();
        let Some(Ok(rig)) = starts.first().map(|&start| rig(&mut graphs, start, pace)) else { continue };
        with_kernel += 1;
        let relaxation = Relaxation::new(&rig.kernel, pace).unwrap();
        let cuts = ParityCuts::new(&relaxation, &rig.plan, pace).unwrap();
        assert_eq!(cuts.at_most(0, 0, 0), Some(relaxation.at_most));
        let longest = longest(&rig, &cuts);
        let (found, joined, at_most, last) = without_search(&rig, pace);
        assert!(found <= longest && longest <= at_most, "{found} {longest} {at_most} {board:?}");
        met += u32::from(found == longest);
        joins += u32::from(joined);
        priced += u32::from(at_most < relaxation.at_most.max(rig.kernel.within.edges));
        // A search with the bound under prices finds the same.
        if let Some(last) = last {
            let cuts = ParityCuts::new(&last, &rig.plan, pace).unwrap();
            assert_eq!(self::longest(&rig, &cuts), longest, "{board:?}");
        }
        let (found, has_parts) = longest_without_parts(rig, pace);
        assert_eq!(found, longest, "{board:?}");
        parts += u32::from(has_parts);
    }
    assert!(
        met > with_kernel * 2 / 3 && joins > 20 && priced > 20 && parts > 100,
        "{met} {joins} {priced} {parts} of {with_kernel}"
    );
}

/// If a T-join costs what its dual variables prove, both are optimal, however they were found. Kernels are planar.
#[test]
fn the_cheapest_t_join_costs_what_its_dual_variables_prove() {
    let mut random = Random::new(18);
    let budget = Budget::unlimited();
    let pace = &mut Pace::new(&budget);
    let (mut large, mut under_prices) = (0, 0);
    for _ in 0..150 {
        let board = lattice(&mut random, (40, 60), (60, 95), (21, 21));
        let mut graphs = Graphs::new(&board, pace).unwrap();
        let starts = graphs.starts(pace).unwrap();
        let Some(&start) = starts.first() else { continue };
        let kernel = Kernel::new(&graphs.of(start.square, pace).unwrap(), pace).unwrap();
        if kernel.vertices.len() < 200 {
            continue;
        }
        large += 1;
        let mut prices = Prices::new(pace);
        let mut relaxation = Relaxation::new(&kernel, pace).unwrap();
        for _ in 0..8 {
            let (cost, proved) = relaxation.primal_and_dual();
            assert_eq!(cost, proved, "{board:?}");
            let mut degrees = vec![0; kernel.vertices.len()];
            for (edge, _) in relaxation.choice.used.iter().enumerate().filter(|(_, used)| **used) {
                for end in kernel.edges[edge].ends {
                    degrees[end] += 1;
                }
            }
            degrees[kernel.root] += 1;
            degrees[relaxation.choice.end] += 1;
            assert!(degrees.iter().all(|degree| degree % 2 == 0), "{board:?}");
            let choice = relaxation.choice.clone();
            let components = Components::new(&kernel, &choice);
            let apart = components.vertices.get(1..).unwrap_or_default();
            if apart.is_empty() {
                break;
            }
            under_prices += 1;
            prices.follow(&relaxation, apart, 2 * Prices::STEP, pace).unwrap();
            relaxation = prices.relax(&kernel, pace).unwrap();
        }
    }
    assert!(large > 40 && under_prices > 40, "{large} {under_prices}");
}

#[test]
fn cuts_are_never_below_the_table() {
    let mut random = Random::new(12);
    let budget = Budget::unlimited();
    let pace = &mut Pace::new(&budget);
    let (mut states, mut equal) = (0, 0);
    for _ in 0..1500 {
        let board = board(&mut random);
        let mut graphs = Graphs::new(&board, pace).unwrap();
        for &start in graphs.starts(pace).unwrap().iter().take(3) {
            let Ok(rig) = rig(&mut graphs, start, pace) else { continue };
            let table = ParityTable::new(&rig.kernel, &rig.plan);
            let relaxation = Relaxation::new(&rig.kernel, pace).unwrap();
            let cuts = ParityCuts::new(&relaxation, &rig.plan, pace).unwrap();
            // The error is so small that the certificate can still be valid, or it is large.
            let wrong = (random.below(1000) as usize, [1, 2, 1 << 20][random.below(3) as usize]);
            let fallen_back = Relaxation::corrupted(&rig.kernel, wrong, pace).unwrap();
            let fallen_back = ParityCuts::new(&fallen_back, &rig.plan, pace).unwrap();
            // All states that occur without any bound; of equal ones, that with the least worth `told` for its gain.
            let mut layer = BTreeMap::from([(0_u128, (0_u32, 0_i64))]);
            for (at, step) in rig.plan.steps.iter().enumerate() {
                let mut next = BTreeMap::new();
                for (&bits, &(gained, told)) in &layer {
                    let exact = table.gain_max(at, bits);
                    for cuts in [&cuts, &fallen_back] {
                        assert!(exact <= cuts.at_most(0, at, bits), "{board:?} step {at} bits {bits:b}");
                        let total = exact.map(|exact| gained + exact);
                        assert!(total <= cuts.at_most(told, at, bits), "{board:?} step {at} bits {bits:b}");
                    }
                    states += 1;
                    equal += u32::from(exact == cuts.at_most(0, at, bits));
                    for how in Use::ALL {
                        let Some((bits, gain)) = use_edge(&rig.kernel, step, bits, how) else { continue };
                        let (mut bits, mut gained) = (bits, gained + gain.edges);
                        let mut told = told + cuts.of_use(step, how);
                        let leaves = (0..2).filter(|&end| step.leaves[end]).all(|end| {
                            let (vertex, slot) = (step.vertices[end], step.slots[end]);
                            let Some((left, gain)) = leave(&rig.kernel, vertex, slot, bits) else {
                                return false;
                            };
                            let (at_end, loops) = cuts.of_vertex(vertex);
                            gained += gain.edges + rig.kernel.vertices[vertex].loops.edges;
                            told += loops + if left & ENDED == bits & ENDED { 0 } else { at_end };
                            bits = left;
                            true
                        });
                        if leaves {
                            let worst = next.entry(bits).or_insert((gained, told));
                            if told - Prices::STEP * i64::from(gained)
                                < worst.1 - Prices::STEP * i64::from(worst.0)
                            {
                                *worst = (gained, told);
                            }
                        }
                    }
                }
                layer = next;
            }
        }
    }
    assert!(states > 10_000 && equal > states * 595 / 1000, "{states} {equal}");
}
