//! Puts grades into words, as far as the reader is allowed to see them.

use super::graded::{Grade, Shift};
use super::points::Points;
use super::standing;
use tabuleiro_puzzles::solver::{Finding, LANGUAGE, Mark, Options, REVEAL, Reveal};
use tabuleiro_puzzles::words::{Language, Phrase, messages};

messages! {
    "grade"
    /// Verdicts, and the other parts of a grade's text.
    enum Part {
        Accepted = "accepted",
        WrongAnswer = "wrong-answer",
        PresentationError = "presentation-error",
        Missing = "missing",
        Undecided = "undecided",
        Ungraded = "ungraded",
        InternalError = "internal-error",
        Extra = "extra" { answers: u64 },
        Of = "of" { points: String, total: String },
        NotGraded = "not-graded" { puzzles: u64 },
        AtPuzzle = "at-puzzle" { verdict: Phrase, puzzle: u64 },
        AtLine = "at-line" { verdict: Phrase, puzzle: u64, line: u64 },
        Puzzle = "puzzle" { puzzle: u64 },
        Expected = "expected" { expected: String },
        More = "more" { puzzles: u64 },
        Shifted = "shifted" { answers: u64, line: u64, puzzle: u64 },
        Skipped = "skipped" { lines: u64, first: u64 },
        Graded = "graded",
        Late = "late" { deadline: String },
        Attempt = "attempt" { attempt: u64, attempts_max: u64 },
        OverAttempts = "over-attempts" { attempt: u64, attempts_max: u64 },
    }
}

/// How much of a grade is shown, and in which language.
#[derive(Debug, Clone, Copy)]
pub struct Wording {
    language: Language,
    /// Never [`Reveal::Auto`].
    reveal: Reveal,
}

impl Wording {
    /// Returns the wording for the staff: with the right answers, unless the options say otherwise.
    pub fn to_staff(options: &Options) -> Self {
        Self::new(options, Reveal::Full)
    }

    /// Returns the wording for students: without the right answers, unless the options say otherwise.
    pub fn to_students(options: &Options) -> Self {
        Self::new(options, Reveal::Own)
    }

    fn new(options: &Options, usual: Reveal) -> Self {
        let reveal = options.get(REVEAL);
        Self { language: options.get(LANGUAGE), reveal: if reveal == Reveal::Auto { usual } else { reveal } }
    }

    /// Returns this wording without the right answers.
    pub fn without_answers(self) -> Self {
        Self { reveal: if self.has_answers() { Reveal::Own } else { self.reveal }, ..self }
    }

    /// Returns this wording with at least the points.
    pub fn with_points(self) -> Self {
        let reveal = if self.reveal == Reveal::None { Reveal::Points } else { self.reveal };
        Self { reveal, ..self }
    }

    /// Returns whether points are shown.
    pub fn has_points(self) -> bool {
        self.reveal != Reveal::None
    }

    /// Returns whether single puzzles are shown.
    pub fn has_puzzles(self) -> bool {
        matches!(self.reveal, Reveal::Full | Reveal::Own)
    }

    /// Returns whether the right answers are shown.
    pub fn has_answers(self) -> bool {
        self.reveal == Reveal::Full
    }

    /// Returns the grade in one line: `37 of 40: wrong answer at puzzle 7 (line 9): found 12, expected 14; 2 more`,
    /// followed by the deadline and the number of attempts if they matter.
    pub fn line(self, grade: &Grade) -> String {
        let standing = grade.standing.into_iter().flat_map(|standing| {
            let late =
                standing.missed.map(|deadline| Part::Late { deadline: standing::deadline_text(deadline) });
            let attempt = standing.attempt;
            let counted = standing.attempts_max.map(|attempts_max| {
                if standing.is_over_attempts() {
                    Part::OverAttempts { attempt, attempts_max }
                } else {
                    Part::Attempt { attempt, attempts_max }
                }
            });
            late.into_iter().chain(counted)
        });
        standing.fold(self.result(grade), |line, part| format!("{line}; {}", self.say(part)))
    }

