//! `tabuleiro show`: the puzzles of a file with their answers, as a page for a browser.

// The page of a JSON result.
mod result;

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use crate::cli::exit::Exit;
use crate::cli::failure::{Failure, print_error};
use crate::cli::input::{Input, ReadingArgs, named};
use crate::cli::outcome::{exit, failure, told};
use crate::cli::output::{Output, is_same_file};
use crate::cli::progress::Shown;
use crate::cli::solve::solved;
use tabuleiro_jobs::page::PageSink;
use tabuleiro_jobs::{JobError, JobInfo, Limits, Pool, Progress};
use tabuleiro_puzzles::solver::{Cancel, OptionValue, PICTURE};

/// What the help says after the options.
const AFTER_HELP: &str = "\
The page is one file without scripts that loads nothing: it can be mailed, printed, put on any web
server. An input is solved; a result in JSON is drawn as it is, without solving again, from the
input that it names: beside it, where the service keeps it, or given by --input. A result made with
witness = true has the paths and moves.

Examples:
  tabuleiro show entrada.txt -o saida.html
  tabuleiro show outbox/saida.json -o saida.html

Exit status: as that of solve; of a result 0, or 65 when it is none or not that of the input.";

/// Arguments of `show`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub struct ShowArgs {
    #[command(flatten)]
    reading: ReadingArgs,
    /// Input, or a result in JSON; - or nothing is standard input
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// The input of a result in JSON
    #[arg(long, value_name = "FILE")]
    input: Option<PathBuf>,
    /// Page; - or nothing is standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Draws a file.
pub fn run(args: &ShowArgs) -> Result<Exit, Failure> {
    let (file, output) = (named(args.file.as_deref()), named(args.output.as_deref()));
    if is_same_file(file, output) {
        return Err(Failure::new(Exit::Usage, "input and output are the same file"));
    }
    if output.is_none() && io::stdout().is_terminal() {
        return Err(Failure::new(Exit::Usage, "the page is for a browser; name its file with -o"));
    }
    let config = args.reading.config.load()?;
    match file.filter(|path| result::is_result(path)) {
        Some(path) => result::show(path, args.input.as_deref(), output, &config),
        None if args.input.is_some() => {
            let message = "--input is for a result in JSON; name an input as FILE";
            Err(Failure::new(Exit::Usage, message))
        }
        None => show(file, output, args),
    }
}

/// Solves an input and draws it.
fn show(file: Option<&Path>, output: Option<&Path>, args: &ShowArgs) -> Result<Exit, Failure> {
    let config = args.reading.config.load()?;
    let mut input = Input::open(file)?;
    let mut job = input.resolve(&config, &args.reading)?;
    job.options.put(PICTURE.spec.name, OptionValue::Flag(true));
    let pool = Pool::new(config.workers.thread_count().get())
        .map_err(|error| Failure::new(Exit::System, format_args!("cannot start threads: {error}")))?;
    let mut output = Output::open(output)?;
    let (name, progress) = (input.name.clone(), Arc::<Progress>::default());
    let info = JobInfo { file: &name, solver: job.solver, options: &job.options };
    let limits = Limits::of(&job.options, pool.memory(), &Cancel::default());
    let mut sink = PageSink::new(&mut output, &info);
    let shown = (!input.is_terminal).then(|| Shown::begin(&input.bytes, &progress));
    let answered = solved(&mut input, (&job, &config, &pool), &progress, &mut sink);
    drop(shown);
    let written = answered.and_then(|summary| {
        sink.finish(&summary, &limits).map_err(JobError::Write)?;
        Ok(summary)
    });
    let summary = match written {
        Ok(summary) => summary,
        Err(JobError::Write(error)) => return Failure::unless_closed(&error).map(|()| Exit::Ok),
        Err(error) => return Err(failure(error, &name)),
    };
    output.commit()?;
    let told = told(&name, &summary);
    if !told.is_empty() {
        print_error(told.trim_end());
    }
    Ok(exit(&summary))
}
