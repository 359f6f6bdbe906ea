//! The history: one line of JSON per ended job, in one file per day (UTC), `var/history/2026-11-21.jsonl`.
//!
//! The history is for people and their programs. The files in `done` and `failed` are the truth: nothing that must
//! survive a crash depends on the history. After a group is published, its lines are appended in one write and not
//! synced. A crash can therefore lose the lines of a group or tear the last line, which readers skip.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use time::{Date, OffsetDateTime, UtcOffset};
use tracing::{info, warn};

use crate::daemon::answering::pending_publication::{Graded, Made, Stage, Unpacked};
use crate::daemon::base::clock::{self, millis, parse_stamp, stamp};
use crate::daemon::base::job_tally::OutcomeCounts;
use crate::daemon::base::json_path::JsonPath;
use crate::daemon::fs::disk::if_found;
use crate::daemon::fs::service_folders::Folders;
use crate::daemon::publishing::publisher::{End, Published};
use crate::logging::kind;
use tabuleiro_jobs::Summary;
use tabuleiro_puzzles::input::{Place, printable};
use tabuleiro_puzzles::words::Language;

/// The end of a history file's name, after the day.
const EXTENSION: &str = ".jsonl";

/// Returns the path of the file of a day.
pub(super) fn path_of(folder: &Path, day: Date) -> PathBuf {
    folder.join(clock::day(day) + EXTENSION)
}

/// Returns the day of a history file's name; `None` for any other name.
pub(super) fn day_of(name: &str) -> Option<Date> {
    clock::parse_day(name.strip_suffix(EXTENSION)?)
}

/// A job that left the publisher.
pub struct Ended {
    pub published: Published,
    /// The job's line in the history; `None` until it is made, and if the job published nothing.
    pub record: Option<Record>,
}

/// Appends to the history.
pub struct History {
    folders: Folders,
    /// Whether the last write failed. The failure is logged already. Held during a write, so that lines do not mix.
    is_failing: Mutex<bool>,
    /// Jobs whose line could not be written.
    lost: AtomicU64,
}

impl History {
    /// Creates a history that appends to the folder `history` of the service.
    pub fn new(folders: Folders) -> Self {
        Self { folders, is_failing: Mutex::default(), lost: AtomicU64::new(0) }
    }

    /// Returns how many jobs since the start have no line because it could not be written.
    pub fn lost(&self) -> u64 {
        self.lost.load(Ordering::Relaxed)
    }

    /// Makes and appends the records of a group. Lines that cannot be written are counted; the failure is logged once.
    pub fn append(&self, group: &mut [Ended]) {
        let now = clock::now();
        for job in &mut *group {
            job.record = Record::of(&job.published, &self.folders, now);
        }
        let records: Vec<_> = group.iter().filter_map(|job| job.record.as_ref()).collect();
        if records.is_empty() {
            return;
        }
        let mut is_failing = self.is_failing.lock();
        let written = write(&self.folders.history, now.date(), &records);
        let was_failing = std::mem::replace(&mut *is_failing, written.is_err());
        match written {
            Ok(()) if was_failing => info!(name: "history-works", "the history can be written again"),
            Ok(()) => {}
            Err(error) => {
                self.lost.fetch_add(records.len() as u64, Ordering::Relaxed);
                if !was_failing {
                    let folder = self.folders.history.display();
                    warn!(name: kind::NO_HISTORY.name, %folder, reason = %error, "the history cannot be written");
                }
            }
        }
    }
}

/// Appends lines to the file of a day. The file does not stay open: somebody can remove it.
pub(super) fn write(folder: &Path, day: Date, records: &[&Record]) -> io::Result<()> {
    let (mut file, is_torn) = open_day(folder, day)?;
    let mut lines = Vec::new();
    if is_torn {
        lines.push(b'\n');
    }
    for record in records {
        serde_json::to_writer(&mut lines, record)?;
        lines.push(b'\n');
    }
    file.write_all(&lines)
}

/// Opens the file of a day. Returns the file, and whether its last line is torn.
fn open_day(folder: &Path, day: Date) -> io::Result<(File, bool)> {
    match fs::create_dir(folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    let mut options = OpenOptions::new();
    options.read(true).append(true).create(true).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK);
    let mut file = options.open(path_of(folder, day))?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("the day's file is not a regular file"));
    }
    let mut last = [b'\n'];
    if file.metadata()?.len() > 0 {
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last)?;
    }
    Ok((file, last != [b'\n']))
}

