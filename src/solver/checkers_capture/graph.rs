//! The captures of a board as a graph in which every capture move is a trail.
//!
//! A vertex is a square on which a capturing piece may stand, an edge an opponent piece between two of them.
//! A jump keeps the parities of row and column and changes row + column by a multiple of four (0 or 4), so
//! of the two diagonals over one opponent piece no move ever uses both: they lie in different components.
//! A capture move is therefore exactly a trail (no edge twice) that begins on an own piece's square and
//! touches no other own piece's square. The graph is planar, and no vertex has more than four edges.
//!
//! [`components`] gives the components that hold an own piece, each with a proved upper bound.

use super::Pace;
use crate::board::checkers::{CheckersBoard, EMPTY, OPPONENT, OWN};
use crate::solver::{Budget, Stop};

/// No edge, no vertex.
const NONE: u32 = u32::MAX;

/// A connected part of the graph with at least one own piece and one edge. Vertices are numbered row by row.
#[derive(Debug)]
pub struct Component {
    /// The playable square of each vertex, ascending.
    pub squares: Vec<u32>,
    /// Whether an own piece stands there at first.
    pub own: Vec<bool>,
    /// The two vertices of each edge, the smaller first. No edge joins two own pieces' squares.
    pub edges: Vec<[u32; 2]>,
    /// No trail has more edges.
    pub edges_max: u32,
    /// Edges of each vertex, [`NONE`] behind the last.
    links: Vec<[u32; 4]>,
    /// See [`Component::starts`].
    starts: Vec<(u32, u32)>,
}

impl Component {
    /// The edges of `vertex`.
    pub fn links(&self, vertex: u32) -> impl Iterator<Item = u32> + '_ {
        self.links[vertex as usize].iter().copied().take_while(|&edge| edge != NONE)
    }

    /// The other end of `edge`.
    #[must_use]
    pub fn across(&self, edge: u32, vertex: u32) -> u32 {
        let [a, b] = self.edges[edge as usize];
        a ^ b ^ vertex
    }

    /// A proved upper bound on the trails from the own piece on each of its vertices, the largest first.
    ///
    /// A trail from s lies in the part that s reaches without other own pieces. There it leaves at most one
    /// empty square (its end) with an odd number of used edges, so every other odd vertex loses an edge,
    /// and an edge serves two of them at most.
    #[must_use]
    pub fn starts(&self) -> &[(u32, u32)] {
        &self.starts
    }

    fn find_starts(&self, pace: &mut Pace<'_>) -> Result<Vec<(u32, u32)>, Stop> {
        let parts = self.parts_without_own(pace)?;
        let mut edges = vec![0_u32; self.squares.len()];
        let mut odd = vec![0_u32; self.squares.len()];
        let mut odd_inside = vec![false; self.squares.len()];
        for &[a, b] in &self.edges {
            pace.step(1)?;
            if !self.own[a as usize] && !self.own[b as usize] {
                edges[parts[a as usize] as usize] += 1;
                odd_inside[a as usize] ^= true;
                odd_inside[b as usize] ^= true;
            }
        }
        for (vertex, &part) in parts.iter().enumerate() {
            pace.step(1)?;
            odd[part as usize] += u32::from(odd_inside[vertex]);
        }
        let own = (0..self.squares.len() as u32).filter(|&vertex| self.own[vertex as usize]);
        let mut starts: Vec<_> = own
            .map(|start| {
                pace.step(4)?;
                let mut seen = [NONE; 4];
                let (mut reachable, mut unbalanced) = (0, 0_i64);
                for (slot, edge) in self.links(start).enumerate() {
                    let next = self.across(edge, start) as usize;
                    let part = parts[next];
                    reachable += 1;
                    unbalanced += if odd_inside[next] { -1 } else { 1 };
                    if !seen.contains(&part) {
                        seen[slot] = part;
                        reachable += edges[part as usize];
                        unbalanced += i64::from(odd[part as usize]);
                    }
                }
                let lost = (unbalanced - 1).max(0).cast_unsigned().div_ceil(2);
                Ok((reachable - lost as u32, start))
            })
            .collect::<Result<_, Stop>>()?;
        starts.sort_unstable_by_key(|&(bound, start)| (std::cmp::Reverse(bound), start));
        Ok(starts)
    }

    /// For every vertex a representative of what it reaches without stepping on an own piece's square.
    fn parts_without_own(&self, pace: &mut Pace<'_>) -> Result<Vec<u32>, Stop> {
        let mut sets = Sets::new(self.squares.len());
        for &[a, b] in &self.edges {
            pace.step(1)?;
            if !self.own[a as usize] && !self.own[b as usize] {
                sets.join(a, b);
            }
        }
        let find = |vertex| pace.step(1).map(|()| sets.find(vertex));
        (0..self.squares.len() as u32).map(find).collect()
    }
}

