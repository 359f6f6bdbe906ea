//! A job that is to be published: its outcome, and the progress of its publication.

use std::cell::Cell;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tracing::{Span, info_span};

use crate::config::{Config, IfExists, Route};
use crate::daemon::answering::content::Counted;
use crate::daemon::base::json_path::show;
use crate::daemon::claims::file_claim::Claim;
use crate::daemon::claims::outputs::Collision;
use crate::daemon::fs::disk::FileSystems;
use tabuleiro_jobs::grading::Grade;
use tabuleiro_jobs::naming::Output;
use tabuleiro_jobs::{Rejection, Summary};
use tabuleiro_puzzles::solver::{LANGUAGE, PICTURE};
use tabuleiro_puzzles::words::{Language, Phrase};

/// Why a file goes back into the inbox when the service stops.
pub const SERVICE_ENDS: &str = "the service ends";

/// A claim and what is to be published for it.
#[derive(Debug)]
#[allow(clippy::struct_excessive_bools, reason = "independent facts about the job, not one state")]
pub struct PendingPublication {
    /// The claim, which has not ended.
    pub claim: Claim,
    /// The job's span, for its log lines.
    pub span: Span,
    /// The file's printable path below the inbox.
    pub file: String,
    /// How long the file waited between being noticed and the start of its answer.
    pub waited: Duration,
    /// The configuration that the job is answered and published with.
    pub config: Arc<Config>,
    /// The name of the route that takes the file; `None` if none does.
    pub route: Option<String>,
    /// What to do if the result already exists.
    pub if_exists: IfExists,
    /// The language of a report on the file.
    pub language: Cell<Language>,
    /// Whether a page is made in addition to the outputs that are read as text.
    pub has_page: Cell<bool>,
    pub made: Made,
    /// The outputs that lie under temporary names.
    pub staged: Vec<Output>,
    pub syncing: Syncing,
    /// Number of syncs that failed before the job began. A later failure may have lost what the job wrote.
    pub failed_syncs: u64,
    /// What else has the plain name of an output. The outputs then have the job's ID in their names.
    pub collision: Option<Collision>,
    /// Whether an earlier output of the same input is replaced.
    pub replaced: bool,
    /// Whether all outputs made so far are labelled with their input. If not, the file system keeps no attributes.
    pub is_labelled: Cell<bool>,
    /// Whether the page of the service omits the job: its route grades, or only owners may read its outputs.
    pub is_private: bool,
    /// The progress of the publication.
    pub stage: Stage,
    /// How often an older report or page could not be removed.
    pub failed_removals: u32,
}

/// The outcome of a job.
#[derive(Debug)]
pub enum Made {
    /// Results under temporary names.
    Results {
        solver: &'static str,
        /// Counts and times of the job.
        summary: Box<Summary>,
    },
    /// A grade under temporary names.
    Grade(Box<Graded>),
    /// The answered and graded members of an archive, under a temporary name.
    Archive(Box<Unpacked>),
    /// The file gets a report.
    Rejected(Rejection),
    /// The file goes back into the inbox for this reason, for example because it changed while it was read.
    PutBack(&'static str),
    /// Somebody may be writing the reference of a submission. The job is retried after this time.
    Waits(Duration),
    /// Something outside the file failed. The job is retried later.
    Failed(String),
}

/// A submission that was graded.
#[derive(Debug)]
pub struct Graded {
    /// The solver of the reference.
    pub solver: &'static str,
    pub grade: Grade,
    /// The student who handed it in, if the route says how to find that.
    pub student: Option<String>,
    /// The grade does not count, and must not replace one that does.
    pub keeps_other: bool,
    /// Held until the grade is in the outbox, so that the student's next submission gets a later number.
    #[expect(dead_code, reason = "it counts for as long as it is held")]
    pub counted: Arc<Counted>,
    pub bytes: u64,
    /// Time spent reading and comparing.
    pub took: Duration,
}

/// An archive whose members were answered.
#[derive(Debug, Default)]
pub struct Unpacked {
    pub members: u64,
    /// Members with a grade. Each of the others has a report or a result.
    pub graded: u64,
    /// Members with a report.
    pub rejected: u64,
    /// The first members with a report: the printable path of each, and the reason.
    pub reasons: Vec<(String, Rejection)>,
    /// The first members whose result is undecided or has warnings.
    pub noteworthy: Vec<(String, Box<Summary>)>,
    /// The folders of a class in which nothing could be graded, each with the reason.
    pub lacking: Vec<(String, Phrase)>,
    /// Puzzles in the members with a result.
    pub puzzles: u64,
    /// Invalid puzzles among them.
    pub invalid: u64,
    /// Undecided puzzles among them.
    pub undecided: u64,
    /// Entries with mistakes: invalid puzzles, and lines that belong to no puzzle.
    pub mistakes: u64,
    /// Size of the archive in bytes.
    pub bytes: u64,
    /// Time spent on the whole archive.
    pub took: Duration,
}

impl Unpacked {
    /// Returns the number of members with a result.
    pub fn answered(&self) -> u64 {
        self.members - self.graded - self.rejected
    }

