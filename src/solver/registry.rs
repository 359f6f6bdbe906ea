//! The table of all solvers, and what works with any of them.

use super::{
    COMMON, Options, Solver, astar_2048, checkers_capture, did_you_mean, game_2048, jump_game, merge_2048,
};
use crate::input::printable;

/// Every solver, in the order in which `tabuleiro solvers` lists them.
pub const SOLVERS: &[&dyn Solver] = &[
    &checkers_capture::CheckersCapture,
    &merge_2048::Merge2048,
    &astar_2048::Astar2048,
    &game_2048::Game2048,
    &jump_game::JumpGame,
];

/// The solver with that ID.
#[must_use]
pub fn find(id: &str) -> Option<&'static dyn Solver> {
    SOLVERS.iter().copied().find(|solver| solver.id() == id)
}

/// The one of `solvers` with that ID, or a message that says which ones there are.
///
/// # Errors
/// When there is none.
pub fn find_among(solvers: &[&'static dyn Solver], id: &str) -> Result<&'static dyn Solver, String> {
    solvers.iter().copied().find(|solver| solver.id() == id).ok_or_else(|| {
        let known: Vec<_> = solvers.iter().map(|solver| solver.id()).collect();
        let (found, hint) = (printable(id.as_bytes(), 40), did_you_mean(id, &known));
        format!("unknown solver '{found}'{hint}; known: {}", known.join(", "))
    })
}

/// The defaults of a solver's options, the common ones included.
#[must_use]
pub fn default_options(solver: &dyn Solver) -> Options {
    Options::defaults(&[COMMON, solver.options()])
}