/// The longest line, in bytes. Readers skip longer ones.
const LINE_BYTES_MAX: usize = 256 << 10;
/// How many bytes one search reads by default, the newest first.
const SEARCHED_BYTES_MAX: u64 = 128 << 20;

/// The limits of a search. Without any, the newest 128 MiB are searched.
#[derive(Debug, Clone, Copy, Default)]
pub struct Query {
    /// Only jobs that ended at that time or later.
    pub since: Option<OffsetDateTime>,
    /// The maximum number of jobs to return, the newest; `None` for all.
    pub limit: Option<usize>,
    /// When the search ends at the latest; `None` for no limit.
    pub deadline: Option<Instant>,
    /// The maximum number of bytes to read; `None` for 128 MiB.
    pub bytes_max: Option<u64>,
}

/// The result of a search.
#[derive(Debug, Default)]
pub struct Matches {
    /// The jobs, the newest last.
    pub records: Vec<Record>,
    /// Whether the older part of the history was not searched, for lack of time or because it is too long.
    pub is_searched_in_part: bool,
    /// How many lines are torn, or do not have the format of the history.
    pub unreadable: u64,
}

/// Searches the history for jobs for which `wants` holds, the newest first. A missing folder is an empty history.
///
/// # Errors
/// Fails if the folder cannot be listed, or one of its files cannot be read.
pub fn find(folder: &Path, query: Query, wants: impl FnMut(&Record) -> bool) -> io::Result<Matches> {
    let mut found = Matches::default();
    found.is_searched_in_part = !search(folder, query, wants, &mut found)?;
    found.records.reverse();
    Ok(found)
}

/// Adds the matching jobs to `found`, the newest first. Returns false if older jobs were not searched.
fn search(
    folder: &Path,
    query: Query,
    mut wants: impl FnMut(&Record) -> bool,
    found: &mut Matches,
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
            // Lines are ordered by time.
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

/// Returns the last lines of a file, at most `bytes_max` bytes, and whether these are all lines of the file.
fn end_of(path: &Path, bytes_max: u64) -> io::Result<(Vec<u8>, bool)> {
    let mut file = File::open(path)?;
    let begin = file.metadata()?.len().saturating_sub(bytes_max);
    file.seek(SeekFrom::Start(begin))?;
    let mut text = Vec::new();
    file.take(bytes_max).read_to_end(&mut text)?;
    if begin > 0 {
        // The first line is incomplete.
        let end = text.iter().position(|byte| *byte == b'\n').unwrap_or(text.len());
        text.drain(..end);
    }
    Ok((text, begin == 0))
}

/// Returns the days that have a file, the latest first.
fn days(folder: &Path) -> io::Result<Vec<Date>> {
    let mut days = Vec::new();
    for entry in if_found(fs::read_dir(folder))?.into_iter().flatten() {
        days.extend(entry?.file_name().to_str().and_then(day_of));
    }
    days.sort_unstable();
    days.reverse();
    Ok(days)
}

/// The maximum length of a reason or a mistake, in bytes; longer ones are cut.
const REASON_BYTES_MAX: usize = 1024;
/// The maximum number of mistakes in a record; the others are counted.
const MISTAKES_MAX: usize = 3;

/// A job that ended with an output. The field names are those of the history's lines, so they must not change.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// When the job ended: RFC 3339 in UTC.
    pub time: String,
    /// The job's ID, which contains the time when the file was taken.
    pub id: String,
    /// The file's path below the inbox.
    pub file: JsonPath,
    /// The route that took the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub route: Option<String>,
    /// The solver that answered the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solver: Option<String>,
    /// How the job ended.
    pub outcome: Outcome,
    /// Puzzles in the file, whatever their verdict.
    #[serde(default)]
    pub puzzles: u64,
    /// Puzzles that are invalid.
    #[serde(default)]
    pub invalid: u64,
    /// Puzzles that a limit ended.
    #[serde(default)]
    pub undecided: u64,
    /// Lines after the end of the puzzles, which were ignored.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub ignored_lines: u64,
    /// The first invalid puzzles and rejected members, one line each, in English. A further line counts the others. The
    /// first warnings follow.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mistakes: Vec<String>,
    /// The first answers, as in the log.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answers: Option<String>,
    /// The points earned and the maximum, if the file was graded: `37/40`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points: Option<String>,
    /// The verdict of the grade.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<String>,
    /// The first puzzle whose answer is not right.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_wrong: Option<u64>,
    /// The student whose submission the file is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub student: Option<String>,
    /// The rule that the file broke, if it was rejected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// Why the file was rejected, in English.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The reason in the language of the report, if that is not English.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub told: Option<String>,
    /// Time from noticing the file to starting on it, in milliseconds.
    #[serde(default)]
    pub waited_ms: f64,
    /// Time for reading and parsing, in milliseconds.
    #[serde(default)]
    pub parse_ms: f64,
    /// Time for solving, in milliseconds.
    #[serde(default)]
    pub solve_ms: f64,
    /// Time for publishing, including the wait for the group, in milliseconds.
    #[serde(default)]
    pub publish_ms: f64,
    /// Bytes of input read.
    #[serde(default)]
    pub bytes: u64,
    /// The result's or the report's path below the outbox.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<JsonPath>,
    /// The paths of the job's other outputs, below the outbox.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub beside: Vec<JsonPath>,
    /// Whether the page of the service omits the job: it is a grade, or only the owner may read its outputs.
    #[serde(default, rename = "private", skip_serializing_if = "std::ops::Not::not")]
    pub is_private: bool,
    /// Whether an earlier output of the same input was replaced.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub replaced: bool,
    /// The plain name of the output, below the outbox, if something else has that name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name_taken: Option<JsonPath>,
    /// The input, below the inbox, whose output has that name, if it is an output.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub taken_by: Option<JsonPath>,
    /// Where the input is kept, below the var folder: `done/…` or `failed/…`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kept: Option<JsonPath>,
}

