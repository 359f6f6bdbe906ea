//! What a job did.

use std::time::Duration;

use tabuleiro_puzzles::input::{Ignored, Place, Warning};
use tabuleiro_puzzles::solver::{Problem, Stop};
use tabuleiro_puzzles::words::Phrase;

/// What a job did, for the log.
#[derive(Debug, Default)]
pub struct Summary {
    /// Puzzles of all verdicts.
    pub puzzles: u64,
    /// Puzzles that are invalid.
    pub invalid: u64,
    /// Puzzles that a limit ended.
    pub undecided: u64,
    /// Puzzles that have another answer by other rules in use.
    pub differing: u64,
    /// The first answers.
    pub headlines: Vec<String>,
    /// The first invalid puzzles, each with its number from 1.
    pub problems: Vec<(u64, Problem)>,
    /// The first undecided puzzles: number from 1, place, and the limit that was hit.
    pub stops: Vec<(u64, Place, Stop)>,
    /// Oddities of the file that made nothing invalid.
    pub warnings: Vec<Warning>,
    /// Warnings beyond those kept.
    pub warnings_dropped: u64,
    /// Text behind the end of the puzzles.
    pub ignored: Option<Ignored>,
    /// Bytes of input read.
    pub bytes: u64,
    /// Time spent reading and parsing.
    pub parse: Duration,
    /// Time from the first puzzle handed out to the last answer, less the time spent parsing and writing.
    pub solve: Duration,
    /// Processor time of all solving.
    pub solve_cpu: Duration,
    /// Time spent writing results.
    pub write: Duration,
}

impl Summary {
    /// Where most puzzles are invalid: warns, before anything else, of what there may be to tell about the whole file.
    pub fn warn_if_mostly_invalid(&mut self, advice: impl FnOnce() -> Option<Phrase>) {
        if 2 * self.invalid > self.puzzles {
            let place = Place { line: 1, column: 1 };
            let warning = advice().map(|what| Warning { place, what, is_in_result: true });
            self.warnings.splice(..0, warning);
        }
    }

    /// Warns, behind everything else, of what concerns the whole file.
    pub fn warn(&mut self, what: Option<Phrase>) {
        let place = Place { line: 1, column: 1 };
        self.warnings.extend(what.map(|what| Warning { place, what, is_in_result: true }));
    }

    /// Whether the file has something that its owner should know.
    #[must_use]
    pub fn has_warnings(&self) -> bool {
        self.invalid > 0 || !self.warnings.is_empty() || self.ignored.is_some()
    }

    /// The first answers and how many more there are: `7, 36, no solution, … (297 more)`.
    #[must_use]
    pub fn answers(&self) -> String {
        let mut text = self.headlines.join(", ");
        let more = self.puzzles - self.headlines.len() as u64;
        if more > 0 {
            text.push_str(&format!(", … ({more} more)"));
        }
        text
    }
}
