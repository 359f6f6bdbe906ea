//! Puts archived inputs back into the inbox, where they are answered again.
//!
//! Each file is moved by one rename that never replaces another file, so a crash leaves it in one place or the other.

use std::collections::{BTreeMap, HashSet};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

use crate::config::Config;
use crate::daemon::base::job_id::time_of;
use crate::daemon::base::json_path::{JsonPath, show};
use crate::daemon::claims::find;
use crate::daemon::fs::disk::Disk;
use crate::daemon::records::file_search::{Archived, Search};
use crate::daemon::records::history::{self, Query};
use tabuleiro_jobs::archive::{Archive, is_zip};
use tabuleiro_puzzles::input::printable;

/// The maximum number of files that one request puts back.
const RETRIED_MAX: usize = 1_000;
/// The folders below the var folder that keep inputs.
const KEPT: [&str; 2] = ["failed", "done"];
const IN_INBOX: &str = "a file of that name is in the inbox already, and is answered from there";
const IN_HAND: &str = "a file of that name is in hand already, and is being answered";

/// Which inputs to put back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RetryRequest {
    /// - For a path below the inbox, the newest input that was dropped there.
    /// - For a path below the var folder, the input at that path.
    /// - For the ID of a job, its input.
    /// - For a folder, the newest input of every file in it.
    File(JsonPath),
    /// The newest input of every file that the route takes, and of every archive with a member that it takes.
    Route {
        /// The name of the route.
        name: String,
    },
    /// The newest input of every file that failed and was neither answered nor dropped again since.
    Failed {
        /// Only inputs that were taken at this time (RFC 3339) or later; `None` stands for all.
        #[serde(default, with = "time::serde::rfc3339::option")]
        since: Option<OffsetDateTime>,
    },
}

/// What became of one file of a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Retried {
    /// Its path below the inbox; if nothing is archived, the path in the request.
    pub file: JsonPath,
    /// Whether it was put back, and if not, why not.
    pub result: RetryResult,
    /// The result in words, with the reason.
    pub message: String,
}

/// Whether a file was put back, and if not, why not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RetryResult {
    /// It is in the inbox again.
    PutBack,
    /// A file of that name is in the inbox or in progress, and is answered anyway.
    Already,
    /// Nothing of that name is archived.
    Unknown,
    /// It cannot be put back.
    Failed,
    /// The request names more files than one request puts back.
    More,
}

/// Puts archived inputs back. `config` defines the routes.
pub fn retry(search: &Search, disk: &dyn Disk, config: &Config, wanted: &RetryRequest) -> Vec<Retried> {
    let retry = Retry { search, disk };
    match wanted {
        RetryRequest::File(JsonPath(file)) => match retry.folder(file) {
            Some(path_of) => retry.all_in_folder(file, path_of),
            None => vec![retry.one(file)],
        },
        RetryRequest::Failed { since } => {
            let is_wanted = |archived: &Archived| since.is_none() || time_of(&archived.id) >= *since;
            retry.all(search.newest_of_each(&["failed"], is_wanted), false)
        }
        RetryRequest::Route { name } => retry.all_of_route(config, name),
    }
}

fn reply(file: &Path, result: RetryResult, message: impl Into<String>) -> Retried {
    Retried { file: file.into(), result, message: message.into() }
}

/// Returns an answer that concerns no particular file.
fn general_reply(result: RetryResult, message: impl Into<String>) -> Vec<Retried> {
    vec![reply(Path::new(""), result, message)]
}

struct Retry<'a> {
    search: &'a Search,
    disk: &'a dyn Disk,
}

