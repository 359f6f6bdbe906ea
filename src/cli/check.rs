//! `tabuleiro check`: reads files as a job would, and solves nothing.

use std::path::{Path, PathBuf};

use clap::Args;

use super::input::{
    Input, ReadingArgs, ignored_line, lines_ignored, named, problem_lines, unreadable, warning_lines,
};
use crate::cli::exit::Exit;
use crate::cli::failure::{Failure, print, print_error};
use crate::config::Config;
use crate::job::{Reading, Rejection};
use crate::solver::{Problem, Work};

/// Lines about invalid puzzles that are held while none is valid.
const HELD_BYTES_MAX: usize = 1 << 20;

/// What the help says after the options.
const AFTER_HELP: &str = "\
What is invalid is printed with its file, line and column, then a line for every file.

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
        let exit = match check(path, args, &config) {
            Ok(exit) => exit,
            Err(failure) if failure.exit == Exit::Data => {
                print(&format!("{failure}\n"))?;
                failure.exit
            }
            Err(failure) => {
                print_error(&format!("tabuleiro: {failure}"));
                failure.exit
            }
        };
        if badness(exit) > badness(worst) {
            worst = exit;
        }
    }
    Ok(worst)
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
    first: Option<Problem>,
    /// Lines about invalid puzzles that are not printed yet: while none is valid, something may have to stand before them.
    held: String,
    /// Some are printed.
    is_begun: bool,
}

impl Found {
    /// Reads the puzzles to the end.
    fn read(&mut self, input: &mut Input, reader: &mut Reading) -> Result<(), Failure> {
        let Input { name, scanner, is_terminal, .. } = input;
        while let Some(entry) = reader.read(scanner).map_err(|error| unreadable(name, &error))? {
            let Work::Invalid(problem) = entry.work else {
                (self.valid, self.recognised) = (self.valid + 1, true);
                continue;
            };
            self.invalid += 1;
            self.recognised |= problem.recognised;
            self.held.push_str(&problem_lines(name, self.valid + self.invalid, &problem));
            self.first.get_or_insert(*problem);
            if self.valid > 0 || *is_terminal || self.held.len() > HELD_BYTES_MAX {
                self.is_begun = true;
                print(&std::mem::take(&mut self.held))?;
            }
        }
        Ok(())
    }
}

fn check(path: &Path, args: &CheckArgs, config: &Config) -> Result<Exit, Failure> {
    let mut input = Input::open(named(Some(path)))?;
    let job = input.resolve(config, &args.reading)?;
    let mut reader = Reading::open(job.solver, &job.options);
    let mut found = Found::default();
    let is_read = found.read(&mut input, &mut reader);
    let Found { valid, invalid, recognised, first, held: mut text, is_begun } = found;
    if let Err(failure) = is_read {
        print(&text)?;
        return Err(failure);
    }
    let name = input.name.clone();
    let (warnings, dropped) = input.scanner.take_warnings();
    let ignored = input.scanner.take_ignored();
    text.push_str(&warning_lines(&name, &warnings, dropped));
    if let Some(advice) = (invalid > valid).then(|| input.advice(config, Some(job.solver))).flatten() {
        // Where nothing is right, that is what to know first.
        let at = if valid == 0 && !is_begun { 0 } else { text.len() };
        text.insert_str(at, &format!("{name}: {advice}\n"));
    }
    text.extend(ignored.as_ref().map(|ignored| ignored_line(&name, ignored)));
    let complete = recognised || (invalid == 0 && reader.allows_empty());
    let solver = job.solver.id();
    text.push_str(&if complete {
        let ignored = lines_ignored(ignored.as_ref().map_or(0, |ignored| ignored.lines));
        format!("{name}: {solver}: {valid} valid, {invalid} invalid{ignored}\n")
    } else {
        let rejection = Rejection::no_puzzle(solver, invalid, first, &input.scanner);
        format!("{name}: {rejection}\n")
    });
    print(&text)?;
    Ok(if invalid == 0 && complete && ignored.is_none() { Exit::Ok } else { Exit::Data })
}
