//! What a file can be, and what a running service alone knows of it.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::daemon::base::json_path::JsonPath;

/// What a running service knows of a file.
#[derive(Debug, Clone, Default)]
pub struct Live {
    /// The jobs of that file in hand, the oldest first, each in words.
    pub in_hand: Vec<String>,
    /// Why nothing is taken for now.
    pub paused: Option<String>,
    /// How soon the inbox is listed, where events are not relied on or fail.
    pub listed_every: String,
    /// As many files are in hand as may be, or as may be of the file's route.
    pub is_full: bool,
    /// As many long files are in hand as may be of the file's route.
    pub is_full_of_long: bool,
    /// Nothing is taken any more.
    pub is_stopping: bool,
}

/// What a file is now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// It lies in the inbox and is left alone.
    LeftAlone,
    /// It lies in the inbox and is not complete.
    Incomplete,
    /// It lies in the inbox, complete, and is not taken yet.
    Waiting,
    /// It was taken and is not answered yet.
    InHand,
    /// It has a result.
    Answered,
    /// It has a grade.
    Graded,
    /// It has a report.
    Rejected,
    /// There is no such file, and none is known.
    Unknown,
}

impl State {
    /// The state in words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::LeftAlone => "left alone",
            Self::Incomplete => "not complete",
            Self::Waiting => "waiting",
            Self::InHand => "in hand",
            Self::Answered => "answered",
            Self::Graded => "graded",
            Self::Rejected => "rejected",
            Self::Unknown => "unknown",
        }
    }
}

/// A path below the inbox, printable.
pub(super) fn show(path: &Path) -> String {
    JsonPath::from(path).printable()
}
