//! The squares that one own piece can reach, as a graph in which every capture is a trail.
//!
//! A vertex is a square on which the piece can stand. An edge is an opponent piece between two of them. A jump keeps
//! the parities of row and column and changes row + column by a multiple of four (0 or 4). So no capture uses both
//! diagonals over one opponent piece: they lie in different components. A capture is therefore exactly a trail (no edge
//! twice) from the piece's square. Every other own piece is an obstacle. The graph is planar, and no vertex has more
//! than four edges.
//!
//! Proofs: docs/proofs/checkers.md, sections 1, 2 and 4.

use std::cmp::Reverse;

use crate::board::checkers::{CheckersBoard, OWN};
use crate::solver::{Charge, ChargedVec, Pace, Stop};

/// Stands for no edge or no vertex.
const NONE: u32 = u32::MAX;

/// The edges of every vertex, at most four each.
#[derive(Debug, Clone)]
pub struct Links(Vec<[u32; 4]>);

impl Links {
    /// Bytes per vertex.
    pub const BYTES: usize = size_of::<[u32; 4]>();

    /// Makes the links of `vertices` vertices from the ends of all `edges`.
    pub fn new(vertices: usize, edges: impl Iterator<Item = [usize; 2]>) -> Self {
        let mut links = Self(vec![[NONE; 4]; vertices]);
        for (number, ends) in edges.enumerate() {
            for end in ends {
                links.add(end, number);
            }
        }
        links
    }

    /// Adds `edge` to `vertex`.
    pub fn add(&mut self, vertex: usize, edge: usize) {
        if let Some(free) = self.0[vertex].iter_mut().find(|edge| **edge == NONE) {
            *free = edge as u32;
        }
    }

    /// Returns the edges of `vertex`.
    pub fn of(&self, vertex: usize) -> impl Iterator<Item = usize> + '_ {
        self.0[vertex].iter().take_while(|&&edge| edge != NONE).map(|&edge| edge as usize)
    }

    /// Removes `edge` from `vertex`.
    pub fn remove(&mut self, vertex: usize, edge: usize) {
        let mut left = [NONE; 4];
        for (place, other) in left.iter_mut().zip(self.of(vertex).filter(|&other| other != edge)) {
            *place = other as u32;
        }
        self.0[vertex] = left;
    }

    /// Replaces the edge `old` of `vertex` by `new`.
    pub fn replace(&mut self, vertex: usize, old: usize, new: usize) {
        if let Some(edge) = self.0[vertex].iter_mut().find(|edge| **edge as usize == old) {
            *edge = new as u32;
        }
    }
}

/// The graph of one own piece.
#[derive(Debug)]
pub struct Graph<'b> {
    /// The playable square of each vertex, ascending.
    pub squares: ChargedVec<'b, u32>,
    pub edges: ChargedVec<'b, [u32; 2]>,
    pub links: Links,
    /// The vertex on which the piece stands.
    pub start: u32,
    _charge: Charge<'b>,
}

impl Graph<'_> {
    /// Returns the edges of `vertex`, with their other ends.
    pub fn links(&self, vertex: u32) -> impl Iterator<Item = (usize, u32)> + '_ {
        self.links.of(vertex as usize).map(move |edge| {
            let [a, b] = self.edges[edge];
            (edge, a ^ b ^ vertex)
        })
    }

    /// Returns an upper bound on the edges of a trail. Besides the start, only the end of a trail can have an odd
    /// number of used edges. So every other odd vertex has an unused edge, and one unused edge serves at most two of
    /// them.
    fn bound(&self) -> u32 {
        let is_odd = |&vertex: &u32| vertex != self.start && self.links.of(vertex as usize).count() % 2 == 1;
        let odd = (0..self.squares.len() as u32).filter(is_odd).count();
        self.edges.len() as u32 - odd.saturating_sub(1).div_ceil(2) as u32
    }
}

/// An own piece that can capture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Start {
    pub square: u32,
    /// No trail from this square has more edges.
    pub bound: u32,
}

/// Makes the graphs of a board's own pieces.
pub struct Graphs<'a, 'b> {
    board: &'a CheckersBoard,
    /// The vertex on each square while a graph is being made, else [`NONE`].
    number: Vec<u32>,
    _charge: Charge<'b>,
}

impl<'a, 'b> Graphs<'a, 'b> {
    /// # Errors
    /// The limit that was hit. A board whose squares do not fit 32-bit numbers counts as too large for any memory.
    pub fn new(board: &'a CheckersBoard, pace: &Pace<'b>) -> Result<Self, Stop> {
        let squares = board.squares().len();
        if squares >= NONE as usize / 2 {
            return Err(Stop::MemoryLimit);
        }
        let charge = Charge::new((squares * size_of::<u32>()) as u64, pace.budget())?;
        Ok(Self { board, number: vec![NONE; squares], _charge: charge })
    }

    /// Returns the own pieces that can capture, each with a proved upper bound on its trails, the largest bound first.
    pub fn starts(&mut self, pace: &mut Pace<'b>) -> Result<ChargedVec<'b, Start>, Stop> {
        let mut starts = ChargedVec::new(pace.budget());
        for square in 0..self.board.squares().len() as u32 {
            pace.count(1)?;
            let at = square as usize;
            if self.board.squares()[at] == OWN && self.board.jumps(at, at).next().is_some() {
                let bound = self.of(square, pace)?.bound();
                starts.push(Start { square, bound })?;
            }
        }
        starts.sort_unstable_by_key(|start| (Reverse(start.bound), start.square));
        Ok(starts)
    }

    /// Returns the graph of the own piece on the square `start`.
    pub fn of(&mut self, start: u32, pace: &mut Pace<'b>) -> Result<Graph<'b>, Stop> {
        let (mut squares, mut edges) = (ChargedVec::new(pace.budget()), ChargedVec::new(pace.budget()));
        let (board, start_square) = (self.board, start as usize);
        let jumps = |square: u32| board.jumps(start_square, square as usize);
        squares.push(start)?;
        self.number[start as usize] = 0;
        let mut at = 0;
        while let Some(&square) = squares.get(at) {
            at += 1;
            pace.count(8)?;
            for to in jumps(square).map(|jump| jump.to) {
                if self.number[to] == NONE {
                    self.number[to] = 0;
                    squares.push(to as u32)?;
                }
            }
        }
        squares.sort_unstable();
        for (number, &square) in squares.iter().enumerate() {
            self.number[square as usize] = number as u32;
        }
        for (number, &square) in squares.iter().enumerate() {
            pace.count(8)?;
            for jump in jumps(square).filter(|jump| jump.to > square as usize) {
                edges.push([number as u32, self.number[jump.to]])?;
            }
        }
        let start = self.number[start as usize];
        for &square in squares.iter() {
            self.number[square as usize] = NONE;
        }
        let charge = Charge::new((squares.len() * Links::BYTES) as u64, pace.budget())?;
        let ends = edges.iter().map(|ends: &[u32; 2]| ends.map(|end| end as usize));
        let links = Links::new(squares.len(), ends);
        Ok(Graph { squares, edges, links, start, _charge: charge })
    }
}

#[cfg(test)]
#[path = "lattices_tests.rs"]
pub mod lattices;
