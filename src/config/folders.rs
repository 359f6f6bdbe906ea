//! The section of the folders, and what lies in the daemon's own.

use std::path::{Component, Path, PathBuf};

use serde_json::json;

use super::keys::{Declared, section, text};
use super::reader::Table;
use super::settings::is_path;

section! {
    /// Where everything lies. Relative paths are relative to the current directory.
    pub struct Folders {
        /// Where files are dropped.
        pub inbox: PathBuf = folder("inbox").after_restart(),
        /// Where results and reports appear.
        pub outbox: PathBuf = folder("outbox").after_restart(),
        /// The service's own folder, on the inbox's file system.
        pub var: PathBuf = folder("var").after_restart(),
    }
}

fn folder(default: &str) -> Declared<PathBuf> {
    let rule = json!({ "type": "string", "minLength": 1, "maxLength": 4095 });
    let parse = |path: &str| is_path(path).then(|| path.into());
    text(default.into(), "the path of a folder", rule, parse, |path| path.to_string_lossy().into_owned())
}

/// Two folders of which one lies in the other, each with its key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{} = \"{}\" lies in {} = \"{}\": expected folders apart from each other", inner.0, inner.1.display(), outer.0, outer.1.display())]
pub struct NestedFolders {
    /// The inner folder.
    pub inner: (&'static str, PathBuf),
    /// The outer folder.
    pub outer: (&'static str, PathBuf),
}

impl Folders {
    /// Inputs that were answered.
    #[must_use]
    pub fn done(&self) -> PathBuf {
        self.var.join("done")
    }

    /// Inputs that were rejected.
    #[must_use]
    pub fn failed(&self) -> PathBuf {
        self.var.join("failed")
    }

    /// The control socket at a configured path, which may be relative to the var folder.
    #[must_use]
    pub fn control_socket(&self, socket: &Path) -> PathBuf {
        self.var.join(socket)
    }

    /// What became of each job, a file a day.
    #[must_use]
    pub fn history(&self) -> PathBuf {
        self.var.join("history")
    }

    /// The folders with relative paths made absolute below `cwd`.
    #[must_use]
    pub fn below(&self, cwd: &Path) -> Self {
        let [inbox, outbox, var] = [&self.inbox, &self.outbox, &self.var].map(|folder| cwd.join(folder));
        Self { inbox, outbox, var }
    }

    /// Refuses an outbox or var inside the inbox or around it, and an outbox that is var: the service would
    /// take its own files for dropped ones, or mix results with inputs.
    ///
    /// This compares the paths as they are written; symbolic links are for the caller to resolve first.
    ///
    /// # Errors
    /// The first pair that is nested.
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
        // Where it can be changed: the inner outbox, else the last of the folders that the text names.
        let first = if nested.inner.0 == "outbox" { "outbox" } else { "var" };
        let found = [first, "var", "outbox", "inbox"].into_iter().find_map(|key| table.found(key));
        table.source.add(found.map_or(0, |found| found.offset()), format!("[folders] {nested}"));
    }
}

/// Whether `inner` is `outer` or lies below it, as far as the paths alone tell.
fn is_within(inner: &Path, outer: &Path) -> bool {
    match normalized(inner).strip_prefix(normalized(outer)) {
        Ok(rest) => !rest.starts_with(".."),
        Err(_) => false,
    }
}

/// `path` without `.`, and without `..` behind a name.
fn normalized(path: &Path) -> PathBuf {
    let mut result = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if matches!(result.components().next_back(), Some(Component::Normal(_))) => {
                result.pop();
            }
            component => result.push(component),
        }
    }
    result
}
