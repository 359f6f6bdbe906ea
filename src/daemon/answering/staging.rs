//! Outputs under temporary names, in the service's own folder of the outbox.

use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;

use crate::config::Config;
use crate::daemon::answering::answerer::Answerer;
use crate::daemon::answering::pending_publication::{PendingPublication, Syncing};
use crate::daemon::claims::outputs;
use crate::daemon::fs::disk::{Access, NewFile, Restricted};
use tabuleiro_jobs::naming::{self, Output};
use tabuleiro_puzzles::solver::Cancel;

impl Answerer {
    /// Returns the path of a job's output until it is published.
    pub fn staged_path(&self, id: &str, output: Output) -> PathBuf {
        self.folders.staging.join(format!("{id}.{output:?}"))
    }

    /// Creates a file for a result of a job. The job's configuration limits its size, unless it is a page.
    ///
    /// # Errors
    /// Fails if the outbox cannot be written, or if the group of results is unknown.
    pub fn stage(&self, job: &PendingPublication, output: Output, audience: Audience) -> io::Result<Staged> {
        let mut access = outputs::output_access(&job.claim, &job.config.results, &*self.disk)?;
        if audience == Audience::Staff {
            access.restricted = Some(Restricted { reader: None });
        }
        let mut file = Bounded::new(self.create(job, output, access)?, &job.config, &self.cancel);
        if matches!(output, Output::ResultPage | Output::GradePage) {
            // The page writer has a limit of its own. An error here would reject the file and lose its answers.
            file.left = u64::MAX;
        }
        Ok(file)
    }

    /// Writes a report or its page. Its size needs no limit: it grows only with the routes of the configuration.
    /// When `text` is called, the job knows whether the file is labelled with its input.
    ///
    /// # Errors
    /// Fails if the outbox cannot be written, or if the group of results is unknown.
    pub fn stage_report(
        &self,
        job: &PendingPublication,
        output: Output,
        text: &dyn Fn() -> Vec<u8>,
    ) -> io::Result<()> {
        let access = outputs::output_access(&job.claim, &job.config.results, &*self.disk)?;
        let mut file = self.create(job, output, access)?;
        file.write_all(&text())?;
        end(&mut *file, &job.syncing)
    }

    /// Removes the temporary files of outputs that will not be published.
    pub fn remove_staged(&self, id: &str, outputs: &[Output]) {
        for output in outputs {
            // The next start removes what is left.
            let _ = self.disk.remove_file(&self.staged_path(id, *output));
        }
    }

    /// Creates the file of an output, and notes in the job whether it is labelled with its input.
    fn create(
        &self,
        PendingPublication { claim, is_labelled, .. }: &PendingPublication,
        output: Output,
        access: Access,
    ) -> io::Result<Box<dyn NewFile>> {
        let path = self.staged_path(&claim.id, output);
        let mut file = match self.disk.create(&path, access) {
            // The folder was deleted, perhaps with the whole outbox.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                self.disk.create_folders(&self.folders.staging)?;
                self.disk.create(&path, access)
            }
            other => other,
        }?;
        is_labelled.set(file.label(&naming::label(&claim.origin))? && is_labelled.get());
        Ok(file)
    }
}

/// Who may read a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audience {
    /// Everybody whom `results.readers` allows.
    Readers,
    /// Only the service and its group, no student.
    Staff,
}

/// Syncs a file after its last write, if files are synced one by one.
///
/// # Errors
/// Returns the error of the sync.
pub fn end(file: &mut dyn NewFile, syncing: &Syncing) -> io::Result<()> {
    // Only the descriptor that the file was written through is sure to report every error.
    if matches!(syncing, Syncing::OneByOne) { file.sync() } else { Ok(()) }
}

/// A file with a limited number of bytes, because a short puzzle can have a long answer.
pub struct Bounded<F> {
    pub file: F,
    left: u64,
    /// Stops the writing when it is cancelled, because a single answer can be very long.
    cancel: Cancel,
}

/// An output under a temporary name.
pub type Staged = Bounded<Box<dyn NewFile>>;

impl<F> Bounded<F> {
    /// Limits a file to the size of a result.
    pub fn new(file: F, config: &Config, cancel: &Cancel) -> Self {
        Self { file, left: config.results.size_limit_bytes, cancel: cancel.clone() }
    }
}

impl<F: Write> Write for Bounded<F> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.cancel.is_cancelled() {
            return Err(io::Error::other("cancelled"));
        }
        if bytes.len() as u64 > self.left {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        let count = self.file.write(bytes)?;
        self.left -= count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl<F: Read> Read for Bounded<F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.file.read(buffer)
    }
}

impl<F: Seek> Seek for Bounded<F> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}
