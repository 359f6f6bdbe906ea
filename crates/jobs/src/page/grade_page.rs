//! The page of a grade: every answer that is not right beside the right one, as far as a student is told of it.

use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use serde_json::Value;

use super::gallery::Gallery;
use super::gallery::{Attempt, Content, Exhibit, Solved, bytes_of};
use super::page_writer::Words;
use super::page_writer::{Heading, write_page};
use crate::grading::{AnswerKey, Grade, Graded, Wording};
use crate::{JobInfo, Limits};
use tabuleiro_puzzles::input::printable;
use tabuleiro_puzzles::solver::{
    Answer, Budget, CLAIMED_BYTES_MAX, Charge, Entry, Mark, Puzzle, TooMany, Work,
};

/// How much of an answer is shown.
const ANSWER_BYTES_MAX: usize = 120;

/// Makes `nota.html`.
pub struct GradePage<'a, W> {
    out: W,
    key: &'a AnswerKey,
    told: Wording,
    submission: &'a str,
    gallery: Gallery,
}

impl<'a, W: Write> GradePage<'a, W> {
    /// Nothing is written yet.
    #[must_use]
    pub fn new(out: W, key: &'a AnswerKey, submission: &'a str) -> Self {
        Self { out, key, told: Wording::to_students(&key.options), submission, gallery: Gallery::default() }
    }

    /// Takes what became of an answer. What it gives to be drawn is charged to `budget` while it is made.
    pub fn puzzle(&mut self, graded: &Graded<'_>, budget: &Budget) {
        let Some(entry) = graded.entry.filter(|_| self.told.has_puzzles()) else { return };
        let mark = graded.finding.mark;
        let is_odd = !matches!(mark, Mark::Accepted);
        let sizes = (graded.bytes, bytes_of(self.key.witness(graded.number)));
        let exhibit = || exhibit((self.key, self.told), graded, (entry, budget));
        self.gallery.offer(graded.number, (is_odd, graded.known.bounds), sizes, exhibit);
    }

    /// Writes the page. What a picture lacks is looked for within `limits`.
    ///
    /// # Errors
    /// Those of writing.
    pub fn finish(self, grade: &Grade, limits: &Limits) -> io::Result<W> {
        let Self { out, key, told, submission, gallery } = self;
        let heading = Heading {
            info: JobInfo { file: submission, solver: key.solver, options: &key.options },
            title: Words::Grade { file: submission.to_owned() },
            facts: vec![(Words::Points, told.line(grade))],
            remarks: Vec::new(),
            puzzles: if told.has_puzzles() { grade.puzzles } else { 0 },
        };
        write_page(out, &heading, gallery.into_exhibits(), Some(&limits.budget()))
    }
}

/// An answer on the page.
fn exhibit(
    (key, told): (&AnswerKey, Wording),
    graded: &Graded<'_>,
    (entry, budget): (&Entry, &Budget),
) -> Exhibit {
    let Graded { number, finding, answer, known, .. } = *graded;
    let puzzle = if let Work::Solve(puzzle) = &entry.work { Some(puzzle) } else { None };
    // No grade is to be lost to a mistake in drawing it.
    let claimed = || answer.zip(puzzle).map_or(Ok(Value::Null), |pair| claimed(pair, budget));
    let claimed = catch_unwind(AssertUnwindSafe(claimed)).unwrap_or(Ok(Value::Null));
    let line = answer.map_or(&b""[..], |answer| answer.first().text);
    let attempt = Attempt {
        is_right: finding.mark == Mark::Accepted,
        told: told.verdict_of(finding),
        answer: printable(line, ANSWER_BYTES_MAX),
        shows_right: told.has_answers(),
        is_too_long: claimed.is_err(),
        witness: claimed.unwrap_or_default(),
    };
    let content = Content::Solved(Box::new(Solved {
        puzzle: puzzle.cloned(),
        headline: known.headline.to_string(),
        is_answered: known.is_proved,
        answer: known.answer.clone(),
        witness: key.witness(number).clone(),
        bounds: known.bounds,
    }));
    Exhibit { number, place: entry.place, content, attempt: Some(attempt) }
}

/// What an answer gives to be drawn.
fn claimed((answer, puzzle): (&Answer, &Arc<dyn Puzzle>), budget: &Budget) -> Result<Value, TooMany> {
    if answer.is_cut() {
        return Err(TooMany);
    }
    // A letter is a slide, for which the list needs 128 bytes at most while it grows.
    let bytes = (answer.text_bytes() as u64).saturating_mul(128).min(CLAIMED_BYTES_MAX);
    let _charge = Charge::new(bytes, budget).map_err(|_| TooMany)?;
    puzzle.claimed(answer)
}