/// How a job ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// With a result.
    #[default]
    Answered,
    /// With a grade.
    Graded,
    /// With a report.
    Rejected,
}

impl Record {
    /// Returns the record of a job that ended at `time`; `None` if the job published nothing.
    pub fn of(published: &Published, folders: &Folders, time: OffsetDateTime) -> Option<Self> {
        let pending = &published.pending;
        let (End::Published, Stage::Named(outputs)) = (&published.end, &pending.stage) else { return None };
        let mut outputs = outputs.iter().map(|path| path.as_path().into());
        let collision = pending.collision.as_ref();
        let mut record = Self {
            time: stamp(time),
            id: pending.claim.id.clone(),
            file: pending.claim.origin.as_path().into(),
            route: pending.route.clone(),
            outcome: Outcome::Rejected,
            waited_ms: millis(pending.waited),
            publish_ms: millis(published.took),
            output: outputs.next(),
            beside: outputs.collect(),
            is_private: pending.is_private,
            replaced: pending.replaced,
            name_taken: collision.map(|collision| collision.name.as_path().into()),
            taken_by: collision.and_then(|collision| Some(collision.input.as_deref()?.into())),
            kept: published.archived.as_deref().and_then(|path| below_var(path, folders)),
            ..Self::default()
        };
        match &pending.made {
            Made::Results { solver, summary, .. } => {
                record.outcome = Outcome::Answered;
                record.solver = Some((*solver).to_owned());
                (record.puzzles, record.bytes) = (summary.puzzles, summary.bytes);
                (record.invalid, record.undecided) = (summary.invalid, summary.undecided);
                record.ignored_lines = summary.ignored.as_ref().map_or(0, |ignored| ignored.lines);
                record.mistakes = first_mistakes(problems_of(summary), summary.mistakes.entries);
                record.mistakes.extend(warnings_of(summary));
                record.answers = Some(summary.answers());
                (record.parse_ms, record.solve_ms) = (millis(summary.parse), millis(summary.solve));
            }
            Made::Grade(graded) => {
                let Graded { solver, grade, student, bytes, .. } = &**graded;
                (record.outcome, record.is_private) = (Outcome::Graded, true);
                record.solver = Some((*solver).to_owned());
                (record.puzzles, record.bytes) = (grade.puzzles, *bytes);
                (record.points, record.first_wrong) = (Some(grade.share()), grade.first_wrong());
                (record.verdict, record.student) = (Some(grade.name().to_owned()), student.clone());
            }
            Made::Archive(unpacked) => {
                let Unpacked {
                    members, graded, rejected, puzzles, invalid, undecided, mistakes, bytes, ..
                } = **unpacked;
                record.outcome = Outcome::Answered;
                record.is_private |= graded > 0;
                (record.puzzles, record.bytes) = (puzzles, bytes);
                (record.invalid, record.undecided) = (invalid, undecided);
                let answered = unpacked.answered();
                let answers =
                    format!("{members} members: {answered} answered, {graded} graded, {rejected} rejected");
                record.answers = Some(answers);
                let reasons = unpacked.reasons.iter().map(|(member, why)| format!("{member}: {why}"));
                let problems = unpacked.noteworthy.iter().flat_map(|(member, summary)| {
                    problems_of(summary).map(move |problem| format!("{member}: {problem}"))
                });
                record.mistakes = first_mistakes(reasons.chain(problems), rejected + mistakes);
                record.solve_ms = millis(unpacked.took);
            }
            Made::Rejected(rejection) => {
                record.rule = Some(rejection.rule().to_owned());
                let shown = |reason: String| Some(printable(reason.as_bytes(), REASON_BYTES_MAX));
                record.reason = shown(rejection.to_string());
                let language = pending.language.get();
                if language != Language::English {
                    record.told = shown(rejection.say(language));
                }
            }
            Made::PutBack(_) | Made::Waits(_) | Made::Failed(_) => return None,
        }
        Some(record)
    }

