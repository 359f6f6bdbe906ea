//! The section `[folders]`, and the paths in the service's own folder.

use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path, PathBuf};

use serde_json::json;

use super::config_keys::{Declared, PATH_BYTES_MAX, any_path, path_of, section, text};
use super::sections::Control;
use super::toml_reader::Table;

section! {
    /// The folders of the service.
    pub struct Folders {
        /// The folder in which relative paths begin, those of the folders, of metrics.textfile and of page.path; itself
        /// relative to the folder of the configuration file.
        pub base: Option<PathBuf> =
            any_path("the path of a folder, or \"\" for the current directory").after_restart(),
        /// Where files are dropped.
        pub inbox: PathBuf = folder("inbox").after_restart(),
        /// Where results and reports appear.
        pub outbox: PathBuf = folder("outbox").after_restart(),
        /// The service's own folder, on the inbox's file system.
        pub var: PathBuf = folder("var").after_restart(),
    }
}

fn folder(default: &str) -> Declared<PathBuf> {
    let rule = json!({ "type": "string", "minLength": 1, "maxLength": PATH_BYTES_MAX });
    text(default.into(), "the path of a folder", rule, path_of, |path| path.to_string_lossy().into_owned())
}

/// Two folders, one inside the other, each with its key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{} = \"{}\" lies in {} = \"{}\": expected folders apart from each other", inner.0, inner.1.display(), outer.0, outer.1.display())]
pub struct NestedFolders {
    /// The inner folder.
    pub inner: (&'static str, PathBuf),
    /// The outer folder.
    pub outer: (&'static str, PathBuf),
}

impl Folders {
    /// Returns the folder of inputs that were answered.
    pub fn done(&self) -> PathBuf {
        self.var.join("done")
    }

    /// Returns the folder of inputs that were rejected.
    pub fn failed(&self) -> PathBuf {
        self.var.join("failed")
    }

    /// Returns the folder of the history, which has one file per day with the outcomes of jobs.
    pub fn history(&self) -> PathBuf {
        self.var.join("history")
    }

    /// Returns the folders with relative paths made absolute below `folder`.
    pub fn below(&self, folder: &Path) -> Self {
        let [inbox, outbox, var] = [&self.inbox, &self.outbox, &self.var].map(|path| folder.join(path));
        Self { base: self.base.clone(), inbox, outbox, var }
    }

    /// Returns the absolute base of a configuration in `file`; `None` if the base is the current directory. Links are
    /// not resolved, so that people see the names that they wrote.
    pub(super) fn absolute_base(&self, file: &Path, cwd: &Path) -> Option<PathBuf> {
        Some(absolute(&file.with_file_name(self.base.as_ref()?), cwd))
    }

    /// Returns a warning with a remedy for each folder or socket that is open to all users but meant for the staff.
    pub(super) fn open_to_others(&self, control: &Control) -> Vec<String> {
        let of_staff = ["work", "done", "failed", "history", "log"].map(|name| self.var.join(name));
        let is_open = of_staff.iter().any(|folder| of_others(folder) & 0o5 != 0);
        let listed = [&self.inbox, &self.outbox].into_iter().filter(|folder| of_others(folder) & 0o4 != 0);
        let folders = listed.map(|folder| (folder, "o-r")).chain(is_open.then_some((&self.var, "o-rwx")));
        let told = folders.map(|(folder, close)| {
            let folder = folder.canonicalize().unwrap_or_else(|_| folder.clone());
            let folder = folder.display();
            format!("results.readers = \"owner\", but everybody may look into {folder}; to close it: chmod {close} {folder}")
        });
        let mode = control.mode;
        let socket = control.socket.as_ref().map(|socket| self.var.join(socket));
        let is_reached = |socket: PathBuf| socket.parent().is_some_and(|folder| of_others(folder) & 0o1 != 0);
        let is_asked = mode & 0o2 != 0 && socket.is_some_and(is_reached);
        let asked = format!(
            "results.readers = \"owner\", but control.mode = \"{mode:04o}\" lets everybody ask about all files; write \"0660\""
        );
        told.chain(is_asked.then_some(asked)).collect()
    }

    /// Checks that neither the outbox nor var is inside the inbox or contains it, and that the outbox is not var.
    /// Otherwise the service would take its own files for dropped ones, or mix results with inputs.
    ///
    /// Compares the paths as they are written; the caller must resolve symbolic links first.
    ///
    /// # Errors
    /// Returns the first pair that is nested.
    pub fn check_apart(&self) -> Result<(), NestedFolders> {
        let [inbox, outbox, var] = [("inbox", &self.inbox), ("outbox", &self.outbox), ("var", &self.var)];
        let nested = |inner: (_, &PathBuf), outer: (_, &PathBuf)| {
            Err(NestedFolders { inner: (inner.0, inner.1.clone()), outer: (outer.0, outer.1.clone()) })
        };
        for (inner, outer) in [(outbox, inbox), (inbox, outbox), (var, inbox), (inbox, var)] {
            if is_within(inner.1, outer.1) {
                return nested(inner, outer);
            }
        }
        let is_same = is_within(&self.outbox, &self.var) && is_within(&self.var, &self.outbox);
        if is_same { nested(var, outbox) } else { Ok(()) }
    }

    /// Reports folders of `[folders]` that are nested.
    pub(super) fn report_nested(&self, table: &Table<'_, '_>) {
        let Err(nested) = self.check_apart() else { return };
        // Reports at the key to change: `outbox` if the outbox is the inner folder, else the last folder that the text
        // names.
        let first = if nested.inner.0 == "outbox" { "outbox" } else { "var" };
        let found = [first, "var", "outbox", "inbox"].into_iter().find_map(|key| table.found(key));
        table.source.add(found.map_or(0, |found| found.offset()), format!("[folders] {nested}"));
    }
}

/// Returns the mode bits for users who are neither the owner nor in the group; 0 if they cannot reach the folder.
fn of_others(folder: &Path) -> u32 {
    let Ok(folder) = folder.canonicalize() else { return 0 };
    let mode = |path: &Path| path.metadata().map_or(0, |found| found.mode());
    let is_reached = folder.ancestors().skip(1).all(|above| mode(above) & 0o1 != 0);
    if is_reached { mode(&folder) & 0o7 } else { 0 }
}

/// Returns `path` below `cwd`, and resolves `.` and `..` if no link is involved. Links are not resolved.
pub(super) fn absolute(path: &Path, cwd: &Path) -> PathBuf {
    path.components().fold(cwd.to_owned(), |mut folder, part| {
        match part {
            Component::CurDir => {}
            // After a link, `..` leads elsewhere.
            Component::ParentDir if folder.file_name().is_some() && !folder.is_symlink() => {
                folder.pop();
            }
            part => folder.push(part),
        }
        folder
    })
}

/// Returns whether `inner` is `outer` or lies below it, judged by the paths alone.
fn is_within(inner: &Path, outer: &Path) -> bool {
    let plain = |path| absolute(path, Path::new(""));
    plain(inner).strip_prefix(plain(outer)).is_ok_and(|rest| !rest.starts_with(".."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_is_relative_to_the_folder_of_its_file() {
        let root = tempfile::tempdir().unwrap();
        let cwd = root.path();
        std::fs::create_dir_all(cwd.join("real/config")).unwrap();
        std::os::unix::fs::symlink("real/config", cwd.join("link")).unwrap();
        let base = |base: &str, file: &str| {
            let folders =
                Folders { base: Some(base.into()), inbox: "i".into(), outbox: "o".into(), var: "v".into() };
            folders.absolute_base(Path::new(file), cwd).unwrap()
        };
        assert_eq!(base("..", "config/t.toml"), cwd);
        assert_eq!(base("..", "./config/t.toml"), cwd);
        assert_eq!(base("..", "/x/config/t.toml"), Path::new("/x"));
        assert_eq!(base("..", "../x/config/t.toml"), cwd.parent().unwrap().join("x"));
        assert_eq!(base(".", "t.toml"), cwd);
        assert_eq!(base("a/../b/", "t.toml"), cwd.join("b"));
        assert_eq!(base("/srv/tabuleiro", "config/t.toml"), Path::new("/srv/tabuleiro"));
        // As the system resolves it: the folder above the link's target.
        assert_eq!(base("..", "link/t.toml"), cwd.join("link/.."));
        assert_eq!(cwd.join("link/..").canonicalize().unwrap(), cwd.join("real").canonicalize().unwrap());
        let absent = Folders { base: None, inbox: "i".into(), outbox: "o".into(), var: "v".into() };
        assert_eq!(absent.absolute_base(Path::new("config/t.toml"), cwd), None);
    }
}
