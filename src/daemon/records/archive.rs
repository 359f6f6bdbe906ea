//! Finding inputs that are kept, in `done` and `failed`, by the names that they were dropped under.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::config;
use crate::daemon::base::job_id::{self, is_id, time_of};
use crate::daemon::fs::folders::Folders;
use crate::daemon::fs::os::Platform;
use crate::daemon::fs::tree::Tree;
use crate::daemon::records::history;
use crate::daemon::records::history::Query;
use crate::naming;

/// Entries looked at in `done` and in `failed`, each.
const ENTRIES_MAX: usize = 200_000;
/// Folders deeper than this are not looked into: files that lie so deep are not taken from the inbox.
const DEPTH_MAX: usize = 65;
/// What ends the beginning of a name that was cut: `~` and a digest of 8 bytes.
const CUT_MARK_BYTES: usize = 17;
/// Where everything lies, for those who look without serving.
#[derive(Debug, Clone)]
pub struct Place {
    /// Where files are dropped.
    pub inbox: PathBuf,
    /// Where results appear.
    pub outbox: PathBuf,
    /// The service's own folder.
    pub var: PathBuf,
    /// When whoever looks gives up, however far it came; `None`: looking may take its time.
    pub deadline: Option<Instant>,
}

/// An input that is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// The job's ID.
    pub id: String,
    /// The path below the inbox that it was dropped under.
    pub origin: PathBuf,
    /// Where it lies below the var folder: `done/…` or `failed/…`.
    pub path: PathBuf,
}

impl Kept {
    /// Whether it was rejected.
    #[must_use]
    pub fn is_failed(&self) -> bool {
        self.path.starts_with("failed")
    }
}

impl From<&Folders> for Place {
    fn from(folders: &Folders) -> Self {
        let var = folders.work.parent().unwrap_or(&folders.work).to_owned();
        Self { inbox: folders.inbox.clone(), outbox: folders.outbox.clone(), var, deadline: None }
    }
}

impl Place {
    /// The folders of a configuration, links resolved as far as they exist.
    ///
    /// # Errors
    /// When there is no current directory.
    pub fn of(folders: &config::Folders) -> io::Result<Self> {
        let real = |folder: &Path| fs::canonicalize(folder).or_else(|_| std::path::absolute(folder));
        let [inbox, outbox, var] = [&folders.inbox, &folders.outbox, &folders.var].map(|folder| real(folder));
        Ok(Self { inbox: inbox?, outbox: outbox?, var: var?, deadline: None })
    }

    /// The time for looking is over, so what was not found may be there all the same.
    #[must_use]
    pub fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Through which kept inputs are moved.
    #[must_use]
    pub fn tree(&self) -> Tree {
        let own = ["done", "failed", "work"].map(|name| self.var.join(name));
        let roots = own.into_iter().chain([self.inbox.clone()]).collect::<Vec<_>>();
        Tree::new(roots.iter().map(PathBuf::as_path), Platform::native())
    }

    /// The history.
    #[must_use]
    pub fn history(&self) -> PathBuf {
        self.var.join("history")
    }

    /// All that is kept of the file dropped as `origin`, the oldest first, as the names of kept inputs tell.
    #[must_use]
    pub fn kept_of(&self, origin: &Path) -> Vec<Kept> {
        let mut kept = Vec::new();
        for root in ["done", "failed"] {
            let folder = Path::new(root).join(origin.parent().unwrap_or(Path::new("")));
            for entry in
                fs::read_dir(self.var.join(&folder)).into_iter().flatten().flatten().take(ENTRIES_MAX)
            {
                if let Some((name, id)) = parts(&entry.file_name())
                    && Some(name.as_os_str()) == origin.file_name()
                    && entry.file_type().is_ok_and(|kind| kind.is_file())
                {
                    kept.push(Kept { id, origin: origin.to_owned(), path: folder.join(entry.file_name()) });
                }
            }
        }
        kept.sort_unstable_by(|a, b| a.id.cmp(&b.id));
        kept
    }

