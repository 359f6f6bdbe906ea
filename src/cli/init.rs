//! `tabuleiro init`: creates a folder that is ready for `tabuleiro serve`, or for a judge.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf, absolute};

use clap::Args;

use super::judge::{self, Judge};
use super::named_input::ReadingArgs;
use crate::cli::arguments::{load, printable_path};
use crate::cli::failure::{Exit, Failure, print};
use crate::config::{Config, SHIPPED, WORKING_PATH};
use tabuleiro_puzzles::solver::SOLVERS;

/// The line that turns off the page of the service in the shipped configuration, and the line that replaces it: in a
/// new folder the page is on.
const PAGE: [&str; 2] = ["\npath = \"\"\n", "\npath = \"outbox/index.html\"\n"];

/// Arguments of `init`.
#[derive(Args)]
#[command(mut_args(|arg| match arg.get_id().as_str() {
    "config" | "solver" | "sets" => arg.requires("judge"),
    _ => arg,
}))]
pub struct InitArgs {
    #[command(flatten)]
    pub(super) reading: ReadingArgs,
    /// The folder, made when it is not there
    #[arg(value_name = "DIR", default_value = ".")]
    pub(super) folder: PathBuf,
    /// Make the folder for a judge or grader instead
    #[arg(long, value_enum, requires = "reference")]
    judge: Option<Judge>,
    /// The input that students' programs are judged with
    #[arg(long, value_name = "FILE", requires = "judge")]
    reference: Option<PathBuf>,
    /// Make every puzzle a test case of its own, for --judge kattis
    #[arg(long, requires = "judge")]
    pub(super) each: bool,
}

/// Writes the commented configuration and its schema, and creates the folders that the configuration names. Existing
/// files and folders are left unchanged.
pub fn run(args: &InitArgs) -> Result<Exit, Failure> {
    if let (Some(judge), Some(reference)) = (args.judge, &args.reference) {
        return judge::make(judge, reference, args);
    }
    let config_path = args.folder.join(WORKING_PATH);
    if let Some(parent) = config_path.parent() {
        fs::create_dir_all(parent).map_err(|error| Failure::create(parent, &error))?;
    }
    // Editors look for the schema next to the configuration.
    let schema = Config::schema(SOLVERS);
    let shipped = SHIPPED.replacen(PAGE[0], PAGE[1], 1);
    for (path, text) in [(&config_path, &shipped), (&config_path.with_extension("schema.json"), &schema)] {
        let is_new = write_new(path, text).map_err(|error| Failure::create(path, &error))?;
        print(&made_or_kept(path, is_new))?;
    }
    // An existing configuration may name other folders.
    let config = load(Some(&config_path))?;
    let folders = config.folders.below(&args.folder);
    let here = absolute(&args.folder).unwrap_or_default();
    for folder in [&folders.inbox, &folders.outbox, &folders.var] {
        // Prints the path relative to the folder, as the user wrote the folder.
        let folder =
            folder.strip_prefix(&here).map_or_else(|_| folder.clone(), |below| args.folder.join(below));
        let is_new = !folder.is_dir();
        fs::create_dir_all(&folder).map_err(|error| Failure::create(&folder, &error))?;
        print(&made_or_kept(&folder, is_new))?;
    }
    Ok(Exit::Ok)
}

/// Writes a file unless one with that name exists. Returns whether it was written.
fn write_new(path: &Path, text: &str) -> io::Result<bool> {
    let mut file = match File::create_new(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Ok(false),
        Err(error) => return Err(error),
    };
    file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).inspect_err(|_| {
        // The next `init` would keep a partial configuration. If removing it fails too, the first error is the more
        // useful one.
        let _ = fs::remove_file(path);
    })?;
    Ok(true)
}

fn made_or_kept(path: &Path, is_new: bool) -> String {
    format!("{} {}\n", if is_new { "made" } else { "kept" }, printable_path(path))
}
