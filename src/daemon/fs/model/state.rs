//! What is visible, what is durable, and the changes between them.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::daemon::fs::disk::Stat;
use crate::daemon::fs::model::Order;

/// The number of a file or folder.
pub type Inode = u32;

const ROOT: Inode = 0;

/// Folders, names and content.
#[derive(Clone, PartialEq, Eq)]
pub struct Tree {
    nodes: BTreeMap<Inode, Node>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Node {
    File(Vec<u8>),
    Folder(BTreeMap<OsString, Inode>),
}

/// One change, visible at once.
#[derive(Debug, Clone)]
pub enum Change {
    /// Content added at the end.
    Write { file: Inode, bytes: Vec<u8> },
    /// A name given, perhaps over another file.
    Add { folder: Inode, name: OsString, node: Inode },
    /// A name taken away.
    Remove { folder: Inode, name: OsString },
    /// A name given and one taken away, together.
    Move { from: (Inode, OsString), to: (Inode, OsString), node: Inode },
}

/// A change that no sync covered.
#[derive(Debug, Clone)]
pub struct Pending {
    pub number: u64,
    pub change: Change,
    /// Changes that are on disk if this one is.
    pub requires: Vec<u64>,
    /// A sync failed on it, so none writes it any more.
    doomed: bool,
}

/// The whole file system.
#[derive(Debug, Clone)]
pub struct State {
    pub visible: Tree,
    pub durable: Tree,
    pub pending: Vec<Pending>,
    order: Order,
    parents: BTreeMap<Inode, Inode>,
    next_inode: Inode,
    next_number: u64,
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
        Self { nodes: BTreeMap::from([(ROOT, Node::Folder(BTreeMap::new()))]) }
    }
}

fn errno<T>(number: i32) -> io::Result<T> {
    Err(io::Error::from_raw_os_error(number))
}

fn parts(path: &Path) -> impl Iterator<Item = &OsStr> {
    path.iter().skip(1)
}

impl Tree {
    /// What stands under a path.
    pub fn find(&self, path: &Path) -> io::Result<Inode> {
        parts(path).try_fold(ROOT, |at, name| {
            self.folder(at)?.get(name).copied().map_or_else(|| errno(libc::ENOENT), Ok)
        })
    }

    /// The names in a folder.
    pub fn folder(&self, inode: Inode) -> io::Result<&BTreeMap<OsString, Inode>> {
        match self.nodes.get(&inode) {
            Some(Node::Folder(names)) => Ok(names),
            Some(Node::File(_)) => errno(libc::ENOTDIR),
            None => errno(libc::ENOENT),
        }
    }

    /// What a file contains.
    pub fn content(&self, inode: Inode) -> io::Result<&[u8]> {
        match self.nodes.get(&inode) {
            Some(Node::File(content)) => Ok(content),
            Some(Node::Folder(_)) => errno(libc::EISDIR),
            None => errno(libc::ENOENT),
        }
    }

    /// What is known of a file or folder.
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
        }
    }

    /// Every file that has a name, with its number and content, and every empty folder without content.
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

    /// Does one change.
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

    /// Adds content to a file.
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
    /// The names it changes.
    fn names(&self) -> Vec<(Inode, &OsStr)> {
        match self {
            Self::Write { .. } => Vec::new(),
            Self::Add { folder, name, .. } | Self::Remove { folder, name } => vec![(*folder, name)],
            Self::Move { from, to, .. } => vec![(from.0, &from.1), (to.0, &to.1)],
        }
    }

    /// Whether it is one of names.
    pub fn is_of_names(&self) -> bool {
        !matches!(self, Self::Write { .. })
    }
}

impl State {
    /// A tree that is on disk.
    pub fn new(tree: Tree, order: Order) -> Self {
        let next_inode = tree.nodes.keys().max().unwrap_or(&ROOT) + 1;
        let mut parents = BTreeMap::new();
        for (inode, node) in &tree.nodes {
            if let Node::Folder(names) = node {
                parents.extend(names.values().map(|child| (*child, *inode)));
            }
        }
        let (visible, pending) = (tree.clone(), Vec::new());
        Self { visible, durable: tree, pending, order, parents, next_inode, next_number: 0 }
    }

    /// Makes a change that needs no other.
    pub fn make(&mut self, change: Change) {
        self.push(change, Vec::new());
    }

    fn push(&mut self, change: Change, mut requires: Vec<u64>) -> u64 {
        let of_names = self.pending.iter().filter(|pending| pending.change.is_of_names());
        if self.order == Order::Journal && change.is_of_names() {
            requires.extend(of_names.map(|pending| pending.number));
        } else {
            let names = change.names();
            let meets = |pending: &&Pending| pending.change.names().iter().any(|name| names.contains(name));
            requires.extend(of_names.filter(meets).map(|pending| pending.number));
        }
        self.visible.apply(&change);
        let number = self.next_number;
        self.next_number += 1;
        self.pending.push(Pending { number, change, requires, doomed: false });
        number
    }

