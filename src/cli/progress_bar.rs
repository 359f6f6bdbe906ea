//! The progress of a file on standard error, for a person who waits: how much of the file is answered, the number of
//! puzzles, the puzzles per second, and the puzzle that blocks the others.
//!
//! The line is shown only on a terminal, only after one second, and is removed at the end. A thread draws it, so that
//! it is updated during a hard puzzle; the job only stores counters.

use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use indicatif::{HumanBytes, HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};

use tabuleiro_jobs::Progress;

/// A job that ends sooner shows no progress.
const SHOWN_AFTER: Duration = Duration::from_secs(1);
const DRAWN_EVERY: Duration = Duration::from_millis(100);
/// The bar has no colours, so it need not obey `NO_COLOR`.
const WITH_SIZE: &str = "{wide_bar} {msg}";
const WITHOUT_SIZE: &str = "{spinner} {msg}";

/// Shows the progress of a job until this value is dropped.
pub struct ProgressLine {
    /// Hides the line while something else is written to the same terminal.
    pub bar: ProgressBar,
    /// Dropping it ends the thread that draws.
    over: Option<Sender<()>>,
    drawing: Option<JoinHandle<()>>,
}

impl ProgressLine {
    /// Shows `progress` after one second if standard error is a terminal. `bytes` counts the bytes that were read.
    pub fn begin(bytes: &ProgressBar, progress: &Arc<Progress>) -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        let (over, ended) = bounded(0);
        let drawing = io::stderr().is_terminal().then(|| {
            let (bar, bytes, progress) = (bar.clone(), bytes.clone(), Arc::clone(progress));
            let draw = move || draw(&bar, &bytes, &progress, &ended);
            std::thread::Builder::new().name("progress".to_owned()).spawn(draw)
        });
        // If the thread cannot be started, the file is answered without a bar.
        Self { bar, over: Some(over), drawing: drawing.and_then(Result::ok) }
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        drop(self.over.take());
        // Ignores a panic of the drawing thread.
        let _ = self.drawing.take().map(JoinHandle::join);
        self.bar.finish_and_clear();
    }
}

fn draw(bar: &ProgressBar, bytes: &ProgressBar, progress: &Progress, ended: &Receiver<()>) {
    let is_over = |after| ended.recv_timeout(after) != Err(RecvTimeoutError::Timeout);
    let begun = Instant::now();
    if is_over(SHOWN_AFTER) {
        return;
    }
    bar.set_length(1000);
    if let Ok(style) = ProgressStyle::with_template(bytes.length().map_or(WITHOUT_SIZE, |_| WITH_SIZE)) {
        bar.set_style(style);
    }
    bar.set_draw_target(ProgressDrawTarget::stderr());
    loop {
        if let Some(length) = bytes.length() {
            bar.set_position(progress.per_mille(bytes.position(), length));
        }
        bar.set_message(progress_text(bytes, progress, begun.elapsed()));
        bar.tick();
        if is_over(DRAWN_EVERY) {
            return;
        }
    }
}

/// Returns `1.5 MiB of 2 MiB, 1,234,567 puzzles, 345,678 a second`, or how long the current puzzle takes.
fn progress_text(bytes: &ProgressBar, progress: &Progress, elapsed: Duration) -> String {
    let puzzles = progress.answered();
    if let Some(solving) = progress.longest() {
        return format!("{} puzzles, {solving}", HumanCount(puzzles));
    }
    let of = bytes.length().map(|length| format!(" of {}", HumanBytes(length))).unwrap_or_default();
    let rate = u128::from(puzzles) * 1000 / elapsed.as_millis().max(1);
    let (read, puzzles, rate) = (HumanBytes(bytes.position()), HumanCount(puzzles), HumanCount(rate as u64));
    format!("{read}{of}, {puzzles} puzzles, {rate} a second")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_is_told_in_numbers_that_can_be_read() {
        let bytes = ProgressBar::hidden();
        bytes.set_position(3 << 20);
        let progress = Progress::default();
        assert_eq!(
            progress_text(&bytes, &progress, Duration::from_secs(2)),
            "3.00 MiB, 0 puzzles, 0 a second"
        );
        bytes.set_length(4 << 20);
        assert_eq!(
            progress_text(&bytes, &progress, Duration::ZERO),
            "3.00 MiB of 4.00 MiB, 0 puzzles, 0 a second"
        );
    }
}
