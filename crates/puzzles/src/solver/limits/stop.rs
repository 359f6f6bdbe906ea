//! Why a search ends before it is done.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::{Deserialize, Serialize};

/// Why a search ended before it was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stop {
    /// The puzzle's `time_limit`.
    TimeLimit,
    /// The whole file's `job_time_limit`.
    JobTimeLimit,
    /// The puzzle's `memory_limit`.
    MemoryLimit,
    /// The service's `workers.memory_limit`, if that leaves a puzzle less than its own limit.
    WorkersMemoryLimit,
    /// The answer is no longer wanted; whatever is returned is dropped.
    Cancelled,
}

impl Stop {
    /// Returns the limit as the configuration calls it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::TimeLimit => "time_limit",
            Self::JobTimeLimit => "job_time_limit",
            Self::MemoryLimit => "memory_limit",
            Self::WorkersMemoryLimit => "workers.memory_limit",
            Self::Cancelled => "cancelled",
        }
    }
}

/// A flag that ends everything it was given to.
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Asks everybody who holds this flag to stop.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Returns whether somebody asked.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
