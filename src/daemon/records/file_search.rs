//! A search through the service's folders, for commands that do not serve.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::config;
use crate::daemon::fs::folder_tree::Tree;
use crate::daemon::fs::service_folders::Folders;

/// Where to search, and for how long.
#[derive(Debug, Clone)]
pub struct Search {
    /// Where files are dropped.
    pub inbox: PathBuf,
    /// Where results appear.
    pub outbox: PathBuf,
    /// The service's own folder.
    pub var: PathBuf,
    /// When the search gives up, however far it came; `None` for no limit.
    pub deadline: Option<Instant>,
}

impl From<&Folders> for Search {
    fn from(folders: &Folders) -> Self {
        let var = folders.work.parent().unwrap_or(&folders.work).to_owned();
        Self { inbox: folders.inbox.clone(), outbox: folders.outbox.clone(), var, deadline: None }
    }
}

impl Search {
    /// Searches the folders of a configuration, links resolved as far as they exist.
    ///
    /// # Errors
    /// When there is no current directory.
    pub fn of(folders: &config::Folders) -> io::Result<Self> {
        let real = |folder: &Path| fs::canonicalize(folder).or_else(|_| std::path::absolute(folder));
        let [inbox, outbox, var] = [&folders.inbox, &folders.outbox, &folders.var].map(|folder| real(folder));
        Ok(Self { inbox: inbox?, outbox: outbox?, var: var?, deadline: None })
    }

    /// Returns whether the time is up, so that what was not found may exist all the same.
    #[must_use]
    pub fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Returns the trees through which files are read and moved.
    #[must_use]
    pub fn tree(&self) -> Tree {
        let own = ["done", "failed", "work"].map(|name| self.var.join(name));
        let roots = own.into_iter().chain([self.inbox.clone()]).collect::<Vec<_>>();
        Tree::new(roots.iter().map(PathBuf::as_path))
    }

    #[must_use]
    pub fn work(&self) -> PathBuf {
        self.var.join("work")
    }

    #[must_use]
    pub fn history(&self) -> PathBuf {
        self.var.join("history")
    }
}
