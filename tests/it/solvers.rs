//! The registry with one more solver, to test the configuration: its options are of kinds that no other solver has.

use std::io;
use std::sync::LazyLock;

use tabuleiro_puzzles::input::Scanner;
use tabuleiro_puzzles::solver::{
    self, AnswerReader, Entry, Example, Options, PuzzleReader, Random, Solver, SolverInfo, Values,
};

/// All solvers, and one that solves nothing.
pub static SOLVERS: LazyLock<Vec<&'static dyn Solver>> = LazyLock::new(|| {
    let registered = solver::SOLVERS.iter().copied();
    registered.chain([&Kinds as &dyn Solver]).collect()
});

/// Returns the IDs of all solvers, in their order, as messages list them.
pub fn known_solvers() -> String {
    SOLVERS.iter().map(|solver| solver.id()).collect::<Vec<_>>().join(", ")
}

/// Returns the names of a solver's own options and of these `common` ones, as messages list them.
pub fn known_options(id: &str, common: &[&'static str]) -> String {
    let own = solver::find(id).unwrap().options().iter().map(|option| option.name);
    let mut names: Vec<_> = own.chain(common.iter().copied()).collect();
    names.sort_unstable();
    names.join(", ")
}

const INFO: SolverInfo = SolverInfo {
    id: "kinds",
    noun: "kind",
    about: "",
    input_format: "",
    output_format: "",
    example: Example { input: "", output: "" },
    is_recognised: false,
    options: &[
        Values::power_of_two(4..=1 << 63).option("goal", "2048", "").spec,
        Values::fraction().option("weight", "0.45", "").spec,
        Values::integer_or(&["auto"], 1..=u64::MAX).option("beam", "auto", "").spec,
    ],
    generator_options: &[],
};

struct Kinds;

impl Solver for Kinds {
    fn info(&self) -> &'static SolverInfo {
        &INFO
    }
    fn open(&self, _: &Options) -> Box<dyn PuzzleReader> {
        Box::new(NoPuzzles)
    }
    fn answers(&self, _: &Options) -> Box<dyn AnswerReader> {
        unreachable!("it is only described")
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
    fn fresh_reader(&self) -> Box<dyn PuzzleReader> {
        Box::new(NoPuzzles)
    }
}

/// Returns the value of an option as text.
pub fn text(options: &Options, name: &str) -> String {
    options.value(name).unwrap_or_else(|| panic!("no option {name}")).to_string()
}
