//! Tests of jobs from outside: golden cases, grades, the diagnosis of a puzzle, and the suggestions for it.

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
