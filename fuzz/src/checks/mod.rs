//! What must hold for any bytes whatever: one `check` a target, which panics where it does not.
//!
//! Every reader is run twice, over the input in one piece and over a source that gives a few bytes at a time;
//! every puzzle is solved twice, within tiny limits and within larger ones. Answers are replayed by rules of
//! their own, which share no code with the solvers.
//!
//! Fuzz targets and tests both include this module by its path.

pub mod astar_2048;
pub mod checkers_capture;
pub mod configuration;
pub mod directives;
pub mod game_2048;
pub mod jump_game;
pub mod merge_2048;
mod reading;
mod slide;
mod solving;

/// Takes any bytes; panics where something does not hold.
pub type Check = fn(&[u8]);

/// Every target with its check; `corpus/NAME/` holds its seeds.
pub const TARGETS: &[(&str, Check)] = &[
    ("checkers_capture", checkers_capture::check),
    ("merge_2048", merge_2048::check),
    ("astar_2048", astar_2048::check),
    ("game_2048", game_2048::check),
    ("jump_game", jump_game::check),
    ("directives", directives::check),
    ("configuration", configuration::check),
];
