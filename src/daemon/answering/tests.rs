//! Tests of inputs that change while they are read, or that cannot be read for a while.

use std::fs;
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU32, AtomicU64, Ordering};

use tempfile::TempDir;

use crate::config::{Config, Formats, Readers};
use crate::daemon::answering::answerer::Answerer;
use crate::daemon::answering::pending_publication::{Made, PendingPublication};
use crate::daemon::base::job_id::JobIds;
use crate::daemon::claims::file_claim::Claim;
use crate::daemon::claims::find::find;
use crate::daemon::fs::disk::{Access, Disk, Entry, FileSystem, NewFile, OpenFile, Scratch, Stat};
use crate::daemon::fs::folder_tree::Tree;
use crate::daemon::fs::os::acl::tests::users;
use crate::daemon::fs::service_folders::{Folders, WorkLock};
use tabuleiro_jobs::{Pool, Reason, Rejection};
use tabuleiro_puzzles::solver::SOLVERS;

/// The real file system, but a number of reads go wrong.
struct Faulty {
    tree: Tree,
    /// How many of the next opened files change while they are read.
    changing: AtomicU32,
    /// How many of the next opened files fail with `errno` when they are read.
    failing: AtomicU32,
    errno: i32,
    /// The inode number of a file that belongs to user 1234.
    theirs: AtomicU64,
}

impl Faulty {
    fn seen(&self, stat: Stat) -> Stat {
        let is_theirs = stat.inode == self.theirs.load(Ordering::Relaxed);
        Stat { owner: if is_theirs { 1234 } else { stat.owner }, ..stat }
    }
}

struct Reading {
    file: Box<dyn OpenFile>,
    changes: bool,
    looks: AtomicI64,
    error: Option<i32>,
}

impl Read for Reading {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.error.map_or_else(|| self.file.read(buffer), |errno| Err(io::Error::from_raw_os_error(errno)))
    }
}

impl Seek for Reading {
    fn seek(&mut self, to: io::SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

impl OpenFile for Reading {
    fn stat(&self) -> io::Result<Stat> {
        let mut stat = self.file.stat()?;
        if self.changes {
            stat.modified.0 += self.looks.fetch_add(1, Ordering::Relaxed);
        }
        Ok(stat)
    }

    fn sync(&self) -> io::Result<()> {
        self.file.sync()
    }
}

fn takes_one(count: &AtomicU32) -> bool {
    count.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok()
}

impl Disk for Faulty {
    fn open(&self, path: &Path) -> io::Result<Box<dyn OpenFile>> {
        let (changes, fails) = (takes_one(&self.changing), takes_one(&self.failing));
        let error = fails.then_some(self.errno);
        Ok(Box::new(Reading { file: self.tree.open(path)?, changes, looks: AtomicI64::new(0), error }))
    }

    fn stat(&self, path: &Path) -> io::Result<Stat> {
        self.tree.stat(path).map(|stat| self.seen(stat))
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<Entry>> {
        self.tree.list(folder)
    }

    fn create(&self, path: &Path, access: Access) -> io::Result<Box<dyn NewFile>> {
        self.tree.create(path, access)
    }

    fn scratch(&self, path: &Path) -> io::Result<Box<dyn Scratch>> {
        self.tree.scratch(path)
    }

    fn create_folder(&self, path: &Path) -> io::Result<()> {
        self.tree.create_folder(path)
    }

    fn create_folders_for(&self, path: &Path, access: &dyn Fn(&Path) -> Access) -> io::Result<()> {
        self.tree.create_folders_for(path, access)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.tree.rename(from, to)
    }

    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.tree.rename_new(from, to)
    }

    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.tree.link(from, to)
    }

    fn copy(&self, from: &Path, to: &Path, goes_on: &dyn Fn() -> bool) -> io::Result<()> {
        self.tree.copy(from, to, goes_on)
    }

    fn remove_file(&self, path: &Path) -> io::Result<()> {
        self.tree.remove_file(path)
    }

    fn remove_tree(&self, folder: &Path) -> io::Result<()> {
        self.tree.remove_tree(folder)
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        self.tree.sync_folder(folder)
    }

    fn file_system(&self, folder: &Path) -> io::Result<Option<Arc<dyn FileSystem>>> {
        self.tree.file_system(folder)
    }

    fn label(&self, path: &Path) -> io::Result<Option<Vec<u8>>> {
        self.tree.label(path)
    }
}

struct Place {
    root: TempDir,
    answerer: Answerer,
    config: Config,
    disk: Arc<Faulty>,
    _lock: WorkLock,
}

impl Place {
    fn new(changing: u32, failing: u32, errno: i32) -> Self {
        let root = tempfile::tempdir().unwrap();
        let [inbox, outbox, var] = ["inbox", "outbox", "var"].map(|name| root.path().join(name));
        let (folders, lock) =
            Folders::prepare(&crate::config::Folders { base: None, inbox, outbox, var }).unwrap();
        let (changing, failing) = (AtomicU32::new(changing), AtomicU32::new(failing));
        let tree = folders.tree();
        let disk = Arc::new(Faulty { tree, changing, failing, errno, theirs: AtomicU64::new(0) });
        let answerer = Answerer::new(folders, Arc::clone(&disk) as Arc<dyn Disk>, Pool::new(1).unwrap());
        let text = "[[route]]\nname = \"all\"\nfiles = [\"**/*\"]\nsolver = \"checkers-capture\"\n";
        let config = Config::parse(text, "test", SOLVERS).unwrap();
        Self { root, answerer, config, disk, _lock: lock }
    }

