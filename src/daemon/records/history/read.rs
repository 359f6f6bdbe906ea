//! Reading the history, the newest first, without the service.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

use time::{Date, OffsetDateTime, UtcOffset};

use crate::daemon::base::clock::parse_stamp;
use crate::daemon::base::tally::NO_ROUTE;
use crate::daemon::records::history::days::{day_of, path_of};
use crate::daemon::records::history::record::{Outcome, Record};

/// The longest line; one that is longer is passed over.
const LINE_BYTES_MAX: usize = 256 << 10;
/// Read for one question, the newest first.
const SEARCHED_BYTES_MAX: u64 = 128 << 20;

/// Which jobs are wanted; with nothing set, all.
#[derive(Debug, Clone, Default)]
pub struct Query {
    /// Those that were rejected; with `undecided` too, those of either kind.
    pub failed: bool,
    /// Those with an undecided puzzle.
    pub undecided: bool,
    /// Those that ended at that time or later.
    pub since: Option<OffsetDateTime>,
    /// Those of the route of that name; `none` for those without.
    pub route: Option<String>,
    /// Those of the file at that path below the inbox.
    pub file: Option<PathBuf>,
    /// Those that led to the result or report at that path below the outbox.
    pub output: Option<PathBuf>,
    /// The newest so many; `None`: all.
    pub limit: Option<usize>,
    /// When the search ends, however far it came; `None`: it may take its time.
    pub deadline: Option<Instant>,
}

/// What was found.
#[derive(Debug, Default)]
pub struct Found {
    /// The jobs, the newest last.
    pub records: Vec<Record>,
    /// There are older ones beyond the limit.
    pub is_cut: bool,
    /// The history is so long, or there was so little time, that its older part was not searched.
    pub is_searched_in_part: bool,
    /// Lines that are torn or none of the history's.
    pub unreadable: u64,
}

impl Query {
    fn wants(&self, record: &Record) -> bool {
        let rejected = record.outcome == Outcome::Rejected;
        let kind = match (self.failed, self.undecided) {
            (false, false) => true,
            (failed, undecided) => failed && rejected || undecided && record.undecided > 0,
        };
        let is =
            |wanted: &Option<String>, found: &str| wanted.as_deref().is_none_or(|wanted| wanted == found);
        kind && is(&self.route, record.route.as_deref().unwrap_or(NO_ROUTE))
            && self
                .output
                .as_ref()
                .is_none_or(|output| record.output.as_ref().is_some_and(|known| known.0 == *output))
            && self.file.as_ref().is_none_or(|file| *file == record.file.0)
    }
}

/// Searches the history, the newest day and line first. A folder that is missing is an empty history.
///
/// # Errors
/// Those of listing the folder and reading its files.
pub fn find(folder: &Path, query: &Query) -> io::Result<Found> {
    let mut found = Found::default();
    let visited = visit(folder, query.since, query.deadline, |record| {
        if query.wants(&record) {
            if query.limit.is_some_and(|limit| found.records.len() >= limit) {
                found.is_cut = true;
                return ControlFlow::Break(());
            }
            found.records.push(record);
        }
        ControlFlow::Continue(())
    })?;
    found.is_searched_in_part = visited.is_cut;
    found.unreadable = visited.unreadable;
    found.records.reverse();
    Ok(found)
}

/// The newest job that is wanted, and how far the search came. Whether there are older ones is not looked for, so this ends
/// with the first hit.
///
/// # Errors
/// As [`find`].
pub fn newest(folder: &Path, query: &Query) -> io::Result<(Option<Record>, Visited)> {
    let mut newest = None;
    let visited = visit(folder, query.since, query.deadline, |record| {
        if !query.wants(&record) {
            return ControlFlow::Continue(());
        }
        newest = Some(record);
        ControlFlow::Break(())
    })?;
    Ok((newest, visited))
}

/// How far a search came.
#[derive(Debug, Default)]
pub struct Visited {
    /// It ended early: older jobs were not looked at.
    pub is_cut: bool,
    /// Lines that are torn or none of the history's.
    pub unreadable: u64,
}

/// Shows the jobs that ended at `since` or later, the newest first, until told to stop or the deadline has come.
///
/// # Errors
/// As [`find`].
pub fn visit(
    folder: &Path,
    since: Option<OffsetDateTime>,
    deadline: Option<Instant>,
    mut see: impl FnMut(Record) -> ControlFlow<()>,
) -> io::Result<Visited> {
    let mut visited = Visited::default();
    let mut left = SEARCHED_BYTES_MAX;
    let is_late = || deadline.is_some_and(|deadline| Instant::now() >= deadline);
    for day in days(folder)? {
        if since.is_some_and(|since| day < since.to_offset(UtcOffset::UTC).date()) {
            break;
        }
        let (text, is_whole) = end_of(&path_of(folder, day), left)?;
        left -= text.len() as u64;
        let lines = text.rsplit(|byte| *byte == b'\n');
        for line in lines.filter(|line| (1..=LINE_BYTES_MAX).contains(&line.len())) {
            let Ok(record) = serde_json::from_slice::<Record>(line) else {
                visited.unreadable += 1;
                continue;
            };
            // Lines stand in the order of their times.
            if since.is_some_and(|since| parse_stamp(&record.time).is_some_and(|time| time < since)) {
                return Ok(visited);
            }
            if see(record).is_break() {
                return Ok(visited);
            }
            if is_late() {
                visited.is_cut = true;
                return Ok(visited);
            }
        }
        if !is_whole {
            visited.is_cut = true;
            return Ok(visited);
        }
    }
    Ok(visited)
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
