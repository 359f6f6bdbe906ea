//! What people are told about `2048-game`.

use super::{generate, options};
use crate::solver::{Example, SolverInfo};

/// The solver in words.
pub(super) const INFO: &SolverInfo = &SolverInfo {
    id: "2048-game",
    about: "replay a game of 2048 from its moves, or let the program play it",
    input_format: include_str!("input-format.txt"),
    output_format: include_str!("output-format.txt"),
    example: Example {
        input: include_str!("example.entrada.txt"),
        output: include_str!("example.saida.txt"),
    },
    options: options::OPTIONS,
    generator_options: generate::OPTIONS,
};
