//! The history: a line of JSON for every job that ended, in a file a day, `var/history/2026-11-21.jsonl`, by the day in UTC.
//!
//! It is written for people and their programs, not for the service: the files in `done` and `failed` are the truth, and
//! nothing that must survive a crash depends on it. Lines are appended in one write a group, after the group was
//! published, and are not synced. So a crash may cost the lines of a group or tear the last one, which readers pass over.

// What a line says.
mod record;

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use parking_lot::Mutex;
use time::{Date, OffsetDateTime, UtcOffset};
use tracing::{info, warn};

use crate::daemon::base::clock::{self, parse_stamp};
use crate::daemon::fs::service_folders::Folders;
use crate::daemon::publishing::publisher::Published;
use crate::logging::kind;

pub use record::{Outcome, Record};

/// What the names of history files end with, behind the day.
const EXTENSION: &str = ".jsonl";

/// Returns the file of a day.
pub(super) fn path_of(folder: &Path, day: Date) -> PathBuf {
    folder.join(clock::day(day) + EXTENSION)
}

/// Returns the day of a history file's name; `None` for any other name.
pub(super) fn day_of(name: &str) -> Option<Date> {
    clock::parse_day(name.strip_suffix(EXTENSION)?)
}

/// Appends to the history.
#[derive(Debug)]
pub struct History {
    folders: Folders,
    open: Mutex<Open>,
    /// Jobs whose line could not be written.
    lost: AtomicU64,
}

#[derive(Debug, Default)]
pub(super) struct Open {
    file: Option<(Date, File)>,
    /// The file may not end with a whole line.
    torn: bool,
    /// The last try to write failed, which was said.
    failing: bool,
}

impl History {
    /// Makes a history in the folder `history` of the service.
    #[must_use]
    pub fn new(folders: Folders) -> Self {
        Self { folders, open: Mutex::default(), lost: AtomicU64::new(0) }
    }

    /// Jobs whose line could not be written since the start.
    #[must_use]
    pub fn lost(&self) -> u64 {
        self.lost.load(Ordering::Relaxed)
    }

    /// Appends the jobs of a group that ended with a result or a report. What cannot be written is counted, and said
    /// once.
    pub fn append(&self, group: &[Published]) {
        let now = clock::now();
        let records: Vec<_> =
            group.iter().filter_map(|published| Record::of(published, &self.folders, now)).collect();
        if records.is_empty() {
            return;
        }
        let mut open = self.open.lock();
        match write(&mut open, &self.folders.history, now.date(), &records) {
            Ok(()) if open.failing => {
                open.failing = false;
                info!("the history can be written again");
            }
            Ok(()) => {}
            Err(error) => {
                self.lost.fetch_add(records.len() as u64, Ordering::Relaxed);
                if !open.failing {
                    let folder = self.folders.history.display();
                    warn!(name: kind::NO_HISTORY.name, "the history in {folder} cannot be written, jobs go on without: {error}");
                }
                *open = Open { failing: true, ..Open::default() };
            }
        }
    }
}

pub(super) fn write(open: &mut Open, folder: &Path, day: Date, records: &[Record]) -> io::Result<()> {
    // A file that somebody removed would swallow everything until midnight.
    let is_current =
        |(of, file): &(Date, File)| *of == day && file.metadata().is_ok_and(|found| found.nlink() > 0);
    if !open.file.as_ref().is_some_and(is_current) {
        let (file, torn) = open_day(folder, day)?;
        (open.file, open.torn) = (Some((day, file)), torn);
    }
    let Some((_, file)) = &mut open.file else { return Ok(()) };
    let mut lines = Vec::new();
    if open.torn {
        lines.push(b'\n');
    }
    for record in records {
        serde_json::to_writer(&mut lines, record)?;
        lines.push(b'\n');
    }
    file.write_all(&lines)?;
    open.torn = false;
    Ok(())
}

