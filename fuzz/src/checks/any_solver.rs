//! Checks what holds for all solvers, for a solver without a check of its own.

use tabuleiro_puzzles::solver::{OptionSpec, Range, Solver};

use super::solving::Input;

/// Reads and solves a file with the defaults, or with one of the words of the options.
pub fn check(solver: &dyn Solver, data: &[u8]) {
    let mut choices = vec![Vec::new()];
    for option in solver.options() {
        choices.extend(words(option).iter().map(|word| vec![(option.name, *word)]));
    }
    let Some(input) = Input::new(solver.id(), &choices, data) else { return };
    input.check(&[], |_, _| ());
}

/// Returns the values of an option that has few.
pub fn words(option: &OptionSpec) -> &'static [&'static str] {
    match option.kind.range {
        Range::Flag => &["true", "false"],
        _ => option.kind.words,
    }
}
