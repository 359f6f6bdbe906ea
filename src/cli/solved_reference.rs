//! The reference of `grade` and `validate`: an input whose puzzles are solved, so that answers can be compared.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use super::named_input::{Input, ReadingArgs, unreadable};
use super::summary_text::{failure, start_pool};
use crate::cli::failure::{Failure, print_error};
use crate::config::{Config, ResolvedJob};
use tabuleiro_jobs::grading::{AnswerKey, read_reference};
use tabuleiro_jobs::{Job, JobError, Progress};
use tabuleiro_puzzles::solver::{Authority, Cancel};

/// A reference that was read.
pub struct Reference {
    input: Input,
    text: Arc<Vec<u8>>,
    job: ResolvedJob,
    config: Config,
}

impl Reference {
    /// Reads a reference. Its solver is found as everywhere, and where nothing says which it is, by reading it. A configuration
    /// counts only where it is named: the one of the current folder may be the student's. `set` is an option of the command
    /// line's own.
    ///
    /// # Errors
    /// Those of [`Input`].
    pub fn open(path: &Path, reading: &ReadingArgs, set: Option<(&str, &str)>) -> Result<Self, Failure> {
        let mut input = Input::open(Some(path))?;
        let config = reading.config.load_if_named()?;
        let mut job = input.resolve_or_recognise(&config, reading)?;
        if let Some((key, value)) = set {
            job.options.set(key, value, Authority::Owner).map_err(|error| Failure::set(&error))?;
        }
        let text =
            File::open(path).and_then(read_reference).map_err(|error| unreadable(&input.name, &error))?;
        Ok(Self { input, text, job, config })
    }

    /// Solves its puzzles. What has no right answer to compare with is told on standard error.
    ///
    /// # Errors
    /// Those of answering a file; 65 when a puzzle is invalid, with the solver that reads all of them where there is one.
    pub fn solve(self) -> Result<AnswerKey, Failure> {
        let Self { mut input, text, job, config } = self;
        let name: Arc<str> = input.name.as_str().into();
        let pool = start_pool(&config)?;
        let (cancel, progress) = (Cancel::default(), Arc::<Progress>::default());
        let running = Job {
            solver: job.solver,
            options: &job.options,
            pool: &pool,
            cancel: &cancel,
            progress: &progress,
        };
        let solved = AnswerKey::solve(Arc::clone(&name), text, &running);
        let (key, summary) = solved.map_err(|error| match error {
            JobError::Rejected(rejection) => {
                input.read_on();
                failure(rejection.advised(input.advice(&config, Some(job.solver))).into(), &name)
            }
            error => failure(error, &name),
        })?;
        if summary.undecided > 0 {
            let message = format!(
                "tabuleiro: {name}: {} puzzles of the reference are undecided: they are not graded (see tabuleiro solve)",
                summary.undecided
            );
            print_error(&message);
        }
        Ok(key)
    }
}
