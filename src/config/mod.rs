//! The configuration: found, read, checked, matched and printed.
//!
//! A text becomes a [`Config`] only as a whole: [`Config::parse`] names everything that is wrong with it, with
//! line and column, or returns a value that needs no further checks. Keys that are missing have the defaults
//! that the shipped file ([`SHIPPED`]) documents; a file without any `[[route]]` has the shipped routes.

mod changes;
mod effective;
mod error;
mod folders;
mod globs;
mod locate;
mod metrics;
mod raw;
mod removed;
mod resolve;
mod retention;
mod route;
mod settings;

use std::path::Path;
use std::sync::Arc;

use raw::{Faults, Section};

use crate::solver::Solver;

pub use changes::{Change, EFFECTS, Effect};
pub use error::{ConfigError, Fault};
pub use folders::{Folders, NestedFolders};
pub use globs::Globs;
pub use locate::{
    LocateError, Located, SYSTEM_PATH, TEXT_BYTES_MAX, USER_PATH, WORKING_PATH, locate, user_path,
};
pub use metrics::Metrics;
pub use raw::Choice;
pub use resolve::{Chosen, ResolveError, ResolvedJob, resolve};
pub use retention::Retention;
pub use route::{IfExists, Route};
pub use settings::{
    Control, Durability, Formats, Intake, JournalMode, Level, Log, LogFormat, MemoryLimit, Readiness,
    Results, Rotation, WatchMode, Workers,
};

/// The configuration that the binary carries: every key with its meaning, default and range.
pub const SHIPPED: &str = include_str!("../../config/tabuleiro.toml");
/// The JSON Schema of the configuration, which [`SHIPPED`] names as a file beside it.
pub const SCHEMA: &str = include_str!("../../config/tabuleiro.schema.json");
/// What errors call [`SHIPPED`].
pub const SHIPPED_ORIGIN: &str = "the shipped configuration";

/// A checked configuration.
#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    /// Where everything lies.
    pub folders: Folders,
    /// What is logged, how and where.
    pub log: Log,
    /// What is taken from the inbox, and when.
    pub intake: Intake,
    /// The threads that solve.
    pub workers: Workers,
    /// The files that appear in the outbox.
    pub results: Results,
    /// How the service is asked.
    pub control: Control,
    /// What is kept of inputs, logs and the history.
    pub retention: Retention,
    /// Where metrics can be read.
    pub metrics: Metrics,
    routes: Vec<Arc<Route>>,
}

impl Config {
    /// Reads and checks a configuration. `origin` is what errors call the text: its path. Routes may name the
    /// given solvers.
    ///
    /// # Errors
    /// Everything that is wrong, in the order of the lines. Syntax errors hide the others.
    pub fn parse(text: &str, origin: &str, solvers: &[&'static dyn Solver]) -> Result<Self, ConfigError> {
        Self::parse_with_warnings(text, origin, solvers).map(|(config, _)| config)
    }

    /// The same, with what deserves attention: keys that were removed, which are ignored.
    ///
    /// # Errors
    /// As [`Self::parse`].
    pub fn parse_with_warnings(
        text: &str,
        origin: &str,
        solvers: &[&'static dyn Solver],
    ) -> Result<(Self, Vec<Fault>), ConfigError> {
        let faults = Faults::new(text);
        let config = match raw::parse(text, &faults) {
            Some(table) => Some(Self::read(Section::new("", Some(&table), &faults), solvers)?),
            None => None,
        };
        faults.finish(origin, config)
    }

    fn read(mut root: Section<'_, '_>, solvers: &[&'static dyn Solver]) -> Result<Self, ConfigError> {
        let config = Self {
            folders: Folders::read(root.section("folders")),
            log: Log::read(root.section("log")),
            intake: Intake::read(root.section("intake")),
            workers: Workers::read(root.section("workers")),
            results: Results::read(root.section("results")),
            control: Control::read(root.section("control")),
            retention: Retention::read(root.section("retention")),
            metrics: Metrics::read(root.section("metrics")),
            routes: match route::read_all(&mut root, solvers) {
                Some(routes) => routes.into_iter().map(Arc::new).collect(),
                None => shipped_routes(solvers)?,
            },
        };
        root.finish(|_| None);
        Ok(config)
    }

    /// The route that takes the file at that path below the inbox: the first that matches.
    #[must_use]
    pub fn route(&self, path_below_inbox: &Path) -> Option<&Arc<Route>> {
        self.routes.iter().find(|route| route.takes(path_below_inbox))
    }

    /// All routes, in the order in which they are tried.
    #[must_use]
    pub fn routes(&self) -> &[Arc<Route>] {
        &self.routes
    }

    /// What was tried when no route takes a file, for its report: `NAME (GLOBS) to SOLVER`, in order.
    pub fn tried(&self) -> impl Iterator<Item = String> + '_ {
        self.routes.iter().map(ToString::to_string)
    }

    /// The configuration as TOML, every key with the value in force. Parsing it gives the same configuration.
    #[must_use]
    pub fn effective(&self) -> String {
        effective::text(self)
    }
}

fn shipped_routes(solvers: &[&'static dyn Solver]) -> Result<Vec<Arc<Route>>, ConfigError> {
    let faults = Faults::new(SHIPPED);
    let routes = raw::parse(SHIPPED, &faults)
        .and_then(|table| route::read_all(&mut Section::new("", Some(&table), &faults), solvers));
    Ok(faults.finish(SHIPPED_ORIGIN, routes)?.0.into_iter().map(Arc::new).collect())
}
