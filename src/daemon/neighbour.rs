//! The place of a result where somebody else's has the name already.
//!
//! The outbox mirrors the folders of the inbox, and whoever drops files chooses their names: a folder `saida.txt`, or a
//! file `a.txt` beside a folder `a.saida.txt`. What would wait for ever for such a name, and hold a claim
//! meanwhile, takes the next number instead. A symbolic link is another matter: nobody can put one into the outbox
//! from the inbox, so it is left to whoever did.

use std::io;
use std::path::{Path, PathBuf};

use super::answer::result_path;
use super::tree::Tree;
use crate::naming::{self, Output};

/// Numbers tried.
const NUMBERS_MAX: u32 = 1_000_000;

/// Makes the folders of `origin` below `root`, past files that have their names, and gives the path below `root`
/// that `origin` has then; usually it is the same.
///
/// # Errors
/// Those of making folders.
pub fn home(tree: &Tree<'_>, root: &Path, origin: &Path) -> io::Result<PathBuf> {
    let parent = origin.parent().unwrap_or(Path::new(""));
    match tree.make_folders(&root.join(parent)) {
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => {}
        made => return made.map(|()| origin.to_owned()),
    }
    let mut below = PathBuf::new();
    for part in parent {
        let numbered = |number| below.join(naming::numbered(part, number));
        let free = (1..=NUMBERS_MAX).map(numbered).find(|path| !tree.is_file(&root.join(path)));
        below = free.ok_or_else(too_many)?;
    }
    tree.make_folders(&root.join(&below))?;
    Ok(below.join(origin.file_name().unwrap_or_default()))
}

/// The number of the first version of a result of which no output has a folder's name.
///
/// # Errors
/// When all have one.
pub fn version(tree: &Tree<'_>, outbox: &Path, origin: &Path, outputs: &[Output]) -> io::Result<u32> {
    let is_free = |version: &u32| {
        let mut paths = outputs.iter().map(|output| outbox.join(result_path(origin, *output, *version)));
        !paths.any(|path| tree.is_folder(&path))
    };
    (1..=NUMBERS_MAX).find(is_free).ok_or_else(too_many)
}

fn too_many() -> io::Error {
    io::Error::other("there are too many folders or files of the result's name")
}
