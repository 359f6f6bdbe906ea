//! The files of a folder that is named, and of the folders in it.

use std::ffi::OsStr;
use std::fs::DirEntry;
use std::io;
use std::path::{Path, PathBuf};

use crate::cli::arguments::printable_path;
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::daemon::fs::folders::is_own;

/// Files of a folder, and of the folders in it, at most.
const FILES_MAX: usize = 100_000;
/// Folders within folders at most.
const DEPTH_MAX: usize = 32;

/// The files below a folder whose names are wanted, in order of name. Links and the service's own folders are passed over.
///
/// # Errors
/// 74 when a folder cannot be read, 64 when it holds too much.
pub fn files_below(folder: &Path, is_wanted: fn(&OsStr) -> bool) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    walk(folder, DEPTH_MAX, is_wanted, &mut files)?;
    Ok(files)
}

fn walk(
    folder: &Path,
    depth: usize,
    is_wanted: fn(&OsStr) -> bool,
    files: &mut Vec<PathBuf>,
) -> Result<(), Failure> {
    let unreadable = |error: io::Error| {
        Failure::new(Exit::Io, format_args!("{}: cannot read: {error}", printable_path(folder)))
    };
    let entries = std::fs::read_dir(folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    let mut entries = entries.map_err(unreadable)?;
    entries.sort_by_key(DirEntry::file_name);
    for entry in entries {
        let (path, name, kind) = (entry.path(), entry.file_name(), entry.file_type().map_err(unreadable)?);
        if kind.is_dir() && !is_own(&path) {
            let deeper = depth.checked_sub(1).ok_or_else(|| {
                let path = printable_path(&path);
                Failure::new(
                    Exit::Usage,
                    format_args!("{path}: more than {DEPTH_MAX} folders deep; name it by itself"),
                )
            })?;
            walk(&path, deeper, is_wanted, files)?;
        } else if kind.is_file() && is_wanted(&name) {
            if files.len() == FILES_MAX {
                let folder = printable_path(folder);
                let message = format_args!("{folder}: more than {FILES_MAX} files; name fewer at a time");
                return Err(Failure::new(Exit::Usage, message));
            }
            files.push(path);
        }
    }
    Ok(())
}
