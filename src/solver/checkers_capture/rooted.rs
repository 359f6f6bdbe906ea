//! What one own piece can reach: the graph of its captures, in which every other own piece is in the way.

use super::Pace;
use super::graph::Component;
use crate::solver::{Budget, Stop};

/// What the graph takes for each edge and vertex of the component it is cut from.
pub const EDGE_BYTES: u64 = 64;

/// The part of a component that a piece standing on `start` can reach.
#[derive(Debug)]
pub struct Rooted {
    /// The component's number of each vertex, ascending.
    pub vertices: Vec<u32>,
    /// The two vertices of each edge.
    pub edges: Vec<[u32; 2]>,
    /// The component's number of each edge.
    pub edge_numbers: Vec<u32>,
    /// The vertex on which the piece stands.
    pub start: u32,
}

impl Rooted {
    /// The graph of the own piece on the component's vertex `start`.
    ///
    /// # Errors
    /// The limit that ended it.
    pub fn new(component: &Component, start: u32, budget: &Budget) -> Result<Self, Stop> {
        let mut pace = Pace::new(budget);
        let in_the_way = |vertex: u32| component.own[vertex as usize] && vertex != start;
        let mut reached = vec![false; component.squares.len()];
        let mut open = vec![start];
        reached[start as usize] = true;
        while let Some(vertex) = open.pop() {
            pace.step(1)?;
            for edge in component.links(vertex) {
                let next = component.across(edge, vertex);
                if !reached[next as usize] && !in_the_way(next) {
                    reached[next as usize] = true;
                    open.push(next);
                }
            }
        }
        let mut number = vec![u32::MAX; reached.len()];
        let mut vertices = Vec::new();
        for (vertex, _) in reached.iter().enumerate().filter(|(_, reached)| **reached) {
            number[vertex] = vertices.len() as u32;
            vertices.push(vertex as u32);
        }
        let (mut edges, mut edge_numbers) = (Vec::new(), Vec::new());
        for (edge, ends) in component.edges.iter().enumerate() {
            pace.step(1)?;
            let ends = ends.map(|end| number[end as usize]);
            if !ends.contains(&u32::MAX) {
                edges.push(ends);
                edge_numbers.push(edge as u32);
            }
        }
        let start = number[start as usize];
        Ok(Self { vertices, edges, edge_numbers, start })
    }
}
