//! What the commands that ask the service share: where it is, and what its answer or its silence means.

use std::path::{Component, Path, PathBuf};

use serde::Serialize;

use crate::cli::arguments::{ConfigArgs, printable_path, real_path};
use crate::cli::failure::{Exit, Failure};
use crate::config::Config;
use crate::daemon::inspect::socket::{self, Answer, Ask, AskError};
use crate::daemon::records::file_search::Search;

/// A service that may run, as its configuration describes it.
pub struct Asked {
    pub config: Config,
    /// Its folders.
    pub search: Search,
    /// Where it can be asked.
    socket: Option<PathBuf>,
}

impl Asked {
    /// Reads the configuration.
    ///
    /// # Errors
    /// 78 when it is wrong.
    pub fn new(args: &ConfigArgs) -> Result<Self, Failure> {
        let config = args.load()?;
        let socket = config.control.socket.as_deref().map(|socket| config.folders.control_socket(socket));
        let search = Search::of(&config.folders)
            .map_err(|error| Failure::new(Exit::System, format_args!("no current directory: {error}")))?;
        Ok(Self { config, search, socket })
    }

    /// Asks the service; `None` where none runs, or none can be asked.
    ///
    /// # Errors
    /// 77 when this user may not, 75 when the service runs and does not answer.
    pub fn ask(&self, ask: &Ask) -> Result<Option<Answer>, Failure> {
        let Some(path) = &self.socket else { return Ok(None) };
        match socket::ask(path, ask) {
            Ok(answer) => Ok(Some(answer)),
            Err(AskError::NotRunning { .. }) => Ok(None),
            Err(error @ AskError::Denied { .. }) => Err(Failure::new(Exit::NoPermission, error)),
            Err(error) => Err(Failure::new(Exit::Temporary, error)),
        }
    }

    /// The path below the service's folders of a file that somebody names: that of a path in one of them, else it is one
    /// below the inbox already.
    ///
    /// # Errors
    /// 64 for what lies in none of them.
    pub fn below(&self, file: &Path) -> Result<PathBuf, Failure> {
        let Search { inbox, outbox, var, .. } = &self.search;
        let real = real_path(file);
        let below = [inbox, outbox, var].into_iter().find_map(|root| real.strip_prefix(root).ok());
        let below = below.unwrap_or(file);
        let below: PathBuf = below.components().filter(|part| *part != Component::CurDir).collect();
        let is_below = below.components().all(|part| matches!(part, Component::Normal(_)));
        if is_below && below.file_name().is_some() {
            return Ok(below);
        }
        let file = printable_path(file);
        let message = format_args!(
            "{file} lies neither in the inbox, the outbox nor the var folder of the configuration"
        );
        Err(Failure::new(Exit::Usage, message))
    }

    /// That no service answers, and where it was looked for.
    pub fn silence(&self) -> String {
        match &self.socket {
            Some(path) => format!("no service listens on {}", printable_path(path)),
            None => {
                "the configuration has no control.socket, so whether a service runs is not known".to_owned()
            }
        }
    }
}

/// A line of JSON. What is printed is text and numbers, which always can be written.
pub fn printable_json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default() + "\n"
}
