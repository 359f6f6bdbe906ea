//! One submission graded: read once, its answers compared one by one.

use std::io::{self, Read};

use super::key::AnswerKey;
use super::points::{Points, Shares};
use crate::input::Scanner;
use crate::job::{Rejection, refuse_by_head};
use crate::solver::{
    ALL_OR_NOTHING, Answer, Cancel, Entry, Finding, Known, Mark, Puzzle, Submission, Unproved, WORDS, Work,
};
use crate::words::Phrase;

/// Bytes that tell what kind of file a submission is.
const HEAD_BYTES: u64 = 4096;

/// What became of the answer to one puzzle.
pub struct Graded<'a> {
    /// The puzzle, from 1.
    pub number: u64,
    /// The verdict.
    pub finding: &'a Finding,
    /// What it is worth.
    pub worth: Points,
    /// What the answer earns, unless one wrong answer takes all.
    pub earned: Points,
    /// The answer.
    pub answer: Option<&'a Answer>,
    /// What the reference has.
    pub entry: Option<&'a Entry>,
    /// Bytes of input that it was read from.
    pub bytes: u64,
    /// What is proved about it.
    pub known: &'a Known,
}

/// Puzzles after which it is asked whether somebody wants to stop.
const CANCEL_PUZZLES: u64 = 512;

/// The grade of a submission.
#[derive(Debug, Clone, Default)]
pub struct Grade {
    /// Puzzles of the reference.
    pub puzzles: u64,
    /// What was earned.
    pub points: Points,
    /// Of how many.
    pub total: Points,
    /// Answers that are right.
    pub accepted: u64,
    /// Puzzles without a right answer to compare with.
    pub not_graded: u64,
    /// Answers beyond the last puzzle.
    pub extra: u64,
    /// The first puzzle whose answer is not right, and what is wrong with it.
    pub first: Option<(u64, Finding)>,
    /// The first answer that shows that what we hold for proved is not so.
    pub internal: Option<(u64, Finding)>,
    /// What the submission is, where it is no text: none of its answers was read.
    pub not_text: Option<Phrase>,
}

