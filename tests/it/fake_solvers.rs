//! Five solvers that solve nothing, with the IDs and options that the configuration needs to be tested.

use std::io;

use tabuleiro::input::Scanner;
use tabuleiro::solver::{
    DirectiveRule, Entry, Example, Kind, OptionSpec, Options, PuzzleReader, Random, Solver, SolverInfo,
};

/// The table in place of the real one.
pub const SOLVERS: &[&dyn Solver] = &[
    &Fake(&info("checkers-capture", CHECKERS)),
    &Fake(&info("2048-merge", &[])),
    &Fake(&info("2048-astar", ASTAR)),
    &Fake(&info("2048-game", &[])),
    &Fake(&info("jump-game", JUMP)),
];

const fn option(name: &'static str, kind: Kind, default: &'static str) -> OptionSpec {
    OptionSpec { name, kind, default, help: "", directive: DirectiveRule::Free }
}

const CHECKERS: &[OptionSpec] = &[OptionSpec {
    name: "limits",
    kind: Kind::Choice(&["published", "none"]),
    default: "published",
    help: "",
    directive: DirectiveRule::LowerOnly,
}];

const ASTAR: &[OptionSpec] = &[
    option("goal", Kind::PowerOfTwo { min: 4, max: 1 << 63 }, "2048"),
    option("weight", Kind::Fraction { min: 0.0, max: 1.0 }, "0.45"),
    option("beam", Kind::WordOrInteger { word: "auto", min: 1, max: u64::MAX }, "auto"),
];

const JUMP: &[OptionSpec] = &[
    option("movement", Kind::Choice(&["walk", "straight"]), "walk"),
    option("tie", Kind::Choice(&["previous-round", "first-round"]), "previous-round"),
];

struct Fake(&'static SolverInfo);

const fn info(id: &'static str, options: &'static [OptionSpec]) -> SolverInfo {
    let example = Example { input: "", output: "" };
    let (about, input_format, output_format, generator_options) = ("", "", "", &[]);
    SolverInfo { id, about, input_format, output_format, example, options, generator_options }
}

impl Solver for Fake {
    fn info(&self) -> &'static SolverInfo {
        self.0
    }
    fn open(&self, _: &Options) -> Box<dyn PuzzleReader> {
        Box::new(NoPuzzles)
    }
    fn generate(&self, _: &Options, _: u64, _: &mut Random, _: &mut dyn io::Write) -> io::Result<()> {
        Ok(())
    }
}

struct NoPuzzles;

impl PuzzleReader for NoPuzzles {
    fn read(&mut self, _: &mut Scanner<'_>) -> io::Result<Option<Entry>> {
        Ok(None)
    }
}
