//! `2048-merge`: the fewest slides that merge all tiles of a board into one, without new tiles.
//!
//! The tiles alone decide much: every one must be s/2^k for the sum s of all ([`case`]), and merging as if
//! position did not matter bounds the slides from below ([`bound`]). What is left is a search over
//! positions: in passes that this bound limits, on positions of a few words ([`shortest`], the default),
//! plain breadth-first, or the published depth-first; all three give the same numbers.

mod beam;
mod bound;
mod breadth_first;
mod case;
mod charged;
mod depth_first;
mod expand;
mod generate;
mod grid;
mod info;
mod layers;
mod meter;
mod options;
mod packed;
mod path;
mod position;
mod reader;
mod row_lines;
mod shortest;
mod shrinking;
mod states;
mod store;

use std::io;

use self::info::INFO;
use self::options::{ALGORITHM, Algorithm};
use super::{Options, PuzzleReader, Random, Solver, SolverInfo};

/// The published limit of N, squares on a side.
const N_MAX: u64 = 20;
/// The published limit of M, slides.
const M_MAX: u64 = 50;

/// The solver `2048-merge`.
#[derive(Debug, Clone, Copy)]
pub struct Merge2048;

impl Solver for Merge2048 {
    fn info(&self) -> &'static SolverInfo {
        INFO
    }

    fn open(&self, options: &Options) -> Box<dyn PuzzleReader> {
        Box::new(reader::CaseReader::new(options, options.get(ALGORITHM)))
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
