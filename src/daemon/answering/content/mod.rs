//! What a claimed file holds, and what is made of it: puzzles are answered, a submission is graded, an archive has both done with
//! its members.

// Archives.
mod archive;
// A claimed file that is being answered.
mod attempt;
// Which attempt of its student a submission is.
mod attempts;
// Reading it.
mod input;
// Puzzles.
mod puzzles;
// What submissions are graded by.
mod references;
// Submissions.
mod submission;

use crate::daemon::answering::prepared::Made;
use crate::daemon::fs::disk::OpenFile;
use tabuleiro_jobs::JobError;
use tabuleiro_jobs::archive::is_zip;

pub use attempt::Attempt;
pub use attempts::{Attempts, Counted};
pub use references::References;

/// Reads the file to its end and writes its outputs under temporary names.
///
/// # Errors
/// Why there are none.
pub fn make(attempt: &Attempt<'_>, input: &mut dyn OpenFile) -> Result<Made, JobError> {
    if is_zip(&attempt.claim.origin) {
        return archive::answer(attempt, input);
    }
    match attempt.route.and_then(|route| Some((route, route.grade.as_deref()?))) {
        Some((route, reference)) => submission::grade(attempt, (route, reference), input),
        None => puzzles::answer(attempt, input),
    }
}
