//! A job on its way to being published: its outcome, and how far its publication came.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tracing::{Span, info_span};

use crate::config::{Config, IfExists, Route};
use crate::daemon::answering::content::Counted;
use crate::daemon::claims::file_claim::Claim;
use crate::daemon::claims::outputs::Collision;
use crate::daemon::fs::file_systems::FileSystems;
use tabuleiro_jobs::grading::Grade;
use tabuleiro_jobs::naming::Output;
use tabuleiro_jobs::{Rejection, Summary};
use tabuleiro_puzzles::input::printable;
use tabuleiro_puzzles::solver::{LANGUAGE, PICTURE};
use tabuleiro_puzzles::words::{Language, Phrase};

/// Bytes of a path that are shown.
pub(crate) const PATH_BYTES_MAX: usize = 1024;

/// Why a file goes back into the inbox at a stop.
pub const SERVICE_ENDS: &str = "the service ends";

/// A claim with what is to be published for it.
#[derive(Debug)]
#[allow(clippy::struct_excessive_bools, reason = "independent facts about the job, not one state")]
pub struct PendingPublication {
    /// The claim, still standing.
    pub claim: Claim,
    /// The job's span, for its log lines.
    pub span: Span,
    /// The file's printable path below the inbox.
    pub file: String,
    /// How long it waited between being seen and being begun.
    pub waited: Duration,
    /// The route's name.
    pub route: Option<String>,
    /// What to do when the result exists.
    pub if_exists: IfExists,
    /// The language of a report on its file.
    pub language: Language,
    /// The output that people look for.
    pub main_output: Output,
    /// A page stands beside the outputs that are read as text.
    pub has_page: bool,
    pub made: Made,
    /// The temporary file of each output.
    pub staged: Vec<(Output, PathBuf)>,
    pub syncing: Syncing,
    /// Syncs that had failed before it was begun. A later one may have lost what it wrote.
    pub failed_syncs: u64,
    /// What else has the plain name of an output, so that its outputs have the job's ID in theirs.
    pub collision: Option<Collision>,
    /// An earlier output of the same input is replaced.
    pub replaced: bool,
    /// Its outputs name their input. Otherwise the file system keeps no attributes.
    pub is_labelled: bool,
    /// The page of the service does not tell of it: its route grades, or only owners read its outputs.
    pub is_private: bool,
    /// How far its publication came.
    pub stage: Stage,
    /// How often an older report or page could not be removed.
    pub failed_removals: u32,
}

