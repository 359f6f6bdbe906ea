//! The page of a grade: every answer that is not right beside the right one, as far as a student is told of it.

use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::Value;

use super::exhibit::{Attempt, Content, Exhibit, Solved};
use super::gallery::Gallery;
use super::words::Words;
use super::writer::{Heading, write_page};
use crate::input::printable;
use crate::job::grading::{AnswerKey, Grade, Graded, Told};
use crate::job::{JobInfo, Limits};
use crate::solver::{Entry, Mark, Unproved, Work};

/// How much of an answer is shown.
const ANSWER_BYTES_MAX: usize = 120;

/// Makes `nota.html`.
pub struct GradePage<'a, W> {
    out: W,
    key: &'a AnswerKey,
    told: Told,
    submission: &'a str,
    gallery: Gallery,
}

impl<'a, W: Write> GradePage<'a, W> {
    /// Nothing is written yet.
    #[must_use]
    pub fn new(out: W, key: &'a AnswerKey, submission: &'a str) -> Self {
        Self { out, key, told: Told::new(&key.options), submission, gallery: Gallery::default() }
    }

    /// Takes what became of an answer.
    pub fn puzzle(&mut self, graded: &Graded<'_>) {
        let Some(entry) = graded.entry.filter(|_| self.told.has_puzzles()) else { return };
        let mark = graded.finding.mark;
        let is_odd = !matches!(mark, Mark::Accepted);
        let exhibit = || exhibit((self.key, self.told), graded, entry);
        self.gallery.offer(graded.number, (is_odd, graded.known.bounds), graded.bytes, exhibit);
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
fn exhibit((key, told): (&AnswerKey, Told), graded: &Graded<'_>, entry: &Entry) -> Exhibit {
    let Graded { number, finding, answer, known, .. } = *graded;
    let puzzle = if let Work::Solve(puzzle) = &entry.work { Some(puzzle) } else { None };
    // No grade is to be lost to a mistake in drawing it.
    let claimed = || answer.zip(puzzle).map_or(Value::Null, |(answer, puzzle)| puzzle.claimed(answer));
    let claimed = catch_unwind(AssertUnwindSafe(claimed)).unwrap_or_default();
    let line = answer.map_or(&b""[..], |answer| answer.first().text);
    let attempt = Attempt {
        is_right: finding.mark == Mark::Accepted,
        told: told.verdict_of(finding),
        answer: printable(line, ANSWER_BYTES_MAX),
        shows_right: told.has_answers(),
        witness: claimed,
    };
    let content = match &entry.work {
        Work::Invalid(problem) => {
            Content::Invalid { problem: problem.clone(), told: told.verdict_of(finding) }
        }
        Work::Solve(_) | Work::Settled(_) => Content::Solved(Box::new(Solved {
            puzzle: puzzle.cloned(),
            headline: known.headline.to_string(),
            is_answered: known.unproved != Some(Unproved::Undecided),
            answer: known.answer.clone(),
            witness: key.witness(number).clone(),
            bounds: known.bounds,
        })),
    };
    Exhibit { number, place: entry.place, content, attempt: Some(attempt) }
}
