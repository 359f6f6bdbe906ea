//! Grades one submission: reads it once and compares its answers one by one.

use std::io::{self, Read};

use super::answer_key::AnswerKey;
use super::points::{Points, Shares};
use super::standing::Standing;
use crate::{JobError, Rejection, refuse_by_head};
use tabuleiro_puzzles::input::{Place, Scanner};
use tabuleiro_puzzles::solver::{
    ALL_OR_NOTHING, Answer, Budget, Cancel, Entry, Finding, Known, MEMORY_LIMIT, Mark, Puzzle, Submission,
    WORDS, Work,
};
use tabuleiro_puzzles::words::Phrase;

/// Number of leading bytes by which a file that is not text is recognised.
const HEAD_BYTES: u64 = 4096;

/// The verdict on the answer to one puzzle, with the data that grade writers need.
pub struct Graded<'a> {
    /// The number of the puzzle, from 1.
    pub number: u64,
    /// The verdict.
    pub finding: &'a Finding,
    /// The points of the puzzle.
    pub worth: Points,
    /// The points that the answer earns, before `all_or_nothing` applies.
    pub earned: Points,
    /// The submitted answer; `None` if it is missing.
    pub answer: Option<&'a Answer>,
    /// The puzzle in the reference.
    pub entry: Option<&'a Entry>,
    /// Bytes of input from which the puzzle was read.
    pub bytes: u64,
    /// What is proved about the puzzle.
    pub known: &'a Known,
}

/// Number of puzzles between two checks for cancellation.
const CANCEL_PUZZLES: u64 = 512;

/// The grade of a submission.
#[derive(Debug, Clone, Default)]
pub struct Grade {
    /// Number of puzzles in the reference.
    pub puzzles: u64,
    /// The points that the submission earns.
    pub points: Points,
    /// The maximum score, not counting puzzles that are not graded.
    pub total: Points,
    /// Number of right answers.
    pub accepted: u64,
    /// Number of puzzles without a right answer to compare with.
    pub not_graded: u64,
    /// Number of puzzles whose answers are missing.
    pub missing: u64,
    /// Number of answers beyond the last puzzle.
    pub extra: u64,
    /// Number of answers that are proved to be better than ours.
    pub refuting: u64,
    /// A line that was counted as an answer and shifts all answers below it.
    pub shift: Option<Shift>,
    /// Number of lines without an answer that were skipped, and the number of the first of them.
    pub skipped: (u64, u64),
    /// The first puzzle whose answer is not right, and the verdict on it.
    pub first: Option<(u64, Finding)>,
    /// The first answer that proves ours wrong.
    pub internal: Option<(u64, Finding)>,
    /// The kind of the file if the submission is not text; its answers are not read then.
    pub not_text: Option<Phrase>,
    /// Which attempt the submission is and whether it counts, if that is known.
    pub standing: Option<Standing>,
}

/// The first unreadable line of a submission that has exactly as many answers as puzzles if unreadable lines are not
/// counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shift {
    /// Number of answers without the unreadable lines.
    pub answers: u64,
    /// The number of the line.
    pub line: u64,
    /// The puzzle for which the line was counted as the answer.
    pub puzzle: u64,
}

impl Grade {
    /// Returns whether the submission is right: at least one answer could be compared, every compared answer is right,
    /// and there are no extra answers.
    pub fn is_accepted(&self) -> bool {
        self.has_no_fault() && self.accepted > 0
    }

    /// Returns whether the submission is neither right nor wrong, because no answer could be compared.
    pub fn is_ungraded(&self) -> bool {
        self.has_no_fault() && self.accepted == 0
    }

    fn has_no_fault(&self) -> bool {
        self.first.is_none() && self.extra == 0 && self.not_text.is_none()
    }

    /// Returns whether every graded puzzle has an answer that is right or better than ours, and no answer is extra.
    pub fn is_faultless(&self) -> bool {
        self.wrong() == self.refuting && self.extra == 0 && self.not_text.is_none()
    }

