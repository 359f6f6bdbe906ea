//! The captures of a board as a graph in which every capture move is a trail.
//!
//! A vertex is a square on which a capturing piece may stand, an edge an opponent piece between two of them.
//! A jump keeps the parities of row and column and changes row + column by a multiple of four (0 or 4), so
//! of the two diagonals over one opponent piece no move ever uses both: they lie in different components.
//! A capture move is therefore exactly a trail (no edge twice) that begins on an own piece's square and
//! touches no other own piece's square. The graph is planar, and no vertex has more than four edges.
//!
//! [`Graph::starts`] bounds what each own piece can capture by counting degrees.
//!
//! Proofs: docs/proofs/checkers.md, sections 1, 2 and 4.

use crate::board::checkers::{CheckersBoard, EMPTY, OPPONENT, OWN};
use crate::solver::{Charge, Pace, Stop};

/// No edge, no vertex.
pub const NONE: u32 = u32::MAX;
/// What an edge and a vertex cost at most, in all the tables made of them.
const EDGE_BYTES: u64 = 40;
const VERTEX_BYTES: u64 = 128;

/// All squares and jumps of a board. Vertices are numbered row by row.
#[derive(Debug)]
pub struct Graph<'b> {
    /// The playable square of each vertex, ascending.
    pub squares: Vec<u32>,
    /// Whether an own piece stands there at first.
    pub own: Vec<bool>,
    /// The two vertices of each edge. No edge joins two own pieces' squares.
    pub edges: Vec<[u32; 2]>,
    /// The edges of each vertex.
    pub links: Links,
    _charge: Charge<'b>,
}

/// The edges of every vertex, four at most.
#[derive(Debug)]
pub struct Links(Vec<[u32; 4]>);

/// An own piece that can capture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Start {
    /// Where it stands.
    pub vertex: u32,
    /// The edges that it can reach.
    pub edges: u32,
    /// No trail from there has more edges.
    pub bound: u32,
}

impl Links {
    /// The edges of each of so many vertices.
    pub fn new(vertices: usize, edges: &[[u32; 2]]) -> Self {
        let mut links = vec![[NONE; 4]; vertices];
        for (number, ends) in edges.iter().enumerate() {
            for &end in ends {
                if let Some(free) = links[end as usize].iter_mut().find(|edge| **edge == NONE) {
                    *free = number as u32;
                }
            }
        }
        Self(links)
    }

    /// The edges of `vertex`.
    pub fn of(&self, vertex: u32) -> impl Iterator<Item = u32> + '_ {
        self.0[vertex as usize].iter().copied().take_while(|&edge| edge != NONE)
    }
}

/// The end of an edge that is not `vertex`.
pub fn across([a, b]: [u32; 2], vertex: u32) -> u32 {
    a ^ b ^ vertex
}

impl<'b> Graph<'b> {
    /// The graph of `board`.
    ///
    /// # Errors
    /// The limit that ended it: a graph may be larger than the memory it may take. A board whose squares or
    /// edges cannot be numbered by 32 bits counts as too large for any.
    pub fn new(board: &CheckersBoard, pace: &mut Pace<'b>) -> Result<Self, Stop> {
        let square_count = board.squares().len();
        if square_count >= NONE as usize {
            return Err(Stop::MemoryLimit);
        }
        let mut edge_count = 0;
        for index in 0..square_count {
            pace.count(1)?;
            edge_count += edges_over(board, index).count();
        }
        if edge_count >= NONE as usize {
            return Err(Stop::MemoryLimit);
        }
        let vertices_max = square_count.min(2 * edge_count) as u64;
        let bytes = 4 * square_count as u64 + edge_count as u64 * EDGE_BYTES + vertices_max * VERTEX_BYTES;
        let charge = Charge::new(bytes, pace.budget())?;

        let mut number = vec![NONE; square_count];
        let mut edges = Vec::with_capacity(edge_count);
        for index in 0..square_count {
            pace.count(1)?;
            for edge in edges_over(board, index) {
                for square in edge {
                    number[square as usize] = 0;
                }
                edges.push(edge);
            }
        }
        let (mut squares, mut own) = (Vec::new(), Vec::new());
        for (square, number) in number.iter_mut().enumerate() {
            pace.count(1)?;
            if *number != NONE {
                *number = squares.len() as u32;
                squares.push(square as u32);
                own.push(board.squares()[square] == OWN);
            }
        }
        for edge in &mut edges {
            pace.count(2)?;
            *edge = edge.map(|square| number[square as usize]);
        }
        let links = Links::new(squares.len(), &edges);
        Ok(Self { squares, own, edges, links, _charge: charge })
    }

    /// The own pieces that can capture, each with a proved upper bound on its trails, the largest first.
    ///
    /// A trail from s lies in the part that s reaches without other own pieces. There it leaves at most one
    /// empty square (its end) with an odd number of used edges, so every other odd vertex loses an edge,
    /// and an edge serves two of them at most.
    ///
    /// # Errors
    /// The limit that ended it.
    pub fn starts(&self, pace: &mut Pace<'_>) -> Result<Vec<Start>, Stop> {
        let regions = self.regions(pace)?;
        let mut edges = vec![0_u32; self.squares.len()];
        let mut odd = vec![0_u32; self.squares.len()];
        let mut odd_inside = vec![false; self.squares.len()];
        for &[a, b] in &self.edges {
            pace.count(1)?;
            if !self.own[a as usize] && !self.own[b as usize] {
                edges[regions[a as usize] as usize] += 1;
                odd_inside[a as usize] ^= true;
                odd_inside[b as usize] ^= true;
            }
        }
        for (vertex, &region) in regions.iter().enumerate() {
            pace.count(1)?;
            odd[region as usize] += u32::from(odd_inside[vertex]);
        }
        let mut starts = Vec::new();
        for vertex in (0..self.squares.len() as u32).filter(|&vertex| self.own[vertex as usize]) {
            pace.count(4)?;
            let mut seen = [NONE; 4];
            let (mut reachable, mut unbalanced) = (0, 0_i64);
            for (slot, edge) in self.links.of(vertex).enumerate() {
                let next = across(self.edges[edge as usize], vertex) as usize;
                let region = regions[next];
                reachable += 1;
                unbalanced += if odd_inside[next] { -1 } else { 1 };
                if !seen.contains(&region) {
                    seen[slot] = region;
                    reachable += edges[region as usize];
                    unbalanced += i64::from(odd[region as usize]);
                }
            }
            let lost = (unbalanced - 1).max(0).cast_unsigned().div_ceil(2) as u32;
            starts.push(Start { vertex, edges: reachable, bound: reachable - lost });
        }
        starts.sort_unstable_by_key(|start| (std::cmp::Reverse(start.bound), start.vertex));
        Ok(starts)
    }

    /// For every vertex a representative of what it reaches without stepping on an own piece's square.
    fn regions(&self, pace: &mut Pace<'_>) -> Result<Vec<u32>, Stop> {
        let mut sets = Sets::new(self.squares.len());
        for &[a, b] in &self.edges {
            pace.count(1)?;
            if !self.own[a as usize] && !self.own[b as usize] {
                sets.join(a, b);
            }
        }
        let find = |vertex| pace.count(1).map(|()| sets.find(vertex));
        (0..self.squares.len() as u32).map(find).collect()
    }
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
