//! What an earlier answer to the same input left, and a new one supersedes.

use std::io;
use std::path::{Path, PathBuf};

use super::step::Step;
use crate::daemon::answering::prepared::Prepared;
use crate::daemon::answering::trouble::{is_shortage, is_transient};
use crate::daemon::claims::outputs::{self, Found};
use crate::daemon::fs::disk::Disk;
use tabuleiro_jobs::naming::{self, Output};

/// An older output that could not be removed: its path below the outbox, and why.
pub type Stuck = (PathBuf, io::Error);

/// Removes the older outputs of a job's input.
pub struct Older<'a> {
    /// Through which that is done.
    pub disk: &'a dyn Disk,
    /// Where they stand.
    pub outbox: &'a Path,
    /// The job, whose own outputs have their names.
    pub step: &'a Step,
    /// Something was removed, now or by an earlier try, and its folder must be synced.
    pub is_removed: bool,
}

impl Older<'_> {
    /// Removes the report of a file that has a result now, and an older page beside a text that has none.
    ///
    /// # Errors
    /// The first output that could not be removed.
    pub fn remove(&mut self) -> Result<(), Stuck> {
        let report = self.remove_report();
        self.remove_page().and(report)
    }

    fn remove_report(&mut self) -> Result<(), Stuck> {
        if !self.step.prepared.made.has_result() {
            return Ok(());
        }
        // The page goes first, and its text only when it is gone: where there is no text nobody looks for a page. After a
        // crash the text alone may be gone.
        let has_report = self.is_there(Output::Report)?;
        if has_report || self.step.is_again {
            self.remove_output(Output::ReportPage)?;
        }
        if has_report { self.remove_output(Output::Report) } else { Ok(()) }
    }

    fn remove_page(&mut self) -> Result<(), Stuck> {
        // A page stands beside its text: where none was replaced, or an earlier try replaced none, there is no page either.
        let Prepared { staged, replaced, has_page, .. } = &self.step.prepared;
        let page = staged.first().and_then(|(text, _)| text.page());
        match page.filter(|_| !has_page && (*replaced || self.step.is_again)) {
            Some(page) => self.remove_output(page),
            None => Ok(()),
        }
    }

    fn path(&self, output: Output) -> PathBuf {
        naming::result_path(&self.step.origin, output, None)
    }

    /// Whether there is an older output of the job's input. One that this process may not look at is somebody else's.
    fn is_there(&self, output: Output) -> Result<bool, Stuck> {
        let (path, Prepared { claim, is_labelled, .. }) = (self.path(output), &self.step.prepared);
        match outputs::look(self.disk, self.outbox, &path, claim, *is_labelled) {
            Err(error) if is_transient(&error) || is_shortage(&error) => Err((path, error)),
            found => Ok(found.is_ok_and(|found| found == Found::Ours)),
        }
    }

    fn remove_output(&mut self, output: Output) -> Result<(), Stuck> {
        if !self.is_there(output)? {
            return Ok(());
        }
        let path = self.path(output);
        match self.disk.remove_file(&self.outbox.join(&path)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err((path, error)),
            _ => {
                self.is_removed = true;
                Ok(())
            }
        }
    }
}
