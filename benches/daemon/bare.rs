//! The least that a service which loses nothing has to ask of the system, in groups, and nothing besides: no events, no
//! tests for writers, no marks against crashes, no solving, no log.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::fs::{CWD, RenameFlags, renameat_with, syncfs};

use super::{ANSWER, BOARD, Error};

/// What is synced when.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Sync {
    /// The file system once a group, then each folder of results.
    Group,
    /// Every result by itself, with its folder.
    Each,
    /// Nothing.
    None,
}

struct Folders {
    inbox: PathBuf,
    work: PathBuf,
    making: PathBuf,
    outbox: PathBuf,
    done: PathBuf,
}

impl Folders {
    fn make(root: &Path) -> io::Result<Self> {
        let make = |name| {
            let folder = root.join(name);
            fs::create_dir_all(&folder).map(|()| folder)
        };
        Ok(Self {
            inbox: make("inbox")?,
            work: make("work")?,
            making: make("making")?,
            outbox: make("outbox")?,
            done: make("done")?,
        })
    }
}

/// Claims, reads, writes, publishes and files away `count` files, `group` at a time.
pub fn jobs(root: &Path, count: usize, group: usize, sync: Sync) -> Result<Duration, Error> {
    let folders = Folders::make(root)?;
    let names: Vec<String> = (0..count).map(|number| format!("f{number:07}")).collect();
    for name in &names {
        fs::write(folders.inbox.join(name), BOARD)?;
    }
    syncfs(File::open(root)?)?;
    let started = Instant::now();
    for names in names.chunks(group) {
        for name in names {
            claim_and_answer(&folders, name)?;
            if sync == Sync::Each {
                File::open(folders.making.join(name))?.sync_data()?;
                publish(&folders, name)?;
                File::open(&folders.outbox)?.sync_all()?;
                file_away(&folders, name)?;
            }
        }
        if sync == Sync::Each {
            continue;
        }
        if sync == Sync::Group {
            syncfs(File::open(&folders.making)?)?;
        }
        for name in names {
            publish(&folders, name)?;
        }
        if sync == Sync::Group {
            File::open(&folders.outbox)?.sync_all()?;
        }
        for name in names {
            file_away(&folders, name)?;
        }
    }
    let time = started.elapsed();
    assert_eq!(fs::read_dir(&folders.outbox)?.count(), count);
    assert_eq!(fs::read_dir(&folders.done)?.count(), count);
    Ok(time)
}

/// The syncs of one file that is answered alone, and the rename between them; `count` times.
pub fn lone_syncs(root: &Path, count: usize) -> Result<Vec<Duration>, Error> {
    let folders = Folders::make(root)?;
    let mut times = Vec::new();
    for number in 0..count {
        let name = format!("l{number:07}");
        fs::write(folders.inbox.join(&name), BOARD)?;
        syncfs(File::open(root)?)?;
        claim_and_answer(&folders, &name)?;
        let started = Instant::now();
        syncfs(File::open(&folders.making)?)?;
        publish(&folders, &name)?;
        File::open(&folders.outbox)?.sync_all()?;
        times.push(started.elapsed());
        file_away(&folders, &name)?;
    }
    Ok(times)
}

fn claim_and_answer(folders: &Folders, name: &str) -> io::Result<()> {
    let claim = folders.work.join(name);
    fs::create_dir(&claim)?;
    fs::create_dir(claim.join("input"))?;
    let input = claim.join("input").join(name);
    renameat_with(CWD, folders.inbox.join(name), CWD, &input, RenameFlags::NOREPLACE)?;
    assert_eq!(fs::read_to_string(input)?, BOARD);
    fs::write(folders.making.join(name), ANSWER)
}

fn publish(folders: &Folders, name: &str) -> io::Result<()> {
    fs::rename(folders.making.join(name), folders.outbox.join(name))
}

fn file_away(folders: &Folders, name: &str) -> io::Result<()> {
    let claim = folders.work.join(name);
    fs::rename(claim.join("input").join(name), folders.done.join(name))?;
    fs::remove_dir(claim.join("input"))?;
    fs::remove_dir(claim)
}
