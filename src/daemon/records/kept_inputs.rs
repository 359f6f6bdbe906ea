//! The archive: inputs that were answered or rejected, in `done` and `failed`. Where one lies and what it is called is all
//! that is known of it: the ID of its job, and the path that it was dropped under. A name that had to be cut does not tell
//! the latter, so its file is not found here.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use crate::daemon::base::job_id::{self, is_id};
use crate::daemon::records::file_search::Search;
use tabuleiro_jobs::naming;

/// Entries looked at in `done` and in `failed`, each.
const ENTRIES_MAX: usize = 1_000_000;
/// Folders deeper than this are not looked into: files that lie so deep are not taken from the inbox.
const DEPTH_MAX: usize = 65;
/// What ends the beginning of a name that was cut: `~` and a digest of 8 bytes.
const CUT_MARK_BYTES: usize = 17;

/// An input in the archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Archived {
    /// The job's ID.
    pub id: String,
    /// The path below the inbox that it was dropped under.
    pub origin: PathBuf,
    /// Where it lies below the var folder: `done/…` or `failed/…`.
    pub path: PathBuf,
}

impl Archived {
    /// Returns what the path of an archived input below the var folder tells. A folder that has the job's ID in its name,
    /// too, stands for one whose name a file had.
    fn at(path: &Path) -> Option<Self> {
        let below = path.strip_prefix("done").or_else(|_| path.strip_prefix("failed")).ok()?;
        let (id, name) = parts(path.file_name()?)?;
        let plain = |folder: &OsStr| match parts(folder) {
            Some((own, Some(plain))) if own == id => plain,
            _ => folder.to_owned(),
        };
        let folders = below.parent()?.iter().map(plain);
        let origin = folders.chain([name?]).collect();
        Some(Self { id, origin, path: path.to_owned() })
    }

    /// Returns whether it was rejected.
    #[must_use]
    pub fn is_failed(&self) -> bool {
        self.path.starts_with("failed")
    }
}

impl Search {
    /// Returns the archived input at that path below the var folder.
    #[must_use]
    pub fn archived_at(&self, path: &Path) -> Option<Archived> {
        let found = fs::symlink_metadata(self.var.join(path)).ok()?;
        Archived::at(path).filter(|_| found.is_file())
    }

    /// Returns the newest input that was dropped as `origin`.
    #[must_use]
    pub fn newest_archived(&self, origin: &Path) -> Option<Archived> {
        let mut newest = None::<Archived>;
        for root in ["done", "failed"] {
            let folder = Path::new(root).join(origin.parent().unwrap_or(Path::new("")));
            self.visit(folder, false, &mut |archived| {
                if archived.origin == origin && newest.as_ref().is_none_or(|other| other.id < archived.id) {
                    newest = Some(archived);
                }
            });
        }
        newest
    }

    /// Returns the input of the job of that ID.
    #[must_use]
    pub fn archived_by_id(&self, id: &str) -> Option<Archived> {
        let mut found = None;
        if is_id(id.as_bytes()) {
            self.visit_archive(&["failed", "done"], |archived| {
                if archived.id == id {
                    found = Some(archived);
                }
            });
        }
        found
    }

    /// Returns the newest of every file, from those that somebody `wants` in these of the two folders, by the path that it
    /// was dropped under.
    #[must_use]
    pub fn newest_of_each(
        &self,
        roots: &[&str],
        wants: impl Fn(&Archived) -> bool,
    ) -> BTreeMap<PathBuf, Archived> {
        let mut newest: BTreeMap<PathBuf, Archived> = BTreeMap::new();
        self.visit_archive(roots, |archived| {
            let is_older = newest.get(&archived.origin).is_some_and(|other| other.id > archived.id);
            if !is_older && wants(&archived) {
                newest.insert(archived.origin.clone(), archived);
            }
        });
        newest
    }

    /// Shows what lies in these of the two folders, `done` and `failed`, in no order, until the time is over.
    pub fn visit_archive(&self, roots: &[&str], mut see: impl FnMut(Archived)) {
        for root in roots {
            self.visit(root.into(), true, &mut see);
        }
    }

    fn visit(&self, folder: PathBuf, is_deep: bool, see: &mut impl FnMut(Archived)) {
        let mut looked_at = 0;
        let mut folders = vec![folder];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(self.var.join(&folder)).into_iter().flatten().flatten() {
                looked_at += 1;
                if looked_at > ENTRIES_MAX || self.is_late() {
                    return;
                }
                let path = folder.join(entry.file_name());
                match entry.file_type() {
                    // The first name is that of the root.
                    Ok(kind) if kind.is_dir() && is_deep && path.components().count() <= DEPTH_MAX => {
                        folders.push(path);
                    }
                    Ok(kind) if kind.is_file() => Archived::at(&path).into_iter().for_each(&mut *see),
                    _ => {}
                }
            }
        }
    }
}

