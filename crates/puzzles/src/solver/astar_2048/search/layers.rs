//! Layered search: all boards at one depth, or the best of them.
//!
//! Every swipe adds 2 to the sum of the tiles, so boards at different depths differ, and it is enough to keep one layer
//! without duplicates. If a layer exceeds the width, the search keeps only the boards with the best scores: a beam
//! search (Lowerre, The Harpy Speech Recognition System, 1976). If it never drops a board, it sees every board that the
//! start leads to, so a path that it does not find does not exist.

use super::super::boards::{Space, Swipe};
use super::super::lower_bound::{lower_bound, sum};
use super::trail::{BOARDS_MAX, Link, Trail};
use crate::board::sliding::Direction;
use crate::solver::{Budget, ChargedTable, ChargedVec, Pace, Stop};

/// How far a search goes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// Every path is known to have at least this many moves.
    pub(super) at_least: u64,
    /// Maximum number of boards kept per layer.
    pub(super) width: usize,
    /// Search only for paths with fewer moves than this.
    pub(super) below: Option<u64>,
    /// Maximum number of boards in all layers together. Beyond it the search gives up.
    pub(super) boards_max: u64,
}

/// What a search found and proved.
#[derive(Debug)]
pub(super) struct Report {
    /// The shortest path that was found, with fewer moves than [`Limits::below`].
    pub(super) path: Option<Vec<Direction>>,
    /// No path has fewer moves than this; `None` if there is no path at all below [`Limits::below`].
    pub(super) at_least: Option<u64>,
    /// The limit of the budget that ended the search.
    pub(super) stop: Option<Stop>,
}

/// Searches layer by layer from a board that is not won.
pub(super) fn search<S: Space>(space: &S, start: &S::Board, limits: Limits, budget: &Budget) -> Report {
    let mut search = Search {
        space,
        limits,
        budget,
        pace: Pace::new(budget),
        start_sum: sum(&space.to_sliding(start)),
        depth: 0,
        boards: 0,
        complete: true,
        at_least: Some(limits.at_least),
    };
    let (path, stop) = match search.run(start) {
        Ok(path) => (path, None),
        Err(stop) => (None, Some(stop)),
    };
    Report { path, at_least: search.at_least, stop }
}

struct Search<'a, S> {
    space: &'a S,
    limits: Limits,
    budget: &'a Budget,
    pace: Pace<'a>,
    start_sum: u128,
    /// Moves from the start to the current layer.
    depth: u64,
    /// Boards kept so far.
    boards: u64,
    /// Whether no layer was cut.
    complete: bool,
    at_least: Option<u64>,
}

impl<'a, S: Space> Search<'a, S> {
    fn run(&mut self, start: &S::Board) -> Result<Option<Vec<Direction>>, Stop> {
        let mut trail = Trail::new(self.budget);
        let mut layer = ChargedVec::holding(self.space.bytes_elsewhere(), self.budget);
        layer.push(start.clone())?;
        while !layer.is_empty() && self.limits.below.is_none_or(|below| self.depth + 1 < below) {
            let mut next = Gather::new(self.space, layer.len(), self.budget)?;
            if let Some((parent, direction)) = self.expand(&layer, &mut next)? {
                self.raise_bound();
                let first = trail.first_of(layer.len());
                return Ok(Some(trail.path(Link::new(first + parent, direction))));
            }
            self.depth += 1;
            self.raise_bound();
            if next.boards.len() > self.limits.width {
                self.complete = false;
                next.keep_best(self.limits.width, &mut self.pace)?;
            }
            trail.add_layer(&next.links, layer.len())?;
            layer = next.boards;
            self.boards += layer.len() as u64;
            if self.boards > self.limits.boards_max {
                return Ok(None);
            }
        }
        if self.complete {
            self.at_least = None;
        }
        Ok(None)
    }

    /// Collects the boards after `layer`. Returns the first swipe that wins, if any, with the index of its board.
    fn expand(
        &mut self,
        layer: &[S::Board],
        next: &mut Gather<'a, S>,
    ) -> Result<Option<(usize, Direction)>, Stop> {
        let below = self.pruning_below();
        for (parent, board) in layer.iter().enumerate() {
            for direction in Direction::ALL {
                self.pace.count(self.space.steps())?;
                match self.space.swipe(board, direction) {
                    Swipe::Invalid => {}
                    Swipe::Won => return Ok(Some((parent, direction))),
                    Swipe::Board(child) => {
                        if below.is_none_or(|below| self.may_win_below(&child, below)) {
                            next.insert(child, Link::new(parent, direction), &mut self.pace)?;
                        }
                    }
                }
            }
        }
        Ok(None)
    }

