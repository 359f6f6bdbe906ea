//! The files of the history: one a day, by the day in UTC.

use std::path::{Path, PathBuf};

use time::Date;

use crate::daemon::base::clock;

/// What the names of history files end with, behind the day.
const EXTENSION: &str = ".jsonl";

/// The file of a day.
pub(super) fn path_of(folder: &Path, day: Date) -> PathBuf {
    folder.join(clock::day(day) + EXTENSION)
}

/// The day of a history file's name; `None` for any other name.
pub(super) fn day_of(name: &str) -> Option<Date> {
    clock::parse_day(name.strip_suffix(EXTENSION)?)
}
