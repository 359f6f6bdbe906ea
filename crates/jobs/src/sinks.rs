//! Sinks take the outcomes of a job and write its results.

use std::io::{self, Write};
use std::time::Duration;

use crate::file_messages::stray_lines;
use crate::page::PageSink;
use crate::pool::Limits;
use crate::result_json::JsonSink;
use crate::summary::{STRAY_LINES_MAX, STRAY_RULE, Summary};
use tabuleiro_puzzles::input::Place;
use tabuleiro_puzzles::solver::{
    LANGUAGE, Options, Outcome, Proposal, Puzzle, Solver, Subject, Teller, Verdict,
};
use tabuleiro_puzzles::words::Phrase;

/// Takes the outcomes of a job, in order.
pub trait Sink {
    /// Takes an outcome.
    ///
    /// # Errors
    /// Fails if writing fails.
    fn outcome(&mut self, answered: &Answered<'_>) -> io::Result<()>;
}

/// The outcome of a puzzle, in its turn.
#[derive(Clone, Copy)]
pub struct Answered<'a> {
    /// The number of the puzzle, from 1.
    pub number: u64,
    /// Where the puzzle begins.
    pub place: Place,
    /// The outcome.
    pub outcome: &'a Outcome,
    /// How long the puzzle took to solve.
    pub wall: Duration,
    /// The puzzle; `None` if its outcome was known when it was read.
    pub puzzle: Option<&'a dyn Puzzle>,
    /// Bytes of input from which the puzzle was read.
    pub bytes: u64,
}

/// What results say about the job itself.
#[derive(Clone, Copy)]
pub struct JobInfo<'a> {
    /// The input's printable name.
    pub file: &'a str,
    /// The solver.
    pub solver: &'a dyn Solver,
    /// The solver's options.
    pub options: &'a Options,
}

impl<'a> JobInfo<'a> {
    /// Returns the file, the noun and the language of the job's messages.
    pub(crate) fn teller(&self) -> Teller<'a> {
        Teller { language: self.options.get(LANGUAGE), file: self.file, noun: self.solver.info().noun }
    }
}

/// The text of one job and, if requested, the JSON and the page.
pub struct Sinks<'a, W> {
    /// Writes the text.
    pub text: TextSink<'a, W>,
    /// Writes the JSON.
    pub json: Option<JsonSink<'a, W>>,
    /// Writes the page.
    pub page: Option<PageSink<'a, W>>,
}

impl<W: Write> Sinks<'_, W> {
    /// Finishes the outputs and returns them in the order text, JSON, page. The JSON needs the digest of the input. If
    /// the page lacks a witness, the page searches for one within `limits`.
    ///
    /// # Errors
    /// Fails if writing fails.
    pub fn finish(self, summary: &Summary, digest: Option<String>, limits: &Limits) -> io::Result<Vec<W>> {
        let mut written = vec![self.text.finish(summary)?];
        if let (Some(json), Some(digest)) = (self.json, digest) {
            written.push(json.finish(summary, &digest)?);
        }
        if let Some(page) = self.page {
            written.push(page.finish(summary, limits)?);
        }
        Ok(written)
    }
}

impl<W: Write> Sink for Sinks<'_, W> {
    fn outcome(&mut self, answered: &Answered<'_>) -> io::Result<()> {
        self.text.outcome(answered)?;
        self.json.as_mut().map_or(Ok(()), |json| json.outcome(answered))?;
        self.page.as_mut().map_or(Ok(()), |page| page.outcome(answered))
    }
}

/// Writes `saida.txt`.
pub struct TextSink<'a, W> {
    out: W,
    teller: Teller<'a>,
    has_stray_line: bool,
    /// How many further lines belong to no puzzle, and the first of them.
    stray_lines: (u64, Vec<u64>),
}

impl<'a, W: Write> TextSink<'a, W> {
    /// Creates the sink without writing anything.
    pub fn new(out: W, info: &JobInfo<'a>) -> Self {
        Self { out, teller: info.teller(), has_stray_line: false, stray_lines: (0, Vec::new()) }
    }

    /// Writes what concerns the whole file below the answers: further lines that belong to no puzzle, warnings, and a
    /// note on the lines after the end marker.
    ///
    /// # Errors
    /// Fails if `out` cannot be written.
    pub fn finish(mut self, summary: &Summary) -> io::Result<W> {
        let Teller { language, .. } = self.teller;
        if let (count @ 1.., lines) = self.stray_lines {
            writeln!(self.out, "ignored: {}", Phrase::from(stray_lines(count, &lines)).say(language))?;
        }
        for warning in summary.warnings.iter().filter(|warning| warning.is_in_result) {
            writeln!(self.out, "warning: {}", warning.what.say(language))?;
        }
        if let Some(ignored) = &summary.ignored {
            writeln!(self.out, "ignored: {}", ignored.what.say(language))?;
        }
        Ok(self.out)
    }
}

impl<W: Write> Sink for TextSink<'_, W> {
    fn outcome(&mut self, answered: &Answered<'_>) -> io::Result<()> {
        // A title before each puzzle is one mistake: only the first has a line among the answers.
        if let Verdict::Invalid(problem) = &answered.outcome.verdict
            && problem.rule() == STRAY_RULE
            && problem.subject == Subject::Lines
            && std::mem::replace(&mut self.has_stray_line, true)
        {
            let (count, lines) = &mut self.stray_lines;
            let line = problem.place.line;
            let (from, to) = problem.proposal.as_deref().map_or((line, line), Proposal::lines);
            *count += to - from + 1;
            lines.extend((from..=to).take(STRAY_LINES_MAX - lines.len()));
            return Ok(());
        }
        answered.outcome.write_text(&mut self.out, &self.teller)
    }
}
