//! Folders, names and content at one moment, and single changes to them.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::{fmt, io};

use crate::daemon::fs::disk::Stat;

/// The inode number of a file or folder.
pub type Inode = u32;

pub const ROOT: Inode = 0;

/// One change, visible at once.
#[derive(Debug, Clone)]
pub enum Change {
    /// Content is appended.
    Write { file: Inode, bytes: Vec<u8> },
    /// A name is added, perhaps over another file.
    Add { folder: Inode, name: OsString, node: Inode },
    /// A name is removed.
    Remove { folder: Inode, name: OsString },
    /// One name is added and another removed, atomically.
    Move { from: (Inode, OsString), to: (Inode, OsString), node: Inode },
}

/// Folders, names, content, and the labels of files. A label is durable whenever its file is.
#[derive(Clone, PartialEq, Eq)]
pub struct Tree {
    pub nodes: BTreeMap<Inode, Node>,
    pub labels: BTreeMap<Inode, Vec<u8>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Node {
    File(Vec<u8>),
    Folder(BTreeMap<OsString, Inode>),
}

impl fmt::Debug for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |content: Option<&[u8]>| content.map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        let files = self.walk().into_iter().map(|(path, (inode, content))| (path, (inode, shown(content))));
        f.debug_map().entries(files).finish()
    }
}

impl Default for Tree {
    fn default() -> Self {
        Self { nodes: BTreeMap::from([(ROOT, Node::Folder(BTreeMap::new()))]), labels: BTreeMap::new() }
    }
}

pub fn errno<T>(number: i32) -> io::Result<T> {
    Err(io::Error::from_raw_os_error(number))
}

fn parts(path: &Path) -> impl Iterator<Item = &OsStr> {
    path.iter().skip(1)
}

impl Tree {
    /// Returns the inode that a path names.
    pub fn find(&self, path: &Path) -> io::Result<Inode> {
        parts(path).try_fold(ROOT, |at, name| {
            self.folder(at)?.get(name).copied().map_or_else(|| errno(libc::ENOENT), Ok)
        })
    }

    /// Returns the names in a folder.
    pub fn folder(&self, inode: Inode) -> io::Result<&BTreeMap<OsString, Inode>> {
        match self.nodes.get(&inode) {
            Some(Node::Folder(names)) => Ok(names),
            Some(Node::File(_)) => errno(libc::ENOTDIR),
            None => errno(libc::ENOENT),
        }
    }

    /// Returns the content of a file.
    pub fn content(&self, inode: Inode) -> io::Result<&[u8]> {
        match self.nodes.get(&inode) {
            Some(Node::File(content)) => Ok(content),
            Some(Node::Folder(_)) => errno(libc::EISDIR),
            None => errno(libc::ENOENT),
        }
    }

    /// Returns the label of a file.
    pub fn label(&self, inode: Inode) -> Option<&[u8]> {
        self.labels.get(&inode).map(Vec::as_slice)
    }

    /// Returns the metadata of a file or folder.
    pub fn stat(&self, inode: Inode) -> Stat {
        let (is_folder, bytes) = match &self.nodes[&inode] {
            Node::File(content) => (false, content.len() as u64),
            Node::Folder(_) => (true, 0),
        };
        Stat {
            is_file: !is_folder,
            is_folder,
            is_link: false,
            device: 1,
            inode: inode.into(),
            bytes,
            modified: (0, 0),
            changed: (0, 0),
            owner: 0,
        }
    }

    /// Returns the path of every file, with its inode and content, and of every empty folder, with its inode and
    /// `None`.
    pub fn walk(&self) -> BTreeMap<PathBuf, (Inode, Option<&[u8]>)> {
        let mut found = BTreeMap::new();
        let mut open = vec![(PathBuf::from("/"), ROOT)];
        while let Some((path, inode)) = open.pop() {
            match &self.nodes[&inode] {
                Node::File(content) => drop(found.insert(path, (inode, Some(content.as_slice())))),
                Node::Folder(names) => {
                    if names.is_empty() {
                        found.insert(path.clone(), (inode, None));
                    }
                    open.extend(names.iter().map(|(name, inode)| (path.join(name), *inode)));
                }
            }
        }
        found
    }

    /// Applies one change.
    pub fn apply(&mut self, change: &Change) {
        match change {
            Change::Write { file, bytes } => self.append(*file, bytes),
            Change::Add { folder, name, node } => drop(self.names(*folder).insert(name.clone(), *node)),
            Change::Remove { folder, name } => drop(self.names(*folder).remove(name)),
            Change::Move { from, to, node } => {
                self.names(from.0).remove(&from.1);
                self.names(to.0).insert(to.1.clone(), *node);
            }
        }
    }

    /// Appends content to a file.
    pub fn append(&mut self, file: Inode, bytes: &[u8]) {
        if let Some(Node::File(content)) = self.nodes.get_mut(&file) {
            content.extend_from_slice(bytes);
        }
    }

    fn names(&mut self, folder: Inode) -> &mut BTreeMap<OsString, Inode> {
        match self.nodes.get_mut(&folder) {
            Some(Node::Folder(names)) => names,
            _ => unreachable!("a change names a folder that never was"),
        }
    }
}

impl Change {
    /// Returns the names that the change affects.
    pub fn names(&self) -> Vec<(Inode, &OsStr)> {
        match self {
            Self::Write { .. } => Vec::new(),
            Self::Add { folder, name, .. } | Self::Remove { folder, name } => vec![(*folder, name)],
            Self::Move { from, to, .. } => vec![(from.0, &from.1), (to.0, &to.1)],
        }
    }

    /// Returns whether the change affects names, not content.
    pub fn is_of_names(&self) -> bool {
        !matches!(self, Self::Write { .. })
    }

    /// Returns whether the change affects a name in this folder, or the content of this file.
    pub fn is_at(&self, inode: Inode) -> bool {
        match self {
            Self::Write { file, .. } => *file == inode,
            other => other.names().iter().any(|(folder, _)| *folder == inode),
        }
    }
}
