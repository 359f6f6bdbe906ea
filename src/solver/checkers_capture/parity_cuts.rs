//! How much a state can still gain if connectivity is forgotten, for frontiers too wide for a table.
//!
//! A trail from the root r to t leaves out a *T-join*: a set of edges in which the vertices of T have odd
//! degree, where T holds the odd vertices, with r and t exchanged. Every set of vertices with an odd number of
//! members of T is left by an edge of the T-join. If such sets are given widths so that on no edge the
//! widths of the sets it leaves exceed its own length, then their sum is a lower bound of what is lost, and
//! the moats of a cheapest matching of T ([`moats`]) reach the optimum.
//!
//! The same sets prove a bound for every state of the search. There T is made of the vertices ahead, and of
//! those on the frontier whose used edges and edges to come are odd together; the sets that are odd then
//! count. Where edges have room left, single vertices get what there is: none of them counts at first, but
//! they tell states that have strayed.
//!
//! The end t is not known. It is a vertex of its own, joined to all others by edges that cost more than all
//! others together, less what ending there is worth; so it is left by one edge only.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::Pace;
use super::kernel::Kernel;
use super::matching::{self, Moat, moats};
use super::moves::ENDED;
use super::plan::Plan;
use super::search::Bound;
use crate::solver::{Budget, Stop};

/// Lengths are multiplied by this, so that the matching can halve them.
const SCALE: i64 = 4;
/// Bytes of a cut in a layer.
const CUT_BYTES: u64 = 24;

/// A set of vertices, by its places on the frontier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Cut {
    places: u64,
    /// Whether the members of T that the bits do not tell are odd in number, but for the end.
    odd: bool,
    /// Whether the end is in the set.
    end: bool,
    width: i64,
}

/// Single vertices of equal width.
#[derive(Debug, Clone, Copy)]
struct Singles {
    places: u64,
    /// Which of them are in T if their bits are 0.
    odd: u64,
    width: i64,
}

/// What can be said of the bits before a step.
#[derive(Debug)]
struct Layer {
    /// What all edges and loops to come are worth, less the cuts that every state pays, scaled.
    base: i64,
    cuts: Vec<Cut>,
    singles: Vec<Singles>,
}

/// A bound for the states of a plan.
#[derive(Debug)]
pub struct ParityCuts<'a> {
    budget: &'a Budget,
    bytes: u64,
    layers: Vec<Layer>,
    /// What the edges to the end cost beyond their worth, scaled.
    end_cost: i64,
    /// The largest width of a single vertex: the one from which the edge to the end goes pays nothing.
    single_max: i64,
}

/// A set of vertices with its width.
struct WideSet {
    /// Whether each vertex, and the end behind them, is in it.
    members: Vec<bool>,
    width: i64,
}

/// The graph in which the T-join is sought.
struct Relaxed<'a> {
    kernel: &'a Kernel,
    root: usize,
    /// Edges of each vertex: number, other end, scaled length.
    links: Vec<Vec<(usize, usize, i64)>>,
    /// What the edge from each vertex to the end costs, scaled.
    to_end: Vec<i64>,
    /// What all those edges cost more than they are worth, scaled.
    end_cost: i64,
    /// The vertices in T, the end last.
    terminals: Vec<usize>,
}

impl<'a> ParityCuts<'a> {
    /// The bound for `plan`, whose kernel has a root.
    ///
    /// # Errors
    /// The limit that ended it.
    pub fn new(kernel: &Kernel, plan: &Plan, budget: &'a Budget) -> Result<Self, Stop> {
        let relaxed = Relaxed::new(kernel);
        let (terminals, vertices) = (relaxed.terminals.len() as u64, kernel.vertices.len() as u64);
        let working = terminals * (8 * (vertices + 1) + matching::POINT_BYTES);
        budget.charge(working)?;
        let mut cuts = Self { budget, bytes: working, layers: Vec::new(), end_cost: 0, single_max: 0 };
        let sets = relaxed.wide_sets(&mut cuts)?;
        cuts.end_cost = relaxed.end_cost;
        let singles = relaxed.single_widths(&sets);
        cuts.single_max = singles.iter().copied().max().unwrap_or(0);
        cuts.fill_layers(&relaxed, plan, &sets, &singles)?;
        budget.release(working);
        cuts.bytes -= working;
        Ok(cuts)
    }

