//! The visible state, the durable state, and the changes between them.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::path::Path;

use crate::daemon::fs::model::Order;
use crate::daemon::fs::model::tree::{Change, Inode, Node, ROOT, Tree, errno};

/// A change that no sync has covered.
#[derive(Debug, Clone)]
pub struct Pending {
    pub number: u64,
    pub change: Change,
    /// Numbers of changes that are durable if this one is.
    pub requires: Vec<u64>,
    /// A sync of the change failed, so no later sync writes it.
    doomed: bool,
}

/// The whole file system.
#[derive(Debug, Clone)]
pub struct DiskState {
    pub visible: Tree,
    pub durable: Tree,
    pub pending: Vec<Pending>,
    order: Order,
    parents: BTreeMap<Inode, Inode>,
    errors: Errors,
    next_inode: Inode,
    next_number: u64,
}

/// The write errors of a file system. A descriptor reports once each error that happened since it was opened, and an
/// older error if no other descriptor has reported it.
#[derive(Debug, Clone, Default)]
struct Errors {
    happened: u64,
    is_told: bool,
}

impl DiskState {
    /// Starts with a durable tree.
    pub fn new(tree: Tree, order: Order) -> Self {
        let next_inode = tree.nodes.keys().max().unwrap_or(&ROOT) + 1;
        let mut parents = BTreeMap::new();
        for (inode, node) in &tree.nodes {
            if let Node::Folder(names) = node {
                parents.extend(names.values().map(|child| (*child, *inode)));
            }
        }
        let (visible, pending) = (tree.clone(), Vec::new());
        let errors = Errors::default();
        Self { visible, durable: tree, pending, order, parents, errors, next_inode, next_number: 0 }
    }

    /// Makes a change that requires no other.
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

    /// Implements `open` with `O_CREAT | O_EXCL`.
    pub fn create_file(&mut self, path: &Path) -> io::Result<Inode> {
        self.make_node(path, Node::File(Vec::new()))
    }

    /// Implements `mkdir`.
    pub fn create_folder(&mut self, path: &Path) -> io::Result<()> {
        self.make_node(path, Node::Folder(BTreeMap::new())).map(drop)
    }

    /// Implements `link`.
    pub fn link(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        let node = self.visible.find(from)?;
        let (folder, name) = self.place(to)?;
        self.make(Change::Add { folder, name, node });
        Ok(())
    }

    /// Implements `rename` of a file.
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

    /// Returns the pending changes that created a folder and those above it.
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

    /// Implements `unlink`.
    pub fn remove_file(&mut self, path: &Path) -> io::Result<()> {
        if self.visible.folder(self.visible.find(path)?).is_ok() {
            return errno(libc::EISDIR);
        }
        let (folder, name) = self.place(path)?;
        self.make(Change::Remove { folder, name });
        Ok(())
    }

    /// Implements `rmdir`.
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

    /// Implements `fsync` of a file or a folder.
    pub fn sync(&mut self, inode: Inode) {
        self.flush(|pending| pending.change.is_at(inode));
    }

    /// Implements `syncfs` through a descriptor that has seen `seen` errors.
    pub fn sync_all(&mut self, seen: &mut u64) -> io::Result<()> {
        self.flush(|_| true);
        if *seen == self.errors.happened {
            return Ok(());
        }
        *seen = self.errors.happened;
        self.errors.is_told = true;
        errno(libc::EIO)
    }

    /// Returns the number of errors that a new descriptor counts as seen.
    pub fn errors_seen(&self) -> u64 {
        self.errors.happened - u64::from(self.errors.happened > 0 && !self.errors.is_told)
    }

    /// Makes all pending writes of content fail, as a real system does. The content stays visible and is never written.
    /// Every descriptor that is open now reports the error; one opened later does so only if `told` is false.
    pub fn fail_writing(&mut self, told: bool) {
        let content = self.pending.iter_mut().filter(|pending| !pending.change.is_of_names());
        for pending in content {
            pending.doomed = true;
        }
        self.errors.happened += 1;
        self.errors.is_told = told;
    }

    /// Returns whether unsynced content of a file was lost by `fail_writing`.
    pub fn is_doomed(&self, file: Inode) -> bool {
        self.pending.iter().any(|pending| pending.doomed && pending.change.is_at(file))
    }

    /// Implements `fsetxattr`.
    pub fn set_label(&mut self, file: Inode, label: &[u8]) {
        for tree in [&mut self.visible, &mut self.durable] {
            tree.labels.insert(file, label.to_vec());
        }
    }

    /// Makes the wanted changes durable, and those that they require.
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

    /// Puts a file from outside and makes it durable with all its folders.
    pub fn put(&mut self, path: &Path, content: &[u8]) -> Inode {
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
        file
    }
}
