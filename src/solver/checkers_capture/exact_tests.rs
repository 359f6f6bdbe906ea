//! The parts of the exact algorithm against each other and against a search through all trails.

use super::super::moves::{Use, leave, use_edge};
use super::*;
use crate::board::checkers::{EMPTY, OWN};
use crate::solver::Random;

/// A board whose even rows are full of opponent pieces but for some holes, with a few own pieces between
/// them; now and then one with random pieces.
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

/// The most captures from a square, by trying everything; `None` where that takes too long.
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

/// Runs one start with one bound and few states at first: the longest trail and what it was proved with.
fn longest(
    kernel: &Kernel,
    plan: &Plan,
    bound: &dyn Bound,
    graph: &Rooted,
    mut states_max: usize,
) -> (u32, u32) {
    let (mut longest, mut passes) = (kernel.within.edges, 0);
    loop {
        let task = Task {
            kernel,
            plan,
            bound,
            graph_edges: Some(graph.edges.len()),
            longer_than: longest,
            states_max,
            budget: &Budget::unlimited(),
        };
        let pass = task.run().unwrap();
        passes += 1;
        if let Some(found) = pass.longest {
            longest = found.edges;
            let chosen = found.chosen.unwrap();
            assert_eq!(chosen.iter().filter(|chosen| **chosen).count() as u32, longest);
        }
        if pass.left_out_max <= longest {
            return (longest, passes);
        }
        states_max *= 2;
    }
}

#[test]
fn every_start_is_as_long_as_trying_everything_finds_it() {
    let mut random = Random::new(11);
    let (mut compared, mut with_kernel, mut beamed) = (0, 0, 0);
    let budget = Budget::unlimited();
    for _ in 0..3000 {
        let mut board = board(&mut random);
        for component in components(&board.clone(), &budget).unwrap() {
            for &(bound, start) in component.starts() {
                let square = component.squares[start as usize] as usize;
                board.squares_mut()[square] = EMPTY;
                let tried = by_trying(&mut board, square, &mut 100_000);
                board.squares_mut()[square] = OWN;
                let Some(tried) = tried else { continue };
                compared += 1;
                assert!(tried <= u64::from(bound));
                let graph = Rooted::new(&component, start, &budget).unwrap();
                let kernel = Kernel::new(&graph, &budget).unwrap();
                if kernel.root.is_none() {
                    assert_eq!(u64::from(kernel.within.edges), tried, "{board:?}");
                    continue;
                }
                with_kernel += 1;
                let place = |vertex: usize| (kernel.vertices[vertex].origin as usize, 0);
                let plan = Plan::new(&kernel, place, &budget).unwrap().unwrap();
                let table = ParityTable::new(&kernel, &plan, &budget).unwrap();
                let cuts = ParityCuts::new(&kernel, &plan, &budget).unwrap();
                // Both bounds are as sharp as parity can be at the beginning, so they are equal there.
                assert_eq!(table.gain_max(0, 0), cuts.gain_max(0, 0), "{board:?}");
                for bound in [&table as &dyn Bound, &cuts] {
                    for states_max in [1, 1 << 20] {
                        let (found, passes) = longest(&kernel, &plan, bound, &graph, states_max);
                        assert_eq!(u64::from(found), tried, "{board:?}");
                        beamed += u32::from(passes > 1);
                    }
                }
            }
        }
    }
    assert!(compared > 3000 && with_kernel > 700 && beamed > 100, "{compared} {with_kernel} {beamed}");
}

#[test]
fn cuts_are_never_below_the_table() {
    let mut random = Random::new(12);
    let budget = Budget::unlimited();
    let (mut states, mut equal) = (0, 0);
    for _ in 0..1500 {
        let board = board(&mut random);
        for component in components(&board, &budget).unwrap() {
            let Some(&(_, start)) = component.starts().first() else { continue };
            let graph = Rooted::new(&component, start, &budget).unwrap();
            let kernel = Kernel::new(&graph, &budget).unwrap();
            if kernel.root.is_none() {
                continue;
            }
            let place = |vertex: usize| (kernel.vertices[vertex].origin as usize, 0);
            let plan = Plan::new(&kernel, place, &budget).unwrap().unwrap();
            let table = ParityTable::new(&kernel, &plan, &budget).unwrap();
            let cuts = ParityCuts::new(&kernel, &plan, &budget).unwrap();
            // All states that a walk without any bound meets.
            let mut layer = vec![0_u64];
            for (at, step) in plan.steps.iter().enumerate() {
                let mut next = Vec::new();
                for &bits in &layer {
                    let exact = table.gain_max(at, bits);
                    assert!(exact <= cuts.gain_max(at, bits), "{board:?} step {at} bits {bits:b}");
                    states += 1;
                    equal += u32::from(exact == cuts.gain_max(at, bits));
                    for how in Use::ALL {
                        let Some((bits, _)) = use_edge(&kernel, step, bits, how) else { continue };
                        let left = (0..2).filter(|&end| step.leaves[end]).try_fold(bits, |bits, end| {
                            let (vertex, slot) = (step.vertices[end], step.slots[end]);
                            leave(&kernel, vertex, slot, bits).map(|(bits, _)| bits)
                        });
                        next.extend(left);
                    }
                }
                next.sort_unstable();
                next.dedup();
                layer = next;
            }
        }
    }
    assert!(states > 10_000 && equal > states / 2, "{states} {equal}");
}
