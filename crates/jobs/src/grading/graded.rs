//! One submission graded: read once, its answers compared one by one.

use std::io::{self, Read};

use super::answer_key::AnswerKey;
use super::points::{Points, Shares};
use super::standing::Standing;
use crate::{Rejection, refuse_by_head};
use tabuleiro_puzzles::input::{Place, Scanner};
use tabuleiro_puzzles::solver::{
    ALL_OR_NOTHING, Answer, Budget, Cancel, Entry, Finding, Known, MEMORY_LIMIT, Mark, Puzzle, Submission,
    WORDS, Work,
};
use tabuleiro_puzzles::words::Phrase;

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
    /// Puzzles whose answers are missing.
    pub missing: u64,
    /// Answers beyond the last puzzle.
    pub extra: u64,
    /// Answers that are better than ours, which they refute.
    pub refuting: u64,
    /// What stands in the place of an answer and shifts all behind it.
    pub shift: Option<Shift>,
    /// Lines without an answer that were skipped; the number of the first one.
    pub skipped: (u64, u64),
    /// The first puzzle whose answer is not right, and what is wrong with it.
    pub first: Option<(u64, Finding)>,
    /// The first answer that shows that what we hold for proved is not so.
    pub internal: Option<(u64, Finding)>,
    /// What the submission is, where it is no text: none of its answers was read.
    pub not_text: Option<Phrase>,
    /// How it stands beside the others of its student, where that is known.
    pub standing: Option<Standing>,
}