/// Returns the ID of the job in the name of an archived input, and the name that it was dropped under unless that was cut;
/// `None` for names that are none of the service's.
pub(super) fn parts(name: &OsStr) -> Option<(String, Option<OsString>)> {
    let bytes = name.as_bytes();
    ids(bytes).find_map(|(dot, id)| {
        if is_cut(&bytes[..dot], bytes.len()) {
            return Some((id, None));
        }
        let dropped = OsString::from_vec([&bytes[..dot], &bytes[dot + 1 + job_id::LENGTH..]].concat());
        (naming::archived(&dropped, &id) == name).then_some((id, Some(dropped)))
    })
}

/// Returns the IDs in a name, each between a dot and another one or the end, from the end on, with the place of the dot
/// before.
fn ids(name: &[u8]) -> impl Iterator<Item = (usize, String)> {
    let dots = (0..name.len().saturating_sub(job_id::LENGTH)).rev().filter(|at| name[*at] == b'.');
    dots.filter_map(|dot| {
        let (id, rest) = name[dot + 1..].split_at(job_id::LENGTH);
        let is_whole = is_id(id) && (rest.is_empty() || rest[0] == b'.');
        is_whole.then(|| (dot, String::from_utf8_lossy(id).into_owned()))
    })
}

/// Returns whether a name so long was cut, so that the beginning of it ends with a digest of the whole.
fn is_cut(stem: &[u8], name_bytes: usize) -> bool {
    // A character that was not cut in two may leave as many bytes less.
    let is_full = name_bytes + 3 >= naming::NAME_BYTES_MAX;
    let mark = stem.len().checked_sub(CUT_MARK_BYTES).map(|at| &stem[at..]);
    is_full && mark.is_some_and(|mark| mark[0] == b'~' && mark[1..].iter().all(u8::is_ascii_hexdigit))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "20261121T121744.123456Z";

    #[test]
    fn a_name_and_its_id_are_told_apart_again() {
        for name in ["entrada.txt", "a", ".hidden", "a.b.c", "a.20261121T121744.123456Z.txt", "é.txt"] {
            let kept = naming::archived(OsStr::new(name), ID);
            assert_eq!(parts(&kept), Some((ID.to_owned(), Some(name.into()))), "{name}");
        }
        let cut = naming::archived(OsStr::new(&"x".repeat(255)), ID);
        assert_eq!(parts(&cut), Some((ID.to_owned(), None)));
        for other in ["entrada.txt", "a.20261121T121744Z.txt", ""] {
            assert_eq!(parts(OsStr::new(other)), None, "{other}");
        }
    }

    #[test]
    fn the_newest_of_a_name_is_found_wherever_it_lies() {
        let root = tempfile::tempdir().unwrap();
        let file = |path: &str| {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "1").unwrap();
        };
        let folder = |name: &str| root.path().join(name);
        let search =
            Search { inbox: folder("inbox"), outbox: folder("outbox"), var: folder("var"), deadline: None };
        assert_eq!(search.newest_archived(Path::new("a/x.txt")), None);
        file("var/done/a/x.20261121T121744.000001Z.txt");
        file("var/failed/a/x.20261121T121744.000002Z.txt");
        file("var/failed/a/x.20261121T121744.000003Z.dat");
        file("var/failed/y.20261121T121744.000001Z.txt");
        let newest = search.newest_archived(Path::new("a/x.txt")).unwrap();
        assert_eq!(newest.path, Path::new("failed/a/x.20261121T121744.000002Z.txt"));
        assert!(newest.is_failed());
        assert_eq!(search.archived_at(&newest.path), Some(newest.clone()));
        assert_eq!(search.archived_by_id(&newest.id), Some(newest.clone()));
        assert_eq!(search.archived_by_id("20271121T121744.000002Z"), None);
        let failed = search.newest_of_each(&["failed"], |_| true);
        assert_eq!((failed.len(), &failed[Path::new("a/x.txt")]), (3, &newest));
    }

    #[test]
    fn a_folder_of_the_job_s_own_stands_for_the_one_that_was_dropped() {
        let of = |path: &str| Archived::at(Path::new(path)).map(|archived| archived.origin);
        assert_eq!(of(&format!("done/a.{ID}/b/x.{ID}.txt")), Some("a/b/x.txt".into()));
        let other = "20261121T121744.999999Z";
        assert_eq!(of(&format!("done/a.{other}/x.{ID}.txt")), Some(format!("a.{other}/x.txt").into()));
        assert_eq!(of(&format!("elsewhere/x.{ID}.txt")), None);
    }
}