    fn result(self, grade: &Grade) -> String {
        if grade.is_ungraded() {
            return self.say(Part::Ungraded);
        }
        if !self.has_points() {
            return self.say(Part::Graded);
        }
        let mut line =
            self.say(Part::Of { points: self.points(grade.points), total: self.points(grade.total) });
        if grade.not_graded > 0 {
            line = format!("{line}, {}", self.say(Part::NotGraded { puzzles: grade.not_graded }));
        }
        if !self.has_puzzles() {
            return line;
        }
        line.push_str(": ");
        line.push_str(&self.verdict(grade));
        line
    }

    /// Returns the verdict on a submission, with the first wrong answer.
    pub fn verdict(self, grade: &Grade) -> String {
        if let Some(kind) = &grade.not_text {
            return format!("{}: {}", self.say(Part::PresentationError), kind.say(self.language));
        }
        let extra = (grade.extra > 0).then(|| self.say(Part::Extra { answers: grade.extra }));
        let Some((number, finding)) = grade.shown_finding() else {
            return extra.unwrap_or_else(|| self.say(Part::Accepted));
        };
        let mut line = self.at(*number, finding);
        let more = grade.wrong() - 1;
        if more > 0 {
            line = format!("{line}; {}", self.say(Part::More { puzzles: more }));
        }
        let Grade { shift, skipped: (lines, first), .. } = *grade;
        let shifted =
            shift.map(|Shift { answers, line, puzzle }| self.say(Part::Shifted { answers, line, puzzle }));
        // If answers are missing, they may be in the skipped lines, so the message names these.
        let skipped = (grade.missing > 0 && lines > 0).then(|| self.say(Part::Skipped { lines, first }));
        [extra, shifted, skipped].into_iter().flatten().fold(line, |line, more| format!("{line}; {more}"))
    }

    /// Returns the verdict on one answer: `wrong answer at puzzle 7 (line 9): found 12, expected 14`.
    pub fn at(self, puzzle: u64, finding: &Finding) -> String {
        let verdict = verdict(finding).into();
        let place = match finding.place {
            Some(place) => Part::AtLine { verdict, puzzle, line: place.line },
            None => Part::AtPuzzle { verdict, puzzle },
        };
        let (place, remark) = (self.say(place), self.remark(finding));
        if remark.is_empty() { place } else { format!("{place}: {remark}") }
    }

    /// Returns what is wrong with one answer, with the right answer if it may be shown.
    pub fn remark(self, finding: &Finding) -> String {
        let remark = finding.remark.as_ref().map(|remark| remark.say(self.language));
        let expected = finding.expected.as_ref().filter(|_| self.has_answers());
        let expected = expected.map(|expected| self.say(Part::Expected { expected: expected.clone() }));
        let remark = remark.into_iter().chain(expected).collect::<Vec<_>>().join(", ");
        match &finding.form {
            Some(form) => format!("{remark}; {}", form.say(self.language)),
            None => remark,
        }
    }

    /// Returns the verdict on one answer without its puzzle: `wrong answer: found 12, expected 14`.
    pub fn verdict_of(self, finding: &Finding) -> String {
        let (verdict, remark) = (self.say(verdict(finding)), self.remark(finding));
        if remark.is_empty() { verdict } else { format!("{verdict}: {remark}") }
    }

    /// Returns `puzzle 7`.
    pub fn puzzle(self, puzzle: u64) -> String {
        self.say(Part::Puzzle { puzzle })
    }

    /// Formats points as the language does: `3.33` or `3,33`.
    fn points(self, points: Points) -> String {
        let text = points.to_string();
        if self.language == Language::Portuguese { text.replace('.', ",") } else { text }
    }

    /// Returns a message in the language of the grade.
    pub fn say(self, phrase: impl Into<Phrase>) -> String {
        phrase.into().say(self.language)
    }
}

fn verdict(finding: &Finding) -> Part {
    match finding.mark {
        Mark::Accepted => Part::Accepted,
        Mark::Wrong(_) => Part::WrongAnswer,
        Mark::Presentation => Part::PresentationError,
        Mark::Missing => Part::Missing,
        Mark::NotGraded => Part::Undecided,
        Mark::Internal => Part::InternalError,
    }
}
