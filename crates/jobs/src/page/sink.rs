//! What takes the outcomes of a job, and makes a page of them.

use std::io::{self, Write};

use super::exhibit::{Exhibit, bytes_of};
use super::gallery::Gallery;
use super::words::Words;
use super::writer::{Heading, write_page};
use crate::{Answered, JobInfo, Limits, Sink, Summary};
use tabuleiro_puzzles::solver::{LANGUAGE, Verdict};
use tabuleiro_puzzles::words::Phrase;

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