    /// Claims a file that has another link outside the inbox.
    fn claim(&self) -> Claim {
        let path = self.root.path().join("inbox/entrada.txt");
        fs::write(&path, "3 3\n2 1 2 0 1\n0 0\n").unwrap();
        fs::hard_link(&path, self.link()).unwrap();
        let Folders { work, inbox, .. } = &self.answerer.folders;
        let (id, disk) = (JobIds::default().next(), &*self.answerer.disk);
        let origin = Path::new("entrada.txt");
        let mut claim = Claim::take(work, inbox, origin, id, disk).unwrap().unwrap();
        claim.inode = Some(self.inode(&claim.input()));
        claim
    }

    fn link(&self) -> PathBuf {
        self.root.path().join("link")
    }

    fn inode(&self, path: &Path) -> u64 {
        self.answerer.disk.stat(path).map_or_else(
            |_| std::os::unix::fs::MetadataExt::ino(&fs::metadata(path).unwrap()),
            |found| found.inode,
        )
    }

    fn answer(&self, claim: Claim) -> PendingPublication {
        self.answerer.answer_claim(claim, &self.config)
    }
}

impl Answerer {
    /// Answers a claim with a configuration.
    pub fn answer_claim(&self, claim: Claim, config: &Config) -> PendingPublication {
        let mut pending = *PendingPublication::unanswered(claim, &Arc::new(config.clone()));
        self.answer(&mut pending);
        pending
    }
}

#[test]
fn a_file_that_changes_goes_back_a_few_times_and_then_its_copy_is_answered() {
    let place = Place::new(3, 0, 0);
    let mut claim = place.claim();
    for _ in 0..2 {
        let pending = place.answer(claim);
        assert!(matches!(pending.made, Made::PutBack("the file changed while it was read")));
        claim = pending.claim;
        assert_eq!(place.inode(&claim.input()), place.inode(&place.link()));
    }
    let pending = place.answer(claim);
    assert!(matches!(pending.made, Made::Results { .. }), "{pending:?}");
    let input = pending.claim.input();
    assert_ne!(place.inode(&input), place.inode(&place.link()), "nobody else can change it");
    assert_eq!(fs::read(&input).unwrap(), fs::read(place.link()).unwrap());
    assert_eq!((pending.claim.inode, pending.claim.tries), (None, 0));
    assert!(!pending.claim.copy().exists());
}

#[test]
fn a_file_that_changes_during_every_copy_is_rejected() {
    let place = Place::new(6, 0, 0);
    let mut claim = place.claim();
    for _ in 0..2 {
        claim = place.answer(claim).claim;
    }
    let pending = place.answer(claim);
    assert!(matches!(pending.made, Made::Rejected(Rejection::Because(Reason::Changing))), "{pending:?}");
    assert!(!pending.claim.copy().exists() && pending.claim.input().exists());
}

#[test]
fn a_copy_that_a_crash_left_is_removed() {
    let place = Place::new(0, 0, 0);
    let claim = place.claim();
    fs::write(claim.copy(), "3 3").unwrap();
    let found = find(&place.answerer.folders.work, &*place.answerer.disk).unwrap();
    assert_eq!(found.len(), 1);
    assert!(!claim.copy().exists() && claim.input().exists());
}

#[test]
fn a_transient_error_of_reading_is_tried_again_and_a_lasting_one_rejects() {
    for errno in [libc::EIO, libc::ESTALE] {
        let place = Place::new(0, 1, errno);
        let pending = place.answer(place.claim());
        assert!(matches!(&pending.made, Made::Failed(why) if why.contains("for now")), "{pending:?}");
        let pending = place.answer(pending.claim);
        assert!(matches!(pending.made, Made::Results { .. }), "{pending:?}");
    }
    let place = Place::new(0, u32::MAX, libc::EIO);
    let mut claim = place.claim();
    for _ in 1..place.answerer.io_tries_max {
        let pending = place.answer(claim);
        assert!(matches!(pending.made, Made::Failed(_)), "{pending:?}");
        claim = pending.claim;
    }
    let pending = place.answer(claim);
    assert!(
        matches!(pending.made, Made::Rejected(Rejection::Because(Reason::Unreadable { .. }))),
        "{pending:?}"
    );
}

/// Returns the mode of every staged output, and the users that its access control list names.
fn readers(place: &Place, pending: &PendingPublication) -> Vec<(u32, Vec<u32>)> {
    let mode = |path: &Path| std::os::unix::fs::MetadataExt::mode(&fs::metadata(path).unwrap()) & 0o777;
    let paths = pending.staged.iter().map(|output| place.answerer.staged_path(&pending.claim.id, *output));
    paths.map(|path| (mode(&path), users(&path))).collect()
}

#[test]
fn outputs_are_for_the_owner_of_the_claimed_file_and_nobody_else() {
    let mut place = Place::new(0, 0, 0);
    place.config.results.formats = Formats::TextAndJson;
    place.config.results.mode = 0o666;
    let claim = place.claim();
    place.disk.theirs.store(claim.inode.unwrap(), Ordering::Relaxed);
    let pending = place.answer(claim);
    assert_eq!(readers(&place, &pending), [(0o666, vec![]), (0o666, vec![])]);
    place.config.results.readers = Readers::Owner;
    let pending = place.answer(pending.claim);
    let staging = &place.answerer.folders;
    if staging.check_readers(&place.config).is_some() {
        return; // A file system without access control lists.
    }
    assert_eq!(readers(&place, &pending), [(0o640, vec![1234]), (0o640, vec![1234])]);
    // A claim that an earlier run left still belongs to the same owner.
    let claim = find(&place.answerer.folders.work, &*place.answerer.disk).unwrap().pop().unwrap();
    let pending = place.answer(claim);
    assert_eq!(readers(&place, &pending), [(0o640, vec![1234]), (0o640, vec![1234])]);
    // The service's own user needs no entry in the list.
    place.disk.theirs.store(0, Ordering::Relaxed);
    assert_eq!(readers(&place, &place.answer(pending.claim)), [(0o640, vec![]), (0o640, vec![])]);
}

#[test]
fn a_copy_that_could_not_be_given_to_its_owner_has_no_other_reader() {
    let mut place = Place::new(3, 0, 0);
    place.config.results.readers = Readers::Owner;
    let mut claim = place.claim();
    place.disk.theirs.store(claim.inode.unwrap(), Ordering::Relaxed);
    for _ in 0..2 {
        claim = place.answer(claim).claim;
    }
    let pending = place.answer(claim);
    assert!(pending.claim.inode.is_none(), "a copy");
    assert_eq!(readers(&place, &pending), [(0o640, vec![])]);
}
