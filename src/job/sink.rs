//! Where outcomes go: the text a person reads, and the JSON beside it.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::input::{Ignored, Place};
use crate::job::page::PageSink;
use crate::job::pool::Limits;
use crate::job::summary::Summary;
use crate::solver::{
    LANGUAGE, Options, Outcome, Problem, Puzzle, Solver, Teller, Verdict, WITNESS, is_of_grading,
};

/// Takes the outcomes of a job, in order.
pub trait Sink {
    /// Takes an outcome.
    ///
    /// # Errors
    /// Those of writing.
    fn outcome(&mut self, answered: &Answered<'_>) -> io::Result<()>;
}

/// The outcome of a puzzle, in its turn.
#[derive(Clone, Copy)]
pub struct Answered<'a> {
    /// The number of the puzzle, from 1.
    pub number: u64,
    /// Where it begins.
    pub place: Place,
    /// What became of it.
    pub outcome: &'a Outcome,
    /// How long it took to solve.
    pub wall: Duration,
    /// The puzzle, where it was one to be solved.
    pub puzzle: Option<&'a Arc<dyn Puzzle>>,
    /// Bytes of input that it was read from.
    pub bytes: u64,
}

/// What results say of the job itself.
#[derive(Clone, Copy)]
pub struct JobInfo<'a> {
    /// The input's printable name.
    pub file: &'a str,
    /// The solver.
    pub solver: &'a dyn Solver,
    /// Its options.
    pub options: &'a Options,
}

impl<'a> JobInfo<'a> {
    /// How its outcomes are told.
    pub(in crate::job) fn teller(&self) -> Teller<'a> {
        Teller { language: self.options.get(LANGUAGE), file: self.file, noun: self.solver.info().noun }
    }
}

/// Writes `saida.txt`.
pub struct TextSink<'a, W> {
    out: W,
    teller: Teller<'a>,
}

impl<'a, W: Write> TextSink<'a, W> {
    /// Nothing is written yet.
    #[must_use]
    pub fn new(out: W, info: &JobInfo<'a>) -> Self {
        Self { out, teller: info.teller() }
    }

    /// Writes what concerns the whole file behind the answers: warnings, and what was ignored.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn finish(mut self, summary: &Summary) -> io::Result<W> {
        let Teller { language, .. } = self.teller;
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
        answered.outcome.write_text(&mut self.out, &self.teller)
    }
}

/// What a JSON result says of its job and its name.
#[derive(Debug, Clone, Default)]
pub struct JsonOrigin<'a> {
    /// The job's ID, which its outputs have in their names where they are not the plain ones; of a service's job alone.
    pub id: Option<&'a str>,
    /// The plain name of the result, printable, where something else has it.
    pub name_taken: Option<String>,
    /// The printable name of the input whose output has that name, where it is one.
    pub taken_by: Option<String>,
}

/// The text of one job and, where they are asked for, the JSON and the page.
pub struct Sinks<'a, W> {
    text: TextSink<'a, W>,
    json: Option<JsonSink<'a, W>>,
    page: Option<PageSink<'a, W>>,
}

impl<'a, W: Write> Sinks<'a, W> {
    /// Begins the text.
    pub fn new(text: W, info: &JobInfo<'a>) -> Self {
        Self { text: TextSink::new(text, info), json: None, page: None }
    }

    /// Begins the JSON as well, with what it says of the job.
    ///
    /// # Errors
    /// Those of writing.
    pub fn with_json(self, json: W, origin: &JsonOrigin<'_>, info: &JobInfo<'a>) -> io::Result<Self> {
        Ok(Self { json: Some(JsonSink::new(json, info, origin)?), ..self })
    }

    /// Begins the page as well.
    #[must_use]
    pub fn with_page(self, page: W, info: &JobInfo<'a>) -> Self {
        Self { page: Some(PageSink::new(page, info)), ..self }
    }

    /// Ends them all, with the digest of the input where there is JSON. What a page lacks is looked for within `limits`.
    /// Gives them in the order text, JSON, page.
    ///
    /// # Errors
    /// Those of writing.
    pub fn finish(self, summary: &Summary, digest: Option<Sha256>, limits: &Limits) -> io::Result<Vec<W>> {
        let mut written = vec![self.text.finish(summary)?];
        if let (Some(json), Some(digest)) = (self.json, digest) {
            let hex: String = digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
            written.push(json.finish(summary, &hex)?);
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

/// Writes `saida.json`: one object, its puzzles streamed, one a line.
pub struct JsonSink<'a, W> {
    out: W,
    teller: Teller<'a>,
    /// Witnesses may have been made for a page alone.
    has_witness: bool,
    puzzles: u64,
}

/// The beginning of a JSON result.
#[derive(Serialize)]
struct Head<'a> {
    file: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name_taken: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    taken_by: Option<&'a str>,
    solver: &'a str,
    options: BTreeMap<&'a str, String>,
    version: &'static str,
}

/// One puzzle of a JSON result.
#[derive(Serialize)]
struct PuzzleLine<'a> {
    number: u64,
    line: u64,
    answer: &'a Value,
    #[serde(skip_serializing_if = "Value::is_null")]
    witness: &'a Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    at_least: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at_most: Option<u64>,
    /// The limit that ended the search.
    #[serde(skip_serializing_if = "Option::is_none")]
    undecided: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    invalid: Option<&'a Problem>,
    seconds: f64,
}

