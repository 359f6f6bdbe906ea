//! The dispatcher, which sends puzzles to workers on other machines. It exists only with the feature `workers`. Without
//! the feature, a configuration that names a server is rejected, so there is never a dispatcher to start.

use std::io;

use tokio::sync::mpsc;

use super::loop_state::Event;
use crate::config::Config;
use tabuleiro_jobs::Pool;

#[cfg(feature = "workers")]
pub(super) use tabuleiro_remote::dispatcher::Dispatcher;

/// This build has no dispatcher.
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
    let remote = config.remote.clone();
    let Some(url) = remote.url else { return Ok(None) };
    let access = tabuleiro_remote::BrokerAccess {
        url,
        credentials: remote.credentials,
        ca: remote.ca,
        stream: remote.stream,
    };
    let guests = pool.open(crate::daemon::answering::memory_plan::SPARE_WORKERS);
    // If the loop's queue is full, the event is dropped: a busy loop reports changes soon anyway.
    let tell = move || drop(events.try_send(Event::Workers));
    Dispatcher::start(access, guests, pool.threads(), remote.patience, tell).map(Some)
}

#[cfg(not(feature = "workers"))]
#[expect(clippy::unnecessary_wraps, reason = "with the feature it can fail")]
pub(super) fn start(_: &Config, _: &mut Pool, _: mpsc::Sender<Event>) -> io::Result<Option<Dispatcher>> {
    Ok(None)
}
