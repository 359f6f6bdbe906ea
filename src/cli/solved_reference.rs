//! The reference of `grade` and `validate`: an input whose puzzles are solved, so that answers can be compared with it.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use super::named_input::{Input, ReadingArgs};
use super::summary_text::{failure, start_pool};
use crate::cli::cli_messages::CliMessage;
use crate::cli::failure::{Failure, warn};
use crate::config::{Config, ResolvedJob};
use tabuleiro_jobs::grading::{AnswerKey, read_reference};
use tabuleiro_jobs::{Job, JobError, Progress, puzzle_count};
use tabuleiro_puzzles::solver::{Authority, Cancel};

/// A reference whose file was read and whose solver is known.
pub struct Reference {
    input: Input,
    pub text: Arc<Vec<u8>>,
    pub job: ResolvedJob,
    pub config: Config,
}

impl Reference {
    /// Reads a reference. Its solver is chosen as for every input; if nothing names one, the content of the file
    /// decides. Only a configuration named with `--config` applies: the one in the current folder may be the student's.
    /// `set` is an option that the subcommand itself sets.
    ///
    /// # Errors
    /// Fails if the file cannot be opened or read, is not text, or has no solver: see [`Input::resolve`].
    pub fn open(path: &Path, reading: &ReadingArgs, set: Option<(&str, &str)>) -> Result<Self, Failure> {
        let mut input = Input::open(Some(path))?;
        let config = reading.config.load_if_named()?;
        let mut job = input.resolve(&config, reading, true)?;
        if let Some((key, value)) = set {
            job.options.set(key, value, Authority::Owner).map_err(Failure::set)?;
        }
        let text =
            File::open(path).and_then(read_reference).map_err(|error| Failure::read(&input.name, &error))?;
        Ok(Self { input, text, job, config })
    }

    /// Solves the puzzles. Warns on standard error if some stay undecided and have no right answer to compare with.
    ///
    /// # Errors
    /// Fails if the file cannot be answered. If a puzzle is invalid, the exit code is 65, and the message names another
    /// solver that reads the whole file, if there is one.
    pub fn solve(self) -> Result<AnswerKey, Failure> {
        let Self { mut input, text, job: ResolvedJob { solver, options }, config } = self;
        let name: Arc<str> = input.name.as_str().into();
        let pool = start_pool(&config)?;
        let (cancel, progress) = (Cancel::default(), Arc::<Progress>::default());
        let job = Job { solver, options: &options, pool: &pool, cancel: &cancel, progress: &progress };
        let solved = AnswerKey::solve(Arc::clone(&name), text, &job);
        let (key, summary) = solved.map_err(|error| match error {
            JobError::Rejected(rejection) => {
                input.read_to_recognise();
                failure(rejection.advised(input.advice(&config, Some(solver))).into(), &name)
            }
            error => failure(error, &name),
        })?;
        if summary.undecided > 0 {
            let puzzles = puzzle_count(solver.info().noun, summary.undecided);
            warn(CliMessage::UndecidedReference { name: name.to_string(), puzzles });
        }
        Ok(key)
    }
}
