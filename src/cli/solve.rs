//! `tabuleiro solve`: one file, as the original programs were called.

use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use clap::Args;

use super::named_input::{Input, ReadingArgs, named};
use super::output::{Output, is_same_file};
use super::progress_bar::Shown;
use super::solve_archive;
use super::summary_text::{exit, start_pool, told, totals, unanswered};
use crate::cli::arguments::one_of;
use crate::cli::failure::{Exit, Failure, print_error};
use crate::config::{Config, ResolvedJob};
use tabuleiro_jobs::archive::is_zip;
use tabuleiro_jobs::{Job, JobError, JobInfo, Pool, Progress, Rejection, Sinks, Summary};
use tabuleiro_puzzles::solver::{Cancel, PICTURE};

/// What the help says after the options.
const AFTER_HELP: &str = "\
Answers go to the output and nothing else does; problems and the times used go to standard error.
Of a .zip every member is answered as if it lay in the inbox, in a folder named after the archive;
the output is a .zip with a result or a report for each.
With picture = true a page for a browser stands beside the output, saida.html beside saida.txt.
An output file appears whole or not at all: until then, and when the input has no result, an
earlier one stays as it was. What takes longer than a second shows its progress, if standard error
is a terminal and the puzzles are not typed.

Examples:
  tabuleiro solve entrada.txt -o saida.txt
  tabuleiro solve --solver 2048-merge --set witness=true < boards.txt
  tabuleiro solve -i turma.zip -o turma.saida.zip

Exit status: 0 every puzzle is answered; 65 something is invalid (valid puzzles are answered all the
same), or a member of an archive has no result; 75 something stayed undecided and nothing is
invalid; 64 usage, an input that no route takes, or input and output the same file; 66 no such
input; 73 the output cannot be created; 74 input/output error; 78 configuration.";

/// Arguments of `solve`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub struct SolveArgs {
    #[command(flatten)]
    reading: ReadingArgs,
    /// Input; - or nothing is standard input
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// The same, as the original programs name it
    #[arg(short, long, value_name = "FILE")]
    input: Option<PathBuf>,
    /// Output; - or nothing is standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Answers one file. What is wrong with the command line comes first, then the input, the configuration, the
/// file's content, and the output last, so that nothing is created for a file that has no result.
pub fn run(args: &SolveArgs) -> Result<Exit, Failure> {
    let started = Instant::now();
    let input = named(one_of(args.file.as_deref(), "-i", args.input.as_deref())?);
    let output = named(args.output.as_deref());
    if is_same_file(input, output) {
        return Err(Failure::new(Exit::Usage, "input and output are the same file"));
    }
    if let Some(archive) = input.filter(|path| is_zip(path)) {
        args.reading.refuse_choices()?;
        return solve_archive::run(archive, output, &args.reading.config.load()?);
    }
    let mut input = Input::open(input)?;
    let config = args.reading.config.load()?;
    let job = input.resolve(&config, &args.reading)?;
    let pool = start_pool(&config)?;
    let page = output.filter(|_| job.options.get(PICTURE)).map(page_beside);
    let mut output = Output::open(output)?;
    let mut page = page.as_deref().map(|path| Output::open(Some(path))).transpose()?;
    let summary = match answer(&mut input, (&job, &config, &pool), Some(&mut output), page.as_mut()) {
        Ok(summary) => summary,
        Err(error) => return unanswered(error, &input.name),
    };
    page.map_or(Ok(()), Output::commit)?;
    output.commit()?;
    let totals = totals(job.solver.id(), &summary, started.elapsed());
    print_error(&(told(&input.name, &summary) + &totals));
    Ok(exit(&summary))
}

/// Where the page of an output stands: `saida.html` beside `saida.txt`.
fn page_beside(output: &Path) -> PathBuf {
    match output.extension() {
        Some(extension) if extension.eq_ignore_ascii_case("txt") => output.with_extension("html"),
        _ => PathBuf::from([output.as_os_str(), OsStr::new(".html")].into_iter().collect::<OsString>()),
    }
}

/// Solves an input whose head was read: the answers go to `text`, their pictures to `page`.
///
/// # Errors
/// Why there is no result.
pub fn answer(
    input: &mut Input,
    (job, config, pool): (&ResolvedJob, &Config, &Pool),
    mut text: Option<&mut Output>,
    page: Option<&mut Output>,
) -> Result<Summary, JobError> {
    let (name, progress, cancel) = (input.name.clone(), Arc::<Progress>::default(), Cancel::default());
    // If puzzles are typed, a bar would stand between them.
    let bar = (!input.is_terminal).then(|| Shown::begin(&input.bytes, &progress));
    if let (Some(bar), Some(text)) = (&bar, &mut text) {
        text.make_room(bar.bar());
    }
    let info = JobInfo { file: &name, solver: job.solver, options: &job.options };
    let mut nowhere = io::sink();
    let text = text.map_or(&mut nowhere as &mut dyn Write, |text| text);
    let mut sinks = Sinks::new(text, &info);
    if let Some(page) = page {
        sinks = sinks.with_page(page, &info);
    }
    let running =
        Job { solver: job.solver, options: &job.options, pool, cancel: &cancel, progress: &progress };
    let limits = running.limits();
    let answered = tabuleiro_jobs::answer(&mut input.scanner, &running, &mut sinks);
    let advice = || input.advice(config, Some(job.solver));
    let mut summary = answered.map_err(|error| match error {
        JobError::Rejected(rejection @ Rejection::NoPuzzle { .. }) => rejection.advised(advice()).into(),
        error => error,
    })?;
    summary.warn_if_mostly_invalid(advice);
    summary.warn(config.other_rules(&input.stray(Some(job.solver)), &job.options, &summary));
    drop(bar);
    sinks.finish(&summary, None, &limits).map_err(JobError::Write)?;
    Ok(summary)
}
