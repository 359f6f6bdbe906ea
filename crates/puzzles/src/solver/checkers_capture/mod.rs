//! `checkers-capture`: the most opponent pieces that one own piece can take in a single move.
//!
//! The puzzle is `MegaDamas` (Maratona de Programação 2006, problem E). A move is a longest trail in a planar graph.
//!
//! - [`read`]: from text to boards.
//! - [`small`]: boards of the published sizes, in a fraction of a microsecond where they are random.
//! - [`exact`]: boards of any size.
//! - [`published`]: the two published programs.
//! - [`puzzle`]: which of them answers, and how.
//! - [`capture`]: what each of them gives.
//! - [`grade`]: what becomes of somebody's answers.
//! - [`half_grids`]: a small board as bits.
//! - [`options`], [`generate`]: what can be set, and random boards.

// What a search gives.
mod capture;
// The default algorithm.
mod exact;
// The picture.
mod draw;
// Random boards, as the published `geracasos` made them.
mod generate;
// Answers of a submission.
mod grade;
// A small board as bits.
mod half_grids;
// The options of `checkers-capture`, and the limits that the problem states.
mod options;
// The two published programs, to compare with.
mod published;
// A valid board, and its outcome by the algorithm that was asked for.
mod puzzle;
// From text to boards.
mod read;
// The longest capture on a small board, by bits.
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
