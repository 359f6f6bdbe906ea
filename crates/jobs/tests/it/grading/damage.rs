//! Helpers for the tests of single solvers: damage to output, words with their places, findings as text.

use tabuleiro_jobs::grading::AnswerKey;
use tabuleiro_puzzles::input::Scanner;
use tabuleiro_puzzles::solver::{
    Answer, Budget, Finding, Known, Mark, Options, Random, Solver, Submission, Words, Work,
};
use tabuleiro_puzzles::words::Language;

use super::{grade, key, own_output};
use crate::stated::{golden, with};

/// Returns mark, place and remark of a finding, as far as it has them: `not-minimal 2:1 found 5, which is …`.
pub fn in_words(finding: &Finding) -> String {
    let mark = finding.mark.reason().unwrap_or(finding.mark.name());
    let place = finding.place.map(|place| format!(" {place}")).unwrap_or_default();
    let remark = finding.remark.as_ref().map(|remark| format!(" {}", remark.say(Language::English)));
    format!("{mark}{place}{}", remark.unwrap_or_default())
}

/// Returns the findings on a submission as text. Each finding of a mistake must state what was expected.
pub fn all_told(key: &AnswerKey, submission: &str) -> Vec<String> {
    let (findings, grade) = grade(key, submission.as_bytes());
    for finding in &findings {
        let is_told = matches!(finding.mark, Mark::Accepted | Mark::NotGraded);
        assert_eq!(finding.expected.is_none(), is_told, "{finding:?}");
    }
    let extra = (grade.extra > 0).then(|| format!("{} more", grade.extra));
    findings.iter().map(in_words).chain(extra).collect()
}

/// Grades the first answer as one to the first puzzle, given what is known of the puzzle.
pub fn told_by(
    solver: &'static dyn Solver,
    options: &Options,
    reference: &str,
    known: &Known,
    submission: &str,
) -> String {
    let mut scanner = Scanner::new(reference.as_bytes(), "t").unwrap();
    let Work::Solve(puzzle) = solver.open(options).read(&mut scanner).unwrap().unwrap().work else {
        panic!("no puzzle: {reference}");
    };
    let budget = Budget::unlimited();
    let mut submission =
        Submission::new(submission.as_bytes(), solver.answers(options), Words::Strict, &budget);
    in_words(&puzzle.check(known, &submission.read(|_: &Answer| None).unwrap().unwrap()))
}

/// Checks that the program's output for every golden case is accepted with its witnesses. Invalid and undecided puzzles
/// have nothing to compare.
pub fn accepts_witnesses(solver: &'static dyn Solver) {
    for case in golden(solver) {
        let options = with(case.options, &[("witness".to_owned(), "true".to_owned())].into());
        let submission = own_output(solver, &options, &case.file);
        // A file with an invalid puzzle or a wrong number of puzzles, or without any puzzle, is no reference.
        let is_wrong = |line: &str| line.starts_with("invalid ") || line.starts_with("warning: ");
        if submission.is_empty() || submission.lines().any(is_wrong) {
            continue;
        }
        let told = all_told(&key(solver, options, &case.file), &submission);
        let is_refused = |line: &&str| line.starts_with("invalid ") || line.starts_with("undecided (");
        let accepted = told.iter().filter(|told| *told == "accepted").count();
        let refused = submission.lines().filter(is_refused).count();
        assert_eq!(told.len() - accepted, refused, "{}: {told:?}", case.path.display());
        assert!(told.iter().all(|told| ["accepted", "not-graded"].contains(&&**told)), "{told:?}");
    }
}

/// Damages a file of lines once: changes a value or a letter, or removes, doubles, swaps or cuts a line.
pub fn mutated(text: &str, letters: &[u8], random: &mut Random) -> String {
    let mut lines: Vec<Vec<u8>> = text.lines().map(|line| line.as_bytes().to_vec()).collect();
    lines.retain(|line| !line.is_empty());
    if lines.is_empty() {
        return "7\n".into();
    }
    let at = random.below(lines.len() as u64) as usize;
    let within = random.below(lines[at].len() as u64) as usize;
    let letter = letters[random.below(letters.len() as u64) as usize];
    let next = (at + 1) % lines.len();
    match random.below(8) {
        0 => drop(lines.remove(at)),
        1 => lines.insert(at, lines[at].clone()),
        2 => lines.swap(at, next),
        3 => lines[at].truncate(within),
        4 => lines[at][within] = letter,
        5 => lines[at].insert(within, letter),
        6 => drop(lines[at].remove(within)),
        _ => lines[at].extend_from_slice(b" 1"),
    }
    String::from_utf8([lines.join(&b'\n'), b"\n".to_vec()].concat()).unwrap()
}

/// Returns the words of a file with their lines and columns, line by line, without blank lines.
pub fn words(text: &str) -> Vec<Vec<(u64, u64, &str)>> {
    let mut lines = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let mut words = Vec::new();
        let mut column = 1;
        for word in line.split(' ') {
            if !word.is_empty() {
                words.push((number, column, word));
            }
            column += word.len() as u64 + 1;
        }
        lines.extend(Some(words).filter(|words| !words.is_empty()));
    }
    lines
}

/// Returns mark and place of each finding.
pub fn marks(findings: &[Finding]) -> Vec<String> {
    findings.iter().map(|finding| in_words(&Finding { remark: None, ..finding.clone() })).collect()
}
