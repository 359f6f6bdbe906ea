//! Why a file was not taken, or what became of it: in plain words, with the remedy.
//!
//! The same judgement serves a service that runs and a command where none does: from the configuration and from what lies
//! on the disk. What a running service alone knows comes as [`Live`].

// A file in the inbox.
mod inbox;

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;
use serde::{Deserialize, Serialize};

use crate::config::Config;
use crate::daemon::base::clock::parse_stamp;
use crate::daemon::base::job_id;
use crate::daemon::base::json_path::JsonPath;
use crate::daemon::claims::find;
use crate::daemon::fs::opened::label;
use crate::daemon::records::file_search::Search;
use crate::daemon::records::history::{self, Outcome, Query, Record};
use crate::logging::local_time::second;
use tabuleiro_jobs::naming;

/// What is known of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Explanation {
    /// Its path below the inbox.
    pub file: JsonPath,
    /// What it is now.
    pub state: State,
    /// What that means, what to do, and what became of it last; each fit for a line or more.
    pub words: Vec<String>,
}

/// Returns the path below the inbox of the file that is asked for by `below`: its own path there, where one lies there or
/// was dropped there; else that of its result below the outbox or of the archived input below the var folder.
#[must_use]
pub fn origin(search: &Search, below: &Path) -> PathBuf {
    let is_there = fs::symlink_metadata(search.inbox.join(below)).is_ok();
    if is_there || search.newest_archived(below).is_some() {
        return below.to_owned();
    }
    let led_to = |record: &Record| record.output.as_ref().is_some_and(|known| known.0 == below);
    let archived = search.archived_at(below).map(|input| input.origin);
    let origin = archived
        .or_else(|| labelled(&search.outbox.join(below)))
        .or_else(|| newest(search, led_to).0.map(|record| record.file.0));
    origin.unwrap_or_else(|| below.to_owned())
}

/// Returns the input that an output names.
fn labelled(output: &Path) -> Option<PathBuf> {
    // A link is not followed, and nobody is waited for who writes to a pipe.
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed();
    let output = File::options().read(true).custom_flags(flags).open(output).ok()?;
    naming::labelled(&label(&output).ok()??)
}

/// Explains the file at that path below the inbox. `live` is missing where no service runs.
#[must_use]
pub fn explain(search: &Search, config: &Config, live: Option<&Live>, file: &Path) -> Explanation {
    let mut words = Vec::new();
    let mut states = Vec::new();
    if let Some((state, here)) = inbox::judge(search, config, live, file) {
        states.push(state);
        words.extend(here);
    }
    let in_hand = match live {
        Some(live) => live.in_hand.clone(),
        None => left_in_hand(search, file),
    };
    states.extend(in_hand.first().map(|_| State::InHand));
    words.extend(in_hand);
    let (state, last) = last(search, file);
    states.extend(state);
    words.extend(last);
    if states.is_empty() {
        words.insert(0, unknown(search, live));
    }
    let state = states.first().copied().unwrap_or(State::Unknown);
    Explanation { file: file.into(), state, words }
}

/// Returns the newest job that somebody `wants`, and whether older ones were not looked at.
fn newest(search: &Search, wants: impl Fn(&Record) -> bool) -> (Option<Record>, bool) {
    let query = Query { limit: Some(1), deadline: search.deadline, ..Query::default() };
    let found = history::find(&search.history(), query, wants).unwrap_or_default();
    (found.records.into_iter().next(), found.is_searched_in_part)
}

/// Claims of that file that a service left when it ended.
fn left_in_hand(search: &Search, file: &Path) -> Vec<String> {
    let standing = find::standing(&search.work(), &search.tree()).unwrap_or_default();
    let ids: BTreeSet<_> =
        standing.into_iter().filter(|(_, origin)| origin == file).map(|(id, _)| id).collect();
    let words = |id: &String| {
        let since = job_id::second_of(id);
        format!(
            "in hand since {since}: the service ended before it was answered, and the next start answers it"
        )
    };
    ids.iter().map(words).collect()
}

