//! A file in the inbox: why it is not taken, or when it will be.

use std::fs::{self, DirEntry, File, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use rustix::fs::{CWD, Mode, OFlags};

use crate::config::Config;
use crate::daemon::answering::fair::Length;
use crate::daemon::fs::access;
use crate::daemon::fs::opened::stat_of;
use crate::daemon::fs::os::{Mount, Writers, writers};
use crate::daemon::fs::service_folders::is_own;
use crate::daemon::inspect::why::{Live, State, show};
use crate::daemon::intake::judging::{DEPTH_MAX, FOLDER_BYTES_MAX, Quiet, Reason, judge_folder, judge_kind};
use crate::daemon::records::file_search::Search;
use tabuleiro_jobs::archive::is_zip;
use tabuleiro_puzzles::input::printable;

/// Returns what is to be said of the file at `below` the inbox; `None` if there is none.
pub(super) fn judge(
    search: &Search,
    config: &Config,
    live: Option<&Live>,
    below: &Path,
) -> Option<(State, Vec<String>)> {
    let path = search.inbox.join(below);
    let found = match fs::symlink_metadata(&path) {
        Ok(found) => found,
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            let why = denied(search, live, below).unwrap_or_else(|| {
                format!(
                    "it cannot be reached: {error}; give the service's user the right to enter and list \
                 the folders that it lies in"
                )
            });
            return Some((State::LeftAlone, vec![why]));
        }
        // There is none, or none can have such a name.
        Err(_) => return None,
    };
    if let Some(why) = left_alone(search, config, below, &found) {
        return Some((State::LeftAlone, vec![why]));
    }
    let mut words = vec![route(config, below)];
    if let Some(why) = denied(search, live, below) {
        return Some((State::LeftAlone, vec![why]));
    }
    let file = match open(&path) {
        Ok(file) => file,
        Err(error) => {
            let why = format!(
                "it cannot be read: {error}; give the service's user the right to read it, and it is taken by itself"
            );
            return Some((State::LeftAlone, vec![why]));
        }
    };
    if let Some(why) = incomplete(config, &file, &found) {
        words.insert(0, why);
        words.extend(held_up(live, found.len()));
        return Some((State::Incomplete, words));
    }
    let held = held_up(live, found.len());
    let taken = "it is complete and is taken with the next look at the inbox".to_owned();
    words.insert(
        0,
        held.unwrap_or_else(|| match live {
            Some(live) => format!("{taken}, {}", live.listed_every),
            None => taken,
        }),
    );
    if live.is_none() && !is_of_service(search) {
        words.push("whether permissions let it be taken is known to the service's own user alone".to_owned());
    }
    Some((State::Waiting, words))
}

/// Returns why it is never taken as it is.
fn left_alone(search: &Search, config: &Config, below: &Path, found: &Metadata) -> Option<String> {
    for part in below {
        let name = show(Path::new(part));
        if is_own(Path::new(part)) {
            return Some(format!("it is left alone: names like '{name}' are the service's own; rename it"));
        }
        if let Some(glob) = config.intake.ignored_by(part) {
            return Some(format!(
                "it is left alone: '{name}' matches '{glob}' of intake.ignore; rename it, or take the glob out of the list"
            ));
        }
    }
    let parent = below.parent().unwrap_or(Path::new(""));
    match judge_folder(parent, None, None) {
        Some(Reason::TooDeep) => {
            let depth = parent.components().count();
            return Some(format!(
                "it is left alone: {depth} folders deep, and {DEPTH_MAX} are allowed; move it up"
            ));
        }
        Some(_) => {
            let bytes = parent.as_os_str().len();
            return Some(format!(
                "it is left alone: the path of its folder below the inbox has {bytes} bytes, and {FOLDER_BYTES_MAX} are allowed; \
                 move it up"
            ));
        }
        None => {}
    }
    let folders = below.ancestors().skip(1).map(|folder| search.inbox.join(folder));
    let is_link = |folder: &PathBuf| {
        *folder != search.inbox && fs::symlink_metadata(folder).is_ok_and(|found| found.is_symlink())
    };
    if let Some(link) = folders.filter(|folder| folder.starts_with(&search.inbox)).find(is_link) {
        return Some(format!(
            "it is left alone: the folder {} is a symbolic link, which is not followed; move the folder here",
            show(&link)
        ));
    }
    let mount = |path: &Path| Mount::of(CWD, path).ok();
    let folder = search.inbox.join(parent);
    if judge_folder(parent, mount(&folder), mount(&search.work())).is_some() {
        return Some(format!(
            "it is left alone: {} is on another file system than the working folder {}, or on another mount of the same one, \
             so it cannot be taken by a rename; move it to a folder of the inbox's own mount, or serve that folder with its own folders.var",
            show(&folder),
            show(&search.work())
        ));
    }
    let kind = found.file_type();
    if kind.is_symlink() {
        return Some(
            "it is left alone: a symbolic link, which is not followed; copy the file itself".to_owned(),
        );
    }
    if kind.is_dir() {
        return Some("it is a folder; what lies in it is taken file by file".to_owned());
    }
    judge_kind(&stat_of(found))
        .map(|_| "it is left alone: no regular file but a FIFO, a socket or a device".to_owned())
}

/// Returns what permissions forbid the service, with the remedy.
fn denied(search: &Search, live: Option<&Live>, below: &Path) -> Option<String> {
    if live.is_none() && !is_of_service(search) {
        return None;
    }
    let why = access::denied(&search.inbox, below)?.why;
    Some(format!("it is left alone, and taken by itself as soon as it may be: {why}"))
}

/// Returns whether this process has the rights of the service: those of the user who owns its folder.
fn is_of_service(search: &Search) -> bool {
    fs::metadata(&search.var).is_ok_and(|found| found.uid() == rustix::process::geteuid().as_raw())
}

