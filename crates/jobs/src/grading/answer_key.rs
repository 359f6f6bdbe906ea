//! An answer key: the puzzles of a reference, and the proved answer to each.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::sync::Arc;

use serde_json::Value;

use super::formats::{GradeObject, GradeWriter, SubmissionOrigin, Text};
use super::grade_messages::Wording;
use super::graded::Grade;
use crate::page::{GradePage, PageLinks, bytes_of};
use crate::{Answered, Job, JobError, Limits, Reading, Reason, Rejection, Sink, Summary};
use tabuleiro_puzzles::input::{Scanner, read_directives};
use tabuleiro_puzzles::solver::{
    COMPARE_RULES, Gradable, Known, NEEDS_WITNESS, OptionValue, Options, PICTURE, Solver, Work, format_size,
};

/// The largest reference in bytes, because a reference is held in memory.
pub const REFERENCE_BYTES_MAX: u64 = 256 * 1024 * 1024;

/// The most bytes of witnesses that are kept for pages.
const WITNESSES_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// A reference with its answers.
pub struct AnswerKey {
    /// The solver of the puzzles.
    pub solver: &'static dyn Solver,
    /// The options for solving and grading.
    pub options: Options,
    pub(super) outcomes: ReferenceOutcomes,
    name: Arc<str>,
    text: Arc<Vec<u8>>,
}

/// Keeps the outcomes of the reference.
#[derive(Default)]
pub(super) struct ReferenceOutcomes {
    /// The proved answer or bounds of each puzzle.
    pub(super) known: Vec<Known>,
    /// Witnesses that pages may show, by the number of the puzzle.
    witnesses: BTreeMap<u64, Value>,
    /// The first puzzle whose answers cannot be judged.
    unjudged: Option<u64>,
    bytes: u64,
    has_page: bool,
    needs_witness: bool,
}

impl Sink for ReferenceOutcomes {
    fn outcome(&mut self, answered: &Answered<'_>) -> io::Result<()> {
        let Answered { number, outcome, puzzle, .. } = *answered;
        let known = Known { needs_witness: self.needs_witness, ..outcome.into() };
        if !known.is_proved && puzzle.is_none_or(Gradable::needs_answer) {
            self.unjudged = self.unjudged.or(Some(number));
        }
        self.known.push(known);
        if self.has_page && !outcome.witness.is_null() {
            self.bytes += bytes_of(&outcome.witness);
            if self.bytes <= WITNESSES_BYTES_MAX {
                self.witnesses.insert(number, outcome.witness.clone());
            }
        }
        Ok(())
    }
}

/// Reads a reference as a whole.
///
/// # Errors
/// Fails if the source cannot be read, or with [`io::ErrorKind::FileTooLarge`] if it has more than
/// [`REFERENCE_BYTES_MAX`].
pub fn read_reference(source: impl Read) -> io::Result<Arc<Vec<u8>>> {
    read_at_most(source, REFERENCE_BYTES_MAX)
}

fn read_at_most(source: impl Read, bytes_max: u64) -> io::Result<Arc<Vec<u8>>> {
    let mut text = Vec::new();
    source.take(bytes_max + 1).read_to_end(&mut text)?;
    if text.len() as u64 > bytes_max {
        let message = format!("a reference may have {} at most; make several of it", format_size(bytes_max));
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
    }
    Ok(text.into())
}

impl AnswerKey {
    /// Solves the puzzles of `text`, which messages call `name`. The job's options must already include the directives
    /// of the text.
    ///
    /// # Errors
    /// Fails like [`check_puzzles`], before anything is solved, or like [`answer`](crate::answer).
    pub fn solve(name: Arc<str>, text: Arc<Vec<u8>>, job: &Job<'_>) -> Result<(Self, Summary), JobError> {
        let solver = job.solver;
        check_puzzles(&name, &text, solver, job.options)?;
        let mut options = job.options.clone();
        let (has_page, needs_witness) = (options.get(PICTURE), options.get(NEEDS_WITNESS));
        let mut outcomes = ReferenceOutcomes { has_page, needs_witness, ..ReferenceOutcomes::default() };
        // The grade shows no warnings, so the comparison of rules is switched off.
        options.put(COMPARE_RULES.spec.name, OptionValue::Flag(false));
        let mut scanner = open(&text, &name).map_err(JobError::Read)?;
        let summary = crate::answer(&mut scanner, &Job { options: &options, ..*job }, &mut outcomes)?;
        drop(scanner);
        Ok((Self { solver, options, outcomes, name, text }, summary))
    }

    /// Returns the witness of a puzzle; null if none is kept.
    pub fn witness(&self, number: u64) -> &Value {
        self.outcomes.witnesses.get(&number).unwrap_or(&Value::Null)
    }

    /// Returns the first puzzle whose answers cannot be judged because Tabuleiro leaves it undecided.
    pub fn unjudged(&self) -> Option<u64> {
        self.outcomes.unjudged
    }