/// Opens the file of a day, and says whether its last line is torn.
fn open_day(folder: &Path, day: Date) -> io::Result<(File, bool)> {
    match fs::create_dir(folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    let mut options = OpenOptions::new();
    options.read(true).append(true).create(true).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK);
    let mut file = options.open(path_of(folder, day))?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("the day's file is no regular file"));
    }
    let mut last = [b'\n'];
    if file.metadata()?.len() > 0 {
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last)?;
    }
    Ok((file, last != [b'\n']))
}

/// The longest line; one that is longer is passed over.
const LINE_BYTES_MAX: usize = 256 << 10;
/// Read for one question, the newest first.
const SEARCHED_BYTES_MAX: u64 = 128 << 20;

/// Where and how long the history is searched; with nothing set, all of it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Query {
    /// Jobs that ended at that time or later.
    pub since: Option<OffsetDateTime>,
    /// The newest so many; `None`: all.
    pub limit: Option<usize>,
    /// When the search ends, however far it came; `None`: it may take its time.
    pub deadline: Option<Instant>,
    /// Bytes that are read at most; `None`: as many as for any question.
    pub bytes_max: Option<u64>,
}

/// What was found.
#[derive(Debug, Default)]
pub struct Found {
    /// The jobs, the newest last.
    pub records: Vec<Record>,
    /// The history is so long, or there was so little time, that its older part was not searched.
    pub is_searched_in_part: bool,
    /// Lines that are torn or none of the history's.
    pub unreadable: u64,
}

/// Searches the history for jobs that somebody `wants`, the newest day and line first. A folder that is missing is an empty
/// history.
///
/// # Errors
/// Those of listing the folder and reading its files.
pub fn find(folder: &Path, query: Query, wants: impl FnMut(&Record) -> bool) -> io::Result<Found> {
    let mut found = Found::default();
    found.is_searched_in_part = !search(folder, query, wants, &mut found)?;
    found.records.reverse();
    Ok(found)
}

/// Adds what is found, the newest first. Returns false if older jobs were not looked at.
fn search(
    folder: &Path,
    query: Query,
    mut wants: impl FnMut(&Record) -> bool,
    found: &mut Found,
) -> io::Result<bool> {
    let Query { since, limit, deadline, bytes_max } = query;
    let mut left = bytes_max.unwrap_or(SEARCHED_BYTES_MAX);
    for day in days(folder)? {
        if since.is_some_and(|since| day < since.to_offset(UtcOffset::UTC).date()) {
            break;
        }
        let (text, is_whole) = end_of(&path_of(folder, day), left)?;
        left -= text.len() as u64;
        let lines = text.rsplit(|byte| *byte == b'\n');
        for line in lines.filter(|line| (1..=LINE_BYTES_MAX).contains(&line.len())) {
            let Ok(record) = serde_json::from_slice::<Record>(line) else {
                found.unreadable += 1;
                continue;
            };
            // Lines stand in the order of their times.
            if since.is_some_and(|since| parse_stamp(&record.time).is_some_and(|time| time < since)) {
                return Ok(true);
            }
            if wants(&record) {
                found.records.push(record);
                if limit.is_some_and(|limit| found.records.len() >= limit) {
                    return Ok(true);
                }
            }
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                return Ok(false);
            }
        }
        if !is_whole {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Returns the last lines of a file, at most so many bytes of them, and whether these are all.
fn end_of(path: &Path, bytes_max: u64) -> io::Result<(Vec<u8>, bool)> {
    let mut file = File::open(path)?;
    let begin = file.metadata()?.len().saturating_sub(bytes_max);
    file.seek(SeekFrom::Start(begin))?;
    let mut text = Vec::new();
    file.take(bytes_max).read_to_end(&mut text)?;
    if begin > 0 {
        // The first line is part of one.
        let end = text.iter().position(|byte| *byte == b'\n').unwrap_or(text.len());
        text.drain(..end);
    }
    Ok((text, begin == 0))
}

/// Returns the days of which there is a file, the latest first.
fn days(folder: &Path) -> io::Result<Vec<Date>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut days = Vec::new();
    for entry in entries {
        days.extend(entry?.file_name().to_str().and_then(day_of));
    }
    days.sort_unstable();
    days.reverse();
    Ok(days)
}

#[cfg(test)]
mod tests;
