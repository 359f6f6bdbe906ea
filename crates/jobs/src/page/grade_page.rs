//! The page of a grade: every answer that is not right, beside the right one if students may see it.

use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::Value;

use super::gallery::{Attempt, Exhibit, Gallery, Rank, copy_of, held_bytes};
use super::page_writer::{Heading, PageLinks, Words, image_of, write_page};
use crate::grading::{AnswerKey, Grade, Graded, Wording};
use crate::{JobInfo, Limits};
use tabuleiro_puzzles::input::printable;
use tabuleiro_puzzles::solver::{
    Answer, Bounds, Budget, CLAIMED_BYTES_MAX, Cancel, Charge, Entry, LANGUAGE, MEMORY_LIMIT, Mark, Puzzle,
    RenderInput, TooMany, Work,
};

/// Bytes of an answer that the page shows.
const ANSWER_BYTES_MAX: usize = 120;

/// Writes `nota.html`.
pub struct GradePage<'a, W> {
    out: W,
    key: &'a AnswerKey,
    wording: Wording,
    submission: &'a str,
    links: PageLinks,
    gallery: Gallery,
}

impl<'a, W: Write> GradePage<'a, W> {
    /// Creates the page without writing anything.
    pub fn new(out: W, links: PageLinks, key: &'a AnswerKey, submission: &'a str) -> Self {
        let wording = Wording::to_students(&key.options);
        Self { out, key, wording, submission, links, gallery: Gallery::default() }
    }

    /// Offers a graded answer to the page. The memory for its picture is charged to `budget` while the picture is
    /// drawn.
    pub fn puzzle(&mut self, graded: &Graded<'_>, budget: &Budget) {
        let Some(entry) = graded.entry.filter(|_| self.wording.has_puzzles()) else { return };
        let mark = graded.finding.mark;
        let needs_attention = !matches!(mark, Mark::Accepted);
        let rank = Rank::of(graded.number, needs_attention, graded.known.bounds);
        let held = held_bytes(graded.bytes, self.key.witness(graded.number));
        self.gallery.offer(rank, held, || exhibit(self.key, self.wording, graded, entry, budget));
    }

    /// Writes the page. Searches for missing witnesses within `limits`.
    ///
    /// # Errors
    /// Fails if writing fails.
    pub fn finish(self, grade: &Grade, limits: &Limits) -> io::Result<W> {
        let Self { out, key, wording, submission, links, gallery } = self;
        let heading = Heading {
            info: JobInfo { file: submission, solver: key.solver, options: &key.options },
            title: Words::Grade { file: submission.to_owned() },
            counts: wording.line(grade),
            remarks: Vec::new(),
            puzzles: if wording.has_puzzles() { grade.puzzles } else { 0 },
            links,
        };
        write_page(out, &heading, gallery.into_exhibits(), Some(&limits.budget()))
    }
}

/// Draws a graded answer as a picture of its own. Returns `None` if the student may not see it.
pub fn picture_of(key: &AnswerKey, wording: Wording, graded: &Graded<'_>) -> Option<String> {
    let entry = graded.entry.filter(|_| wording.has_puzzles())?;
    let budget = Budget::new(None, None, key.options.get(MEMORY_LIMIT), Cancel::default());
    let exhibit = exhibit(key, wording, graded, entry, &budget);
    Some(image_of(exhibit, &budget, key.options.get(LANGUAGE)))
}

/// Returns the exhibit of a graded answer.
fn exhibit(
    key: &AnswerKey,
    wording: Wording,
    graded: &Graded<'_>,
    entry: &Entry,
    budget: &Budget,
) -> Exhibit {
    let Graded { number, finding, answer, known, .. } = *graded;
    let puzzle = if let Work::Solve(puzzle) = &entry.work { Some(&**puzzle) } else { None };
    // A bug in the drawing code must not lose a grade.
    let claimed =
        || answer.zip(puzzle).map_or(Ok(Value::Null), |(answer, puzzle)| claimed(answer, puzzle, budget));
    let claimed = catch_unwind(AssertUnwindSafe(claimed)).unwrap_or(Ok(Value::Null));
    let line = answer.map_or(&b""[..], |answer| answer.first().text);
    let ours = RenderInput {
        language: key.options.get(LANGUAGE),
        headline: known.headline.to_string(),
        is_answered: known.is_proved,
        answer: known.answer.clone(),
        witness: key.witness(number).clone(),
        bounds: known.bounds,
    };
    let attempt = Attempt {
        is_right: finding.mark == Mark::Accepted,
        told: wording.verdict_of(finding),
        shows_right: wording.has_answers(),
        is_too_long: claimed.is_err(),
        input: RenderInput {
            language: ours.language,
            headline: printable(line, ANSWER_BYTES_MAX),
            is_answered: false,
            answer: Value::Null,
            witness: claimed.unwrap_or_default(),
            bounds: Bounds::default(),
        },
    };
    let puzzle = puzzle.and_then(|puzzle| copy_of(puzzle, key.solver, &key.options));
    Exhibit { number, place: entry.place, puzzle, input: ours, problem: None, attempt: Some(attempt) }
}

/// Returns the witness that an answer gives, for its picture.
fn claimed(answer: &Answer, puzzle: &dyn Puzzle, budget: &Budget) -> Result<Value, TooMany> {
    if answer.is_cut() {
        return Err(TooMany);
    }
    // A letter stands for a slide, for which the growing list needs at most 128 bytes.
    let bytes = (answer.text_bytes() as u64).saturating_mul(128).min(CLAIMED_BYTES_MAX);
    let _charge = Charge::new(bytes, budget).map_err(|_| TooMany)?;
    puzzle.claimed(answer)
}