    fn charge(&mut self, bytes: u64) -> Result<(), Stop> {
        self.budget.charge(bytes)?;
        self.bytes += bytes;
        Ok(())
    }

    fn fill_layers(
        &mut self,
        relaxed: &Relaxed<'_>,
        plan: &Plan,
        sets: &[WideSet],
        singles: &[i64],
    ) -> Result<(), Stop> {
        let kernel = relaxed.kernel;
        let mut pace = Pace::new(self.budget);
        let mut sweep = Sweep::new(relaxed, sets);
        for step in plan.steps.iter().map(Some).chain([None]) {
            pace.step(((sweep.frontier.len() + 1) * sets.len()) as u64)?;
            let layer = sweep.layer(relaxed, sets, singles);
            self.charge(CUT_BYTES * (layer.cuts.len() + layer.singles.len() + 3) as u64)?;
            self.layers.push(layer);
            let Some(step) = step else { break };
            sweep.worth -= i64::from(kernel.edges[step.edge].whole.edges);
            for end in 0..2 {
                let vertex = step.vertices[end];
                if step.enters[end] {
                    sweep.enter(vertex, step.slots[end], sets);
                }
                sweep.edges_ahead[vertex] -= 1;
            }
            for end in (0..2).filter(|&end| step.leaves[end]) {
                let vertex = step.vertices[end];
                sweep.frontier.retain(|&(other, _)| other != vertex);
                sweep.worth -= relaxed.worth_of(vertex);
            }
        }
        Ok(())
    }
}

impl Bound for ParityCuts<'_> {
    fn gain_max(&self, step: usize, bits: u64) -> Option<u32> {
        let layer = &self.layers[step];
        let open = bits & ENDED == 0;
        let mut gain = layer.base + if open { self.end_cost } else { 0 };
        for cut in &layer.cuts {
            let odd = (bits & cut.places).count_ones() % 2 == 1;
            if odd ^ cut.odd ^ (cut.end & open) {
                gain -= cut.width;
            }
        }
        let mut singles = 0;
        for single in &layer.singles {
            singles += i64::from(((bits ^ single.odd) & single.places).count_ones()) * single.width;
        }
        if open {
            singles = (singles - self.single_max).max(0);
        }
        u32::try_from((gain - singles).div_euclid(SCALE)).ok()
    }
}

impl Drop for ParityCuts<'_> {
    fn drop(&mut self) {
        self.budget.release(self.bytes);
    }
}

impl<'a> Relaxed<'a> {
    fn new(kernel: &'a Kernel) -> Self {
        let mut links = vec![Vec::new(); kernel.vertices.len()];
        let mut worth: Vec<i64> = kernel.vertices.iter().map(|vertex| i64::from(vertex.end.edges)).collect();
        let root = kernel.root.map_or(0, |root| {
            worth[root.vertex] = i64::from(root.even.edges) - i64::from(root.odd.edges);
            root.vertex
        });
        let mut total = 0;
        for (number, edge) in kernel.edges.iter().enumerate() {
            let [a, b] = edge.ends;
            let length = i64::from(edge.whole.edges);
            total += length;
            links[a].push((number, b, SCALE * length));
            links[b].push((number, a, SCALE * length));
            // To end inside is to lose the edge, but for the way inside, and the other end's parity with it.
            for (end, inside) in [(b, edge.end_from[0]), (a, edge.end_from[1])] {
                if inside.edges > 0 {
                    worth[end] = worth[end].max(i64::from(inside.edges) - length);
                }
            }
        }
        let end_cost = total + worth.iter().copied().max().unwrap_or(0) + 1;
        let to_end = worth.iter().map(|worth| SCALE * (end_cost - worth)).collect();
        let odd = |vertex: &usize| (links[*vertex].len() % 2 == 1) ^ (*vertex == root);
        let mut terminals: Vec<usize> = (0..links.len()).filter(odd).collect();
        terminals.push(links.len());
        Self { kernel, root, links, to_end, end_cost: SCALE * end_cost, terminals }
    }