    /// Returns the number of puzzles.
    pub fn puzzles(&self) -> u64 {
        self.outcomes.known.len() as u64
    }

    /// Opens the reference to read its puzzles again.
    pub(super) fn open(&self) -> io::Result<(Scanner<'_>, Reading)> {
        Ok((open(&self.text, &self.name)?, Reading::open(self.solver, &self.options)))
    }

    /// Grades a submission and writes its grade within the limits. If the page lacks a witness, the page searches for
    /// one.
    ///
    /// # Errors
    /// Fails if reading or writing fails, or with [`Reason::Refuted`] if the submission proves an answer of this key
    /// wrong. The caller must then discard what was written.
    pub fn write_grade(
        &self,
        source: impl Read,
        origin: &SubmissionOrigin<'_>,
        out: GradeOutputs<'_>,
        limits: &Limits,
    ) -> Result<Grade, JobError> {
        let GradeOutputs { text, json: json_out, page } = out;
        let mut text = Text::new(Wording::to_students(&self.options), true, text);
        let mut json = GradeObject::begin(self, origin, &mut *json_out).map_err(JobError::Write)?;
        let mut page = page.map(|(out, links)| GradePage::new(out, links, self, origin.submission));
        let budget = limits.untimed_budget();
        let mut grade = self.grade_within(source, &budget, |graded| {
            if let Some(page) = &mut page {
                page.puzzle(graded, &budget);
            }
            text.puzzle(origin.submission, graded)?;
            json.puzzle(graded)
        })?;
        if let Some((puzzle, _)) = grade.internal {
            return Err(Rejection::Because(Reason::Refuted { puzzle }).into());
        }
        grade.standing = origin.standing;
        let ended = text.end(origin.submission, &grade).and_then(|()| json.end(&grade));
        ended.and_then(|()| json_out.write_all(b"\n")).map_err(JobError::Write)?;
        // Tracing a path may need the permit that this budget holds.
        drop(budget);
        if let Some(page) = page {
            page.finish(&grade, limits).map_err(JobError::Write)?;
        }
        Ok(grade)
    }
}

/// Checks the puzzles of a reference without solving them.
///
/// # Errors
/// Fails if the text has no puzzle of the solver, an invalid puzzle, or lines after the end marker.
pub fn check_puzzles(
    name: &Arc<str>,
    text: &[u8],
    solver: &'static dyn Solver,
    options: &Options,
) -> Result<(), JobError> {
    let mut scanner = open(text, name).map_err(JobError::Read)?;
    let mut reading = Reading::open(solver, options);
    let (mut puzzles, mut recognised, mut first) = (0, false, None);
    while let Some(entry) = reading.read(&mut scanner).map_err(JobError::Read)? {
        puzzles += 1;
        match entry.work {
            Work::Invalid(problem) => {
                recognised |= problem.recognised;
                first.get_or_insert((puzzles, problem));
            }
            Work::Solve(_) | Work::Settled(_) => recognised = true,
        }
    }
    Err(match first {
        None if puzzles > 0 => match scanner.take_ignored() {
            None => return Ok(()),
            Some(ignored) => Rejection::Because(Reason::CutReference { ignored: ignored.what }),
        },
        // The reference consists of its end marker alone.
        None if reading.allows_empty() => {
            Rejection::NoPuzzle { solver: solver.id(), binary: false, problem: None, advice: None }
        }
        Some((puzzle, problem)) if recognised => Rejection::InvalidPuzzle { puzzle, problem, advice: None },
        first => {
            let problem = first.map(|(_, problem)| *problem);
            Rejection::no_puzzle(solver.id(), puzzles, problem, &scanner)
        }
    }
    .into())
}

/// Returns a scanner that has read the directives.
fn open<'t>(text: &'t [u8], name: &Arc<str>) -> io::Result<Scanner<'t>> {
    let mut scanner = Scanner::new(text, Arc::clone(name))?;
    // The caller's options include the directives, and wrong ones were rejected.
    let _ = read_directives(&mut scanner);
    Ok(scanner)
}

/// The outputs of a grade.
pub struct GradeOutputs<'a> {
    /// The text for people.
    pub text: &'a mut dyn Write,
    /// The JSON for programs.
    pub json: &'a mut dyn Write,
    /// The page for browsers, with its links.
    pub page: Option<(&'a mut dyn Write, PageLinks)>,
}

#[cfg(test)]
mod tests {
    use super::read_at_most;

    #[test]
    fn a_reference_beyond_the_limit_is_refused_by_name() {
        let text = [b'1'; 2048];
        assert_eq!(read_at_most(&text[..], 2048).unwrap().len(), 2048);
        let error = read_at_most(&text[..], 1024).unwrap_err().to_string();
        assert_eq!(error, "a reference may have 1KiB at most; make several of it");
    }
}
