//! The cheapest perfect matching of points with distances, told by its *moats*.
//!
//! Around points and odd sets of points grow moats that never overlap; the cheapest perfect matching crosses
//! each of them once, so that the widths of all moats add up to its cost (Edmonds 1965; the picture of moats
//! is Jünger's and Pulleyblank's, 1993). The moats are what is wanted here: each is a set of odd size that
//! has to be crossed, and so they prove a bound without any trust in the algorithm that found them.
//!
//! The algorithm is the primal-dual one. From all unmatched points alternating trees grow at once: *outer*
//! nodes, at even distance from a root, widen their moats, *inner* ones narrow theirs, until a pair of nodes
//! touches. An outer and a free node join; two outer nodes of different trees make the matching larger; two
//! of one tree close an odd circle, which becomes one outer node, a *blossom*. An inner blossom whose moat
//! has no width left is taken apart. Each augmentation takes time quadratic in the points as a rule.

use super::Pace;
use crate::solver::{Budget, Stop};

const NONE: usize = usize::MAX;

/// What the matching takes for each point, besides the distances.
pub const POINT_BYTES: u64 = 640;

/// A ring around an odd set of points that every perfect matching crosses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moat {
    /// The points, each with the distance from it at which the moat begins.
    pub members: Vec<(usize, i64)>,
    /// How wide it is, above 0.
    pub width: i64,
}

/// The moats of `points` points, an even number. The `distance` of two points must be a multiple of 4, and obey
/// the triangle inequality except by way of the last point, around which a moat of `last_radius`, at most its
/// smallest distance and a multiple of 4 too, is there from the beginning.
///
/// # Errors
/// The limit that ended it.
pub fn moats(
    points: usize,
    last_radius: i64,
    distance: &dyn Fn(usize, usize) -> i64,
    budget: &Budget,
) -> Result<Vec<Moat>, Stop> {
    debug_assert!(points.is_multiple_of(2));
    let mut forest = Forest::new(points, distance, budget);
    if points > 0 {
        forest.nodes[points - 1].width = last_radius;
        forest.radius[points - 1] = last_radius;
    }
    while forest.augment_once()? {}
    Ok(forest.into_moats())
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Label {
    Free,
    Outer,
    Inner,
}

/// A pair of points that touch, the first in the node at hand.
type Link = (usize, usize);

/// A point, or a blossom: an odd circle of nodes.
#[derive(Debug, Clone)]
struct Node {
    label: Label,
    /// The blossom it is a part of.
    blossom: usize,
    /// The width of its moat.
    width: i64,
    /// The pair by which it is matched.
    mate: Option<Link>,
    /// The pair by which an inner node hangs in its tree: the other point is the outer one.
    parent: Option<Link>,
    /// The nodes of the circle; the first holds the point that is matched outwards, the others are matched
    /// in pairs, second with third and so on. Empty for points and unused numbers.
    circle: Vec<usize>,
    /// The pair that joins each node of the circle to the next.
    joints: Vec<Link>,
}

/// What happens next.
#[derive(Debug, Clone, Copy)]
enum Event {
    /// An outer point touches a point of another node.
    Touch(usize, usize),
    /// The moat of an inner blossom has no width left.
    Expand(usize),
}

struct Forest<'a> {
    distance: &'a dyn Fn(usize, usize) -> i64,
    pace: Pace<'a>,
    /// The points, then room for blossoms.
    nodes: Vec<Node>,
    unused: Vec<usize>,
    /// The outermost node of each point.
    top: Vec<usize>,
    /// The widths of all moats around each point.
    radius: Vec<i64>,
    /// The outer point of another node that is nearest to each point's moats.
    nearest: Vec<usize>,
    /// Points that have become outer.
    news: Vec<usize>,
}

impl<'a> Forest<'a> {
    fn new(points: usize, distance: &'a dyn Fn(usize, usize) -> i64, budget: &'a Budget) -> Self {
        let node = Node {
            label: Label::Free,
            blossom: NONE,
            width: 0,
            mate: None,
            parent: None,
            circle: Vec::new(),
            joints: Vec::new(),
        };
        Self {
            distance,
            pace: Pace::new(budget),
            nodes: vec![node; 2 * points],
            unused: (points..2 * points).rev().collect(),
            top: (0..points).collect(),
            radius: vec![0; points],
            nearest: vec![NONE; points],
            news: Vec::new(),
        }
    }

