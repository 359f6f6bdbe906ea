//! Draws puzzles from the pool's lists and makes batches of them.

use std::fmt::{self, Write as _};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::dispatcher_thread::DispatcherState;
use crate::protocol::{Batch, PuzzleText};
use tabuleiro_jobs::{DrawnBy, List};

/// How long a worker should take for a batch.
const BATCH_TIME: Duration = Duration::from_millis(50);
const PUZZLES_MAX: usize = 512;
/// Bytes of a message reserved for its headers and for fields other than the puzzles.
const ENVELOPE_BYTES: usize = 8 * 1024;
/// Bytes of puzzles from which a batch takes no further puzzle.
const PUZZLE_BYTES_MAX: usize = 128 * 1024;

impl DispatcherState {
    /// Returns the next batch if a worker has room for it, and records it in the ledger. Messages have at most
    /// `payload_max` bytes.
    pub fn next_batch(&mut self, payload_max: usize, now: Instant) -> Option<Batch> {
        if let Some((list, index)) = self.ledger.next_suspect() {
            return match text_of(&list, index, payload_max) {
                Some(text) if self.has_room(&list) => Some(self.pack(&list, vec![(index, text)], true, now)),
                Some(_) if self.registry.capacity(list.limits.memory_bytes) > 0 => {
                    self.ledger.isolate(&list, index);
                    None
                }
                _ => {
                    self.guests.give_back(&list, [index], DrawnBy::Threads);
                    None
                }
            };
        }
        for list in self.guests.lists() {
            if now.saturating_duration_since(list.since) < self.patience || !self.has_room(&list) {
                continue;
            }
            let drawn = self.draw(&list, payload_max, now);
            if !drawn.is_empty() {
                return Some(self.pack(&list, drawn, false, now));
            }
        }
        None
    }

    fn has_room(&self, list: &List) -> bool {
        self.ledger.may_wait() && self.registry.capacity(list.limits.memory_bytes) > self.ledger.count()
    }

    /// Returns when the puzzles of the oldest list may travel.
    pub fn next_due(&self) -> Option<Instant> {
        self.guests.lists().first().map(|list| list.since + self.patience)
    }

    /// Draws puzzles that take about [`BATCH_TIME`]. Returns their indexes in the list and their texts.
    fn draw(&mut self, list: &Arc<List>, payload_max: usize, now: Instant) -> Vec<(usize, PuzzleText)> {
        let wanted = self.puzzles_of_a_batch(list, now);
        let (mut drawn, mut bytes) = (Vec::new(), 0);
        while drawn.len() < wanted && bytes < PUZZLE_BYTES_MAX {
            let Some(index) = list.draw() else { break };
            if list.is_solved(index) {
                continue;
            }
            if self.ledger.is_suspect(list, index) {
                self.ledger.isolate(list, index);
                continue;
            }
            match text_of(list, index, payload_max) {
                Some(puzzle) if bytes + puzzle.text.len() + ENVELOPE_BYTES <= payload_max => {
                    bytes += puzzle.text.len() + 16;
                    drawn.push((index, puzzle));
                }
                Some(_) => {
                    self.guests.give_back(list, [index], DrawnBy::Anybody);
                    break;
                }
                None => self.guests.give_back(list, [index], DrawnBy::Threads),
            }
        }
        drawn
    }

    /// Estimates how many puzzles fit into [`BATCH_TIME`] from the time that workers took for other puzzles of the
    /// file, or else from the rate at which the pool's threads draw puzzles.
    fn puzzles_of_a_batch(&self, list: &List, now: Instant) -> usize {
        let waited = now.saturating_duration_since(list.since);
        let here = || {
            let drawn = u32::try_from(list.drawn_here()).ok().filter(|&drawn| drawn > 0)?;
            Some(waited.saturating_mul(self.threads as u32) / drawn)
        };
        let time = list.origin.time_per_puzzle().or_else(here).unwrap_or(BATCH_TIME);
        let puzzles = BATCH_TIME.as_nanos() / time.as_nanos().max(1);
        usize::try_from(puzzles).unwrap_or(PUZZLES_MAX).clamp(1, PUZZLES_MAX)
    }

    fn pack(
        &mut self,
        list: &Arc<List>,
        drawn: Vec<(usize, PuzzleText)>,
        alone: bool,
        now: Instant,
    ) -> Batch {
        let (indexes, puzzles): (Vec<_>, Vec<_>) = drawn.into_iter().unzip();
        let number = self.ledger.send(list, indexes, alone, now);
        let (time, job_end) = list.limits.times();
        Batch {
            dispatcher: self.number,
            number,
            solver: list.origin.solver.id().to_owned(),
            file: list.origin.file.to_string(),
            options: list.origin.options.chosen(),
            time,
            job_left: job_end.map(|end| end.saturating_duration_since(now)),
            memory_bytes: list.limits.memory_bytes,
            alone,
            puzzles,
        }
    }
}

/// Returns a puzzle as text; `None` if the text is too large for a message.
fn text_of(list: &List, index: usize, payload_max: usize) -> Option<PuzzleText> {
    let (_, puzzle) = list.puzzle(index)?;
    let mut bounded = Bounded { text: String::new(), bytes_max: payload_max.saturating_sub(ENVELOPE_BYTES) };
    write!(bounded, "{puzzle}").ok()?;
    Some(PuzzleText { first_line: puzzle.first_line(), text: bounded.text })
}

/// A string that fails at a bound, so that the text of a huge puzzle costs no more than that of one that fits.
struct Bounded {
    text: String,
    bytes_max: usize,
}

impl fmt::Write for Bounded {
    fn write_str(&mut self, piece: &str) -> fmt::Result {
        if self.text.len() + piece.len() > self.bytes_max {
            return Err(fmt::Error);
        }
        self.text.push_str(piece);
        Ok(())
    }
}
