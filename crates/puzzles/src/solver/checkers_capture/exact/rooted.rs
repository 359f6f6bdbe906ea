//! What own pieces can reach: the graph of one piece's captures, in which every other own piece is in the way.
//!
//! Without the own pieces' squares a graph falls into *regions*. A piece reaches the regions beside it, as a whole. So
//! [`Regions::starts`] bounds what each own piece can capture by counting degrees, with no graph of its own.
//!
//! Proofs: docs/proofs/checkers.md, sections 2 and 4.

use std::cmp::Reverse;
use std::ops::Range;

use super::graph::{Graph, Links, NONE, across};
use crate::solver::{Charge, ChargedVec, Pace, Stop};

/// The connected parts of a graph without own pieces' squares.
pub struct Regions<'a, 'b> {
    graph: &'a Graph<'b>,
    /// The region of each vertex; [`NONE`] for own pieces' squares.
    of: Vec<u32>,
    list: ChargedVec<'b, Region>,
    /// The vertices, region by region.
    vertices: Vec<u32>,
    _charge: Charge<'b>,
}

/// A region.
struct Region {
    vertices: Range<u32>,
    edges: u32,
    /// How many of its vertices have an odd number of its edges.
    odd: u32,
}

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

impl<'a, 'b> Regions<'a, 'b> {
    /// Returns the regions of `graph`.
    ///
    /// # Errors
    /// The limit that ended it, here as below.
    pub fn new(graph: &'a Graph<'b>, pace: &mut Pace<'b>) -> Result<Self, Stop> {
        let count = graph.squares.len();
        let charge = Charge::new((2 * count * size_of::<u32>()) as u64, pace.budget())?;
        let (mut of, mut vertices) = (vec![NONE; count], Vec::with_capacity(count));
        let mut list = ChargedVec::new(pace.budget());
        for first in (0..count as u32).filter(|&vertex| !graph.own[vertex as usize]) {
            if of[first as usize] != NONE {
                continue;
            }
            let (from, mut at) = (vertices.len(), vertices.len());
            let (mut ends, mut odd) = (0, 0);
            of[first as usize] = list.len() as u32;
            vertices.push(first);
            while let Some(&vertex) = vertices.get(at) {
                at += 1;
                pace.count(4)?;
                let mut degree = 0;
                for next in graph.free_neighbours(vertex) {
                    degree += 1;
                    if of[next as usize] == NONE {
                        of[next as usize] = list.len() as u32;
                        vertices.push(next);
                    }
                }
                ends += degree;
                odd += degree % 2;
            }
            list.push(Region { vertices: from as u32..at as u32, edges: ends / 2, odd })?;
        }
        Ok(Self { graph, of, list, vertices, _charge: charge })
    }

    /// Returns the own pieces that can capture, each with a proved upper bound on its trails, the largest first.
    ///
    /// A trail from s lies in the part that s reaches without other own pieces. There it leaves at most one
    /// empty square (its end) with an odd number of used edges, so every other odd vertex loses an edge,
    /// and an edge serves two of them at most.
    ///
    /// # Errors
    /// The limit that ended it.
    pub fn starts(&self, pace: &mut Pace<'b>) -> Result<ChargedVec<'b, Start>, Stop> {
        let mut starts = ChargedVec::new(pace.budget());
        for vertex in (0..self.of.len() as u32).filter(|&vertex| self.graph.own[vertex as usize]) {
            pace.count(16)?;
            let (mut edges, mut odd) = (0, 0_i64);
            for next in self.graph.free_neighbours(vertex) {
                // The edge from here makes an odd vertex even, and an even one odd.
                let was_odd = self.graph.free_neighbours(next).count() % 2 == 1;
                odd += if was_odd { -1 } else { 1 };
                edges += 1;
            }
            for region in self.beside(vertex) {
                edges += region.edges;
                odd += i64::from(region.odd);
            }
            let lost = (odd - 1).max(0).cast_unsigned().div_ceil(2) as u32;
            starts.push(Start { vertex, edges, bound: edges - lost })?;
        }
        starts.sort_unstable_by_key(|start| (Reverse(start.bound), start.vertex));
        Ok(starts)
    }

    /// Returns the regions beside an own piece's square.
    fn beside(&self, own: u32) -> impl Iterator<Item = &Region> {
        let mut regions = [NONE; 4];
        for (region, next) in regions.iter_mut().zip(self.graph.free_neighbours(own)) {
            *region = self.of[next as usize];
        }
        regions.sort_unstable();
        let mut last = NONE;
        // What is no region comes last.
        let is_new = move |region: &u32| *region != NONE && std::mem::replace(&mut last, *region) != *region;
        regions.into_iter().filter(is_new).map(|region| &self.list[region as usize])
    }
}

/// The part of a graph that a piece can reach.
#[derive(Debug)]
pub struct Rooted<'b> {
    /// The square of each vertex, ascending.
    pub squares: Vec<u32>,
    /// The two vertices of each edge.
    pub edges: Vec<[u32; 2]>,
    /// The edges of each vertex.
    pub links: Links,
    /// The vertex on which the piece stands.
    pub start: u32,
    _charge: Charge<'b>,
}

impl<'b> Rooted<'b> {
    /// Returns what the piece on `start` can reach.
    ///
    /// # Errors
    /// The limit that ended it.
    pub fn new(regions: &Regions<'_, '_>, start: Start, pace: &mut Pace<'b>) -> Result<Self, Stop> {
        const VERTEX_BYTES: usize = 2 * size_of::<u32>() + Links::BYTES;

        let graph = regions.graph;
        let reached = regions.beside(start.vertex).map(|region| region.vertices.len()).sum::<usize>() + 1;
        let bytes = reached * VERTEX_BYTES + start.edges as usize * size_of::<[u32; 2]>();
        let charge = Charge::new(bytes as u64, pace.budget())?;
        let mut vertices = Vec::with_capacity(reached);
        vertices.push(start.vertex);
        for region in regions.beside(start.vertex) {
            let Range { start, end } = region.vertices;
            vertices.extend_from_slice(&regions.vertices[start as usize..end as usize]);
        }
        vertices.sort_unstable();
        let number = |vertex: u32| vertices.binary_search(&vertex).unwrap_or_default() as u32;
        let mut edges = Vec::with_capacity(start.edges as usize);
        for (at, &vertex) in vertices.iter().enumerate() {
            pace.count(8)?;
            for edge in graph.links.of(vertex as usize) {
                let next = across(graph.edges[edge], vertex);
                // Each edge once; other own pieces are in the way.
                if next > vertex && (next == start.vertex || !graph.own[next as usize]) {
                    edges.push([at as u32, number(next)]);
                }
            }
        }
        Ok(Self {
            squares: vertices.iter().map(|&vertex| graph.squares[vertex as usize]).collect(),
            links: Links::new(vertices.len(), edges.iter().map(|ends| ends.map(|end| end as usize))),
            edges,
            start: number(start.vertex),
            _charge: charge,
        })
    }

    /// Returns the edges of `vertex`, with their other ends.
    pub fn links(&self, vertex: u32) -> impl Iterator<Item = (usize, u32)> + '_ {
        self.links.of(vertex as usize).map(move |edge| (edge, across(self.edges[edge], vertex)))
    }
}
