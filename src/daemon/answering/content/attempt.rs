//! A claimed file that is being answered, with what that takes.

use std::cell::Cell;
use std::io::{self, BufWriter};
use std::sync::Arc;

use sha2::Sha256;

use super::attempts::Attempts;
use super::input::Source;
use super::references::References;
use crate::config::{Config, Route};
use crate::daemon::answering::prepared::Syncing;
use crate::daemon::answering::progress::Counts;
use crate::daemon::answering::staging::{Staged, Staging};
use crate::daemon::claims::claim::Claim;
use crate::daemon::fs::disk::{Disk, OpenFile};
use crate::daemon::fs::folders::Folders;
use tabuleiro_jobs::Pool;
use tabuleiro_jobs::naming::Output;
use tabuleiro_puzzles::solver::{Cancel, LANGUAGE, Options, PICTURE};
use tabuleiro_puzzles::words::Language;

/// A claimed file that is being answered.
pub struct Attempt<'a> {
    /// Through which all of it is done.
    pub disk: &'a dyn Disk,
    /// Where things lie.
    pub folders: &'a Folders,
    /// Outputs under temporary names.
    pub staging: &'a Staging,
    /// Who solves.
    pub pool: &'a Pool,
    /// Set when the service must end now.
    pub cancel: &'a Cancel,
    /// What submissions are graded by.
    pub references: &'a References,
    /// How many times students handed in.
    pub attempts: &'a Attempts,
    /// The claim.
    pub claim: &'a Claim,
    /// The file's printable path below the inbox.
    pub file: &'a str,
    /// The route that takes it.
    pub route: Option<&'a Route>,
    /// What is configured.
    pub config: &'a Config,
    /// How what is written gets to disk.
    pub syncing: &'a Syncing,
    /// Who is told how far it came.
    pub counts: Arc<Counts>,
    /// The outputs name their input.
    pub is_labelled: Cell<bool>,
    /// What people are told in.
    pub language: Cell<Language>,
    /// A page is wanted.
    pub has_page: Cell<bool>,
}

impl Attempt<'_> {
    /// The options are known, by which the file is answered.
    pub(super) fn begin(&self, options: &Options) {
        self.language.set(options.get(LANGUAGE));
        self.has_page.set(options.get(PICTURE));
    }

    /// Whether it leads to an output of that kind.
    pub(super) fn has(&self, output: Output) -> bool {
        self.config.outputs(&self.claim.origin, self.route, self.has_page.get()).contains(&output)
    }

    /// Reads the file, and digests it with `digest`.
    pub(super) fn source<'s>(&'s self, file: &'s mut dyn OpenFile, digest: Option<Sha256>) -> Source<'s> {
        let (left, cancel, counts) = (self.config.intake.size_limit_bytes, self.cancel, &*self.counts);
        Source { file, left, cancel, digest, counts }
    }

    /// Begins an output under a temporary name.
    pub(super) fn staged(&self, output: Output) -> io::Result<Staged> {
        self.staging.result((self.claim, output), false, self.config, self.cancel)
    }

    /// The same, of one that no student may read.
    pub(super) fn staged_for_staff(&self, output: Output) -> io::Result<Staged> {
        self.staging.result((self.claim, output), true, self.config, self.cancel)
    }

    /// Ends the writing of outputs.
    pub(super) fn finish(&self, outputs: impl IntoIterator<Item = BufWriter<Staged>>) -> io::Result<()> {
        let mut are_labelled = true;
        for output in outputs {
            are_labelled &= output.into_inner()?.finish(self.syncing)?;
        }
        self.is_labelled.set(are_labelled);
        Ok(())
    }
}
