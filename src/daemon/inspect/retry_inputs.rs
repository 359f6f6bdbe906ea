//! Putting archived inputs back into the inbox, to be answered again.
//!
//! One rename a file, which never replaces another, so a crash leaves it in one place or the other.

use std::collections::{BTreeMap, HashSet};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

use crate::config::Config;
use crate::daemon::base::clock;
use crate::daemon::base::clock::stamp;
use crate::daemon::base::job_id::time_of;
use crate::daemon::base::json_path::JsonPath;
use crate::daemon::claims::find;
use crate::daemon::fs::disk::Disk;
use crate::daemon::records::file_search::Search;
use crate::daemon::records::history;
use crate::daemon::records::history::Query;
use crate::daemon::records::kept_inputs::Archived;
use tabuleiro_jobs::archive::{Archive, is_zip};
use tabuleiro_puzzles::input::printable;

/// Files put back by one request for many.
const RETRIED_MAX: usize = 1_000;
/// Where inputs are kept, below the var folder.
const KEPT: [&str; 2] = ["failed", "done"];
const IN_INBOX: &str = "a file of that name is in the inbox already, and is answered from there";
const IN_HAND: &str = "a file of that name is in hand already, and is being answered";

/// What is to be put back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Wanted {
    /// The newest input that was dropped under that path below the inbox; or the one that lies at that path below the var
    /// folder; or that of the job with that ID. Of a folder, the newest of every file that was dropped or lies in it.
    File(JsonPath),
    /// The newest of every file that goes to that route, and of every archive with a member that does.
    Route {
        /// The name of the route.
        name: String,
    },
    /// The newest of every file that failed and neither was answered nor dropped again since, from those taken at that time
    /// (RFC 3339) or later.
    Failed {
        /// The time; all where it is missing.
        #[serde(default, with = "clock::optional_stamp")]
        since: Option<OffsetDateTime>,
    },
}

/// What became of a file that was to be put back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Retried {
    /// Its path below the inbox, or what was asked for where nothing is archived.
    pub file: JsonPath,
    /// How it went.
    pub result: What,
    /// The same in words, with the reason.
    pub message: String,
}

/// How it went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum What {
    /// It is in the inbox again.
    PutBack,
    /// A file of that name is in the inbox or in hand, and is answered without this.
    Already,
    /// Nothing of that name is archived.
    Unknown,
    /// It cannot be put back.
    Failed,
    /// There are more than one request puts back.
    More,
}

/// Puts archived inputs back. Routes are those of `config`.
pub fn retry(search: &Search, disk: &dyn Disk, config: &Config, wanted: &Wanted) -> Vec<Retried> {
    match wanted {
        Wanted::File(JsonPath(file)) => match folder(search, file) {
            Some(path_of) => of_folder(search, disk, file, path_of),
            None => vec![one(search, disk, file)],
        },
        Wanted::Failed { since } => failed(search, disk, *since),
        Wanted::Route { name } => of_route(search, disk, config, name),
    }
}

fn one(search: &Search, disk: &dyn Disk, file: &Path) -> Retried {
    // Who names a job or an archived input means that one, whatever else goes by its name.
    if let Some(archived) = search.archived_at(file).or_else(|| search.archived_by_id(file.to_str()?)) {
        return put_back(search, disk, &archived);
    }
    let said = |result, message: &str| Retried { file: file.into(), result, message: message.to_owned() };
    if is_in(search, file) {
        return said(What::Already, IN_INBOX);
    }
    match find::origins(&search.work(), disk) {
        Ok(claimed) if claimed.contains(file) => return said(What::Already, IN_HAND),
        Ok(_) => {}
        Err(error) => return said(What::Failed, &format!("the files in hand cannot be listed: {error}")),
    }
    match search.newest_archived(file) {
        Some(archived) => put_back(search, disk, &archived),
        None if search.is_late() => {
            said(What::Unknown, "nothing of that name was found in the time that there is to look for it")
        }
        None => said(What::Unknown, "nothing of that name is kept in done/ or failed/"),
    }
}

