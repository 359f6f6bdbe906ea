//! What a search gives: the longest capture, or what is proved where a limit interrupted it.

use crate::solver::Stop;

/// The longest capture found.
#[derive(Debug, Default)]
pub struct Best {
    /// How many pieces it takes.
    pub captures: u64,
    /// The squares of the capturing piece by index, the first its start; empty where nobody asked, and where
    /// there is no capture.
    pub path: Vec<usize>,
}

/// A search that a limit ended.
#[derive(Debug)]
pub struct Interrupted {
    /// The limit.
    pub stop: Stop,
    /// The longest capture found until then.
    pub best: Best,
    /// No capture is longer.
    pub at_most: u64,
}

impl Interrupted {
    /// What `stop` left: `best`, and the proof that no capture is longer than `at_most`.
    pub fn new(stop: Stop, best: Best, at_most: u64) -> Self {
        Self { stop, at_most: at_most.max(best.captures), best }
    }
}
