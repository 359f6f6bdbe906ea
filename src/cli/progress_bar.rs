//! The progress of a file on standard error, for a person who waits: how much of it is answered, how many puzzles, how many
//! a second, and the puzzle that everything waits for.
//!
//! It is shown only on a terminal that can take a line back, only after a second, and is gone at the end. A thread
//! draws it, so that it goes on while a puzzle is hard, and the job only counts.

use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use indicatif::{HumanBytes, HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};

use tabuleiro_jobs::Progress;

/// Nothing is shown of what is done sooner.
const SHOWN_AFTER: Duration = Duration::from_secs(1);
const DRAWN_EVERY: Duration = Duration::from_millis(100);
/// Colours are not used, so there is nothing that `NO_COLOR` would have to turn off.
const WITH_SIZE: &str = "{wide_bar} {msg}";
const WITHOUT_SIZE: &str = "{spinner} {msg}";

/// Shows how far a job is until it is dropped.
pub struct Shown {
    bar: ProgressBar,
    /// Dropping it ends the thread that draws.
    over: Option<Sender<()>>,
    drawing: Option<JoinHandle<()>>,
}

impl Shown {
    /// Shows `progress` when a second has passed, where standard error is such a terminal. `bytes` counts what is read.
    pub fn begin(bytes: &ProgressBar, progress: &Arc<Progress>) -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        let (over, ended) = bounded(0);
        let drawing = io::stderr().is_terminal().then(|| {
            let (bar, bytes, progress) = (bar.clone(), bytes.clone(), Arc::clone(progress));
            let draw = move || draw(&bar, &bytes, &progress, &ended);
            std::thread::Builder::new().name("progress".to_owned()).spawn(draw)
        });
        // A file is answered without a bar as well.
        Self { bar, over: Some(over), drawing: drawing.and_then(Result::ok) }
    }

    /// What takes the line back while something else is written to its terminal.
    pub fn bar(&self) -> &ProgressBar {
        &self.bar
    }
}

impl Drop for Shown {
    fn drop(&mut self) {
        drop(self.over.take());
        // A bar that cannot be drawn is none to wait for.
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
    if bytes.length().is_some() {
        bar.set_length(1000);
    }
    if let Ok(style) =
        ProgressStyle::with_template(if bytes.length().is_some() { WITH_SIZE } else { WITHOUT_SIZE })
    {
        bar.set_style(style);
    }
    bar.set_draw_target(ProgressDrawTarget::stderr());
    loop {
        if let Some(length) = bytes.length() {
            bar.set_position(progress.per_mille(bytes.position(), length));
        }
        bar.set_message(told(bytes, progress, begun.elapsed()));
        bar.tick();
        if is_over(DRAWN_EVERY) {
            return;
        }
    }
}

/// `1.5 MiB of 2 MiB, 1,234,567 puzzles, 345,678 a second`, or how long a puzzle takes.
fn told(bytes: &ProgressBar, progress: &Progress, elapsed: Duration) -> String {
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
        assert_eq!(told(&bytes, &progress, Duration::from_secs(2)), "3.00 MiB, 0 puzzles, 0 a second");
        bytes.set_length(4 << 20);
        assert_eq!(told(&bytes, &progress, Duration::ZERO), "3.00 MiB of 4.00 MiB, 0 puzzles, 0 a second");
    }
}
