//! The one integration target: solvers against their pages, and later the whole service.

mod astar;
mod checkers_capture;
mod cli;
mod config;
mod daemon;
mod directives;
mod fake_solvers;
mod game_2048;
mod game_2048_limits;
mod golden;
mod harness;
mod jump_game;
mod merge_2048;
