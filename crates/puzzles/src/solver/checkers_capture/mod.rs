//! `checkers-capture`: the most opponent pieces that one own piece can take in a single move.
//!
//! The puzzle is `MegaDamas` (Maratona de Programação 2006, problem E). The longest move is a longest trail in a planar
//! graph.
//!
//! - [`checkers_reader`]: parses boards; [`half_grids`] stores a small board as bits.
//! - [`checkers_puzzle`]: chooses the search and builds the outcome.
//! - [`small`]: answers boards of the published sizes; a random one takes a fraction of a microsecond.
//! - [`exact`]: answers boards of any size.
//! - [`published`]: the two published programs.
//! - [`capture`]: what each search returns.
//! - [`checkers_grade`]: checks the answers of a submission; [`checkers_picture`]: draws; [`checkers_generator`]: makes
//!   random boards.

mod board_form;
mod capture;
mod checkers_generator;
mod checkers_grade;
mod checkers_mistakes;
mod checkers_options;
mod checkers_picture;
mod checkers_puzzle;
mod checkers_reader;
mod exact;
mod half_grids;
mod plain_boards;
mod published;
mod small;

use std::io;

use super::{AnswerReader, Options, Out, PuzzleReader, Random, Solver, SolverInfo, solver_info};

/// The solver `checkers-capture`.
pub struct CheckersCapture;

impl Solver for CheckersCapture {
    fn info(&self) -> &'static SolverInfo {
        solver_info! {
            id: "checkers-capture",
            noun: "board",
            about: "the most opponent pieces that one checkers piece can take in a single move (MegaDamas)",
            options: checkers_options::OPTIONS,
            generator_options: checkers_generator::OPTIONS,
        }
    }

    fn open(&self, options: &Options) -> Box<dyn PuzzleReader> {
        Box::new(checkers_reader::Reader::new(options))
    }

    fn answers(&self, _options: &Options) -> Box<dyn AnswerReader> {
        Box::new(checkers_grade::Numbers)
    }

    fn generate(&self, options: &Options, count: u64, random: &mut Random, out: Out<'_>) -> io::Result<()> {
        checkers_generator::generate(options, count, random, out)
    }
}
