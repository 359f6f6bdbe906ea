//! One job of a group on its way to being published, and the older outputs of its input, which it replaces.

use std::io;
use std::path::{Path, PathBuf};

use crate::daemon::answering::pending_publication::{PendingPublication, Stage};
use crate::daemon::claims::outputs::{self, Found};
use crate::daemon::fs::disk::{Disk, exists};
use tabuleiro_jobs::naming::{self, Output};

/// Where a job ended.
#[derive(Debug)]
pub enum End {
    /// The result, or the report, stands at this path below the outbox.
    Published(PathBuf),
    /// The input lies in the inbox again.
    PutBack(&'static str),
    /// Published, but the input must be [copied](super::publisher::Publisher::copy) to its place on another file system,
    /// which may take long.
    Copy(PathBuf),
    /// What was made is kept, and its publication goes on later where it stopped.
    PublishAgain(String),
    /// What was made is gone or not to be trusted: the claim is to be answered again, in new files.
    AnswerAgain(String),
}

/// A job between its preparation and its end.
pub struct Publication {
    /// The job.
    pub pending: PendingPublication,
    /// The path of its file below the inbox, as mirrored in the outbox.
    pub origin: PathBuf,
    /// The renames of its outputs; none where they have their names already.
    pub moves: Vec<Move>,
    /// An earlier try may have left something of it.
    pub is_again: bool,
    /// An earlier try gave its outputs their names.
    pub is_named: bool,
    /// Where its input is archived, absolute.
    pub archived: Option<PathBuf>,
    /// Set as soon as nothing more is to be done for it.
    pub end: Option<End>,
}

/// A rename to a final name. Paths are absolute.
#[derive(Debug)]
pub struct Move {
    /// The temporary file.
    pub from: PathBuf,
    /// The final name.
    pub to: PathBuf,
    /// It must not replace anything.
    pub is_new: bool,
}

impl Publication {
    /// Makes a job of which nothing is planned.
    pub fn new(pending: PendingPublication) -> Self {
        let claim = &pending.claim;
        let named = match &pending.stage {
            Stage::Named(outputs) => outputs.first(),
            Stage::Staged { .. } => None,
        };
        let (is_again, is_named) = (claim.may_be_named, named.is_some());
        // Outputs stand beside each other, wherever the folder of their file is mirrored.
        let origin = named.zip(claim.origin.file_name()).map(|(output, name)| output.with_file_name(name));
        let origin = origin.unwrap_or_else(|| claim.origin.clone());
        Self { pending, origin, moves: Vec::new(), is_again, is_named, archived: None, end: None }
    }

    /// Returns whether its outputs are to be published in this group.
    pub fn is_to_be_named(&self) -> bool {
        self.end.is_none() && !self.moves.is_empty()
    }

    /// Gives all outputs their final names, or none. Returns the folders in which names changed.
    pub fn rename(&mut self, outbox: &Path, disk: &dyn Disk) -> Vec<PathBuf> {
        self.pending.claim.may_be_named = true;
        let mut folders = Vec::new();
        // What replaces an older output cannot be taken back, so it comes last.
        let mut order: Vec<_> = self.moves.iter().collect();
        order.sort_by_key(|output| !output.is_new);
        for (index, output) in order.iter().enumerate() {
            let Move { from, to, is_new } = *output;
            folders.extend(to.parent().map(Path::to_owned));
            let renamed = if *is_new { disk.rename_new(from, to) } else { disk.rename(from, to) };
            if let Err(error) = renamed {
                for Move { from, to, .. } in order[..index].iter().filter(|output| output.is_new) {
                    // Checked below.
                    let _ = disk.rename(to, from);
                }
                self.end = Some(self.refused(&error, disk));
                return folders;
            }
        }
        let below = |output: &Move| output.to.strip_prefix(outbox).unwrap_or(Path::new("")).to_owned();
        self.pending.stage = Stage::Named(self.moves.iter().map(below).collect());
        folders
    }

    /// Returns what is left to do for a job that could not get its names.
    fn refused(&mut self, error: &io::Error, disk: &dyn Disk) -> End {
        let why = format!("cannot publish the result: {error}");
        if !self.moves.iter().all(|output| exists(disk, &output.from)) {
            return End::AnswerAgain(why);
        }
        self.pending.claim.may_be_named = self.is_again;
        // Else the next try would take the newcomer for an older result, and replace it.
        let is_taken = error.kind() == io::ErrorKind::AlreadyExists;
        if let Stage::Staged { name_taken } = &mut self.pending.stage {
            *name_taken |= is_taken;
        }
        End::PublishAgain(why)
    }
}

/// An older output that could not be removed: its path below the outbox, and why.
pub type Stuck = (PathBuf, io::Error);

/// Removes the older outputs of a job's input.
pub struct Older<'a> {
    /// Through which that is done.
    pub disk: &'a dyn Disk,
    /// Where they stand.
    pub outbox: &'a Path,
    /// The job, whose own outputs have their names.
    pub publication: &'a Publication,
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
        if !self.publication.pending.made.has_result() {
            return Ok(());
        }
        // The page goes first, and its text only when it is gone: where there is no text nobody looks for a page. After a
        // crash the text alone may be gone.
        let has_report = self.is_there(Output::Report)?;
        if has_report || self.publication.is_again {
            self.remove_output(Output::ReportPage)?;
        }
        if has_report { self.remove_output(Output::Report) } else { Ok(()) }
    }

    fn remove_page(&mut self) -> Result<(), Stuck> {
        // A page stands beside its text: where none was replaced, or an earlier try replaced none, there is no page either.
        let PendingPublication { staged, replaced, has_page, .. } = &self.publication.pending;
        let page = staged.first().and_then(|(text, _)| text.page());
        match page.filter(|_| !has_page && (*replaced || self.publication.is_again)) {
            Some(page) => self.remove_output(page),
            None => Ok(()),
        }
    }

    fn path(&self, output: Output) -> PathBuf {
        naming::result_path(&self.publication.origin, output, None)
    }

    /// Returns whether there is an older output of the job's input.
    fn is_there(&self, output: Output) -> Result<bool, Stuck> {
        let (path, PendingPublication { claim, is_labelled, .. }) =
            (self.path(output), &self.publication.pending);
        match outputs::look(self.disk, self.outbox, &path, claim, *is_labelled) {
            Ok(found) => Ok(found == Found::Ours),
            Err(error) => Err((path, error)),
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
