//! What works with any solver of the table.

use super::{Authority, COMMON, GRADING, Hint, Options, SOLVERS, Solver, WireError, meant};
use crate::input::printable;
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

/// Returns the options of a solver that [`Options::to_wire`] gave.
///
/// # Errors
/// When the solver has no such option, or it takes no such value.
pub fn options_of_wire(solver: &dyn Solver, wire: &[(String, String)]) -> Result<Options, WireError> {
    let mut options = default_options(solver);
    wire.iter().try_for_each(|(name, value)| options.set(name, value, Authority::Owner))?;
    Ok(options)
}
