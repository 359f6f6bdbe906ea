//! What grades say in words, as much as a student is to be told.

use super::grade::Grade;
use crate::solver::{Choice as _, Finding, LANGUAGE, Mark, Options, REVEAL, Reveal, Unproved};
use crate::words::{Language, Phrase, messages};

messages! {
    "grade"
    /// A verdict.
    enum Verdict {
        Accepted = "accepted",
        WrongAnswer = "wrong-answer",
        PresentationError = "presentation-error",
        Missing = "missing",
        Undecided = "undecided",
        Invalid = "invalid",
        Auto = "auto",
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
        Graded = "graded",
    }
}

/// How a grade is told.
#[derive(Debug, Clone, Copy)]
pub struct Told {
    language: Language,
    reveal: Reveal,
}

impl Told {
    /// As the options have it.
    #[must_use]
    pub fn new(options: &Options) -> Self {
        Self { language: options.get(LANGUAGE), reveal: options.get(REVEAL) }
    }

    /// As the options have it, but with no more than that.
    #[must_use]
    pub fn revealing(options: &Options, reveal: Reveal) -> Self {
        let told = Self::new(options);
        let is_less = |reveal: &Reveal| Reveal::ALL.iter().position(|(_, value)| value == reveal);
        Self { reveal: if is_less(&told.reveal) > is_less(&reveal) { told.reveal } else { reveal }, ..told }
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

    /// The grade in a line: `37 of 40: wrong answer at puzzle 7 (line 9): found 12, expected 14; 2 more`.
    #[must_use]
    pub fn line(self, grade: &Grade) -> String {
        if !self.has_points() {
            return self.say(Part::Graded);
        }
        let mut line =
            self.say(Part::Of { points: grade.points.to_string(), total: grade.total.to_string() });
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
        if let Some(extra) = extra {
            line = format!("{line}; {extra}");
        }
        line
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

    fn say(self, phrase: impl Into<Phrase>) -> String {
        phrase.into().say(self.language)
    }
}

fn verdict(finding: &Finding) -> Verdict {
    match finding.mark {
        Mark::Accepted => Verdict::Accepted,
        Mark::Wrong(_) => Verdict::WrongAnswer,
        Mark::Presentation => Verdict::PresentationError,
        Mark::Missing => Verdict::Missing,
        Mark::NotGraded(Unproved::Undecided) => Verdict::Undecided,
        Mark::NotGraded(Unproved::Invalid) => Verdict::Invalid,
        Mark::NotGraded(Unproved::Auto) => Verdict::Auto,
        Mark::Internal => Verdict::InternalError,
    }
}