    /// Returns the limit for the boards of the next layer, or `None` if it cannot drop any. While the sum is below the
    /// goal, it alone determines the lower bound, so no board is worse than the start.
    fn pruning_below(&self) -> Option<u64> {
        let sum = self.start_sum + 2 * u128::from(self.depth + 1);
        self.limits.below.filter(|_| sum >= 1 << self.space.goal_rank())
    }

    fn may_win_below(&self, board: &S::Board, below: u64) -> bool {
        let more = lower_bound(&self.space.to_sliding(board), self.space.goal_rank());
        more.is_some_and(|more| self.depth + 1 + more < below)
    }

    /// Raises the lower bound to the number of moves that lead to the next layer, unless a layer was cut.
    fn raise_bound(&mut self) {
        if self.complete {
            self.at_least = self.at_least.max(Some(self.depth + 1));
        }
    }
}

/// A layer that is being collected: each board once, with the link by which it was first reached.
struct Gather<'a, S: Space> {
    space: &'a S,
    boards: ChargedVec<'a, S::Board>,
    links: ChargedVec<'a, Link>,
    /// Indices of `boards`, by hash.
    table: ChargedTable<'a, u32>,
}

impl<'a, S: Space> Gather<'a, S> {
    /// Creates an empty layer with room for about `expected` boards.
    fn new(space: &'a S, expected: usize, budget: &'a Budget) -> Result<Self, Stop> {
        let boards = ChargedVec::holding(space.bytes_elsewhere(), budget);
        let table = ChargedTable::with_room(expected, budget)?;
        Ok(Self { space, boards, links: ChargedVec::new(budget), table })
    }

    /// Adds a board unless it is already there.
    fn insert(&mut self, board: S::Board, link: Link, pace: &mut Pace<'_>) -> Result<(), Stop> {
        let (space, boards) = (self.space, &self.boards);
        let hash = space.hash(&board);
        if self.table.find(hash, |&index| boards[index as usize] == board).is_some() {
            return Ok(());
        }
        if boards.len() == BOARDS_MAX {
            return Err(Stop::MemoryLimit);
        }
        let all = || (0..).zip(boards.iter()).map(|(index, board)| (space.hash(board), index));
        self.table.make_room(all, space.steps(), pace)?;
        self.table.insert(hash, boards.len() as u32);
        self.boards.push(board)?;
        self.links.push(link)
    }

