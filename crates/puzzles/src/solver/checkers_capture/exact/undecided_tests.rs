//! What the algorithm does where it does not come to its end at once.

use super::super::graph::lattices::lattice;
use super::*;
use crate::solver::checkers_capture::capture::play;
use crate::solver::{Cancel, Random};

const USUAL: Effort = Effort { width_max: WIDTH_MAX, states_first: STATES_FIRST };

/// Boards on which prices leave something open.
const OPEN: [u64; 8] = [39, 206, 299, 311, 342, 427, 431, 542];

fn board(seed: u64) -> CheckersBoard {
    lattice(&mut Random::new(seed), (30, 60), (50, 70), (9, 9))
}

/// The captures of a path that is played, or nothing where there is no path.
fn played(board: &CheckersBoard, best: &Best) -> Option<u64> {
    let squares: Vec<(usize, usize)> = best.path.iter().map(|&square| board.place(square)).collect();
    let played = play(board, &squares);
    assert!(played.fault.is_none());
    (!squares.is_empty()).then_some(played.jumps.len() as u64)
}

/// Prices go on where a frontier is too wide for a search. What they leave open is never taken for decided, and the limit
/// that ends them is named.
#[test]
fn what_no_search_is_wide_enough_for_stays_undecided() {
    let (mut decided, mut undecided) = (0, 0);
    for seed in (0..30).chain(OPEN) {
        let board = board(seed);
        let answer = solve(&board, true, &Budget::unlimited()).unwrap().captures;
        let budget = Budget::failing_at(3000, Stop::TimeLimit);
        match solve_with(&board, true, Effort { width_max: 1, ..USUAL }, &budget) {
            Ok(best) => {
                assert_eq!(best.captures, answer, "{board:?}");
                decided += 1;
            }
            Err(Interrupted { stop, best, at_most }) => {
                assert_eq!(stop, Stop::TimeLimit);
                assert!(best.captures <= answer && answer <= at_most, "{board:?}");
                // Prices prove nearly all there is to prove.
                assert!(best.captures < at_most && at_most <= answer + 2, "{answer} {at_most} {board:?}");
                undecided += 1;
            }
        }
    }
    assert!(decided > 20 && undecided > OPEN.len() / 2, "{decided} {undecided}");
}

#[test]
fn passes_of_few_states_lead_to_the_same_answer() {
    for seed in OPEN {
        let board = board(seed);
        let answer = solve(&board, true, &Budget::unlimited()).unwrap();
        assert_eq!(played(&board, &answer), Some(answer.captures));
        // Passes that never keep more would go on for ever.
        let budget = Budget::failing_at(50_000, Stop::TimeLimit);
        let best = solve_with(&board, true, Effort { states_first: 1, ..USUAL }, &budget).unwrap();
        assert_eq!(best.captures, answer.captures, "{board:?}");
        assert_eq!(played(&board, &best), Some(best.captures), "{board:?}");
    }
}

/// The path that is looked for by itself is as long as the number says; none is looked for where nothing longer was found. Memory
/// that is short costs the path before the number.
#[test]
fn a_path_is_found_by_itself() {
    let budget = Budget::unlimited();
    let pace = &mut Pace::new(&budget);
    let (mut met, mut short) = (0, 0);
    for seed in 0..40 {
        let board = lattice(&mut Random::new(seed), (14, 24), (50, 75), (9, 9));
        let graph = Graph::new(&board, pace).unwrap();
        let regions = Regions::new(&graph, pace).unwrap();
        let starts = regions.starts(pace).unwrap();
        let Some(&start) = starts.first() else { continue };
        let rooted = Rooted::new(&regions, start, pace).unwrap();
        let kernel = Kernel::new(&rooted, pace).unwrap();
        if kernel.edges.is_empty() {
            continue;
        }
        let relaxation = Relaxation::new(&kernel, pace).unwrap();
        let plan = Plan::new(&kernel, WIDTH_MAX, |vertex| (vertex, 0), pace).unwrap().unwrap();
        let cuts = ParityCuts::new(&relaxation, &plan, pace).unwrap();
        let task = Task {
            kernel: &kernel,
            plan: &plan,
            cuts: &cuts,
            edges_wanted: true,
            longer_than: 0,
            states_max: 1 << 20,
            budget: &budget,
        };
        let longest = task.run().longest;
        for captures in [0, longest - 1, longest] {
            let best = Best { captures: u64::from(captures), path: Vec::new() };
            let (regions, pace) = (&regions, Pace::new(&budget));
            let mut search =
                Search { board: &board, regions, path: true, effort: USUAL, pace, best, at_most: 0 };
            let pass = search.without_path(&task);
            assert_eq!((pass.ended, pass.longest, search.path), (Ok(()), longest, true));
            assert_eq!(pass.chosen.is_some(), captures < longest);
            if pass.chosen.is_some() {
                search.improve_by(pass, &rooted, &kernel);
                assert_eq!(played(&board, &search.best), Some(u64::from(longest)));
                met += 1;
            }
        }
        // Memory for the number alone gives the number, and a path or none.
        let peak = |edges_wanted| {
            let budget = Budget::unlimited();
            Task { edges_wanted, budget: &budget, ..task }.run();
            budget.memory_bytes_peak()
        };
        let (bare, full) = (peak(false), peak(true));
        assert!(bare < full);
        let tight = Budget::new(None, None, bare, Cancel::default());
        let effort = Effort { states_first: 1 << 20, ..USUAL };
        let (regions, best, pace) = (&regions, Best::default(), Pace::new(&tight));
        let at_most = u64::from(longest);
        let mut search = Search { board: &board, regions, path: true, effort, pace, best, at_most };
        search.pass_by_pass(&rooted, &kernel, &plan, &cuts).unwrap();
        assert_eq!(search.best.captures, u64::from(longest));
        assert_eq!(played(&board, &search.best).is_some(), search.path);
        short += u32::from(!search.path);
    }
    assert!(met > 20 && short > 5, "{met} {short}");
}
