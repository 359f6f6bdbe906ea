//! `tabuleiro solve`: answers one file, with the arguments of the original programs.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use clap::Args;

use super::check::tell_rejected;
use super::named_input::{Input, ReadingArgs, named, open};
use super::output::{Output, is_same_file};
use super::progress_bar::ProgressLine;
use super::summary_text::{exit, not_read, puzzle_messages, start_pool, totals, unanswered};
use super::usage::{is_output, try_instead};
use crate::cli::arguments::{one_of, printable_path};
use crate::cli::cli_messages::{CliMessage, say};
use crate::cli::failure::{Exit, Failure, print_error, style};
use crate::config::{Config, Done, Members, Reference, ResolvedJob, Route};
use tabuleiro_jobs::archive::{Archive, ArchiveWriter, Member, is_zip};
use tabuleiro_jobs::grading::AnswerKey;
use tabuleiro_jobs::page::{PageLinks, PageSink, address};
use tabuleiro_jobs::{Job, JobError, JobInfo, Pool, Progress, Reason, Rejection, Sinks, Summary, TextSink};
use tabuleiro_puzzles::solver::{Cancel, PICTURE};

/// Arguments of `solve`.
#[derive(Args)]
pub struct SolveArgs {
    #[command(flatten)]
    reading: ReadingArgs,
    /// Input; - or nothing is standard input
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Input; the original programs have this option
    #[arg(short, long, value_name = "FILE")]
    input: Option<PathBuf>,
    /// Output; - or nothing is standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Answers one file. Checks the command line first, then the input, the configuration and the file's content. Opens the
/// output last, so that nothing is created for a file that has no result.
pub fn run(args: &SolveArgs) -> Result<Exit, Failure> {
    let started = Instant::now();
    let input = named(one_of(args.file.as_deref(), "-i", args.input.as_deref())?);
    let output = named(args.output.as_deref());
    if is_same_file(input, output) {
        return Err(Failure::of(Exit::Usage, CliMessage::SameFile));
    }
    if let Some(archive) = input.filter(|path| is_zip(path)) {
        args.reading.refuse_choices()?;
        return run_archive(archive, output, &args.reading.config.load()?);
    }
    let named = input;
    let mut input = Input::open(input)?;
    let config = args.reading.config.load()?;
    let job = match input.resolve(&config, &args.reading, false) {
        Ok(job) => job,
        Err(failure) => {
            return match (failure.rejection.as_deref(), named) {
                (Some(Rejection::Because(Reason::Empty)), None) => Err(no_input(output)),
                (Some(Rejection::Directive(_)), Some(path)) => tell_rejected(path, &config, &args.reading),
                _ => Err(failure),
            };
        }
    };
    let pool = start_pool(&config)?;
    let page = output.filter(|_| job.options.get(PICTURE)).map(page_beside);
    let links = PageLinks {
        text: output.and_then(Path::file_name).map(|name| address(Path::new(name))),
        index: None,
    };
    let mut output = Output::open(output)?;
    let mut page = page.as_deref().map(|path| Output::open(Some(path))).transpose()?;
    let outputs = Outputs { text: Some(&mut output), page: page.as_mut().map(|page| (page, links)) };
    let summary = match answer(&mut input, &job, &config, &pool, outputs) {
        Ok(summary) => summary,
        Err(error) => return unanswered(error, &input.name),
    };
    page.map_or(Ok(()), Output::commit)?;
    output.commit()?;
    let noun = job.solver.info().noun;
    let totals = totals(job.solver.id(), noun, &summary, started.elapsed());
    print_error(&(puzzle_messages(&input.name, noun, &summary) + &totals));
    Ok(exit(&summary))
}

/// Reports that standard input is empty. If the file of `-o` exists, suggests that it was meant as the input.
fn no_input(output: Option<&Path>) -> Failure {
    let file = output.filter(|path| path.is_file()).map(printable_path).filter(|file| !is_output(file));
    let instead = file.map(|file| format!("\n{}", try_instead(format!("tabuleiro solve {file}"))));
    Failure::new(Exit::Data, say(CliMessage::NoInput) + &instead.unwrap_or_default())
}

/// Returns the path of the page for an output: `saida.html` next to `saida.txt`.
fn page_beside(output: &Path) -> PathBuf {
    match output.extension() {
        Some(extension) if extension.eq_ignore_ascii_case("txt") => output.with_extension("html"),
        _ => PathBuf::from([output.as_os_str(), OsStr::new(".html")].into_iter().collect::<OsString>()),
    }
}

/// Where answers and their pictures are written.
pub struct Outputs<'a> {
    pub text: Option<&'a mut Output>,
    pub page: Option<(&'a mut Output, PageLinks)>,
}

/// Solves an input whose beginning has already been read.
///
/// # Errors
/// Returns why there is no result.
pub fn answer(
    input: &mut Input,
    job: &ResolvedJob,
    config: &Config,
    pool: &Pool,
    Outputs { mut text, page }: Outputs<'_>,
) -> Result<Summary, JobError> {
    let (name, progress, cancel) = (input.name.clone(), Arc::<Progress>::default(), Cancel::default());
    // If a person types the puzzles, a bar would appear between them.
    let bar = (!input.is_terminal).then(|| ProgressLine::begin(&input.bytes, &progress));
    if let (Some(bar), Some(text)) = (&bar, &mut text) {
        text.make_room(&bar.bar);
    }
    let info = JobInfo { file: &name, solver: job.solver, options: &job.options };
    let mut nowhere = io::sink();
    let text = text.map_or(&mut nowhere as &mut dyn Write, |text| text);
    let page = page.map(|(page, links)| PageSink::new(page as &mut dyn Write, &info, links));
    let mut sinks = Sinks { text: TextSink::new(text, &info), json: None, page };
    let running =
        Job { solver: job.solver, options: &job.options, pool, cancel: &cancel, progress: &progress };
    let limits = running.limits();
    let answered = tabuleiro_jobs::answer(&mut input.scanner, &running, &mut sinks);
    let advice = || input.advice(config, Some(job.solver));
    let mut summary = answered.map_err(|error| match error {
        JobError::Rejected(rejection @ Rejection::NoPuzzle { .. }) => rejection.advised(advice()).into(),
        error => error,
    })?;
    summary.advise(job.solver.id(), advice)?;
    summary.warn(config.other_rules(&input.unrouted_file(Some(job.solver)), &job.options, &summary));
    drop(bar);
    sinks.finish(&summary, None, &limits).map_err(JobError::Write)?;
    Ok(summary)
}

/// Answers all members of an archive.
pub fn run_archive(path: &Path, output: Option<&Path>, config: &Config) -> Result<Exit, Failure> {
    let started = Instant::now();
    let name = printable_path(path);
    if output.is_none() && io::stdout().is_terminal() {
        return Err(Failure::of(Exit::Usage, CliMessage::ArchiveOutput));
    }
    let archive = Archive::open(open(path, &name)?).map_err(|error| not_read(&name, error))?;
    let pool = start_pool(config)?;
    let mut output = Output::open(output)?;
    let files = [(); 3].map(|()| tempfile::tempfile().map_err(|error| Failure::output(&error)));
    let [first, second, third] = files;
    let mut results = ArchiveWriter::new([first?, second?, third?]);
    let (mut sum, mut worst) = (Summary::default(), Exit::Ok);
    let report_member = |member: &Member, done: Result<Done, Rejection>| {
        let name = format!("{name}/{}", member.printable_path());
        match done {
            Ok(Done::Answered(summary)) => {
                sum.puzzles += summary.puzzles;
                sum.invalid += summary.invalid;
                sum.undecided += summary.undecided;
                worst = worst.worse(exit(&summary));
                let text = puzzle_messages(&name, "puzzle", &summary);
                if !text.is_empty() {
                    print_error(text.trim_end());
                }
            }
            Ok(Done::Graded { .. }) => {}
            Err(rejection) => {
                worst = worst.worse(Exit::Data);
                print_error(rejection.message(&name, &style(&io::stderr())).trim_end());
            }
        }
    };
    let (cancel, progress) = (Cancel::default(), Arc::<Progress>::default());
    // The references of routes that grade, each solved once.
    let solved = RefCell::new(HashMap::<String, Arc<AnswerKey>>::new());
    let reference = |route: &Route, path: &Path| {
        if let Some(key) = solved.borrow().get(&route.name) {
            return Ok(Arc::clone(key));
        }
        let (key, _) = Reference::read(path, route)?.solve(&pool, &cancel, &Arc::default())?;
        Ok(Arc::clone(solved.borrow_mut().entry(route.name.clone()).or_insert(key.into())))
    };
    let members = Members {
        config,
        pool: &pool,
        cancel: &cancel,
        deadline: None,
        reference: &reference,
        progress: &progress,
    };
    // Routes match the archive's path as if it lay in the inbox.
    let below = Path::new(path.file_name().unwrap_or_default());
    let answered = members
        .answer(&archive, below, &mut results, report_member)
        .and_then(|lacking| results.finish(&mut output).map(|_| lacking).map_err(JobError::Write));
    match answered {
        Ok(lacking) => {
            for (folder, why) in lacking {
                print_error(&format!("tabuleiro: {name}/{folder}: {}", say(why)));
            }
            output.commit()?;
        }
        Err(error) => return unanswered(error, &name),
    }
    print_error(&totals(&name, "puzzle", &sum, started.elapsed()));
    Ok(worst)
}
