//! The folders of the service: where they are, that they fit together, and who may use them.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The folders in use, absolute.
#[derive(Debug, Clone)]
pub struct Folders {
    /// Where people drop files.
    pub inbox: PathBuf,
    /// Where results appear.
    pub outbox: PathBuf,
    /// Results in the making, on the outbox's file system.
    pub making: PathBuf,
    /// Claimed files, on the inbox's file system.
    pub work: PathBuf,
    /// Answered inputs.
    pub done: PathBuf,
    /// Rejected inputs.
    pub failed: PathBuf,
    /// Log files.
    pub log: PathBuf,
}

/// What is wrong with the folders; ends the process.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// A folder cannot be made or opened.
    #[error("{role} {}: {source}", path.display())]
    Unusable {
        /// `inbox`, …
        role: &'static str,
        /// Where.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// One folder lies inside another.
    #[error("{inner_role} {} lies inside {outer_role} {}: results and working files would be taken for input; \
             choose separate folders", inner.display(), outer.display())]
    Nested {
        /// `outbox`, …
        inner_role: &'static str,
        /// Its path.
        inner: PathBuf,
        /// `inbox`, …
        outer_role: &'static str,
        /// Its path.
        outer: PathBuf,
    },
    /// Claims would be copies.
    #[error("the working folder {} and the inbox {} are on different file systems, so files cannot be claimed by \
             a rename; set folders.var to a folder on the inbox's file system", work.display(), inbox.display())]
    OtherFileSystem {
        /// The working folder.
        work: PathBuf,
        /// The inbox.
        inbox: PathBuf,
    },
    /// Another daemon uses the working folder.
    #[error("another tabuleiro serves with the working folder {}; stop it, or give this one its own folders.var",
            work.display())]
    Locked {
        /// The working folder.
        work: PathBuf,
    },
}

/// Exclusive use of the working folder, as long as it lives.
#[derive(Debug)]
pub struct WorkLock(#[allow(dead_code, reason = "held for its lock")] File);

impl Folders {
    /// Makes what is missing, checks that the folders fit together, and locks the working folder.
    ///
    /// # Errors
    /// [`FolderError`], each with what to do about it.
    pub fn prepare(inbox: &Path, outbox: &Path, var: &Path) -> Result<(Self, WorkLock), FolderError> {
        let inbox = make("inbox", inbox)?;
        let outbox = make("outbox", outbox)?;
        let var = make("var", var)?;
        separate(("inbox", &inbox), ("outbox", &outbox))?;
        separate(("inbox", &inbox), ("var", &var))?;
        if outbox == var || outbox.starts_with(&var) && inside_own_part(&var, &outbox) {
            let (inner, outer) = (outbox, var);
            return Err(FolderError::Nested { inner_role: "outbox", inner, outer_role: "var", outer });
        }
        let work = make("working folder", &var.join("work"))?;
        if device(&work)? != device(&inbox)? {
            return Err(FolderError::OtherFileSystem { work, inbox });
        }
        let lock = lock(&work)?;
        // One folder a daemon, so that daemons that share an outbox never clean up after each other.
        let identity = fs::metadata(&work).map_err(|source| unusable("working folder", &work, source))?;
        let making = outbox.join(format!(".tabuleiro-{:x}-{:x}", identity.dev(), identity.ino()));
        let folders = Self {
            making: make("outbox", &making)?,
            done: make("done", &var.join("done"))?,
            failed: make("failed", &var.join("failed"))?,
            log: make("log", &var.join("log"))?,
            inbox,
            outbox,
            work,
        };
        Ok((folders, lock))
    }
}

/// Makes a folder where it is missing and gives its absolute path.
fn make(role: &'static str, path: &Path) -> Result<PathBuf, FolderError> {
    fs::create_dir_all(path)
        .and_then(|()| fs::canonicalize(path))
        .map_err(|source| unusable(role, path, source))
}

fn unusable(role: &'static str, path: &Path, source: io::Error) -> FolderError {
    FolderError::Unusable { role, path: path.to_owned(), source }
}

fn separate(a: (&'static str, &Path), b: (&'static str, &Path)) -> Result<(), FolderError> {
    for ((inner_role, inner), (outer_role, outer)) in [(a, b), (b, a)] {
        if inner.starts_with(outer) {
            let (inner, outer) = (inner.to_owned(), outer.to_owned());
            return Err(FolderError::Nested { inner_role, inner, outer_role, outer });
        }
    }
    Ok(())
}

/// Whether `path` lies in one of the folders below `var` that are the service's own.
fn inside_own_part(var: &Path, path: &Path) -> bool {
    ["work", "done", "failed", "log"].iter().any(|part| path.starts_with(var.join(part)))
}

fn device(path: &Path) -> Result<u64, FolderError> {
    fs::metadata(path).map(|metadata| metadata.dev()).map_err(|source| unusable("folder", path, source))
}

fn lock(work: &Path) -> Result<WorkLock, FolderError> {
    let path = work.join("lock");
    let file = File::create(&path).map_err(|source| unusable("working folder", &path, source))?;
    match rustix::fs::flock(&file, rustix::fs::FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(WorkLock(file)),
        Err(rustix::io::Errno::WOULDBLOCK) => Err(FolderError::Locked { work: work.to_owned() }),
        Err(error) => Err(unusable("working folder", &path, error.into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_folders_are_refused() {
        let root = tempfile::tempdir().unwrap();
        let at = |name: &str| root.path().join(name);
        let nested = [
            ("in", "in/out", "var"),
            ("out/in", "out", "var"),
            ("in", "out", "in/var"),
            ("var/in", "out", "var"),
            ("in", "in", "var"),
            ("in", "var/done/x", "var"),
        ];
        for (inbox, outbox, var) in nested {
            let error = Folders::prepare(&at(inbox), &at(outbox), &at(var)).unwrap_err();
            assert!(matches!(error, FolderError::Nested { .. }), "{inbox} {outbox} {var}: {error}");
        }
        Folders::prepare(&at("a"), &at("b"), &at("c")).unwrap();
    }

    #[test]
    fn a_working_folder_serves_one_daemon() {
        let root = tempfile::tempdir().unwrap();
        let at = |name: &str| root.path().join(name);
        let first = Folders::prepare(&at("a"), &at("b"), &at("c")).unwrap();
        let error = Folders::prepare(&at("x"), &at("y"), &at("c")).unwrap_err();
        assert!(matches!(error, FolderError::Locked { .. }), "{error}");
        drop(first);
        Folders::prepare(&at("x"), &at("y"), &at("c")).unwrap();
    }
}
