//! Reading the history, the newest first, without the service.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::time::Instant;

use time::{Date, OffsetDateTime, UtcOffset};

use crate::daemon::base::clock::parse_stamp;
use crate::daemon::records::history::days::{day_of, path_of};
use crate::daemon::records::history::record::Record;

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

/// Adds what is found, the newest first. False when older jobs were not looked at.
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

/// The last lines of a file, at most so many bytes of them, and whether these are all.
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

/// The days of which there is a file, the latest first.
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
