//! The section of the folders, and what lies in the daemon's own.

use std::path::{Component, Path, PathBuf};

use super::raw::Section;

/// `[folders]`: where everything lies. Relative paths are relative to the current directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folders {
    /// Where people drop files.
    pub inbox: PathBuf,
    /// Where results appear.
    pub outbox: PathBuf,
    /// The daemon's own folder, on the inbox's file system.
    pub var: PathBuf,
}

/// Two folders of which one lies in the other.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{inner_key} = \"{}\" lies in {outer_key} = \"{}\": expected folders apart from each other", inner.display(), outer.display())]
pub struct NestedFolders {
    /// The key of the inner folder.
    pub inner_key: &'static str,
    /// The inner folder.
    pub inner: PathBuf,
    /// The key of the outer folder.
    pub outer_key: &'static str,
    /// The outer folder.
    pub outer: PathBuf,
}

impl Folders {
    /// Claimed files, each in a folder of its own.
    #[must_use]
    pub fn work(&self) -> PathBuf {
        self.var.join("work")
    }

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

    /// What became of each job, a file a day.
    #[must_use]
    pub fn history(&self) -> PathBuf {
        self.var.join("history")
    }

    /// The daemon's log files.
    #[must_use]
    pub fn log(&self) -> PathBuf {
        self.var.join("log")
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
        let inbox = ("inbox", &self.inbox);
        let outbox = ("outbox", &self.outbox);
        let var = ("var", &self.var);
        for (inner, outer) in [(outbox, inbox), (inbox, outbox), (var, inbox), (inbox, var)] {
            if is_within(inner.1, outer.1) {
                return Err(nested(inner, outer));
            }
        }
        if is_within(&self.outbox, &self.var) && is_within(&self.var, &self.outbox) {
            return Err(nested(var, outbox));
        }
        Ok(())
    }

    pub(super) fn read(mut section: Section<'_, '_>) -> Self {
        let mut path = |key, default| {
            let expected = "the path of a folder";
            let valid = |text: &str| !text.is_empty() && text.len() < 4096 && !text.contains('\0');
            let offset = section.take(key).map(|value| value.span().start);
            let path = section.parsed(key, PathBuf::from(default), expected, |value| {
                value.as_str().filter(|text| valid(text)).map(PathBuf::from)
            });
            (path, offset)
        };
        let (inbox, inbox_offset) = path("inbox", "inbox");
        let (outbox, outbox_offset) = path("outbox", "outbox");
        let (var, var_offset) = path("var", "var");
        let folders = Self { inbox, outbox, var };
        if let Err(nested) = folders.check_apart() {
            let offset = var_offset.or(outbox_offset).or(inbox_offset).unwrap_or(0);
            let offset = if nested.inner_key == "outbox" { outbox_offset.unwrap_or(offset) } else { offset };
            section.faults.add(offset, format!("[folders] {nested}"));
        }
        section.finish(|_| None);
        folders
    }
}

fn nested(inner: (&'static str, &PathBuf), outer: (&'static str, &PathBuf)) -> NestedFolders {
    NestedFolders { inner_key: inner.0, inner: inner.1.clone(), outer_key: outer.0, outer: outer.1.clone() }
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
