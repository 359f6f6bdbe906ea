//! Runs every solver under a budget that refuses one question. The answer must say what is proved and which limit ended
//! the search, all memory must be given back, and the solver must ask nothing after the refusal.
//!
//! A question is a check of the time limits or a charge of memory. A golden input asks from one to a few hundred
//! questions. For larger inputs the test refuses only a sample, spread over the search.

use rayon::prelude::*;
use tabuleiro_puzzles::solver::{Authority, Bounds, Budget, Outcome, Puzzle, SOLVERS, Solver, Stop, Verdict};

use crate::stated::{Golden, golden, puzzles};

/// Questions that all runs of one puzzle may ask together. If they would ask more, the test skips some refusals.
const QUESTIONS_MAX: u64 = 20_000;
/// The number of first questions that are always refused.
const ALWAYS: u64 = 60;

/// Returns the puzzles of every golden input, with the options that the input asks for and with proofs.
fn inputs(solver: &dyn Solver) -> Vec<(String, Vec<Box<dyn Puzzle>>)> {
    let with_proofs = |mut input: Golden| {
        input.options.set("witness", "true", Authority::Owner).unwrap();
        let name = input.path.file_name().unwrap().to_str().unwrap().to_owned();
        (name, puzzles(solver, &input.options, &input.file))
    };
    golden(solver).into_iter().map(with_proofs).collect()
}

/// Returns whether two sets of proved bounds can hold for the same answer.
fn agree(one: Bounds, other: Bounds) -> bool {
    let below = |a: Option<u64>, b: Option<u64>| a.zip(b).is_none_or(|(a, b)| a <= b);
    below(one.at_least, other.at_most) && below(other.at_least, one.at_most)
}

/// Solves with question `number` refused and returns what is wrong with the outcome.
fn refuse(puzzle: &dyn Puzzle, answer: &Outcome, number: u64, stop: Stop) -> Vec<String> {
    let budget = Budget::failing_at(number, stop);
    let found = puzzle.solve(&budget);
    let (mut faults, line) = (Vec::new(), found.headline.clone());
    let mut expect = |right: bool, what: String| {
        if !right {
            faults.push(what);
        }
    };
    let charged = u64::MAX - budget.memory_bytes_left();
    expect(charged == 0, format!("{charged} bytes are not given back"));
    // If threads help each other, a run can ask fewer questions than the run before.
    let more = budget.requests().saturating_sub(number);
    expect(more == 0, format!("{more} questions after the refusal"));
    match found.verdict {
        Verdict::Undecided { stop: named, .. } => {
            expect(named == stop, format!("{} is named", named.name()));
            expect(agree(found.bounds, answer.bounds), format!("{line}, but it is {}", answer.headline));
        }
        // Once the answer is known, the solver may skip the rest of the search.
        Verdict::Answered => {
            let is_whole = found.to_text() == answer.to_text();
            // Or the limit prevented only its proof.
            let is_bare = found.witness.is_null() && found.headline == answer.headline;
            expect(is_whole || is_bare, format!("{line}, but it is {}", answer.headline));
        }
        Verdict::Invalid(_) => expect(false, format!("invalid: {line}")),
    }
    faults
}

/// Refuses each question of a puzzle in a run of its own.
fn refuse_each(name: &str, puzzle: &dyn Puzzle, stop: Stop, faults: &mut Vec<String>) -> u64 {
    let free = Budget::failing_at(u64::MAX, stop);
    let answer = puzzle.solve(&free);
    let last = free.requests();
    let step = usize::try_from((last * last).div_ceil(2 * QUESTIONS_MAX)).unwrap().max(1);
    let numbers = (1..=last.min(ALWAYS)).chain((ALWAYS + 1..=last).step_by(step));
    let mut refused = 0;
    for number in numbers {
        refused += 1;
        let found = refuse(puzzle, &answer, number, stop);
        faults.extend(found.into_iter().map(|what| format!("{name}, question {number} of {last}: {what}")));
    }
    refused
}

/// Returns what is wrong with the solver's outcomes when questions are refused.
fn faults(solver: &dyn Solver) -> Vec<String> {
    let (id, mut faults) = (solver.id(), Vec::new());
    let (mut solved, mut refused) = (0, [0, 0]);
    for (name, puzzles) in inputs(solver) {
        for (index, puzzle) in puzzles.iter().enumerate() {
            solved += 1;
            for (stop, refused) in [Stop::JobTimeLimit, Stop::MemoryLimit].into_iter().zip(&mut refused) {
                let name = format!("{id}/{name}, puzzle {}, {}", index + 1, stop.name());
                let mut found = Vec::new();
                *refused += refuse_each(&name, puzzle.as_ref(), stop, &mut found);
                // The first few faults of a puzzle are enough.
                faults.extend(found.into_iter().take(3));
            }
        }
    }
    println!("{id}: {refused:?} questions of {solved} puzzles refused");
    if refused.iter().any(|&count| count < solved) {
        faults.push(format!(
            "{id}: {solved} puzzles asked {refused:?} questions: who asks nothing cannot be stopped"
        ));
    }
    faults
}

#[test]
fn every_question_may_be_refused() {
    let faults: Vec<_> = SOLVERS.par_iter().flat_map(|solver| faults(*solver)).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
