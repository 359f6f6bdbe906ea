//! Draws puzzles from the lists and makes parcels of them.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::crew::Crew;
use super::ledger::Ledger;
use crate::protocol::{Parcel, PuzzleText};
use tabuleiro_jobs::{Guests, List, Origin};

/// What a parcel is to take.
const PARCEL_TIME: Duration = Duration::from_millis(50);
/// Puzzles in a parcel.
const PUZZLES_MAX: usize = 512;
/// Bytes of a message that its headers, and what stands around the puzzles, may take.
const ENVELOPE_BYTES: usize = 8 * 1024;
/// Bytes of puzzles in a parcel, unless a single one is larger.
const PUZZLE_BYTES_MAX: usize = 128 * 1024;

/// Makes parcels.
pub struct Packing {
    /// Where puzzles are drawn.
    pub guests: Arc<Guests>,
    /// This intake.
    pub intake: u64,
    /// The threads of the pool.
    pub threads: usize,
    /// How long a puzzle waits for them before it may travel.
    pub patience: Duration,
}

/// A parcel that is ready to be sent.
pub struct Packed {
    /// The solver's ID.
    pub solver: &'static str,
    /// What is sent.
    pub parcel: Parcel,
}

impl Packing {
    /// The next parcel, where a worker has room for it; noted in the ledger. Messages have at most `payload_max` bytes.
    pub fn next(&self, ledger: &mut Ledger, crew: &Crew, payload_max: usize, now: Instant) -> Option<Packed> {
        let under_way = ledger.count();
        let may_wait = ledger.may_wait();
        let has_room = |list: &List| may_wait && crew.seats(list.limits().memory_bytes()) > under_way;
        if crew.seats(0) == 0 {
            ledger.keep_suspects();
            return None;
        }
        if let Some((list, index)) = ledger.next_suspect() {
            return match text_of(&list, index, payload_max) {
                Some(text) if has_room(&list) => {
                    Some(self.pack(&list, vec![(index, text)], true, ledger, now))
                }
                Some(_) if crew.seats(list.limits().memory_bytes()) > 0 => {
                    ledger.isolate(&list, index);
                    None
                }
                _ => {
                    self.guests.give_back(&list, [index], true);
                    None
                }
            };
        }
        for list in self.guests.lists() {
            if now.saturating_duration_since(list.since()) < self.patience || !has_room(&list) {
                continue;
            }
            let drawn = self.draw(&list, ledger, payload_max, now);
            if !drawn.is_empty() {
                return Some(self.pack(&list, drawn, false, ledger, now));
            }
        }
        None
    }

    /// When the next list is old enough.
    pub fn next_due(&self) -> Option<Instant> {
        self.guests.lists().first().map(|list| list.since() + self.patience)
    }

    /// Draws puzzles for about [`PARCEL_TIME`], each with its text.
    fn draw(
        &self,
        list: &Arc<List>,
        ledger: &mut Ledger,
        payload_max: usize,
        now: Instant,
    ) -> Vec<(usize, PuzzleText)> {
        let wanted = list.origin().map_or(1, |origin| self.puzzles_of_a_parcel(list, origin, now));
        let (mut drawn, mut bytes) = (Vec::new(), 0);
        while drawn.len() < wanted && bytes < PUZZLE_BYTES_MAX {
            let Some(index) = list.draw() else { break };
            if list.is_solved(index) {
                continue;
            }
            if ledger.is_suspect(list, index) {
                ledger.isolate(list, index);
                continue;
            }
            match text_of(list, index, payload_max) {
                Some(puzzle) if bytes + puzzle.text.len() + ENVELOPE_BYTES <= payload_max => {
                    bytes += puzzle.text.len() + 16;
                    drawn.push((index, puzzle));
                }
                Some(_) => {
                    self.guests.give_back(list, [index], false);
                    break;
                }
                None => self.guests.give_back(list, [index], true),
            }
        }
        drawn
    }

    /// By what puzzles of the file took elsewhere; before that is known, by how fast the pool's threads draw them.
    fn puzzles_of_a_parcel(&self, list: &List, origin: &Origin, now: Instant) -> usize {
        let waited = now.saturating_duration_since(list.since());
        let here = || {
            let drawn = u32::try_from(list.drawn_here()).ok().filter(|&drawn| drawn > 0)?;
            Some(waited.saturating_mul(self.threads as u32) / drawn)
        };
        let time = origin.time_a_puzzle().or_else(here).unwrap_or(PARCEL_TIME);
        let puzzles = PARCEL_TIME.as_nanos() / time.as_nanos().max(1);
        usize::try_from(puzzles).unwrap_or(PUZZLES_MAX).clamp(1, PUZZLES_MAX)
    }

    fn pack(
        &self,
        list: &Arc<List>,
        drawn: Vec<(usize, PuzzleText)>,
        alone: bool,
        ledger: &mut Ledger,
        now: Instant,
    ) -> Packed {
        let (indexes, puzzles): (Vec<_>, Vec<_>) = drawn.into_iter().unzip();
        let number = ledger.send(list, indexes, alone, now);
        let (solver, file, options) = match list.origin() {
            Some(origin) => (origin.solver, origin.file.to_string(), origin.options.chosen()),
            None => ("", String::new(), Vec::new()),
        };
        let (time, job_end) = list.limits().times();
        let parcel = Parcel {
            intake: self.intake,
            number,
            solver: solver.to_owned(),
            file,
            options,
            time,
            job_left: job_end.map(|end| end.saturating_duration_since(now)),
            memory_bytes: list.limits().memory_bytes(),
            alone,
            puzzles,
        };
        Packed { solver, parcel }
    }
}

/// Returns a puzzle as text; `None` if that is too large for a message.
fn text_of(list: &List, index: usize, payload_max: usize) -> Option<PuzzleText> {
    let (_, puzzle) = list.puzzle(index)?;
    let text = puzzle.to_string();
    let fits = text.len() + ENVELOPE_BYTES <= payload_max;
    fits.then(|| PuzzleText { first_line: puzzle.first_line(), text })
}
