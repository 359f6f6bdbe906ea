//! Draws the page of a JSON result without solving anything.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};

use serde::Deserialize;
use serde_json::Value;

use super::gallery::{Exhibit, Gallery, Rank, copy_of, held_bytes};
use super::page_writer::{Heading, PageLinks, Words, write_page};
use crate::{Answered, JobInfo, Limits, Reading, Sink, Summary};
use tabuleiro_puzzles::input::{Scanner, printable, read_directives};
use tabuleiro_puzzles::solver::{
    Bounds, Entry, LANGUAGE, OptionValue, Outcome, PICTURE, RenderInput, Teller, Verdict, WITNESS, Work,
    find, format_size, options_from,
};

/// The most bytes of a JSON result, which is held in memory.
pub const RESULT_BYTES_MAX: u64 = 1024 * 1024 * 1024;
/// Bytes of an answer or a name that are shown.
const SHOWN_BYTES_MAX: usize = 200;

/// A result in JSON.
#[derive(Debug, Deserialize)]
pub struct ResultFile {
    /// The input's printable name.
    pub file: String,
    /// The job's ID, if the service made the result.
    pub id: Option<String>,
    solver: String,
    options: BTreeMap<String, String>,
    puzzles: Vec<PuzzleLine>,
    /// The job that made the result.
    pub job: ResultJob,
}

/// What a result says about its job.
#[derive(Debug, Deserialize)]
pub struct ResultJob {
    /// The SHA-256 digest of the input, in hexadecimal.
    pub input_sha256: String,
}

/// A puzzle's result.
#[derive(Debug, Deserialize)]
struct PuzzleLine {
    answer: Value,
    #[serde(default)]
    witness: Value,
    at_least: Option<u64>,
    at_most: Option<u64>,
    undecided: Option<String>,
}

