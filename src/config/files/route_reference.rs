//! The reference of a route that grades: the input that students had, with what its puzzles are solved by and under.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;

use super::advice;
use super::resolve::{Overrides, ResolveError, ResolvedJob, SOLVER_KEY, resolve};
use crate::config::route::Route;
use tabuleiro_jobs::grading::{AnswerKey, check_puzzles, read_reference};
use tabuleiro_jobs::{Job, JobError, Pool, Progress, Rejection, Summary, refuse_by_head};
use tabuleiro_puzzles::input::{ReadDirectivesError, Scanner, printable, read_directives};
use tabuleiro_puzzles::solver::{Cancel, LANGUAGE};

/// Bytes of all references of a configuration at most: they are held in memory.
pub(in crate::config) const REFERENCES_BYTES_MAX: u64 = 1 << 30;

/// A reference that was read, and not solved.
pub struct Reference {
    /// What people call it: its path.
    pub name: Arc<str>,
    /// All of it.
    pub text: Arc<Vec<u8>>,
    /// The solver and the options: those of the route, then its own directives.
    pub job: ResolvedJob,
    /// A directive of its own names the solver.
    names_solver: bool,
}

impl Reference {
    /// Reads the reference at `path` for `route`.
    ///
    /// # Errors
    /// When it cannot be read, is no text, or has a wrong directive.
    pub fn read(path: &Path, route: &Route) -> Result<Self, JobError> {
        let name: Arc<str> = printable(path.as_os_str().as_encoded_bytes(), usize::MAX).into();
        let text = read(path).map_err(JobError::Read)?;
        let mut scanner = Scanner::new(&text[..], Arc::clone(&name)).map_err(JobError::Read)?;
        refuse_by_head(&scanner)?;
        let directives = read_directives(&mut scanner).map_err(|error| match error {
            ReadDirectivesError::Io(error) => JobError::Read(error),
            ReadDirectivesError::Faulty(error) => Rejection::directive(error, &mut scanner).into(),
        })?;
        let language = route.options.get(LANGUAGE);
        let resolved = resolve(&name, Some(route), &directives, Overrides::default(), language);
        let job = resolved.map_err(|error| match error {
            ResolveError::Directive(error) => Rejection::directive(error, &mut scanner).into(),
            // The route names a solver, and nothing else was set.
            error => JobError::Read(io::Error::other(error)),
        })?;
        drop(scanner);
        let names_solver = directives.iter().any(|directive| directive.key == SOLVER_KEY);
        Ok(Self { name, text, job, names_solver })
    }

    /// Reads the reference at `path` for `route` with all its puzzles, and solves none. Gives its size in bytes.
    ///
    /// # Errors
    /// Those of [`Self::read`], and when there is no puzzle or an invalid one.
    pub fn check(path: &Path, route: &Route) -> Result<u64, JobError> {
        let reference = Self::read(path, route)?;
        let Self { name, text, job, .. } = &reference;
        let checked = check_puzzles(name, text, job.solver, &job.options);
        checked.map_err(|error| reference.advised(error))?;
        Ok(text.len() as u64)
    }

    /// Solves its puzzles.
    ///
    /// # Errors
    /// Those of [`AnswerKey::solve`].
    pub fn solve(
        &self,
        pool: &Pool,
        cancel: &Cancel,
        progress: &Arc<Progress>,
    ) -> Result<(AnswerKey, Summary), JobError> {
        let Self { name, text, job: ResolvedJob { solver, options }, .. } = self;
        let job = Job { solver: *solver, options, pool, cancel, progress };
        let solved = AnswerKey::solve(Arc::clone(name), Arc::clone(text), &job);
        solved.map_err(|error| self.advised(error))
    }

    /// The same error, with the solver that reads all of it where its own cannot.
    fn advised(&self, error: JobError) -> JobError {
        match error {
            JobError::Rejected(rejection) => {
                rejection.advised(advice::of_reference(self.job.solver, self.names_solver, &self.text)).into()
            }
            error => error,
        }
    }
}

fn read(path: &Path) -> io::Result<Arc<Vec<u8>>> {
    // Nobody is waited for who writes to a pipe.
    if !path.metadata()?.is_file() {
        return Err(io::Error::other("it is no regular file"));
    }
    read_reference(File::open(path)?)
}
