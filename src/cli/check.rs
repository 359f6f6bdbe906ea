//! `tabuleiro check`: reads files as a job would, and solves nothing.

use std::fs::File;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use super::named_input::{
    Input, ReadingArgs, ignored_line, lines_ignored, named, open, problem_lines, unreadable, warning_lines,
};
use super::summary_text::not_read;
use crate::cli::arguments::printable_path;
use crate::cli::failure::{Exit, Failure, print, print_error};
use crate::config::{Config, ResolvedJob, Routed};
use tabuleiro_jobs::archive::{Archive, Member, is_zip};
use tabuleiro_jobs::{JobError, Reading, Rejection, excerpt_lines};
use tabuleiro_puzzles::input::Scanner;
use tabuleiro_puzzles::solver::{Problem, Work};
use tabuleiro_puzzles::words::Phrase;

/// Lines about invalid puzzles that are held while none is valid.
const HELD_BYTES_MAX: usize = 1 << 20;

/// What the help says after the options.
const AFTER_HELP: &str = "\
What is invalid is printed with its file, line and column, then a line for every file. Of a .zip
every member is read as if it lay in the inbox, in a folder named after the archive.

Exit status, that of the worst file: 0 all is valid; 65 something is invalid; 64 usage, or no solver
for a file; 66 no such file; 74 input/output error; 78 configuration.";

/// Arguments of `check`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub struct CheckArgs {
    #[command(flatten)]
    reading: ReadingArgs,
    /// Files to read; - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// Checks every file; the worst of them decides the exit code. What was found goes to standard output, what
/// kept a file from being checked to standard error.
pub fn run(args: &CheckArgs) -> Result<Exit, Failure> {
    let config = args.reading.config.load()?;
    let mut worst = Exit::Ok;
    for path in &args.files {
        let checked = if is_zip(path) { archive(path, args, &config) } else { file(path, args, &config) };
        worst = worse(worst, checked.or_else(|failure| tell(&failure))?);
    }
    Ok(worst)
}

/// Says why a file was not checked.
fn tell(failure: &Failure) -> Result<Exit, Failure> {
    if failure.exit == Exit::Data {
        print(&format!("{failure}\n"))?;
    } else {
        print_error(&format!("tabuleiro: {failure}"));
    }
    Ok(failure.exit)
}

fn worse(a: Exit, b: Exit) -> Exit {
    if badness(b) > badness(a) { b } else { a }
}

/// What kept a file from being checked is worse than what was found in it.
fn badness(exit: Exit) -> u8 {
    match exit {
        Exit::Ok => 0,
        Exit::Data => 1,
        Exit::Usage => 2,
        Exit::NoInput => 3,
        _ => 4,
    }
}

/// What was read of a file so far.
#[derive(Default)]
struct Found {
    valid: u64,
    invalid: u64,
    /// Something of it is a puzzle of the solver's.
    recognised: bool,
    /// A file without puzzles is none that is wrong.
    allows_empty: bool,
    first: Option<Problem>,
    /// Lines about invalid puzzles that are not printed yet: while none is valid, something may have to stand before them.
    held: String,
    /// Some are printed.
    is_begun: bool,
}

impl Found {
    /// Reads the puzzles to the end. Where a person types them, each is told at once.
    fn read(
        name: &str,
        scanner: &mut Scanner<'_>,
        job: &ResolvedJob,
        is_typed: bool,
    ) -> Result<Self, Failure> {
        let mut found = Self::default();
        let mut reader = Reading::open(job.solver, &job.options);
        let read = loop {
            let entry = match reader.read(scanner) {
                Ok(Some(entry)) => entry,
                Ok(None) => break Ok(()),
                Err(error) => break Err(unreadable(name, &error)),
            };
            let Work::Invalid(problem) = entry.work else {
                (found.valid, found.recognised) = (found.valid + 1, true);
                continue;
            };
            found.invalid += 1;
            found.recognised |= problem.recognised;
            found.held.push_str(&problem_lines(name, found.valid + found.invalid, &problem));
            found.first.get_or_insert(*problem);
            if found.valid > 0 || is_typed || found.held.len() > HELD_BYTES_MAX {
                found.is_begun = true;
                print(&std::mem::take(&mut found.held))?;
            }
        };
        if read.is_err() {
            print(&found.held)?;
        }
        found.allows_empty = reader.allows_empty();
        read.map(|()| found)
    }

