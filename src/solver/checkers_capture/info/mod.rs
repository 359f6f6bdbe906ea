//! What people are told about `checkers-capture`.

use super::{generate, options};
use crate::solver::{Example, SolverInfo};

/// The solver in words.
pub(super) const INFO: &SolverInfo = &SolverInfo {
    id: "checkers-capture",
    about: "the most opponent pieces that one checkers piece can take in a single move (MegaDamas)",
    input_format: include_str!("input-format.txt"),
    output_format: include_str!("output-format.txt"),
    example: Example {
        input: include_str!("example.entrada.txt"),
        output: include_str!("example.saida.txt"),
    },
    options: options::OPTIONS,
    generator_options: generate::OPTIONS,
};
