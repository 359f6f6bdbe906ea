//! The XML of `JUnit`: a suite a submission, a case a puzzle.

use std::io::{self, Write};

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event};

use super::GradeWriter;
use crate::grading::class::NOTHING_TO_GRADE;
use crate::grading::{AnswerKey, Grade, Graded, Wording};
use tabuleiro_puzzles::solver::Mark;

/// Writes a document. A suite is held until it ends, since its beginning says how many of its cases failed.
pub struct Junit<'a> {
    solver: &'static str,
    told: Wording,
    cases: Writer<Vec<u8>>,
    count: u64,
    is_begun: bool,
    out: &'a mut dyn Write,
}

impl<'a> Junit<'a> {
    /// Nothing is written yet.
    pub fn new(told: Wording, key: &AnswerKey, out: &'a mut dyn Write) -> Self {
        let solver = key.solver.id();
        let cases = Writer::new(Vec::new());
        Self { solver, told, cases, count: 0, is_begun: false, out }
    }

    fn head(&mut self) -> io::Result<()> {
        if !self.is_begun {
            self.is_begun = true;
            let mut writer = Writer::new(&mut *self.out);
            writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
            writer.write_event(Event::Start(BytesStart::new("testsuites")))?;
        }
        Ok(())
    }
}

impl GradeWriter for Junit<'_> {
    fn begin(&mut self, _: &str) -> io::Result<()> {
        (self.cases, self.count) = (Writer::new(Vec::new()), 0);
        self.head()
    }

    fn puzzle(&mut self, _: &str, graded: &Graded<'_>) -> io::Result<()> {
        if !self.told.has_puzzles() {
            return Ok(());
        }
        self.count += 1;
        let name = self.told.puzzle(graded.number);
        let case = self
            .cases
            .create_element("testcase")
            .with_attributes([("classname", self.solver), ("name", &name)]);
        let text = self.told.verdict_of(graded.finding);
        let kind = graded.finding.mark.name();
        match graded.finding.mark {
            Mark::Accepted => case.write_empty()?,
            mark => case.write_inner_content(|writer| {
                let what = writer.create_element(match mark {
                    Mark::NotGraded => "skipped",
                    Mark::Internal => "error",
                    _ => "failure",
                });
                let what = what.with_attribute(("message", text.as_str()));
                if mark == Mark::NotGraded {
                    return what.write_empty().map(drop);
                }
                let what = what.with_attribute(("type", graded.finding.mark.reason().unwrap_or(kind)));
                what.write_text_content(BytesText::new(&text)).map(drop)
            })?,
        };
        Ok(())
    }

    fn end(&mut self, submission: &str, grade: &Grade) -> io::Result<()> {
        let errors = u64::from(grade.internal.is_some());
        let failures = if self.count > 0 { grade.wrong() - errors.min(grade.wrong()) } else { 0 };
        let numbers = [self.count, failures, errors, if self.count > 0 { grade.not_graded } else { 0 }];
        let [tests, failures, errors, skipped] = numbers.map(|number| number.to_string());
        let start = BytesStart::new("testsuite").with_attributes([
            ("name", submission),
            ("tests", &tests),
            ("failures", &failures),
            ("errors", &errors),
            ("skipped", &skipped),
        ]);
        let mut writer = Writer::new(&mut *self.out);
        writer.write_event(Event::Start(start))?;
        writer.get_mut().write_all(self.cases.get_ref())?;
        let out = writer.create_element("system-out");
        out.write_text_content(BytesText::new(&self.told.line(grade)))?;
        writer.write_event(Event::End(BytesEnd::new("testsuite")))
    }

    fn nothing(&mut self, name: &str, why: &str) -> io::Result<()> {
        self.head()?;
        let numbers = [("tests", "1"), ("failures", "1"), ("errors", "0"), ("skipped", "0")];
        let mut writer = Writer::new(&mut *self.out);
        let suite =
            writer.create_element("testsuite").with_attribute(("name", name)).with_attributes(numbers);
        suite.write_inner_content(|writer| {
            let case = writer.create_element("testcase");
            let case = case.with_attributes([("classname", self.solver), ("name", name)]);
            case.write_inner_content(|writer| {
                let failure = writer.create_element("failure");
                let failure = failure.with_attributes([("message", why), ("type", NOTHING_TO_GRADE)]);
                failure.write_text_content(BytesText::new(why)).map(drop)
            })
            .map(drop)
        })?;
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        self.head()?;
        Writer::new(&mut *self.out).write_event(Event::End(BytesEnd::new("testsuites")))?;
        self.out.write_all(b"\n")
    }
}