    /// Returns whether a member was rejected, or has invalid puzzles or warnings.
    pub fn has_warnings(&self) -> bool {
        self.rejected + self.mistakes > 0 || self.noteworthy.iter().any(|(_, summary)| summary.has_warnings())
    }
}

impl Made {
    /// Returns whether the job has outputs other than a report.
    pub fn has_result(&self) -> bool {
        matches!(self, Self::Results { .. } | Self::Grade(_) | Self::Archive(_))
    }
}

/// How the outputs of a job are synced to disk.
#[derive(Debug, Clone)]
pub enum Syncing {
    Never,
    /// The writer of each file syncs it before closing it.
    OneByOne,
    /// The group that publishes the job syncs all files at once.
    Together(Arc<FileSystems>),
}

/// The progress of a job's publication.
#[derive(Debug, PartialEq, Eq)]
pub enum Stage {
    /// No output has its final name yet.
    Staged {
        /// Somebody took a name that had been free, so the outputs take names with the job's ID.
        name_taken: bool,
    },
    /// The outputs have their final names, at these paths below the outbox, in the order in which people look for them.
    /// The names are not synced yet. The publisher syncs them for a whole group, removes older outputs, and then
    /// archives the input.
    Named(Vec<PathBuf>),
}

impl PendingPublication {
    /// Creates a pending publication of a claim without an outcome. Until it is answered, its file can only go back.
    pub fn unanswered(claim: Claim, config: &Arc<Config>) -> Box<Self> {
        Box::new(Self {
            span: info_span!("job", id = %claim.id),
            file: show(&claim.origin),
            waited: Duration::ZERO,
            config: Arc::clone(config),
            route: None,
            if_exists: IfExists::Replace,
            language: Cell::new(Language::English),
            has_page: Cell::new(false),
            made: Made::PutBack(SERVICE_ENDS),
            staged: Vec::new(),
            syncing: Syncing::Never,
            failed_syncs: 0,
            collision: None,
            replaced: false,
            is_labelled: Cell::new(true),
            is_private: false,
            stage: Stage::Staged { name_taken: false },
            failed_removals: 0,
            claim,
        })
    }

    /// Begins an answer on `route`, and resets what an earlier answer set.
    pub fn begin(&mut self, route: Option<&Route>, failed_syncs: u64) {
        let config = &self.config;
        self.waited = self.claim.seen.elapsed();
        self.route = route.map(|route| route.name.clone());
        self.if_exists = route.map_or(IfExists::Replace, |route| route.if_exists);
        self.language.set(route.map_or(config.results.language, |route| route.options.get(LANGUAGE)));
        self.has_page.set(route.is_some_and(|route| route.options.get(PICTURE)));
        self.staged.clear();
        self.failed_syncs = failed_syncs;
        (self.collision, self.replaced) = (None, false);
        self.is_private = config.is_private(route);
        self.stage = Stage::Staged { name_taken: false };
        self.failed_removals = 0;
    }

    /// Decides that the file goes back into the inbox if it may: for the reason that it already has, or else because
    /// the service ends.
    pub fn give_up(&mut self) {
        if !self.is_put_back() {
            self.made = Made::PutBack(SERVICE_ENDS);
        }
    }

    /// Returns whether the file is to go back into the inbox.
    pub fn is_put_back(&self) -> bool {
        matches!(self.made, Made::PutBack(_))
    }
}
