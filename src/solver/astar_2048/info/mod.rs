//! What people are told about `2048-astar`.

use super::{generate, options};
use crate::solver::{Example, SolverInfo};

/// The solver in words.
pub(super) const INFO: &SolverInfo = &SolverInfo {
    id: "2048-astar",
    about: "the fewest swipes to a goal tile in a 2048 whose new tile is always a 2 in the right column",
    input_format: include_str!("input-format.txt"),
    output_format: include_str!("output-format.txt"),
    example: Example {
        input: include_str!("example.entrada.txt"),
        output: include_str!("example.saida.txt"),
    },
    options: options::OPTIONS,
    generator_options: generate::OPTIONS,
};