    /// What a vertex is worth to every trail through it.
    fn worth_of(&self, vertex: usize) -> i64 {
        let loops = i64::from(self.kernel.vertices[vertex].loops.edges);
        let root = self.kernel.root.filter(|root| root.vertex == vertex);
        loops + root.map_or(0, |root| i64::from(root.odd.edges))
    }

    /// The distances of all vertices, and of the end behind them, from a terminal (Dijkstra 1959).
    fn distances(&self, terminal: usize, pace: &mut Pace<'_>) -> Result<Vec<i64>, Stop> {
        let end = self.links.len();
        let mut distances = vec![i64::MAX / 4; end];
        let mut open = BinaryHeap::new();
        if terminal == end {
            distances.clone_from(&self.to_end);
            open.extend(self.to_end.iter().enumerate().map(|(vertex, &cost)| Reverse((cost, vertex))));
        } else {
            distances[terminal] = 0;
            open.push(Reverse((0, terminal)));
        }
        while let Some(Reverse((distance, vertex))) = open.pop() {
            pace.step(4)?;
            if distance > distances[vertex] {
                continue;
            }
            for &(_, next, length) in &self.links[vertex] {
                if distance + length < distances[next] {
                    distances[next] = distance + length;
                    open.push(Reverse((distance + length, next)));
                }
            }
        }
        let to_end = distances.iter().zip(&self.to_end).map(|(distance, cost)| distance + cost).min();
        distances.push(if terminal == end { 0 } else { to_end.unwrap_or(0) });
        Ok(distances)
    }

    /// Sets of vertices that are odd in T, with widths that fit all edges and reach the optimum.
    fn wide_sets(&self, cuts: &mut ParityCuts<'_>) -> Result<Vec<WideSet>, Stop> {
        let budget = cuts.budget;
        let mut pace = Pace::new(budget);
        let distances: Vec<Vec<i64>> = self
            .terminals
            .iter()
            .map(|&terminal| self.distances(terminal, &mut pace))
            .collect::<Result<_, _>>()?;
        let distance = |a: usize, b: usize| distances[a][self.terminals[b]];
        let last_radius = self.to_end.iter().copied().min().unwrap_or(0);
        let mut sets = Vec::new();
        for moat in moats(self.terminals.len(), last_radius, &distance, budget)? {
            pace.step((moat.members.len() * self.links.len()) as u64)?;
            let begins = begins(&moat, &distances);
            // The moat takes in one vertex after the other.
            let mut edges: Vec<i64> =
                begins.iter().copied().filter(|&begin| begin > 0 && begin < moat.width).collect();
            edges.extend([0, moat.width]);
            edges.sort_unstable();
            edges.dedup();
            cuts.charge(((edges.len() - 1) * (self.links.len() + 64)) as u64)?;
            for pair in edges.windows(2) {
                let members = begins.iter().map(|&begin| begin <= pair[0]).collect();
                sets.push(WideSet { members, width: pair[1] - pair[0] });
            }
        }
        Ok(sets)
    }

    /// Widths for single vertices from what the sets leave of the edges.
    fn single_widths(&self, sets: &[WideSet]) -> Vec<i64> {
        let leaves = |set: &&WideSet, [a, b]: [usize; 2]| set.members[a] != set.members[b];
        let mut room: Vec<i64> = Vec::with_capacity(self.kernel.edges.len());
        for edge in &self.kernel.edges {
            let used: i64 = sets.iter().filter(|set| leaves(set, edge.ends)).map(|set| set.width).sum();
            let length = SCALE * i64::from(edge.whole.edges);
            debug_assert!(used <= length, "the sets overlap");
            room.push(length - used);
        }
        let least = |vertex: usize, room: &[i64]| {
            self.links[vertex].iter().map(|&(edge, _, _)| room[edge]).min().unwrap_or(0)
        };
        // Half of the room for each end of an edge, then what nobody took.
        let mut widths: Vec<i64> = (0..self.links.len()).map(|vertex| least(vertex, &room) / 2).collect();
        for (vertex, width) in widths.iter().enumerate() {
            self.links[vertex].iter().for_each(|&(edge, _, _)| room[edge] -= width);
        }
        for (vertex, width) in widths.iter_mut().enumerate() {
            let more = least(vertex, &room);
            self.links[vertex].iter().for_each(|&(edge, _, _)| room[edge] -= more);
            *width += more;
        }
        widths
    }
}

