//! What grades say in words, as much as a student is to be told.

use super::graded::{Grade, Shift};
use super::points::Points;
use super::standing;
use tabuleiro_puzzles::solver::{Finding, LANGUAGE, Mark, Options, REVEAL, Reveal};
use tabuleiro_puzzles::words::{Language, Phrase, messages};

messages! {
    "grade"
    /// A verdict.
    enum Verdict {
        Accepted = "accepted",
        WrongAnswer = "wrong-answer",
        PresentationError = "presentation-error",
        Missing = "missing",
        Undecided = "undecided",
        Ungraded = "ungraded",
        InternalError = "internal-error",
        Extra = "extra" { answers: u64 },
    }
}

messages! {
    "grade"
    /// What grades are made of.
    enum Part {
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

/// How a grade is told.
#[derive(Debug, Clone, Copy)]
pub struct Wording {
    language: Language,
    /// It is never [`Reveal::Auto`].
    reveal: Reveal,
}

impl Wording {
    /// For what the staff reads: the right answers, unless the options say otherwise.
    #[must_use]
    pub fn to_staff(options: &Options) -> Self {
        Self::new(options, Reveal::Full)
    }

    /// For what students read: without the right answers, unless the options say otherwise.
    #[must_use]
    pub fn to_students(options: &Options) -> Self {
        Self::new(options, Reveal::Own)
    }

    fn new(options: &Options, usual: Reveal) -> Self {
        let reveal = options.get(REVEAL);
        Self { language: options.get(LANGUAGE), reveal: if reveal == Reveal::Auto { usual } else { reveal } }
    }

    /// The same without the right answers, whatever the options say.
    #[must_use]
    pub fn without_answers(self) -> Self {
        Self { reveal: if self.has_answers() { Reveal::Own } else { self.reveal }, ..self }
    }

    /// The same, but with the points at least.
    #[must_use]
    pub fn with_points(self) -> Self {
        let reveal = if self.reveal == Reveal::None { Reveal::Points } else { self.reveal };
        Self { reveal, ..self }
    }

    /// Whether points are told.
    #[must_use]
    pub fn has_points(self) -> bool {
        self.reveal != Reveal::None
    }

    /// Whether something is told of single puzzles.
    #[must_use]
    pub fn has_puzzles(self) -> bool {
        matches!(self.reveal, Reveal::Full | Reveal::Own)
    }

    /// Whether the right answers are told.
    #[must_use]
    pub fn has_answers(self) -> bool {
        self.reveal == Reveal::Full
    }

    /// The grade in a line: `37 of 40: wrong answer at puzzle 7 (line 9): found 12, expected 14; 2 more`. Behind it what there
    /// is to say about the deadline and the number of attempts.
    #[must_use]
    pub fn line(self, grade: &Grade) -> String {
        let standing = grade.standing.into_iter().flat_map(|standing| {
            let late = standing.missed.map(|deadline| Part::Late { deadline: standing::told(deadline) });
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
            return self.say(Verdict::Ungraded);
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

    /// The verdict of a submission, with what is wrong first.
    #[must_use]
    pub fn verdict(self, grade: &Grade) -> String {
        if let Some(kind) = &grade.not_text {
            return format!("{}: {}", self.say(Verdict::PresentationError), kind.say(self.language));
        }
        let extra = (grade.extra > 0).then(|| self.say(Verdict::Extra { answers: grade.extra }));
        // What shows that we are wrong comes before whatever else is.
        let Some((number, finding)) = grade.internal.as_ref().or(grade.first.as_ref()) else {
            return extra.unwrap_or_else(|| self.say(Verdict::Accepted));
        };
        let mut line = self.at(*number, finding);
        let more = grade.wrong() - 1;
        if more > 0 {
            line = format!("{line}; {}", self.say(Part::More { puzzles: more }));
        }
        let Grade { shift, skipped: (lines, first), .. } = *grade;
        let shifted =
            shift.map(|Shift { answers, line, puzzle }| self.say(Part::Shifted { answers, line, puzzle }));
        // A program whose form of answers is not known would be told no more than that its answers are missing.
        let skipped = (grade.missing > 0 && lines > 0).then(|| self.say(Part::Skipped { lines, first }));
        [extra, shifted, skipped].into_iter().flatten().fold(line, |line, more| format!("{line}; {more}"))
    }

    /// What became of one answer: `wrong answer at puzzle 7 (line 9): found 12, expected 14`.
    #[must_use]
    pub fn at(self, puzzle: u64, finding: &Finding) -> String {
        let verdict = verdict(finding).into();
        let place = match finding.place {
            Some(place) => Part::AtLine { verdict, puzzle, line: place.line },
            None => Part::AtPuzzle { verdict, puzzle },
        };
        let (place, remark) = (self.say(place), self.remark(finding));
        if remark.is_empty() { place } else { format!("{place}: {remark}") }
    }

    /// What is wrong with one answer, and the right one, as far as it is to be told.
    #[must_use]
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

    /// What became of one answer, where its puzzle is told elsewhere: `wrong answer: found 12, expected 14`.
    #[must_use]
    pub fn verdict_of(self, finding: &Finding) -> String {
        let (verdict, remark) = (self.say(verdict(finding)), self.remark(finding));
        if remark.is_empty() { verdict } else { format!("{verdict}: {remark}") }
    }

    /// `puzzle 7`.
    #[must_use]
    pub fn puzzle(self, puzzle: u64) -> String {
        self.say(Part::Puzzle { puzzle })
    }

    /// Points as the language writes them: `3.33`, `3,33`.
    fn points(self, points: Points) -> String {
        let text = points.to_string();
        if self.language == Language::Portuguese { text.replace('.', ",") } else { text }
    }

    /// A message in the language of the grade.
    #[must_use]
    pub fn say(self, phrase: impl Into<Phrase>) -> String {
        phrase.into().say(self.language)
    }
}

fn verdict(finding: &Finding) -> Verdict {
    match finding.mark {
        Mark::Accepted => Verdict::Accepted,
        Mark::Wrong(_) => Verdict::WrongAnswer,
        Mark::Presentation => Verdict::PresentationError,
        Mark::Missing => Verdict::Missing,
        Mark::NotGraded => Verdict::Undecided,
        Mark::Internal => Verdict::InternalError,
    }
}
