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

use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use time::OffsetDateTime;
use time::format_description::BorrowedFormatItem;
use time::macros::format_description;

use super::os::Platform;
use super::tree::Tree;

const ID_FORMAT: &[BorrowedFormatItem<'_>] =
    format_description!("[year][month][day]T[hour][minute][second].[subsecond digits:6]Z");
/// Ends a `target` file, so that one cut short by a crash is recognised.
const TARGET_END: &[u8] = b"\n.\n";

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
    /// The claim's folder.
    pub folder: PathBuf,
    /// When the file was first seen.
    pub seen: Instant,
    /// How often an answer was begun, this time not counted.
    pub tries: u32,
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
        platform: Platform,
    ) -> io::Result<Option<Self>> {
        let folder = work.join(&id);
        let claim = Self { id, origin: origin.to_owned(), folder, seen, tries: 0 };
        let input = claim.input();
        // A folder of the inbox may be a link by now.
        let tree = Tree::new([inbox, work], platform);
        fs::create_dir(&claim.folder)?;
        let renamed = input
            .parent()
            .map_or(Ok(()), |folder| tree.make_folders(folder))
            .and_then(|()| tree.rename_new(&inbox.join(origin), &input));
        match renamed {
            Ok(()) => Ok(Some(claim)),
            Err(error) => {
                claim.remove_folder();
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
    pub fn begin_try(&mut self) -> io::Result<()> {
        File::create(self.folder.join(format!("try-{}", self.tries + 1)))?;
        // Only now: a full disk is nothing that the file did.
        self.tries += 1;
        Ok(())
    }

    /// Takes the mark back: the try ended in an orderly way without an answer.
    pub fn end_try(&mut self) {
        // If the mark stays, the file has one try less; nothing is lost.
        let _ = fs::remove_file(self.folder.join(format!("try-{}", self.tries)));
        self.tries = self.tries.saturating_sub(1);
    }

    /// The result's path below the outbox as chosen by an earlier try.
    #[must_use]
    pub fn target(&self) -> Option<PathBuf> {
        let bytes = fs::read(self.folder.join("target")).ok()?;
        let path = bytes.strip_suffix(TARGET_END)?;
        Some(PathBuf::from(std::ffi::OsString::from_vec(path.to_vec())))
    }

    /// Records the result's path below the outbox, so that another try takes the same.
    ///
    /// # Errors
    /// Those of writing. Durable only after the next sync.
    pub fn set_target(&self, target: &Path) -> io::Result<()> {
        let mut file = File::create(self.folder.join("target"))?;
        file.write_all(target.as_os_str().as_bytes())?;
        file.write_all(TARGET_END)
    }

    /// Forgets the recorded result.
    pub fn clear_target(&self) {
        // If it stays, the next try fails the same way and clears it again.
        let _ = fs::remove_file(self.folder.join("target"));
    }

    /// Everything that must survive a crash before the result may appear.
    #[must_use]
    pub fn paths_to_sync(&self, work: &Path, inbox: &Path) -> Vec<PathBuf> {
        let mut paths = vec![work.to_owned(), self.folder.clone()];
        let target = self.folder.join("target");
        if target.exists() {
            paths.push(target);
        }
        let mut below = self.folder.join("input");
        paths.push(below.clone());
        for part in self.origin.parent().into_iter().flat_map(Path::components) {
            below.push(part);
            paths.push(below.clone());
        }
        let left = inbox.join(self.origin.parent().unwrap_or(Path::new("")));
        if left.exists() {
            paths.push(left);
        }
        paths
    }

    /// Moves the file to its final place and ends the claim.
    ///
    /// # Errors
    /// When the file cannot be moved; the claim then stands.
    pub fn finish(&self, to: &Path, tree: &Tree<'_>) -> io::Result<()> {
        if let Some(parent) = to.parent() {
            tree.make_folders(parent)?;
        }
        let input = self.input();
        match tree.rename(&input, to) {
            Err(error) if error.kind() == io::ErrorKind::CrossesDevices => copy_durably(&input, to, tree)?,
            // Somebody removed the claimed file: there is nothing left to keep, and trying again would not help.
            Err(error) if error.kind() == io::ErrorKind::NotFound && input.symlink_metadata().is_err() => {}
            other => other?,
        }
        self.remove_folder();
        Ok(())
    }

    /// Puts the file back where it came from. False when a newer file has that name by now: the claim then
    /// stands and is answered at the next start, before the newer one.
    ///
    /// # Errors
    /// When the file cannot be moved; the claim then stands too.
    pub fn put_back(&self, inbox: &Path, platform: Platform) -> io::Result<bool> {
        let home = inbox.join(&self.origin);
        let work = self.folder.parent().unwrap_or(&self.folder);
        let tree = Tree::new([inbox, work], platform);
        if let Some(parent) = home.parent() {
            tree.make_folders(parent)?;
        }
        match tree.rename_new(&self.input(), &home) {
            Ok(()) => {
                self.remove_folder();
                Ok(true)
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
            Err(error) => Err(error),
        }
    }

    fn remove_folder(&self) {
        // What cannot be removed now is removed at the next start.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// A copy that is durable before the original goes: for a `done` folder on another file system.
fn copy_durably(from: &Path, to: &Path, tree: &Tree<'_>) -> io::Result<()> {
    match tree.remove_file(to) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut target = tree.create_new(to)?;
    io::copy(&mut File::open(from)?, &mut target)?;
    target.sync_all()?;
    if let Some(parent) = to.parent() {
        tree.sync_folder(parent)?;
    }
    fs::remove_file(from)
}

/// The claims that an earlier process left, in the order of arrival; folders without a file are removed.
///
/// # Errors
/// When the working folder or a claim in it cannot be listed; nothing is removed that was not seen to be empty.
pub fn recover(work: &Path) -> io::Result<Vec<Claim>> {
    let mut claims = Vec::new();
    for entry in fs::read_dir(work)? {
        let entry = entry?;
        if !entry.file_type()?.is_dir() {
            continue;
        }
        let folder = entry.path();
        match only_file(&folder.join("input"))? {
            Some(origin) => claims.push(Claim {
                id: entry.file_name().to_string_lossy().into_owned(),
                origin,
                tries: (1..=100_u32)
                    .take_while(|number| folder.join(format!("try-{number}")).exists())
                    .count() as u32,
                folder,
                seen: Instant::now(),
            }),
            None => fs::remove_dir_all(&folder)?,
        }
    }
    claims.sort_unstable_by(|a, b| a.id.cmp(&b.id));
    Ok(claims)
}

/// The path below `input` of the one file in it.
fn only_file(input: &Path) -> io::Result<Option<PathBuf>> {
    let mut below = PathBuf::new();
    loop {
        let mut entries = match fs::read_dir(input.join(&below)) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            // Not "empty": whoever takes an error for that removes somebody's file.
            Err(error) => return Err(error),
        };
        let Some(entry) = entries.next().transpose()? else { return Ok(None) };
        below.push(entry.file_name());
        if !entry.file_type()?.is_dir() {
            return Ok(Some(below));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

        fn tree(&self) -> Tree<'_> {
            Tree::new([self.root.path()], Platform::native())
        }

        fn take(&mut self, origin: &str) -> Option<Claim> {
            let id = self.ids.next();
            let (work, inbox) = (self.at("work"), self.at("inbox"));
            Claim::take(&work, &inbox, Path::new(origin), id, Instant::now(), Platform::native()).unwrap()
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
        first.begin_try().unwrap();
        first.begin_try().unwrap();
        first.end_try();
        first.set_target(Path::new("a/b/x.saida.2.txt")).unwrap();
        assert_eq!(second.target(), None);

        let found = recover(&place.at("work")).unwrap();
        assert_eq!(found.len(), 2, "and the folder of the failed claim is gone");
        assert_eq!((&found[0].id, &found[0].origin), (&first.id, &first.origin));
        assert_eq!(found[0].tries, 1);
        assert_eq!(found[0].target(), Some(PathBuf::from("a/b/x.saida.2.txt")));
        assert_eq!(found[1].origin, Path::new("y.txt"));
    }

    #[test]
    fn a_claim_that_cannot_be_listed_is_not_removed() {
        let place = Place::new();
        fs::create_dir(place.at("work/20260101T000000.000000Z")).unwrap();
        // Not a folder: the one error of a listing that root meets, too.
        fs::write(place.at("work/20260101T000000.000000Z/input"), "1").unwrap();
        recover(&place.at("work")).unwrap_err();
        assert_eq!(fs::read_to_string(place.at("work/20260101T000000.000000Z/input")).unwrap(), "1");
    }

    #[test]
    fn a_try_that_could_not_be_marked_is_none() {
        let mut place = Place::new();
        fs::write(place.at("inbox/y.txt"), "2").unwrap();
        let mut claim = place.take("y.txt").unwrap();
        // Stops root, too.
        fs::create_dir(claim.folder.join("try-1")).unwrap();
        claim.begin_try().unwrap_err();
        claim.begin_try().unwrap_err();
        assert_eq!(claim.tries, 0);
    }

    #[test]
    fn a_target_cut_short_is_none() {
        let mut place = Place::new();
        fs::write(place.at("inbox/y.txt"), "2").unwrap();
        let claim = place.take("y.txt").unwrap();
        fs::write(claim.folder.join("target"), "y.sai").unwrap();
        assert_eq!(claim.target(), None);
    }

    #[test]
    fn a_finished_claim_leaves_nothing() {
        let mut place = Place::new();
        fs::write(place.at("inbox/y.txt"), "2").unwrap();
        let claim = place.take("y.txt").unwrap();
        claim.finish(&place.at("done/sub/y.1.txt"), &place.tree()).unwrap();
        assert_eq!(fs::read_to_string(place.at("done/sub/y.1.txt")).unwrap(), "2");
        assert_eq!(fs::read_dir(place.at("work")).unwrap().count(), 0);
    }

    #[test]
    fn a_claim_whose_file_was_removed_ends_all_the_same() {
        let mut place = Place::new();
        fs::write(place.at("inbox/y.txt"), "2").unwrap();
        let claim = place.take("y.txt").unwrap();
        fs::remove_file(claim.input()).unwrap();
        claim.finish(&place.at("done/y.1.txt"), &place.tree()).unwrap();
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
            let (work, inbox, id) = (place.at("work"), place.at("inbox"), place.ids.next());
            let error = Claim::take(&work, &inbox, Path::new("a/y.txt"), id, Instant::now(), platform);
            assert!(error.unwrap_err().to_string().contains("a symbolic link"));
            fs::remove_file(place.at("elsewhere/y.txt")).unwrap();
            claim.put_back(&inbox, platform).unwrap_err();
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
        assert!(!claim.put_back(&place.at("inbox"), Platform::native()).unwrap());
        assert_eq!(fs::read_to_string(place.at("inbox/a/y.txt")).unwrap(), "new");
        fs::remove_dir_all(place.at("inbox/a")).unwrap();
        assert!(claim.put_back(&place.at("inbox"), Platform::Portable).unwrap());
        assert_eq!(fs::read_to_string(place.at("inbox/a/y.txt")).unwrap(), "old");
        assert!(recover(&place.at("work")).unwrap().is_empty());
    }

    #[test]
    fn a_folder_on_another_file_system_gets_a_durable_copy() {
        let root = tempfile::tempdir().unwrap();
        let (from, to) = (root.path().join("from"), root.path().join("to"));
        fs::write(&from, "1").unwrap();
        copy_durably(&from, &to, &Tree::new([root.path()], Platform::native())).unwrap();
        assert!(!from.exists());
        assert_eq!(fs::read_to_string(to).unwrap(), "1");
    }
}
