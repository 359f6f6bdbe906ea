//! The dispatcher, which sends puzzles to workers on other machines. The feature `workers` builds it in; without the
//! feature, a configuration that names a server is refused, so that there is never one to start.

use std::io;

use tabuleiro_jobs::Pool;
use tokio::sync::mpsc;

use super::loop_state::Event;
use crate::config::Config;

#[cfg(feature = "workers")]
pub(super) use tabuleiro_remote::dispatcher::Dispatcher;

/// There is none in this build.
#[cfg(not(feature = "workers"))]
pub(super) enum Dispatcher {}

#[cfg(not(feature = "workers"))]
impl Dispatcher {
    pub(super) fn facts(&self) -> tabuleiro_jobs::RemoteFacts {
        match *self {}
    }

    pub(super) fn end(self) {
        match self {}
    }
}

/// Starts the dispatcher if the configuration names a server.
#[cfg(feature = "workers")]
pub(super) fn start(
    config: &Config,
    pool: &mut Pool,
    events: mpsc::Sender<Event>,
) -> io::Result<Option<Dispatcher>> {
    use tabuleiro_remote::{Access, dispatcher::Setting};

    let remote = config.remote.clone();
    let Some(url) = remote.url else { return Ok(None) };
    let setting = Setting {
        access: Access { url, credentials: remote.credentials, ca: remote.ca, stream: remote.stream },
        guests: pool.open(crate::daemon::answering::memory_plan::SPARE_WORKERS),
        threads: pool.threads(),
        patience: remote.patience,
        // A loop with too much to do looks at everything soon enough.
        tell: Box::new(move || drop(events.try_send(Event::Workers))),
    };
    Dispatcher::start(setting).map(Some)
}

/// Starts nothing.
#[cfg(not(feature = "workers"))]
#[expect(clippy::unnecessary_wraps, reason = "with the feature it can fail")]
pub(super) fn start(_: &Config, _: &mut Pool, _: mpsc::Sender<Event>) -> io::Result<Option<Dispatcher>> {
    Ok(None)
}