fn is_in(search: &Search, origin: &Path) -> bool {
    fs::symlink_metadata(search.inbox.join(origin)).is_ok()
}

/// If `path` is a folder of the inbox, of `done` or `failed`, or was one of the inbox, returns which path of a kept input
/// says whether the input belongs to that folder.
fn folder(search: &Search, path: &Path) -> Option<fn(&Archived) -> &Path> {
    let is_folder = |path: PathBuf| fs::symlink_metadata(path).is_ok_and(|found| found.is_dir());
    if is_folder(search.inbox.join(path)) {
        return Some(|archived| &archived.origin);
    }
    if KEPT.iter().any(|root| path.starts_with(root)) && is_folder(search.var.join(path)) {
        return Some(|archived| &archived.path);
    }
    let is_kept = KEPT.iter().any(|root| is_folder(search.var.join(root).join(path)));
    let is_file = || is_in(search, path) || search.newest_archived(path).is_some();
    (is_kept && !is_file()).then_some(|archived| &archived.origin)
}

fn of_folder(
    search: &Search,
    disk: &dyn Disk,
    folder: &Path,
    path_of: fn(&Archived) -> &Path,
) -> Vec<Retried> {
    let kept = search.newest_of_each(&KEPT, |archived| path_of(archived).starts_with(folder));
    if kept.is_empty() && !search.is_late() {
        let message = "it is a folder, and no input that was dropped in it is kept in done/ or failed/";
        return vec![Retried { file: folder.into(), result: What::Unknown, message: message.to_owned() }];
    }
    all(search, disk, kept, true)
}

fn of_route(search: &Search, disk: &dyn Disk, config: &Config, name: &str) -> Vec<Retried> {
    if config.routes().iter().all(|route| route.name != name) {
        let name = printable(name.as_bytes(), 100);
        return no_file(What::Unknown, format!("the configuration in force has no route '{name}'"));
    }
    let takes = |path: &Path| config.route(path).is_some_and(|route| route.name == name);
    let mut kept =
        search.newest_of_each(&KEPT, |archived| is_zip(&archived.origin) || takes(&archived.origin));
    // Late, nothing goes back: no further archive is opened.
    let holds = |origin: &Path, archived: &Archived| {
        !search.is_late() && holds(&search.var.join(&archived.path), origin, takes)
    };
    kept.retain(|origin, archived| !is_zip(origin) || holds(origin, archived));
    if kept.is_empty() && !search.is_late() {
        return no_file(What::Unknown, format!("no input of the route '{name}' is kept in done/ or failed/"));
    }
    all(search, disk, kept, true)
}

/// Returns whether an archive at `path`, dropped as `origin`, has a member with a path that is wanted.
fn holds(path: &Path, origin: &Path, wants: impl Fn(&Path) -> bool) -> bool {
    let folder = origin.with_extension("");
    let archive = File::open(path).ok().and_then(|file| Archive::open(file).ok());
    archive.is_some_and(|archive| archive.members().iter().any(|member| wants(&folder.join(member.path()))))
}

fn failed(search: &Search, disk: &dyn Disk, since: Option<OffsetDateTime>) -> Vec<Retried> {
    // IDs are times without the signs between.
    let since = since.map(|since| stamp(since).replace(['-', ':'], ""));
    let is_wanted = |archived: &Archived| since.as_ref().is_none_or(|since| archived.id >= *since);
    all(search, disk, search.newest_of_each(&["failed"], is_wanted), false)
}

