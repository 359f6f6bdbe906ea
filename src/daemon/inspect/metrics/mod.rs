//! The service in numbers, for Prometheus: over HTTP, and as a file for the textfile collector of the node exporter.
//!
//! Everything is made from a [`Snapshot`](crate::daemon::inspect::snapshot::Snapshot), which the loop hands over, and the
//! [`Timings`], to which it adds; nothing here can change the service. Both ways have the text format 0.0.4, the one that the collector reads.
//! [docs/metrics.md](../../../docs/metrics.md) describes each metric, held true by a test.

use std::pin::Pin;
use std::sync::Arc;

// The numbers of one moment, and their text.
mod measured;
// The text over HTTP.
pub mod server;
// The text as a file.
pub mod textfile;
// How long jobs took.
mod timings;

pub use measured::text;
pub use timings::Timings;

/// Asks for the metrics, as text; `None` where the service does not answer.
pub type Ask = Arc<dyn Fn() -> Pin<Box<dyn Future<Output = Option<String>> + Send>> + Send + Sync>;
