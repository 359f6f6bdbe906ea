//! The files in a named folder and its subfolders.

use std::fs::{DirEntry, FileType};
use std::io;
use std::path::{Path, PathBuf};

use crate::cli::arguments::printable_path;
use crate::cli::cli_messages::CliMessage;
use crate::cli::failure::{Exit, Failure};
use crate::daemon::fs::service_folders::is_own;

/// The maximum number of files in a folder and its subfolders.
const FILES_MAX: usize = 100_000;
/// The maximum depth of nested folders.
pub const DEPTH_MAX: usize = 32;

/// Adds a file found below a folder.
///
/// # Errors
/// Exit code 64 if there are more than `FILES_MAX` files.
pub fn keep<T>(files: &mut Vec<T>, file: T, folder: &Path) -> Result<(), Failure> {
    if files.len() == FILES_MAX {
        let message = CliMessage::TooManyFiles { folder: printable_path(folder), most: FILES_MAX };
        return Err(Failure::of(Exit::Usage, message));
    }
    files.push(file);
    Ok(())
}

/// Visits the files, folders and links below a folder, in order of name, each folder before its content. Skips the
/// service's own folders. `depth` is how deeply further folders may be nested.
///
/// # Errors
/// Exit code 74 if a folder cannot be read, 64 if folders are nested too deeply. Also returns errors of the visitor.
pub fn visit_below(
    folder: &Path,
    depth: usize,
    visit: &mut dyn FnMut(PathBuf, FileType) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let unreadable = |error: io::Error| Failure::read(&printable_path(folder), &error);
    let entries = std::fs::read_dir(folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    let mut entries = entries.map_err(unreadable)?;
    entries.sort_by_key(DirEntry::file_name);
    for entry in entries {
        let (path, kind) = (entry.path(), entry.file_type().map_err(unreadable)?);
        if kind.is_dir() && !is_own(&path) {
            let deeper = depth.checked_sub(1).ok_or_else(|| {
                let message = CliMessage::TooDeep { path: printable_path(&path), most: DEPTH_MAX };
                Failure::of(Exit::Usage, message)
            })?;
            visit(path.clone(), kind)?;
            visit_below(&path, deeper, visit)?;
        } else if kind.is_file() || kind.is_symlink() {
            visit(path, kind)?;
        }
    }
    Ok(())
}
