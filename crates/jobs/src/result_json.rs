//! Writes the JSON result beside the text.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;
use serde_json::Value;

use crate::sinks::{Answered, JobInfo, Sink};
use crate::summary::Summary;
use tabuleiro_puzzles::input::{Ignored, Place};
use tabuleiro_puzzles::solver::{ProblemData, Teller, Verdict, WITNESS, is_of_grading};

/// What a JSON result says about its job and its name.
#[derive(Debug, Clone, Default, Serialize)]
pub struct JsonOrigin<'a> {
    /// The job's ID, which its outputs have in their names if these are not the plain ones. Only jobs of the service
    /// have one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<&'a str>,
    /// The plain name of the result, printable, if another file has that name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name_taken: Option<String>,
    /// The printable name of the input to which the file with that name belongs, if that file is an output.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub taken_by: Option<String>,
}

/// Writes `saida.json`: one object, with its puzzles streamed, one puzzle per line.
pub struct JsonSink<'a, W> {
    out: W,
    teller: Teller<'a>,
    /// Whether the result includes witnesses. An outcome can have one that was made only for a page.
    has_witness: bool,
    puzzles: u64,
}

/// The beginning of a JSON result.
#[derive(Serialize)]
struct Head<'a> {
    file: &'a str,
    #[serde(flatten)]
    origin: &'a JsonOrigin<'a>,
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
    invalid: Option<ProblemData<'a>>,
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
    /// Fails if `out` cannot be written.
    pub fn new(mut out: W, info: &JobInfo<'a>, origin: &JsonOrigin<'_>) -> io::Result<Self> {
        let own = info.options.iter().filter(|(name, _)| !is_of_grading(name));
        let options = own.map(|(name, value)| (name, value.to_string())).collect();
        let version = env!("CARGO_PKG_VERSION");
        let head = serde_json::to_string(&Head {
            file: info.file,
            origin,
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
    /// Fails if `out` cannot be written.
    pub fn finish(mut self, summary: &Summary, input_sha256: &str) -> io::Result<W> {
        let Teller { language, .. } = self.teller;
        let warnings = summary.warnings.iter().map(|warning| {
            let Place { line, column } = warning.place;
            WarningLine { line, column, rule: warning.what.name, text: warning.what.say(language) }
        });
        let ignored = summary.ignored.as_ref().map(|ignored| {
            let Ignored { place, lines, what, .. } = ignored;
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
            Verdict::Invalid(problem) => (None, Some(problem.data())),
        };
        let headline = match outcome.verdict {
            Verdict::Answered => None,
            _ => Some(Value::from(outcome.headline_for(&self.teller).into_owned())),
        };
        let puzzle = PuzzleLine {
            number,
            line: place.line,
            answer: headline.as_ref().unwrap_or(&outcome.answer),
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