    fn points(&self) -> usize {
        self.top.len()
    }

    /// Matches one more pair; false when all are matched.
    fn augment_once(&mut self) -> Result<bool, Stop> {
        self.nearest.fill(NONE);
        self.news.clear();
        for node in &mut self.nodes {
            (node.label, node.parent) = (Label::Free, None);
        }
        for point in 0..self.points() {
            let top = self.top[point];
            if self.nodes[top].mate.is_none() && self.nodes[top].label == Label::Free {
                self.make_outer(top);
            }
        }
        if self.news.is_empty() {
            return Ok(false);
        }
        loop {
            self.look_around()?;
            let (outer, point) = match self.grow()? {
                Event::Expand(blossom) => {
                    self.expand(blossom);
                    continue;
                }
                Event::Touch(outer, point) => (outer, point),
            };
            let top = self.top[point];
            if self.nodes[top].label == Label::Free {
                self.nodes[top].label = Label::Inner;
                self.nodes[top].parent = Some((point, outer));
                if let Some((_, mate)) = self.nodes[top].mate {
                    self.make_outer(self.top[mate]);
                }
                continue;
            }
            let paths = [outer, point].map(|end| self.path_to_root(self.top[end]));
            if paths[0].last() == paths[1].last() {
                self.shrink((outer, point), &paths)?;
            } else {
                self.match_along((outer, point));
                self.match_along((point, outer));
                return Ok(true);
            }
        }
    }

    fn make_outer(&mut self, node: usize) {
        self.nodes[node].label = Label::Outer;
        self.news.extend(points_of(&self.nodes, node));
    }

    /// The distance that is left between the moats of two points.
    fn gap(&self, a: usize, b: usize) -> i64 {
        (self.distance)(a, b) - self.radius[a] - self.radius[b]
    }

    /// Tells all points of the new outer ones.
    fn look_around(&mut self) -> Result<(), Stop> {
        while let Some(outer) = self.news.pop() {
            self.pace.step(self.points() as u64)?;
            for point in 0..self.points() {
                self.offer(outer, point);
            }
        }
        Ok(())
    }

    fn offer(&mut self, outer: usize, point: usize) {
        if self.top[outer] == self.top[point] {
            return;
        }
        let nearest = self.nearest[point];
        if nearest == NONE || self.gap(outer, point) < self.gap(nearest, point) {
            self.nearest[point] = outer;
        }
    }

    /// Widens and narrows moats until something happens.
    fn grow(&mut self) -> Result<Event, Stop> {
        self.pace.step(4 * self.points() as u64)?;
        let mut next: Option<(i64, Event)> = None;
        let mut consider = |after: i64, event: Event| {
            if next.is_none_or(|(first, _)| after < first) {
                next = Some((after, event));
            }
        };
        for point in 0..self.points() {
            let (top, outer) = (self.top[point], self.nearest[point]);
            if outer == NONE || self.top[outer] == top {
                continue;
            }
            match self.nodes[top].label {
                Label::Free => consider(self.gap(outer, point), Event::Touch(outer, point)),
                Label::Outer => consider(self.gap(outer, point) / 2, Event::Touch(outer, point)),
                Label::Inner => {}
            }
        }
        for (number, node) in self.nodes.iter().enumerate().skip(self.points()) {
            if !node.circle.is_empty() && node.blossom == NONE && node.label == Label::Inner {
                consider(node.width, Event::Expand(number));
            }
        }
        // The points are even in number, so two unmatched ones are left, and those touch some day.
        let Some((after, event)) = next else { unreachable!("a complete graph has a perfect matching") };
        for point in 0..self.points() {
            match self.nodes[self.top[point]].label {
                Label::Outer => self.radius[point] += after,
                Label::Inner => self.radius[point] -= after,
                Label::Free => {}
            }
        }
        for node in self.nodes.iter_mut().filter(|node| node.blossom == NONE) {
            match node.label {
                Label::Outer => node.width += after,
                Label::Inner => node.width -= after,
                Label::Free => {}
            }
        }
        Ok(event)
    }

