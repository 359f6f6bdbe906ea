//! The service in numbers, for Prometheus: over HTTP, and as a file for the textfile collector of the node exporter.
//!
//! Everything is made from a [`Snapshot`](crate::daemon::inspect::snapshot::Snapshot), which the loop hands over, and the
//! [`Timings`], to which it adds; nothing here can change the service. Both ways have the text format 0.0.4, the one that the collector reads.
//! [docs/metrics.md](../../../docs/metrics.md) describes each metric, held true by a test.

// The numbers of one moment, and their text.
mod measured;
// The text over HTTP.
pub mod http;
// The text as a file.
pub mod textfile;

use std::pin::Pin;
use std::sync::Arc;

use prometheus::{Histogram, HistogramOpts, HistogramVec, Registry};

use crate::daemon::answering::pending_publication::Made;
use crate::daemon::publishing::publisher::{End, Published};

pub use measured::text;

/// Asks for the metrics, as text; `None` if the service does not answer.
pub type Ask = Arc<dyn Fn() -> Pin<Box<dyn Future<Output = Option<String>> + Send>> + Send + Sync>;

/// Upper bounds in seconds: from a file that is taken at once to one that waits for hours.
const WAITING: &[f64] = &[0.001, 0.01, 0.1, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0, 1800.0, 7200.0];
/// From a board that takes no time to the time that a file may take by default.
const SOLVING: &[f64] = &[0.0001, 0.001, 0.01, 0.1, 0.5, 1.0, 5.0, 10.0, 60.0, 300.0, 3600.0];
/// From a file system in memory to a disk that is hardly there.
const PUBLISHING: &[f64] = &[0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 30.0];
/// Nothing that comes from outside is part of these.
const WELL_FORMED: &str = "names are well-formed and bounds rise";

/// How long the jobs that published something took, since the start. Clones share their numbers.
#[derive(Debug, Clone)]
pub struct Timings {
    waiting: Histogram,
    /// By solver, of which there are a few.
    solving: HistogramVec,
    publishing: Histogram,
}

impl Default for Timings {
    fn default() -> Self {
        let options = |name, help, bounds: &[f64]| HistogramOpts::new(name, help).buckets(bounds.to_vec());
        let waiting = options("waiting_seconds", "Time of a file from being seen to being begun.", WAITING);
        let solving = options("solving_seconds", "Time that the puzzles of an answered file took.", SOLVING);
        let help = "Time of a file from being answered to being published, the syncs included.";
        let publishing = options("publishing_seconds", help, PUBLISHING);
        Self {
            waiting: Histogram::with_opts(waiting).expect(WELL_FORMED),
            solving: HistogramVec::new(solving, &["solver"]).expect(WELL_FORMED),
            publishing: Histogram::with_opts(publishing).expect(WELL_FORMED),
        }
    }
}

impl Timings {
    /// Notes how long a job took, if it published anything.
    pub fn note(&self, published: &Published) {
        let Published { pending, end: End::Published(_), took, .. } = published else { return };
        self.waiting.observe(pending.waited.as_secs_f64());
        self.publishing.observe(took.as_secs_f64());
        if let Made::Results { solver, summary, .. } = &pending.made {
            self.solving.with_label_values(&[solver]).observe(summary.solve.as_secs_f64());
        }
    }

    /// Adds them to what is told.
    pub(super) fn register(&self, registry: &Registry) -> prometheus::Result<()> {
        registry.register(Box::new(self.waiting.clone()))?;
        registry.register(Box::new(self.solving.clone()))?;
        registry.register(Box::new(self.publishing.clone()))
    }
}
