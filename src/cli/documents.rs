//! `tabuleiro man` and `tabuleiro completions`: manual pages and shell completions, made from the same
//! definition as `--help`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, Command};
use clap_complete::Shell;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

use crate::cli::arguments::printable_path;
use crate::cli::exit::Exit;
use crate::cli::failure::{Failure, print};

/// Arguments of `man`.
#[derive(Args)]
pub struct ManArgs {
    /// Folder for the pages, made when it is not there; pages in it are replaced
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

/// Arguments of `completions`.
#[derive(Args)]
pub struct CompletionsArgs {
    /// The shell that is to complete
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

/// Writes a page for the program and one for every subcommand.
pub fn man(args: &ManArgs, program: Command) -> Result<Exit, Failure> {
    let cannot = |path: &Path, error: &io::Error| {
        let path = printable_path(path);
        Failure::new(Exit::CannotCreate, format_args!("cannot write '{path}': {error}"))
    };
    fs::create_dir_all(&args.folder).map_err(|error| cannot(&args.folder, &error))?;
    // Without the subcommand `help`, which repeats what the pages say.
    let mut root = program.disable_help_subcommand(true);
    root.build();
    for command in std::iter::once(&root).chain(root.get_subcommands()) {
        let path = args.folder.join(Man::new(command.clone()).get_filename());
        page(command).and_then(|text| fs::write(&path, text)).map_err(|error| cannot(&path, &error))?;
    }
    Ok(Exit::Ok)
}

/// Prints the completions of a shell.
pub fn completions(args: &CompletionsArgs, mut program: Command) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    let name = program.get_name().to_owned();
    clap_complete::generate(args.shell, &mut program, name, &mut script);
    print(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Ok)
}

/// A manual page: clap's own, with the end of the help in sections.
fn page(command: &Command) -> io::Result<Vec<u8>> {
    let man = Man::new(command.clone().after_help(None::<&str>)).manual("Tabuleiro");
    let mut page = Vec::new();
    man.source(concat!("tabuleiro ", env!("CARGO_PKG_VERSION"))).render(&mut page)?;
    let mut sections = Roff::new();
    let after = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    after.split("\n\n").filter(|part| !part.is_empty()).for_each(|part| add_section(&mut sections, part));
    sections.to_writer(&mut page)?;
    Ok(page)
}

/// A paragraph of the help's end as a section: under the heading that it begins with, as in `Exit status: 0 …`.
fn add_section(sections: &mut Roff, paragraph: &str) {
    let is_heading = |text: &str| text.len() <= 20 && !text.contains(['\n', '"']);
    let split = paragraph.split_once(':').filter(|(heading, _)| is_heading(heading));
    let (heading, body) = split.unwrap_or(("Notes", paragraph));
    sections.control("SH", heading.to_uppercase().split(' '));
    // Examples are columns, below their heading: lines as they stand.
    let is_columns = body.starts_with('\n');
    if is_columns {
        sections.control("nf", []);
    }
    for line in body.trim_start().lines() {
        sections.text([roman(line.trim_start())]);
    }
    if is_columns {
        sections.control("fi", []);
    }
}
