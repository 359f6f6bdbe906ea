//! The reference of a route that grades: the input that students had, with its solver and options.

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

/// The maximum size of all references of a configuration in bytes, since they are held in memory.
pub const REFERENCES_BYTES_MAX: u64 = 1 << 30;

/// A reference that was read but not solved.
pub struct Reference {
    /// The name in messages: its path.
    pub name: Arc<str>,
    /// The whole content.
    pub text: Arc<Vec<u8>>,
    /// The solver and the options: those of the route, overridden by the reference's directives.
    pub job: ResolvedJob,
    /// Whether a directive in the reference names the solver.
    names_solver: bool,
}

impl Reference {
    /// Reads the reference at `path` for `route`.
    ///
    /// # Errors
    /// Fails if the reference cannot be read, is not text, or has a wrong directive.
    pub fn read(path: &Path, route: &Route) -> Result<Self, JobError> {
        let name: Arc<str> = printable(path.as_os_str().as_encoded_bytes(), usize::MAX).into();
        let text = read(path).map_err(JobError::Read)?;
        let mut scanner = Scanner::new(&text[..], Arc::clone(&name)).map_err(JobError::Read)?;
        refuse_by_head(&scanner)?;
        let directives = read_directives(&mut scanner).map_err(|error| match error {
            ReadDirectivesError::Io(error) => JobError::Read(error),
            ReadDirectivesError::Faulty(error) => Rejection::directive(*error, &mut scanner).into(),
        })?;
        let language = route.options.get(LANGUAGE);
        let resolved = resolve(&name, Some(route), &directives, Overrides::default(), language);
        let job = resolved.map_err(|error| match error {
            ResolveError::Directive(error) => Rejection::directive(*error, &mut scanner).into(),
            // The route names a solver, and there are no overrides, so no other error is expected.
            error => JobError::Read(io::Error::other(error)),
        })?;
        drop(scanner);
        let names_solver = directives.iter().any(|directive| directive.key == SOLVER_KEY);
        Ok(Self { name, text, job, names_solver })
    }

    /// Reads the reference at `path` for `route` and parses its puzzles, but solves none. Returns its size in bytes.
    ///
    /// # Errors
    /// Fails like [`Self::read`], or if there is no puzzle or an invalid one.
    pub fn check(path: &Path, route: &Route) -> Result<u64, JobError> {
        let reference = Self::read(path, route)?;
        let Self { name, text, job, .. } = &reference;
        let checked = check_puzzles(name, text, job.solver, &job.options);
        checked.map_err(|error| reference.advised(error))?;
        Ok(text.len() as u64)
    }

    /// Solves the puzzles of the reference.
    ///
    /// # Errors
    /// Fails like [`AnswerKey::solve`].
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

    /// If another solver reads the whole reference and its own does not, adds advice to the error.
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
    // A pipe would block until somebody writes to it.
    if !path.metadata()?.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    read_reference(File::open(path)?)
}