    /// The nodes from an outer one to the root of its tree, inner and outer ones in turn.
    fn path_to_root(&self, node: usize) -> Vec<usize> {
        let mut path = vec![node];
        let mut at = node;
        while let Some((_, mate)) = self.nodes[at].mate {
            let inner = self.top[mate];
            let Some((_, outer)) = self.nodes[inner].parent else { break };
            at = self.top[outer];
            path.extend([inner, at]);
        }
        path
    }

    /// Matches the outer node of the pair's first point by this pair, and passes the change on to the root.
    fn match_along(&mut self, mut pair: Link) {
        loop {
            let node = self.top[pair.0];
            let before = self.nodes[node].mate;
            self.set_mate(node, pair);
            let Some((_, mate)) = before else { return };
            let inner = self.top[mate];
            let Some((point, outer)) = self.nodes[inner].parent else { return };
            self.set_mate(inner, (point, outer));
            pair = (outer, point);
        }
    }

    /// Matches a node by a pair, and all that is inside it accordingly.
    fn set_mate(&mut self, node: usize, pair: Link) {
        self.nodes[node].mate = Some(pair);
        if self.nodes[node].circle.is_empty() {
            return;
        }
        let first = self.position_in(node, pair.0);
        self.nodes[node].circle.rotate_left(first);
        self.nodes[node].joints.rotate_left(first);
        let circle = self.nodes[node].circle.clone();
        let joints = self.nodes[node].joints.clone();
        self.set_mate(circle[0], pair);
        for at in (1..circle.len()).step_by(2) {
            let (a, b) = joints[at];
            self.set_mate(circle[at], (a, b));
            self.set_mate(circle[at + 1], (b, a));
        }
    }

    /// Which node of a blossom's circle holds a point.
    fn position_in(&self, blossom: usize, point: usize) -> usize {
        let mut node = point;
        while self.nodes[node].blossom != blossom {
            node = self.nodes[node].blossom;
        }
        self.nodes[blossom].circle.iter().position(|&other| other == node).unwrap_or(0)
    }

    /// The pair by which a node of a tree hangs from the one before it, seen from this node.
    fn upwards(&self, node: usize) -> Link {
        let up = if self.nodes[node].label == Label::Inner {
            self.nodes[node].parent
        } else {
            self.nodes[node].mate
        };
        up.unwrap_or((NONE, NONE))
    }

    /// Makes the circle that `pair` closes, above the ends of which lie `paths`, one outer node.
    fn shrink(&mut self, pair: Link, paths: &[Vec<usize>; 2]) -> Result<(), Stop> {
        // The first node that both paths share.
        let mut common = 0;
        while common < paths[0].len().min(paths[1].len())
            && paths[0][paths[0].len() - 1 - common] == paths[1][paths[1].len() - 1 - common]
        {
            common += 1;
        }
        let up = &paths[0][..=paths[0].len() - common];
        let down = &paths[1][..paths[1].len() - common];
        // From the shared node down to the pair's first point, over the pair, and up again.
        let circle: Vec<usize> = up.iter().rev().chain(down).copied().collect();
        let mut joints: Vec<Link> = Vec::with_capacity(circle.len());
        joints.extend(up[..up.len() - 1].iter().rev().map(|&node| {
            let (point, above) = self.upwards(node);
            (above, point)
        }));
        joints.push(pair);
        joints.extend(down.iter().map(|&node| self.upwards(node)));
        let Some(blossom) = self.unused.pop() else { unreachable!("blossoms are fewer than points") };
        for &node in &circle {
            if self.nodes[node].label == Label::Inner {
                self.news.extend(points_of(&self.nodes, node));
            }
            self.nodes[node].blossom = blossom;
        }
        self.nodes[blossom] = Node {
            label: Label::Outer,
            blossom: NONE,
            width: 0,
            mate: self.nodes[circle[0]].mate,
            parent: None,
            circle,
            joints,
        };
        let inside = points_of(&self.nodes, blossom);
        for &point in &inside {
            self.top[point] = blossom;
        }
        // What was nearest to these points may be one of them now.
        for &point in &inside {
            let nearest = self.nearest[point];
            if nearest != NONE && self.top[nearest] == blossom {
                self.pace.step(self.points() as u64)?;
                self.nearest[point] = NONE;
                for outer in 0..self.points() {
                    if self.nodes[self.top[outer]].label == Label::Outer {
                        self.offer(outer, point);
                    }
                }
            }
        }
        Ok(())
    }

