//! `tabuleiro man` and `tabuleiro completions`: manual pages and shell completions, generated from the same definition
//! as `--help`.

use std::path::PathBuf;
use std::{fs, io};

use clap::{Args, Command};
use clap_complete::Shell;
use clap_complete::env::Shells;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

use super::named_input::named;
use crate::cli::failure::{Exit, Failure, print};

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
    /// Output, made with the folders above it; - or nothing is standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Writes a page for the program and one for each subcommand.
pub fn man(args: &ManArgs, program: Command) -> Result<Exit, Failure> {
    fs::create_dir_all(&args.folder).map_err(|error| Failure::create(&args.folder, &error))?;
    // Leaves out the subcommand `help`, which repeats what the pages say.
    let mut root = program.disable_help_subcommand(true);
    root.build();
    let commands = root.get_subcommands().filter(|command| !command.is_hide_set());
    for command in std::iter::once(&root).chain(commands) {
        let path = args.folder.join(Man::new(command.clone()).get_filename());
        page(command)
            .and_then(|text| fs::write(&path, text))
            .map_err(|error| Failure::create(&path, &error))?;
    }
    Ok(Exit::Ok)
}

/// The variable with which a shell's script asks the program for completions.
pub const COMPLETE: &str = "COMPLETE";

/// Writes the script with which a shell asks the program for completions.
pub fn completions(args: &CompletionsArgs, program: &Command) -> Result<Exit, Failure> {
    let (mut script, name) = (Vec::new(), program.get_name());
    let (shell, shells) = (args.shell.to_string(), Shells::builtins());
    let Some(shell) = shells.completer(&shell) else {
        return Err(Failure::new(Exit::Usage, format_args!("no completions for {shell}")));
    };
    shell
        .write_registration(COMPLETE, name, name, name, &mut script)
        .map_err(|error| Failure::output(&error))?;
    let Some(path) = named(args.output.as_deref()) else {
        return print(&String::from_utf8_lossy(&script)).map(|()| Exit::Ok);
    };
    let made = path.parent().map_or(Ok(()), fs::create_dir_all);
    made.and_then(|()| fs::write(path, script)).map_err(|error| Failure::create(path, &error))?;
    Ok(Exit::Ok)
}

/// Returns the manual page that clap generates, with two changes: the usage is that of the help, which lists each
/// option once, and the last part of the help becomes sections.
fn page(command: &Command) -> io::Result<Vec<u8>> {
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ").to_owned();
    let man = Man::new(command.clone().override_usage(usage).after_help(None::<&str>)).manual("Tabuleiro");
    let mut page = Vec::new();
    man.source(concat!("tabuleiro ", env!("CARGO_PKG_VERSION"))).render(&mut page)?;
    let mut sections = Roff::new();
    let after = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let mut heading = "";
    for paragraph in after.split("\n\n").filter(|paragraph| !paragraph.is_empty()) {
        heading = add_paragraph(&mut sections, heading, paragraph);
    }
    sections.to_writer(&mut page)?;
    Ok(page)
}

/// Adds a paragraph of the help's last part, under the heading it begins with, as in `Exit status: 0 …`. `above` is the
/// heading of the previous paragraph. Returns the heading of this one.
fn add_paragraph<'t>(sections: &mut Roff, above: &str, paragraph: &'t str) -> &'t str {
    let is_heading = |text: &str| text.len() <= 20 && !text.contains(['\n', '"']);
    let split = paragraph.split_once(':').filter(|(heading, _)| is_heading(heading));
    let (heading, body) = split.unwrap_or(("Notes", paragraph));
    if heading == above {
        sections.control("PP", []);
    } else {
        sections.control("SH", heading.to_uppercase().split(' '));
    }
    // Examples are columns below their heading; their lines must not be joined.
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
    heading
}
