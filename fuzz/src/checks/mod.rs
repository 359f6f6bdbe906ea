//! What must hold for any bytes whatever: one `check` a target or solver, which panics where it does not.
//!
//! Every reader is run twice, over the input in one piece and over a source that gives a few bytes at a time;
//! every puzzle is solved twice, within tiny limits and within larger ones. Answers are replayed by rules of
//! their own, which share no code with the solvers.
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

/// Takes any bytes; panics where something does not hold.
pub type Check = fn(&[u8]);

/// Every target that is about no solver, with its check; `corpus/NAME/` holds its seeds.
pub const TARGETS: &[(&str, Check)] = &[
    ("directives", directives::check),
    ("configuration", configuration::check),
    ("submissions", submissions::check),
    ("archive", archive::check),
    ("pages", pages::check),
    #[cfg(feature = "workers")]
    ("remote", remote::check),
];

/// Solvers whose answers are replayed; the others are held to what holds for all.
pub const REPLAYED: &[(&str, Check)] = &[
    ("checkers-capture", checkers_capture::check),
    ("2048-merge", merge_2048::check),
    ("2048-astar", astar_2048::check),
    ("2048-game", game_2048::check),
    ("jump-game", jump_game::check),
];

/// Checks the solver: the first byte chooses options and limits, the rest is a file of puzzles. `corpus/ID/` holds its seeds.
pub fn check_solver(solver: &dyn Solver, data: &[u8]) {
    match REPLAYED.iter().find(|(id, _)| *id == solver.id()) {
        Some((_, check)) => check(data),
        None => any_solver::check(solver, data),
    }
}
