//! What people are told about `jump-game`.

use super::{generate, options};
use crate::solver::{Example, SolverInfo};

/// The solver in words.
pub(super) const INFO: &SolverInfo = &SolverInfo {
    id: "jump-game",
    about: "who reaches the last square first in the jump game (jogo do pulo), and in which round",
    input_format: include_str!("input-format.txt"),
    output_format: include_str!("output-format.txt"),
    example: Example {
        input: include_str!("example.entrada.txt"),
        output: include_str!("example.saida.txt"),
    },
    options: options::OPTIONS,
    generator_options: generate::OPTIONS,
};
