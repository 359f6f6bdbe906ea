//! What the algorithm says where it does not come to its end.

use super::tests::lattice;
use super::*;
use crate::solver::Random;

/// Prices go on where a frontier is too wide for a search. What they leave open is never taken for decided, and the limit
/// that ends them is named.
#[test]
fn what_no_search_is_wide_enough_for_stays_undecided() {
    /// Where prices leave something open.
    const OPEN: [u64; 8] = [39, 206, 299, 311, 342, 427, 431, 542];
    let (mut decided, mut undecided) = (0, 0);
    for seed in (0..30).chain(OPEN) {
        let board = lattice(&mut Random::new(seed), (30, 60), (50, 70), (9, 9));
        let answer = solve(&board, true, &Budget::unlimited()).unwrap().captures;
        let budget = Budget::failing_at(3000, Stop::TimeLimit);
        match solve_within(&board, true, 1, &budget) {
            Ok(best) => {
                assert_eq!(best.captures, answer, "{board:?}");
                decided += 1;
            }
            Err(Interrupted { stop, best, at_most }) => {
                assert_eq!(stop, Stop::TimeLimit);
                assert!(best.captures <= answer && answer <= at_most, "{board:?}");
                assert!(best.captures < at_most, "{board:?}");
                undecided += 1;
            }
        }
    }
    assert!(decided > 20 && undecided > OPEN.len() / 2, "{decided} {undecided}");
}
