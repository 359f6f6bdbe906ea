//! `checkers-capture`: the most opponent pieces that one own piece can take in a single move.
//!
//! The puzzle is `MegaDamas` (Maratona de Programação 2006, problem E). A move is a longest trail in a planar graph.
//!
//! - [`read`]: parses boards; [`half_grids`] stores a small board as bits.
//! - [`puzzle`]: chooses the search and builds the outcome.
//! - [`small`]: answers boards of the published sizes, random ones in a fraction of a microsecond.
//! - [`exact`]: answers boards of any size.
//! - [`published`]: the two published programs.
//! - [`capture`]: what each search returns.
//! - [`grade`]: checks the answers of a submission; [`draw`] makes the picture; [`generate`] makes random boards.

mod capture;
mod draw;
mod exact;
mod generate;
mod grade;
mod half_grids;
mod options;
mod published;
mod puzzle;
mod read;
mod small;

use std::io;

use super::{AnswerReader, Example, Options, PuzzleReader, Random, Solver, SolverInfo};

/// The solver.
pub struct CheckersCapture;

impl Solver for CheckersCapture {
    fn info(&self) -> &'static SolverInfo {
        &SolverInfo {
            id: "checkers-capture",
            noun: "board",
            about: "the most opponent pieces that one checkers piece can take in a single move (MegaDamas)",
            input_format: include_str!("info/input-format.txt"),
            output_format: include_str!("info/output-format.txt"),
            example: Example {
                input: include_str!("info/example.entrada.txt"),
                output: include_str!("info/example.saida.txt"),
            },
            options: options::OPTIONS,
            generator_options: generate::OPTIONS,
        }
    }

    fn open(&self, options: &Options) -> Box<dyn PuzzleReader> {
        Box::new(read::Reader::new(options))
    }

    fn answers(&self, _options: &Options) -> Box<dyn AnswerReader> {
        Box::new(grade::Numbers)
    }

    fn generate(
        &self,
        options: &Options,
        count: u64,
        random: &mut Random,
        out: &mut dyn io::Write,
    ) -> io::Result<()> {
        generate::generate(options, count, random, out)
    }
}
