//! The dual variables of the cheapest perfect matching of points with distances.
//!
//! Points and odd sets of points have dual variables. For no pair of points do those of the sets between them exceed
//! the distance. A perfect matching crosses each set at least once, so it costs at least their sum; the dual variables
//! of the cheapest one add up to its cost (Edmonds 1965). They prove a bound without any trust in the algorithm that
//! found them.
//!
//! The algorithm is the primal-dual one. From all unmatched points alternating trees grow at once. *Outer* nodes, at
//! even distance from a root, raise their dual variables, *inner* ones lower theirs, until a pair of nodes touches:
//! their dual variables use up the distance. An outer and a free node join; two outer nodes of different trees make
//! the matching larger; two of one tree close an odd circle, which becomes one outer node, a *blossom* ([`blossom`]).
//! An inner blossom whose dual variable is used up is taken apart. Each augmentation takes time quadratic in the
//! points as a rule.
//!
//! Proofs: docs/proofs/checkers.md, section 7.3.
//!
//! [`blossom`]: super::blossom

use super::blossom::{Blossoms, Label, NONE};
use crate::solver::{Pace, Stop};

/// What the matching takes for each point, besides the distances.
pub const POINT_BYTES: u64 = 640;

/// An odd set of points with its dual variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dual {
    /// The points, each with the sum of the dual variables around it within the set.
    pub members: Vec<(usize, i64)>,
    /// The dual variable, above 0.
    pub value: i64,
}

/// The dual variables of `points` points, an even number. The `distance` of two points must be a multiple of 4, and
/// obey the triangle inequality except by way of the last point. That one has the dual variable `last_dual` from the
/// beginning: at most its smallest distance, and a multiple of 4 too.
///
/// # Errors
/// The limit that ended it.
pub fn duals(
    points: usize,
    last_dual: i64,
    distance: &dyn Fn(usize, usize) -> i64,
    pace: &mut Pace<'_>,
) -> Result<Vec<Dual>, Stop> {
    debug_assert!(points.is_multiple_of(2));
    let mut forest = Forest::new(points, distance, pace);
    if points > 0 {
        forest.blossoms.nodes[points - 1].dual = last_dual;
        forest.around[points - 1] = last_dual;
    }
    while forest.augment_once()? {}
    Ok(forest.into_duals())
}

/// What happens next.
#[derive(Debug, Clone, Copy)]
enum Event {
    /// An outer point touches a point of another node.
    Touch(usize, usize),
    /// The dual variable of an inner blossom is used up.
    Expand(usize),
}

struct Forest<'a, 'b> {
    distance: &'a dyn Fn(usize, usize) -> i64,
    pace: &'a mut Pace<'b>,
    blossoms: Blossoms,
    /// The dual variables of all nodes around each point.
    around: Vec<i64>,
    /// The outer point of another node that is nearest to each point.
    nearest: Vec<usize>,
}

impl<'a, 'b> Forest<'a, 'b> {
    fn new(points: usize, distance: &'a dyn Fn(usize, usize) -> i64, pace: &'a mut Pace<'b>) -> Self {
        Self {
            distance,
            pace,
            blossoms: Blossoms::new(points),
            around: vec![0; points],
            nearest: vec![NONE; points],
        }
    }

    fn points(&self) -> usize {
        self.blossoms.top.len()
    }

    /// Matches one more pair; false when all are matched.
    fn augment_once(&mut self) -> Result<bool, Stop> {
        self.nearest.fill(NONE);
        self.blossoms.plant();
        if self.blossoms.news.is_empty() {
            return Ok(false);
        }
        loop {
            self.look_around()?;
            let (outer, point) = match self.grow()? {
                Event::Expand(blossom) => {
                    self.blossoms.expand(blossom);
                    continue;
                }
                Event::Touch(outer, point) => (outer, point),
            };
            let top = self.blossoms.top[point];
            if self.blossoms.nodes[top].label == Label::Free {
                self.blossoms.nodes[top].label = Label::Inner;
                self.blossoms.nodes[top].parent = Some((point, outer));
                if let Some((_, mate)) = self.blossoms.nodes[top].mate {
                    self.blossoms.make_outer(self.blossoms.top[mate]);
                }
                continue;
            }
            let paths = [outer, point].map(|end| self.blossoms.path_to_root(self.blossoms.top[end]));
            if paths[0].last() == paths[1].last() {
                let blossom = self.blossoms.shrink((outer, point), &paths);
                self.look_anew(blossom)?;
            } else {
                self.blossoms.match_along((outer, point));
                self.blossoms.match_along((point, outer));
                return Ok(true);
            }
        }
    }

    /// What the dual variables leave of the distance of two points.
    fn gap(&self, a: usize, b: usize) -> i64 {
        (self.distance)(a, b) - self.around[a] - self.around[b]
    }

    /// Tells all points of the new outer ones.
    fn look_around(&mut self) -> Result<(), Stop> {
        while let Some(outer) = self.blossoms.news.pop() {
            self.pace.count(self.points())?;
            for point in 0..self.points() {
                self.offer(outer, point);
            }
        }
        Ok(())
    }

    fn offer(&mut self, outer: usize, point: usize) {
        if self.blossoms.top[outer] == self.blossoms.top[point] {
            return;
        }
        let nearest = self.nearest[point];
        if nearest == NONE || self.gap(outer, point) < self.gap(nearest, point) {
            self.nearest[point] = outer;
        }
    }

