//! Writes `JUnit` XML: one suite per submission, one case per puzzle.

use std::io::{self, Write};

use super::GradeWriter;
use crate::grading::class::NOTHING_TO_GRADE;
use crate::grading::{AnswerKey, Grade, Graded, Wording};
use tabuleiro_puzzles::picture::{Markup, html};
use tabuleiro_puzzles::solver::Mark;

/// Writes a document. Holds a suite in memory until it ends, because the start tag says how many cases failed.
pub struct Junit<'a> {
    solver: &'static str,
    wording: Wording,
    cases: Markup,
    count: u64,
    is_begun: bool,
    out: &'a mut dyn Write,
}

impl<'a> Junit<'a> {
    /// Creates the writer without writing anything.
    pub fn new(wording: Wording, key: &AnswerKey, out: &'a mut dyn Write) -> Self {
        Self { solver: key.solver.id(), wording, cases: html! {}, count: 0, is_begun: false, out }
    }

    fn head(&mut self) -> io::Result<()> {
        if !std::mem::replace(&mut self.is_begun, true) {
            write!(self.out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?><testsuites>")?;
        }
        Ok(())
    }
}

impl GradeWriter for Junit<'_> {
    fn begin(&mut self, _: &str) -> io::Result<()> {
        (self.cases, self.count) = (html! {}, 0);
        self.head()
    }

    fn puzzle(&mut self, _: &str, graded: &Graded<'_>) -> io::Result<()> {
        if !self.wording.has_puzzles() {
            return Ok(());
        }
        self.count += 1;
        let mark = graded.finding.mark;
        let (text, kind) = (self.wording.verdict_of(graded.finding), mark.reason().unwrap_or(mark.name()));
        let case = html! {
            testcase classname=(self.solver) name=(self.wording.puzzle(graded.number)) {
                @match mark {
                    Mark::Accepted => {}
                    Mark::NotGraded => { skipped message=(text) {} }
                    Mark::Internal => { error message=(text) type=(kind) { (text) } }
                    _ => { failure message=(text) type=(kind) { (text) } }
                }
            }
        };
        self.cases.0.push_str(&case.0);
        Ok(())
    }

    fn end(&mut self, submission: &str, grade: &Grade) -> io::Result<()> {
        let errors = u64::from(grade.internal.is_some());
        let [failures, skipped] = match self.count {
            0 => [0; 2],
            _ => [grade.wrong().saturating_sub(errors), grade.not_graded],
        };
        let suite = html! {
            testsuite name=(submission) tests=(self.count) failures=(failures) errors=(errors) skipped=(skipped) {
                (self.cases)
                system-out { (self.wording.line(grade)) }
            }
        };
        self.out.write_all(suite.0.as_bytes())
    }

    fn nothing(&mut self, name: &str, why: &str) -> io::Result<()> {
        self.head()?;
        let suite = html! {
            testsuite name=(name) tests="1" failures="1" errors="0" skipped="0" {
                testcase classname=(self.solver) name=(name) {
                    failure message=(why) type=(NOTHING_TO_GRADE) { (why) }
                }
            }
        };
        self.out.write_all(suite.0.as_bytes())
    }

    fn finish(&mut self) -> io::Result<()> {
        self.head()?;
        writeln!(self.out, "</testsuites>")
    }
}
