//! The progress of a file on standard error, for a person who waits: how much of it is read, how many puzzles are
//! answered, how many a second.
//!
//! It is shown only on a terminal that can take a line back, only after a second, and is gone at the end.
//! A thread of its own draws it, so that it goes on while a puzzle is hard, and the job only counts.

use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::input::Place;
use crate::job::Sink;
use crate::solver::Outcome;

/// Nothing is shown of what is done sooner.
const SHOWN_AFTER: Duration = Duration::from_secs(1);
const DRAWN_EVERY: Duration = Duration::from_millis(100);
/// Colours are not used, so there is nothing that `NO_COLOR` would have to turn off.
const WITH_SIZE: &str = "{wide_bar} {bytes} of {total_bytes}, {msg}";
const WITHOUT_SIZE: &str = "{spinner} {bytes}, {msg}";

/// Shows the progress until it is dropped.
pub struct Progress {
    counts: Arc<Counts>,
    /// Dropping it ends the drawing.
    over: Option<Sender<()>>,
    drawing: Option<JoinHandle<()>>,
}

/// What there is to show.
struct Counts {
    bytes_read: Arc<AtomicU64>,
    bytes: Option<u64>,
    puzzles: AtomicU64,
    started: Instant,
}

impl Progress {
    /// Begins to count, and to show it if `wanted` and standard error is such a terminal. `bytes_read` is counted
    /// by whoever reads, `bytes` is the size where it is known.
    pub fn start(wanted: bool, bytes_read: Arc<AtomicU64>, bytes: Option<u64>) -> Self {
        let counts =
            Arc::new(Counts { bytes_read, bytes, puzzles: AtomicU64::new(0), started: Instant::now() });
        let mut progress = Self { counts, over: None, drawing: None };
        if wanted && io::stderr().is_terminal() && !is_dumb(std::env::var_os("TERM").as_deref()) {
            let (over, ended) = bounded(0);
            let counts = Arc::clone(&progress.counts);
            let drawing = std::thread::Builder::new().name("progress".to_owned());
            // A file is answered without a bar as well.
            progress.drawing = drawing.spawn(move || draw(&counts, &ended)).ok();
            progress.over = Some(over);
        }
        progress
    }

    /// A sink that counts what goes into `sink`.
    pub fn counting<S: Sink>(&self, sink: S) -> Counting<'_, S> {
        Counting { counts: &self.counts, sink }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        drop(self.over.take());
        if let Some(drawing) = self.drawing.take() {
            // If it panicked, there is no bar to take back.
            let _ = drawing.join();
        }
    }
}

/// Counts the puzzles on their way.
pub struct Counting<'a, S> {
    counts: &'a Counts,
    sink: S,
}

impl<S: Sink> Sink for Counting<'_, S> {
    fn outcome(&mut self, number: u64, place: Place, outcome: &Outcome, wall: Duration) -> io::Result<()> {
        self.counts.puzzles.store(number, Ordering::Relaxed);
        self.sink.outcome(number, place, outcome, wall)
    }
}

/// Whether a terminal of that kind cannot take a line back.
fn is_dumb(term: Option<&std::ffi::OsStr>) -> bool {
    term.is_none_or(|term| term.is_empty() || term == "dumb")
}

/// Draws until the sender is gone.
fn draw(counts: &Counts, ended: &Receiver<()>) {
    if ended.recv_timeout(SHOWN_AFTER) != Err(RecvTimeoutError::Timeout) {
        return;
    }
    let bar = ProgressBar::with_draw_target(counts.bytes, ProgressDrawTarget::stderr());
    let template = if counts.bytes.is_some() { WITH_SIZE } else { WITHOUT_SIZE };
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    loop {
        bar.set_message(counts.message());
        bar.set_position(counts.bytes_read.load(Ordering::Relaxed));
        bar.tick();
        if ended.recv_timeout(DRAWN_EVERY) != Err(RecvTimeoutError::Timeout) {
            break;
        }
    }
    bar.finish_and_clear();
}

impl Counts {
    /// `1,234,567 puzzles, 345,678 a second`.
    fn message(&self) -> String {
        let puzzles = self.puzzles.load(Ordering::Relaxed);
        let rate = u128::from(puzzles) * 1000 / self.started.elapsed().as_millis().max(1);
        format!("{} puzzles, {} a second", HumanCount(puzzles), HumanCount(rate as u64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_without_a_name_is_dumb() {
        assert!(is_dumb(None) && is_dumb(Some("".as_ref())) && is_dumb(Some("dumb".as_ref())));
        assert!(!is_dumb(Some("xterm-256color".as_ref())));
    }

    #[test]
    fn progress_is_told_in_numbers_that_can_be_read() {
        let progress = Progress::start(false, Arc::default(), None);
        progress.counts.puzzles.store(1_234_567, Ordering::Relaxed);
        let message = progress.counts.message();
        assert!(message.starts_with("1,234,567 puzzles, ") && message.ends_with(" a second"), "{message}");
    }
}
