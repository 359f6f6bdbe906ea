//! Where outcomes go: the text a person reads, and the JSON beside it.

use std::io::{self, Write};
use std::time::Duration;

use serde_json::{Map, Value, json};

use super::Summary;
use crate::input::Place;
use crate::solver::{Options, Outcome, Verdict};

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
    /// The solver's ID.
    pub solver: &'a str,
    /// Its options.
    pub options: &'a Options,
}

/// Writes `saida.json`: one object, its puzzles streamed one a line.
pub struct JsonSink<W> {
    out: W,
    puzzles: u64,
}

impl<W: Write> JsonSink<W> {
    /// Begins the object.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn new(mut out: W, info: &JobInfo<'_>) -> io::Result<Self> {
        let options: Map<_, _> =
            info.options.iter().map(|(name, value)| (name.to_owned(), json!(value.to_string()))).collect();
        writeln!(out, "{{\"file\": {},", json!(info.file))?;
        writeln!(out, " \"solver\": {},", json!(info.solver))?;
        writeln!(out, " \"options\": {},", Value::Object(options))?;
        writeln!(out, " \"version\": {},", json!(env!("CARGO_PKG_VERSION")))?;
        write!(out, " \"puzzles\": [")?;
        Ok(Self { out, puzzles: 0 })
    }

    /// Ends the object with the job's figures and the SHA-256 digest of the input, in hexadecimal.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn finish(mut self, summary: &Summary, digest: &str) -> io::Result<W> {
        writeln!(self.out, "\n ],")?;
        let job = json!({
            "puzzles": summary.puzzles,
            "invalid": summary.invalid,
            "undecided": summary.undecided,
            "input_bytes": summary.bytes,
            "input_sha256": digest,
            "parse_seconds": summary.parse.as_secs_f64(),
            "solve_seconds": summary.solve.as_secs_f64(),
            "solve_cpu_seconds": summary.solve_cpu.as_secs_f64(),
        });
        writeln!(self.out, " \"job\": {job}}}")?;
        Ok(self.out)
    }
}

impl<W: Write> Sink for JsonSink<W> {
    fn outcome(&mut self, number: u64, place: Place, outcome: &Outcome, wall: Duration) -> io::Result<()> {
        let mut puzzle = Map::new();
        puzzle.insert("number".to_owned(), json!(number));
        puzzle.insert("line".to_owned(), json!(place.line));
        match &outcome.verdict {
            Verdict::Answered => {}
            Verdict::Undecided(stop) => {
                puzzle.insert("undecided".to_owned(), json!(stop.name()));
            }
            Verdict::Invalid(problem) => {
                let place = problem.place;
                let invalid = json!({
                    "line": place.line, "column": place.column, "rule": problem.rule,
                    "found": problem.found, "expected": problem.expected,
                });
                puzzle.insert("invalid".to_owned(), invalid);
            }
        }
        puzzle.insert("answer".to_owned(), outcome.answer.clone());
        if !outcome.witness.is_null() {
            puzzle.insert("witness".to_owned(), outcome.witness.clone());
        }
        if let Some(at_least) = outcome.bounds.at_least {
            puzzle.insert("at_least".to_owned(), json!(at_least));
        }
        if let Some(at_most) = outcome.bounds.at_most {
            puzzle.insert("at_most".to_owned(), json!(at_most));
        }
        puzzle.insert("seconds".to_owned(), json!(wall.as_secs_f64()));
        self.out.write_all(if self.puzzles == 0 { b"\n  " } else { b",\n  " })?;
        self.puzzles += 1;
        serde_json::to_writer(&mut self.out, &puzzle)?;
        Ok(())
    }
}
