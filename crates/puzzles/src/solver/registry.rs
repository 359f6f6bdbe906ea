//! What works with any solver of the table.

use std::sync::Arc;

use super::{Authority, COMMON, GRADING, Hint, OptionError, Options, Puzzle, SOLVERS, Solver, Work, meant};
use crate::input::{Scanner, Spot, printable};
use crate::words::{Phrase, messages};

/// Returns the solver with that ID.
#[must_use]
pub fn find(id: &str) -> Option<&'static dyn Solver> {
    SOLVERS.iter().copied().find(|solver| solver.id() == id)
}

messages! {
    "solver"
    /// What is wrong with the name of a solver.
    enum Misnomer {
        /// No solver has that name.
        Unknown = "unknown" { id: String, hint: Option<Hint>, known: String },
    }
}

/// Returns the one of `solvers` with that ID, or a message that says which ones there are.
///
/// # Errors
/// If no solver has that ID.
pub fn find_among(solvers: &[&'static dyn Solver], id: &str) -> Result<&'static dyn Solver, Phrase> {
    solvers.iter().copied().find(|solver| solver.id() == id).ok_or_else(|| {
        let known: Vec<_> = solvers.iter().map(|solver| solver.id()).collect();
        let (hint, id) = (meant(id, &known), printable(id.as_bytes(), 40));
        Misnomer::Unknown { id, hint, known: known.join(", ") }.into()
    })
}

/// Returns the defaults of a solver's options, the common ones and those of grading included.
#[must_use]
pub fn default_options(solver: &dyn Solver) -> Options {
    Options::defaults(&[COMMON, GRADING, solver.options()])
}

/// Returns the defaults of a solver's options with these [`chosen`](Options::chosen) besides.
///
/// # Errors
/// When the solver has no such option, or it takes no such value.
pub fn options_from(solver: &dyn Solver, chosen: &[(String, String)]) -> Result<Options, OptionError> {
    let mut options = default_options(solver);
    chosen.iter().try_for_each(|(name, value)| options.set(name, value, Authority::Owner))?;
    Ok(options)
}

/// Reads the puzzle that displays itself as `text`, which began on a line of `file`. Returns `None` if the text is not exactly
/// that of one valid puzzle.
#[must_use]
pub fn read_displayed(
    solver: &dyn Solver,
    options: &Options,
    text: &str,
    file: &Arc<str>,
    first_line: u64,
) -> Option<Arc<dyn Puzzle>> {
    let mut input = Scanner::resume(text.as_bytes(), Arc::clone(file), Spot::of_line(first_line)?);
    let entry = solver.open(options).read(&mut input).ok()??;
    let Work::Solve(puzzle) = entry.work else { return None };
    // What stands behind the puzzle, and whatever a reader passes over or understands otherwise, makes another text.
    (puzzle.to_string() == text).then_some(puzzle)
}
