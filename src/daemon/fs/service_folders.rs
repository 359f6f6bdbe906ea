//! The folders of the service: where they are, whether they fit together, and who may use them.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags};

use crate::config::{self, NestedFolders, Readers};
use crate::daemon::fs::disk::{Access, Disk};
use crate::daemon::fs::folder_tree::Tree;
use crate::daemon::fs::os::acl::{self, Kind};

/// Begins the names of the service's own folders. Nothing in the inbox with such a name is taken, whatever the
/// configuration says.
pub const OWN_PREFIX: &str = ".tabuleiro-";

/// Returns whether a path ends in a name of this service's own, or of another daemon's.
pub fn is_own(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(OWN_PREFIX.as_bytes()))
}

/// The folders in use, as absolute paths.
#[derive(Debug, Clone)]
pub struct Folders {
    /// Where people drop files.
    pub inbox: PathBuf,
    /// Where results appear.
    pub outbox: PathBuf,
    /// Results not yet published, on the outbox's file system.
    pub staging: PathBuf,
    /// Claimed files, on the inbox's file system.
    pub work: PathBuf,
    /// Answered inputs.
    pub done: PathBuf,
    /// Rejected inputs.
    pub failed: PathBuf,
    /// What became of each job, one file per day.
    pub history: PathBuf,
    /// Log files.
    pub log: PathBuf,
}

/// What is wrong with the folders. Each of these errors ends the process.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// A folder cannot be made or opened.
    #[error("{role} {}: {source}", path.display())]
    Unusable {
        /// The role of the folder, such as `inbox`.
        role: &'static str,
        /// The path of the folder.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The folders do not fit together.
    #[error("{0}")]
    Unfit(String),
    /// Another daemon uses this working folder.
    #[error("another tabuleiro serves with the working folder {}; stop it, or give this one its own folders.var", .0.display())]
    Locked(PathBuf),
}

