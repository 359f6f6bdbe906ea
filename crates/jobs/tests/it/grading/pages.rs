//! Tests the pages of grades: which part of an answer is drawn, and what is written instead.

use std::io;

use tabuleiro_jobs::grading::GradeOutputs;
use tabuleiro_jobs::grading::formats::SubmissionOrigin;
use tabuleiro_jobs::page::PageLinks;
use tabuleiro_jobs::{Limits, Pool};
use tabuleiro_puzzles::solver::Cancel;

use super::{key, options};

/// A case of three slides.
const REFERENCE: &[u8] = b"1\n3 5\n2 0 2\n4 0 8\n0 0 0\n";

/// Returns the page of a submission, graded by a pool that gives each submission `bytes_max` bytes.
fn page(submission: &str, bytes_max: u64) -> String {
    let (solver, options) = options("2048-merge", &[("picture", "true"), ("reveal", "full")]);
    let (key, pool) = (key(solver, options, REFERENCE), Pool::new(1).unwrap());
    pool.memory().set(1, bytes_max);
    let origin = SubmissionOrigin { submission: "saida.txt", ..SubmissionOrigin::default() };
    let (mut text, mut json, mut page) = (io::sink(), io::sink(), Vec::new());
    let out =
        GradeOutputs { text: &mut text, json: &mut json, page: Some((&mut page, PageLinks::default())) };
    let limits = Limits::of(&key.options, pool.memory(), &Cancel::default());
    key.write_grade(submission.as_bytes(), &origin, out, &limits).unwrap();
    String::from_utf8(page).unwrap()
}

#[test]
fn an_answer_is_drawn_unless_it_is_too_long_for_that() {
    const TOLD: &str = "This answer is too long to be drawn.";
    let slides = |count: usize| format!("3 {}\n", "D".repeat(count));
    for (submission, bytes_max, is_drawn) in [
        (slides(4), 64 << 20, true),
        (slides(1 << 16), 64 << 20, true),
        (slides((1 << 16) + 1), 64 << 20, false),
        // There is no memory for a list of so many slides.
        (slides(1 << 15), 1 << 20, false),
        // The answer is not read to its end.
        (slides(1 << 20), 1 << 20, false),
    ] {
        let page = page(&submission, bytes_max);
        let (theirs, ours) = page.split_once("<h3>The right answer: ").unwrap();
        assert!(theirs.contains("<h3>Your answer: ") && ours.contains("<svg"), "{page}");
        assert_eq!((theirs.contains("<svg"), theirs.contains(TOLD)), (is_drawn, !is_drawn), "{bytes_max}");
    }
}