/// Returns what became of it last: the history tells more, but the archive is the truth.
fn last(search: &Search, file: &Path) -> (Option<State>, Vec<String>) {
    let (told, is_searched_in_part) = newest(search, |record| record.file.0 == file);
    let archived = search.newest_archived(file);
    let newer = archived.filter(|archived| told.as_ref().is_none_or(|told| told.id < archived.id));
    let told = match (newer, told) {
        (Some(archived), _) => {
            let state = if archived.is_failed() { State::Rejected } else { State::Answered };
            let words = format!(
                "taken {} and {}; the history does not tell more. The input is kept: {}",
                job_id::second_of(&archived.id),
                state.name(),
                show(&search.var.join(&archived.path))
            );
            Some((state, vec![words]))
        }
        (None, told) => told.map(|record| {
            let (state, words) = tell(search, &record);
            let collision = record.collision();
            (state, std::iter::once(words).chain(record.mistakes).chain(collision).collect())
        }),
    };
    let (state, mut words) = told.map_or((None, Vec::new()), |(state, words)| (Some(state), words));
    if is_searched_in_part {
        words.push("the history is long, and its older part was not searched".to_owned());
    }
    (state, words)
}

/// A job of the history in words.
fn tell(search: &Search, record: &Record) -> (State, String) {
    let ended = parse_stamp(&record.time).map_or_else(|| record.time.clone(), second);
    let replaced = if record.replaced { ", in place of an earlier one" } else { "" };
    let output = record.output.as_ref().map_or_else(String::new, |output| place(&search.outbox, output));
    let output = format!("{output}{replaced}, by job {}", record.id);
    let kept = record
        .kept
        .as_ref()
        .map_or_else(String::new, |kept| format!(". The input is kept: {}", place(&search.var, kept)));
    match record.outcome {
        Outcome::Answered => {
            let Record { puzzles, invalid, undecided, .. } = record;
            let wrong = match (invalid, undecided) {
                (0, 0) => String::new(),
                _ => format!(", of which {invalid} invalid and {undecided} undecided"),
            };
            let ignored = match record.ignored_lines {
                0 => String::new(),
                1 => "; 1 line behind the end of the puzzles was ignored".to_owned(),
                lines => format!("; {lines} lines behind the end of the puzzles were ignored"),
            };
            let words = format!("answered {ended}: {puzzles} puzzles{wrong}{ignored}; result {output}{kept}");
            (State::Answered, words)
        }
        Outcome::Graded => {
            let words = format!("graded {ended}: {}; grade {output}{kept}", record.mark());
            (State::Graded, words)
        }
        Outcome::Rejected => {
            let reason = record.reason.as_deref().unwrap_or("no reason is known");
            let words = format!(
                "rejected {ended}: {reason}; report {output}{kept}. Mend it and drop it again, or have it \
                     tried again: tabuleiro retry {}",
                show(&record.file.0)
            );
            (State::Rejected, words)
        }
    }
}

/// A path, and whether nothing is there any more.
fn place(folder: &Path, below: &JsonPath) -> String {
    let path = folder.join(&below.0);
    let gone = if fs::symlink_metadata(&path).is_ok() { "" } else { " (no longer there)" };
    show(&path) + gone
}

fn unknown(search: &Search, live: Option<&Live>) -> String {
    let inbox = show(&search.inbox);
    let service = if live.is_some() { "" } else { ", and no service runs" };
    format!(
        "there is no such file in {inbox}, and none is known of that name{service}. Names of files are told apart by \
             upper and lower case; a file that was replaced or removed before it was taken leaves no trace"
    )
}

/// What a running service knows of a file.
#[derive(Debug, Clone, Default)]
pub struct Live {
    /// The jobs of that file in hand, the oldest first, each in words.
    pub in_hand: Vec<String>,
    /// Why nothing is taken for now.
    pub paused: Option<String>,
    /// How soon the inbox is listed, where events are not relied on or fail.
    pub listed_every: String,
    /// As many files are in hand as may be, or as may be of the file's route.
    pub is_full: bool,
    /// As many long files are in hand as may be of the file's route.
    pub is_full_of_long: bool,
    /// Nothing is taken any more.
    pub is_stopping: bool,
}

/// What a file is now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// It lies in the inbox and is left alone.
    LeftAlone,
    /// It lies in the inbox and is not complete.
    Incomplete,
    /// It lies in the inbox, complete, and is not taken yet.
    Waiting,
    /// It was taken and is not answered yet.
    InHand,
    /// It has a result.
    Answered,
    /// It has a grade.
    Graded,
    /// It has a report.
    Rejected,
    /// There is no such file, and none is known.
    Unknown,
}

impl State {
    /// Returns the state in words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::LeftAlone => "left alone",
            Self::Incomplete => "not complete",
            Self::Waiting => "waiting",
            Self::InHand => "in hand",
            Self::Answered => "answered",
            Self::Graded => "graded",
            Self::Rejected => "rejected",
            Self::Unknown => "unknown",
        }
    }
}

/// A path below the inbox, printable.
pub(super) fn show(path: &Path) -> String {
    JsonPath::from(path).printable()
}