impl Retry<'_> {
    fn one(&self, file: &Path) -> Retried {
        let search = self.search;
        // The ID of a job and the path of an archived input name one input, even if a newer one has the same name.
        let by_id = || search.archived_by_id(file.to_str()?);
        if let Some(archived) = search.archived_at(file).or_else(by_id) {
            return self.put_back(&archived);
        }
        if self.is_in_inbox(file) {
            return reply(file, RetryResult::Already, IN_INBOX);
        }
        match self.claimed() {
            Ok(claimed) if claimed.contains(file) => return reply(file, RetryResult::Already, IN_HAND),
            Ok(_) => {}
            Err(why) => return reply(file, RetryResult::Failed, why),
        }
        match search.newest_archived(file) {
            Some(archived) => self.put_back(&archived),
            None if search.is_late() => {
                let message = "no file of that name was found within the time limit of the search";
                reply(file, RetryResult::Unknown, message)
            }
            None => reply(file, RetryResult::Unknown, "nothing of that name is kept in done/ or failed/"),
        }
    }

    fn is_in_inbox(&self, origin: &Path) -> bool {
        fs::symlink_metadata(self.search.inbox.join(origin)).is_ok()
    }

    /// Returns the paths below the inbox of the files in progress.
    fn claimed(&self) -> Result<HashSet<PathBuf>, String> {
        match find::claimed_paths(&self.search.work(), self.disk) {
            Ok(claimed) => Ok(claimed.into_values().collect()),
            Err(error) => Err(format!("the files in hand cannot be listed: {error}")),
        }
    }

    /// Returns how to get the path of an archived input that lies in the folder `path`; `None` if `path` is no folder.
    /// For a folder that is or was in the inbox, this is the origin; for one below `done` or `failed`, the path there.
    fn folder(&self, path: &Path) -> Option<fn(&Archived) -> &Path> {
        let Search { inbox, var, .. } = self.search;
        let is_folder = |path: PathBuf| fs::symlink_metadata(path).is_ok_and(|found| found.is_dir());
        if is_folder(inbox.join(path)) {
            return Some(|archived| &archived.origin);
        }
        if KEPT.iter().any(|root| path.starts_with(root)) && is_folder(var.join(path)) {
            return Some(|archived| &archived.path);
        }
        let is_kept = KEPT.iter().any(|root| is_folder(var.join(root).join(path)));
        let is_file = || self.is_in_inbox(path) || self.search.newest_archived(path).is_some();
        (is_kept && !is_file()).then_some(|archived| &archived.origin)
    }

    fn all_in_folder(&self, folder: &Path, path_of: fn(&Archived) -> &Path) -> Vec<Retried> {
        let kept = self.search.newest_of_each(&KEPT, |archived| path_of(archived).starts_with(folder));
        if kept.is_empty() && !self.search.is_late() {
            let message = "it is a folder, and no input that was dropped in it is kept in done/ or failed/";
            return vec![reply(folder, RetryResult::Unknown, message)];
        }
        self.all(kept, true)
    }

    fn all_of_route(&self, config: &Config, name: &str) -> Vec<Retried> {
        let search = self.search;
        if config.routes().iter().all(|route| route.name != name) {
            let name = printable(name.as_bytes(), 100);
            return general_reply(
                RetryResult::Unknown,
                format!("the configuration in force has no route '{name}'"),
            );
        }
        let takes = |path: &Path| config.route(path).is_some_and(|route| route.name == name);
        let may_take = |archived: &Archived| is_zip(&archived.origin) || takes(&archived.origin);
        let mut kept = search.newest_of_each(&KEPT, may_take);
        // After the deadline nothing is put back, so no further archive is opened.
        let holds = |origin: &Path, archived: &Archived| {
            !search.is_late() && holds(&search.var.join(&archived.path), origin, takes)
        };
        kept.retain(|origin, archived| !is_zip(origin) || holds(origin, archived));
        if kept.is_empty() && !search.is_late() {
            let message = format!("no input of the route '{name}' is kept in done/ or failed/");
            return general_reply(RetryResult::Unknown, message);
        }
        self.all(kept, true)
    }

    /// Puts back archived inputs, each the newest of its file. An input stays if a file of that name is in the inbox or
    /// in progress, or was dropped later. With `tells_left`, the answer also lists each input that stays. The oldest
    /// inputs go first, so a repeated request reaches those beyond [`RETRIED_MAX`].
    ///
    /// During the search, a file can move from the inbox to `work`, from there to `done` or `failed`, and then into the
    /// history. The search follows the same order, so it finds the file in one of these places.
    fn all(&self, kept: BTreeMap<PathBuf, Archived>, tells_left: bool) -> Vec<Retried> {
        let in_inbox: HashSet<_> = kept.keys().filter(|origin| self.is_in_inbox(origin)).cloned().collect();
        let claimed = match self.claimed() {
            Ok(claimed) => claimed,
            Err(why) => return general_reply(RetryResult::Failed, why),
        };
        let mut candidates = kept.clone();
        candidates.retain(|origin, _| !in_inbox.contains(origin) && !claimed.contains(origin));
        match drop_superseded(self.search, &mut candidates) {
            Ok(true) if !self.search.is_late() => {}
            Ok(_) => {
                let message =
                    "there are too many inputs or jobs to search; name the files, or a more recent time";
                return general_reply(RetryResult::Failed, message);
            }
            Err(error) => {
                return general_reply(RetryResult::Failed, format!("the history cannot be read: {error}"));
            }
        }
        let mut kept: Vec<_> = kept.into_values().collect();
        kept.sort_by(|a, b| a.id.cmp(&b.id));
        let (mut retried, mut room) = (Vec::new(), RETRIED_MAX);
        for archived in kept {
            let origin = &archived.origin;
            let (result, message) = if in_inbox.contains(origin) {
                (RetryResult::Already, IN_INBOX)
            } else if claimed.contains(origin) {
                (RetryResult::Already, IN_HAND)
            } else if !candidates.contains_key(origin) {
                (
                    RetryResult::Failed,
                    "a newer file of that name was dropped since, so this one stays where it is",
                )
            } else if room > 0 {
                room -= 1;
                retried.push(self.put_back(&archived));
                continue;
            } else {
                let message = format!("there are more than {RETRIED_MAX}; ask again for the others");
                retried.extend(general_reply(RetryResult::More, message));
                break;
            };
            retried.extend(tells_left.then(|| reply(origin, result, message)));
        }
        retried
    }

    fn put_back(&self, archived: &Archived) -> Retried {
        let Search { inbox, var, .. } = self.search;
        let (from, to) = (var.join(&archived.path), inbox.join(&archived.origin));
        let folders = to.parent().map_or(Ok(()), |folder| self.disk.create_folders(folder));
        let kept = show(&archived.path);
        let Err(error) = folders.and_then(|()| self.disk.rename_new(&from, &to)) else {
            return reply(&archived.origin, RetryResult::PutBack, format!("in the inbox again, from {kept}"));
        };
        let message = match error.kind() {
            io::ErrorKind::AlreadyExists => {
                "a file of that name is in the inbox, which is not replaced".to_owned()
            }
            io::ErrorKind::CrossesDevices => {
                let remedy = "copy it into the inbox under that name";
                format!("{} is on another file system than the inbox; {remedy}", show(&from))
            }
            _ => format!("cannot be moved from {kept} to the inbox: {error}"),
        };
        reply(&archived.origin, RetryResult::Failed, message)
    }
}

/// Returns whether the archive at `path`, which was dropped as `origin`, has a member whose path `wants` accepts.
fn holds(path: &Path, origin: &Path, wants: impl Fn(&Path) -> bool) -> bool {
    let folder = origin.with_extension("");
    let archive = File::open(path).ok().and_then(|file| Archive::open(file).ok());
    archive.is_some_and(|archive| archive.members().iter().any(|member| wants(&folder.join(member.path()))))
}

/// Drops each candidate that has a newer input in the archive or a newer job in the history; otherwise a file that was
/// answered since could get its old report back. The history also has jobs whose input is no longer kept. Returns
/// whether the search was complete.
fn drop_superseded(search: &Search, candidates: &mut BTreeMap<PathBuf, Archived>) -> io::Result<bool> {
    search.visit_archive(&KEPT, |archived| {
        drop_older(candidates, &archived.origin, &archived.id);
    });
    // Every newer job ended after the oldest candidate was taken.
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

#[cfg(test)]
#[path = "retry_inputs_tests.rs"]
mod tests;
