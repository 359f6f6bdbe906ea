//! Writes the JSON result beside the text.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;

use crate::json_object::Object;
use crate::sinks::{Answered, JobInfo, Sink};
use crate::summary::Summary;
use tabuleiro_puzzles::input::{Ignored, Warning};
use tabuleiro_puzzles::solver::{Teller, Verdict, WITNESS, is_of_grading};

/// What a JSON result says about its job and its name.
#[derive(Debug, Clone, Default)]
pub struct JsonOrigin<'a> {
    /// The job's ID, which its outputs have in their names if these are not the plain ones. Only jobs of the service
    /// have one.
    pub id: Option<&'a str>,
    /// The plain name of the result, printable, if another file has that name.
    pub name_taken: Option<String>,
    /// The printable name of the input to which the file with that name belongs, if that file is an output.
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

/// A warning of a JSON result, or the lines that were ignored.
#[derive(Serialize)]
struct RemarkLine<'a> {
    line: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lines: Option<u64>,
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
        let options: BTreeMap<_, _> = own.map(|(name, value)| (name, value.to_string())).collect();
        Object::begin(&mut out)
            .field("file", info.file)?
            .optional("id", origin.id)?
            .optional("name_taken", origin.name_taken.as_ref())?
            .optional("taken_by", origin.taken_by.as_ref())?
            .field("solver", info.solver.id())?
            .field("options", options)?
            .field("version", env!("CARGO_PKG_VERSION"))?
            .begin_puzzles()?;
        let has_witness = info.options.get(WITNESS);
        Ok(Self { out, teller: info.teller(), has_witness, puzzles: 0 })
    }

    /// Ends the object with the job's figures and the SHA-256 digest of the input, in hexadecimal.
    ///
    /// # Errors
    /// Fails if `out` cannot be written.
    pub fn finish(mut self, summary: &Summary, input_sha256: &str) -> io::Result<W> {
        let Teller { language, .. } = self.teller;
        let warnings = summary.warnings.iter().map(|Warning { place, what, .. }| RemarkLine {
            line: place.line,
            column: Some(place.column),
            lines: None,
            rule: what.name,
            text: what.say(language),
        });
        let ignored = summary.ignored.as_ref().map(|Ignored { place, lines, what, .. }| RemarkLine {
            line: place.line,
            column: None,
            lines: Some(*lines),
            rule: what.name,
            text: what.say(language),
        });
        self.out.write_all(b"\n],\n\"job\": ")?;
        Object::begin(&mut self.out)
            .field("puzzles", summary.puzzles)?
            .field("invalid", summary.invalid)?
            .field("undecided", summary.undecided)?
            .field("warnings", warnings.collect::<Vec<_>>())?
            .optional("ignored", ignored)?
            .field("input_bytes", summary.bytes)?
            .field("input_sha256", input_sha256)?
            .field("parse_seconds", summary.parse.as_secs_f64())?
            .field("solve_seconds", summary.solve.as_secs_f64())?
            .field("solve_cpu_seconds", summary.solve_cpu.as_secs_f64())?
            .end()?;
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
        self.out.write_all(if self.puzzles == 0 { b"\n" } else { b",\n" })?;
        self.puzzles += 1;
        let witness = Some(&outcome.witness).filter(|witness| self.has_witness && !witness.is_null());
        let object = Object::begin(&mut self.out).field("number", number)?.field("line", place.line)?;
        let object = match outcome.verdict {
            Verdict::Answered => object.field("answer", &outcome.answer)?,
            _ => object.field("answer", outcome.headline_for(&self.teller))?,
        };
        object
            .optional("witness", witness)?
            .optional("at_least", outcome.bounds.at_least)?
            .optional("at_most", outcome.bounds.at_most)?
            // The limit that ended the search.
            .optional("undecided", undecided)?
            .optional("invalid", invalid)?
            .field("seconds", wall.as_secs_f64())?
            .end()
    }
}
