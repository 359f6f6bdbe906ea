//! A file that the routes decide about, from its first byte to its last.

use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use super::advice::UnroutedFile;
use super::resolve::{Overrides, ResolveError, ResolvedJob, read_directives_warning, resolve};
use crate::config::document::Config;
use crate::config::route::Route;
use tabuleiro_jobs::{Job, JobError, Rejection, Sink, Summary, refuse_by_head};
use tabuleiro_puzzles::input::{Directive, ReadDirectivesError, Scanner};
use tabuleiro_puzzles::solver::Solver;
use tabuleiro_puzzles::words::Phrase;

/// A file below the inbox, or a member of an archive, whose path says what solves it.
pub struct Routed<'a, O> {
    /// What is configured.
    pub config: &'a Config,
    /// The path below the inbox.
    pub path: &'a Path,
    /// The route that takes it.
    pub route: Option<&'a Route>,
    /// Opens it once more, to see for which solver it was written.
    pub open: O,
}

impl<R: Read, O: Fn() -> io::Result<R>> Routed<'_, O> {
    /// Refuses what is no text, reads the directives, and puts together what the file is solved by and under.
    ///
    /// # Errors
    /// Why it cannot be answered. A wrong solver in a directive is told even where no route takes the file.
    pub fn resolve(&self, scanner: &mut Scanner<'_>) -> Result<(ResolvedJob, Vec<Directive>), JobError> {
        refuse_by_head(scanner)?;
        let allowed = self.route.is_none_or(|route| route.allow_directives);
        let read = read_directives_warning(scanner, allowed);
        let (directives, near_miss) = read.map_err(|error| match error {
            ReadDirectivesError::Io(error) => JobError::Read(error),
            ReadDirectivesError::Faulty(error) => Rejection::directive(error, scanner).into(),
        })?;
        let (name, language) = (Arc::clone(scanner.name()), self.config.results.language);
        match resolve(&name, self.route, &directives, Overrides::default(), language) {
            Ok(job) if self.route.is_some() => Ok((job, directives)),
            Err(ResolveError::Directive(error)) => Err(Rejection::directive(error, scanner).into()),
            Err(ResolveError::Set(error)) => Err(JobError::Read(io::Error::other(error))),
            Ok(_) | Err(ResolveError::NoSolver { .. }) => {
                let advice = near_miss.or_else(|| self.advice(&directives, None));
                let tried = self.config.tried().collect();
                Err(Rejection::NoRoute { tried, advice }.into())
            }
        }
    }

    /// Answers what [`Self::resolve`] has begun to read, to its end.
    ///
    /// # Errors
    /// Those of [`tabuleiro_jobs::answer`]; where a solver panicked, or cannot read it, the report on that.
    pub fn answer(
        &self,
        scanner: &mut Scanner<'_>,
        job: &Job<'_>,
        directives: &[Directive],
        sink: &mut dyn Sink,
    ) -> Result<Summary, JobError> {
        let solver = job.solver.id();
        let advice = || self.advice(directives, Some(job.solver));
        let here = job.pool.without_guests();
        let pool = if self.route.is_some_and(|route| route.remote) { job.pool } else { &here };
        let answered = tabuleiro_jobs::answer(scanner, &Job { pool, ..*job }, sink);
        let mut summary = answered.map_err(|error| match error {
            JobError::Panicked { number, message } => {
                Rejection::SolverPanicked { solver, number, message }.into()
            }
            JobError::Rejected(rejection @ Rejection::NoPuzzle { .. }) => rejection.advised(advice()).into(),
            error => error,
        })?;
        scanner.drain().map_err(JobError::Read)?;
        summary.warn_if_mostly_invalid(advice);
        let file = self.stray(directives, Some(job.solver));
        summary.warn(self.config.other_rules(&file, job.options, &summary));
        Ok(summary)
    }

    fn stray<'d>(
        &'d self,
        directives: &'d [Directive],
        tried: Option<&'static dyn Solver>,
    ) -> UnroutedFile<'d> {
        UnroutedFile { path: Some(self.path), directives, tried, on_command_line: false }
    }

    /// For which solver the file was written that `tried` cannot read, or that has none.
    pub fn advice(&self, directives: &[Directive], tried: Option<&'static dyn Solver>) -> Option<Phrase> {
        self.config.advise(&self.stray(directives, tried), || (self.open)())
    }
}
