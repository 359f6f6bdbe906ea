//! A reference: the puzzles of a file, and what is proved about each.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::sync::Arc;

use serde_json::Value;

use super::formats::{GradeWriter, Note, NoteOrigin, Text};
use super::grade_messages::Wording;
use super::graded::{Grade, GradeError};
use crate::page::{GradePage, bytes_of};
use crate::{Answered, Job, JobError, Limits, Reading, Rejection, Sink, Summary};
use tabuleiro_puzzles::input::{Scanner, read_directives};
use tabuleiro_puzzles::solver::{
    COMPARE_RULES, Known, NEEDS_WITNESS, OptionValue, Options, PICTURE, Solver, Work, format_size,
};

/// Bytes of a reference at most: it is held in memory.
pub const REFERENCE_BYTES_MAX: u64 = 256 * 1024 * 1024;

/// Bytes of the witnesses that are kept for pages.
const WITNESSES_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// A reference with its answers.
pub struct AnswerKey {
    /// What its puzzles are.
    pub solver: &'static dyn Solver,
    /// Under which options they were solved, those of grading among them.
    pub options: Options,
    /// What is proved about each puzzle.
    pub(super) known: Vec<Known>,
    /// What proves it, where that was found and a page may show it: by the number of the puzzle.
    witnesses: BTreeMap<u64, Value>,
    /// The first puzzle of which no answer can be judged.
    unjudged: Option<u64>,
    name: Arc<str>,
    text: Arc<Vec<u8>>,
}

/// Keeps what is proved.
#[derive(Default)]
struct Keeper {
    known: Vec<Known>,
    witnesses: BTreeMap<u64, Value>,
    unjudged: Option<u64>,
    /// Of the witnesses, about.
    bytes: u64,
    has_page: bool,
    needs_witness: bool,
}

impl Sink for Keeper {
    fn outcome(&mut self, answered: &Answered<'_>) -> io::Result<()> {
        let Answered { number, outcome, puzzle, .. } = *answered;
        let known = Known { needs_witness: self.needs_witness, ..outcome.into() };
        if !known.is_proved && puzzle.is_none_or(|puzzle| puzzle.needs_answer()) {
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
/// Those of reading; [`io::ErrorKind::FileTooLarge`] when it has more than [`REFERENCE_BYTES_MAX`].
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
    /// Solves the puzzles of `text`, which messages call `name`. Its directives are part of the job's options already.
    ///
    /// # Errors
    /// Those of [`check_puzzles`], before anything is solved, and those of answering a file.
    pub fn solve(name: Arc<str>, text: Arc<Vec<u8>>, job: &Job<'_>) -> Result<(Self, Summary), JobError> {
        let solver = job.solver;
        check_puzzles(&name, &text, solver, job.options)?;
        let mut options = job.options.clone();
        let (has_page, needs_witness) = (options.get(PICTURE), options.get(NEEDS_WITNESS));
        let mut keeper = Keeper { has_page, needs_witness, ..Keeper::default() };
        // Nobody reads the warning.
        options.put(COMPARE_RULES.spec.name, OptionValue::Flag(false));
        let mut scanner = open(&text, &name).map_err(JobError::Read)?;
        let summary = crate::answer(&mut scanner, &Job { options: &options, ..*job }, &mut keeper)?;
        drop(scanner);
        let Keeper { known, witnesses, unjudged, .. } = keeper;
        Ok((Self { solver, options, known, witnesses, unjudged, name, text }, summary))
    }

    /// What proves the answer to a puzzle, where that is kept.
    #[must_use]
    pub fn witness(&self, number: u64) -> &Value {
        self.witnesses.get(&number).unwrap_or(&Value::Null)
    }

    /// The first puzzle whose answers cannot be judged, because ours is undecided.
    #[must_use]
    pub fn unjudged(&self) -> Option<u64> {
        self.unjudged
    }

    /// How many puzzles there are.
    #[must_use]
    pub fn puzzles(&self) -> u64 {
        self.known.len() as u64
    }

    /// Begins to read the puzzles once more.
    pub(super) fn open(&self) -> io::Result<(Scanner<'_>, Reading)> {
        Ok((open(&self.text, &self.name)?, Reading::open(self.solver, &self.options)))
    }
}

/// Reads the puzzles of a reference, and solves none.
///
/// # Errors
/// When there is no puzzle of the solver's, an invalid one, which has no answer to compare with, or lines behind the end marker.
pub fn check_puzzles(
    name: &Arc<str>,
    text: &[u8],
    solver: &dyn Solver,
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
            Some(ignored) => Rejection::CutReference { ignored: ignored.what },
        },
        // Its end marker alone.
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

/// A scanner behind the directives.
fn open<'t>(text: &'t [u8], name: &Arc<str>) -> io::Result<Scanner<'t>> {
    let mut scanner = Scanner::new(text, Arc::clone(name))?;
    // Whoever made the options has refused wrong ones.
    let _ = read_directives(&mut scanner);
    Ok(scanner)
}

/// Where a grade goes.
pub struct NoteOut<'a> {
    /// For people.
    pub text: &'a mut dyn Write,
    /// For programs.
    pub json: &'a mut dyn Write,
    /// For browsers.
    pub page: Option<&'a mut dyn Write>,
}

impl AnswerKey {
    /// Grades a submission within the memory of the pool, and writes its grade. What a page lacks is looked for within it, too.
    ///
    /// # Errors
    /// What was written until then is no grade; so it is where the submission proves that an answer of ours is wrong.
    pub fn note(
        &self,
        source: impl Read,
        origin: &NoteOrigin<'_>,
        out: NoteOut<'_>,
        limits: &Limits,
    ) -> Result<Grade, JobError> {
        let NoteOut { text, json, page } = out;
        let mut text = Text::new(Wording::to_students(&self.options), true, text);
        let mut json = Note::new(self, origin, json);
        let mut page = page.map(|page| GradePage::new(page, self, origin.submission));
        json.begin(origin.submission).map_err(JobError::Write)?;
        let budget = limits.untimed_budget();
        let graded = self.grade_within(source, &budget, |graded| {
            if let Some(page) = &mut page {
                page.puzzle(graded, &budget);
            }
            text.puzzle(origin.submission, graded)?;
            json.puzzle(origin.submission, graded)
        });
        let mut grade = graded.map_err(|error| match error {
            GradeError::Read(error) => JobError::Read(error),
            GradeError::Write(error) => JobError::Write(error),
            GradeError::Cancelled => JobError::Cancelled,
        })?;
        if let Some((puzzle, _)) = grade.internal {
            return Err(Rejection::Refuted { puzzle }.into());
        }
        grade.standing = origin.standing;
        let ended = text.end(origin.submission, &grade).and_then(|()| json.end(origin.submission, &grade));
        ended.map_err(JobError::Write)?;
        // Tracing a path may need the permit of this budget.
        drop(budget);
        if let Some(page) = page {
            page.finish(&grade, limits).map_err(JobError::Write)?;
        }
        Ok(grade)
    }
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
