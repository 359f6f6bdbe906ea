//! What commands that query the service share: finding it, asking it, and interpreting its answer or its absence.

use std::path::{Component, Path, PathBuf};

use serde::Serialize;

use crate::cli::arguments::{ConfigArgs, printable_path, real_path};
use crate::cli::cli_messages::CliMessage;
use crate::cli::failure::{Exit, Failure};
use crate::config::Config;
use crate::daemon::inspect::socket::{self, Answer, Ask, AskError};
use crate::daemon::records::file_search::{Search, is_below};

/// The service that the configuration describes. It may not be running.
pub struct ServiceQuery {
    pub config: Config,
    /// The folders of the service.
    pub search: Search,
}

impl ServiceQuery {
    /// Reads the configuration.
    ///
    /// # Errors
    /// Exit code 78 if the configuration is wrong.
    pub fn new(args: &ConfigArgs) -> Result<Self, Failure> {
        let config = args.load()?;
        Ok(Self { search: Search::of(&config.folders), config })
    }

    /// Asks the service; returns `None` if it does not run or has no control socket.
    ///
    /// # Errors
    /// Exit code 77 if the user lacks permission, 75 if the service runs but does not answer.
    pub fn ask(&self, ask: &Ask) -> Result<Option<Answer>, Failure> {
        let Some(path) = self.config.control_socket() else { return Ok(None) };
        match socket::ask(&path, ask) {
            Ok(answer) => Ok(Some(answer)),
            Err(AskError::NotRunning) => Ok(None),
            Err(error @ AskError::Denied { .. }) => Err(Failure::new(Exit::NoPermission, error)),
            Err(error) => Err(Failure::new(Exit::Temporary, error)),
        }
    }

    /// Returns the path of a file relative to the service's folder that contains it. A path in none of these folders is
    /// taken as relative to the inbox.
    ///
    /// # Errors
    /// Exit code 64 if the path leads outside of the service's folders.
    pub fn below(&self, file: &Path) -> Result<PathBuf, Failure> {
        let Search { inbox, outbox, var, .. } = &self.search;
        let real = real_path(file);
        let below = [inbox, outbox, var].into_iter().find_map(|root| real.strip_prefix(root).ok());
        let below = below.unwrap_or(file);
        let below: PathBuf = below.components().filter(|part| *part != Component::CurDir).collect();
        if is_below(&below) {
            return Ok(below);
        }
        Err(Failure::of(Exit::Usage, CliMessage::NotBelow { file: printable_path(file) }))
    }

    /// Returns the message that no service answers, which names the socket that was tried.
    pub fn why_no_answer(&self) -> String {
        match self.config.control_socket() {
            Some(path) => format!("no service listens on {}", printable_path(&path)),
            None => {
                "the configuration has no control.socket, so whether a service runs is not known".to_owned()
            }
        }
    }
}

/// Returns a value as a line of JSON. Callers pass only values that can always be serialised.
pub fn printable_json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default() + "\n"
}