    fn place(&self, path: &Path) -> io::Result<(Inode, OsString)> {
        let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
            return errno(libc::EINVAL);
        };
        let folder = self.visible.find(parent)?;
        self.visible.folder(folder)?;
        Ok((folder, name.to_owned()))
    }

    fn make_node(&mut self, path: &Path, node: Node) -> io::Result<Inode> {
        let (folder, name) = self.place(path)?;
        if self.visible.folder(folder)?.contains_key(&name) {
            return errno(libc::EEXIST);
        }
        let inode = self.next_inode;
        self.next_inode += 1;
        self.durable.nodes.insert(inode, node.clone());
        self.visible.nodes.insert(inode, node);
        self.parents.insert(inode, folder);
        self.make(Change::Add { folder, name, node: inode });
        Ok(inode)
    }

    /// `open` with `O_CREAT | O_EXCL`.
    pub fn create_file(&mut self, path: &Path) -> io::Result<Inode> {
        self.make_node(path, Node::File(Vec::new()))
    }

    /// `mkdir`.
    pub fn create_folder(&mut self, path: &Path) -> io::Result<()> {
        self.make_node(path, Node::Folder(BTreeMap::new())).map(drop)
    }

    /// `link`.
    pub fn link(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        let node = self.visible.find(from)?;
        let (folder, name) = self.place(to)?;
        self.make(Change::Add { folder, name, node });
        Ok(())
    }

    /// `rename` of a file.
    pub fn rename(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        let node = self.visible.find(from)?;
        let (from, to) = (self.place(from)?, self.place(to)?);
        match self.visible.folder(to.0)?.get(&to.1) {
            Some(older) if *older == node => return Ok(()),
            Some(older) if self.visible.folder(*older).is_ok() => return errno(libc::EISDIR),
            _ => {}
        }
        let connected = self.making_of(to.0);
        if from.0 == to.0 || matches!(self.order, Order::Journal | Order::Any) {
            self.push(Change::Move { from, to, node }, connected);
            return Ok(());
        }
        let added = self.push(Change::Add { folder: to.0, name: to.1, node }, connected);
        let requires = if self.order == Order::Careless { Vec::new() } else { vec![added] };
        self.push(Change::Remove { folder: from.0, name: from.1 }, requires);
        Ok(())
    }

    /// The pending changes that made a folder and those above it.
    fn making_of(&self, mut folder: Inode) -> Vec<u64> {
        let mut numbers = Vec::new();
        while folder != ROOT {
            let made =
                |pending: &&Pending| matches!(&pending.change, Change::Add { node, .. } if *node == folder);
            numbers.extend(self.pending.iter().filter(made).map(|pending| pending.number));
            folder = self.parents[&folder];
        }
        numbers
    }

    /// `unlink`.
    pub fn remove_file(&mut self, path: &Path) -> io::Result<()> {
        if self.visible.folder(self.visible.find(path)?).is_ok() {
            return errno(libc::EISDIR);
        }
        let (folder, name) = self.place(path)?;
        self.make(Change::Remove { folder, name });
        Ok(())
    }

    /// `rmdir`.
    pub fn remove_folder(&mut self, path: &Path) -> io::Result<()> {
        let inode = self.visible.find(path)?;
        if !self.visible.folder(inode)?.is_empty() {
            return errno(libc::ENOTEMPTY);
        }
        let left = |pending: &&Pending| pending.change.names().iter().any(|(folder, _)| *folder == inode);
        let requires = self.pending.iter().filter(left).map(|pending| pending.number).collect();
        let (folder, name) = self.place(path)?;
        self.push(Change::Remove { folder, name }, requires);
        Ok(())
    }

    /// `fsync` of a file or a folder.
    pub fn sync(&mut self, inode: Inode) {
        self.flush(|pending| pending.change.is_at(inode));
    }

    /// `syncfs`.
    pub fn sync_all(&mut self) {
        self.flush(|_| true);
    }

    /// A sync that failed, of one file or of all: content stays visible and is written no more.
    pub fn fail_sync(&mut self, inode: Option<Inode>) {
        for pending in self.pending.iter_mut().filter(|pending| !pending.change.is_of_names()) {
            pending.doomed |= inode.is_none_or(|inode| pending.change.is_at(inode));
        }
    }

    /// Makes changes durable, with those that they require.
    fn flush(&mut self, wanted: impl Fn(&Pending) -> bool) {
        let mut numbers: Vec<u64> = Vec::new();
        for pending in self.pending.iter().rev() {
            if !pending.doomed && (wanted(pending) || numbers.contains(&pending.number)) {
                numbers.push(pending.number);
                numbers.extend(&pending.requires);
            }
        }
        let durable = &mut self.durable;
        self.pending.retain(|pending| {
            let flushed = !pending.doomed && numbers.contains(&pending.number);
            if flushed {
                durable.apply(&pending.change);
            }
            !flushed
        });
    }

    /// A file from outside, durable with all its folders.
    pub fn put(&mut self, path: &Path, content: &[u8]) {
        for folder in
            crate::daemon::fs::disk::folders_down(Path::new("/"), path.parent().unwrap_or(Path::new("/")))
        {
            if self.visible.find(&folder).is_err() {
                self.create_folder(&folder).expect("the folder above is there");
                let above = self.parents[&self.visible.find(&folder).expect("it was made")];
                self.flush(|pending| pending.change.is_at(above));
            }
        }
        let file = self.create_file(path).expect("the name is free");
        self.make(Change::Write { file, bytes: content.to_vec() });
        let folder = self.parents[&file];
        self.flush(|pending| pending.change.is_at(folder) || pending.change.is_at(file));
    }
}

impl Change {
    /// Whether it is in this folder, or in this file.
    fn is_at(&self, inode: Inode) -> bool {
        match self {
            Self::Write { file, .. } => *file == inode,
            other => other.names().iter().any(|(folder, _)| *folder == inode),
        }
    }
}
