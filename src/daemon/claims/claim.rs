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

use std::cell::Cell;
use std::collections::{BTreeMap, HashSet};
use std::ffi::OsStr;
use std::io::{self, Read, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::daemon::base::job_id::is_id;
use crate::daemon::claims::name;
use crate::daemon::fs::disk::{Access, Disk, exists, folders_down};

/// Begins the name of a mark; its number follows.
const MARK: &str = "try-";
/// Ends a `target` file, so that one cut short by a crash is recognised.
const TARGET_END: &[u8] = b"\n.\n";
/// More than any path the system takes.
const TARGET_BYTES_MAX: u64 = 8192;

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
    /// The file's length when it was claimed, by which it gets its turn.
    pub bytes: u64,
    /// The number that the file had when it was judged to be complete: another file may have got its name before it was
    /// taken. `None` where nobody judged it, in what an earlier run left.
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
        Self { id, origin, seen, tries: 0, bytes: 0, inode: None, work, form, has_target }
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
                    // On a file system with shorter names than usual there may be no room for a mark. Better tried
                    // without one than never.
                    Err(error) if is_too_long(&error) => return Ok(()),
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
        // A folder, too, may have got the name of a file that was about to be claimed.
        if let Some(named) = name::parse(&entry.name) {
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
        } else if entry.is_folder {
            let id = entry.name.to_string_lossy().into_owned();
            // What no claim's folder is called is somebody else's.
            if is_id(id.as_bytes())
                && let Some(claim) = find_in_folder(work, id, disk)?
            {
                claims.insert(claim.id.clone(), claim);
            }
        }
    }
    for id in targets {
        match claims.get(&id) {
            Some(claim) => claim.has_target.set(true),
            None => disk.remove_file(&work.join(name::of_target(&id)))?,
        }
    }
    for claim in claims.values_mut() {
        claim.bytes = disk.stat(&claim.input()).map_or(0, |stat| stat.bytes);
    }
    Ok(claims.into_values().collect())
}

/// The ID of the job that a name in the working folder is of, for those who only look: `None` where it is no claim's,
/// or not one of the file dropped as `origin`, where that is asked for.
#[must_use]
pub fn job_of(work: &Path, name: &OsStr, origin: Option<&Path>) -> Option<String> {
    if let Some(named) = name::parse(name) {
        return origin.is_none_or(|origin| named.origin == origin).then_some(named.id);
    }
    let input = work.join(name).join("input");
    let found = std::fs::symlink_metadata(origin.map_or_else(|| input.clone(), |origin| input.join(origin)));
    let is_claimed =
        |found: std::fs::Metadata| if origin.is_some() { found.is_file() } else { found.is_dir() };
    found.is_ok_and(is_claimed).then(|| name.to_string_lossy().into_owned())
}

/// The paths below the inbox of the files that are claimed, for those who only look. No working folder holds none.
///
/// # Errors
/// When the working folder cannot be listed.
pub fn origins(work: &Path, disk: &dyn Disk) -> io::Result<HashSet<PathBuf>> {
    let entries = match disk.list(work) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(HashSet::new()),
        entries => entries?,
    };
    let mut origins = HashSet::new();
    for entry in entries {
        if entry.is_folder {
            origins.extend(only_file(&work.join(entry.name).join("input"), disk)?);
        } else {
            origins.extend(name::parse(&entry.name).map(|named| named.origin));
        }
    }
    Ok(origins)
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
#[path = "claim_tests.rs"]
mod tests;
