//! `tabuleiro show`: draws the puzzles of a file with their answers, as a page for a browser.

use std::fs::File;
use std::io::{self, BufReader, IsTerminal, Read};
use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::arguments::printable_path;
use crate::cli::cli_messages::CliMessage;
use crate::cli::failure::{Exit, Failure, print_error};
use crate::cli::named_input::{Input, ReadingArgs, named, open};
use crate::cli::output::{Output, is_same_file};
use crate::cli::solve::{Outputs, answer};
use crate::cli::summary_text::{exit, puzzle_messages, start_pool, unanswered};
use crate::config::Config;
use tabuleiro_jobs::naming;
use tabuleiro_jobs::page::{PageLinks, ResultFile, ResultFileError};
use tabuleiro_jobs::sha256_of;
use tabuleiro_puzzles::solver::{OptionValue, PICTURE};

/// Arguments of `show`.
#[derive(Args)]
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

/// Draws the puzzles of an input or of a result in JSON.
pub fn run(args: &ShowArgs) -> Result<Exit, Failure> {
    let (file, output) = (named(args.file.as_deref()), named(args.output.as_deref()));
    if is_same_file(file, output) {
        return Err(Failure::of(Exit::Usage, CliMessage::SameFile));
    }
    if output.is_none() && io::stdout().is_terminal() {
        return Err(Failure::of(Exit::Usage, CliMessage::PageOutput));
    }
    let config = args.reading.config.load()?;
    match file.filter(|path| is_result(path)) {
        Some(path) => show_result(path, args, &config),
        None if args.input.is_some() => Err(Failure::of(Exit::Usage, CliMessage::InputOfResult)),
        None => show_input(args, &config),
    }
}

/// Solves an input and draws it.
fn show_input(args: &ShowArgs, config: &Config) -> Result<Exit, Failure> {
    let mut input = Input::open(named(args.file.as_deref()))?;
    let mut job = input.resolve(config, &args.reading, false)?;
    job.options.put(PICTURE.spec.name, OptionValue::Flag(true));
    let pool = start_pool(config)?;
    let mut page = Output::open(named(args.output.as_deref()))?;
    let outputs = Outputs { text: None, page: Some((&mut page, PageLinks::default())) };
    let summary = match answer(&mut input, &job, config, &pool, outputs) {
        Ok(summary) => summary,
        Err(error) => return unanswered(error, &input.name),
    };
    page.commit()?;
    let told = puzzle_messages(&input.name, job.solver.info().noun, &summary);
    if !told.is_empty() {
        print_error(told.trim_end());
    }
    Ok(exit(&summary))
}

/// The number of bytes read to distinguish a result from an input.
const HEAD_BYTES: u64 = 64;

/// Returns whether the file is a result in JSON, judged by its first character that is not blank.
fn is_result(path: &Path) -> bool {
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(HEAD_BYTES).read_to_end(&mut head));
    read.is_ok() && head.trim_ascii_start().starts_with(b"{")
}

/// Draws a result in JSON, together with its input.
fn show_result(path: &Path, args: &ShowArgs, config: &Config) -> Result<Exit, Failure> {
    let name = printable_path(path);
    let wrong = |error: &ResultFileError| Failure::new(Exit::Data, format_args!("{name}: {error}"));
    let result = ResultFile::parse(BufReader::new(open(path, &name)?)).map_err(|error| wrong(&error))?;
    let input = match &args.input {
        Some(input) => input.clone(),
        None => find(path, &result, config).ok_or_else(|| {
            let message = CliMessage::InputNotFound { name: name.clone(), file: result.file.clone() };
            Failure::of(Exit::NoInput, message)
        })?,
    };
    let input_name = printable_path(&input);
    let digest =
        File::open(&input).and_then(sha256_of).map_err(|error| Failure::read(&input_name, &error))?;
    if digest != result.job.input_sha256 {
        let message = CliMessage::OtherInput { input: input_name, name };
        return Err(Failure::of(Exit::Data, message));
    }
    let source = open(&input, &input_name)?;
    let mut output = Output::open(named(args.output.as_deref()))?;
    match result.write_page(source, &mut output) {
        Ok(_) => {}
        Err(ResultFileError::Write(error)) => return Failure::unless_closed(&error).map(|()| Exit::Ok),
        Err(ResultFileError::Read(error)) => return Err(Failure::read(&input_name, &error)),
        Err(error) => return Err(wrong(&error)),
    }
    output.commit()?;
    Ok(Exit::Ok)
}

/// Returns the input of a result: in the same folder, among the service's kept inputs, or in the inbox.
fn find(path: &Path, result: &ResultFile, config: &Config) -> Option<PathBuf> {
    let below = Path::new(&result.file);
    let folders = &config.folders;
    let kept = result.id.as_ref().map(|id| folders.done().join(naming::archived_path(below, id)));
    let beside = below.file_name().map(|file| path.with_file_name(file));
    let candidates = beside.into_iter().chain(kept).chain([folders.inbox.join(below)]);
    candidates.into_iter().find(|path| path.is_file())
}