    /// Returns the number of puzzles whose answers are not right.
    pub fn wrong(&self) -> u64 {
        self.puzzles - self.accepted - self.not_graded
    }

    /// Returns the points and the maximum score, for programs: `37/40`.
    pub fn share(&self) -> String {
        format!("{}/{}", self.points, self.total)
    }

    /// Returns the first answer that proves ours wrong, or else the first that is not right, with its puzzle.
    pub(super) fn shown_finding(&self) -> Option<&(u64, Finding)> {
        self.internal.as_ref().or(self.first.as_ref())
    }

    /// Returns the number of the puzzle whose answer is shown as the first wrong one.
    pub fn first_wrong(&self) -> Option<u64> {
        self.shown_finding().map(|(number, _)| *number)
    }

    /// Returns the name of the verdict, for programs.
    pub fn name(&self) -> &'static str {
        if self.not_text.is_some() {
            return Mark::Presentation.name();
        }
        match self.shown_finding() {
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
        let numbered = || Some((graded.number, graded.finding.clone()));
        match graded.finding.mark {
            Mark::Accepted => self.accepted += 1,
            mark => {
                self.first = self.first.take().or_else(numbered);
                self.missing += u64::from(mark == Mark::Missing);
                if mark == Mark::Internal {
                    self.refuting += 1;
                    self.internal = self.internal.take().or_else(numbered);
                }
            }
        }
    }
}

