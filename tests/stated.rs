//! Golden cases, and `stated.toml` beside them: the facts about one solver that tests and benchmarks of all solvers use.
//! A solver without that file is only checked for what must hold for every solver.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use tabuleiro_puzzles::input::Scanner;
use tabuleiro_puzzles::solver::{Authority, Options, Puzzle, Random, Solver, Work, default_options};

/// Options as the command line takes them: `--set KEY=VALUE`.
pub type Sets = BTreeMap<String, String>;

/// The content of `stated.toml`; every part is optional.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Stated {
    /// The first hexadecimal digits of the SHA-256 of what `tabuleiro generate ID 25 --seed 7` writes.
    pub generated: Option<String>,
    /// Beginnings of lines that an example on the solver's page must show, besides those that every page shows.
    pub page_shows: Vec<String>,
    /// How often solving allocates memory.
    pub allocations: Vec<Allocations>,
    /// Puzzles that take long or need much memory.
    pub large: Vec<Large>,
    /// What the benchmarks time.
    pub bench: Vec<Bench>,
}

/// A generated file, and how many allocations answering it takes.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Allocations {
    pub puzzles: u64,
    /// Options of the generator.
    #[serde(default)]
    pub generate: Sets,
    /// Options of the solver.
    #[serde(default)]
    pub solve: Sets,
    /// Measured allocations per puzzle, reallocations included. Lower it with every change that saves some.
    pub per_puzzle: f64,
}

/// A large puzzle, given as text or generated, and what solving it asks of its budget.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Large {
    /// Options of the solver.
    pub solve: Sets,
    /// The file; `N*[…]` repeats what stands between the brackets N times.
    pub text: Option<String>,
    /// Without a text: options of the generator.
    pub generate: Sets,
    /// How often, at least, it asks its budget whether to go on.
    pub asks_min: u64,
    /// How many MiB, at least, it charges at its peak.
    pub charges_mib_min: u64,
}

/// A generated file to which several algorithms give the same answers.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bench {
    pub puzzles: u64,
    /// Options of the generator.
    #[serde(default)]
    pub generate: Sets,
    /// Options of the solver, one set for each algorithm to be timed.
    pub solve: Vec<Sets>,
}

/// Returns the folder of the workspace, whichever of its crates includes this file.
pub fn workspace() -> &'static Path {
    let mut folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    folders.find(|folder| folder.join("tests/cases").is_dir()).expect("a workspace with tests/cases")
}

/// Returns the folder of a solver's golden cases.
pub fn folder(solver: &dyn Solver) -> PathBuf {
    workspace().join("tests/cases").join(solver.id())
}

/// Reads a solver's `stated.toml`; without that file nothing is stated.
pub fn stated(solver: &dyn Solver) -> Stated {
    let path = folder(solver).join("stated.toml");
    if !path.exists() {
        return Stated::default();
    }
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns `options` with `sets` set as well.
pub fn with(mut options: Options, sets: &Sets) -> Options {
    for (key, value) in sets {
        options.set(key, value, Authority::Owner).unwrap_or_else(|error| panic!("{key} = {value}: {error}"));
    }
    options
}

/// Returns the file that `tabuleiro generate ID COUNT --seed SEED --set …` writes.
pub fn generated(solver: &dyn Solver, count: u64, seed: u64, sets: &Sets) -> Vec<u8> {
    let options = with(Options::defaults(&[solver.generator_options()]), sets);
    let mut file = Vec::new();
    solver.generate(&options, count, &mut Random::new(seed), &mut file).expect("memory takes it all");
    file
}

/// Returns the valid puzzles of a file.
pub fn puzzles(solver: &dyn Solver, options: &Options, file: &[u8]) -> Vec<Box<dyn Puzzle>> {
    let mut scanner = Scanner::new(file, "t").expect("memory can be read");
    let mut reader = solver.open(options);
    let mut puzzles = Vec::new();
    while let Some(entry) = reader.read(&mut scanner).expect("memory can be read") {
        if let Work::Solve(puzzle) = entry.work {
            puzzles.push(puzzle);
        }
    }
    puzzles
}

/// A golden input, with the options that its lines `# set: KEY=VALUE` ask for.
pub struct Golden {
    pub path: PathBuf,
    pub options: Options,
    pub file: Vec<u8>,
}

/// Reads all golden inputs of a solver, sorted by name.
pub fn golden(solver: &dyn Solver) -> Vec<Golden> {
    let folder = folder(solver);
    if !folder.exists() {
        let file = solver.info().example.input.as_bytes().to_vec();
        return vec![Golden { path: folder, options: default_options(solver), file }];
    }
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("a name").path()).collect();
    paths.retain(|path| path.to_str().is_some_and(|path| path.ends_with(".entrada.txt")));
    paths.sort();
    let read = |path: PathBuf| {
        let file = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        Golden { options: asked_for(solver, &file), path, file }
    };
    paths.into_iter().map(read).collect()
}

/// Returns the default options, changed by the lines `# set: KEY=VALUE` of an input.
pub fn asked_for(solver: &dyn Solver, file: &[u8]) -> Options {
    let text = String::from_utf8_lossy(file);
    let pairs = text.lines().filter_map(|line| line.strip_prefix("# set: ")?.split_once('='));
    let sets = pairs.map(|(key, value)| (key.to_owned(), value.to_owned())).collect();
    with(default_options(solver), &sets)
}

impl Large {
    pub fn puzzle(&self, solver: &dyn Solver) -> Box<dyn Puzzle> {
        let file = match &self.text {
            Some(text) => repeated(text).into_bytes(),
            None => generated(solver, 1, 1, &self.generate),
        };
        let found = puzzles(solver, &with(default_options(solver), &self.solve), &file);
        found.into_iter().next().unwrap_or_else(|| panic!("{} {}: no valid puzzle", solver.id(), self.name()))
    }

    /// Returns a name that no other large puzzle has.
    pub fn name(&self) -> String {
        let text = self.text.iter().flat_map(|text| text.lines()).next().unwrap_or("generated");
        format!("{:?} {text} {:?}", self.solve, self.generate)
    }
}

/// Writes out every `N*[…]`.
fn repeated(text: &str) -> String {
    let Some(open) = text.find("*[") else { return text.to_owned() };
    let digits = text[..open].bytes().rev().take_while(u8::is_ascii_digit).count();
    let (before, number) = text[..open].split_at(open - digits);
    let rest = &text[open + 2..];
    let mut depth = 1;
    let close = rest.find(|letter| {
        depth += i32::from(letter == '[') - i32::from(letter == ']');
        depth == 0
    });
    let close = close.expect("a bracket for each");
    let inner = repeated(&rest[..close]).repeat(number.parse().expect("a number before '*['"));
    before.to_owned() + &inner + &repeated(&rest[close + 1..])
}