/// A submission has as many answers as there are puzzles, and something else was counted before they end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shift {
    /// How many answers it has.
    pub answers: u64,
    /// The line that is none.
    pub line: u64,
    /// The puzzle whose answer it was taken for.
    pub puzzle: u64,
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
    /// All answers are right that could be compared, of which there is one at least, and there are no others.
    #[must_use]
    pub fn is_accepted(&self) -> bool {
        self.has_no_fault() && self.accepted > 0
    }

    /// No answer could be compared, so that the submission is neither right nor wrong.
    #[must_use]
    pub fn is_ungraded(&self) -> bool {
        self.has_no_fault() && self.accepted == 0
    }

    fn has_no_fault(&self) -> bool {
        self.first.is_none() && self.extra == 0 && self.not_text.is_none()
    }

    /// Nothing is wrong with it: what is not accepted is better than our own answers.
    #[must_use]
    pub fn is_faultless(&self) -> bool {
        self.wrong() == self.refuting && self.extra == 0 && self.not_text.is_none()
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
            None if self.is_ungraded() => Mark::NotGraded.name(),
            None => Mark::Accepted.name(),
        }
    }

    fn add(&mut self, graded: &Graded<'_>) {
        self.puzzles += 1;
        if graded.finding.mark == Mark::NotGraded {
            self.not_graded += 1;
            return;
        }
        let told = || Some((graded.number, graded.finding.clone()));
        match graded.finding.mark {
            Mark::Accepted => self.accepted += 1,
            mark => {
                self.first = self.first.take().or_else(told);
                self.missing += u64::from(mark == Mark::Missing);
                if mark == Mark::Internal {
                    self.refuting += 1;
                    self.internal = self.internal.take().or_else(told);
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
        source: impl Read,
        cancel: &Cancel,
        take: impl FnMut(&Graded<'_>) -> io::Result<()>,
    ) -> Result<Grade, GradeError> {
        let budget = Budget::new(None, None, self.options.get(MEMORY_LIMIT), cancel.clone());
        self.grade_within(source, &budget, take)
    }

    /// The same within the memory of a budget, until it is cancelled.
    pub(super) fn grade_within(
        &self,
        mut source: impl Read,
        budget: &Budget,
        mut take: impl FnMut(&Graded<'_>) -> io::Result<()>,
    ) -> Result<Grade, GradeError> {
        let mut head = Vec::new();
        source.by_ref().take(HEAD_BYTES).read_to_end(&mut head).map_err(GradeError::Read)?;
        let mut grade = Grade { not_text: not_text(&head).map_err(GradeError::Read)?, ..Grade::default() };
        let source: Box<dyn Read> =
            if grade.not_text.is_some() { Box::new(io::empty()) } else { Box::new(head.chain(source)) };
        let reader = self.solver.answers(&self.options);
        let mut submission = Submission::new(source, reader, self.options.get(WORDS), budget);
        let shares = Shares::new(&self.options, self.puzzles());
        let (mut scanner, mut reading) = self.open().map_err(GradeError::Read)?;
        let mut entry = reading.read(&mut scanner).map_err(GradeError::Read)?;
        let (mut begin, mut end) = (0, scanner.bytes_consumed());
        let (mut parts, mut unreadable) = (0, Unreadable::default());
        for (number, known) in (1..).zip(&self.known) {
            if number % CANCEL_PUZZLES == 0 && budget.check().is_err() {
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
                unreadable.add(number, finding.place);
            }
            let part = shares.parts(&finding);
            parts += part;
            let (worth, earned) = (shares.of(1), shares.points(part));
            let (answer, entry_now) = (answer.as_ref(), entry.as_ref());
            let graded =
                Graded { number, finding: &finding, worth, earned, answer, entry: entry_now, bytes, known };
            take(&graded).map_err(GradeError::Write)?;
            grade.add(&graded);
            entry = next;
        }
        while let Some(answer) = submission.read(|_| None).map_err(GradeError::Read)? {
            grade.extra += 1;
            unreadable.count += u64::from(answer.unreadable().is_some());
        }
        grade.shift = unreadable.shift(&grade);
        grade.skipped = submission.skipped();
        grade.total = shares.of(grade.puzzles - grade.not_graded);
        if !self.options.get(ALL_OR_NOTHING) || grade.is_faultless() {
            grade.points = shares.points(parts);
        }
        Ok(grade)
    }
}

/// The answers of a submission that cannot be read.
#[derive(Default)]
struct Unreadable {
    count: u64,
    /// The puzzle for whose answer the first was taken, and its line.
    first: Option<(u64, u64)>,
}

impl Unreadable {
    fn add(&mut self, puzzle: u64, place: Option<Place>) {
        self.count += 1;
        self.first = self.first.or_else(|| Some((puzzle, place?.line)));
    }

    /// Whether as many answers can be read as there are puzzles, and the last ones come too late.
    fn shift(&self, grade: &Grade) -> Option<Shift> {
        let (puzzle, line) = self.first.filter(|_| grade.extra > 0 && grade.extra == self.count)?;
        Some(Shift { answers: grade.puzzles, line, puzzle })
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
    let is_open = !known.is_proved && puzzle.is_none_or(Puzzle::needs_answer);
    let finding = match (answer, puzzle) {
        (None, _) => Finding::missing(),
        (Some(answer), Some(puzzle)) => answer.unreadable().unwrap_or_else(|| puzzle.check(known, answer)),
        // What cannot be solved cannot be checked.
        (Some(_), None) => Finding::not_graded(),
    };
    if is_open && finding.mark != Mark::Internal {
        return Finding::not_graded();
    }
    if finding.expected.is_some() || matches!(finding.mark, Mark::Accepted | Mark::NotGraded) {
        return finding;
    }
    match puzzle.and_then(|puzzle| puzzle.right_answer(known)) {
        Some(right) => finding.expecting(right),
        None => finding,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{Job, Pool};
    use tabuleiro_puzzles::solver::{Bounds, default_options, find};

    /// A key whose first answer is wrong: 0 instead of 1.
    fn wrong_key() -> AnswerKey {
        let solver = find("checkers-capture").unwrap();
        let text = Arc::new(b"3 3\n2 1 2 0 1\n5 3\n1 0 2 1 0 2 0 0\n0 0\n".to_vec());
        let (pool, options) = (Pool::new(1).unwrap(), default_options(solver));
        let (cancel, progress) = (Cancel::default(), Arc::default());
        let job = Job { solver, options: &options, pool: &pool, cancel: &cancel, progress: &progress };
        let mut key = AnswerKey::solve("t".into(), text, &job).unwrap().0;
        key.known[0].bounds = Bounds { at_least: Some(0), at_most: Some(0) };
        key.known[0].headline = "0".into();
        key
    }

    #[test]
    fn an_answer_that_refutes_ours_earns_its_points_and_is_told() {
        let key = wrong_key();
        let grade = |submission: &[u8]| key.grade(submission, &Cancel::default(), |_| Ok(())).unwrap();
        let refuting = grade(b"1 0,2 2,0\n2\n");
        assert_eq!(
            (refuting.name(), refuting.refuting, refuting.points),
            ("internal-error", 1, refuting.total)
        );
        assert!(refuting.is_faultless() && !refuting.is_accepted());
        assert!(!grade(b"1 0,2 2,0\n3\n").is_faultless());
        // What is claimed without being shown is compared as ever.
        assert_eq!((grade(b"1\n2\n").name(), grade(b"0\n2\n").is_accepted()), ("wrong-answer", true));
    }
}
