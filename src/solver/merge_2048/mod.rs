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
mod layers;
mod meter;
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

use super::{DirectiveRule, Example, Kind, OptionSpec, Options, PuzzleReader, Random, Solver};

/// The published limit of N, squares on a side.
const N_MAX: u64 = 20;
/// The published limit of M, slides.
const M_MAX: u64 = 50;

/// The solver `2048-merge`.
#[derive(Debug, Clone, Copy)]
pub struct Merge2048;

/// Which search answers a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Algorithm {
    Shortest,
    DepthFirst,
    BreadthFirst,
}

impl Algorithm {
    /// The words of the option, the default first.
    const WORDS: &[&str] = &["shortest", "depth-first", "breadth-first"];

    fn from_options(options: &Options) -> Self {
        match options.choice("algorithm") {
            "depth-first" => Self::DepthFirst,
            "breadth-first" => Self::BreadthFirst,
            _ => Self::Shortest,
        }
    }
}

impl Solver for Merge2048 {
    fn id(&self) -> &'static str {
        "2048-merge"
    }

    fn about(&self) -> &'static str {
        "the fewest slides that merge all tiles of a 2048 board into one, without new tiles"
    }

    fn input_format(&self) -> &'static str {
        "  T              number of cases\n\
         \x20 N M            board of N x N squares (1 to 20), at most M slides (1 to 50)\n\
         \x20 N rows of N    values of the squares; 0 is empty, any other number is a tile\n\
         \x20 ...            T cases, each with its N M\n"
    }

    fn output_format(&self) -> &'static str {
        "  A line for each case:\n\
         \x20   K              K slides are the fewest that leave one tile (0 when there is one, or none)\n\
         \x20   K D C E ...    with witness = true: and these are the slides;\n\
         \x20                  E is left (esquerda), D right (direita), C up (cima), B down (baixo)\n\
         \x20   no solution    M slides do not suffice\n\
         \x20   undecided (at least A, at most B)    a limit ended the search; without B none is known yet\n\
         \x20   invalid case: found ..., expected ... at FILE:LINE:COLUMN\n"
    }

    fn example(&self) -> Example {
        Example {
            input: "2\n3 5\n2 0 2\n4 0 8\n0 0 0\n3 4\n4 2 4\n4 2 4\n4 4 4\n",
            output: "3\nno solution\n",
        }
    }

    fn options(&self) -> &'static [OptionSpec] {
        OPTIONS
    }

    fn generator_options(&self) -> &'static [OptionSpec] {
        generate::OPTIONS
    }

    fn open(&self, options: &Options) -> Box<dyn PuzzleReader> {
        Box::new(reader::CaseReader::new(options, Algorithm::from_options(options)))
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

const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "algorithm",
        kind: Kind::Choice(Algorithm::WORDS),
        default: "shortest",
        help: "shortest: within rising limits, by a lower bound; depth-first: the published search, its pruning \
               put right; breadth-first: plain, symmetric positions taken as one",
        directive: DirectiveRule::Free,
    },
    OptionSpec {
        name: "limits",
        kind: Kind::Choice(&["published", "none"]),
        default: "published",
        help: "published: N up to 20 and M up to 50; none: as large as numbers go",
        directive: DirectiveRule::LowerOnly,
    },
];
