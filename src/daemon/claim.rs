//! Claims: files taken out of the inbox, each in a folder of its own in the working folder.
//!
//! ```text
//! work/20261121T121744.123456Z/        the job; names sort in the order of arrival
//!     input/turma2/entrada.txt         the file, under its path below the inbox: the claim's one rename
//!     target                           the chosen result, once it is chosen (`version` and `reject` only)
//!     try-1                            a mark for every time an answer was begun
//! ```
//!
//! The folder is the whole state: nothing else knows of a claim, so nothing can disagree. A claim without
//! a file in `input/` is over (or never was), and its folder is removed.

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
        if let Some(time) = time_of(id) {
            self.last_micros = self.last_micros.max(time.unix_timestamp_nanos() / 1000);
        }
    }
}

/// When the job of that ID was claimed.
#[must_use]
pub fn time_of(id: &str) -> Option<OffsetDateTime> {
    time::PrimitiveDateTime::parse(id, ID_FORMAT).ok().map(time::PrimitiveDateTime::assume_utc)
}

/// A file taken out of the inbox.
#[derive(Debug)]
pub struct Claim {
    /// The job's name.
    pub id: String,
    /// The file's path below the inbox.
    pub origin: PathBuf,
    /// The claim's folder.
    pub folder: PathBuf,
    /// When the file was first seen.
    pub seen: Instant,
    /// How often an answer was begun, this time not counted.
    pub tries: u32,
    /// The file's length when it was claimed, by which it gets its turn.
    pub bytes: u64,
}

impl Claim {
    /// Claims `origin` by one rename. `None` when the file is gone: somebody else took it, which is normal.
    ///
    /// # Errors
    /// When the claim's folder cannot be made or the file cannot be renamed; the file is then still in the
    /// inbox.
    pub fn take(
        work: &Path,
        inbox: &Path,
        origin: &Path,
        id: String,
        seen: Instant,
        disk: &dyn Disk,
    ) -> io::Result<Option<Self>> {
        let folder = work.join(&id);
        let claim = Self { id, origin: origin.to_owned(), folder, seen, tries: 0, bytes: 0 };
        let input = claim.input();
        disk.create_folder(&claim.folder)?;
        let renamed = disk
            .create_folder(&claim.folder.join("input"))
            .and_then(|()| match input.parent() {
                // Usually it is the folder just made.
                Some(parent) if origin.components().count() > 1 => disk.create_folders(parent),
                _ => Ok(()),
            })
            // The folder is new and this claim's alone: there is nothing that could be replaced.
            .and_then(|()| disk.rename(&inbox.join(origin), &input));
        match renamed {
            Ok(()) => Ok(Some(claim)),
            Err(error) => {
                claim.remove_folder(disk);
                if error.kind() == io::ErrorKind::NotFound { Ok(None) } else { Err(error) }
            }
        }
    }

    /// Where the claimed file lies.
    #[must_use]
    pub fn input(&self) -> PathBuf {
        self.folder.join("input").join(&self.origin)
    }

    /// Marks that an answer is being tried, so that a file that kills the process is known again.
    ///
    /// # Errors
    /// When the mark cannot be made.
    pub fn begin_try(&mut self, disk: &dyn Disk) -> io::Result<()> {
        disk.create(&self.mark(self.tries + 1), Access::default())?;
        // Only now: a full disk is nothing that the file did.
        self.tries += 1;
        Ok(())
    }

    /// Takes all marks back: the try came to an orderly end, so the file is not what killed the process before.
    pub fn end_try(&mut self, disk: &dyn Disk) {
        for number in (1..=self.tries).rev() {
            // If a mark stays, the file has one try less; nothing is lost.
            let _ = disk.remove_file(&self.mark(number));
        }
        self.tries = 0;
    }

    fn mark(&self, number: u32) -> PathBuf {
        self.folder.join(format!("{MARK}{number}"))
    }

    /// The result's path below the outbox as chosen by an earlier try.
    #[must_use]
    pub fn target(&self, disk: &dyn Disk) -> Option<PathBuf> {
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
        let mut file = disk.create(&self.recorded(), Access::default())?;
        file.write_all(&[target.as_os_str().as_bytes(), TARGET_END].concat())
    }

    /// Forgets the recorded result.
    pub fn clear_target(&self, disk: &dyn Disk) {
        // If it stays, the next try fails the same way and clears it again.
        let _ = disk.remove_file(&self.recorded());
    }