    /// Counts the job.
    pub fn count_in(&self, counts: &mut OutcomeCounts) {
        match self.outcome {
            Outcome::Answered => {
                counts.answered += 1;
                counts.undecided += u64::from(self.undecided > 0);
                counts.invalid += u64::from(self.invalid > 0);
                counts.puzzles += self.puzzles;
            }
            Outcome::Graded => counts.graded += 1,
            Outcome::Rejected => counts.rejected += 1,
        }
    }

    /// Returns the outputs' paths below the outbox, in the order in which people look for them.
    pub fn outputs(&self) -> impl Iterator<Item = &Path> {
        self.output.iter().chain(&self.beside).map(|path| path.0.as_path())
    }

    /// Returns the grade in a few words: `37/40, wrong-answer, first at puzzle 7`.
    pub fn mark(&self) -> String {
        let first = self.first_wrong.map_or_else(String::new, |puzzle| format!(", first at puzzle {puzzle}"));
        let [points, verdict] = [&self.points, &self.verdict].map(|text| text.as_deref().unwrap_or("?"));
        format!("{points}, {verdict}{first}")
    }

    /// Returns why the output does not have its plain name: `a.saida.txt is the result of a; this one is
    /// a.saida.20261121T….txt`.
    pub fn collision(&self) -> Option<String> {
        let (name, output) = (self.name_taken.as_ref()?.printable(), self.output.as_ref()?.printable());
        let kind = match self.outcome {
            Outcome::Answered => "result",
            Outcome::Graded => "grade",
            Outcome::Rejected => "report",
        };
        let whose = match &self.taken_by {
            Some(input) => format!("the {kind} of {}", input.printable()),
            None => "somebody else's".to_owned(),
        };
        Some(format!("{name} is {whose}; this one is {output}"))
    }
}

/// Returns the invalid puzzles that a summary kept, one line each.
fn problems_of(summary: &Summary) -> impl Iterator<Item = String> {
    summary.mistakes.shown.iter().map(|(puzzle, problem)| {
        let Place { line, column } = problem.place;
        let what = problem.say(Language::English);
        match puzzle {
            Some(puzzle) => format!("puzzle {puzzle} (line {line}, column {column}): {what}"),
            None => format!("line {line}, column {column}: {what}"),
        }
    })
}

/// Returns the first warnings that the result contains, one line each.
fn warnings_of(summary: &Summary) -> impl Iterator<Item = String> {
    let warnings = summary.warnings.iter().filter(|warning| warning.is_in_result).take(MISTAKES_MAX);
    warnings.map(|warning| printable(format!("warning: {}", warning.what).as_bytes(), REASON_BYTES_MAX))
}

/// Returns the first of `count` mistakes, and a last line that counts the others.
fn first_mistakes(mistakes: impl Iterator<Item = String>, count: u64) -> Vec<String> {
    let shown = mistakes.take(MISTAKES_MAX).map(|mistake| printable(mistake.as_bytes(), REASON_BYTES_MAX));
    let mut lines: Vec<_> = shown.collect();
    let more = count - lines.len() as u64;
    lines.extend((more > 0).then(|| format!("and {more} more")));
    lines
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// Returns the path of an archived input below the var folder.
fn below_var(path: &Path, folders: &Folders) -> Option<JsonPath> {
    let below = |root: &Path, name: &str| Some(Path::new(name).join(path.strip_prefix(root).ok()?));
    below(&folders.done, "done").or_else(|| below(&folders.failed, "failed")).map(JsonPath)
}

#[cfg(test)]
mod tests;