    /// What was nearest to the points of a new blossom may be one of them now.
    fn look_anew(&mut self, blossom: usize) -> Result<(), Stop> {
        for point in self.blossoms.points_of(blossom) {
            let nearest = self.nearest[point];
            if nearest != NONE && self.blossoms.top[nearest] == blossom {
                self.pace.count(self.points())?;
                self.nearest[point] = NONE;
                for outer in 0..self.points() {
                    if self.blossoms.nodes[self.blossoms.top[outer]].label == Label::Outer {
                        self.offer(outer, point);
                    }
                }
            }
        }
        Ok(())
    }

    /// Raises and lowers dual variables until something happens.
    fn grow(&mut self) -> Result<Event, Stop> {
        self.pace.count(4 * self.points())?;
        let mut next: Option<(i64, Event)> = None;
        let mut consider = |after: i64, event: Event| {
            if next.is_none_or(|(first, _)| after < first) {
                next = Some((after, event));
            }
        };
        for point in 0..self.points() {
            let (top, outer) = (self.blossoms.top[point], self.nearest[point]);
            if outer == NONE || self.blossoms.top[outer] == top {
                continue;
            }
            match self.blossoms.nodes[top].label {
                Label::Free => consider(self.gap(outer, point), Event::Touch(outer, point)),
                Label::Outer => consider(self.gap(outer, point) / 2, Event::Touch(outer, point)),
                Label::Inner => {}
            }
        }
        for (number, node) in self.blossoms.nodes.iter().enumerate().skip(self.points()) {
            if !node.circle.is_empty() && node.blossom == NONE && node.label == Label::Inner {
                consider(node.dual, Event::Expand(number));
            }
        }
        // The points are even in number, so two unmatched ones are left, and those touch some day.
        let Some((after, event)) = next else { unreachable!("a complete graph has a perfect matching") };
        for point in 0..self.points() {
            match self.blossoms.nodes[self.blossoms.top[point]].label {
                Label::Outer => self.around[point] += after,
                Label::Inner => self.around[point] -= after,
                Label::Free => {}
            }
        }
        for node in self.blossoms.nodes.iter_mut().filter(|node| node.blossom == NONE) {
            match node.label {
                Label::Outer => node.dual += after,
                Label::Inner => node.dual -= after,
                Label::Free => {}
            }
        }
        Ok(event)
    }

    fn into_duals(self) -> Vec<Dual> {
        let used = self.blossoms.nodes.iter().enumerate().filter(|(_, node)| node.dual != 0);
        used.map(|(number, node)| {
            let begins = |point: usize| {
                let (mut distance, mut inner) = (0, point);
                while inner != number {
                    distance += self.blossoms.nodes[inner].dual;
                    inner = self.blossoms.nodes[inner].blossom;
                }
                (point, distance)
            };
            let members = self.blossoms.points_of(number).into_iter().map(begins).collect();
            Dual { members, value: node.dual }
        })
        .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::{Budget, Random};

    /// The cost of the cheapest perfect matching, by trying all.
    fn cheapest(distance: &dyn Fn(usize, usize) -> i64, mut rest: Vec<usize>) -> i64 {
        let Some(a) = rest.pop() else { return 0 };
        let cost = |at: usize| {
            let mut others = rest.clone();
            let b = others.swap_remove(at);
            distance(a, b) + cheapest(distance, others)
        };
        (0..rest.len()).map(cost).min().unwrap_or(i64::MAX)
    }

    #[test]
    fn dual_variables_prove_the_cheapest_matching() {
        let mut random = Random::new(5);
        let mut below = |limit: u64| random.below(limit);
        let mut blossoms = 0;
        for _ in 0..3000 {
            let points = 2 * (1 + below(5) as usize);
            let side = 2 + below(9);
            let places: Vec<_> = (0..points).map(|_| (below(side) as i64, below(side) as i64)).collect();
            let far = 4 * below(20) as i64;
            let distance = |a: usize, b: usize| {
                let apart = (places[a].0 - places[b].0).abs() + (places[a].1 - places[b].1).abs();
                4 * apart + if a.max(b) == points - 1 && a != b { far } else { 0 }
            };
            let duals = duals(points, far, &distance, &mut Pace::new(&Budget::unlimited())).unwrap();
            assert!(duals.iter().all(|dual| dual.value > 0 && dual.members.len() % 2 == 1));
            blossoms += duals.iter().filter(|dual| dual.members.len() > 1).count();
            // No pair of points is nearer than the dual variables between them add up to.
            for a in 0..points {
                for b in 0..a {
                    let holds = |dual: &&Dual, point| dual.members.iter().any(|member| member.0 == point);
                    let between = duals.iter().filter(|dual| holds(dual, a) != holds(dual, b));
                    assert!(between.map(|dual| dual.value).sum::<i64>() <= distance(a, b));
                }
            }
            let proved: i64 = duals.iter().map(|dual| dual.value).sum();
            assert_eq!(proved, cheapest(&distance, (0..points).collect()), "{places:?} {far}");
        }
        assert!(blossoms > 100, "too few blossoms to test anything: {blossoms}");
    }
}
