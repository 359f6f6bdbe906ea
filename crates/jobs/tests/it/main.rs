//! Jobs, seen from outside: golden cases, grades, the search for what is wrong with a puzzle, and what is suggested for it.

mod golden;
mod grading;
#[allow(dead_code, reason = "each program uses its part")]
#[path = "../../../puzzles/tests/it/jump_game/oracle.rs"]
mod jump_oracle;
#[path = "../../../../tests/laid_out.rs"]
mod laid_out;
#[allow(dead_code, reason = "each program uses its part")]
#[path = "../../../puzzles/tests/it/merge_2048/cases.rs"]
mod merge_cases;
mod row_shapes;
#[allow(dead_code, reason = "each program uses its part")]
#[path = "../../../../tests/stated.rs"]
mod stated;
mod suggestions;
