//! The section of what is kept, and for how long.

use std::time::Duration;

use super::raw::Section;

const HOUR: Duration = Duration::from_secs(3600);
/// Of 365.25 days, as durations are written.
const YEAR: Duration = Duration::from_secs(31_557_600);

/// `[retention]`: how long inputs, logs and the history are kept; `None` is for ever. Results are no part of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Retention {
    /// Inputs that were answered.
    pub done: Option<Duration>,
    /// Inputs that were rejected.
    pub failed: Option<Duration>,
    /// What became of each job.
    pub history: Option<Duration>,
    /// Log files, beside [`Log::files_kept`](super::Log::files_kept).
    pub log: Option<Duration>,
}

impl Retention {
    /// Whether nothing is ever removed.
    #[must_use]
    pub fn keeps_everything(&self) -> bool {
        [self.done, self.failed, self.history, self.log].iter().all(Option::is_none)
    }

    pub(super) fn read(mut section: Section<'_, '_>) -> Self {
        let mut age = |key, default| section.duration_or_none(key, default, HOUR..=100 * YEAR);
        let retention = Self {
            done: age("done_age", None),
            failed: age("failed_age", None),
            history: age("history_age", Some(YEAR)),
            log: age("log_age", None),
        };
        section.finish(|_| None);
        retention
    }
}