/// Why a page cannot be made from a JSON result.
#[derive(Debug, thiserror::Error)]
pub enum ResultFileError {
    /// The file is not a JSON result of this program for this input.
    #[error("{0}")]
    Wrong(String),
    /// Reading the input failed.
    #[error("cannot read: {0}")]
    Read(#[source] io::Error),
    /// Writing the page failed.
    #[error("cannot write: {0}")]
    Write(#[source] io::Error),
}

impl ResultFile {
    /// Parses a JSON result.
    ///
    /// # Errors
    /// Fails if the source cannot be read, is not a result, or is too large.
    pub fn parse(source: impl Read) -> Result<Self, ResultFileError> {
        let mut limited = source.take(RESULT_BYTES_MAX + 1);
        let result = serde_json::from_reader(&mut limited)
            .map_err(|error| ResultFileError::Wrong(format!("is no result of tabuleiro in JSON: {error}")))?;
        if limited.limit() == 0 {
            return Err(ResultFileError::Wrong(format!("has more than {}", format_size(RESULT_BYTES_MAX))));
        }
        Ok(result)
    }

    /// Draws the page of this result, given the input it was made from.
    ///
    /// # Errors
    /// Returns a [`ResultFileError`]; the caller must then discard what was written.
    pub fn write_page<W: Write>(&self, input: impl Read, out: W) -> Result<W, ResultFileError> {
        let solver = find(&self.solver).ok_or_else(|| {
            let name = printable(self.solver.as_bytes(), SHOWN_BYTES_MAX);
            ResultFileError::Wrong(format!("unknown solver '{name}'"))
        })?;
        let chosen: Vec<_> = self.options.clone().into_iter().collect();
        let mut options = options_from(solver, &chosen)
            .map_err(|error| ResultFileError::Wrong(format!("option {error}")))?;
        let has_witness = options.get(WITNESS);
        options.put(PICTURE.spec.name, OptionValue::Flag(true));
        let file = printable(self.file.as_bytes(), SHOWN_BYTES_MAX);
        let info = JobInfo { file: &file, solver, options: &options };
        let mut scanner = Scanner::new(input, file.as_str()).map_err(ResultFileError::Read)?;
        // The result's options already include the directives.
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
            let number = puzzles as u64;
            let rank = Rank::of(number, is_invalid || line.undecided.is_some(), bounds);
            let held = held_bytes(bytes, &line.witness);
            gallery.offer(rank, held, || line.exhibit(number, entry, &info.teller()));
        }
        if puzzles != self.puzzles.len() {
            let result = self.puzzles.len();
            return Err(ResultFileError::Wrong(format!("has {result} puzzles, its input {puzzles}")));
        }
        let language = options.get(LANGUAGE);
        let puzzles = puzzles as u64;
        let remarks = (!has_witness).then(|| Words::NoWitness.say(language)).into_iter().collect();
        let heading = heading(info, [puzzles, invalid, undecided], remarks, PageLinks::default());
        write_page(out, &heading, gallery.into_exhibits(), None).map_err(ResultFileError::Write)
    }
}

impl PuzzleLine {
    fn exhibit(&self, number: u64, entry: Entry, teller: &Teller<'_>) -> Exhibit {
        let Entry { place, work } = entry;
        let puzzle = match work {
            Work::Solve(puzzle) => Some(puzzle),
            Work::Settled(_) => None,
            Work::Invalid(problem) => {
                let outcome = Outcome::invalid(teller.noun, *problem, teller.file);
                return Exhibit::of(number, place, None, &outcome, teller);
            }
        };
        let input = RenderInput {
            language: teller.language,
            headline: headline(&self.answer),
            is_answered: self.undecided.is_none(),
            answer: self.answer.clone(),
            witness: self.witness.clone(),
            bounds: Bounds { at_least: self.at_least, at_most: self.at_most },
        };
        Exhibit { number, place, puzzle, input, problem: None, attempt: None }
    }
}

/// Returns the heading of a result. The counts are those of all puzzles, of the invalid and of the undecided ones.
fn heading(info: JobInfo<'_>, counts: [u64; 3], remarks: Vec<String>, links: PageLinks) -> Heading<'_> {
    let [puzzles, invalid, undecided] = counts;
    let title = Words::Answers { file: info.file.to_owned() };
    let counts = Words::Counts { puzzles, invalid, undecided }.say(info.options.get(LANGUAGE));
    Heading { info, title, counts, remarks, puzzles, links }
}

/// Returns a JSON answer in a few words.
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

/// Collects outcomes and writes their page, `saida.html`.
pub struct PageSink<'a, W> {
    out: W,
    info: JobInfo<'a>,
    links: PageLinks,
    gallery: Gallery,
}

impl<'a, W: Write> PageSink<'a, W> {
    /// Creates the sink without writing anything.
    pub fn new(out: W, info: &JobInfo<'a>, links: PageLinks) -> Self {
        Self { out, info: *info, links, gallery: Gallery::default() }
    }

    /// Writes the page. Searches for missing witnesses within `limits`.
    ///
    /// # Errors
    /// Fails if writing fails.
    pub fn finish(self, summary: &Summary, limits: &Limits) -> io::Result<W> {
        let Self { out, info, links, gallery } = self;
        let language = info.options.get(LANGUAGE);
        let Summary { puzzles, invalid, undecided, .. } = *summary;
        let warnings =
            summary.warnings.iter().filter(|warning| warning.is_in_result).map(|warning| &warning.what);
        let ignored = summary.ignored.iter().map(|ignored| &ignored.what);
        let remarks = warnings.chain(ignored).map(|what| what.say(language)).collect();
        let heading = heading(info, [puzzles, invalid, undecided], remarks, links);
        write_page(out, &heading, gallery.into_exhibits(), Some(&limits.budget()))
    }
}

impl<W: Write> Sink for PageSink<'_, W> {
    fn outcome(&mut self, answered: &Answered<'_>) -> io::Result<()> {
        let Answered { number, place, outcome, puzzle, bytes, .. } = *answered;
        let needs_attention = !matches!(outcome.verdict, Verdict::Answered);
        let rank = Rank::of(number, needs_attention, outcome.bounds);
        let exhibit = || {
            let JobInfo { solver, options, .. } = self.info;
            let puzzle = puzzle.and_then(|puzzle| copy_of(puzzle, solver, options));
            Exhibit::of(number, place, puzzle, outcome, &self.info.teller())
        };
        self.gallery.offer(rank, held_bytes(bytes, &outcome.witness), exhibit);
        Ok(())
    }
}
