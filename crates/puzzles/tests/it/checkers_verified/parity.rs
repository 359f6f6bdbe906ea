//! An upper bound by parity: what the longest trail of a component must leave out, whatever its connections.
//!
//! A trail from s to t uses an even number of edges at every square except s and t. So the jumps of the component that
//! it leaves out are odd in number exactly at the squares of odd degree, with s and t toggled: a T-join. The code finds
//! the smallest T-join over all t exactly, row by row, in a table from the parities still open in two neighbouring rows
//! to the fewest jumps left out so far. Connectivity is ignored, so the result is a bound and not an answer.

use std::collections::HashMap;

use super::board::{Board, EMPTY, OPPONENT};

/// Returns the most that any own piece could capture if a trail need not be connected.
pub fn upper_bound(board: &Board) -> u64 {
    board.own().into_iter().map(|start| bound_from(board, start)).max().unwrap_or(0)
}

/// Open parities (one bit per column, this row low and the next one high), and whether t is chosen.
type Open = (u128, bool);

fn bound_from(board: &Board, start: (usize, usize)) -> u64 {
    let mut board = board.clone();
    board.set(start.0, start.1, EMPTY);
    let reached = component(&board, start);
    let jumps = |row, column| board.jumps(row, column).filter(|&(_, to)| board.at(to.0, to.1) == EMPTY);
    let mut edges = 0;
    let mut table: HashMap<Open, u64> = HashMap::from([((0, false), 0)]);
    let mut rows: Vec<usize> = reached.iter().map(|square| square.0).collect();
    rows.dedup();
    for row in rows {
        for &(_, column) in reached.iter().filter(|square| square.0 == row) {
            let down: Vec<usize> =
                jumps(row, column).filter(|&(_, to)| to.0 > row).map(|(_, to)| to.1).collect();
            edges += down.len() as u64;
            for to in down {
                table = with_edge(&table, 1_u128 << (column / 2) | 1_u128 << (64 + to / 2));
            }
            let odd = (jumps(row, column).count() % 2 == 1) != ((row, column) == start);
            table = closed(&table, 1_u128 << (column / 2), odd);
        }
        table = table.into_iter().map(|((open, chosen), cost)| ((open >> 64, chosen), cost)).collect();
    }
    let left_out = table.into_iter().filter(|((open, _), _)| *open == 0).map(|(_, cost)| cost).min();
    edges - left_out.expect("a trail of no jumps leaves out all of them")
}

/// Returns the squares in reach if no piece is ever removed, row by row.
fn component(board: &Board, start: (usize, usize)) -> Vec<(usize, usize)> {
    let mut reached = vec![start];
    let mut next = 0;
    while next < reached.len() {
        let (row, column) = reached[next];
        for (over, to) in board.jumps(row, column) {
            assert_eq!(board.at(over.0, over.1), OPPONENT);
            if board.at(to.0, to.1) == EMPTY && !reached.contains(&to) {
                reached.push(to);
            }
        }
        next += 1;
    }
    reached.sort_unstable();
    reached
}

/// Leaves an edge out, which flips the parity of both its ends, or keeps it.
fn with_edge(table: &HashMap<Open, u64>, ends: u128) -> HashMap<Open, u64> {
    let mut next = HashMap::with_capacity(2 * table.len());
    for (&(open, chosen), &cost) in table {
        keep_least(&mut next, (open, chosen), cost);
        keep_least(&mut next, (open ^ ends, chosen), cost + 1);
    }
    next
}

/// Closes a square whose edges are all decided: its parity must be the required one, or else the square is t.
fn closed(table: &HashMap<Open, u64>, square: u128, odd: bool) -> HashMap<Open, u64> {
    let mut next = HashMap::with_capacity(table.len());
    for (&(open, chosen), &cost) in table {
        let fits = (open & square != 0) == odd;
        if fits || !chosen {
            keep_least(&mut next, (open & !square, chosen || !fits), cost);
        }
    }
    next
}

fn keep_least(table: &mut HashMap<Open, u64>, open: Open, cost: u64) {
    table.entry(open).and_modify(|least| *least = cost.min(*least)).or_insert(cost);
}
