//! `2048-merge`: the fewest slides that merge all tiles of a board into one, without new tiles.
//!
//! The tiles alone decide much: every one must be s/2^k for the sum s of all ([`tally`]), and merging as if
//! position did not matter bounds the slides from below ([`position`]). What is left is a search over positions
//! ([`search`]): in passes that this bound limits (the default), plain breadth-first, or the published depth-first;
//! all three give the same numbers.

// The picture.
mod draw;
// Random cases.
mod generate;
// Answers of a submission.
mod grade;
// What can be wrong with a file.
mod mistake;
// The options, and the published limits.
mod options;
// Positions and the slides between them.
mod position;
// One case and its answer.
mod puzzle;
// The reading of a file.
mod read;
// The searches.
mod search;
// What the tiles decide wherever they stand.
mod tally;
// What a search is asked, and what it answers.
mod task;

use std::io;

use super::{AnswerReader, Example, Options, PuzzleReader, Random, Solver, SolverInfo};

/// The solver `2048-merge`.
#[derive(Debug, Clone, Copy)]
pub struct Merge2048;

impl Solver for Merge2048 {
    fn info(&self) -> &'static SolverInfo {
        &SolverInfo {
            id: "2048-merge",
            noun: "case",
            about: "the fewest slides that merge all tiles of a 2048 board into one, without new tiles",
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
        Box::new(read::CaseReader::new(options))
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
