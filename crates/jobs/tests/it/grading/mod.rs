//! Tests of grading: submissions that are right in many forms and wrong in many ways.

mod astar;
mod checkers;
mod damage;
mod game;
mod jump_game;
mod merge_2048;
mod pages;

use std::sync::Arc;

use tabuleiro_jobs::grading::{AnswerKey, Grade, Points, check_puzzles};
use tabuleiro_jobs::{Job, Pool, answer_all};
use tabuleiro_puzzles::solver::{Cancel, Finding, Options, SOLVERS, Solver, find};

use crate::stated::{Sets, generated, golden, with};

/// Returns a solver with its defaults and some options.
pub fn options(id: &str, sets: &[(&str, &str)]) -> (&'static dyn Solver, Options) {
    let solver = find(id).unwrap();
    let sets: Sets = sets.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    (solver, with(tabuleiro_puzzles::solver::default_options(solver), &sets))
}

/// Solves a reference.
#[allow(clippy::needless_pass_by_value, reason = "tests make options for this alone")]
pub fn key(solver: &'static dyn Solver, options: Options, reference: &[u8]) -> AnswerKey {
    let (pool, cancel, progress) = (Pool::new(1).unwrap(), Cancel::default(), Arc::default());
    let job = Job { solver, options: &options, pool: &pool, cancel: &cancel, progress: &progress };
    let solved = AnswerKey::solve("entrada.txt".into(), Arc::new(reference.to_vec()), &job);
    solved.unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(reference))).0
}

/// Returns the finding for each answer of a submission, and its grade.
pub fn grade(key: &AnswerKey, submission: &[u8]) -> (Vec<Finding>, Grade) {
    let mut findings = Vec::new();
    let grade = key.grade(submission, &Cancel::default(), |graded| {
        assert_eq!(graded.number, findings.len() as u64 + 1);
        findings.push(graded.finding.clone());
        Ok(())
    });
    (findings, grade.unwrap())
}

/// Returns verdict, reason and line of each answer: `accepted`, `wrong-answer value 3`, `missing`.
pub fn told(findings: &[Finding]) -> Vec<String> {
    let told = |finding: &Finding| {
        let place = finding.place.map(|place| place.line.to_string());
        let words = [Some(finding.mark.name().to_owned()), finding.mark.reason().map(str::to_owned), place];
        words.into_iter().flatten().collect::<Vec<_>>().join(" ")
    };
    findings.iter().map(told).collect()
}

/// Returns what the program itself answers.
pub fn own_output(solver: &'static dyn Solver, options: &Options, reference: &[u8]) -> String {
    let outcomes = answer_all(solver, options, "entrada.txt", reference).unwrap();
    outcomes.iter().map(tabuleiro_puzzles::solver::Outcome::to_text).collect()
}

/// Returns keys of generated files with the program's output, with and without witnesses.
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
    let mut references = 0;
    for solver in SOLVERS {
        for golden in golden(*solver) {
            let mut options = golden.options.clone();
            // The answer of a game that the program played needs the whole transcript.
            if solver.id() == "2048-game" {
                options = with(options, &[("transcript".to_owned(), "true".to_owned())].into());
            }
            let output = own_output(*solver, &options, &golden.file);
            if solver.id() == "2048-game" && output.contains("undecided (") {
                continue;
            }
            let name = golden.path.display();
            let mut results =
                vec![output.clone(), output.replace('\n', "\r\n"), format!("\u{feff}\n{output}\n\n")];
            results.push(output.trim_end().to_owned());
            // A file is no reference if it has an invalid puzzle, no puzzle, or lines after its end marker.
            if check_puzzles(&"entrada.txt".into(), &golden.file, *solver, &golden.options).is_err() {
                continue;
            }
            references += 1;
            let key = key(*solver, golden.options, &golden.file);
            for output in results {
                let (findings, grade) = grade(&key, output.as_bytes());
                assert!(
                    grade.is_accepted() || grade.is_ungraded(),
                    "{name}: {:?} of\n{output}",
                    told(&findings)
                );
                assert_eq!(grade.points, grade.total, "{name}");
                assert_eq!(grade.accepted + grade.not_graded, grade.puzzles, "{name}");
            }
        }
    }
    assert!(references >= 80, "only {references} references");
}

/// Guessed numbers earn nothing, and the report does not say which of them are right.
#[test]
fn where_the_witness_is_required_an_answer_counts_only_with_it() {
    let game = "1 9\n3\n4 1 3 2 2 1 2 1 0\n0 0\n0 1\n0 2\n";
    for (id, reference, without, wrong) in [
        ("checkers-capture", "3 3\n2 1 2 0 1\n0 0\n", "1\n", "2\n"),
        ("2048-merge", "1\n3 5\n2 0 2\n4 0 8\n0 0 0\n", "3\n", "4\n"),
        ("2048-astar", "#: goal = 8\n2\n4 0\n0 4\n", "Minimum number of moves: 2\n", "1\n"),
        ("2048-game", "2 1\n2 0\n0 2\nDC\n", "", "score 0\n"),
        ("jump-game", game, "C 3\n", "B\n2\n"),
    ] {
        let (solver, plain) = options(id, &[("witness", "false")]);
        let (_, proved) = options(id, &[("witness", "required")]);
        let own = own_output(solver, &proved, reference.as_bytes());
        assert_eq!(own, own_output(solver, &options(id, &[("witness", "true")]).1, reference.as_bytes()));
        let key = key(solver, proved, reference.as_bytes());
        let (findings, full) = grade(&key, own.as_bytes());
        assert!(
            full.is_accepted() && full.points > Points::default(),
            "{id}: {:?} of\n{own}",
            told(&findings)
        );
        let numbers = own_output(solver, &plain, reference.as_bytes());
        let without = if without.is_empty() { &numbers } else { without };
        for text in [without, wrong] {
            let (findings, graded) = grade(&key, text.as_bytes());
            assert_eq!(told(&findings), ["wrong-answer no-witness 1"], "{id}: {text}");
            assert_eq!(graded.points, Points::default());
        }
    }
    // If there is nothing to show, no witness is required.
    for (id, reference, answer) in [
        ("checkers-capture", "3 3\n2 0 0 0 1\n0 0\n", "0\n"),
        ("2048-merge", "1\n2 9\n3 5\n0 0\n", "no solution\n"),
        ("jump-game", "1 2\n1\n0 0\n0 0\n", "SEM VENCEDORES\n"),
    ] {
        let (solver, options) = options(id, &[("witness", "required")]);
        let (findings, grade) = grade(&key(solver, options, reference.as_bytes()), answer.as_bytes());
        assert!(grade.is_accepted(), "{id}: {:?}", told(&findings));
    }
    for id in ["checkers-capture", "2048-merge", "2048-astar", "jump-game"] {
        for (key, output) in references(id, 2, 12, &[("witness", "required")]) {
            let (findings, grade) = grade(&key, output.as_bytes());
            assert!(grade.is_accepted(), "{id}: {:?} of\n{output}", told(&findings));
        }
    }
}

/// Any text is read in linear time; a slower reader would take hours here.
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
    for ((id, reference, set), words) in
        references.iter().flat_map(|reference| ["strict", "skip"].map(|words| (reference, words)))
    {
        let (solver, options) = options(id, &[*set, ("words", words)]);
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