    /// Takes an inner blossom apart; the way of its tree goes through an odd number of its nodes.
    fn expand(&mut self, blossom: usize) {
        let circle = std::mem::take(&mut self.nodes[blossom].circle);
        let joints = std::mem::take(&mut self.nodes[blossom].joints);
        let (mate, parent) = (self.nodes[blossom].mate.take(), self.nodes[blossom].parent.take());
        self.nodes[blossom].label = Label::Free;
        self.unused.push(blossom);
        for &node in &circle {
            self.nodes[node].blossom = NONE;
            (self.nodes[node].label, self.nodes[node].parent) = (Label::Free, None);
            for point in points_of(&self.nodes, node) {
                self.top[point] = node;
            }
        }
        self.nodes[circle[0]].mate = mate;
        let Some((entry, _)) = parent else { unreachable!("inner nodes hang in a tree") };
        let mut at = circle.iter().position(|&node| node == self.top[entry]).unwrap_or(0);
        // Second and third are a pair, fourth and fifth, and so on: go on over the pair, to the first node.
        let forwards = at % 2 == 1;
        self.nodes[circle[at]].label = Label::Inner;
        self.nodes[circle[at]].parent = parent;
        while at != 0 {
            let outer = if forwards { at + 1 } else { at - 1 };
            let inner = if forwards { (outer + 1) % circle.len() } else { outer - 1 };
            self.make_outer(circle[outer]);
            let (a, b) = if forwards { joints[outer] } else { joints[inner] };
            self.nodes[circle[inner]].label = Label::Inner;
            self.nodes[circle[inner]].parent = Some(if forwards { (b, a) } else { (a, b) });
            at = inner;
        }
    }

    fn into_moats(self) -> Vec<Moat> {
        let wide = self.nodes.iter().enumerate().filter(|(_, node)| node.width != 0);
        wide.map(|(number, node)| {
            let begins = |point: usize| {
                let (mut distance, mut inner) = (0, point);
                while inner != number {
                    distance += self.nodes[inner].width;
                    inner = self.nodes[inner].blossom;
                }
                (point, distance)
            };
            let members = points_of(&self.nodes, number).into_iter().map(begins).collect();
            Moat { members, width: node.width }
        })
        .collect()
    }
}

/// The points in a node.
fn points_of(nodes: &[Node], node: usize) -> Vec<usize> {
    let mut points = Vec::new();
    let mut open = vec![node];
    while let Some(node) = open.pop() {
        if nodes[node].circle.is_empty() {
            points.push(node);
        } else {
            open.extend(&nodes[node].circle);
        }
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::Random;

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
    fn moats_prove_the_cheapest_matching() {
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
            let moats = moats(points, far, &distance, &Budget::unlimited()).unwrap();
            assert!(moats.iter().all(|moat| moat.width > 0 && moat.members.len() % 2 == 1));
            blossoms += moats.iter().filter(|moat| moat.members.len() > 1).count();
            // They do not overlap: no pair of points is nearer than the moats between them are wide.
            for a in 0..points {
                for b in 0..a {
                    let holds = |moat: &&Moat, point| moat.members.iter().any(|member| member.0 == point);
                    let between = moats.iter().filter(|moat| holds(moat, a) != holds(moat, b));
                    assert!(between.map(|moat| moat.width).sum::<i64>() <= distance(a, b));
                }
            }
            let proved: i64 = moats.iter().map(|moat| moat.width).sum();
            assert_eq!(proved, cheapest(&distance, (0..points).collect()), "{places:?} {far}");
        }
        assert!(blossoms > 100, "too few blossoms to test anything: {blossoms}");
    }
}