fn route(config: &Config, below: &Path) -> String {
    if is_zip(below) {
        let folder = show(&below.with_extension(""));
        return format!(
            "it is an archive: each member goes where its own path leads, as if it lay in {folder}/"
        );
    }
    if let Some(route) = config.route(below) {
        if let Some(reference) = &route.grade {
            return format!("route '{}' has it graded by the reference {}", route.name, show(reference));
        }
        return format!("route '{}' gives it to {}", route.name, route.solver.id());
    }
    let tried: Vec<_> = config.tried().map(|route| format!("\n  {route}")).collect();
    format!(
        "no route takes it, so it will be rejected; rename it or put it into a folder that a route takes. Tried, in \
         order:{}",
        tried.concat()
    )
}

/// Returns why it may still be written.
fn incomplete(config: &Config, file: &File, found: &Metadata) -> Option<String> {
    let state = writers(file);
    if state == Writers::Some {
        let by = writers_of(found);
        let by = if by.is_empty() { "somebody".to_owned() } else { by.join(", ") };
        return Some(format!("it is still open for writing by {by}; it is taken when they close it"));
    }
    let quiet = Quiet::of(&config.intake);
    let is_sure = !quiet.is_needed(state, found.len());
    let changed = found.modified().ok().max(changed(found));
    let left = changed.and_then(|changed| quiet.period.checked_sub(changed.elapsed().unwrap_or_default()));
    let left = left.filter(|left| !is_sure && !left.is_zero())?;
    let why = match (found.len(), state) {
        (0, _) => "it is empty",
        (_, Writers::Unknown) => "the system does not tell whether somebody still writes it",
        _ => "intake.readiness is \"quiet\"",
    };
    Some(format!(
        "{why}, so it is taken when it has not changed for {} (intake.quiet_period): in {:.1} s",
        humantime::format_duration(quiet.period),
        left.as_secs_f64()
    ))
}

/// Returns when its state changed last, its name included.
fn changed(found: &Metadata) -> Option<SystemTime> {
    let seconds = u64::try_from(found.ctime()).ok()?;
    SystemTime::UNIX_EPOCH.checked_add(std::time::Duration::from_secs(seconds))
}

/// Returns what keeps every file waiting.
fn held_up(live: Option<&Live>, bytes: u64) -> Option<String> {
    let Some(live) = live else {
        return Some("no service runs; the next start takes it".to_owned());
    };
    if live.is_stopping {
        return Some("the service is stopping and takes nothing more; the next start takes it".to_owned());
    }
    if let Some(why) = &live.paused {
        return Some(format!("nothing is taken for now: {why}; it goes on by itself when that is over"));
    }
    if let Some(before) = live.in_hand.first() {
        return Some(format!("an older file of this name is answered first: {before}"));
    }
    let is_long = Length::of(bytes) == Length::Long;
    (live.is_full || is_long && live.is_full_of_long).then(|| {
        "as many files are in hand as may be (intake.claims_max), or as its route may have; it waits for a free place".to_owned()
    })
}

/// Opens it as the intake does: no link followed, no FIFO waited for.
fn open(path: &Path) -> io::Result<File> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    Ok(File::from(rustix::fs::open(path, flags, Mode::empty())?))
}

/// Processes told.
const WRITERS_TOLD_MAX: usize = 5;
/// Descriptors looked at, of all processes.
const DESCRIPTORS_MAX: usize = 100_000;
/// How much of a program's name is told.
const NAME_BYTES_MAX: usize = 40;

/// Returns the processes that have a file open for writing: `vim (process 123)`.
fn writers_of(file: &Metadata) -> Vec<String> {
    let mut found = Vec::new();
    let mut looked_at = 0;
    for process in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(id) = process.file_name().to_str().and_then(|name| name.parse::<u32>().ok()) else {
            continue;
        };
        for open in fs::read_dir(process.path().join("fd")).into_iter().flatten().flatten() {
            looked_at += 1;
            if looked_at > DESCRIPTORS_MAX || found.len() >= WRITERS_TOLD_MAX {
                return found;
            }
            if is_same(&open, file) && is_for_writing(&process.path(), &open) {
                let name = fs::read(process.path().join("comm")).unwrap_or_default();
                let name = printable(name.trim_ascii_end(), NAME_BYTES_MAX);
                found.push(format!("{name} (process {id})"));
                break;
            }
        }
    }
    found
}

/// Returns whether the link in `fd` leads to the file itself, whatever its name is by now.
fn is_same(open: &DirEntry, file: &Metadata) -> bool {
    fs::metadata(open.path()).is_ok_and(|found| (found.dev(), found.ino()) == (file.dev(), file.ino()))
}

fn is_for_writing(process: &Path, open: &DirEntry) -> bool {
    let info = fs::read_to_string(process.join("fdinfo").join(open.file_name())).unwrap_or_default();
    let flags = info.lines().find_map(|line| line.strip_prefix("flags:"));
    let flags = flags.and_then(|flags| i32::from_str_radix(flags.trim(), 8).ok());
    flags.is_some_and(|flags| flags & libc::O_ACCMODE != libc::O_RDONLY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_writes_is_told_and_readers_are_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let writer = fs::File::create(&path).unwrap();
        let _reader = fs::File::open(&path).unwrap();
        let metadata = fs::metadata(&path).unwrap();
        let own = format!("(process {})", std::process::id());
        if Path::new("/proc/self/fd").exists() {
            assert!(writers_of(&metadata).iter().any(|writer| writer.ends_with(&own)));
        }
        drop(writer);
        assert_eq!(writers_of(&metadata), [] as [String; 0]);
    }
}
