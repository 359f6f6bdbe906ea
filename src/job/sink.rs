//! Where outcomes go: the text a person reads, and the JSON beside it.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::time::Duration;

use serde::Serialize;
use serde_json::Value;

use crate::input::Place;
use crate::job::summary::Summary;
use crate::solver::{Options, Outcome, Problem, Verdict};

/// Takes the outcomes of a job, in order.
pub trait Sink {
    /// Takes the outcome of puzzle `number` (from 1), which begins at `place` and took `wall` to solve.
    ///
    /// # Errors
    /// Those of writing.
    fn outcome(&mut self, number: u64, place: Place, outcome: &Outcome, wall: Duration) -> io::Result<()>;
}

/// Writes `saida.txt`.
pub struct TextSink<W>(pub W);

impl<W: Write> Sink for TextSink<W> {
    fn outcome(&mut self, _: u64, _: Place, outcome: &Outcome, _: Duration) -> io::Result<()> {
        outcome.write_text(&mut self.0)
    }
}

/// What a JSON result says of the job itself.
#[derive(Debug, Clone)]
pub struct JobInfo<'a> {
    /// The input's printable name.
    pub file: &'a str,
    /// The job's ID, which its outputs have in their names where they are not the plain ones.
    pub id: &'a str,
    /// The plain name of the result, printable, where something else has it.
    pub name_taken: Option<String>,
    /// The printable name of the input whose output has that name, where it is one.
    pub taken_by: Option<String>,
    /// The solver's ID.
    pub solver: &'a str,
    /// Its options.
    pub options: &'a Options,
}

/// Writes `saida.json`: one object, its puzzles streamed, one a line.
pub struct JsonSink<W> {
    out: W,
    puzzles: u64,
}

/// The beginning of a JSON result.
#[derive(Serialize)]
struct Head<'a> {
    file: &'a str,
    id: &'a str,
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
    input_bytes: u64,
    input_sha256: &'a str,
    parse_seconds: f64,
    solve_seconds: f64,
    solve_cpu_seconds: f64,
}

impl<W: Write> JsonSink<W> {
    /// Begins the object.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn new(mut out: W, info: &JobInfo<'_>) -> io::Result<Self> {
        let options = info.options.iter().map(|(name, value)| (name, value.to_string())).collect();
        let version = env!("CARGO_PKG_VERSION");
        let head = serde_json::to_string(&Head {
            file: info.file,
            id: info.id,
            name_taken: info.name_taken.as_deref(),
            taken_by: info.taken_by.as_deref(),
            solver: info.solver,
            options,
            version,
        })?;
        // The object stays open for the puzzles.
        write!(out, "{},\n\"puzzles\": [", head.strip_suffix('}').unwrap_or(&head))?;
        Ok(Self { out, puzzles: 0 })
    }

    /// Ends the object with the job's figures and the SHA-256 digest of the input, in hexadecimal.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn finish(mut self, summary: &Summary, input_sha256: &str) -> io::Result<W> {
        let tail = Tail {
            puzzles: summary.puzzles,
            invalid: summary.invalid,
            undecided: summary.undecided,
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

impl<W: Write> Sink for JsonSink<W> {
    fn outcome(&mut self, number: u64, place: Place, outcome: &Outcome, wall: Duration) -> io::Result<()> {
        let (undecided, invalid) = match &outcome.verdict {
            Verdict::Answered => (None, None),
            Verdict::Undecided(stop) => (Some(stop.name()), None),
            Verdict::Invalid(problem) => (None, Some(&**problem)),
        };
        let puzzle = PuzzleLine {
            number,
            line: place.line,
            answer: &outcome.answer,
            witness: &outcome.witness,
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
