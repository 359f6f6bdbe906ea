//! What a worker asks an intake.

use std::time::Duration;

use serde::de::DeserializeOwned;

use crate::link::Link;
use crate::protocol::{Reply, Report, decode, encode};

/// How long a report waits for its answer.
pub const REPLY_MAX: Duration = Duration::from_secs(2);

/// Why a report came to nothing.
pub enum NotTold {
    /// Nobody listens.
    Nobody,
    /// There was no answer.
    Silence,
}

/// Tells an intake something, and waits for what it says.
///
/// # Errors
/// [`NotTold`].
pub async fn ask<R: DeserializeOwned>(link: &Link, intake: u64, report: &Report) -> Result<R, NotTold> {
    let asked = link.client.request(link.subjects.intake(intake), encode(report).into());
    match tokio::time::timeout(REPLY_MAX, asked).await {
        Ok(Ok(reply)) => decode(&reply.payload).ok_or(NotTold::Silence),
        Ok(Err(error)) if error.kind() == async_nats::RequestErrorKind::NoResponders => Err(NotTold::Nobody),
        _ => Err(NotTold::Silence),
    }
}

/// Tells an intake that a process died. Says whether it knows, or is not there any more.
pub async fn tell_death(link: &Link, intake: u64, report: &Report) -> bool {
    !matches!(ask::<Reply>(link, intake, report).await, Err(NotTold::Silence))
}
