//! `tabuleiro check`: reads files as a job would, and solves nothing.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use super::{ConfigArgs, Failure, key_value, load, printable_path, solver};
use crate::config::{Config, ResolvedJob, resolve};
use crate::error::Exit;
use crate::input::{Scanner, read_directives};
use crate::job::{Rejection, refuse_by_head};
use crate::solver::{SOLVERS, Solver, Verdict, Work};

/// Arguments of `check`.
#[derive(Debug, Args)]
pub struct CheckArgs {
    #[command(flatten)]
    config: ConfigArgs,
    /// Solver; without it a directive in the file or the file's name decides, by the routes
    #[arg(long, value_name = "ID")]
    solver: Option<String>,
    /// Set an option; wins over the route and the file's directives
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = key_value)]
    sets: Vec<(String, String)>,
    /// Files to read
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// Checks every file; the worst of them decides the exit code.
pub fn run(args: &CheckArgs) -> Result<Exit, Failure> {
    let forced = args.solver.as_deref().map(solver).transpose()?;
    let (config, _) = load(args.config.config.as_deref())?;
    let mut worst = Exit::Ok;
    for path in &args.files {
        let exit = match check(path, args, &config, forced) {
            Ok(exit) => exit,
            Err(failure) => {
                print(&failure.message)?;
                failure.exit
            }
        };
        worst = if worst == Exit::Ok { exit } else { worst };
    }
    Ok(worst)
}

fn check(
    path: &Path,
    args: &CheckArgs,
    config: &Config,
    forced: Option<&'static dyn Solver>,
) -> Result<Exit, Failure> {
    let name = printable_path(path);
    let open_error = |error: io::Error| {
        let exit = if error.kind() == io::ErrorKind::NotFound { Exit::NoInput } else { Exit::Io };
        Failure::new(exit, format_args!("{name}: cannot read: {error}"))
    };
    let data_error =
        |error: &dyn std::fmt::Display| Failure::new(Exit::Data, format_args!("{name}: {error}"));
    let file = std::fs::File::open(path).map_err(open_error)?;
    let mut scanner = Scanner::new(file, name.as_str()).map_err(open_error)?;
    refuse_by_head(&scanner).map_err(|rejection| data_error(&rejection))?;
    let directives = read_directives(&mut scanner).map_err(|error| data_error(&error))?;
    let route = config.route(path).filter(|_| forced.is_none());
    let file: Arc<str> = Arc::from(name.as_str());
    let job = resolve(&file, route.map(Arc::as_ref), &directives, &args.sets, SOLVERS, forced)
        .map_err(|error| data_error(&error))?;
    read_all(&mut scanner, &job, &name).map_err(open_error)?
}

fn read_all(scanner: &mut Scanner<'_>, job: &ResolvedJob, name: &str) -> io::Result<Result<Exit, Failure>> {
    let mut reader = job.solver.open(&job.options);
    let (mut valid, mut invalid, mut recognised, mut first) = (0_u64, 0_u64, false, None);
    while let Some(entry) = reader.read(scanner)? {
        let Work::Settled(outcome) = entry.work else {
            (valid, recognised) = (valid + 1, true);
            continue;
        };
        let Verdict::Invalid(problem) = outcome.verdict else {
            (valid, recognised) = (valid + 1, true);
            continue;
        };
        invalid += 1;
        recognised |= problem.recognised;
        let line =
            format!("{name}:{}: puzzle {}: {problem} [{}]", problem.place, valid + invalid, problem.rule);
        if let Err(failure) = print(&line) {
            return Ok(Err(failure));
        }
        first.get_or_insert(*problem);
    }
    let (warnings, dropped) = scanner.take_warnings();
    let mut lines: Vec<_> = warnings
        .iter()
        .map(|warning| format!("{name}:{}: warning: {}", warning.place, warning.message))
        .collect();
    if dropped > 0 {
        lines.push(format!("{name}: {dropped} further warnings"));
    }
    let complete = recognised || (invalid == 0 && reader.allows_empty());
    lines.push(if complete {
        format!("{name}: {}: {valid} valid puzzles, {invalid} invalid", job.solver.id())
    } else {
        format!(
            "{name}: {}",
            Rejection::NoPuzzle { solver: job.solver.id(), binary: scanner.looks_binary(), problem: first }
        )
    });
    Ok(print(&lines.join("\n")).map(|()| if invalid == 0 && complete { Exit::Ok } else { Exit::Data }))
}

fn print(text: &str) -> Result<(), Failure> {
    writeln!(io::stdout(), "{text}").map_err(|error| Failure::output(&error))
}
