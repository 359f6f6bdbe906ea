//! Asks all workers for a heartbeat, for `tabuleiro workers`.

use std::time::Duration;

use futures_util::StreamExt as _;

use crate::broker_link::{BrokerAccess, LinkError};
use crate::protocol::{Heartbeat, Subjects, own_build};

/// How long to wait for the next answer.
const SILENCE: Duration = Duration::from_millis(500);
const WORKERS_MAX: usize = 2_000;

/// Returns the heartbeats of all workers, sorted by name, and the build of this program.
///
/// # Errors
/// Fails if the broker cannot be reached.
pub async fn ask(access: &BrokerAccess) -> Result<(Vec<Heartbeat>, Option<String>), LinkError> {
    let subjects = Subjects::of(&access.stream);
    let link = access.connect("tabuleiro workers", &subjects.inbox("who")).await?;
    let failed =
        |error: &dyn std::fmt::Display| LinkError::Down(format!("the broker cannot be reached: {error}"));
    let inbox = link.client.new_inbox();
    let mut answers = link.client.subscribe(inbox.clone()).await.map_err(|error| failed(&error))?;
    let asked = link.client.publish_with_reply(subjects.who(), inbox, Vec::new().into()).await;
    asked.map_err(|error| failed(&error))?;
    let mut workers = Vec::new();
    while workers.len() < WORKERS_MAX
        && let Ok(Some(answer)) = tokio::time::timeout(SILENCE, answers.next()).await
    {
        workers.extend(Heartbeat::read(&answer.payload));
    }
    workers.sort_by(|a, b| a.name.cmp(&b.name));
    Ok((workers, own_build().ok()))
}
