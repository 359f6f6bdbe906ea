//! Who has a file open for writing, as far as `/proc` tells this user.

use std::fs::{self, DirEntry, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use tabuleiro_puzzles::input::printable;

/// Processes told.
const WRITERS_TOLD_MAX: usize = 5;
/// Descriptors looked at, of all processes.
const DESCRIPTORS_MAX: usize = 100_000;
/// How much of a program's name is told.
const NAME_BYTES_MAX: usize = 40;

/// The processes that have a file open for writing: `vim (process 123)`.
pub(super) fn of(file: &Metadata) -> Vec<String> {
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

/// The link in `fd` leads to the file itself, whatever its name is by now.
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
            assert!(of(&metadata).iter().any(|writer| writer.ends_with(&own)));
        }
        drop(writer);
        assert_eq!(of(&metadata), [] as [String; 0]);
    }
}
