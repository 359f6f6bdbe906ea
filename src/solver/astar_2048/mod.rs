//! `2048-astar`: the swipes that reach a goal tile in the deterministic 2048.
//!
//! The rules are those of [`Board`](crate::board::swipe::Board). Every swipe adds 2 to the sum of
//! the tiles, so the search goes in layers of equal sums, and a lower bound follows from the sum alone. The
//! default algorithm sends beams through the layers until one meets the bound; the two published ones are
//! best-first searches.

/// What a search says about a board, and how that is written.
mod answer;
/// The boards that a search walks through.
mod boards;
/// Random boards.
mod generate;
mod meter;
/// One board to be solved.
mod puzzle;
pub mod puzzle_2048;
/// Reads boards.
mod reader;
/// The searches.
mod search;
/// The options.
mod settings;

use std::io;

use super::{Example, OptionSpec, Options, PuzzleReader, Random, Solver};
use settings::Settings;

/// The solver of `2048-astar`.
pub struct Astar2048;

impl Solver for Astar2048 {
    fn id(&self) -> &'static str {
        "2048-astar"
    }

    fn about(&self) -> &'static str {
        "the fewest swipes to a goal tile in a 2048 whose new tile is always a 2 in the right column"
    }

    fn input_format(&self) -> &'static str {
        "  n                      size of the board, from 2; a line of its own\n  \
           n lines of n values    0 is blank, a tile is a power of two from 2\n  \
         and so on, any number of boards. A swipe slides and merges the tiles; then a 2 appears in\n  \
         the uppermost blank square of the right column. A swipe that changes nothing or leaves no\n  \
         blank there is invalid."
    }

    fn output_format(&self) -> &'static str {
        "  Minimum number of moves: K               K is proved to be the fewest; or\n  \
           Number of moves: K (at least B)          fewer than B is proved impossible\n  \
           n and n rows, K + 1 times                every board from the first to the won one\n  \
         or one line:\n  \
           unsolvable                               no swipes win\n  \
           undecided (at least B moves)             a limit of time or memory ended the search\n  \
           invalid board: REASON at FILE:LINE:COLUMN\n  \
         The boards are always printed; with witness = true the JSON result holds the swipes besides,\n  \
         a letter each: E left, D right, C up, B down. Its answer is {\"moves\": K, \"minimum\": true or\n  \
         false}, or the words above."
    }

    fn example(&self) -> Example {
        Example {
            input: "4\n256 8 0 2\n256 8 16 2\n512 4 0 0\n1024 0 0 0\n",
            output: "Minimum number of moves: 3\n\
                     4\n256 8 0 2\n256 8 16 2\n512 4 0 0\n1024 0 0 0\n\
                     4\n512 16 16 4\n512 4 0 2\n1024 0 0 0\n0 0 0 0\n\
                     4\n1024 16 16 4\n1024 4 0 2\n0 0 0 2\n0 0 0 0\n\
                     4\n2048 16 16 4\n0 4 0 4\n0 0 0 2\n0 0 0 0\n",
        }
    }

    fn options(&self) -> &'static [OptionSpec] {
        settings::OPTIONS
    }

    fn generator_options(&self) -> &'static [OptionSpec] {
        generate::OPTIONS
    }

    fn open(&self, options: &Options) -> Box<dyn PuzzleReader> {
        Box::new(reader::Reader::new(Settings::new(options), options.size("memory_limit")))
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
