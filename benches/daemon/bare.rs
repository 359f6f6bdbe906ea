//! Makes the system calls of the service, in its groups, and nothing else: no events, no solving, no log.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::fs::{AtFlags, Mode, OFlags, openat, renameat, statat, syncfs, unlinkat};

use super::{ANSWER, BOARD, Error};

/// What is synced, and when.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Sync {
    /// The file system once per group, then each folder of results.
    Group,
    /// Every result on its own, with its folder.
    Each,
    /// Nothing.
    None,
}

/// Which calls are made for each file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Calls {
    /// Only what a service that loses nothing must do: no checks for writers, no marks against crashes, no lookups of
    /// names in the outbox.
    Least,
    /// The calls of the service.
    Same,
}

struct Folders {
    inbox: PathBuf,
    staging: PathBuf,
    outbox: PathBuf,
    /// The folders above and the others, open.
    in_: OwnedFd,
    work: OwnedFd,
    make: OwnedFd,
    out: OwnedFd,
    done: OwnedFd,
}

impl Folders {
    fn make(root: &Path) -> io::Result<Self> {
        let make = |name| {
            let folder = root.join(name);
            fs::create_dir_all(&folder)?;
            let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
            Ok::<_, io::Error>((rustix::fs::open(&folder, flags, Mode::empty())?, folder))
        };
        let ((in_, inbox), (make_, making), (out, outbox)) =
            (make("inbox")?, make("making")?, make("outbox")?);
        Ok(Self {
            inbox,
            making,
            outbox,
            in_,
            work: make("work")?.0,
            make: make_,
            out,
            done: make("done")?.0,
        })
    }
}

/// Claims, reads, writes, publishes and archives `count` files, in groups of `group`.
pub fn jobs(root: &Path, count: usize, group: usize, sync: Sync, calls: Calls) -> Result<Duration, Error> {
    let folders = Folders::make(root)?;
    let names: Vec<String> = (0..count).map(|number| format!("f{number:07}")).collect();
    for name in &names {
        fs::write(folders.inbox.join(name), BOARD)?;
    }
    syncfs(File::open(root)?)?;
    let started = Instant::now();
    for names in names.chunks(group) {
        for name in names {
            claim_and_answer(&folders, name, calls)?;
            if sync == Sync::Each {
                File::open(folders.staging.join(name))?.sync_data()?;
                publish(&folders, name, calls)?;
                File::open(&folders.outbox)?.sync_all()?;
                file_away(&folders, name)?;
            }
        }
        if sync == Sync::Each {
            continue;
        }
        if sync == Sync::Group {
            syncfs(File::open(&folders.staging)?)?;
        }
        for name in names {
            publish(&folders, name, calls)?;
        }
        if sync == Sync::Group {
            File::open(&folders.outbox)?.sync_all()?;
        }
        for name in names {
            if calls == Calls::Same {
                // The report of an earlier answer, which does not exist.
                let _ = unlinkat(&folders.out, format!("{name}.erro"), AtFlags::empty());
            }
            file_away(&folders, name)?;
        }
    }
    let time = started.elapsed();
    assert_eq!(fs::read_dir(&folders.outbox)?.count(), count);
    assert_eq!(fs::read_dir(root.join("done"))?.count(), count);
    Ok(time)
}

/// Times the syncs of one file that is answered alone, with the rename between them, `count` times.
pub fn lone_syncs(root: &Path, count: usize) -> Result<Vec<Duration>, Error> {
    let folders = Folders::make(root)?;
    let mut times = Vec::new();
    for number in 0..count {
        let name = format!("l{number:07}");
        fs::write(folders.inbox.join(&name), BOARD)?;
        syncfs(File::open(root)?)?;
        claim_and_answer(&folders, &name, Calls::Least)?;
        let started = Instant::now();
        syncfs(File::open(&folders.staging)?)?;
        publish(&folders, &name, Calls::Least)?;
        File::open(&folders.outbox)?.sync_all()?;
        times.push(started.elapsed());
        file_away(&folders, &name)?;
    }
    Ok(times)
}

fn claim_and_answer(folders: &Folders, name: &str, calls: Calls) -> io::Result<()> {
    let Folders { inbox, in_, work, make, .. } = folders;
    let marked = format!("{name}!1");
    if calls == Calls::Same {
        let judged = File::open(inbox.join(name))?;
        judged.metadata()?;
        test_for_writers(&judged);
        renameat(in_, name, work, name)?;
        test_for_writers(&judged);
        drop(judged);
        renameat(work, name, work, &marked)?;
    } else {
        renameat(in_, name, work, name)?;
    }
    let at = if calls == Calls::Same { &marked } else { name };
    let mut input = File::from(openat(work, at, OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())?);
    let mut text = String::new();
    input.read_to_string(&mut text)?;
    assert_eq!(text, BOARD);
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
    let mut result = File::from(openat(make, name, flags, Mode::from_raw_mode(0o666))?);
    if calls == Calls::Same {
        result.set_permissions(fs::Permissions::from_mode(0o644))?;
    }
    result.write_all(ANSWER.as_bytes())?;
    drop(result);
    if calls == Calls::Same {
        input.metadata()?;
        drop(input);
        renameat(work, &marked, work, name)?;
    }
    Ok(())
}

/// Takes a read lease and gives it back.
#[allow(unsafe_code, reason = "fcntl(F_SETLEASE) has no safe wrapper in a kept-up crate")]
fn test_for_writers(file: &File) {
    for lease in [libc::F_RDLCK, libc::F_UNLCK] {
        // SAFETY: fcntl with F_SETLEASE takes an int and no pointer; the descriptor is open while `file` is.
        assert_eq!(unsafe { libc::fcntl(file.as_raw_fd(), libc::F_SETLEASE, lease) }, 0, "no leases here");
    }
}

fn publish(folders: &Folders, name: &str, calls: Calls) -> io::Result<()> {
    if calls == Calls::Same {
        // Looks up whether a folder has the name.
        let _ = statat(&folders.out, name, AtFlags::SYMLINK_NOFOLLOW);
    }
    Ok(renameat(&folders.make, name, &folders.out, name)?)
}

fn file_away(folders: &Folders, name: &str) -> io::Result<()> {
    Ok(renameat(&folders.work, name, &folders.done, name)?)
}
