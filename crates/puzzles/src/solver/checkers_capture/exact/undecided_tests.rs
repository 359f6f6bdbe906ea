//! Tests boards on which bounds and prices alone do not finish, or a limit stops the algorithm.

use super::super::graph::lattices::lattice;
use super::*;
use crate::solver::checkers_capture::capture::play;
use crate::solver::{Cancel, Random};

/// Seeds of boards that prices leave undecided.
const OPEN: [u64; 8] = [39, 206, 299, 311, 342, 427, 431, 542];

fn board(seed: u64) -> CheckersBoard {
    lattice(&mut Random::new(seed), (30, 60), (50, 70), (9, 9))
}

/// Replays a path and returns its number of captures; `None` if there is no path.
fn played(board: &CheckersBoard, best: &Best) -> Option<u64> {
    let squares: Vec<(usize, usize)> = best.path.iter().map(|&square| board.place(square)).collect();
    let played = play(board, &squares);
    assert!(played.fault.is_none());
    (!squares.is_empty()).then_some(played.jumps.len() as u64)
}

/// If the frontier is too wide for a search, prices go on. A board that they leave open is never reported as decided,
/// and the result names the limit that ended them.
#[test]
fn what_no_search_is_wide_enough_for_stays_undecided() {
    let (mut decided, mut undecided) = (0, 0);
    for seed in (0..30).chain(OPEN) {
        let board = board(seed);
        let answer = solve(&board, true, &Budget::unlimited()).unwrap().captures;
        let budget = Budget::failing_at(3000, Stop::TimeLimit);
        match solve_with(&board, true, 1, &budget) {
            Ok(best) => {
                assert_eq!(best.captures, answer, "{board:?}");
                decided += 1;
            }
            Err(Interrupted { stop, best, at_most }) => {
                assert_eq!(stop, Stop::TimeLimit);
                assert!(best.captures <= answer && answer <= at_most, "{board:?}");
                // The bound that prices prove is nearly exact.
                assert!(best.captures < at_most && at_most <= answer + 2, "{answer} {at_most} {board:?}");
                undecided += 1;
            }
        }
    }
    assert!(decided > 20 && undecided > OPEN.len() / 2, "{decided} {undecided}");
}

#[test]
fn what_prices_leave_open_is_searched() {
    for seed in OPEN {
        let board = board(seed);
        let answer = solve(&board, true, &Budget::unlimited()).unwrap();
        assert_eq!(played(&board, &answer), Some(answer.captures));
    }
}

/// If memory is short, the solver gives up the path before the number.
#[test]
fn a_number_needs_less_memory_than_its_path() {
    let budget = Budget::unlimited();
    let pace = &mut Pace::new(&budget);
    let (mut met, mut short) = (0, 0);
    for seed in 0..40 {
        let board = lattice(&mut Random::new(seed), (14, 24), (50, 75), (9, 9));
        let mut graphs = Graphs::new(&board, pace).unwrap();
        let starts = graphs.starts(pace).unwrap();
        let Some(&start) = starts.first() else { continue };
        let graph = graphs.of(start.square, pace).unwrap();
        let kernel = Kernel::new(&graph, pace).unwrap();
        if kernel.edges.is_empty() {
            continue;
        }
        let relaxation = Relaxation::new(&kernel, pace).unwrap();
        let plan = Plan::new(&kernel, WIDTH_MAX, |vertex| (vertex, 0), pace).unwrap().unwrap();
        let cuts = ParityCuts::new(&relaxation, &plan, pace).unwrap();
        let search = |edges_wanted| {
            let budget = Budget::unlimited();
            let (kernel, plan, cuts) = (&kernel, &plan, &cuts);
            let task = Task { kernel, plan, cuts, edges_wanted, longer_than: 0, budget: &budget };
            (task.run().longest, budget.memory_bytes_peak())
        };
        let ((longest, bare), (_, full)) = (search(false), search(true));
        assert!(bare < full);
        for (bytes, is_short) in [(full, false), (bare, true)] {
            let tight = Budget::new(None, None, bytes, Cancel::default());
            let graphs = Graphs::new(&board, pace).unwrap();
            let (best, pace, at_most) = (Best::default(), Pace::new(&tight), u64::from(longest));
            let mut search = Search { board: &board, graphs, path: true, width_max: 1, pace, best, at_most };
            search.search(&graph, &kernel, &plan, &cuts).unwrap();
            assert_eq!(search.best.captures, u64::from(longest));
            let path = played(&board, &search.best);
            assert!(path.is_none() || path == Some(u64::from(longest)));
            assert!(path.is_some() || is_short);
            met += u32::from(path.is_some());
            short += u32::from(path.is_none());
        }
    }
    assert!(met > 20 && short > 5, "{met} {short}");
}
