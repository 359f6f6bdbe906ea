//! The page of a JSON result, drawn without solving anything.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};

use serde::Deserialize;
use serde_json::Value;

use super::gallery::Gallery;
use super::gallery::{Content, Exhibit, Solved, bytes_of};
use super::page_writer::Words;
use super::page_writer::{Heading, write_page};
use crate::{Answered, JobInfo, Limits, Reading, Sink, Summary};
use tabuleiro_puzzles::input::{Scanner, printable, read_directives};
use tabuleiro_puzzles::solver::{
    Authority, Bounds, Entry, LANGUAGE, OptionValue, Options, Outcome, PICTURE, Puzzle, Solver, Teller,
    Verdict, WITNESS, Work, default_options, find,
};
use tabuleiro_puzzles::words::Phrase;

/// Bytes of a result at most: it is held in memory.
pub const RESULT_BYTES_MAX: u64 = 1024 * 1024 * 1024;
/// How much of an answer or a name is shown.
const SHOWN_BYTES_MAX: usize = 200;

/// A result in JSON.
#[derive(Debug, Deserialize)]
pub struct ResultFile {
    /// The input's printable name.
    pub file: String,
    /// The job's ID, of a service's job.
    #[serde(default)]
    pub id: Option<String>,
    solver: String,
    options: BTreeMap<String, String>,
    puzzles: Vec<PuzzleLine>,
    job: Job,
}

#[derive(Debug, Deserialize)]
struct Job {
    input_sha256: String,
}

/// What became of a puzzle.
#[derive(Debug, Deserialize)]
struct PuzzleLine {
    answer: Value,
    #[serde(default)]
    witness: Value,
    #[serde(default)]
    at_least: Option<u64>,
    #[serde(default)]
    at_most: Option<u64>,
    #[serde(default)]
    undecided: Option<String>,
}

