//! Explains why a file was not taken, or what became of it, with the remedy.
//!
//! The explanation comes from the configuration and the disk, so it is the same with and without a running service.
//! [`Live`] holds what only a running service knows.

use std::collections::BTreeSet;
use std::fs::{self, File, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use rustix::fs::CWD;
use serde::{Deserialize, Serialize};

use crate::config::Config;
use crate::daemon::answering::fair::Length;
use crate::daemon::base::clock::parse_stamp;
use crate::daemon::base::job_id;
use crate::daemon::base::json_path::{JsonPath, show};
use crate::daemon::claims::find;
use crate::daemon::fs::access;
use crate::daemon::fs::disk::Disk;
use crate::daemon::fs::os::{Mount, Writers, writers};
use crate::daemon::fs::service_folders::is_own;
use crate::daemon::intake::judging::{Quiet, folder_message, judge_folder, kind_message};
use crate::daemon::records::file_search::Search;
use crate::daemon::records::history::{self, Outcome, Query, Record};
use crate::logging::local_time::second;
use tabuleiro_jobs::archive::is_zip;
use tabuleiro_jobs::naming;

/// What became of a file, or what it waits for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Explanation {
    /// The file's path below the inbox.
    pub file: JsonPath,
    /// The file's current state.
    pub state: FileState,
    /// What the state means, what to do, and how the last job ended: one text per item.
    pub words: Vec<String>,
}

/// Returns the path below the inbox of the file that a client means by `below`. If a file lies or was dropped at
/// `below`, that is `below` itself. Otherwise `below` can be the path of its archived input below the var folder, or of
/// its result below the outbox.
pub fn origin(search: &Search, below: &Path) -> PathBuf {
    let is_there = fs::symlink_metadata(search.inbox.join(below)).is_ok();
    if is_there || search.newest_archived(below).is_some() {
        return below.to_owned();
    }
    let led_to = |record: &Record| record.output.as_ref().is_some_and(|known| known.0 == below);
    let archived = search.archived_at(below).map(|input| input.origin);
    let origin = archived
        .or_else(|| naming::labelled(&search.tree().label(&search.outbox.join(below)).ok()??))
        .or_else(|| newest(search, led_to).0.map(|record| record.file.0));
    origin.unwrap_or_else(|| below.to_owned())
}

/// Explains the state of `file`, a path below the inbox. `live` is `None` if no service runs.
pub fn explain(search: &Search, config: &Config, live: Option<&Live>, file: &Path) -> Explanation {
    let (mut states, mut words) = (Vec::new(), Vec::new());
    if let Some((state, here)) = judge(search, config, live, file) {
        states.push(state);
        words.extend(here);
    }
    let in_hand = match live {
        Some(live) => live.in_hand.clone(),
        None => left_in_hand(search, file),
    };
    states.extend(in_hand.first().map(|_| FileState::InHand));
    words.extend(in_hand);
    states.extend(last(search, file, &mut words));
    if states.is_empty() {
        words.insert(0, unknown(search, live));
    }
    let state = states.first().copied().unwrap_or(FileState::Unknown);
    Explanation { file: file.into(), state, words }
}

/// Returns the newest job for which `wants` holds, and whether the search ended before the oldest job.
fn newest(search: &Search, wants: impl Fn(&Record) -> bool) -> (Option<Record>, bool) {
    let query = Query { limit: Some(1), deadline: search.deadline, ..Query::default() };
    let found = history::find(&search.history(), query, wants).unwrap_or_default();
    (found.records.into_iter().next(), found.is_searched_in_part)
}

/// Describes the claims of `file` that a service left when it ended.
fn left_in_hand(search: &Search, file: &Path) -> Vec<String> {
    let claimed = find::claimed_paths(&search.work(), &search.tree()).unwrap_or_default();
    let ids: BTreeSet<_> = claimed.iter().filter(|(_, origin)| *origin == file).map(|(id, _)| id).collect();
    let ended = "the service ended before it was answered, and the next start answers it";
    ids.into_iter().map(|id| format!("in hand since {}: {ended}", job_id::second_of(id))).collect()
}

/// Adds to `words` how the last job of `file` ended. The history has the details, but only the archive is reliable.
fn last(search: &Search, file: &Path, words: &mut Vec<String>) -> Option<FileState> {
    let (record, is_searched_in_part) = newest(search, |record| record.file.0 == file);
    let archived = search.newest_archived(file);
    let newer = archived.filter(|archived| record.as_ref().is_none_or(|record| record.id < archived.id));
    let mut state = None;
    if let Some(archived) = newer {
        let ended = if archived.is_failed() { FileState::Rejected } else { FileState::Answered };
        let (since, kept) = (job_id::second_of(&archived.id), show(&search.var.join(&archived.path)));
        let taken = format!("taken {since} and {}; the history has no more about it", ended.name());
        words.push(format!("{taken}. The input is kept: {kept}"));
        state = Some(ended);
    } else if let Some(record) = record {
        let (ended, text) = describe(search, &record);
        words.push(text);
        let collision = record.collision();
        words.extend(record.mistakes.into_iter().chain(collision));
        state = Some(ended);
    }
    if is_searched_in_part {
        words.push("the history is long, and its older part was not searched".to_owned());
    }
    state
}

