//! What must hold for any bytes: one `check` per target or solver, which panics if it does not hold.
//!
//! Every reader runs twice: over the input in one piece, and over a source that returns a few bytes per call. Every
//! puzzle is solved twice: within tiny limits and within larger ones. Independent rules, which share no code with the
//! solvers, replay the answers.
//!
//! Fuzz targets and tests both include this module by its path.

mod any_solver;
pub mod archive;
mod astar_2048;
mod checkers_capture;
pub mod configuration;
pub mod directives;
mod game_2048;
mod jump_game;
mod merge_2048;
pub mod pages;
mod reading;
#[cfg(feature = "workers")]
pub mod remote;
mod slide;
mod solving;
pub mod submissions;

use tabuleiro_puzzles::solver::Solver;

/// Takes any bytes. Panics if something does not hold.
pub type Check = fn(&[u8]);

/// The targets that do not test a solver, each with its check. `corpus/NAME/` holds its seeds.
pub const TARGETS: &[(&str, Check)] = &[
    ("directives", directives::check),
    ("configuration", configuration::check),
    ("submissions", submissions::check),
    ("archive", archive::check),
    ("pages", pages::check),
    #[cfg(feature = "workers")]
    ("remote", remote::check),
];

/// Solvers whose answers are replayed. For the others, only what holds for all solvers is checked.
pub const REPLAYED: &[(&str, Check)] = &[
    ("checkers-capture", checkers_capture::check),
    ("2048-merge", merge_2048::check),
    ("2048-astar", astar_2048::check),
    ("2048-game", game_2048::check),
    ("jump-game", jump_game::check),
];

/// Checks a solver. The first byte chooses options and limits; a file of puzzles follows. `corpus/ID/` holds its seeds.
pub fn check_solver(solver: &dyn Solver, data: &[u8]) {
    match REPLAYED.iter().find(|(id, _)| *id == solver.id()) {
        Some((_, check)) => check(data),
        None => any_solver::check(solver, data),
    }
}
