//! Every solver under a budget that says no to one question, whichever: the answer says what is proved and which limit
//! ended it, the memory is given back, and nothing is asked after the no.
//!
//! A question is a look at the limits of time or a charge of memory. The golden inputs ask from once to some hundred
//! times; of larger ones only some questions are refused, spread over the search.

use std::sync::Arc;

use rayon::prelude::*;
use tabuleiro_puzzles::solver::{Authority, Bounds, Budget, Outcome, Puzzle, SOLVERS, Solver, Stop, Verdict};

use crate::stated::{Golden, golden, puzzles};

/// Questions that all runs of one puzzle together may ask; beyond that, some are not refused.
const QUESTIONS_MAX: u64 = 20_000;
/// The first ones are refused in any case.
const ALWAYS: u64 = 60;

/// Every golden input, under the options that it asks for and with proofs.
fn inputs(solver: &dyn Solver) -> Vec<(String, Vec<Arc<dyn Puzzle>>)> {
    let with_proofs = |mut input: Golden| {
        input.options.set("witness", "true", Authority::Owner).unwrap();
        let name = input.path.file_name().unwrap().to_str().unwrap().to_owned();
        (name, puzzles(solver, &input.options, &input.file))
    };
    golden(solver).into_iter().map(with_proofs).collect()
}

/// What is proved: an answer in numbers lies between its bounds.
fn agree(one: Bounds, other: Bounds) -> bool {
    let below = |a: Option<u64>, b: Option<u64>| a.zip(b).is_none_or(|(a, b)| a <= b);
    below(one.at_least, other.at_most) && below(other.at_least, one.at_most)
}

/// Solves with the question `number` refused, and says what is wrong with the outcome.
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
    // Where threads help each other, a run may ask less than the one before.
    let more = budget.questions().saturating_sub(number);
    expect(more == 0, format!("{more} questions after the refusal"));
    match found.verdict {
        Verdict::Undecided { stop: named, .. } => {
            expect(named == stop, format!("{} is named", named.name()));
            expect(agree(found.bounds, answer.bounds), format!("{line}, but it is {}", answer.headline));
        }
        // What is left of the search when the answer is known may be left undone.
        Verdict::Answered => {
            let is_whole = found.to_text() == answer.to_text();
            // Or only its proof could not be had within the limits.
            let is_bare = found.witness.is_null() && found.headline == answer.headline;
            expect(is_whole || is_bare, format!("{line}, but it is {}", answer.headline));
        }
        Verdict::Invalid(_) => expect(false, format!("invalid: {line}")),
    }
    faults
}

/// Refuses every question that a puzzle asks, one a run.
fn refuse_each(name: &str, puzzle: &dyn Puzzle, stop: Stop, faults: &mut Vec<String>) -> u64 {
    let free = Budget::failing_at(u64::MAX, stop);
    let answer = puzzle.solve(&free);
    let last = free.questions();
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

/// What is wrong with the solver's outcomes when a question is refused.
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
                // Of what a puzzle does wrong, the first few say enough.
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
