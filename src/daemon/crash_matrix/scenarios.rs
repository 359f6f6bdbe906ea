//! What happens before the power fails.

use std::path::Path;

use crate::config::IfExists;
use tabuleiro_jobs::naming::{self, Output};

/// The ID of a claim that an earlier run left.
const EARLIER: &str = "20260101T000000.000000Z";
/// Begins the content of every file that a person put into the outbox.
pub const THEIRS: &str = "theirs";

/// A file dropped into the inbox.
#[derive(Debug, Clone, Copy)]
pub struct Dropped {
    /// Its path below the inbox.
    pub name: &'static str,
    /// Its content, which is unique.
    pub content: &'static str,
    /// Its answer; `None` if the file is rejected.
    pub answer: Option<&'static str>,
}

/// One step of a scenario.
#[derive(Debug, Clone, Copy)]
pub enum Act {
    /// Somebody drops a file; it is durable at once.
    Drop(Dropped),
    /// An earlier run left a claim on this file.
    Claimed(Dropped),
    /// Just before the first answer gets this name below the outbox, somebody's file takes it, with this content.
    Newcomer(&'static str, &'static str),
    /// The intake claims all files in the inbox.
    Claim,
    /// All claims are answered and published, in groups.
    Answer,
    /// All claims are given back, because the service stops.
    GiveBack,
}

/// A sequence of steps with one job or several.
#[derive(Debug)]
pub struct Scenario {
    /// What the scenario is about.
    pub name: &'static str,
    /// The policy of the route.
    pub if_exists: IfExists,
    /// Whether JSON and a page are made as well.
    pub json: bool,
    /// Files that exist at the start: absolute paths and contents.
    pub before: &'static [(&'static str, &'static str)],
    /// What happens.
    pub acts: &'static [Act],
}

impl Scenario {
    /// Returns the dropped files in order.
    pub fn drops(&self) -> impl Iterator<Item = &'static Dropped> {
        self.acts.iter().filter_map(|act| match act {
            Act::Drop(dropped) | Act::Claimed(dropped) => Some(dropped),
            _ => None,
        })
    }

    /// Returns the file that takes a name in the outbox just before an answer.
    pub fn newcomer(&self) -> Option<(&'static str, &'static str)> {
        self.acts.iter().find_map(|act| match act {
            Act::Newcomer(path, content) => Some((*path, *content)),
            _ => None,
        })
    }

    /// Returns the input of an output that exists at the start; `None` for a person's file.
    pub fn input_of(&self, path: &str, content: &str) -> Option<&'static str> {
        let path = Path::new(path).strip_prefix("/outbox").ok()?;
        let is_output = |dropped: &&Dropped| {
            let paths = |id| {
                let path = move |output| naming::result_path(Path::new(dropped.name), output, id);
                let pages = [Output::ResultPage, Output::ReportPage].map(path);
                [Output::Result, Output::ResultJson, Output::Report].map(path).into_iter().chain(pages)
            };
            paths(None).chain(paths(Some(EARLIER))).any(|output| output == path)
        };
        let dropped = self.drops().find(is_output).filter(|_| !content.starts_with(THEIRS));
        dropped.map(|dropped| dropped.name)
    }

    /// Returns whether an older report is only looked up to be removed: nothing is rejected and no page is made, both
    /// of which would look up its name, too.
    pub fn removes_only(&self) -> bool {
        self.before.contains(&REPORT) && !self.json && self.drops().all(|dropped| dropped.answer.is_some())
    }

    /// Returns whether the last files end in the inbox.
    pub fn ends_given_back(&self) -> bool {
        matches!(self.acts.last(), Some(Act::GiveBack))
    }
}

/// Expands to forty bytes of a name.
macro_rules! forty {
    () => {
        "a-name-of-forty-bytes-that-says-nothing-"
    };
}

macro_rules! long {
    () => {
        concat!(forty!(), forty!(), forty!(), "/", forty!(), forty!(), forty!(), "/x.txt")
    };
}

const FIRST: Dropped =
    Dropped { name: "entrada.txt", content: "# first\n3 3\n2 1 2 0 1\n0 0\n", answer: Some("1\n") };
const SECOND: Dropped =
    Dropped { name: "entrada.txt", content: "# second\n5 3\n1 0 2 1 0 2 0 0\n0 0\n", answer: Some("2\n") };
const BROKEN: Dropped = Dropped { name: "entrada.txt", content: "Dear\n", answer: None };
const OTHER: Dropped = Dropped { name: "b.txt", content: "# b\n3 3\n2 1 2 0 1\n0 0\n", answer: Some("1\n") };
const DEEP: Dropped =
    Dropped { name: "t/u/x.txt", content: "# x\n5 3\n1 0 2 1 0 2 0 0\n0 0\n", answer: Some("2\n") };

