//! The section of what is kept, and for how long.

use std::time::Duration;

use super::raw::Section;

const HOUR: Duration = Duration::from_secs(3600);
/// Of 365.25 days, as durations are written.
const YEAR: Duration = Duration::from_secs(31_557_600);

/// `[retention]`: what is kept of inputs, logs and the history, by age and by size. Results are no part of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Retention {
    /// Inputs that were answered.
    pub done: Bounds,
    /// Inputs that were rejected.
    pub failed: Bounds,
    /// What became of each job.
    pub history: Bounds,
    /// Log files, beside [`Log::files_kept`](super::Log::files_kept).
    pub log: Bounds,
}

/// What is kept of a folder.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Bounds {
    /// How long a file is kept; `None`: for ever.
    pub age: Option<Duration>,
    /// How many bytes its files may have together, the oldest of them going first; `None`: any number.
    pub bytes: Option<u64>,
}

impl Bounds {
    /// Whether anything is to be removed at all.
    #[must_use]
    pub fn keep_everything(&self) -> bool {
        *self == Self::default()
    }
}

impl Retention {
    /// Whether nothing is ever removed.
    #[must_use]
    pub fn keeps_everything(&self) -> bool {
        [self.done, self.failed, self.history, self.log].iter().all(Bounds::keep_everything)
    }

    pub(super) fn read(mut section: Section<'_, '_>) -> Self {
        let mut age = |key, default| section.duration_or_none(key, default, HOUR..=100 * YEAR);
        let ages = [
            age("done_age", None),
            age("failed_age", None),
            age("history_age", Some(YEAR)),
            age("log_age", None),
        ];
        let mut bytes = |key| section.size_or_none(key, 0..=1 << 50);
        let [done, failed, log] = [bytes("done_size"), bytes("failed_size"), bytes("log_size")];
        section.finish(|_| None);
        Self {
            done: Bounds { age: ages[0], bytes: done },
            failed: Bounds { age: ages[1], bytes: failed },
            history: Bounds { age: ages[2], bytes: None },
            log: Bounds { age: ages[3], bytes: log },
        }
    }
}
