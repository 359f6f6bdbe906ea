//! `2048-merge`: the fewest slides that merge all tiles of a board into one, without new tiles.
//!
//! The tiles alone decide much. Every tile must be s/2^k for the sum s of all ([`tally`]), and merging as if position
//! did not matter gives a lower bound on the slides ([`position`]). A search over positions ([`search`]) decides the
//! rest: in passes that this bound limits (the default), plain breadth-first, or the published depth-first. All three
//! give the same numbers.

mod case_form;
mod case_reader;
mod merge_generator;
mod merge_grade;
mod merge_options;
mod merge_picture;
mod merge_puzzle;
mod mistake;
mod position;
mod search;
mod tally;

use std::io;

use super::{AnswerReader, Options, Out, PuzzleReader, Random, Solver, SolverInfo, solver_info};

/// The solver `2048-merge`.
#[derive(Debug, Clone, Copy)]
pub struct Merge2048;

impl Solver for Merge2048 {
    fn info(&self) -> &'static SolverInfo {
        solver_info! {
            id: "2048-merge",
            noun: "case",
            about: "the fewest slides that merge all tiles of a 2048 board into one, without new tiles",
            options: merge_options::OPTIONS,
            generator_options: merge_generator::OPTIONS,
        }
    }

    fn open(&self, options: &Options) -> Box<dyn PuzzleReader> {
        Box::new(case_reader::CaseReader::new(options))
    }

    fn answers(&self, _options: &Options) -> Box<dyn AnswerReader> {
        Box::new(merge_grade::Numbers)
    }

    fn generate(&self, options: &Options, count: u64, random: &mut Random, out: Out<'_>) -> io::Result<()> {
        merge_generator::generate(options, count, random, out)
    }
}
