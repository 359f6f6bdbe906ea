//! Claims: files taken out of the inbox, each under the name of its job in the working folder.
//!
//! ```text
//! work/20261121T121744.123456Z=turma2%2Fentrada.txt       the file, under its path below the inbox: the claim's one rename
//! work/20261121T121744.123456Z!1=turma2%2Fentrada.txt     the same while an answer is tried for the first time
//! work/20261121T121744.123456Z.target                     the chosen result, once it is chosen (`version` and `reject` only)
//! ```
//!
//! The job's name comes first: names sort in the order of arrival. A path that makes a longer name than a folder takes
//! has a folder of its own instead, which is also what earlier versions left:
//!
//! ```text
//! work/20261121T121744.123456Z/input/turma2/entrada.txt   the file
//! work/20261121T121744.123456Z/target                     the chosen result
//! work/20261121T121744.123456Z/try-1                      a mark for every time an answer was begun
//! ```
//!
//! The names are the whole state: nothing else knows of a claim, so nothing can disagree. A choice or a folder without
//! a file is what is left of a claim that is over (or never was), and is removed.

mod name;

use std::cell::Cell;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io::{self, Read, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use time::OffsetDateTime;
use time::format_description::BorrowedFormatItem;
use time::macros::format_description;

use super::disk::{Access, Disk, exists, folders_down};

const ID_FORMAT: &[BorrowedFormatItem<'_>] =
    format_description!("[year][month][day]T[hour][minute][second].[subsecond digits:6]Z");
/// Begins the name of a mark; its number follows.
const MARK: &str = "try-";
/// Ends a `target` file, so that one cut short by a crash is recognised.
const TARGET_END: &[u8] = b"\n.\n";
/// More than any path the system takes.
const TARGET_BYTES_MAX: u64 = 8192;

/// Names jobs by the time of their claim, never the same twice and always rising, whatever the clock does.
#[derive(Debug, Default)]
pub struct JobIds {
    last_micros: i128,
}

impl JobIds {
    /// The next name: `20261121T121744.123456Z`.
    pub fn next(&mut self) -> String {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_micros();
        self.last_micros = (now as i128).max(self.last_micros + 1);
        OffsetDateTime::from_unix_timestamp_nanos(self.last_micros * 1000)
            .ok()
            .and_then(|time| time.format(ID_FORMAT).ok())
            // Beyond the year 9999 a plain number sorts behind every date.
            .unwrap_or_else(|| format!("Z{:039}", self.last_micros))
    }

    /// Goes on behind a name found in the working folder.
    pub fn after(&mut self, id: &str) {
        if let Ok(time) = time::PrimitiveDateTime::parse(id, ID_FORMAT) {
            self.last_micros = self.last_micros.max(time.assume_utc().unix_timestamp_nanos() / 1000);
        }
    }
}

/// A file taken out of the inbox.
#[derive(Debug)]
pub struct Claim {
    /// The job's name.
    pub id: String,
    /// The file's path below the inbox.
    pub origin: PathBuf,
    /// When the file was first seen.
    pub seen: Instant,
    /// How often an answer was begun, this time not counted.
    pub tries: u32,
    /// The number that the file had when it was judged to be complete: another file may have got its name before it was
    /// taken. `None` once that was looked at.
    pub inode: Option<u64>,
    work: PathBuf,
    form: Form,
    /// A chosen result may be recorded.
    has_target: Cell<bool>,
}

/// How a claim lies in the working folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// As a file with a name that says it all.
    Name,
    /// As a folder.
    Folder,
}

impl Claim {
    /// Claims `origin` by one rename. `None` when the file is gone: somebody else took it, which is normal.
    ///
    /// # Errors
    /// When the file cannot be renamed, or a claim's folder not be made; the file is then still in the inbox.
    pub fn take(
        work: &Path,
        inbox: &Path,
        origin: &Path,
        id: String,
        seen: Instant,
        disk: &dyn Disk,
    ) -> io::Result<Option<Self>> {
        let form = if name::fits(&id, origin) { Form::Name } else { Form::Folder };
        let mut claim = Self::new(work, id, origin.to_owned(), seen, form);
        let home = inbox.join(origin);
        // The name is new and this claim's alone: there is nothing that could be replaced.
        let mut taken = match form {
            Form::Name => disk.rename(&home, &claim.input()),
            Form::Folder => claim.take_into_folder(&home, disk),
        };
        if form == Form::Name && taken.as_ref().is_err_and(is_too_long) {
            claim.form = Form::Folder;
            taken = claim.take_into_folder(&home, disk);
        }
        match taken {
            Ok(()) => Ok(Some(claim)),
            // The working folder may be what is missing.
            Err(error) if error.kind() == io::ErrorKind::NotFound && !exists(disk, &home) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn new(work: &Path, id: String, origin: PathBuf, seen: Instant, form: Form) -> Self {
        let (work, has_target) = (work.to_owned(), Cell::new(false));
        Self { id, origin, seen, tries: 0, inode: None, work, form, has_target }
    }

    fn take_into_folder(&self, home: &Path, disk: &dyn Disk) -> io::Result<()> {
        let input = self.input();
        disk.create_folder(&self.folder())?;
        let taken = input
            .parent()
            .map_or(Ok(()), |parent| disk.create_folders(parent))
            .and_then(|()| disk.rename(home, &input));
        if taken.is_err() {
            self.end(disk);
        }
        taken
    }

    /// Where the claimed file lies.
    #[must_use]
    pub fn input(&self) -> PathBuf {
        match self.form {
            Form::Name => self.work.join(name::of(&self.id, self.tries, &self.origin)),
            Form::Folder => self.folder().join("input").join(&self.origin),
        }
    }

    fn folder(&self) -> PathBuf {
        self.work.join(&self.id)
    }

    /// Marks that an answer is being tried, so that a file that kills the process is known again.
    ///
    /// # Errors
    /// When the mark cannot be made.
    pub fn begin_try(&mut self, disk: &dyn Disk) -> io::Result<()> {
        let next = self.tries + 1;
        match self.form {
            Form::Name => {
                let to = self.work.join(name::of(&self.id, next, &self.origin));
                match disk.rename(&self.input(), &to) {
                    // Somebody removed the claimed file, which whoever reads it is told.
                    Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
                    renamed => renamed?,
                }
            }
            Form::Folder => drop(disk.create(&self.mark(next), Access::default())?),
        }
        // Only now: a full disk is nothing that the file did.
        self.tries = next;
        Ok(())
    }

    /// Takes all marks back: the try came to an orderly end, so the file is not what killed the process before.
    pub fn end_try(&mut self, disk: &dyn Disk) {
        // If a mark stays, the file has one try less; nothing is lost.
        match self.form {
            Form::Name if self.tries > 0 => {
                let to = self.work.join(name::of(&self.id, 0, &self.origin));
                if disk.rename(&self.input(), &to).is_ok() {
                    self.tries = 0;
                }
            }
            Form::Name => {}
            Form::Folder => {
                for number in (1..=self.tries).rev() {
                    let _ = disk.remove_file(&self.mark(number));
                }
                self.tries = 0;
            }
        }
    }

    fn mark(&self, number: u32) -> PathBuf {
        self.folder().join(format!("{MARK}{number}"))
    }

    /// The result's path below the outbox as chosen by an earlier try.
    #[must_use]
    pub fn target(&self, disk: &dyn Disk) -> Option<PathBuf> {
        if !self.has_target.get() {
            return None;
        }
        let mut bytes = Vec::new();
        let file = disk.open(&self.recorded()).ok()?;
        file.take(TARGET_BYTES_MAX).read_to_end(&mut bytes).ok()?;
        let path = bytes.strip_suffix(TARGET_END)?;
        Some(PathBuf::from(std::ffi::OsString::from_vec(path.to_vec())))
    }

    /// Records the result's path below the outbox, so that another try takes the same.
    ///
    /// # Errors
    /// Those of writing. Durable only after the next sync.
    pub fn set_target(&self, target: &Path, disk: &dyn Disk) -> io::Result<()> {
        self.has_target.set(true);
        let mut file = disk.create(&self.recorded(), Access::default())?;
        file.write_all(&[target.as_os_str().as_bytes(), TARGET_END].concat())
    }

    /// Forgets the recorded result.
    pub fn clear_target(&self, disk: &dyn Disk) {
        // If it stays, the next try fails the same way and clears it again.
        if disk.remove_file(&self.recorded()).is_ok() {
            self.has_target.set(false);
        }
    }

    fn recorded(&self) -> PathBuf {
        match self.form {
            Form::Name => self.work.join(name::of_target(&self.id)),
            Form::Folder => self.folder().join("target"),
        }
    }

    /// Everything that must survive a crash before the result may appear, in the order in which it is to be synced:
    /// the file can be reached under its new name before its old one goes.
    #[must_use]
    pub fn paths_to_sync(&self, work: &Path, inbox: &Path, disk: &dyn Disk) -> Vec<PathBuf> {
        let recorded = Some(self.recorded()).filter(|path| exists(disk, path));
        let left = inbox.join(self.origin.parent().unwrap_or(Path::new("")));
        let left = Some(left).filter(|path| exists(disk, path));
        let input = self.input();
        let chain = input.parent().map(|folder| folders_down(work, folder)).unwrap_or_default();
        recorded.into_iter().chain(chain).chain(left).collect()
    }

    /// Moves the file to its final place. What else there is of the claim stays until it is [ended](Self::end).
    ///
    /// # Errors
    /// When the file cannot be moved; the claim then stands.
    pub fn keep(&self, to: &Path, disk: &dyn Disk) -> io::Result<()> {
        if let Some(parent) = to.parent() {
            disk.create_folders(parent)?;
        }
        let input = self.input();
        match disk.rename(&input, to) {
            Err(error) if error.kind() == io::ErrorKind::CrossesDevices => copy_durably(&input, to, disk),
            // Somebody removed the claimed file: there is nothing left to keep, and trying again would not help.
            Err(error) if error.kind() == io::ErrorKind::NotFound && !exists(disk, &input) => Ok(()),
            other => other,
        }
    }

    /// Puts the file back where it came from. False when a newer file has that name by now: the claim then
    /// stands and is answered at the next start, before the newer one.
    ///
    /// # Errors
    /// When the file cannot be moved; the claim then stands too.
    pub fn put_back(&self, inbox: &Path, disk: &dyn Disk) -> io::Result<bool> {
        let home = inbox.join(&self.origin);
        if let Some(parent) = home.parent() {
            disk.create_folders(parent)?;
        }
        match disk.rename_new(&self.input(), &home) {
            Ok(()) => {
                self.end(disk);
                Ok(true)
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Removes the claim with the name that its file has in it, because the file has its final name, too.
    pub fn remove(&self, disk: &dyn Disk) {
        // What cannot be removed now is met again at the next start.
        if self.form == Form::Folder || disk.remove_file(&self.input()).is_ok() {
            self.end(disk);
        }
    }

    /// Ends the claim, once its file is elsewhere.
    pub fn end(&self, disk: &dyn Disk) {
        // What cannot be removed now is removed at the next start.
        match self.form {
            Form::Name if self.has_target.get() => drop(disk.remove_file(&self.recorded())),
            Form::Name => {}
            Form::Folder => {
                // Usually both are empty.
                let _ = disk.remove_tree(&self.folder().join("input"));
                let _ = disk.remove_tree(&self.folder());
            }
        }
    }
}

/// Whether a name is too long for the file system, whatever its own limit is.
fn is_too_long(error: &io::Error) -> bool {
    error.raw_os_error() == Some(libc::ENAMETOOLONG)
}

/// A copy that is durable before the original goes: for a `done` folder on another file system.
fn copy_durably(from: &Path, to: &Path, disk: &dyn Disk) -> io::Result<()> {
    let mut target = disk.create(to, Access::default())?;
    io::copy(&mut disk.open(from)?, &mut target)?;
    target.flush()?;
    drop(target);
    disk.sync(to)?;
    if let Some(parent) = to.parent() {
        disk.sync(parent)?;
    }
    disk.remove_file(from)
}

/// The claims in the working folder, in the order of arrival; what is left of others is removed.
///
/// # Errors
/// When the working folder or a claim in it cannot be listed; nothing is removed that was not seen to be over.
pub fn find(work: &Path, disk: &dyn Disk) -> io::Result<Vec<Claim>> {
    let mut claims: BTreeMap<String, Claim> = BTreeMap::new();
    let mut targets = Vec::new();
    for entry in disk.list(work)? {
        if entry.is_folder {
            let id = entry.name.to_string_lossy().into_owned();
            if let Some(claim) = find_in_folder(work, id, disk)? {
                claims.insert(claim.id.clone(), claim);
            }
        } else if let Some(named) = name::parse(&entry.name) {
            let mut claim = Claim::new(work, named.id, named.origin, Instant::now(), Form::Name);
            claim.tries = named.tries;
            if let Some(other) = claims.remove(&claim.id) {
                // A rename cut in half left both names; more marks are the safer reading.
                let (before, after) = if other.tries < claim.tries { (other, claim) } else { (claim, other) };
                if disk.stat(&before.input())?.is_same_file(&disk.stat(&after.input())?) {
                    disk.remove_file(&before.input())?;
                }
                claim = after;
            }
            claims.insert(claim.id.clone(), claim);
        } else if let Some(id) = name::parse_target(&entry.name) {
            targets.push(id);
        }
    }
    for id in targets {
        match claims.get(&id) {
            Some(claim) => claim.has_target.set(true),
            None => disk.remove_file(&work.join(name::of_target(&id)))?,
        }
    }
    Ok(claims.into_values().collect())
}

/// The claim whose folder has that name; one without a file is removed.
fn find_in_folder(work: &Path, id: String, disk: &dyn Disk) -> io::Result<Option<Claim>> {
    let folder = work.join(&id);
    let Some(origin) = only_file(&folder.join("input"), disk)? else {
        disk.remove_tree(&folder)?;
        return Ok(None);
    };
    let mut claim = Claim::new(work, id, origin, Instant::now(), Form::Folder);
    // Counted, because a crash may leave a later mark without an earlier one.
    let is_mark = |name: &OsStr| name.as_bytes().starts_with(MARK.as_bytes());
    claim.tries = disk.list(&folder)?.iter().filter(|entry| is_mark(&entry.name)).count() as u32;
    claim.has_target.set(true);
    Ok(Some(claim))
}

/// The path below `input` of the one file in it.
fn only_file(input: &Path, disk: &dyn Disk) -> io::Result<Option<PathBuf>> {
    let mut below = PathBuf::new();
    loop {
        let entries = match disk.list(&input.join(&below)) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            // Not "empty": whoever takes an error for that removes somebody's file.
            Err(error) => return Err(error),
        };
        let Some(entry) = entries.into_iter().next() else { return Ok(None) };
        below.push(entry.name);
        if !entry.is_folder {
            return Ok(Some(below));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::LazyLock;

    use super::super::disk::Tree;
    use super::super::os::Platform;
    use super::*;

    static DISK: LazyLock<Tree> =
        LazyLock::new(|| Tree::new([std::env::temp_dir().as_path()], Platform::native()));

    struct Place {
        root: tempfile::TempDir,
        ids: JobIds,
    }

    impl Place {
        fn new() -> Self {
            let root = tempfile::tempdir().unwrap();
            for folder in ["inbox/a/b", "work", "done"] {
                fs::create_dir_all(root.path().join(folder)).unwrap();
            }
            Self { root, ids: JobIds::default() }
        }

        fn at(&self, path: &str) -> PathBuf {
            self.root.path().join(path)
        }

        fn take(&mut self, origin: &str) -> Option<Claim> {
            let id = self.ids.next();
            let (work, inbox) = (self.at("work"), self.at("inbox"));
            Claim::take(&work, &inbox, Path::new(origin), id, Instant::now(), &*DISK).unwrap()
        }
    }

    #[test]
    fn ids_rise_and_never_repeat() {
        let mut ids = JobIds::default();
        let names: Vec<_> = (0..1000).map(|_| ids.next()).collect();
        assert!(names.windows(2).all(|pair| pair[0] < pair[1]));
        assert_eq!(names[0].len(), "20261121T121744.123456Z".len());
        ids.after("29990101T000000.000000Z");
        assert_eq!(ids.next(), "29990101T000000.000001Z");
    }

    #[test]
    fn a_claim_is_found_again_with_all_it_knew() {
        let mut place = Place::new();
        fs::write(place.at("inbox/a/b/x.txt"), "1").unwrap();
        fs::write(place.at("inbox/y.txt"), "2").unwrap();
        let mut first = place.take("a/b/x.txt").unwrap();
        fs::create_dir_all(place.at("inbox").join(long()).parent().unwrap()).unwrap();
        fs::write(place.at("inbox").join(long()), "3").unwrap();
        let second = place.take("y.txt").unwrap();
        let mut third = place.take(&long()).unwrap();
        assert_eq!((first.form, third.form), (Form::Name, Form::Folder));
        assert!(place.take("y.txt").is_none(), "taken already");
        third.begin_try(&*DISK).unwrap();
        third.set_target(Path::new("x.saida.txt"), &*DISK).unwrap();
        first.begin_try(&*DISK).unwrap();
        first.begin_try(&*DISK).unwrap();
        first.end_try(&*DISK);
        first.begin_try(&*DISK).unwrap();
        first.set_target(Path::new("a/b/x.saida.2.txt"), &*DISK).unwrap();
        assert_eq!(second.target(&*DISK), None);

        let found = find(&place.at("work"), &*DISK).unwrap();
        assert_eq!(found.len(), 3, "and nothing is left of the failed claim");
        assert_eq!((&found[0].id, &found[0].origin), (&first.id, &first.origin));
        assert_eq!(found[0].tries, 1);
        assert_eq!(found[0].target(&*DISK), Some(PathBuf::from("a/b/x.saida.2.txt")));
        assert_eq!(found[1].origin, Path::new("y.txt"));
        assert_eq!((&found[2].origin, found[2].tries), (&third.origin, 1));
        assert_eq!(found[2].target(&*DISK), Some(PathBuf::from("x.saida.txt")));
        for (claim, content) in found.iter().zip(["1", "2", "3"]) {
            assert_eq!(fs::read_to_string(claim.input()).unwrap(), content);
            claim.keep(&place.at("done").join(&claim.id), &*DISK).unwrap();
            claim.end(&*DISK);
        }
        assert_eq!(fs::read_dir(place.at("work")).unwrap().count(), 0);
    }

    /// A path of which no name can be made.
    fn long() -> String {
        format!("{}/{}/x.txt", "t".repeat(120), "u".repeat(120))
    }

    #[test]
    fn a_claim_under_two_names_is_one_and_a_record_without_a_claim_is_removed() {
        let place = Place::new();
        let work = |name: &str| place.at("work").join(name);
        fs::write(work("20260101T000000.000000Z=y.txt"), "1").unwrap();
        fs::hard_link(work("20260101T000000.000000Z=y.txt"), work("20260101T000000.000000Z!1=y.txt"))
            .unwrap();
        fs::write(work("20260101T000000.000001Z.target"), "y.saida.txt\n.\n").unwrap();
        fs::write(work("lock"), "").unwrap();
        let found = find(&place.at("work"), &*DISK).unwrap();
        assert_eq!((found.len(), found[0].tries, found[0].origin.as_path()), (1, 1, Path::new("y.txt")));
        assert_eq!(fs::read_dir(place.at("work")).unwrap().count(), 2, "the claim and the lock");
        assert_eq!(fs::read_to_string(found[0].input()).unwrap(), "1");
    }

    #[test]
    fn a_claim_that_cannot_be_listed_is_not_removed() {
        let place = Place::new();
        fs::create_dir(place.at("work/20260101T000000.000000Z")).unwrap();
        // Not a folder: the one error of a listing that root meets, too.
        fs::write(place.at("work/20260101T000000.000000Z/input"), "1").unwrap();
        find(&place.at("work"), &*DISK).unwrap_err();
        assert_eq!(fs::read_to_string(place.at("work/20260101T000000.000000Z/input")).unwrap(), "1");
    }

    #[test]
    fn a_try_that_could_not_be_marked_is_none() {
        let mut place = Place::new();
        fs::write(place.at("inbox/y.txt"), "2").unwrap();
        let mut claim = place.take("y.txt").unwrap();
        // Stops root, too.
        let marked = claim.work.join(name::of(&claim.id, 1, &claim.origin));
        fs::create_dir(&marked).unwrap();
        claim.begin_try(&*DISK).unwrap_err();
        claim.begin_try(&*DISK).unwrap_err();
        assert_eq!(claim.tries, 0);
    }

    #[test]
    fn a_target_cut_short_is_none() {
        let mut place = Place::new();
        fs::write(place.at("inbox/y.txt"), "2").unwrap();
        let claim = place.take("y.txt").unwrap();
        claim.set_target(Path::new("y.saida.txt"), &*DISK).unwrap();
        assert!(claim.target(&*DISK).is_some());
        fs::write(claim.recorded(), "y.sai").unwrap();
        assert_eq!(claim.target(&*DISK), None);
    }

    #[test]
    fn a_finished_claim_leaves_nothing() {
        let mut place = Place::new();
        fs::write(place.at("inbox/y.txt"), "2").unwrap();
        let claim = place.take("y.txt").unwrap();
        claim.keep(&place.at("done/sub/y.1.txt"), &*DISK).unwrap();
        claim.end(&*DISK);
        assert_eq!(fs::read_to_string(place.at("done/sub/y.1.txt")).unwrap(), "2");
        assert_eq!(fs::read_dir(place.at("work")).unwrap().count(), 0);
    }

    #[test]
    fn a_claim_whose_file_was_removed_ends_all_the_same() {
        let mut place = Place::new();
        fs::write(place.at("inbox/y.txt"), "2").unwrap();
        let claim = place.take("y.txt").unwrap();
        fs::remove_file(claim.input()).unwrap();
        claim.keep(&place.at("done/y.1.txt"), &*DISK).unwrap();
        claim.end(&*DISK);
        assert_eq!(fs::read_dir(place.at("work")).unwrap().count(), 0);
    }

    #[test]
    fn a_file_behind_a_link_is_neither_taken_nor_put_back() {
        let mut place = Place::new();
        fs::create_dir(place.at("elsewhere")).unwrap();
        fs::write(place.at("elsewhere/y.txt"), "mine").unwrap();
        fs::write(place.at("inbox/a/y.txt"), "1").unwrap();
        let claim = place.take("a/y.txt").unwrap();
        // Somebody is quicker than the intake, which saw a folder here.
        fs::remove_dir_all(place.at("inbox/a")).unwrap();
        std::os::unix::fs::symlink("../elsewhere", place.at("inbox/a")).unwrap();
        for platform in [Platform::native(), Platform::Portable] {
            let disk = Tree::new([place.root.path()], platform);
            let (work, inbox, id) = (place.at("work"), place.at("inbox"), place.ids.next());
            let error = Claim::take(&work, &inbox, Path::new("a/y.txt"), id, Instant::now(), &disk);
            assert!(error.unwrap_err().to_string().contains("a symbolic link"));
            fs::remove_file(place.at("elsewhere/y.txt")).unwrap();
            claim.put_back(&inbox, &disk).unwrap_err();
            assert!(claim.input().exists() && !place.at("elsewhere/y.txt").exists());
            fs::write(place.at("elsewhere/y.txt"), "mine").unwrap();
        }
    }

    #[test]
    fn putting_back_never_replaces_a_newer_file() {
        let mut place = Place::new();
        fs::write(place.at("inbox/a/y.txt"), "old").unwrap();
        let claim = place.take("a/y.txt").unwrap();
        fs::write(place.at("inbox/a/y.txt"), "new").unwrap();
        assert!(!claim.put_back(&place.at("inbox"), &*DISK).unwrap());
        assert_eq!(fs::read_to_string(place.at("inbox/a/y.txt")).unwrap(), "new");
        fs::remove_dir_all(place.at("inbox/a")).unwrap();
        assert!(
            claim.put_back(&place.at("inbox"), &Tree::new([place.root.path()], Platform::Portable)).unwrap()
        );
        assert_eq!(fs::read_to_string(place.at("inbox/a/y.txt")).unwrap(), "old");
        assert!(find(&place.at("work"), &*DISK).unwrap().is_empty());
    }

    #[test]
    fn a_folder_on_another_file_system_gets_a_durable_copy() {
        let root = tempfile::tempdir().unwrap();
        let (from, to) = (root.path().join("from"), root.path().join("to"));
        fs::write(&from, "1").unwrap();
        copy_durably(&from, &to, &*DISK).unwrap();
        assert!(!from.exists());
        assert_eq!(fs::read_to_string(to).unwrap(), "1");
    }
}