    /// What there is to say of the whole file, where most of it is invalid.
    fn advice(&self, advise: impl FnOnce() -> Option<Phrase>) -> Option<Phrase> {
        (self.invalid > self.valid).then(advise).flatten()
    }

    /// Prints what was found.
    fn tell(
        self,
        name: &str,
        scanner: &mut Scanner<'_>,
        solver: &'static str,
        advice: Option<Phrase>,
    ) -> Result<Exit, Failure> {
        let Self { valid, invalid, recognised, allows_empty, first, held: mut text, is_begun } = self;
        let (warnings, dropped) = scanner.take_warnings();
        let ignored = scanner.take_ignored();
        text.push_str(&warning_lines(name, &warnings, dropped));
        if let Some(advice) = advice {
            // Where nothing is right, that is what to know first.
            let at = if valid == 0 && !is_begun { 0 } else { text.len() };
            text.insert_str(at, &format!("{name}: {advice}\n"));
        }
        text.extend(ignored.as_ref().map(|ignored| ignored_line(name, ignored)));
        let complete = recognised || (invalid == 0 && allows_empty);
        text.push_str(&if complete {
            let ignored = lines_ignored(ignored.as_ref().map_or(0, |ignored| ignored.lines));
            format!("{name}: {solver}: {valid} valid, {invalid} invalid{ignored}\n")
        } else {
            let rejection = Rejection::no_puzzle(solver, invalid, first, scanner);
            format!("{name}: {rejection}\n")
        });
        print(&text)?;
        Ok(if invalid == 0 && complete && ignored.is_none() { Exit::Ok } else { Exit::Data })
    }
}

fn file(path: &Path, args: &CheckArgs, config: &Config) -> Result<Exit, Failure> {
    let mut input = Input::open(named(Some(path)))?;
    let job = input.resolve(config, &args.reading)?;
    let name = input.name.clone();
    let found = Found::read(&name, &mut input.scanner, &job, input.is_terminal)?;
    let advice = found.advice(|| input.advice(config, Some(job.solver)));
    found.tell(&name, &mut input.scanner, job.solver.id(), advice)
}

/// Checks the members of an archive, each by its own path, as they are solved.
fn archive(path: &Path, args: &CheckArgs, config: &Config) -> Result<Exit, Failure> {
    args.reading.refuse_choices()?;
    let name = printable_path(path);
    let archive = Archive::open(open(path, &name)?).map_err(|error| not_read(&name, &error))?;
    if archive.members().is_empty() {
        return Err(Failure::new(Exit::Data, format_args!("{name}: no file in this archive")));
    }
    let folder = Path::new(path.file_name().unwrap_or_default()).with_extension("");
    let mut worst = Exit::Ok;
    for member in archive.members() {
        let name = format!("{name}/{}", member.printable_path());
        let below = folder.join(member.path());
        let checked = self::member(&archive, member, (&name, &below), config);
        worst = worse(worst, checked.or_else(|failure| tell(&failure))?);
    }
    Ok(worst)
}

/// Checks a member by its path below the inbox.
fn member(
    archive: &Archive<File>,
    member: &Member,
    (name, below): (&str, &Path),
    config: &Config,
) -> Result<Exit, Failure> {
    archive.check(member).map_err(|error| not_read(name, &error))?;
    let route = config.route(below).map(Arc::as_ref);
    if let Some(route) = route.filter(|route| route.grade.is_some()) {
        print(&format!(
            "{name}: a submission that the route '{}' grades; its answers are not checked\n",
            route.name
        ))?;
        return Ok(Exit::Ok);
    }
    let read = || archive.read(member).map_err(io::Error::other);
    let source = BufReader::new(archive.read(member).map_err(|error| not_read(name, &error))?);
    let mut scanner = Scanner::new(source, name).map_err(|error| unreadable(name, &error))?;
    let routed = Routed { config, path: below, route, open: read };
    let (job, directives) = routed.resolve(&mut scanner).map_err(|error| match error {
        JobError::Rejected(rejection) => {
            let excerpt = rejection.problem().map(excerpt_lines).unwrap_or_default();
            Failure::new(Exit::Data, format!("{name}: {rejection}\n{excerpt}").trim_end())
        }
        error => Failure::new(Exit::Io, format_args!("{name}: {error}")),
    })?;
    let found = Found::read(name, &mut scanner, &job, false)?;
    let advice = found.advice(|| routed.advice(&directives, Some(job.solver)));
    found.tell(name, &mut scanner, job.solver.id(), advice)
}
