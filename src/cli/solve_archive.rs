//! `tabuleiro solve` of an archive: every member is routed by its own path, and one archive has all results.

use std::fs::File;
use std::io::{self, BufReader, IsTerminal, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use super::input::open;
use super::outcome::{exit, exit_of_archive, failure, told, totals};
use super::output::{Output, scratch};
use crate::cli::arguments::printable_path;
use crate::cli::exit::Exit;
use crate::cli::failure::{Failure, print_error};
use crate::config::{Config, Routed};
use crate::input::Scanner;
use crate::job::archive::{Answered, Archive, ArchiveWriter, Member, answer_members};
use crate::job::{JobError, JobInfo, Pool, Progress, Summary, TextSink};
use crate::solver::{Cancel, LANGUAGE};
use crate::words::Language;

/// Answers all members of an archive.
pub fn run(path: &Path, output: Option<&Path>, config: &Config) -> Result<Exit, Failure> {
    let started = Instant::now();
    let name = printable_path(path);
    if output.is_none() && io::stdout().is_terminal() {
        return Err(Failure::new(Exit::Usage, "the results are an archive; name its file with -o"));
    }
    let archive = Archive::open(open(path, &name)?)
        .map_err(|error| Failure::new(exit_of_archive(&error), format_args!("{name}: {error}")))?;
    let pool = Pool::new(config.workers.thread_count().get())
        .map_err(|error| Failure::new(Exit::System, format_args!("cannot start threads: {error}")))?;
    let mut output = Output::open(output)?;
    let apart = scratch().map_err(|error| Failure::output(&error))?;
    let mut results = ArchiveWriter::new(apart);
    let (mut sum, mut worst) = (Summary::default(), Exit::Ok);
    let tell = |member: &Member, result: &Result<Summary, _>| {
        let name = format!("{name}/{}", member.printable_path());
        match result {
            Ok(summary) => {
                sum.puzzles += summary.puzzles;
                sum.invalid += summary.invalid;
                sum.undecided += summary.undecided;
                worst = worse(worst, exit(summary));
                let text = told(&name, summary);
                if !text.is_empty() {
                    print_error(text.trim_end());
                }
            }
            Err(rejection) => {
                worst = Exit::Data;
                print_error(&format!("tabuleiro: {name}: {rejection}"));
            }
        }
    };
    let answer = |member: &Member, path: &Path, out: &mut dyn Write| {
        let mut language = config.results.language;
        let result = answer(&archive, (member, path), (config, &pool), &mut language, out);
        Answered { result, language }
    };
    let answered = answer_members((&archive, path), &mut results, config.results.language, answer, tell)
        .and_then(|()| results.finish(&mut output).map(drop).map_err(JobError::Write));
    match answered {
        Ok(()) => output.commit()?,
        Err(JobError::Write(error)) => return Failure::unless_closed(&error).map(|()| Exit::Ok),
        Err(error) => return Err(failure(error, &name)),
    }
    print_error(&totals(&name, &sum, started.elapsed()));
    Ok(worst)
}

fn answer(
    archive: &Archive<File>,
    (member, path): (&Member, &Path),
    (config, pool): (&Config, &Pool),
    language: &mut Language,
    out: &mut dyn Write,
) -> Result<Summary, JobError> {
    let open = || archive.read(member).map_err(io::Error::other);
    let route = config.route(path).map(Arc::as_ref);
    if let Some(route) = route {
        *language = route.options.get(LANGUAGE);
    }
    let routed = Routed { config, path, route, open };
    let file = printable_path(path);
    let source = BufReader::new(open().map_err(JobError::Read)?);
    let mut scanner = Scanner::new(source, file.as_str()).map_err(JobError::Read)?;
    let (job, directives) = routed.resolve(&mut scanner)?;
    *language = job.options.get(LANGUAGE);
    let info = JobInfo { file: &file, solver: job.solver, options: &job.options };
    let mut sink = TextSink::new(out, &info);
    let (cancel, progress) = (Cancel::default(), Arc::<Progress>::default());
    let summary = routed.answer(&mut scanner, (&job, &directives), pool, &cancel, &progress, &mut sink)?;
    sink.finish(&summary).map_err(JobError::Write)?;
    Ok(summary)
}

/// Of two exit codes the one that says more: what is invalid stays so, whatever is undecided.
fn worse(a: Exit, b: Exit) -> Exit {
    if a == Exit::Data || b == Exit::Ok { a } else { b }
}