/// What came out of a job.
#[derive(Debug)]
pub enum Made {
    /// Results under temporary names.
    Results {
        solver: &'static str,
        /// What was done.
        summary: Box<Summary>,
    },
    /// A grade under temporary names.
    Grade(Box<Graded>),
    /// What was made of the members of an archive, under a temporary name.
    Archive(Box<Unpacked>),
    /// The file gets a report.
    Rejected(Rejection),
    /// The file changed while it was read, or the service ends: back into the inbox.
    PutBack(&'static str),
    /// Somebody may be writing the reference of a submission: the job is tried again after that time.
    Waits(Duration),
    /// Something outside the file failed: the job is tried again later.
    Failed(String),
}

/// A submission that was graded.
#[derive(Debug)]
pub struct Graded {
    /// The solver of the reference.
    pub solver: &'static str,
    pub grade: Grade,
    /// Whose submission it is, where the route says so.
    pub student: Option<String>,
    /// It does not count, and must not take the place of a grade that does.
    pub keeps_other: bool,
    /// Held until the grade stands in the outbox: the next submission of the student is counted behind it.
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
    /// Those with a grade; of the others those with no report have a result.
    pub graded: u64,
    /// Those with a report.
    pub rejected: u64,
    /// The first of those, each by its printable path and with why.
    pub reasons: Vec<(String, Rejection)>,
    /// The first of those with a result that is undecided or has warnings.
    pub noteworthy: Vec<(String, Box<Summary>)>,
    /// The folders of a class in which nothing could be graded, each with why.
    pub lacking: Vec<(String, Phrase)>,
    /// The puzzles in those with a result.
    pub puzzles: u64,
    /// Invalid ones among them.
    pub invalid: u64,
    /// Undecided ones among them.
    pub undecided: u64,
    /// Bytes of the archive.
    pub bytes: u64,
    /// Time spent on all of it.
    pub took: Duration,
}

impl Unpacked {
    /// Members with a result.
    #[must_use]
    pub fn answered(&self) -> u64 {
        self.members - self.graded - self.rejected
    }
}

impl Made {
    /// Returns whether there are outputs beside a report.
    #[must_use]
    pub fn has_result(&self) -> bool {
        matches!(self, Self::Results { .. } | Self::Grade(_) | Self::Archive(_))
    }
}

/// How what a job writes gets to disk.
#[derive(Clone)]
pub enum Syncing {
    Never,
    /// Each file by its writer, before it is closed.
    OneByOne,
    /// By the group that publishes it, all at once.
    Together(Arc<FileSystems>),
}

/// How far the publication of a job came.
#[derive(Debug, PartialEq, Eq)]
pub enum Stage {
    /// No output has its final name.
    Staged {
        /// Somebody took a name that had been free, so the outputs take names that are the job's own.
        name_taken: bool,
    },
    /// The outputs have their final names, at these paths below the outbox, in the order in which people look for them. The
    /// names are not synced yet: that is done for a group at once; then older outputs are removed, and the input is archived.
    Named(Vec<PathBuf>),
}

impl PendingPublication {
    /// Makes one of a claim with its outcome, on no route.
    #[must_use]
    pub fn new(claim: Claim, made: Made) -> Self {
        Self {
            span: info_span!("job", id = %claim.id),
            file: printable(claim.origin.as_os_str().as_encoded_bytes(), PATH_BYTES_MAX),
            waited: Duration::ZERO,
            route: None,
            if_exists: IfExists::Replace,
            language: Language::English,
            main_output: Output::Result,
            has_page: false,
            made,
            staged: Vec::new(),
            syncing: Syncing::Never,
            failed_syncs: 0,
            collision: None,
            replaced: false,
            is_labelled: false,
            is_private: false,
            stage: Stage::Staged { name_taken: false },
            failed_removals: 0,
            claim,
        }
    }

    /// Makes one of a claim without an outcome: for now its file can only go back.
    #[must_use]
    pub fn unanswered(claim: Claim) -> Box<Self> {
        Box::new(Self::new(claim, Made::PutBack(SERVICE_ENDS)))
    }

    /// Begins an answer on `route`, and forgets what was made before.
    pub fn begin(&mut self, route: Option<&Route>, config: &Config, failed_syncs: u64) {
        self.waited = self.claim.seen.elapsed();
        self.route = route.map(|route| route.name.clone());
        self.if_exists = route.map_or(IfExists::Replace, |route| route.if_exists);
        self.language = route.map_or(config.results.language, |route| route.options.get(LANGUAGE));
        self.has_page = route.is_some_and(|route| route.options.get(PICTURE));
        self.main_output = config.outputs(&self.claim.origin, route, false)[0];
        self.staged.clear();
        self.failed_syncs = failed_syncs;
        (self.collision, self.replaced) = (None, false);
        self.is_labelled = false;
        self.is_private = config.is_private(route);
        self.stage = Stage::Staged { name_taken: false };
        self.failed_removals = 0;
    }

    /// Decides that the file goes back into the inbox if it may, for the reason that it has already or because the service ends.
    pub fn give_up(&mut self) {
        if !self.is_put_back() {
            self.made = Made::PutBack(SERVICE_ENDS);
        }
    }

    /// Returns whether its file is to go back into the inbox.
    #[must_use]
    pub fn is_put_back(&self) -> bool {
        matches!(self.made, Made::PutBack(_))
    }
}

impl fmt::Debug for Syncing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Never => "Never",
            Self::OneByOne => "OneByOne",
            Self::Together(_) => "Together",
        })
    }
}
