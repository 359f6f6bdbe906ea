//! What the commands that ask the service share: where it is, and what its answer or its silence means.

use std::path::PathBuf;

use super::{ConfigArgs, Failure, load};
use crate::config::Config;
use crate::daemon::socket::{self, Answer, Ask, AskError};
use crate::error::Exit;

/// A service that may run, as its configuration describes it.
pub struct Asked {
    pub config: Config,
    /// Where it can be asked.
    socket: Option<PathBuf>,
}

impl Asked {
    /// Reads the configuration.
    ///
    /// # Errors
    /// 78 when it is wrong.
    pub fn new(args: &ConfigArgs) -> Result<Self, Failure> {
        let (config, _) = load(args.config.as_deref())?;
        let socket = config.control.socket.as_deref().map(|socket| config.folders.control_socket(socket));
        Ok(Self { config, socket })
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

    /// That no service answers, and where it was looked for.
    pub fn silence(&self) -> String {
        match &self.socket {
            Some(path) => format!("no service listens on {}", super::printable_path(path)),
            None => {
                "the configuration has no control.socket, so whether a service runs is not known".to_owned()
            }
        }
    }
}