/// All components of `board` with an own piece that can capture, the largest upper bound first.
///
/// # Errors
/// The limit that ended it: the graph of a board may be larger than the memory it may take. A board whose
/// squares or edges cannot be numbered by 32 bits counts as too large for any.
pub fn components(board: &CheckersBoard, budget: &Budget) -> Result<Vec<Component>, Stop> {
    if board.squares().len() >= NONE as usize {
        return Err(Stop::MemoryLimit);
    }
    let (squares, edges) = vertices_and_edges(board, budget)?;
    let mut sets = Sets::new(squares.len());
    let mut pace = Pace::new(budget);
    for &[a, b] in &edges {
        pace.step(1)?;
        sets.join(a, b);
    }
    // Components with an own piece, in the order of their first own vertex.
    let mut number = vec![NONE; squares.len()];
    let mut components = Vec::new();
    for (vertex, &square) in squares.iter().enumerate() {
        pace.step(1)?;
        let root = sets.find(vertex as u32) as usize;
        if board.squares()[square as usize] == OWN && number[root] == NONE {
            number[root] = components.len() as u32;
            components.push(Component {
                squares: Vec::new(),
                own: Vec::new(),
                edges: Vec::new(),
                edges_max: 0,
                links: Vec::new(),
                starts: Vec::new(),
            });
        }
    }
    let mut local = vec![NONE; squares.len()];
    for (vertex, &square) in squares.iter().enumerate() {
        pace.step(1)?;
        let component = number[sets.find(vertex as u32) as usize];
        if component != NONE {
            let component: &mut Component = &mut components[component as usize];
            local[vertex] = component.squares.len() as u32;
            component.squares.push(square);
            component.own.push(board.squares()[square as usize] == OWN);
            component.links.push([NONE; 4]);
        }
    }
    for &[a, b] in &edges {
        pace.step(2)?;
        let component = number[sets.find(a) as usize];
        if component != NONE {
            let component = &mut components[component as usize];
            let (a, b) = (local[a as usize], local[b as usize]);
            for vertex in [a, b] {
                let links = &mut component.links[vertex as usize];
                if let Some(free) = links.iter_mut().find(|edge| **edge == NONE) {
                    *free = component.edges.len() as u32;
                }
            }
            component.edges.push([a.min(b), a.max(b)]);
        }
    }
    for component in &mut components {
        component.starts = component.find_starts(&mut pace)?;
        component.edges_max = component.starts.first().map_or(0, |&(bound, _)| bound);
    }
    components.sort_by_key(|component| std::cmp::Reverse(component.edges_max));
    Ok(components)
}

/// The squares with an edge, ascending, and the edges between their numbers.
fn vertices_and_edges(board: &CheckersBoard, budget: &Budget) -> Result<(Vec<u32>, Vec<[u32; 2]>), Stop> {
    /// What an edge and a vertex cost at most, in all the tables made of them.
    const EDGE_BYTES: u64 = 40;
    const VERTEX_BYTES: u64 = 128;

    let square_count = board.squares().len();
    let mut pace = Pace::new(budget);
    let mut edge_count = 0;
    for index in 0..square_count {
        pace.step(1)?;
        edge_count += edges_over(board, index).count();
    }
    if edge_count >= NONE as usize {
        return Err(Stop::MemoryLimit);
    }
    let vertices_max = square_count.min(2 * edge_count) as u64;
    budget.charge(4 * square_count as u64)?;
    budget.charge(edge_count as u64 * EDGE_BYTES + vertices_max * VERTEX_BYTES)?;

    let mut number = vec![NONE; square_count];
    let mut edges = Vec::with_capacity(edge_count);
    for index in 0..square_count {
        pace.step(1)?;
        for edge in edges_over(board, index) {
            for square in edge {
                number[square as usize] = 0;
            }
            edges.push(edge);
        }
    }
    let mut squares = Vec::new();
    for (square, number) in number.iter_mut().enumerate() {
        pace.step(1)?;
        if *number != NONE {
            *number = squares.len() as u32;
            squares.push(square as u32);
        }
    }
    for edge in &mut edges {
        pace.step(1)?;
        *edge = edge.map(|square| number[square as usize]);
    }
    Ok((squares, edges))
}

/// The pairs of squares between which the piece on the square `over` can be jumped: two at most.
fn edges_over(board: &CheckersBoard, over: usize) -> impl Iterator<Item = [u32; 2]> + '_ {
    let squares = board.squares();
    let place = (squares[over] == OPPONENT).then(|| board.place(over));
    let place = place.filter(|&(row, column)| {
        row > 0 && column > 0 && row + 1 < board.rows() && column + 1 < board.columns()
    });
    place.into_iter().flat_map(move |(row, column)| {
        let ends = [
            [board.index(row - 1, column - 1), board.index(row + 1, column + 1)],
            [board.index(row - 1, column + 1), board.index(row + 1, column - 1)],
        ];
        ends.into_iter()
            .filter(move |ends| {
                let [a, b] = ends.map(|end| squares[end]);
                a != OPPONENT && b != OPPONENT && (a == EMPTY || b == EMPTY)
            })
            .map(|ends| ends.map(|end| end as u32))
    })
}

/// Disjoint sets of vertices (Tarjan 1975, with path halving).
struct Sets(Vec<u32>);

impl Sets {
    fn new(count: usize) -> Self {
        Self((0..count as u32).collect())
    }

    /// The representative of `vertex`'s set: its smallest member.
    fn find(&mut self, mut vertex: u32) -> u32 {
        while self.0[vertex as usize] != vertex {
            let above = self.0[self.0[vertex as usize] as usize];
            self.0[vertex as usize] = above;
            vertex = above;
        }
        vertex
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.find(a), self.find(b));
        self.0[a.max(b) as usize] = a.min(b);
    }
}
