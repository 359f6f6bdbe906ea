//! The progress of a file on standard error, for a person who waits: how much of it is read, how many puzzles are
//! answered, how many a second.
//!
//! It is shown only on a terminal that can take a line back, only after a second, and is gone at the end. A thread
//! draws it, so that it goes on while a puzzle is hard, and the job only counts.

use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crossbeam_channel::{RecvTimeoutError, Sender, bounded};
use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::input::Place;
use crate::job::Sink;
use crate::solver::Outcome;

/// Nothing is shown of what is done sooner.
const SHOWN_AFTER: Duration = Duration::from_secs(1);
const DRAWN_EVERY: Duration = Duration::from_millis(100);
/// Colours are not used, so there is nothing that `NO_COLOR` would have to turn off.
const WITH_SIZE: &str = "{wide_bar} {bytes} of {total_bytes}, {puzzles}";
const WITHOUT_SIZE: &str = "{spinner} {bytes}, {puzzles}";

/// Counts the puzzles on their way into a sink, and shows the progress until it is dropped.
pub struct Progress<S> {
    sink: S,
    puzzles: Arc<AtomicU64>,
    _shown: Shown,
}

/// A bar that goes when this is dropped.
struct Shown {
    bar: ProgressBar,
    /// Dropping it keeps a bar from being shown that is not yet.
    _over: Sender<()>,
}

impl<S> Progress<S> {
    /// Shows `bar`, which counts the bytes that are read, when a second has passed, if that is `wanted` and standard
    /// error is such a terminal.
    pub fn new(sink: S, bar: &ProgressBar, wanted: bool) -> Self {
        let puzzles = Arc::<AtomicU64>::default();
        let (over, ended) = bounded(0);
        if wanted && io::stderr().is_terminal() {
            let (bar, puzzles) = (bar.clone(), Arc::clone(&puzzles));
            // A file is answered without a bar as well.
            let _ = std::thread::Builder::new().name("progress".to_owned()).spawn(move || {
                if ended.recv_timeout(SHOWN_AFTER) == Err(RecvTimeoutError::Timeout) {
                    show(&bar, puzzles);
                }
            });
        }
        Self { sink, puzzles, _shown: Shown { bar: bar.clone(), _over: over } }
    }

    /// The sink, the bar gone.
    pub fn into_inner(self) -> S {
        self.sink
    }
}

impl<S: Sink> Sink for Progress<S> {
    fn outcome(&mut self, number: u64, place: Place, outcome: &Outcome, wall: Duration) -> io::Result<()> {
        self.puzzles.store(number, Ordering::Relaxed);
        self.sink.outcome(number, place, outcome, wall)
    }
}

impl Drop for Shown {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// Begins to draw; it ends when the bar is finished.
fn show(bar: &ProgressBar, puzzles: Arc<AtomicU64>) {
    let template = if bar.length().is_some() { WITH_SIZE } else { WITHOUT_SIZE };
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style.with_key(
            "puzzles",
            move |state: &ProgressState, out: &mut dyn std::fmt::Write| {
                // Writing to a line in memory cannot fail.
                let _ = out.write_str(&told(puzzles.load(Ordering::Relaxed), state.elapsed()));
            },
        ));
    }
    bar.set_draw_target(ProgressDrawTarget::stderr());
    bar.enable_steady_tick(DRAWN_EVERY);
}

/// `1,234,567 puzzles, 345,678 a second`.
fn told(puzzles: u64, elapsed: Duration) -> String {
    let rate = u128::from(puzzles) * 1000 / elapsed.as_millis().max(1);
    format!("{} puzzles, {} a second", HumanCount(puzzles), HumanCount(rate as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_is_told_in_numbers_that_can_be_read() {
        assert_eq!(told(1_234_567, Duration::from_secs(2)), "1,234,567 puzzles, 617,283 a second");
    }
}