impl AnswerKey {
    /// Grades a submission, and calls `take` with the verdict on each answer.
    ///
    /// # Errors
    /// Fails if reading or `take` fails. The caller must then discard what `take` received.
    pub fn grade(
        &self,
        source: impl Read,
        cancel: &Cancel,
        take: impl FnMut(&Graded<'_>) -> io::Result<()>,
    ) -> Result<Grade, JobError> {
        let budget = Budget::new(None, None, self.options.get(MEMORY_LIMIT), cancel.clone());
        self.grade_within(source, &budget, take)
    }

    /// Grades a submission within the memory of `budget`, until `budget` is cancelled.
    pub(super) fn grade_within(
        &self,
        mut source: impl Read,
        budget: &Budget,
        mut take: impl FnMut(&Graded<'_>) -> io::Result<()>,
    ) -> Result<Grade, JobError> {
        let mut head = Vec::new();
        source.by_ref().take(HEAD_BYTES).read_to_end(&mut head).map_err(JobError::Read)?;
        let mut grade = Grade { not_text: not_text(&head).map_err(JobError::Read)?, ..Grade::default() };
        let source: Box<dyn Read> =
            if grade.not_text.is_some() { Box::new(io::empty()) } else { Box::new(head.chain(source)) };
        let reader = self.solver.answers(&self.options);
        let mut submission = Submission::new(source, reader, self.options.get(WORDS), budget);
        let shares = Shares::new(&self.options, self.puzzles());
        let (mut scanner, mut reading) = self.open().map_err(JobError::Read)?;
        let mut entry = reading.read(&mut scanner).map_err(JobError::Read)?;
        let (mut begin, mut end) = (0, scanner.bytes_consumed());
        let (mut parts, mut unreadable) = (0, Unreadable::default());
        for (number, known) in (1..).zip(&self.outcomes.known) {
            if number % CANCEL_PUZZLES == 0 && budget.check().is_err() {
                return Err(JobError::Cancelled);
            }
            let next = reading.read(&mut scanner).map_err(JobError::Read)?;
            let bytes = end - begin;
            (begin, end) = (end, scanner.bytes_consumed());
            let next_begins = |answer: &Answer| puzzle(next.as_ref())?.begins_in(answer);
            let answer = submission.read(next_begins).map_err(JobError::Read)?;
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
            take(&graded).map_err(JobError::Write)?;
            grade.add(&graded);
            entry = next;
        }
        while let Some(answer) = submission.read(|_| None).map_err(JobError::Read)? {
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

/// The answers of a submission that cannot be parsed.
#[derive(Default)]
struct Unreadable {
    count: u64,
    /// The puzzle for which the first one was counted as the answer, and its line.
    first: Option<(u64, u64)>,
}

impl Unreadable {
    fn add(&mut self, puzzle: u64, place: Option<Place>) {
        self.count += 1;
        self.first = self.first.or_else(|| Some((puzzle, place?.line)));
    }

    /// Returns the first unreadable line if, without the unreadable lines, there are exactly as many answers as
    /// puzzles.
    fn shift(&self, grade: &Grade) -> Option<Shift> {
        let (puzzle, line) = self.first.filter(|_| grade.extra > 0 && grade.extra == self.count)?;
        Some(Shift { answers: grade.puzzles, line, puzzle })
    }
}

/// Returns the kind of a file that is not text, recognised by its first bytes.
fn not_text(head: &[u8]) -> io::Result<Option<Phrase>> {
    Ok(match refuse_by_head(&Scanner::new(head, "")?) {
        Err(Rejection::NotText(kind)) => Some(kind.into()),
        // An empty submission is graded like any other.
        _ => None,
    })
}

fn puzzle(entry: Option<&Entry>) -> Option<&dyn Puzzle> {
    match entry? {
        Entry { work: Work::Solve(puzzle), .. } => Some(&**puzzle),
        Entry { .. } => None,
    }
}

/// Judges the answer to a puzzle.
fn judge(puzzle: Option<&dyn Puzzle>, known: &Known, answer: Option<&Answer>) -> Finding {
    let is_open = !known.is_proved && puzzle.is_none_or(<dyn Puzzle>::needs_answer);
    let finding = match (answer, puzzle) {
        (None, _) => Finding::missing(),
        (Some(answer), Some(puzzle)) => answer.unreadable().unwrap_or_else(|| puzzle.check(known, answer)),
        // A puzzle that cannot be solved has no answer to compare with.
        (Some(_), None) => Finding::not_graded(),
    };
    if is_open && finding.mark != Mark::Internal {
        return Finding::not_graded();
    }
    if finding.expected.is_some() || matches!(finding.mark, Mark::Accepted | Mark::NotGraded) {
        return finding;
    }
    // If every legal answer is right, the message names no expected answer.
    if puzzle.is_some_and(<dyn Puzzle>::needs_answer) { finding.expecting(&*known.headline) } else { finding }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{Job, Pool};
    use tabuleiro_puzzles::solver::{Bounds, default_options, find};

    /// Returns a key whose first answer is wrong: 0 instead of 1.
    fn wrong_key() -> AnswerKey {
        let solver = find("checkers-capture").unwrap();
        let text = Arc::new(b"3 3\n2 1 2 0 1\n5 3\n1 0 2 1 0 2 0 0\n0 0\n".to_vec());
        let (pool, options) = (Pool::new(1).unwrap(), default_options(solver));
        let (cancel, progress) = (Cancel::default(), Arc::default());
        let job = Job { solver, options: &options, pool: &pool, cancel: &cancel, progress: &progress };
        let mut key = AnswerKey::solve("t".into(), text, &job).unwrap().0;
        key.outcomes.known[0].bounds = Bounds { at_least: Some(0), at_most: Some(0) };
        key.outcomes.known[0].headline = "0".into();
        key
    }

    #[test]
    fn an_answer_that_refutes_ours_earns_its_points_and_is_reported() {
        let key = wrong_key();
        let grade = |submission: &[u8]| key.grade(submission, &Cancel::default(), |_| Ok(())).unwrap();
        let refuting = grade(b"1 0,2 2,0\n2\n");
        assert_eq!(
            (refuting.name(), refuting.refuting, refuting.points),
            ("internal-error", 1, refuting.total)
        );
        assert!(refuting.is_faultless() && !refuting.is_accepted());
        assert!(!grade(b"1 0,2 2,0\n3\n").is_faultless());
        // A claim without a witness is compared as usual.
        assert_eq!((grade(b"1\n2\n").name(), grade(b"0\n2\n").is_accepted()), ("wrong-answer", true));
    }
}
