//! A parcel that is solved here and now, for whoever tries what a worker does with any bytes.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;

use super::solving::{Extent, Solved, Work};
use crate::protocol::{Answer, Parcel, decode};
use tabuleiro_jobs::Memory;
use tabuleiro_puzzles::solver::Cancel;

/// What such a parcel may take, whatever it says.
const TIME_MAX: Duration = Duration::from_millis(5);
const MEMORY_MAX: u64 = 4 << 20;
const PUZZLES_MAX: usize = 16;

/// Returns the outcomes of the puzzles of a parcel as JSON, within little time and memory, each `None` if there is none; `None` if
/// the bytes are no parcel.
#[must_use]
pub fn outcomes(bytes: &[u8]) -> Option<Vec<Option<String>>> {
    let mut parcel: Parcel = decode(bytes)?;
    parcel.puzzles.truncate(PUZZLES_MAX);
    parcel.time = Some(parcel.time.unwrap_or(TIME_MAX).min(TIME_MAX));
    parcel.memory_bytes = parcel.memory_bytes.min(MEMORY_MAX);
    let (sender, mut receiver) = mpsc::unbounded_channel();
    let extent = Arc::new(Extent::of(parcel.puzzles.len()));
    let memory = Arc::new(Memory::unlimited(1));
    Work { parcel, memory, cancel: Cancel::default(), extent, answers: sender }.solve();
    let outcome = |answer| if let Answer::Solved { outcome, .. } = answer { Some(outcome) } else { None };
    let next = || receiver.try_recv().ok().map(|Solved { answer, .. }| outcome(answer));
    Some(std::iter::from_fn(next).collect())
}
