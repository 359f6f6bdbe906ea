//! A job on its way to being published: what came out of it, and how far its publication came.

use std::path::PathBuf;
use std::time::Duration;

use tracing::{Span, info_span};

use crate::config::{IfExists, Route};
use crate::daemon::claims::claim::Claim;
use crate::input::printable;
use crate::job::{Rejection, Summary};
use crate::naming::Output;

/// How much of a path is shown.
pub(crate) const PATH_BYTES_MAX: usize = 1024;

/// A claim with what is to be published for it.
#[derive(Debug)]
pub struct Prepared {
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
    /// What came out.
    pub made: Made,
    /// The temporary file of each output.
    pub staged: Vec<(Output, PathBuf)>,
    /// Syncs that had failed before it was begun. A later one may have lost what it wrote.
    pub failed_syncs: u64,
    /// How far its publication came.
    pub stage: Stage,
}

/// What came out of a job.
#[derive(Debug)]
pub enum Made {
    /// Results under temporary names.
    Results {
        /// The solver.
        solver: &'static str,
        /// What was done.
        summary: Box<Summary>,
    },
    /// The file gets a report.
    Rejected(Rejection),
    /// The file changed while it was read, or the service ends: back into the inbox.
    PutBack(&'static str),
    /// Something outside the file failed: the job is tried again later.
    Failed(String),
}

/// How far the publication of a job came.
#[derive(Debug, PartialEq, Eq)]
pub enum Stage {
    /// No output has its final name.
    Staged {
        /// Somebody took a name that had been free, so the outputs take names that are the job's own.
        name_taken: bool,
    },
    /// Every output has its final name, durably, the first at this path below the outbox. The input is not archived yet.
    Named(PathBuf),
}

impl Prepared {
    /// A claim with its outcome, on no route.
    #[must_use]
    pub fn new(claim: Claim, made: Made) -> Self {
        Self {
            span: info_span!("job", id = %claim.id),
            file: printable(claim.origin.as_os_str().as_encoded_bytes(), PATH_BYTES_MAX),
            waited: claim.seen.elapsed(),
            route: None,
            if_exists: IfExists::Replace,
            made,
            staged: Vec::new(),
            failed_syncs: 0,
            stage: Stage::Staged { name_taken: false },
            claim,
        }
    }

    /// The same, taken by `route`.
    #[must_use]
    pub fn routed(mut self, route: Option<&Route>) -> Self {
        self.route = route.map(|route| route.name.clone());
        self.if_exists = route.map_or(IfExists::Replace, |route| route.if_exists);
        self
    }
}

/// A job that nobody works on for now.
#[derive(Debug)]
pub enum Held {
    /// Its claim, to be answered.
    Claim(Claim),
    /// Its claim, and what came out.
    Prepared(Box<Prepared>),
}

impl Held {
    /// The claim, to be answered anew.
    #[must_use]
    pub fn into_claim(self) -> Claim {
        match self {
            Self::Claim(claim) => claim,
            Self::Prepared(prepared) => prepared.claim,
        }
    }

    /// A job whose file is to go back into the inbox if it may, for the reason that it has already or for `why`.
    #[must_use]
    pub fn into_put_back(self, why: &'static str) -> Box<Prepared> {
        match self {
            Self::Claim(claim) => Box::new(Prepared::new(claim, Made::PutBack(why))),
            Self::Prepared(mut prepared) => {
                if !prepared.is_put_back() {
                    prepared.made = Made::PutBack(why);
                }
                prepared
            }
        }
    }
}
