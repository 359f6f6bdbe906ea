//! What people are told about `2048-merge`.

use super::{generate, options};
use crate::solver::{Example, SolverInfo};

/// The solver in words.
pub(super) const INFO: &SolverInfo = &SolverInfo {
    id: "2048-merge",
    about: "the fewest slides that merge all tiles of a 2048 board into one, without new tiles",
    input_format: include_str!("input-format.txt"),
    output_format: include_str!("output-format.txt"),
    example: Example {
        input: include_str!("example.entrada.txt"),
        output: include_str!("example.saida.txt"),
    },
    options: options::OPTIONS,
    generator_options: generate::OPTIONS,
};
