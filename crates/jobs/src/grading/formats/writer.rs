//! What writes grades, whatever the format.

use std::io;

use crate::grading::{Grade, Graded};

/// Writes grades, one submission after the other: [`begin`](Self::begin), every [`puzzle`](Self::puzzle), [`end`](Self::end).
pub trait GradeWriter {
    /// A submission follows, called by that printable name.
    ///
    /// # Errors
    /// Those of writing.
    fn begin(&mut self, submission: &str) -> io::Result<()>;

    /// What became of the next answer.
    ///
    /// # Errors
    /// Those of writing.
    fn puzzle(&mut self, graded: &Graded<'_>) -> io::Result<()>;

    /// The grade of the submission.
    ///
    /// # Errors
    /// Those of writing.
    fn end(&mut self, grade: &Grade) -> io::Result<()>;

    /// Nothing can be graded in the folder, or of the submission, that is called by that printable name. `why` says so in a
    /// sentence. A format for one submission has no room for that.
    ///
    /// # Errors
    /// Those of writing.
    fn nothing(&mut self, _name: &str, _why: &str) -> io::Result<()> {
        Ok(())
    }

    /// There are no more.
    ///
    /// # Errors
    /// Those of writing.
    fn finish(&mut self) -> io::Result<()> {
        Ok(())
    }
}