    /// The newest that is kept of the file dropped as `origin`. The history tells of names that were cut and of folders
    /// that had to have another name.
    #[must_use]
    pub fn newest(&self, origin: &Path) -> Option<Kept> {
        let by_name = self.kept_of(origin).pop();
        // Only a newer one is of interest.
        let since = by_name.as_ref().and_then(|kept| time_of(&kept.id));
        let told = self.told(Query { file: Some(origin.to_owned()), since, ..Query::default() });
        match (by_name, told) {
            (Some(by_name), Some(told)) => Some(if told.id > by_name.id { told } else { by_name }),
            (by_name, told) => by_name.or(told),
        }
    }

    /// What is kept under that path below the var folder.
    #[must_use]
    pub fn at(&self, path: &Path) -> Option<Kept> {
        if !self.is_file(path) {
            return None;
        }
        let below = path.strip_prefix("done").or_else(|_| path.strip_prefix("failed")).ok()?;
        let name = path.file_name()?;
        // The history knows better what the file was called.
        for (_, id) in ids(name.as_bytes()) {
            let told = self.told(Query { id: Some(id), ..Query::default() });
            if told.as_ref().is_some_and(|told| told.path == path) {
                return told;
            }
        }
        let (name, id) = parts(name)?;
        Some(Kept { id, origin: below.with_file_name(name), path: path.to_owned() })
    }

    /// What is kept of the job of that ID.
    #[must_use]
    pub fn by_id(&self, id: &str) -> Option<Kept> {
        if !is_id(id.as_bytes()) {
            return None;
        }
        let told = self.told(Query { id: Some(id.to_owned()), ..Query::default() });
        told.or_else(|| {
            let mut found = None;
            self.visit(&["failed", "done"], |kept| {
                if kept.id != id {
                    return ControlFlow::Continue(());
                }
                found = Some(kept);
                ControlFlow::Break(())
            });
            found
        })
    }

    /// The newest that failed of every file, from those taken since that ID, by the path that it was dropped under.
    #[must_use]
    pub fn failed(&self, since_id: Option<&str>) -> BTreeMap<PathBuf, Kept> {
        let mut newest: BTreeMap<PathBuf, Kept> = BTreeMap::new();
        self.visit(&["failed"], |kept| {
            let is_older = newest.get(&kept.origin).is_some_and(|other| other.id > kept.id);
            if !is_older && since_id.is_none_or(|since| *kept.id >= *since) {
                newest.insert(kept.origin.clone(), kept);
            }
            ControlFlow::Continue(())
        });
        newest
    }

    fn told(&self, query: Query) -> Option<Kept> {
        let query = Query { deadline: self.deadline, ..query };
        let record = history::newest(&self.history(), &query).ok()??;
        let path = record.kept?.0;
        self.is_file(&path).then_some(Kept { id: record.id, origin: record.file.0, path })
    }

    fn is_file(&self, below_var: &Path) -> bool {
        fs::symlink_metadata(self.var.join(below_var)).is_ok_and(|found| found.is_file())
    }

    /// Shows what is kept in these of the two folders, `done` and `failed`, in no order, until told to stop or the deadline
    /// has come.
    pub fn visit(&self, roots: &[&'static str], mut see: impl FnMut(Kept) -> ControlFlow<()>) {
        for root in roots {
            if self.visit_one(root, &mut see).is_break() {
                return;
            }
        }
    }

    fn visit_one(&self, root: &str, see: &mut impl FnMut(Kept) -> ControlFlow<()>) -> ControlFlow<()> {
        let base = self.var.join(root);
        let mut folders = vec![PathBuf::new()];
        let mut looked_at = 0;
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(base.join(&folder)).into_iter().flatten().flatten() {
                looked_at += 1;
                if looked_at > ENTRIES_MAX {
                    return ControlFlow::Continue(());
                }
                if self.is_late() {
                    return ControlFlow::Break(());
                }
                let below = folder.join(entry.file_name());
                match entry.file_type() {
                    Ok(kind) if kind.is_dir() && below.components().count() < DEPTH_MAX => {
                        folders.push(below);
                    }
                    Ok(kind) if kind.is_file() => {
                        if let Some((name, id)) = parts(&entry.file_name()) {
                            let origin = folder.join(name);
                            see(Kept { id, origin, path: Path::new(root).join(below) })?;
                        }
                    }
                    _ => {}
                }
            }
        }
        ControlFlow::Continue(())
    }
}

