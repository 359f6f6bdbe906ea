//! Checks submissions of any bytes: every puzzle gets a verdict, and no verdict shows an error of the program.

use std::io::Read;
use std::sync::{Arc, LazyLock};

use tabuleiro_jobs::grading::{AnswerKey, Grade};
use tabuleiro_jobs::{Job, Pool};
use tabuleiro_puzzles::solver::{Authority, Cancel, Finding, Mark, SOLVERS, default_options};
use tabuleiro_puzzles::words::Language;

use super::reading::Trickle;

/// Maximum bytes of a remark about an answer.
const TOLD_BYTES_MAX: usize = 400;

/// The key of every solver's example, once with words before answers as mistakes, and once with such words skipped.
static KEYS: LazyLock<Vec<AnswerKey>> = LazyLock::new(|| {
    let pool = Pool::new(1).expect("a thread can be started");
    let mut keys = Vec::new();
    for solver in SOLVERS {
        for words in ["strict", "skip"] {
            let mut options = default_options(*solver);
            options.set("words", words, Authority::Owner).expect("it is one of the words");
            let text = solver.info().example.input.as_bytes();
            let (solver, cancel, progress) = (*solver, Cancel::default(), Arc::default());
            let job = Job { solver, options: &options, pool: &pool, cancel: &cancel, progress: &progress };
            let solved = AnswerKey::solve("entrada.txt".into(), Arc::new(text.to_vec()), &job);
            keys.push(solved.unwrap_or_else(|error| panic!("{}: {error}", solver.id())).0);
        }
    }
    keys
});

/// Grades a submission; the first byte chooses the reference.
pub fn check(data: &[u8]) {
    let Some((&choice, submission)) = data.split_first() else { return };
    let key = &KEYS[usize::from(choice) % KEYS.len()];
    let (findings, grade) = graded(key, submission);
    let (in_pieces, _) = graded(key, Trickle::new(submission));
    assert_eq!(findings, in_pieces, "read in small pieces, the submission is another");
    assert_eq!(findings.len() as u64, key.puzzles());
    assert!(grade.points <= grade.total, "{grade:?}");
    let is_all = grade.accepted + grade.not_graded == grade.puzzles;
    assert_eq!(is_all, grade.points == grade.total, "{grade:?}");
    let lines = 1 + submission.iter().filter(|&&byte| byte == b'\n').count() as u64;
    for finding in &findings {
        assert_ne!(finding.mark, Mark::Internal, "{finding:?}");
        assert!(finding.place.is_none_or(|place| (1..=lines).contains(&place.line)), "{finding:?}");
        for language in [Language::English, Language::Portuguese] {
            let told = finding.remark.as_ref().map(|remark| remark.say(language)).unwrap_or_default();
            assert!(!told.contains(char::is_control) && told.len() < TOLD_BYTES_MAX, "{told:?}");
        }
    }
}

fn graded(key: &AnswerKey, source: impl Read) -> (Vec<Finding>, Grade) {
    let mut findings = Vec::new();
    let grade = key.grade(source, &Cancel::default(), |graded| {
        findings.push(graded.finding.clone());
        Ok(())
    });
    (findings, grade.expect("memory can be read"))
}
