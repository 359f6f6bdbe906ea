//! The files of a folder that is named, and of the folders in it.

use std::fs::DirEntry;
use std::io;
use std::path::{Path, PathBuf};

use crate::cli::arguments::printable_path;
use crate::cli::failure::{Exit, Failure};
use crate::daemon::fs::service_folders::is_own;

/// Files of a folder, and of the folders in it, at most.
const FILES_MAX: usize = 100_000;
/// Folders within folders at most.
const DEPTH_MAX: usize = 32;

/// What lies below a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    File,
    Folder,
    Link,
}

/// Adds a file below a folder.
///
/// # Errors
/// 64 when there are too many.
pub fn keep<T>(files: &mut Vec<T>, file: T, folder: &Path) -> Result<(), Failure> {
    if files.len() == FILES_MAX {
        let folder = printable_path(folder);
        let message = format_args!("{folder}: more than {FILES_MAX} files; name fewer at a time");
        return Err(Failure::new(Exit::Usage, message));
    }
    files.push(file);
    Ok(())
}

/// Visits what lies below a folder, in order of name, a folder before what lies in it. The service's own folders are passed over.
///
/// # Errors
/// 74 when a folder cannot be read, 64 when it is too deep; those of the visitor.
pub fn visit_below(
    folder: &Path,
    visit: &mut dyn FnMut(PathBuf, Kind) -> Result<(), Failure>,
) -> Result<(), Failure> {
    walk(folder, DEPTH_MAX, visit)
}

fn walk(
    folder: &Path,
    depth: usize,
    visit: &mut dyn FnMut(PathBuf, Kind) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let unreadable = |error: io::Error| {
        Failure::new(Exit::Io, format_args!("{}: cannot read: {error}", printable_path(folder)))
    };
    let entries = std::fs::read_dir(folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    let mut entries = entries.map_err(unreadable)?;
    entries.sort_by_key(DirEntry::file_name);
    for entry in entries {
        let (path, kind) = (entry.path(), entry.file_type().map_err(unreadable)?);
        if kind.is_dir() && !is_own(&path) {
            let deeper = depth.checked_sub(1).ok_or_else(|| {
                let path = printable_path(&path);
                Failure::new(
                    Exit::Usage,
                    format_args!("{path}: more than {DEPTH_MAX} folders deep; name it by itself"),
                )
            })?;
            visit(path.clone(), Kind::Folder)?;
            walk(&path, deeper, visit)?;
        } else if kind.is_file() {
            visit(path, Kind::File)?;
        } else if kind.is_symlink() {
            visit(path, Kind::Link)?;
        }
    }
    Ok(())
}
