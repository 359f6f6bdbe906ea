//! The place of a result where somebody else's has the name already.
//!
//! The outbox mirrors the folders of the inbox, and whoever drops files chooses their names: a folder `saida.txt`, or a
//! file `a.txt` beside a folder `a.saida.txt`. What would wait for ever for such a name, and hold a claim
//! meanwhile, takes the next number instead. A symbolic link is another matter: nobody can put one into the outbox
//! from the inbox, so it is left to whoever did.

use std::io;
use std::path::{Path, PathBuf};

use crate::daemon::fs::disk::Disk;
use crate::naming::{self, Output};

/// Numbers tried.
const NUMBERS_MAX: u32 = 1_000_000;

/// Makes the folders of `origin` below `root`, past files that have their names, and gives the path below `root`
/// that `origin` has then; usually it is the same.
///
/// # Errors
/// Those of making folders.
pub fn home(disk: &dyn Disk, root: &Path, origin: &Path) -> io::Result<PathBuf> {
    let parent = origin.parent().unwrap_or(Path::new(""));
    match disk.create_folders(&root.join(parent)) {
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => {}
        made => return made.map(|()| origin.to_owned()),
    }
    let mut below = PathBuf::new();
    for part in parent {
        let numbered = |number| below.join(naming::numbered(part, number));
        let free = (1..=NUMBERS_MAX).map(numbered).find(|path| !is_file(disk, &root.join(path)));
        below = free.ok_or_else(too_many)?;
    }
    disk.create_folders(&root.join(&below))?;
    Ok(below.join(origin.file_name().unwrap_or_default()))
}

/// The number of the first version of a result of which no output has a folder's name.
///
/// # Errors
/// When all have one.
pub fn version(disk: &dyn Disk, outbox: &Path, origin: &Path, outputs: &[Output]) -> io::Result<u32> {
    let is_free = |version: &u32| {
        let mut paths =
            outputs.iter().map(|output| outbox.join(naming::result_path(origin, *output, *version)));
        !paths.any(|path| disk.stat(&path).is_ok_and(|found| found.is_folder))
    };
    (1..=NUMBERS_MAX).find(is_free).ok_or_else(too_many)
}

/// Whether that name is a file's, neither a folder's nor a link's; false where it cannot be known.
fn is_file(disk: &dyn Disk, path: &Path) -> bool {
    disk.stat(path).is_ok_and(|found| !found.is_folder && !found.is_link)
}

fn too_many() -> io::Error {
    io::Error::other("there are too many folders or files of the result's name")
}