/// Why a submission has no grade.
#[derive(Debug, thiserror::Error)]
pub enum GradeError {
    /// Reading it failed.
    #[error("cannot read: {0}")]
    Read(#[source] io::Error),
    /// Writing the grade failed.
    #[error("cannot write the grade: {0}")]
    Write(#[source] io::Error),
    /// Somebody asked to stop.
    #[error("cancelled")]
    Cancelled,
}

impl Grade {
    /// All answers are right that could be compared, and there are no others.
    #[must_use]
    pub fn is_accepted(&self) -> bool {
        self.first.is_none() && self.extra == 0 && self.not_text.is_none()
    }

    /// Puzzles whose answers are not right.
    #[must_use]
    pub fn wrong(&self) -> u64 {
        self.puzzles - self.accepted - self.not_graded
    }

    /// What was earned of what, for machines: `37/40`.
    #[must_use]
    pub fn share(&self) -> String {
        format!("{}/{}", self.points, self.total)
    }

    /// The first puzzle whose answer is not right.
    #[must_use]
    pub fn first_wrong(&self) -> Option<u64> {
        self.internal.as_ref().or(self.first.as_ref()).map(|(number, _)| *number)
    }

    /// The verdict, for machines.
    #[must_use]
    pub fn name(&self) -> &'static str {
        if self.not_text.is_some() {
            return Mark::Presentation.name();
        }
        match self.internal.as_ref().or(self.first.as_ref()) {
            Some((_, finding)) => finding.mark.name(),
            None if self.extra > 0 => "extra",
            None => Mark::Accepted.name(),
        }
    }

    fn add(&mut self, graded: &Graded<'_>) {
        self.puzzles += 1;
        if let Mark::NotGraded(_) = graded.finding.mark {
            self.not_graded += 1;
            return;
        }
        self.total += graded.worth;
        self.points += graded.earned;
        let told = || Some((graded.number, graded.finding.clone()));
        match graded.finding.mark {
            Mark::Accepted => self.accepted += 1,
            mark => {
                if self.first.is_none() {
                    self.first = told();
                }
                if mark == Mark::Internal && self.internal.is_none() {
                    self.internal = told();
                }
            }
        }
    }
}

impl AnswerKey {
    /// Grades a submission, and shows what becomes of each answer to `take`.
    ///
    /// # Errors
    /// [`GradeError`]; what was shown until then is no grade.
    pub fn grade(
        &self,
        mut source: impl Read,
        cancel: &Cancel,
        mut take: impl FnMut(&Graded<'_>) -> io::Result<()>,
    ) -> Result<Grade, GradeError> {
        let mut head = Vec::new();
        source.by_ref().take(HEAD_BYTES).read_to_end(&mut head).map_err(GradeError::Read)?;
        let mut grade = Grade { not_text: not_text(&head).map_err(GradeError::Read)?, ..Grade::default() };
        let source: Box<dyn Read> =
            if grade.not_text.is_some() { Box::new(io::empty()) } else { Box::new(head.chain(source)) };
        let reader = self.solver.answers(&self.options);
        let mut submission = Submission::new(source, reader, self.options.get(WORDS));
        let shares = Shares::new(&self.options, self.puzzles());
        let (mut scanner, mut reading) = self.open().map_err(GradeError::Read)?;
        let mut entry = reading.read(&mut scanner).map_err(GradeError::Read)?;
        let (mut begin, mut end) = (0, scanner.bytes_consumed());
        for (number, known) in (1..).zip(&self.known) {
            if number % CANCEL_PUZZLES == 0 && cancel.is_cancelled() {
                return Err(GradeError::Cancelled);
            }
            let next = reading.read(&mut scanner).map_err(GradeError::Read)?;
            let bytes = end - begin;
            (begin, end) = (end, scanner.bytes_consumed());
            let next_begins = |answer: &Answer| puzzle(next.as_ref())?.begins_in(answer);
            let answer = submission.read(next_begins).map_err(GradeError::Read)?;
            let mut finding = judge(puzzle(entry.as_ref()), known, answer.as_ref());
            if finding.is_unreadable() {
                finding.form = Some(Box::new(submission.form()));
            }
            let (worth, earned) = (shares.of(number), shares.earned(number, finding.mark));
            let (answer, entry_now) = (answer.as_ref(), entry.as_ref());
            let graded =
                Graded { number, finding: &finding, worth, earned, answer, entry: entry_now, bytes, known };
            take(&graded).map_err(GradeError::Write)?;
            grade.add(&graded);
            entry = next;
        }
        while submission.read(|_| None).map_err(GradeError::Read)?.is_some() {
            grade.extra += 1;
        }
        if self.options.get(ALL_OR_NOTHING) && !grade.is_accepted() {
            grade.points = Points::default();
        }
        Ok(grade)
    }
}

/// What a submission is by its first bytes, where it is no text.
fn not_text(head: &[u8]) -> io::Result<Option<Phrase>> {
    Ok(match refuse_by_head(&Scanner::new(head, "")?) {
        Err(Rejection::NotText(kind)) => Some(kind.into()),
        // One without any answer is read like any other.
        _ => None,
    })
}

fn puzzle(entry: Option<&Entry>) -> Option<&dyn Puzzle> {
    match entry? {
        Entry { work: Work::Solve(puzzle), .. } => Some(&**puzzle),
        Entry { .. } => None,
    }
}

/// What becomes of the answer to a puzzle, where there is one.
fn judge(puzzle: Option<&dyn Puzzle>, known: &Known, answer: Option<&Answer>) -> Finding {
    let finding = match (answer, puzzle) {
        (None, _) => Finding::missing(),
        (Some(answer), Some(puzzle)) => answer.unreadable().unwrap_or_else(|| puzzle.check(known, answer)),
        // What cannot be solved cannot be checked.
        (Some(_), None) => Finding::not_graded(known.unproved.unwrap_or(Unproved::Undecided)),
    };
    match known.unproved {
        Some(why) if finding.mark != Mark::Internal => Finding::not_graded(why),
        _ if finding.expected.is_some() => finding,
        _ if matches!(finding.mark, Mark::Accepted | Mark::NotGraded(_)) => finding,
        _ => match puzzle.and_then(|puzzle| puzzle.right_answer(known)) {
            Some(right) => finding.expecting(right),
            None => finding,
        },
    }
}