/// The end of a JSON result.
#[derive(Serialize)]
struct Tail<'a> {
    puzzles: u64,
    invalid: u64,
    undecided: u64,
    warnings: Vec<WarningLine<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ignored: Option<IgnoredLines<'a>>,
    input_bytes: u64,
    input_sha256: &'a str,
    parse_seconds: f64,
    solve_seconds: f64,
    solve_cpu_seconds: f64,
}

/// A warning of a JSON result.
#[derive(Serialize)]
struct WarningLine<'a> {
    line: u64,
    column: u64,
    rule: &'a str,
    text: String,
}

/// Text that was ignored.
#[derive(Serialize)]
struct IgnoredLines<'a> {
    line: u64,
    lines: u64,
    rule: &'a str,
    text: String,
}

impl<'a, W: Write> JsonSink<'a, W> {
    /// Begins the object.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn new(mut out: W, info: &JobInfo<'a>, origin: &JsonOrigin<'_>) -> io::Result<Self> {
        let own = info.options.iter().filter(|(name, _)| !is_of_grading(name));
        let options = own.map(|(name, value)| (name, value.to_string())).collect();
        let version = env!("CARGO_PKG_VERSION");
        let head = serde_json::to_string(&Head {
            file: info.file,
            id: origin.id,
            name_taken: origin.name_taken.as_deref(),
            taken_by: origin.taken_by.as_deref(),
            solver: info.solver.id(),
            options,
            version,
        })?;
        // The object stays open for the puzzles.
        write!(out, "{},\n\"puzzles\": [", head.strip_suffix('}').unwrap_or(&head))?;
        let has_witness = info.options.get(WITNESS);
        Ok(Self { out, teller: info.teller(), has_witness, puzzles: 0 })
    }

    /// Ends the object with the job's figures and the SHA-256 digest of the input, in hexadecimal.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn finish(mut self, summary: &Summary, input_sha256: &str) -> io::Result<W> {
        let Teller { language, .. } = self.teller;
        let warnings = summary.warnings.iter().map(|warning| {
            let Place { line, column } = warning.place;
            WarningLine { line, column, rule: warning.what.name, text: warning.what.say(language) }
        });
        let ignored = summary.ignored.as_ref().map(|ignored| {
            let Ignored { place, lines, what } = ignored;
            IgnoredLines { line: place.line, lines: *lines, rule: what.name, text: what.say(language) }
        });
        let tail = Tail {
            puzzles: summary.puzzles,
            invalid: summary.invalid,
            undecided: summary.undecided,
            warnings: warnings.collect(),
            ignored,
            input_bytes: summary.bytes,
            input_sha256,
            parse_seconds: summary.parse.as_secs_f64(),
            solve_seconds: summary.solve.as_secs_f64(),
            solve_cpu_seconds: summary.solve_cpu.as_secs_f64(),
        };
        write!(self.out, "\n],\n\"job\": ")?;
        serde_json::to_writer(&mut self.out, &tail)?;
        writeln!(self.out, "}}")?;
        Ok(self.out)
    }
}

impl<W: Write> Sink for JsonSink<'_, W> {
    fn outcome(&mut self, answered: &Answered<'_>) -> io::Result<()> {
        let Answered { number, place, outcome, wall, .. } = *answered;
        let (undecided, invalid) = match &outcome.verdict {
            Verdict::Answered => (None, None),
            Verdict::Undecided { stop, .. } => (Some(stop.name()), None),
            Verdict::Invalid(problem) => (None, Some(&**problem)),
        };
        let told = match outcome.verdict {
            Verdict::Answered => None,
            _ => Some(Value::from(outcome.headline_for(&self.teller).into_owned())),
        };
        let puzzle = PuzzleLine {
            number,
            line: place.line,
            answer: told.as_ref().unwrap_or(&outcome.answer),
            witness: if self.has_witness { &outcome.witness } else { &Value::Null },
            at_least: outcome.bounds.at_least,
            at_most: outcome.bounds.at_most,
            undecided,
            invalid,
            seconds: wall.as_secs_f64(),
        };
        self.out.write_all(if self.puzzles == 0 { b"\n" } else { b",\n" })?;
        self.puzzles += 1;
        serde_json::to_writer(&mut self.out, &puzzle)?;
        Ok(())
    }
}
