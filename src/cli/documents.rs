//! `tabuleiro man` and `tabuleiro completions`: manual pages and shell completions, made from the same
//! definition as `--help`.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Args, Command, ValueEnum};
use clap_mangen::Man;

use crate::cli::arguments::printable_path;
use crate::cli::exit::Exit;
use crate::cli::failure::{Failure, print};

/// The manual's section of programs.
const MAN_SECTION: &str = "1";

/// Arguments of `man`.
#[derive(Debug, Args)]
pub struct ManArgs {
    /// Folder for the pages, made when it is not there; pages in it are replaced
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

/// Arguments of `completions`.
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// The shell that is to complete
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

/// The shells there are completions for.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Shell {
    Bash,
    Zsh,
    Fish,
}

impl From<Shell> for clap_complete::Shell {
    fn from(shell: Shell) -> Self {
        match shell {
            Shell::Bash => Self::Bash,
            Shell::Zsh => Self::Zsh,
            Shell::Fish => Self::Fish,
        }
    }
}

/// Writes a page for the program and one for every subcommand.
pub fn man(args: &ManArgs, program: Command) -> Result<Exit, Failure> {
    let cannot = |path: &Path, error: &io::Error| {
        let path = printable_path(path);
        Failure::new(Exit::CannotCreate, format_args!("cannot write '{path}': {error}"))
    };
    fs::create_dir_all(&args.folder).map_err(|error| cannot(&args.folder, &error))?;
    for command in pages(program) {
        let path = args.folder.join(format!("{}.{MAN_SECTION}", page_name(&command)));
        page(command).and_then(|text| fs::write(&path, text)).map_err(|error| cannot(&path, &error))?;
    }
    Ok(Exit::Ok)
}

/// Prints the completions of a shell.
pub fn completions(args: &CompletionsArgs, mut program: Command) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    let name = program.get_name().to_owned();
    clap_complete::generate(clap_complete::Shell::from(args.shell), &mut program, name, &mut script);
    print(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Ok)
}

/// The program and its subcommands, each with a page.
fn pages(program: Command) -> Vec<Command> {
    // Without the subcommand `help`, which repeats what the pages say.
    let mut root = program.disable_help_subcommand(true);
    root.build();
    let mut pages: Vec<_> = root.get_subcommands().cloned().collect();
    pages.insert(0, root);
    pages
}

/// What the page of a command is called: `tabuleiro-serve`.
fn page_name(command: &Command) -> String {
    command.get_display_name().unwrap_or_else(|| command.get_name()).to_owned()
}

/// A manual page as roff.
fn page(command: Command) -> io::Result<Vec<u8>> {
    let has_subcommands = command.has_subcommands();
    let after = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let title = page_name(&command);
    let man = Man::new(command).title(title).section(MAN_SECTION).manual("Tabuleiro");
    let man = man.source(concat!("tabuleiro ", env!("CARGO_PKG_VERSION")));
    let mut out = Vec::new();
    man.render_title(&mut out)?;
    man.render_name_section(&mut out)?;
    man.render_synopsis_section(&mut out)?;
    man.render_description_section(&mut out)?;
    man.render_options_section(&mut out)?;
    if has_subcommands {
        man.render_subcommands_section(&mut out)?;
    }
    for block in after.split("\n\n").filter(|block| !block.trim().is_empty()) {
        write_block(block, &mut out)?;
    }
    Ok(out)
}

/// A paragraph of the help's end as a section: under the heading that it begins with, as in `Exit status: 0 …`.
fn write_block(block: &str, out: &mut Vec<u8>) -> io::Result<()> {
    let is_heading = |text: &str| text.len() <= 20 && !text.contains(['\n', '"']);
    let split = block.split_once(':').filter(|(heading, _)| is_heading(heading));
    let (heading, body) = split.unwrap_or(("Notes", block));
    writeln!(out, ".SH {}", escaped(&heading.to_uppercase()))?;
    let Some(lines) = body.strip_prefix('\n') else {
        return body.lines().try_for_each(|line| writeln!(out, "{}", escaped(line.trim())));
    };
    // Examples are columns: lines as they stand.
    writeln!(out, ".nf")?;
    lines
        .lines()
        .try_for_each(|line| writeln!(out, "{}", escaped(line.strip_prefix("  ").unwrap_or(line))))?;
    writeln!(out, ".fi")
}

/// A line of text that roff prints as it is.
fn escaped(line: &str) -> String {
    let line = line.replace('\\', "\\e").replace('-', "\\-");
    if line.starts_with(['.', '\'']) { format!("\\&{line}") } else { line }
}