/// Exclusive use of the working folder while this value lives.
#[derive(Debug)]
pub struct WorkLock(#[allow(dead_code, reason = "held for its lock")] File);

impl Folders {
    /// Creates missing folders, checks that the folders fit together, and locks the working folder. Relative paths are
    /// relative to the current directory.
    ///
    /// # Errors
    /// Returns a [`FolderError`] that says what to do.
    pub fn prepare(wanted: &config::Folders) -> Result<(Self, WorkLock), FolderError> {
        let cwd = std::env::current_dir()
            .map_err(|source| unusable("current directory", Path::new("."), source))?;
        let unfit = |nested: NestedFolders| FolderError::Unfit(nested.to_string());
        // Check the paths as written, before anything is created, and again with symbolic links resolved.
        wanted.below(&cwd).check_apart().map_err(unfit)?;
        let inbox = make("inbox", &wanted.inbox)?;
        let outbox = make("outbox", &wanted.outbox)?;
        let var = make("var", &wanted.var)?;
        let real =
            config::Folders { base: None, inbox: inbox.clone(), outbox: outbox.clone(), var: var.clone() };
        real.check_apart().map_err(unfit)?;
        let work = make("working folder", &var.join("work"))?;
        let found = |path: &Path| fs::metadata(path).map_err(|source| unusable("folder", path, source));
        let identity = found(&work)?;
        if identity.dev() != found(&inbox)?.dev() {
            return Err(FolderError::Unfit(format!(
                "the working folder {} and the inbox {} are on different file systems, so files cannot be claimed by \
                 a rename; set folders.var to a folder on the inbox's file system",
                work.display(),
                inbox.display()
            )));
        }
        let lock = lock(&work)?;
        // Each daemon has its own folder, so daemons that share an outbox never clean up after each other.
        let own_name = format!("{OWN_PREFIX}{:x}-{:x}", identity.dev(), identity.ino());
        try_rename(&inbox, &work, &own_name)?;
        let staging = outbox.join(own_name);
        make_staging(&outbox, &staging)?;
        let folders = Self {
            staging,
            done: make("done", &var.join("done"))?,
            failed: make("failed", &var.join("failed"))?,
            history: make("history", &var.join("history"))?,
            log: make("log", &var.join("log"))?,
            inbox,
            outbox,
            work,
        };
        Ok((folders, lock))
    }

    /// Refuses a control socket, a metrics textfile or a page that lies in the inbox, in the working folder or in the
    /// service's own folder in the outbox. It would be mistaken for a dropped file, or be removed.
    ///
    /// # Errors
    /// Returns [`FolderError::Unfit`].
    pub fn check_files(&self, config: &config::Config) -> Result<(), FolderError> {
        let var = self.work.parent().unwrap_or(&self.work);
        let files = [
            ("control.socket", config.control.socket.as_ref().map(|socket| var.join(socket))),
            ("metrics.textfile", config.metrics.textfile.clone()),
            ("page.path", config.page.path.clone()),
        ];
        for (key, path) in files.into_iter().filter_map(|(key, path)| Some((key, path?))) {
            let real = real(&path);
            let mut taken = [&self.inbox, &self.work, &self.staging].into_iter();
            if let Some(folder) = taken.find(|folder| real.starts_with(folder)) {
                return Err(FolderError::Unfit(format!(
                    "{key} = \"{}\" lies in {}, where files come and go: expected a place outside of the inbox, of \
                     the working folder and of the service's own folder in the outbox",
                    path.display(),
                    folder.display()
                )));
            }
        }
        Ok(())
    }

    /// Returns what keeps the owners of dropped files from reading their results although `results.readers` wants them
    /// to. Tries it on the service's own folder in the outbox.
    pub fn check_readers(&self, config: &config::Config) -> Option<String> {
        if config.results.readers == Readers::Group {
            return None;
        }
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let own = Some(rustix::process::geteuid().as_raw());
        let tried = rustix::fs::open(&self.staging, flags, Mode::empty())
            .and_then(|staging| acl::restrict(Kind::Folder, staging, own));
        let outbox = self.outbox.display();
        let why = match tried {
            Ok(true) => {
                let is_closed = fs::metadata(&self.outbox).is_ok_and(|found| found.mode() & 0o1 == 0);
                return (is_closed && !acl::is_kept(&self.outbox)).then(|| {
                    format!(
                        "results.readers = \"owner\", but nobody except the group gets into {outbox}; to let owners through: \
                         chmod o+x {outbox}, or setfacl -m g:tabuleiro-drop:x {outbox}"
                    )
                });
            }
            Ok(false) => "its file system keeps no access control lists".to_owned(),
            Err(error) => format!("access control lists cannot be set there: {error}"),
        };
        Some(format!(
            "results.readers = \"owner\", but nobody except the group can read results in {outbox}: {why}; move folders.outbox to \
             ext4, XFS or btrfs, or mount it with access control lists (option acl)"
        ))
    }

    /// Returns the trees in which the service creates, renames and removes files.
    pub fn tree(&self) -> Tree {
        let roots = [&self.outbox, &self.done, &self.failed, &self.work, &self.inbox];
        Tree::new(roots.map(PathBuf::as_path))
    }
}

/// Renames an own file from the inbox into the working folder: only a try shows reliably whether that works.
fn try_rename(inbox: &Path, work: &Path, name: &str) -> Result<(), FolderError> {
    let (from, to) = (inbox.join(name), work.join(name));
    // A service that cannot create files in the inbox cannot take any either, which it reports once there is one.
    let tree = Tree::new([inbox, work]);
    let Ok(_) = tree.create(&from, Access::default()) else { return Ok(()) };
    let renamed = tree.rename(&from, &to);
    for path in [&from, &to] {
        // One of them is not there.
        let _ = tree.remove_file(path);
    }
    match renamed {
        Err(error) if error.kind() == io::ErrorKind::CrossesDevices => Err(FolderError::Unfit(format!(
            "files cannot be renamed from the inbox {} into the working folder {}: the two are on different mounts \
                 (of one file system, as with two volumes of a container), or in parts of a file system with quotas of \
                 their own; mount one folder that holds both, and set folders.inbox and folders.var to folders in it",
            inbox.display(),
            work.display()
        ))),
        _ => Ok(()),
    }
}

/// Creates the service's own folder in the outbox. Refuses a link in its place, because the target's content would be
/// removed as remains of an earlier run.
fn make_staging(outbox: &Path, staging: &Path) -> Result<(), FolderError> {
    let tree = Tree::new([outbox]);
    let synced = match tree.create_folders(staging).and_then(|()| tree.sync_folder(outbox)) {
        // A folder that the service may write but not read cannot be synced; its sync is left to the system.
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(()),
        other => other,
    };
    synced.map_err(|source| unusable("outbox", staging, source))
}

/// Creates a folder if it is missing and returns its absolute path.
fn make(role: &'static str, path: &Path) -> Result<PathBuf, FolderError> {
    // Otherwise a power failure could leave other folders under these names than the next start expects.
    create_durably(path).and_then(|()| fs::canonicalize(path)).map_err(|source| unusable(role, path, source))
}

/// Creates a folder and those above it, and syncs the new names. Follows links, because the owner chose these paths.
fn create_durably(folder: &Path) -> io::Result<()> {
    let parent = |path: &Path| match path.parent() {
        Some(parent) if parent.as_os_str().is_empty() => PathBuf::from("."),
        Some(parent) => parent.to_owned(),
        None => path.to_owned(),
    };
    let is_missing = |path: &&Path| !path.as_os_str().is_empty() && path.symlink_metadata().is_err();
    let changed: Vec<_> = folder.ancestors().take_while(is_missing).map(parent).collect();
    fs::create_dir_all(folder)?;
    for folder in changed.iter().rev() {
        match File::open(folder).and_then(|folder| folder.sync_all()) {
            // A folder that the service may write but not read cannot be synced; its sync is left to the system.
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {}
            other => other?,
        }
    }
    Ok(())
}

/// Returns the path of a file that a rename will create. Links in the path of its folder are resolved as far as it
/// exists.
fn real(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let resolved = path.ancestors().skip(1).find_map(|folder| {
        let below = path.strip_prefix(folder).ok()?;
        Some(fs::canonicalize(folder).ok()?.join(below))
    });
    resolved.unwrap_or(path)
}

fn unusable(role: &'static str, path: &Path, source: io::Error) -> FolderError {
    FolderError::Unusable { role, path: path.to_owned(), source }
}

fn lock(work: &Path) -> Result<WorkLock, FolderError> {
    let path = work.join("lock");
    let file = File::create(&path).map_err(|source| unusable("working folder", &path, source))?;
    match rustix::fs::flock(&file, rustix::fs::FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(WorkLock(file)),
        Err(rustix::io::Errno::WOULDBLOCK) => Err(FolderError::Locked(work.to_owned())),
        Err(error) => Err(unusable("working folder", &path, error.into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prepare(root: &Path, names: [&str; 3]) -> Result<(Folders, WorkLock), FolderError> {
        let [inbox, outbox, var] = names.map(|name| root.join(name));
        Folders::prepare(&config::Folders { base: None, inbox, outbox, var })
    }

    #[test]
    fn nested_folders_are_refused_before_anything_is_made() {
        let root = tempfile::tempdir().unwrap();
        let nested =
            [["in", "in/out", "var"], ["out/in", "out", "var"], ["in", "out", "in/var"], ["in", "in", "var"]];
        for names in nested {
            let error = prepare(root.path(), names).unwrap_err();
            assert!(matches!(error, FolderError::Unfit(_)), "{names:?}: {error}");
        }
        assert_eq!(fs::read_dir(root.path()).unwrap().count(), 0);
        prepare(root.path(), ["a", "b", "c"]).unwrap();
    }

    #[test]
    fn links_do_not_hide_nested_folders() {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir(root.path().join("in")).unwrap();
        std::os::unix::fs::symlink(root.path().join("in"), root.path().join("link")).unwrap();
        let error = prepare(root.path(), ["in", "link/out", "var"]).unwrap_err();
        assert!(matches!(error, FolderError::Unfit(_)), "{error}");
    }

    #[test]
    fn the_service_s_own_files_lie_where_nothing_comes_and_goes() {
        let root = tempfile::tempdir().unwrap();
        let (folders, _lock) = prepare(root.path(), ["a", "b", "c"]).unwrap();
        std::os::unix::fs::symlink(root.path().join("a"), root.path().join("link")).unwrap();
        let staging = folders.staging.file_name().unwrap().to_str().unwrap();
        let check = |key: &str, path: &Path| {
            let path = if key == "page.path" { path.with_extension("html") } else { path.to_owned() };
            let (section, name) = key.split_once('.').unwrap();
            let text = format!("[{section}]\n{name} = \"{}\"\n", path.display());
            let config = config::Config::parse(&text, "test", tabuleiro_puzzles::solver::SOLVERS).unwrap();
            folders.check_files(&config)
        };
        for key in ["control.socket", "metrics.textfile", "page.path"] {
            for inside in ["a/x.prom", "link/x.prom", "link/new/x.prom", "b/../a/x.prom", "c/work/x.prom"] {
                let error = check(key, &root.path().join(inside)).unwrap_err();
                assert!(error.to_string().starts_with(key), "{key} in {inside}: {error}");
            }
            check(key, &root.path().join("b").join(staging).join("x.prom")).unwrap_err();
            for outside in ["b/x.prom", "c/x.prom", "x.prom", "missing/x.prom"] {
                check(key, &root.path().join(outside)).unwrap();
            }
        }
        // A path relative to the var folder.
        check("control.socket", Path::new("work/control.sock")).unwrap_err();
    }

    #[test]
    fn a_working_folder_serves_one_daemon() {
        let root = tempfile::tempdir().unwrap();
        let first = prepare(root.path(), ["a", "b", "c"]).unwrap();
        let error = prepare(root.path(), ["x", "y", "c"]).unwrap_err();
        assert!(matches!(error, FolderError::Locked(_)), "{error}");
        drop(first);
        prepare(root.path(), ["x", "y", "c"]).unwrap();
    }
}