    /// Keeps the `width` boards with the best scores, in the order in which they were collected. Of boards with equal
    /// scores, keeps those that were collected first.
    fn keep_best(&mut self, width: usize, pace: &mut Pace<'a>) -> Result<(), Stop> {
        let mut order = ChargedVec::with_capacity(self.boards.len(), pace.budget())?;
        for (index, board) in (0..).zip(self.boards.iter()) {
            pace.count(self.space.steps())?;
            order.push((self.space.beam_score(board), index))?;
        }
        if width < order.len() {
            order.select_nth_unstable_by(width, |a: &(S::Score, u32), b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        }
        order.truncate(width);
        order.sort_unstable_by_key(|&(_, index)| index);
        for (place, &(_, index)) in order.iter().enumerate() {
            self.boards.swap(place, index as usize);
            self.links[place] = self.links[index as usize];
        }
        self.boards.truncate(width);
        self.links.truncate(width);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::boards::{PackedSpace, WideSpace};
    use super::*;
    use crate::board::sliding::SlidingBoard;
    use crate::solver::Random;

    /// Returns limits that allow everything, with the lower bound of `start`.
    fn all<S: Space>(space: &S, start: &S::Board) -> Limits {
        let at_least = lower_bound(&space.to_sliding(start), space.goal_rank()).unwrap_or(0);
        Limits { at_least, width: usize::MAX, below: None, boards_max: u64::MAX }
    }

    fn random_board(random: &mut Random) -> SlidingBoard {
        let rank = |_| if random.chance(0.4) { 0 } else { random.between(1, 4) as u8 };
        SlidingBoard::new(3, (0..9).map(rank).collect())
    }

    #[test]
    fn narrow_beams_and_small_limits_never_claim_too_much() {
        let budget = Budget::unlimited();
        let space = WideSpace::new(3, 6);
        let mut random = Random::new(21);
        let (mut unproved, mut missed) = (0, 0);
        for _ in 0..120 {
            let start = random_board(&mut random);
            let best = search(&space, &start, all(&space, &start), &budget);
            let expected = best.path.map(|path| path.len() as u64);
            assert_eq!(expected, best.at_least, "without a width, a path is minimal");
            for (width, boards_max) in [(1, u64::MAX), (3, u64::MAX), (20, u64::MAX), (usize::MAX, 50)] {
                let report =
                    search(&space, &start, Limits { width, boards_max, ..all(&space, &start) }, &budget);
                let found = report.path.map(|path| path.len() as u64);
                match (found, expected) {
                    (Some(found), Some(expected)) => {
                        assert!(report.at_least <= Some(expected) && expected <= found);
                        unproved += u32::from(report.at_least < Some(found));
                    }
                    (None, Some(expected)) => {
                        assert!(report.at_least.is_some_and(|at_least| at_least <= expected));
                        missed += 1;
                    }
                    (None, None) => {}
                    (Some(_), None) => panic!("a path where there is none"),
                }
            }
        }
        assert!(unproved > 20 && missed > 20, "{unproved} unproved, {missed} missed");
    }

    #[test]
    fn only_paths_below_the_limit_are_found() {
        let budget = Budget::unlimited();
        let space = WideSpace::new(3, 6);
        let mut random = Random::new(22);
        for _ in 0..80 {
            let start = random_board(&mut random);
            let Some(best) = search(&space, &start, all(&space, &start), &budget).at_least else { continue };
            let proof = search(&space, &start, Limits { below: Some(best), ..all(&space, &start) }, &budget);
            assert_eq!((proof.path, proof.at_least), (None, None));
            let again =
                search(&space, &start, Limits { below: Some(best + 1), ..all(&space, &start) }, &budget);
            assert_eq!(again.path.map(|path| path.len() as u64), Some(best));
        }
    }

    #[test]
    fn no_move_is_made_where_one_is_too_many() {
        let space = WideSpace::new(2, 2);
        let start = SlidingBoard::new(2, vec![1, 1, 0, 0]);
        let limits = Limits { below: Some(1), ..all(&space, &start) };
        let report = search(&space, &start, limits, &Budget::unlimited());
        assert_eq!((report.path, report.at_least), (None, None));
    }

    /// One board comes after the first move and more come after the second; none of them wins.
    #[test]
    fn each_layer_that_fits_raises_the_bound() {
        let space = WideSpace::new(3, 5);
        let start = SlidingBoard::new(3, vec![4, 1, 4, 0, 0, 0, 0, 0, 0]);
        for (boards_max, at_least) in [(0, 2), (1, 3)] {
            let limits = Limits { width: 1, boards_max, ..all(&space, &start) };
            let report = search(&space, &start, limits, &Budget::unlimited());
            assert_eq!((limits.at_least, report.path, report.at_least), (1, None, Some(at_least)));
        }
    }

    #[test]
    fn what_cannot_win_in_time_is_not_kept() {
        let space = WideSpace::new(3, 5);
        let start = SlidingBoard::new(3, vec![4, 1, 4, 0, 0, 0, 0, 0, 0]);
        let limits = Limits { below: Some(2), boards_max: 0, ..all(&space, &start) };
        let report = search(&space, &start, limits, &Budget::unlimited());
        assert_eq!((report.path, report.at_least), (None, None));
    }

    /// The lower bound alone rules these goals out; the search finds the same by making every board.
    #[test]
    fn exhausting_the_small_boards_finds_their_largest_tiles() {
        let budget = Budget::new(None, None, 1 << 20, crate::solver::Cancel::default());
        for (size, goal_rank, moves) in [(2, 4, 10), (3, 9, 263)] {
            let mut ranks = vec![0; size * size];
            ranks[size - 1] = 1;
            let start = SlidingBoard::new(size, ranks);
            let exhaust = |goal_rank| {
                let (space, start) = PackedSpace::new(&start, goal_rank).unwrap();
                let report = search(&space, &start, all(&space, &start), &budget);
                assert!(report.stop.is_none());
                (report.path.map(|path| path.len() as u64), report.at_least)
            };
            assert_eq!(exhaust(goal_rank), (Some(moves), Some(moves)));
            assert_eq!(exhaust(goal_rank + 1), (None, None));
        }
    }
}