/// How wide a moat must be to reach each vertex.
fn begins(moat: &Moat, distances: &[Vec<i64>]) -> Vec<i64> {
    let mut begins = vec![i64::MAX; distances[0].len()];
    for &(member, inner) in &moat.members {
        for (begin, distance) in begins.iter_mut().zip(&distances[member]) {
            *begin = (*begin).min(distance - inner);
        }
    }
    begins
}

/// Where the frontier stands.
struct Sweep {
    /// The vertices on it with their places.
    frontier: Vec<(usize, usize)>,
    /// Undecided edges of each vertex.
    edges_ahead: Vec<usize>,
    in_terminals: Vec<bool>,
    /// For each set, whether the members of T ahead of the frontier are odd in number.
    odd_ahead: Vec<bool>,
    /// What all edges and loops to come are worth.
    worth: i64,
}

impl Sweep {
    fn new(relaxed: &Relaxed<'_>, sets: &[WideSet]) -> Self {
        let vertices = relaxed.links.len();
        let mut in_terminals = vec![false; vertices + 1];
        for &terminal in &relaxed.terminals {
            in_terminals[terminal] = true;
        }
        let odd = |set: &WideSet| {
            (0..vertices).filter(|&vertex| set.members[vertex] && in_terminals[vertex]).count() % 2 == 1
        };
        let edges: u32 = relaxed.kernel.edges.iter().map(|edge| edge.whole.edges).sum();
        Self {
            frontier: Vec::new(),
            edges_ahead: relaxed.links.iter().map(Vec::len).collect(),
            odd_ahead: sets.iter().map(odd).collect(),
            worth: i64::from(edges) + (0..vertices).map(|vertex| relaxed.worth_of(vertex)).sum::<i64>(),
            in_terminals,
        }
    }

    fn enter(&mut self, vertex: usize, place: usize, sets: &[WideSet]) {
        self.frontier.push((vertex, place));
        if self.in_terminals[vertex] {
            for (odd, set) in self.odd_ahead.iter_mut().zip(sets) {
                *odd ^= set.members[vertex];
            }
        }
    }

    /// Whether a vertex on the frontier is in T if its bit is 0.
    fn odd_on_frontier(&self, vertex: usize, relaxed: &Relaxed<'_>) -> bool {
        (self.edges_ahead[vertex] % 2 == 1) ^ (vertex == relaxed.root)
    }

    fn layer(&self, relaxed: &Relaxed<'_>, sets: &[WideSet], singles: &[i64]) -> Layer {
        let mut base = SCALE * self.worth;
        let mut cuts: Vec<Cut> = Vec::new();
        for (set, &odd_ahead) in sets.iter().zip(&self.odd_ahead) {
            let mut cut =
                Cut { places: 0, odd: odd_ahead, end: set.members[relaxed.links.len()], width: set.width };
            for &(vertex, place) in self.frontier.iter().filter(|(vertex, _)| set.members[*vertex]) {
                cut.places |= 1 << place;
                cut.odd ^= self.odd_on_frontier(vertex, relaxed);
            }
            if cut.places != 0 || cut.end {
                cuts.push(cut);
            } else if cut.odd {
                base -= cut.width;
            }
        }
        cuts.sort_unstable();
        cuts.dedup_by(|next, kept| {
            let same = (next.places, next.odd, next.end) == (kept.places, kept.odd, kept.end);
            kept.width += if same { next.width } else { 0 };
            same
        });
        Layer { base, cuts, singles: self.singles(relaxed, singles) }
    }

    fn singles(&self, relaxed: &Relaxed<'_>, widths: &[i64]) -> Vec<Singles> {
        let mut singles: Vec<Singles> = Vec::new();
        for &(vertex, place) in self.frontier.iter().filter(|(vertex, _)| widths[*vertex] > 0) {
            let width = widths[vertex];
            let at = singles.iter().position(|single| single.width == width).unwrap_or_else(|| {
                singles.push(Singles { places: 0, odd: 0, width });
                singles.len() - 1
            });
            singles[at].places |= 1 << place;
            singles[at].odd |= u64::from(self.odd_on_frontier(vertex, relaxed)) << place;
        }
        singles
    }
}