/// The names of its folders are so long that its claim is a folder.
const LONG: Dropped =
    Dropped { name: long!(), content: "# long\n3 3\n2 1 2 0 1\n0 0\n", answer: Some("1\n") };
const LONG_SECOND: Dropped =
    Dropped { name: long!(), content: "# long again\n5 3\n1 0 2 1 0 2 0 0\n0 0\n", answer: Some("2\n") };
const LONG_BROKEN: Dropped = Dropped { name: long!(), content: "Dear all\n", answer: None };

const REPORT: (&str, &str) = ("/outbox/erro.txt", "rejected: older\n");

/// All scenarios.
pub const SCENARIOS: &[Scenario] = &[
    Scenario {
        name: "one file",
        if_exists: IfExists::Replace,
        json: false,
        before: &[],
        acts: &[Act::Drop(FIRST), Act::Claim, Act::Answer],
    },
    Scenario {
        name: "two files of a group, one in folders",
        if_exists: IfExists::Replace,
        json: false,
        before: &[],
        acts: &[Act::Drop(DEEP), Act::Drop(OTHER), Act::Claim, Act::Answer],
    },
    Scenario {
        name: "two files of a group, each with a version",
        if_exists: IfExists::Version,
        json: false,
        before: &[("/outbox/b.saida.txt", "older\n")],
        acts: &[Act::Drop(FIRST), Act::Drop(OTHER), Act::Claim, Act::Answer],
    },
    Scenario {
        name: "a name twice, replaced",
        if_exists: IfExists::Replace,
        json: false,
        before: &[],
        acts: &[Act::Drop(FIRST), Act::Claim, Act::Drop(SECOND), Act::Claim, Act::Answer],
    },
    Scenario {
        name: "a name twice, versioned",
        if_exists: IfExists::Version,
        json: false,
        before: &[],
        acts: &[Act::Drop(FIRST), Act::Claim, Act::Drop(SECOND), Act::Claim, Act::Answer],
    },
    Scenario {
        name: "a result replaced, an old report",
        if_exists: IfExists::Replace,
        json: false,
        before: &[("/outbox/saida.txt", "older\n"), REPORT],
        acts: &[Act::Drop(SECOND), Act::Claim, Act::Answer],
    },
    Scenario {
        name: "a result with JSON",
        if_exists: IfExists::Version,
        json: true,
        before: &[],
        acts: &[Act::Drop(FIRST), Act::Claim, Act::Answer],
    },
    Scenario {
        name: "a file that is rejected, then one that is not",
        if_exists: IfExists::Replace,
        json: false,
        before: &[],
        acts: &[Act::Drop(BROKEN), Act::Claim, Act::Answer, Act::Drop(FIRST), Act::Claim, Act::Answer],
    },
    Scenario {
        name: "an answer, then a stop that gives back",
        if_exists: IfExists::Version,
        json: false,
        before: &[],
        acts: &[Act::Drop(FIRST), Act::Claim, Act::Answer, Act::Drop(DEEP), Act::Claim, Act::GiveBack],
    },
    Scenario {
        name: "a file that killed the process twice",
        if_exists: IfExists::Replace,
        json: false,
        before: &[
            ("/var/work/20260101T000000.000000Z!2/entrada.txt", BROKEN.content),
            ("/outbox/saida.txt", "older\n"),
        ],
        acts: &[Act::Claimed(BROKEN), Act::Drop(FIRST), Act::Claim, Act::Answer],
    },
    Scenario {
        name: "a claim in a folder that an earlier run left",
        if_exists: IfExists::Version,
        json: false,
        before: &[("/var/work/20260101T000000.000000Z/entrada.txt", FIRST.content)],
        acts: &[Act::Claimed(FIRST), Act::Drop(SECOND), Act::Answer, Act::Claim, Act::Answer],
    },
    Scenario {
        name: "two files of a group, one claimed in a folder",
        if_exists: IfExists::Replace,
        json: false,
        before: &[],
        acts: &[Act::Drop(LONG), Act::Drop(OTHER), Act::Claim, Act::Answer],
    },
    Scenario {
        name: "a name twice, versioned, claimed in folders",
        if_exists: IfExists::Version,
        json: false,
        before: &[],
        acts: &[Act::Drop(LONG), Act::Claim, Act::Drop(LONG_SECOND), Act::Claim, Act::Answer],
    },
    Scenario {
        name: "a file claimed in a folder that is rejected, then one that is not",
        if_exists: IfExists::Replace,
        json: false,
        before: &[],
        acts: &[Act::Drop(LONG_BROKEN), Act::Claim, Act::Answer, Act::Drop(LONG), Act::Claim, Act::Answer],
    },
    Scenario {
        name: "a stop that gives back what is claimed in a folder",
        if_exists: IfExists::Version,
        json: false,
        before: &[],
        acts: &[Act::Drop(FIRST), Act::Claim, Act::Answer, Act::Drop(LONG), Act::Claim, Act::GiveBack],
    },
    Scenario {
        name: "a file that killed the process twice under its claim's name",
        if_exists: IfExists::Replace,
        json: false,
        before: &[
            ("/var/work/20260101T000000.000000Z!2=entrada.txt", BROKEN.content),
            ("/outbox/saida.txt", "older\n"),
        ],
        acts: &[Act::Claimed(BROKEN), Act::Drop(FIRST), Act::Claim, Act::Answer],
    },
    Scenario {
        name: "a claim that was left under a name, on a route that makes versions",
        if_exists: IfExists::Version,
        json: false,
        before: &[("/var/work/20260101T000000.000000Z=entrada.txt", FIRST.content)],
        acts: &[Act::Claimed(FIRST), Act::Drop(SECOND), Act::Answer, Act::Claim, Act::Answer],
    },
    Scenario {
        name: "a version that was published before its claim ended, on a route that replaces now",
        if_exists: IfExists::Replace,
        json: false,
        before: &[
            ("/var/work/20260101T000000.000000Z=entrada.txt", FIRST.content),
            ("/outbox/saida.20260101T000000.000000Z.txt", "1\n"),
            ("/outbox/saida.txt", "older\n"),
        ],
        acts: &[Act::Claimed(FIRST), Act::Drop(SECOND), Act::Answer, Act::Claim, Act::Answer],
    },
    Scenario {
        name: "a folder that has the name of one output of two",
        if_exists: IfExists::Replace,
        json: true,
        before: &[("/outbox/saida.json/x.saida.txt", "older\n")],
        acts: &[Act::Drop(FIRST), Act::Claim, Act::Answer],
    },
    Scenario {
        name: "a name twice, and a folder in its way, then a stop that gives back",
        if_exists: IfExists::Replace,
        json: false,
        before: &[("/outbox/saida.txt/x.saida.txt", "older\n")],
        acts: &[
            Act::Drop(FIRST),
            Act::Claim,
            Act::Drop(SECOND),
            Act::Claim,
            Act::Answer,
            Act::Drop(DEEP),
            Act::Claim,
            Act::GiveBack,
        ],
    },
    Scenario {
        name: "a file that has the name of a mirrored folder",
        if_exists: IfExists::Replace,
        json: true,
        before: &[("/outbox/t", "older\n")],
        acts: &[Act::Drop(DEEP), Act::Drop(OTHER), Act::Claim, Act::Answer],
    },
    Scenario {
        name: "somebody's file that takes the name of a result meanwhile",
        if_exists: IfExists::Replace,
        json: false,
        before: &[],
        acts: &[Act::Drop(FIRST), Act::Claim, Act::Newcomer("saida.txt", "theirs\n"), Act::Answer],
    },
    Scenario {
        name: "somebody's file that takes the second name of two meanwhile",
        if_exists: IfExists::Replace,
        json: true,
        before: &[],
        acts: &[Act::Drop(FIRST), Act::Claim, Act::Newcomer("saida.json", "theirs\n"), Act::Answer],
    },
    Scenario {
        name: "a person's files that have the names of a result and of an older report",
        if_exists: IfExists::Replace,
        json: true,
        before: &[("/outbox/saida.json", "theirs\n"), ("/outbox/erro.txt", "theirs\n")],
        acts: &[Act::Drop(FIRST), Act::Claim, Act::Answer, Act::Drop(SECOND), Act::Claim, Act::Answer],
    },
    Scenario {
        name: "a report with its page, then a result with its own",
        if_exists: IfExists::Replace,
        json: true,
        before: &[],
        acts: &[Act::Drop(BROKEN), Act::Claim, Act::Answer, Act::Drop(FIRST), Act::Claim, Act::Answer],
    },
    Scenario {
        name: "a page that is no longer wanted beside its result, a report with one that comes",
        if_exists: IfExists::Replace,
        json: false,
        before: &[
            ("/outbox/saida.txt", "older\n"),
            ("/outbox/saida.html", "older\n"),
            REPORT,
            ("/outbox/erro.html", "older\n"),
        ],
        acts: &[Act::Drop(FIRST), Act::Claim, Act::Answer],
    },
];