    fn recorded(&self) -> PathBuf {
        self.folder.join("target")
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

    /// Moves the file to its final place. The claim's folder stays until [`remove_folder`](Self::remove_folder).
    ///
    /// # Errors
    /// When the file cannot be moved; the claim then stands.
    pub fn keep(&self, to: &Path, disk: &dyn Disk) -> io::Result<()> {
        let input = self.input();
        let rename = || {
            to.parent().map_or(Ok(()), |parent| disk.create_folders(parent))?;
            disk.rename(&input, to)
        };
        let renamed = match rename() {
            // A folder left empty may be tidied away just when it is needed again.
            Err(error) if error.kind() == io::ErrorKind::NotFound && exists(disk, &input) => rename(),
            other => other,
        };
        match renamed {
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
                self.remove_folder(disk);
                Ok(true)
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Ends the claim, once its file is elsewhere.
    pub fn remove_folder(&self, disk: &dyn Disk) {
        // What cannot be removed now is removed at the next start. Usually both are empty.
        let _ = disk.remove_tree(&self.folder.join("input"));
        let _ = disk.remove_tree(&self.folder);
    }
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

/// The claims in the working folder, in the order of arrival; folders without a file are removed.
///
/// # Errors
/// When the working folder or a claim in it cannot be listed; nothing is removed that was not seen to be empty.
pub fn find(work: &Path, disk: &dyn Disk) -> io::Result<Vec<Claim>> {
    let mut claims = Vec::new();
    for entry in disk.list(work)?.into_iter().filter(|entry| entry.is_folder) {
        let folder = work.join(&entry.name);
        let Some(origin) = only_file(&folder.join("input"), disk)? else {
            disk.remove_tree(&folder)?;
            continue;
        };
        let id = entry.name.to_string_lossy().into_owned();
        // Counted, because a crash may leave a later mark without an earlier one.
        let is_mark = |name: &OsStr| name.as_bytes().starts_with(MARK.as_bytes());
        let tries = disk.list(&folder)?.iter().filter(|entry| is_mark(&entry.name)).count() as u32;
        let claim = Claim { id, origin, folder, seen: Instant::now(), tries, bytes: 0 };
        let bytes = disk.stat(&claim.input()).map_or(0, |stat| stat.bytes);
        claims.push(Claim { bytes, ..claim });
    }
    claims.sort_unstable_by(|a, b| a.id.cmp(&b.id));
    Ok(claims)
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
        let second = place.take("y.txt").unwrap();
        assert!(place.take("y.txt").is_none(), "taken already");
        first.begin_try(&*DISK).unwrap();
        first.begin_try(&*DISK).unwrap();
        first.end_try(&*DISK);
        first.begin_try(&*DISK).unwrap();
        first.set_target(Path::new("a/b/x.saida.2.txt"), &*DISK).unwrap();
        assert_eq!(second.target(&*DISK), None);

        let found = find(&place.at("work"), &*DISK).unwrap();
        assert_eq!(found.len(), 2, "and the folder of the failed claim is gone");
        assert_eq!((&found[0].id, &found[0].origin), (&first.id, &first.origin));
        assert_eq!(found[0].tries, 1);
        assert_eq!(found[0].target(&*DISK), Some(PathBuf::from("a/b/x.saida.2.txt")));
        assert_eq!(found[1].origin, Path::new("y.txt"));
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
        fs::create_dir(claim.folder.join("try-1")).unwrap();
        claim.begin_try(&*DISK).unwrap_err();
        claim.begin_try(&*DISK).unwrap_err();
        assert_eq!(claim.tries, 0);
    }

    #[test]
    fn a_target_cut_short_is_none() {
        let mut place = Place::new();
        fs::write(place.at("inbox/y.txt"), "2").unwrap();
        let claim = place.take("y.txt").unwrap();
        fs::write(claim.folder.join("target"), "y.sai").unwrap();
        assert_eq!(claim.target(&*DISK), None);
    }

    #[test]
    fn a_finished_claim_leaves_nothing() {
        let mut place = Place::new();
        fs::write(place.at("inbox/y.txt"), "2").unwrap();
        let claim = place.take("y.txt").unwrap();
        claim.keep(&place.at("done/sub/y.1.txt"), &*DISK).unwrap();
        claim.remove_folder(&*DISK);
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
        claim.remove_folder(&*DISK);
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
