//! Putting kept inputs back into the inbox, to be answered again.
//!
//! One rename a file, which never replaces another, so a crash leaves it in one place or the other.

use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

use super::clock::{parse_stamp, stamp};
use super::disk::Disk;
use super::json_path::JsonPath;
use super::kept::{Kept, Place};

/// Files put back by one request without names.
const RETRIED_MAX: usize = 1_000;

/// What is to be put back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Wanted {
    /// The newest input that was dropped under that path below the inbox; or the one that lies at that path below the var
    /// folder; or that of the job with that ID.
    File(JsonPath),
    /// The newest of every file that failed and was not answered since, from those taken at that time (RFC 3339) or later.
    Failed {
        /// The time; all where it is missing.
        since: Option<String>,
    },
}

/// What became of a file that was to be put back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Retried {
    /// Its path below the inbox, or what was asked for where nothing is kept.
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
    /// Nothing of that name is kept.
    Unknown,
    /// It cannot be put back.
    Failed,
    /// There are more than one request puts back.
    More,
}

/// Puts kept inputs back.
pub fn retry(place: &Place, disk: &dyn Disk, wanted: &Wanted) -> Vec<Retried> {
    match wanted {
        Wanted::File(JsonPath(file)) => match find(place, file) {
            Some(kept) => vec![put_back(place, disk, &kept)],
            None => vec![Retried {
                file: file.as_path().into(),
                result: What::Unknown,
                message: "nothing of that name is kept in done/ or failed/".to_owned(),
            }],
        },
        Wanted::Failed { since } => failed(place, disk, since.as_deref().and_then(parse_stamp)),
    }
}

fn find(place: &Place, file: &Path) -> Option<Kept> {
    let by_id = || place.by_id(file.to_str()?);
    place.at(file).or_else(|| place.newest(file)).or_else(by_id)
}

fn failed(place: &Place, disk: &dyn Disk, since: Option<OffsetDateTime>) -> Vec<Retried> {
    // IDs are times without the signs between.
    let since = since.map(|since| stamp(since).replace(['-', ':'], ""));
    let is_wanted = |kept: &Kept| {
        since.as_ref().is_none_or(|since| kept.id >= *since)
            // One that was answered since must not get its old report back.
            && place.newest(&kept.origin).is_none_or(|newest| newest.is_failed())
    };
    let mut retried = Vec::new();
    for kept in place.failed().into_values().filter(is_wanted) {
        if retried.len() == RETRIED_MAX {
            let message = format!("there are more than {RETRIED_MAX}; ask again for the others");
            retried.push(Retried { file: Path::new("").into(), result: What::More, message });
            break;
        }
        retried.push(put_back(place, disk, &kept));
    }
    retried
}

fn put_back(place: &Place, disk: &dyn Disk, kept: &Kept) -> Retried {
    let (from, to) = (place.var.join(&kept.path), place.inbox.join(&kept.origin));
    let folders = to.parent().map_or(Ok(()), |folder| disk.create_folders(folder));
    let (result, message) = match folders.and_then(|()| disk.rename_new(&from, &to)) {
        Ok(()) => (What::PutBack, format!("in the inbox again, from {}", show(&kept.path))),
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
            (What::Failed, format!("cannot be moved from {} to the inbox: {error}", show(&kept.path)))
        }
    };
    Retried { file: kept.origin.as_path().into(), result, message }
}

fn show(path: &Path) -> String {
    JsonPath::from(path).printable()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_kept_input_goes_back_under_its_name_and_never_over_another() {
        let root = tempfile::tempdir().unwrap();
        let folder = |name: &str| root.path().join(name);
        for name in ["inbox", "outbox", "var/done/a", "var/failed"] {
            fs::create_dir_all(folder(name)).unwrap();
        }
        let place = Place { inbox: folder("inbox"), outbox: folder("outbox"), var: folder("var") };
        let disk = place.tree();
        let kept = "var/done/a/x.20261121T121744.000001Z.txt";
        fs::write(folder(kept), "old").unwrap();
        let wanted = Wanted::File(Path::new("a/x.txt").into());
        assert_eq!(retry(&place, &disk, &wanted)[0].result, What::PutBack);
        assert_eq!(fs::read_to_string(folder("inbox/a/x.txt")).unwrap(), "old");
        assert_eq!(retry(&place, &disk, &wanted)[0].result, What::Unknown);
        fs::write(folder(kept), "other").unwrap();
        let retried = &retry(&place, &disk, &wanted)[0];
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

    #[test]
    fn all_that_failed_goes_back_but_for_what_was_answered_since() {
        let root = tempfile::tempdir().unwrap();
        let folder = |name: &str| root.path().join(name);
        for name in ["inbox", "outbox", "var/done", "var/failed"] {
            fs::create_dir_all(folder(name)).unwrap();
        }
        for path in [
            "failed/x.20261121T100000.000001Z.txt",
            "failed/x.20261121T110000.000001Z.txt",
            "failed/y.20261121T100000.000001Z.txt",
            "done/y.20261121T110000.000001Z.txt",
            "failed/z.20261121T090000.000001Z.txt",
        ] {
            fs::write(folder("var").join(path), path).unwrap();
        }
        let place = Place { inbox: folder("inbox"), outbox: folder("outbox"), var: folder("var") };
        let disk = place.tree();
        let files = |since: Option<&str>| -> Vec<_> {
            let wanted = Wanted::Failed { since: since.map(str::to_owned) };
            retry(&place, &disk, &wanted)
                .iter()
                .map(|retried| (retried.file.printable(), retried.result))
                .collect()
        };
        assert_eq!(files(Some("2026-11-21T10:30:00Z")), [("x.txt".to_owned(), What::PutBack)]);
        assert!(fs::read_to_string(folder("inbox/x.txt")).unwrap().contains("T11"), "the newest");
        fs::remove_file(folder("inbox/x.txt")).unwrap();
        let back = |name: &str| (name.to_owned(), What::PutBack);
        assert_eq!(files(None), [back("x.txt"), back("z.txt")]);
    }
}
