//! `tabuleiro init`: a folder that is ready for `tabuleiro serve`.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf, absolute};

use clap::Args;

use crate::cli::arguments::{load, printable_path};
use crate::cli::failure::{Exit, Failure, print};
use crate::config::{Config, SHIPPED, WORKING_PATH};
use tabuleiro_puzzles::solver::SOLVERS;

/// Where a new folder has the page of the service, which is off where nobody says so: its line in the shipped configuration, and
/// what stands for it.
const PAGE: [&str; 2] = ["\npath = \"\"\n", "\npath = \"outbox/index.html\"\n"];

/// Arguments of `init`.
#[derive(Args)]
pub struct InitArgs {
    /// The folder, made when it is not there
    #[arg(value_name = "DIR", default_value = ".")]
    folder: PathBuf,
}

/// Writes the commented configuration and its schema, and makes the folders that it names. What is there already stays as it is.
pub fn run(args: &InitArgs) -> Result<Exit, Failure> {
    let config_path = args.folder.join(WORKING_PATH);
    if let Some(parent) = config_path.parent() {
        fs::create_dir_all(parent).map_err(|error| cannot_make(parent, &error))?;
    }
    // Editors look for the schema beside the configuration.
    let schema = Config::schema(SOLVERS);
    let shipped = SHIPPED.replacen(PAGE[0], PAGE[1], 1);
    for (path, text) in [(&config_path, &shipped), (&config_path.with_extension("schema.json"), &schema)] {
        let is_new = write_new(path, text).map_err(|error| cannot_make(path, &error))?;
        print(&told(path, is_new))?;
    }
    // A configuration that was kept may name folders of its own.
    let config = load(Some(&config_path))?;
    let folders = config.folders.below(&args.folder);
    let here = absolute(&args.folder).unwrap_or_default();
    for folder in [&folders.inbox, &folders.outbox, &folders.var] {
        // As the folder was named.
        let folder =
            folder.strip_prefix(&here).map_or_else(|_| folder.clone(), |below| args.folder.join(below));
        let is_new = !folder.is_dir();
        fs::create_dir_all(&folder).map_err(|error| cannot_make(&folder, &error))?;
        print(&told(&folder, is_new))?;
    }
    Ok(Exit::Ok)
}

/// Writes a file, unless something of that name is there; says whether it did.
fn write_new(path: &Path, text: &str) -> io::Result<bool> {
    let mut file = match File::create_new(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Ok(false),
        Err(error) => return Err(error),
    };
    file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).inspect_err(|_| {
        // Part of a configuration would be kept by the next `init`. That it cannot be removed either is less
        // worth telling than why.
        let _ = fs::remove_file(path);
    })?;
    Ok(true)
}

fn told(path: &Path, is_new: bool) -> String {
    format!("{} {}\n", if is_new { "made" } else { "kept" }, printable_path(path))
}

fn cannot_make(path: &Path, error: &io::Error) -> Failure {
    Failure::new(Exit::CannotCreate, format_args!("cannot make '{}': {error}", printable_path(path)))
}
