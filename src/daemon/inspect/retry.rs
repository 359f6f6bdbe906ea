//! Putting archived inputs back into the inbox, to be answered again.
//!
//! One rename a file, which never replaces another, so a crash leaves it in one place or the other.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

use crate::daemon::base::clock;
use crate::daemon::base::clock::stamp;
use crate::daemon::base::job_id::time_of;
use crate::daemon::base::json_path::JsonPath;
use crate::daemon::claims::find;
use crate::daemon::fs::disk::Disk;
use crate::daemon::records::archive::Archived;
use crate::daemon::records::history;
use crate::daemon::records::history::Query;
use crate::daemon::records::search::Search;

/// Files put back by one request without names.
const RETRIED_MAX: usize = 1_000;

/// What is to be put back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Wanted {
    /// The newest input that was dropped under that path below the inbox; or the one that lies at that path below the var
    /// folder; or that of the job with that ID.
    File(JsonPath),
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

/// Puts archived inputs back.
pub fn retry(search: &Search, disk: &dyn Disk, wanted: &Wanted) -> Vec<Retried> {
    match wanted {
        Wanted::File(JsonPath(file)) => vec![one(search, disk, file)],
        Wanted::Failed { since } => failed(search, disk, *since),
    }
}

fn one(search: &Search, disk: &dyn Disk, file: &Path) -> Retried {
    // Who names a job or an archived input means that one, whatever else goes by its name.
    if let Some(archived) = search.archived_at(file).or_else(|| search.archived_by_id(file.to_str()?)) {
        return put_back(search, disk, &archived);
    }
    let said = |result, message: &str| Retried { file: file.into(), result, message: message.to_owned() };
    if is_in(search, file) {
        return said(
            What::Already,
            "a file of that name is in the inbox already, and is answered from there",
        );
    }
    match find::origins(&search.work(), disk) {
        Ok(claimed) if claimed.contains(file) => {
            return said(What::Already, "a file of that name is in hand already, and is being answered");
        }
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

/// An input may move while this looks, from the inbox into work, from there into done or failed, and then into the
/// history. It is looked for in that order, so that it is met in one of them.
fn failed(search: &Search, disk: &dyn Disk, since: Option<OffsetDateTime>) -> Vec<Retried> {
    // IDs are times without the signs between.
    let since = since.map(|since| stamp(since).replace(['-', ':'], ""));
    let mut candidates = search.archived_failures(since.as_deref());
    candidates.retain(|origin, _| !is_in(search, origin));
    let refused = |result, message| vec![Retried { file: Path::new("").into(), result, message }];
    match find::origins(&search.work(), disk) {
        Ok(claimed) => candidates.retain(|origin, _| !claimed.contains(origin)),
        Err(error) => return refused(What::Failed, format!("the files in hand cannot be listed: {error}")),
    }
    match drop_superseded(search, &mut candidates) {
        Ok(true) if !search.is_late() => {}
        Ok(_) => {
            let message =
                "there are too many inputs or jobs to look through; name the files, or a nearer time";
            return refused(What::Failed, message.to_owned());
        }
        Err(error) => return refused(What::Failed, format!("the history cannot be read: {error}")),
    }
    let mut rest = candidates.into_values();
    let mut retried: Vec<_> =
        rest.by_ref().take(RETRIED_MAX).map(|archived| put_back(search, disk, &archived)).collect();
    if rest.next().is_some() {
        let message = format!("there are more than {RETRIED_MAX}; ask again for the others");
        retried.extend(refused(What::More, message));
    }
    retried
}

/// Drops those of which a newer input is archived, or that have a newer job in the history, wherever its input is: nothing
/// that was answered or dropped anew since may get its old report back. Whether all was looked through.
fn drop_superseded(search: &Search, candidates: &mut BTreeMap<PathBuf, Archived>) -> io::Result<bool> {
    search.visit_archive(&["failed", "done"], |archived| {
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
mod tests {
    use super::*;
    use crate::daemon::base::clock::parse_stamp;

    #[test]
    fn a_kept_input_goes_back_under_its_name_and_never_over_another() {
        let root = tempfile::tempdir().unwrap();
        let folder = |name: &str| root.path().join(name);
        for name in ["inbox", "outbox", "var/done/a", "var/failed"] {
            fs::create_dir_all(folder(name)).unwrap();
        }
        let place =
            Search { inbox: folder("inbox"), outbox: folder("outbox"), var: folder("var"), deadline: None };
        let disk = place.tree();
        let kept = "var/done/a/x.20261121T121744.000001Z.txt";
        fs::write(folder(kept), "old").unwrap();
        let wanted = Wanted::File(Path::new("a/x.txt").into());
        assert_eq!(retry(&place, &disk, &wanted)[0].result, What::PutBack);
        assert_eq!(fs::read_to_string(folder("inbox/a/x.txt")).unwrap(), "old");
        assert_eq!(retry(&place, &disk, &wanted)[0].result, What::Already, "it is in the inbox");
        fs::write(folder(kept), "other").unwrap();
        assert_eq!(retry(&place, &disk, &wanted)[0].result, What::Already);
        let by_path = Wanted::File(Path::new("done/a/x.20261121T121744.000001Z.txt").into());
        let retried = &retry(&place, &disk, &by_path)[0];
        assert!(retried.result == What::Failed && retried.message.contains("not replaced"), "{retried:?}");
        assert_eq!(fs::read_to_string(folder("inbox/a/x.txt")).unwrap(), "old");
        assert!(folder(kept).exists());
        // Nothing outside of its folders is moved.
        fs::write(folder("x.20261121T121744.000001Z.txt"), "mine").unwrap();
        for outside in ["../x.20261121T121744.000001Z.txt", "done/../../x.20261121T121744.000001Z.txt"] {
            let retried = &retry(&place, &disk, &Wanted::File(Path::new(outside).into()))[0];
            assert_ne!(retried.result, What::PutBack, "{outside}");
        }
        assert!(folder("x.20261121T121744.000001Z.txt").exists());
    }

    const FOLDERS: [&str; 6] = ["inbox", "outbox", "var/done", "var/failed", "var/work", "var/history"];

    fn place(root: &Path, kept: &[&str]) -> Search {
        for name in FOLDERS {
            fs::create_dir_all(root.join(name)).unwrap();
        }
        for path in kept {
            fs::write(root.join("var").join(path), path).unwrap();
        }
        let folder = |name: &str| root.join(name);
        Search { inbox: folder("inbox"), outbox: folder("outbox"), var: folder("var"), deadline: None }
    }

    /// The files of a request for all that failed, with what became of them.
    fn files(place: &Search, since: Option<&str>) -> Vec<(String, What)> {
        let wanted = Wanted::Failed { since: since.map(|since| parse_stamp(since).unwrap()) };
        let retried = retry(place, &place.tree(), &wanted);
        retried.iter().map(|retried| (retried.file.printable(), retried.result)).collect()
    }

    fn back(name: &str) -> (String, What) {
        (name.to_owned(), What::PutBack)
    }

    #[test]
    fn all_that_failed_goes_back_but_for_what_was_answered_since() {
        let root = tempfile::tempdir().unwrap();
        let kept = [
            "failed/x.20261121T100000.000001Z.txt",
            "failed/x.20261121T110000.000001Z.txt",
            "failed/y.20261121T100000.000001Z.txt",
            "done/y.20261121T110000.000001Z.txt",
            "failed/z.20261121T090000.000001Z.txt",
        ];
        let place = place(root.path(), &kept);
        assert_eq!(files(&place, Some("2026-11-21T10:30:00Z")), [back("x.txt")]);
        assert!(fs::read_to_string(place.inbox.join("x.txt")).unwrap().contains("T11"), "the newest");
        assert_eq!(files(&place, None), [back("z.txt")], "x.txt lies in the inbox");
        assert_eq!(files(&place, None), []);
    }

    #[test]
    fn nothing_comes_back_that_is_in_hand_or_has_a_newer_job() {
        let root = tempfile::tempdir().unwrap();
        let kept = [
            "failed/told.20261121T100000.000001Z.txt",
            "failed/claimed.20261121T100000.000001Z.txt",
            "failed/long.20261121T100000.000001Z.txt",
            "failed/w.20261121T100000.000001Z.txt",
        ];
        let place = place(root.path(), &kept);
        // The newer input was removed by somebody, or went back into the inbox and was taken out of it.
        let line = |time: &str, id: &str, file: &str| {
            format!(r#"{{"time":"{time}","id":"{id}","file":"{file}","outcome":"rejected"}}"#) + "\n"
        };
        let lines = line("2026-11-21T10:00:01Z", "20261121T100000.000001Z", "w.txt")
            + &line("2026-11-21T12:00:00Z", "20261121T115900.000001Z", "told.txt");
        fs::write(place.history().join("2026-11-21.jsonl"), lines).unwrap();
        fs::write(place.var.join("work/20261121T120000.000001Z!1=claimed.txt"), "1").unwrap();
        let long = place.var.join("work/20261121T120000.000002Z/input");
        fs::create_dir_all(&long).unwrap();
        fs::write(long.join("long.txt"), "1").unwrap();
        let asked = retry(&place, &place.tree(), &Wanted::File(Path::new("claimed.txt").into()));
        assert!(asked[0].result == What::Already && asked[0].message.contains("in hand"), "{asked:?}");
        assert_eq!(files(&place, None), [back("w.txt")]);
    }

    #[test]
    fn what_could_not_be_looked_for_in_time_is_left_and_said() {
        let root = tempfile::tempdir().unwrap();
        let mut place = place(root.path(), &["failed/x.20261121T100000.000001Z.txt"]);
        place.deadline = Some(std::time::Instant::now());
        assert_eq!(files(&place, None), [(String::new(), What::Failed)]);
        let asked = retry(&place, &place.tree(), &Wanted::File(Path::new("no.txt").into()));
        assert!(asked[0].message.contains("in the time"), "{asked:?}");
    }

    #[test]
    fn a_time_that_cannot_be_read_is_an_error() {
        let read = |text: &str| serde_json::from_str::<Wanted>(text);
        read(r#"{"failed":{"since":"yesterday"}}"#).unwrap_err();
        assert_eq!(read(r#"{"failed":{}}"#).unwrap(), Wanted::Failed { since: None });
        let since = Wanted::Failed { since: parse_stamp("2026-11-21T10:00:00Z") };
        assert_eq!(read(&serde_json::to_string(&since).unwrap()).unwrap(), since);
    }
}
