//! All that one job writes.

use std::io::{self, Write};

use sha2::{Digest, Sha256};

use super::answered::{Answered, JobInfo, Sink};
use super::json::{JsonOrigin, JsonSink};
use super::text::TextSink;
use crate::page::PageSink;
use crate::pool::Limits;
use crate::summary::Summary;

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