/// Why there is no page.
#[derive(Debug, thiserror::Error)]
pub enum ResultFileError {
    /// It is no result of ours.
    #[error("is no result of tabuleiro in JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// It is too large.
    #[error("has more than {}", tabuleiro_puzzles::solver::format_size(RESULT_BYTES_MAX))]
    TooLarge,
    /// It is of a solver that this version does not have.
    #[error("unknown solver '{0}'")]
    Solver(String),
    /// An option is none of this version.
    #[error("option {0}")]
    Option(String),
    /// It tells of other puzzles than its input has.
    #[error("has {result} puzzles, its input {input}")]
    Count {
        /// In the result.
        result: u64,
        /// In the input.
        input: u64,
    },
    /// Reading the input failed.
    #[error("cannot read: {0}")]
    Read(#[source] io::Error),
    /// Writing the page failed.
    #[error("cannot write: {0}")]
    Write(#[source] io::Error),
}

impl ResultFile {
    /// Reads a result.
    ///
    /// # Errors
    /// When it is none, or cannot be read.
    pub fn parse(source: impl Read) -> Result<Self, ResultFileError> {
        let mut limited = source.take(RESULT_BYTES_MAX + 1);
        let result: Self = serde_json::from_reader(&mut limited)?;
        if limited.limit() == 0 { Err(ResultFileError::TooLarge) } else { Ok(result) }
    }

    /// The digest of its input, in hexadecimal.
    #[must_use]
    pub fn input_sha256(&self) -> &str {
        &self.job.input_sha256
    }

    fn options(&self, solver: &dyn Solver) -> Result<Options, ResultFileError> {
        let mut options = default_options(solver);
        for (name, value) in &self.options {
            let set = options.set(name, value, Authority::Owner);
            set.map_err(|error| ResultFileError::Option(error.to_string()))?;
        }
        Ok(options)
    }

    /// Draws it, from its input.
    ///
    /// # Errors
    /// [`ResultFileError`]; what was written until then is no page.
    pub fn write_page<W: Write>(&self, input: impl Read, out: W) -> Result<W, ResultFileError> {
        let unknown = || ResultFileError::Solver(printable(self.solver.as_bytes(), SHOWN_BYTES_MAX));
        let solver = find(&self.solver).ok_or_else(unknown)?;
        let mut options = self.options(solver)?;
        let has_witness = options.get(WITNESS);
        options.put(PICTURE.spec.name, OptionValue::Flag(true));
        let file = printable(self.file.as_bytes(), SHOWN_BYTES_MAX);
        let info = JobInfo { file: &file, solver, options: &options };
        let mut scanner = Scanner::new(input, file.as_str()).map_err(ResultFileError::Read)?;
        // They are among the options already.
        let _ = read_directives(&mut scanner);
        let mut reading = Reading::open(solver, &options);
        let (mut gallery, mut puzzles) = (Gallery::default(), 0);
        let (mut invalid, mut undecided) = (0, 0);
        loop {
            let before = scanner.bytes_consumed();
            let Some(entry) = reading.read(&mut scanner).map_err(ResultFileError::Read)? else { break };
            let bytes = scanner.bytes_consumed() - before;
            let line = self.puzzles.get(puzzles);
            puzzles += 1;
            let Some(line) = line else { continue };
            let bounds = Bounds { at_least: line.at_least, at_most: line.at_most };
            let is_invalid = matches!(entry.work, Work::Invalid(_));
            invalid += u64::from(is_invalid);
            undecided += u64::from(line.undecided.is_some());
            let (number, is_odd) = (puzzles as u64, is_invalid || line.undecided.is_some());
            let sizes = (bytes, bytes_of(&line.witness));
            gallery.offer(number, (is_odd, bounds), sizes, || line.exhibit(number, entry, &info.teller()));
        }
        if puzzles != self.puzzles.len() {
            return Err(ResultFileError::Count { result: self.puzzles.len() as u64, input: puzzles as u64 });
        }
        let language = options.get(LANGUAGE);
        let say = |words: Words| Phrase::from(words).say(language);
        let puzzles = puzzles as u64;
        let heading = Heading {
            info,
            title: Words::Answers { file: file.clone() },
            facts: vec![(Words::Puzzles, say(Words::Counts { puzzles, invalid, undecided }))],
            remarks: (!has_witness).then(|| say(Words::NoWitness)).into_iter().collect(),
            puzzles,
        };
        write_page(out, &heading, gallery.into_exhibits(), None).map_err(ResultFileError::Write)
    }
}

impl PuzzleLine {
    fn exhibit(&self, number: u64, entry: Entry, teller: &Teller<'_>) -> Exhibit {
        let Entry { place, work } = entry;
        let solved = |puzzle: Option<std::sync::Arc<dyn Puzzle>>| {
            Content::Solved(Box::new(Solved {
                puzzle,
                headline: headline(&self.answer),
                is_answered: self.undecided.is_none(),
                answer: self.answer.clone(),
                witness: self.witness.clone(),
                bounds: Bounds { at_least: self.at_least, at_most: self.at_most },
            }))
        };
        let content = match work {
            Work::Solve(puzzle) => solved(Some(puzzle)),
            Work::Settled(_) => solved(None),
            Work::Invalid(problem) => {
                let outcome = Outcome::invalid(teller.noun, *problem, teller.file);
                return Exhibit::of((number, place), None, &outcome, teller);
            }
        };
        Exhibit { number, place, content, attempt: None }
    }
}

/// An answer for machines in a few words.
fn headline(answer: &Value) -> String {
    let text = match answer {
        Value::String(text) => text.clone(),
        Value::Object(fields) => {
            let field = |(name, value): (&String, &Value)| format!("{name} {}", headline(value));
            fields.iter().map(field).collect::<Vec<_>>().join(" ")
        }
        other => other.to_string(),
    };
    printable(text.as_bytes(), SHOWN_BYTES_MAX)
}

/// Makes `saida.html`.
pub struct PageSink<'a, W> {
    out: W,
    info: JobInfo<'a>,
    gallery: Gallery,
}

impl<'a, W: Write> PageSink<'a, W> {
    /// Nothing is written yet.
    #[must_use]
    pub fn new(out: W, info: &JobInfo<'a>) -> Self {
        Self { out, info: *info, gallery: Gallery::default() }
    }

    /// Writes the page. What a picture lacks is looked for within `limits`.
    ///
    /// # Errors
    /// Those of writing.
    pub fn finish(self, summary: &Summary, limits: &Limits) -> io::Result<W> {
        let Self { out, info, gallery } = self;
        let language = info.options.get(LANGUAGE);
        let say = |words: Words| Phrase::from(words).say(language);
        let Summary { puzzles, invalid, undecided, .. } = *summary;
        let warnings =
            summary.warnings.iter().filter(|warning| warning.is_in_result).map(|warning| &warning.what);
        let ignored = summary.ignored.iter().map(|ignored| &ignored.what);
        let heading = Heading {
            info,
            title: Words::Answers { file: info.file.to_owned() },
            facts: vec![(Words::Puzzles, say(Words::Counts { puzzles, invalid, undecided }))],
            remarks: warnings.chain(ignored).map(|what| what.say(language)).collect(),
            puzzles,
        };
        write_page(out, &heading, gallery.into_exhibits(), Some(&limits.budget()))
    }
}

impl<W: Write> Sink for PageSink<'_, W> {
    fn outcome(&mut self, answered: &Answered<'_>) -> io::Result<()> {
        let Answered { number, place, outcome, puzzle, bytes, .. } = *answered;
        let is_odd = !matches!(outcome.verdict, Verdict::Answered);
        let exhibit = || Exhibit::of((number, place), puzzle, outcome, &self.info.teller());
        let sizes = (bytes, bytes_of(&outcome.witness));
        self.gallery.offer(number, (is_odd, outcome.bounds), sizes, exhibit);
        Ok(())
    }
}