/// Describes a job of the history.
fn describe(search: &Search, record: &Record) -> (FileState, String) {
    let ended = parse_stamp(&record.time).map_or_else(|| record.time.clone(), second);
    let replaced = if record.replaced { ", in place of an earlier one" } else { "" };
    let output = record.output.as_ref().map_or_else(String::new, |output| place(&search.outbox, output));
    let output = format!("{output}{replaced}, by job {}", record.id);
    let kept = record.kept.as_ref().map(|kept| format!(". The input is kept: {}", place(&search.var, kept)));
    let kept = kept.unwrap_or_default();
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
            let s = if *puzzles == 1 { "" } else { "s" };
            let words =
                format!("answered {ended}: {puzzles} puzzle{s}{wrong}{ignored}; result {output}{kept}");
            (FileState::Answered, words)
        }
        Outcome::Graded => {
            let words = format!("graded {ended}: {}; grade {output}{kept}", record.mark());
            (FileState::Graded, words)
        }
        Outcome::Rejected => {
            let reason = record.reason.as_deref().unwrap_or("no reason is known");
            let words = format!(
                "rejected {ended}: {reason}; report {output}{kept}. Mend it and drop it again, or have it \
                     tried again: tabuleiro retry {}",
                show(&record.file.0)
            );
            (FileState::Rejected, words)
        }
    }
}

/// Returns a path as text, with a remark if nothing exists there any more.
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

/// What a running service knows about a file.
#[derive(Debug, Clone, Default)]
pub struct Live {
    /// The jobs in progress of that file, the oldest first, each in words.
    pub in_hand: Vec<String>,
    /// Why no files are taken at the moment.
    pub paused: Option<String>,
    /// How soon the inbox is listed if the intake does not rely on events, or if events fail.
    pub listed_every: String,
    /// Whether all slots are taken, or all slots of the file's route.
    pub is_full: bool,
    /// Whether all slots are taken that long files of the route can use.
    pub is_full_of_long: bool,
    /// Whether the service is stopping, and takes no more files.
    pub is_stopping: bool,
}

/// The state of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FileState {
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
    /// No such file exists, and none is known.
    Unknown,
}

impl FileState {
    /// Returns the state in words.
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

/// Describes the file at `below`, a path below the inbox; `None` if there is no such file.
pub(super) fn judge(
    search: &Search,
    config: &Config,
    live: Option<&Live>,
    below: &Path,
) -> Option<(FileState, Vec<String>)> {
    let path = search.inbox.join(below);
    let left_alone_because = |why| Some((FileState::LeftAlone, vec![why]));
    let found = match fs::symlink_metadata(&path) {
        Ok(found) => found,
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            let remedy = "give the service's user the right to enter and list the folders that it lies in";
            let why = || format!("it cannot be reached: {error}; {remedy}");
            return left_alone_because(denied(search, live, below).unwrap_or_else(why));
        }
        // No such file exists, or no file can have such a name.
        Err(_) => return None,
    };
    let why = left_alone(search, config, below, &found).or_else(|| denied(search, live, below));
    if let Some(why) = why {
        return left_alone_because(why);
    }
    let file = match search.tree().open_file(&path) {
        Ok(file) => file,
        Err(error) => {
            let remedy = "allow the service's user to read it, and the service takes it";
            return left_alone_because(format!("it cannot be read: {error}; {remedy}"));
        }
    };
    let mut words = vec![route(config, below)];
    if let Some(why) = incomplete(config, &file, &found) {
        words.insert(0, why);
        words.extend(held_up(live, found.len()));
        return Some((FileState::Incomplete, words));
    }
    // Without a service, `held_up` says that none runs.
    let next = live.map(|live| format!(", {}", live.listed_every)).unwrap_or_default();
    let taken = || format!("it is complete; the service takes it when it next lists the inbox{next}");
    words.insert(0, held_up(live, found.len()).unwrap_or_else(taken));
    if live.is_none() && !is_of_service(search) {
        words.push("only the service's own user can tell whether permissions allow it".to_owned());
    }
    Some((FileState::Waiting, words))
}

