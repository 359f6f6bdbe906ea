//! Outputs under temporary names, in the service's own folder of the outbox.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

use crate::config::Config;
use crate::daemon::answering::pending_publication::Syncing;
use crate::daemon::claims::file_claim::Claim;
use crate::daemon::claims::outputs;
use crate::daemon::fs::disk::{Access, Disk, NewFile, Restricted};
use tabuleiro_jobs::naming::{self, Output};
use tabuleiro_puzzles::solver::Cancel;

/// Makes and removes the temporary files of jobs.
pub struct Staging {
    folder: PathBuf,
    disk: Arc<dyn Disk>,
}

impl Staging {
    /// Temporary files in `folder`.
    pub fn new(folder: PathBuf, disk: Arc<dyn Disk>) -> Self {
        Self { folder, disk }
    }

    /// Returns where a job's output lies until it is published.
    #[must_use]
    pub fn path(&self, id: &str, output: Output) -> PathBuf {
        let kind = match output {
            Output::Result => "result",
            Output::ResultJson => "json",
            Output::Report => "report",
            Output::Grade => "grade",
            Output::GradeJson => "grade-json",
            Output::Archive => "archive",
            Output::ResultPage => "page",
            Output::ReportPage => "report-page",
            Output::GradePage => "grade-page",
        };
        self.folder.join(format!("{id}.{kind}"))
    }

    /// Makes a new file for a result of a claim, bounded as the configuration says; `for_staff`, one that the group alone reads
    /// besides the service.
    ///
    /// # Errors
    /// When the outbox cannot be written, or the group of results is unknown.
    pub fn result(
        &self,
        claim: &Claim,
        output: Output,
        for_staff: bool,
        config: &Config,
        cancel: &Cancel,
    ) -> io::Result<Staged> {
        let mut access = outputs::output_access(claim, &config.results, &*self.disk)?;
        if for_staff {
            access.restricted = Some(Restricted { reader: None });
        }
        let (file, is_labelled) = self.create(claim, output, access)?;
        let mut room = Room::new(config, cancel);
        if output.is_page() {
            // It has a bound of its own, and no answer is to be lost to it.
            room.left = u64::MAX;
        }
        Ok(Staged { file, is_labelled, room })
    }

    /// Writes a report or its page, which is bounded by the routes of the configuration; `text` is told whether it names its
    /// input. So is the caller.
    ///
    /// # Errors
    /// When the outbox cannot be written, or the group of results is unknown.
    pub fn report(
        &self,
        claim: &Claim,
        output: Output,
        text: &dyn Fn(bool) -> Vec<u8>,
        config: &Config,
        syncing: &Syncing,
    ) -> io::Result<bool> {
        let access = outputs::output_access(claim, &config.results, &*self.disk)?;
        let (mut file, is_labelled) = self.create(claim, output, access)?;
        file.write_all(&text(is_labelled))?;
        end(file, syncing)?;
        Ok(is_labelled)
    }

    /// Removes what a job made and nobody will publish: those of the outputs that exist.
    pub fn remove(&self, id: &str, outputs: &[Output]) {
        for output in outputs {
            // What is left goes at the next start.
            let _ = self.disk.remove_file(&self.path(id, *output));
        }
    }

    fn create(&self, claim: &Claim, output: Output, access: Access) -> io::Result<(Box<dyn NewFile>, bool)> {
        let path = self.path(&claim.id, output);
        let mut file = match self.disk.create(&path, access) {
            // Somebody deleted the outbox.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                self.disk.create_folders(&self.folder)?;
                self.disk.create(&path, access)
            }
            other => other,
        }?;
        let is_labelled = file.label(&naming::label(&claim.origin))?;
        Ok((file, is_labelled))
    }
}

/// Ends the writing of a file.
fn end(mut file: Box<dyn NewFile>, syncing: &Syncing) -> io::Result<()> {
    match syncing {
        // Through the descriptor that it was written by, which alone is sure to learn of every error.
        Syncing::OneByOne => file.sync(),
        Syncing::Never | Syncing::Together(_) => Ok(()),
    }
}

/// A result that may have so many bytes and no more: a short puzzle can have a long answer.
pub struct Staged {
    file: Box<dyn NewFile>,
    is_labelled: bool,
    room: Room,
}

/// What may still be written of a result.
pub struct Room {
    left: u64,
    /// Ends the writing: one answer can be very long.
    cancel: Cancel,
}

impl Room {
    /// That of a whole result.
    #[must_use]
    pub fn new(config: &Config, cancel: &Cancel) -> Self {
        Self { left: config.results.size_limit_bytes, cancel: cancel.clone() }
    }

    /// Writes to `file`.
    ///
    /// # Errors
    /// `FileTooLarge` when there is no room for all bytes; any error when the service must end; those of writing.
    pub fn write(&mut self, file: &mut (impl Write + ?Sized), bytes: &[u8]) -> io::Result<usize> {
        if self.cancel.is_cancelled() {
            return Err(io::Error::other("cancelled"));
        }
        if bytes.len() as u64 > self.left {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        let count = file.write(bytes)?;
        self.left -= count as u64;
        Ok(count)
    }
}

impl Staged {
    /// Returns whether it names its input.
    #[must_use]
    pub fn is_labelled(&self) -> bool {
        self.is_labelled
    }

    /// Ends the writing. Returns true if the file names its input.
    ///
    /// # Errors
    /// Those of syncing it, where that is to be done now.
    pub fn finish(self, syncing: &Syncing) -> io::Result<bool> {
        end(self.file, syncing)?;
        Ok(self.is_labelled)
    }
}

impl Write for Staged {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.room.write(&mut *self.file, bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
