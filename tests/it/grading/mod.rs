//! Grading: what becomes of submissions that are right in many forms and wrong in many ways.

mod astar;
mod checkers;
pub mod class;
mod damage;
mod game;
mod jump_game;
mod merge_2048;

use std::sync::Arc;

use tabuleiro::job::grading::{AnswerKey, Grade};
use tabuleiro::job::{Pool, Progress, answer_all};
use tabuleiro::solver::{Cancel, Finding, Options, SOLVERS, Solver, find};

use crate::stated::{Sets, generated, golden, with};

/// A solver with its defaults and some options.
pub fn options(id: &str, sets: &[(&str, &str)]) -> (&'static dyn Solver, Options) {
    let solver = find(id).unwrap();
    let sets: Sets = sets.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    (solver, with(tabuleiro::solver::default_options(solver), &sets))
}

/// A reference with its answers.
pub fn key(solver: &'static dyn Solver, options: Options, reference: &[u8]) -> AnswerKey {
    let (name, progress) = ("entrada.txt".into(), Arc::<Progress>::default());
    let pool = Pool::new(1).unwrap();
    let solved = AnswerKey::solve(
        (name, Arc::new(reference.to_vec())),
        (solver, options),
        &pool,
        &Cancel::default(),
        &progress,
    );
    solved.unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(reference))).0
}

/// What becomes of each answer of a submission, and its grade.
pub fn grade(key: &AnswerKey, submission: &[u8]) -> (Vec<Finding>, Grade) {
    let mut findings = Vec::new();
    let grade = key.grade(submission, &Cancel::default(), |graded| {
        assert_eq!(graded.number, findings.len() as u64 + 1);
        findings.push(graded.finding.clone());
        Ok(())
    });
    (findings, grade.unwrap())
}

/// Verdict, reason and line of each answer: `accepted`, `wrong-answer value 3`, `missing`.
pub fn told(findings: &[Finding]) -> Vec<String> {
    let told = |finding: &Finding| {
        let place = finding.place.map(|place| place.line.to_string());
        let words = [Some(finding.mark.name().to_owned()), finding.mark.reason().map(str::to_owned), place];
        words.into_iter().flatten().collect::<Vec<_>>().join(" ")
    };
    findings.iter().map(told).collect()
}

/// What the program itself answers.
pub fn own_output(solver: &dyn Solver, options: &Options, reference: &[u8]) -> String {
    let outcomes = answer_all(solver, options, "entrada.txt", reference).unwrap();
    outcomes.iter().map(tabuleiro::solver::Outcome::to_text).collect()
}

/// Generated files of a solver with their options, and the same with witnesses.
pub fn references(id: &str, files: u64, puzzles: u64, sets: &[(&str, &str)]) -> Vec<(AnswerKey, String)> {
    let mut all = Vec::new();
    for seed in 0..files {
        let (solver, _) = options(id, &[]);
        let reference = generated(solver, puzzles, seed, &Sets::default());
        for witness in ["false", "true"] {
            let (solver, options) = options(id, &[&[("witness", witness)], sets].concat());
            let output = own_output(solver, &options, &reference);
            all.push((key(solver, options, &reference), output));
        }
    }
    all
}

#[test]
fn own_output_is_accepted_for_every_golden_case() {
    for solver in SOLVERS {
        for golden in golden(*solver) {
            let output = own_output(*solver, &golden.options, &golden.file);
            let name = golden.path.display();
            let mut results =
                vec![output.clone(), output.replace('\n', "\r\n"), format!("\u{feff}\n{output}\n\n")];
            results.push(output.trim_end().to_owned());
            // A file without any valid puzzle is no reference.
            if output.lines().all(|line| line.starts_with("invalid ")) {
                continue;
            }
            let key = key(*solver, golden.options, &golden.file);
            for output in results {
                let (findings, grade) = grade(&key, output.as_bytes());
                assert!(grade.is_accepted(), "{name}: {:?} of\n{output}", told(&findings));
                assert_eq!(grade.points, grade.total, "{name}");
                assert_eq!(grade.accepted + grade.not_graded, grade.puzzles, "{name}");
            }
        }
    }
}

/// Text of any kind is read in linear time: one that is not would take hours here.
#[test]
fn long_submissions_of_nothing_in_particular_end() {
    let references = [
        ("2048-astar", "4\n0 0 0 2\n0 0 0 0\n0 0 0 0\n0 0 0 0\n".repeat(3), ("goal", "8")),
        ("2048-game", "2 1\n0 0\n0 0\nAUTO\n2 1\n0 0\n0 0\n-\n".repeat(2), ("player", "random")),
    ];
    let pieces = [
        "x\n",
        "x y\n",
        "4\n",
        "4\n0 0 0 0\n",
        "0 0 0 0\n",
        "4\n0 0 0 2\n0 0 0 0\n0 0 0 0\n0 0 0 0\n",
        "4\n0 0 0 8\n0 0 0 0\nx\n",
        "+ 0 0 2\n",
        "D 0 0 2\n",
        "score 1\n",
        "score 1\nmoves 1\n",
        "0 2\n",
        "undecided\n",
        "Minimum\n",
        "\0",
        "2 ",
        ":",
    ];
    for (id, reference, set) in references {
        let (solver, options) = options(id, &[set]);
        let key = key(solver, options, reference.as_bytes());
        for piece in pieces {
            for first in ["", "4\n0 0 0 2\n", "score 1\n", "+ 0 0 2\n+ 1 1 2\n"] {
                let text = format!("{first}{}", piece.repeat(200_000 / piece.len()));
                let (findings, grade) = grade(&key, text.as_bytes());
                assert!(
                    findings.len() as u64 == key.puzzles() && !grade.is_accepted(),
                    "{id}: {first}{piece}"
                );
            }
        }
    }
}