/// Puts back kept inputs, each the newest of its file, unless a newer file of that name is there, or was. Says so of each that
/// stays if `tells_left`. Those that were taken longest ago go first, so that asking again reaches the others.
///
/// An input may move while this looks, from the inbox into work, from there into done or failed, and then into the
/// history. It is looked for in that order, so that it is met in one of them.
fn all(
    search: &Search,
    disk: &dyn Disk,
    kept: BTreeMap<PathBuf, Archived>,
    tells_left: bool,
) -> Vec<Retried> {
    let in_inbox: HashSet<_> = kept.keys().filter(|origin| is_in(search, origin)).cloned().collect();
    let claimed = match find::origins(&search.work(), disk) {
        Ok(claimed) => claimed,
        Err(error) => return no_file(What::Failed, format!("the files in hand cannot be listed: {error}")),
    };
    let mut candidates = kept.clone();
    candidates.retain(|origin, _| !in_inbox.contains(origin) && !claimed.contains(origin));
    match drop_superseded(search, &mut candidates) {
        Ok(true) if !search.is_late() => {}
        Ok(_) => {
            let message =
                "there are too many inputs or jobs to look through; name the files, or a nearer time";
            return no_file(What::Failed, message.to_owned());
        }
        Err(error) => return no_file(What::Failed, format!("the history cannot be read: {error}")),
    }
    let mut kept: Vec<_> = kept.into_values().collect();
    kept.sort_by(|a, b| a.id.cmp(&b.id));
    let (mut retried, mut room) = (Vec::new(), RETRIED_MAX);
    for archived in kept {
        let origin = &archived.origin;
        let left = if in_inbox.contains(origin) {
            (What::Already, IN_INBOX)
        } else if claimed.contains(origin) {
            (What::Already, IN_HAND)
        } else if !candidates.contains_key(origin) {
            (What::Failed, "a newer file of that name was dropped since, so this one stays where it is")
        } else if room > 0 {
            room -= 1;
            retried.push(put_back(search, disk, &archived));
            continue;
        } else {
            let message = format!("there are more than {RETRIED_MAX}; ask again for the others");
            retried.extend(no_file(What::More, message));
            break;
        };
        let (result, message) = (left.0, left.1.to_owned());
        retried.extend(tells_left.then(|| Retried { file: origin.as_path().into(), result, message }));
    }
    retried
}

/// Returns what is said of no file in particular.
fn no_file(result: What, message: String) -> Vec<Retried> {
    vec![Retried { file: Path::new("").into(), result, message }]
}

/// Drops those of which a newer input is archived, or that have a newer job in the history, wherever its input is: nothing
/// that was answered or dropped again since may get its old report back. Returns whether everything was searched.
fn drop_superseded(search: &Search, candidates: &mut BTreeMap<PathBuf, Archived>) -> io::Result<bool> {
    search.visit_archive(&KEPT, |archived| {
        drop_older(candidates, &archived.origin, &archived.id);
    });
    // A newer job ended after an older one was taken.
    let Some(oldest) = candidates.values().map(|archived| &archived.id).min() else { return Ok(true) };
    let query = Query { since: time_of(oldest), deadline: search.deadline, ..Query::default() };
    let found = history::find(&search.history(), query, |record| {
        drop_older(candidates, &record.file.0, &record.id);
        false
    })?;
    Ok(!found.is_searched_in_part)
}

fn drop_older(candidates: &mut BTreeMap<PathBuf, Archived>, origin: &Path, id: &str) {
    if candidates.get(origin).is_some_and(|archived| *archived.id < *id) {
        candidates.remove(origin);
    }
}

fn put_back(search: &Search, disk: &dyn Disk, archived: &Archived) -> Retried {
    let (from, to) = (search.var.join(&archived.path), search.inbox.join(&archived.origin));
    let folders = to.parent().map_or(Ok(()), |folder| disk.create_folders(folder));
    let (result, message) = match folders.and_then(|()| disk.rename_new(&from, &to)) {
        Ok(()) => (What::PutBack, format!("in the inbox again, from {}", show(&archived.path))),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            (What::Failed, "a file of that name is in the inbox, which is not replaced".to_owned())
        }
        Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {
            let message = format!(
                "{} is on another file system than the inbox; copy it into the inbox under that name",
                show(&from)
            );
            (What::Failed, message)
        }
        Err(error) => {
            (What::Failed, format!("cannot be moved from {} to the inbox: {error}", show(&archived.path)))
        }
    };
    Retried { file: archived.origin.as_path().into(), result, message }
}

fn show(path: &Path) -> String {
    JsonPath::from(path).printable()
}

#[cfg(test)]
#[path = "retry_inputs_tests.rs"]
mod tests;