/// The name that a kept input was dropped under, and the ID of its job; `None` for names that were cut or are none of
/// the service's.
#[must_use]
pub fn parts(name: &OsStr) -> Option<(OsString, String)> {
    let bytes = name.as_bytes();
    for (dot, id) in ids(bytes) {
        if is_cut(&bytes[..dot], bytes.len()) {
            return None;
        }
        let dropped = OsString::from_vec([&bytes[..dot], &bytes[dot + 1 + job_id::LENGTH..]].concat());
        if naming::archived(&dropped, &id) == name {
            return Some((dropped, id));
        }
    }
    None
}

/// The IDs in a name, each between a dot and another one or the end, from the end on, with the place of the dot before.
fn ids(name: &[u8]) -> impl Iterator<Item = (usize, String)> {
    let dots = (0..name.len().saturating_sub(job_id::LENGTH)).rev().filter(|at| name[*at] == b'.');
    dots.filter_map(|dot| {
        let (id, rest) = name[dot + 1..].split_at(job_id::LENGTH);
        let is_whole = is_id(id) && (rest.is_empty() || rest[0] == b'.');
        is_whole.then(|| (dot, String::from_utf8_lossy(id).into_owned()))
    })
}

/// Whether a name so long was cut, so that the beginning of it ends with a digest of the whole.
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
            assert_eq!(parts(&kept), Some((name.into(), ID.to_owned())), "{name}");
        }
        let cut = naming::archived(OsStr::new(&"x".repeat(255)), ID);
        for other in [OsStr::new("entrada.txt"), OsStr::new("a.20261121T121744Z.txt"), OsStr::new(""), &cut] {
            assert_eq!(parts(other), None, "{}", other.display());
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
        let place =
            Place { inbox: folder("inbox"), outbox: folder("outbox"), var: folder("var"), deadline: None };
        assert_eq!(place.newest(Path::new("a/x.txt")), None);
        file("var/done/a/x.20261121T121744.000001Z.txt");
        file("var/failed/a/x.20261121T121744.000002Z.txt");
        file("var/failed/a/x.20261121T121744.000003Z.dat");
        file("var/failed/y.20261121T121744.000001Z.txt");
        let newest = place.newest(Path::new("a/x.txt")).unwrap();
        assert_eq!(newest.path, Path::new("failed/a/x.20261121T121744.000002Z.txt"));
        assert!(newest.is_failed());
        assert_eq!(place.at(&newest.path), Some(newest.clone()));
        assert_eq!(place.by_id(&newest.id), Some(newest.clone()));
        assert_eq!(place.by_id("20271121T121744.000002Z"), None);
        let failed = place.failed(None);
        assert_eq!((failed.len(), &failed[Path::new("a/x.txt")]), (3, &newest));
    }
    #[test]
    fn the_history_tells_of_names_that_were_cut_and_of_newer_ones() {
        let root = tempfile::tempdir().unwrap();
        let place = Place {
            inbox: "inbox".into(),
            outbox: "outbox".into(),
            var: root.path().to_owned(),
            deadline: None,
        };
        for folder in ["done", "failed", "history"] {
            fs::create_dir(root.path().join(folder)).unwrap();
        }
        let long = "x".repeat(255);
        let (older, newer) = (naming::archived(OsStr::new("x.txt"), ID), "elsewhere.txt");
        let cut = naming::archived(OsStr::new(&long), ID).into_string().unwrap();
        let mut lines = String::new();
        for (file, id, name) in
            [(long.as_str(), ID, cut.as_str()), ("x.txt", "20261122T000000.000000Z", newer)]
        {
            fs::write(root.path().join("done").join(name), "1").unwrap();
            lines.push_str(&format!(
                "{{\"time\":\"2026-11-22T00:00:00Z\",\"id\":\"{id}\",\"file\":\"{file}\",\"outcome\":\"answered\",\"kept\":\"done/{name}\"}}\n"
            ));
        }
        fs::write(root.path().join("done").join(older), "1").unwrap();
        fs::write(root.path().join("history/2026-11-22.jsonl"), lines).unwrap();
        assert_eq!(place.newest(Path::new(&long)).unwrap().path, Path::new("done").join(&cut));
        assert_eq!(place.at(&Path::new("done").join(&cut)).unwrap().origin, Path::new(&long));
        assert_eq!(place.newest(Path::new("x.txt")).unwrap().path, Path::new("done/elsewhere.txt"));
        assert_eq!(place.by_id(ID).unwrap().path, Path::new("done").join(&cut));
    }
}
