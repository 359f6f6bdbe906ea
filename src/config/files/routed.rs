//! A file that the routes decide about, from its first byte to its last.

use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use super::advice::Stray;
use super::resolve::{ResolveError, ResolvedJob, resolve};
use crate::config::document::Config;
use crate::config::route::Route;
use crate::input::{Directive, ReadDirectivesError, Scanner, read_directives};
use crate::job::{self, JobError, Pool, Progress, Rejection, Sink, Summary, refuse_by_head};
use crate::solver::{Cancel, SOLVERS, Solver};
use crate::words::Phrase;

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
    /// Why it cannot be answered.
    pub fn resolve(&self, scanner: &mut Scanner<'_>) -> Result<(ResolvedJob, Vec<Directive>), JobError> {
        refuse_by_head(scanner)?;
        let directives = read_directives(scanner).map_err(|error| match error {
            ReadDirectivesError::Io(error) => JobError::Read(error),
            ReadDirectivesError::Faulty(error) => Rejection::directive(error, scanner).into(),
        })?;
        let Some(route) = self.route else {
            let (tried, advice) = (self.config.tried().collect(), self.advice(&directives, None));
            return Err(Rejection::NoRoute { tried, advice }.into());
        };
        let (name, language) = (Arc::clone(scanner.name()), self.config.results.language);
        let resolved = resolve(&name, Some(route), &directives, &[], SOLVERS, None, language);
        let job = resolved.map_err(|error| match error {
            ResolveError::Directive(error) => Rejection::directive(error, scanner).into(),
            // A route names a solver, and nothing else was set.
            error => JobError::Read(io::Error::other(error)),
        })?;
        Ok((job, directives))
    }

    /// Answers what [`Self::resolve`] has begun to read, to its end.
    ///
    /// # Errors
    /// Those of [`job::answer`]; where a solver panicked, or cannot read it, the report on that.
    pub fn answer(
        &self,
        scanner: &mut Scanner<'_>,
        (job, directives): (&ResolvedJob, &[Directive]),
        pool: &Pool,
        cancel: &Cancel,
        progress: &Arc<Progress>,
        sink: &mut dyn Sink,
    ) -> Result<Summary, JobError> {
        let solver = job.solver.id();
        let advice = || self.advice(directives, Some(job.solver));
        let here;
        let pool = if self.route.is_some_and(|route| route.remote) {
            pool
        } else {
            here = pool.without_guests();
            &here
        };
        let answered = job::answer(scanner, job.solver, &job.options, pool, cancel, progress, sink);
        let mut summary = answered.map_err(|error| match error {
            JobError::Panicked { number, message } => {
                Rejection::SolverPanicked { solver, number, message }.into()
            }
            JobError::Rejected(rejection @ Rejection::NoPuzzle { .. }) => rejection.advised(advice()).into(),
            error => error,
        })?;
        scanner.drain().map_err(JobError::Read)?;
        summary.warn_if_mostly_invalid(advice);
        Ok(summary)
    }

    /// For which solver the file was written that `tried` cannot read, or that has none.
    fn advice(&self, directives: &[Directive], tried: Option<&'static dyn Solver>) -> Option<Phrase> {
        let stray = Stray { path: Some(self.path), directives, tried, on_command_line: false };
        self.config.advise(&stray, || (self.open)())
    }
}