/// Returns why the service leaves the file alone until somebody changes the file or the configuration.
fn left_alone(search: &Search, config: &Config, below: &Path, found: &Metadata) -> Option<String> {
    for part in below {
        let name = show(Path::new(part));
        if is_own(Path::new(part)) {
            return Some(format!("it is left alone: names like '{name}' are the service's own; rename it"));
        }
        if let Some(glob) = config.intake.ignore.first_match(part) {
            return Some(format!(
                "it is left alone: '{name}' matches '{glob}' of intake.ignore; rename it, or take the glob out of the list"
            ));
        }
    }
    let because = |message: &str| Some(format!("it is left alone, because {message}"));
    let parent = below.parent().unwrap_or(Path::new(""));
    if let Some(reason) = judge_folder(parent, None, None) {
        return because(&folder_message(parent, reason));
    }
    let folders = below.ancestors().skip(1).map(|folder| search.inbox.join(folder));
    let is_link = |folder: &PathBuf| {
        *folder != search.inbox && fs::symlink_metadata(folder).is_ok_and(|found| found.is_symlink())
    };
    if let Some(link) = folders.filter(|folder| folder.starts_with(&search.inbox)).find(is_link) {
        return Some(format!(
            "it is left alone: the folder {} is a symbolic link, which is not followed; move the folder here",
            show(&link)
        ));
    }
    let mount = |path: &Path| Mount::of(CWD, path).ok();
    let folder = search.inbox.join(parent);
    if let Some(reason) = judge_folder(parent, mount(&folder), mount(&search.work())) {
        return because(&folder_message(parent, reason));
    }
    if found.is_dir() {
        return Some("it is a folder; what lies in it is taken file by file".to_owned());
    }
    if found.is_file() { None } else { because(kind_message(found.is_symlink())) }
}

/// Returns which permission the service lacks, with the remedy.
fn denied(search: &Search, live: Option<&Live>, below: &Path) -> Option<String> {
    if live.is_none() && !is_of_service(search) {
        return None;
    }
    let why = access::denied(&search.inbox, below)?.why;
    Some(format!("the service takes it as soon as permissions allow it: {why}"))
}

/// Returns whether this process has the rights of the service, whose user owns the var folder.
fn is_of_service(search: &Search) -> bool {
    fs::metadata(&search.var).is_ok_and(|found| found.uid() == rustix::process::geteuid().as_raw())
}

fn route(config: &Config, below: &Path) -> String {
    if is_zip(below) {
        let folder = show(&below.with_extension(""));
        return format!(
            "it is an archive: each member goes where its own path leads, as if it lay in {folder}/"
        );
    }
    if let Some(route) = config.route(below) {
        if let Some(reference) = &route.grade {
            return format!("route '{}' has it graded by the reference {}", route.name, show(reference));
        }
        return format!("route '{}' gives it to {}", route.name, route.solver.id());
    }
    let tried: Vec<_> = config.tried().map(|route| format!("\n  {route}")).collect();
    format!(
        "no route takes it, so it will be rejected; rename it or put it into a folder that a route takes. Tried, in \
         order:{}",
        tried.concat()
    )
}

/// Returns why the file does not count as complete yet.
fn incomplete(config: &Config, file: &File, found: &Metadata) -> Option<String> {
    let state = writers(file);
    if state == Writers::Some {
        let why = "a program still has it open for writing; the service takes it when the program closes it; fuser -v FILE names the program";
        return Some(why.to_owned());
    }
    let quiet = Quiet::of(&config.intake);
    let is_sure = !quiet.is_needed(state, found.len());
    let changed = found.modified().ok().max(changed(found));
    let left = changed.and_then(|changed| quiet.period.checked_sub(changed.elapsed().unwrap_or_default()));
    let left = left.filter(|left| !is_sure && !left.is_zero())?;
    let why = match (found.len(), state) {
        (0, _) => "it is empty",
        (_, Writers::Unknown) => "the system does not tell whether somebody still writes it",
        _ => "intake.readiness is \"quiet\"",
    };
    Some(format!(
        "{why}, so it is taken when it has not changed for {} (intake.quiet_period): in {:.1} s",
        humantime::format_duration(quiet.period),
        left.as_secs_f64()
    ))
}

/// Returns the time of the file's last change, including a change of its name.
fn changed(found: &Metadata) -> Option<SystemTime> {
    let seconds = u64::try_from(found.ctime()).ok()?;
    SystemTime::UNIX_EPOCH.checked_add(std::time::Duration::from_secs(seconds))
}

/// Returns what keeps a file of this size waiting even if it is complete.
fn held_up(live: Option<&Live>, bytes: u64) -> Option<String> {
    let Some(live) = live else {
        return Some("no service runs; the next start takes it".to_owned());
    };
    if live.is_stopping {
        return Some("the service is stopping and takes nothing more; the next start takes it".to_owned());
    }
    if let Some(why) = &live.paused {
        return Some(format!("the service takes no files for now: {why}; it resumes by itself"));
    }
    if let Some(before) = live.in_hand.first() {
        return Some(format!("an older file of this name is answered first: {before}"));
    }
    let is_long = Length::of(bytes) == Length::Long;
    (live.is_full || is_long && live.is_full_of_long).then(|| {
        "the service is busy with as many files as it may take at once, in all (intake.claims_max) or of this route; the file waits for a free slot".to_owned()
    })
}
