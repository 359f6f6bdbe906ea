//! The text a person reads.

use std::io::{self, Write};

use super::answered::{Answered, JobInfo, Sink};
use crate::summary::Summary;
use tabuleiro_puzzles::solver::Teller;

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
