//! Every solver under a budget that says no to one question, whichever: the answer says what is proved and which limit
//! ended it, the memory is given back, and nothing is asked after the no.
//!
//! A question is a look at the limits of time or a charge of memory. The golden inputs ask from once to some hundred
//! times; of larger ones only some questions are refused, spread over the search.

use std::fs;
use std::path::Path;

use tabuleiro::input::Scanner;
use tabuleiro::solver::{
    self, Authority, Bounds, Budget, Options, Outcome, Puzzle, Stop, Verdict, Work, default_options,
};

/// Questions that all runs of one puzzle together may ask; beyond that, some are not refused.
const QUESTIONS_MAX: u64 = 20_000;
/// The first ones are refused in any case.
const ALWAYS: u64 = 60;

/// What a puzzle did wrong when the question `number` was refused.
struct Fault {
    puzzle: String,
    number: u64,
    what: String,
}

/// The valid puzzles of a file.
fn puzzles(id: &str, options: &Options, text: &[u8]) -> Vec<Box<dyn Puzzle>> {
    let mut scanner = Scanner::new(text, "t").unwrap();
    let mut reader = solver::find(id).unwrap().open(options);
    let mut puzzles = Vec::new();
    while let Some(entry) = reader.read(&mut scanner).unwrap() {
        if let Work::Solve(puzzle) = entry.work {
            puzzles.push(puzzle);
        }
    }
    puzzles
}

/// Every golden input, under the options that it asks for and with proofs.
fn golden(id: &str) -> Vec<(String, Vec<Box<dyn Puzzle>>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(id);
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if !name.ends_with(".entrada.txt") {
            continue;
        }
        let text = fs::read(&path).unwrap();
        let mut options = default_options(solver::find(id).unwrap());
        for line in String::from_utf8_lossy(&text).lines() {
            if let Some((key, value)) = line.strip_prefix("# set: ").and_then(|set| set.split_once('=')) {
                options.set(key, value, Authority::Owner).unwrap();
            }
        }
        options.set("witness", "true", Authority::Owner).unwrap();
        found.push((name, puzzles(id, &options, &text)));
    }
    found
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
    let more = budget.questions() - number;
    expect(more == 0, format!("{more} questions after the refusal"));
    match found.verdict {
        Verdict::Undecided(named) => {
            expect(named == stop, format!("{} is named", named.name()));
            expect(agree(found.bounds, answer.bounds), format!("{line}, but it is {}", answer.headline));
        }
        // What is left of the search when the answer is known may be left undone.
        Verdict::Answered => {
            expect(found.to_text() == answer.to_text(), format!("{line}, but it is {}", answer.headline));
        }
        Verdict::Invalid(_) => expect(false, format!("invalid: {line}")),
    }
    faults
}

/// Refuses every question that a puzzle asks, one a run.
fn refuse_each(name: &str, puzzle: &dyn Puzzle, stop: Stop, faults: &mut Vec<Fault>) -> u64 {
    let free = Budget::failing_at(u64::MAX, stop);
    let answer = puzzle.solve(&free);
    let last = free.questions();
    let step = usize::try_from((last * last).div_ceil(2 * QUESTIONS_MAX)).unwrap().max(1);
    let numbers = (1..=last.min(ALWAYS)).chain((ALWAYS + 1..=last).step_by(step));
    let mut refused = 0;
    for number in numbers {
        refused += 1;
        let found = refuse(puzzle, &answer, number, stop);
        faults.extend(found.into_iter().map(|what| Fault { puzzle: name.to_owned(), number, what }));
    }
    refused
}

fn every_question_may_be_refused(id: &str) {
    let (mut faults, mut refused) = (Vec::new(), [0, 0]);
    for (name, puzzles) in golden(id) {
        for (index, puzzle) in puzzles.iter().enumerate() {
            for (stop, refused) in [Stop::JobTimeLimit, Stop::MemoryLimit].into_iter().zip(&mut refused) {
                let name = format!("{name}, puzzle {}, {}", index + 1, stop.name());
                *refused += refuse_each(&name, puzzle.as_ref(), stop, &mut faults);
            }
        }
    }
    println!("{id}: {refused:?} questions refused");
    assert!(refused.iter().all(|&count| count > 20), "{id}: {refused:?} questions were refused");
    let lines =
        faults.iter().map(|fault| format!("{}, question {}: {}\n", fault.puzzle, fault.number, fault.what));
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), lines.take(40).collect::<String>());
}

#[test]
fn checkers_capture() {
    every_question_may_be_refused("checkers-capture");
}

#[test]
fn merge_2048() {
    every_question_may_be_refused("2048-merge");
}

#[test]
fn astar_2048() {
    every_question_may_be_refused("2048-astar");
}

#[test]
fn game_2048() {
    every_question_may_be_refused("2048-game");
}

#[test]
fn jump_game() {
    every_question_may_be_refused("jump-game");
}

#[test]
fn every_solver_has_a_test_here() {
    let here = ["checkers-capture", "2048-merge", "2048-astar", "2048-game", "jump-game"];
    assert_eq!(here.to_vec(), solver::SOLVERS.iter().map(|solver| solver.id()).collect::<Vec<_>>());
}
