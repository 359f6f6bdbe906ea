//! Sets of vertices that no two edges separate: the components that remain after removing every edge that disconnects
//! the graph, alone or together with one other edge.
//!
//! Each edge outside a spanning tree gets a random label. Each edge of the tree gets the XOR of the labels of those
//! edges whose circles hold it. An edge that disconnects the graph alone has the label 0, and two that do it together
//! have equal labels (Pritchard and Thurimella 2011). Other edges get such labels with a probability of 2^-64 per pair.
//! Only the speed depends on this: the caller counts the edges that leave a component.

use std::collections::HashMap;

use super::Reduction;
use crate::solver::random::mix;
use crate::solver::{Charge, Pace, Stop};

/// Bytes that the search for components takes per vertex and per edge.
const VERTEX_BYTES: usize = 64;
const EDGE_BYTES: usize = 48;
/// 2^64 divided by the golden ratio: its multiples are far apart.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// Returns the components, each in ascending order; that of the start comes first. Leaves out removed vertices.
pub fn components(graph: &Reduction<'_>, pace: &mut Pace<'_>) -> Result<Vec<Vec<usize>>, Stop> {
    let bytes = graph.vertices.len() * VERTEX_BYTES + graph.edges.len() * EDGE_BYTES;
    let _working = Charge::new(bytes as u64, pace.budget())?;
    let labels = labels(graph, pace)?;
    let mut alike = HashMap::new();
    for &label in &labels {
        *alike.entry(label).or_insert(0) += 1;
    }
    let separates = |edge: usize| labels[edge] == 0 || alike[&labels[edge]] > 1;
    let mut is_known = vec![false; graph.vertices.len()];
    let mut components = Vec::new();
    for seed in std::iter::once(graph.start).chain(0..graph.vertices.len()) {
        if is_known[seed] || seed != graph.start && graph.links.of(seed).next().is_none() {
            continue;
        }
        is_known[seed] = true;
        let (mut members, mut at) = (vec![seed], 0);
        while let Some(&vertex) = members.get(at) {
            at += 1;
            pace.count(4)?;
            for edge in graph.links.of(vertex).filter(|&edge| !separates(edge)) {
                let next = graph.across(edge, vertex);
                if !std::mem::replace(&mut is_known[next], true) {
                    members.push(next);
                }
            }
        }
        members.sort_unstable();
        components.push(members);
    }
    Ok(components)
}

/// Returns the label of each edge.
fn labels(graph: &Reduction<'_>, pace: &mut Pace<'_>) -> Result<Vec<u64>, Stop> {
    let mut labels = vec![0; graph.edges.len()];
    // The edge by which each vertex was reached.
    let mut reached_by = vec![None; graph.vertices.len()];
    let mut is_known = vec![false; graph.vertices.len()];
    is_known[graph.start] = true;
    let (mut order, mut at) = (vec![graph.start], 0);
    while let Some(&vertex) = order.get(at) {
        at += 1;
        pace.count(4)?;
        for edge in graph.links.of(vertex) {
            let next = graph.across(edge, vertex);
            if !std::mem::replace(&mut is_known[next], true) {
                reached_by[next] = Some(edge);
                order.push(next);
            } else if reached_by[vertex] != Some(edge) && reached_by[next] != Some(edge) {
                labels[edge] = mix((edge as u64 + 1).wrapping_mul(GOLDEN));
            }
        }
    }
    // An edge of the tree gets the XOR of all labels at the vertices below it: those of the circles that hold the edge.
    let mut sums = vec![0; graph.vertices.len()];
    for &vertex in order.iter().rev() {
        pace.count(4)?;
        for edge in graph.links.of(vertex).filter(|&edge| reached_by[vertex] != Some(edge)) {
            sums[vertex] ^= labels[edge];
        }
        if let Some(edge) = reached_by[vertex] {
            labels[edge] = sums[vertex];
        }
    }
    Ok(labels)
}

#[cfg(test)]
#[path = "inseparable_tests.rs"]
mod tests;
