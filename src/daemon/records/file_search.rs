//! Searches the service's folders, above all the archive: the answered and rejected inputs in `done` and `failed`. The
//! path of an archived input contains the ID of its job and the path under which the file was dropped. The latter is
//! lost if the name had to be cut, so such a file is not found here.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Component, Path, PathBuf};
use std::time::Instant;

use crate::config;
use crate::daemon::base::job_id::{self, is_id};
use crate::daemon::fs::folder_tree::Tree;
use tabuleiro_jobs::naming;

/// Where to search, and for how long.
#[derive(Debug, Clone)]
pub struct Search {
    /// Where files are dropped.
    pub inbox: PathBuf,
    /// Where results appear.
    pub outbox: PathBuf,
    /// The service's own folder.
    pub var: PathBuf,
    /// When the search stops, even if it is incomplete; `None` for no limit.
    pub deadline: Option<Instant>,
}

impl Search {
    /// Returns a search of the configured folders. Symbolic links are resolved if the folder exists.
    pub fn of(folders: &config::Folders) -> Self {
        let real = |folder: &PathBuf| {
            let real = fs::canonicalize(folder).or_else(|_| std::path::absolute(folder));
            real.unwrap_or_else(|_| folder.clone())
        };
        let [inbox, outbox, var] = [&folders.inbox, &folders.outbox, &folders.var].map(real);
        Self { inbox, outbox, var, deadline: None }
    }

    /// Returns whether the deadline has passed. A file that was not found can then exist all the same.
    pub fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Returns the tree through which files are read and moved.
    pub fn tree(&self) -> Tree {
        let own = ["done", "failed", "work"].map(|name| self.var.join(name));
        let roots = own.into_iter().chain([self.inbox.clone(), self.outbox.clone()]).collect::<Vec<_>>();
        Tree::new(roots.iter().map(PathBuf::as_path))
    }

    pub fn work(&self) -> PathBuf {
        self.var.join("work")
    }

    pub fn history(&self) -> PathBuf {
        self.var.join("history")
    }

    /// Returns the archived input at `path` below the var folder.
    pub fn archived_at(&self, path: &Path) -> Option<Archived> {
        let found = fs::symlink_metadata(self.var.join(path)).ok()?;
        Archived::at(path).filter(|_| found.is_file())
    }

    /// Returns the newest input that was dropped as `origin`.
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

    /// Returns the input of the job with that ID.
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

    /// Returns, for each path under which files were dropped, the newest input in these folders for which `wants`
    /// holds.
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

    /// Calls `see` for each input in these folders (`done`, `failed`), in no particular order, until the deadline.
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
                    // The first component is the root, `done` or `failed`.
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

/// The maximum number of entries searched in `done` and in `failed`, each.
const ENTRIES_MAX: usize = 1_000_000;
/// Folders deeper than this are not searched: files that lie so deep are not taken from the inbox.
const DEPTH_MAX: usize = 65;
/// The length of the mark at the end of a cut name: `~` and 8 bytes of a digest in hexadecimal.
const CUT_MARK_BYTES: usize = 17;

/// An input in the archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Archived {
    /// The job's ID.
    pub id: String,
    /// The path below the inbox under which it was dropped.
    pub origin: PathBuf,
    /// Where it lies below the var folder: `done/…` or `failed/…`.
    pub path: PathBuf,
}

impl Archived {
    /// Parses the path of an archived input below the var folder. If the archive already had a file with the name of a
    /// folder, that folder has the job's ID in its name, too; the ID is removed here.
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
    pub fn is_failed(&self) -> bool {
        self.path.starts_with("failed")
    }
}

/// Parses the name of an archived input into the job's ID and, unless the name was cut, the name under which the file
/// was dropped. `None` for any other name.
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

/// Returns the IDs in a name, the last one first, each with the index of the dot before it. An ID is followed by
/// another dot or the end of the name.
fn ids(name: &[u8]) -> impl Iterator<Item = (usize, String)> {
    let dots = (0..name.len().saturating_sub(job_id::LENGTH)).rev().filter(|at| name[*at] == b'.');
    dots.filter_map(|dot| {
        let (id, rest) = name[dot + 1..].split_at(job_id::LENGTH);
        let is_whole = is_id(id) && (rest.is_empty() || rest[0] == b'.');
        is_whole.then(|| (dot, String::from_utf8_lossy(id).into_owned()))
    })
}

/// Returns whether a name of `name_bytes` bytes was cut, in which case `stem` ends with a digest of the whole name.
fn is_cut(stem: &[u8], name_bytes: usize) -> bool {
    // Names are cut between characters, which can leave up to 3 bytes unused.
    let is_full = name_bytes + 3 >= naming::NAME_BYTES_MAX;
    let mark = stem.len().checked_sub(CUT_MARK_BYTES).map(|at| &stem[at..]);
    is_full && mark.is_some_and(|mark| mark[0] == b'~' && mark[1..].iter().all(u8::is_ascii_hexdigit))
}

/// Returns whether a path names something below a folder, without `..` or a root.
pub fn is_below(path: &Path) -> bool {
    path.file_name().is_some() && path.components().all(|part| matches!(part, Component::Normal(_)))
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
