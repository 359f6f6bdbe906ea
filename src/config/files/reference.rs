//! The reference of a route that grades: the input that students had, with what its puzzles are solved by and under.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;

use super::resolve::{ResolveError, ResolvedJob, resolve};
use crate::config::route::Route;
use crate::input::{ReadDirectivesError, Scanner, printable, read_directives};
use crate::job::grading::{count_puzzles, read_reference};
use crate::job::{JobError, Rejection, refuse_by_head};
use crate::solver::{LANGUAGE, SOLVERS};

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
        let resolved = resolve(&name, Some(route), &directives, &[], SOLVERS, None, language);
        let job = resolved.map_err(|error| match error {
            ResolveError::Directive(error) => Rejection::directive(error, &mut scanner).into(),
            // The route names a solver, and nothing else was set.
            error => JobError::Read(io::Error::other(error)),
        })?;
        drop(scanner);
        Ok(Self { name, text, job })
    }

    /// Reads the reference at `path` for `route` with all its puzzles, and solves none. Gives its size in bytes.
    ///
    /// # Errors
    /// Those of [`Self::read`], and when there is no puzzle.
    pub fn check(path: &Path, route: &Route) -> Result<u64, JobError> {
        let Self { name, text, job } = Self::read(path, route)?;
        match count_puzzles((&name, &text), (job.solver, &job.options))? {
            0 => Err(Rejection::Blank.into()),
            _ => Ok(text.len() as u64),
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
