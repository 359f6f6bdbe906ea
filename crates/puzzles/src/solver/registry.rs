//! Functions that work with any solver of the table.

use std::sync::Arc;

use super::{Authority, COMMON, GRADING, Hint, OptionError, Options, Puzzle, SOLVERS, Solver, Work, meant};
use crate::input::{Scanner, Spot, printable, unaccented};
use crate::words::{Phrase, messages};

/// Returns the solver with this ID.
pub fn find(id: &str) -> Option<&'static dyn Solver> {
    SOLVERS.iter().copied().find(|solver| solver.id() == id)
}

messages! {
    "solver"
    /// What is wrong with the name of a solver.
    enum Misnomer {
        Unknown = "unknown" { id: String, hint: Option<Hint>, known: String },
    }
}

/// Everyday names of the puzzles, without accents.
const EVERYDAY_NAMES: &[(&str, &[&str])] = &[
    ("checkers-capture", &["damas", "dama", "megadamas", "draughts", "captura"]),
    ("2048-merge", &["juntar", "fusao", "clean-up", "limpeza"]),
    ("2048-astar", &["a*", "a-star", "a-estrela", "busca"]),
    ("2048-game", &["jogo-2048", "jogo2048"]),
    ("jump-game", &["pulo", "jogo-do-pulo", "jogo-pulo", "saltos"]),
];

/// Returns the ID of the solver for a puzzle with this everyday name.
pub fn everyday_name(name: &str) -> Option<&'static str> {
    let name = unaccented(name).replace([' ', '_'], "-");
    EVERYDAY_NAMES.iter().find(|(_, names)| names.contains(&&*name)).map(|(id, _)| *id)
}

/// Returns the one of `solvers` with this ID, or a message that lists their IDs.
///
/// # Errors
/// Fails if no solver has this ID.
pub fn find_among(solvers: &[&'static dyn Solver], id: &str) -> Result<&'static dyn Solver, Phrase> {
    solvers.iter().copied().find(|solver| solver.id() == id).ok_or_else(|| {
        let known: Vec<_> = solvers.iter().map(|solver| solver.id()).collect();
        let everyday = everyday_name(id).filter(|id| known.contains(id));
        let hint = everyday.map(|id| Hint::Meant { word: id.to_owned() }).or_else(|| {
            let begun: Vec<_> = known.iter().filter(|name| is_beginning(id, name)).copied().collect();
            // The message quotes the words.
            let words = || Some(Hint::Meant { word: begun.join("', '") });
            if begun.len() > 1 { words() } else { meant(id, &known) }
        });
        let id = printable(id.as_bytes(), 40);
        Misnomer::Unknown { id, hint, known: known.join(", ") }.into()
    })
}

/// Returns whether a word is the first part of an ID: `2048` is the first part of `2048-game`.
fn is_beginning(word: &str, id: &str) -> bool {
    id.strip_prefix(word).is_some_and(|rest| rest.starts_with('-'))
}

/// Returns the defaults of a solver's options, including the common ones and those of grading.
pub fn default_options(solver: &dyn Solver) -> Options {
    Options::defaults(&[COMMON, GRADING, solver.options()])
}

/// Returns the defaults of a solver's options, changed by these [`chosen`](Options::chosen) values.
///
/// # Errors
/// Fails if the solver has no such option, or the option does not accept the value.
pub fn options_from(solver: &dyn Solver, chosen: &[(String, String)]) -> Result<Options, OptionError> {
    let mut options = default_options(solver);
    chosen.iter().try_for_each(|(name, value)| options.set(name, value, Authority::Owner))?;
    Ok(options)
}

/// Parses the puzzle that displays itself as `text`, which began on line `first_line` of `file`. Returns `None` if
/// `text` is not exactly the text of one valid puzzle.
pub fn read_displayed(
    solver: &dyn Solver,
    options: &Options,
    text: &str,
    file: &Arc<str>,
    first_line: u64,
) -> Option<Box<dyn Puzzle>> {
    let mut input = Scanner::resume(text.as_bytes(), Arc::clone(file), Spot::start_at(first_line)?);
    let entry = solver.open(options).read(&mut input).ok()??;
    let Work::Solve(puzzle) = entry.work else { return None };
    // The two texts differ if something follows the puzzle, or if the reader skipped or reinterpreted something.
    (puzzle.to_string() == text).then_some(puzzle)
}
