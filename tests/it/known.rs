//! The names that messages list, as the registry has them.

use tabuleiro::solver::{SOLVERS, find};

/// The IDs of all solvers, in their order.
pub fn known_solvers() -> String {
    SOLVERS.iter().map(|solver| solver.id()).collect::<Vec<_>>().join(", ")
}

/// The solver's own options and those `common` ones, by name.
pub fn known_options(id: &str, common: &[&'static str]) -> String {
    let own = find(id).unwrap().options().iter().map(|option| option.name);
    let mut names: Vec<_> = own.chain(common.iter().copied()).collect();
    names.sort_unstable();
    names.join(", ")
}
