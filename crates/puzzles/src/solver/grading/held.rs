//! The memory that reading an answer takes, charged to a budget before it is allocated.

use std::io;

use crate::solver::limits::{Budget, Charge, Stop};

/// Bytes charged at a time: asking for every line would take longer than reading it.
const STEP_BYTES: u64 = 256 * 1024;

/// Why an answer was not read to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    /// It, or a line of it, is longer than any answer may be.
    Length,
    /// It takes more memory than grading may use.
    Memory {
        /// So much.
        bytes_max: u64,
    },
}

/// What an answer takes while it is read; nothing is charged where there is no budget.
#[derive(Default)]
pub struct Held<'b> {
    charge: Option<Charge<'b>>,
}

impl<'b> Held<'b> {
    /// Charges what is held to `budget` from now on.
    pub fn within(budget: &'b Budget) -> Self {
        Self { charge: Some(Charge::none(budget)) }
    }

    /// Charges what is missing of `bytes`; returns why that is not allowed.
    ///
    /// # Errors
    /// When somebody asked to stop while this waited for memory.
    pub fn need(&mut self, bytes: u64) -> io::Result<Option<Cut>> {
        let Some(charge) = self.charge.as_mut().filter(|charge| charge.bytes() < bytes) else {
            return Ok(None);
        };
        let (missing, bytes_max) = (bytes - charge.bytes(), charge.budget().memory_bytes_max());
        // A whole step, unless that is more than there is.
        let step = missing.next_multiple_of(STEP_BYTES).min(charge.budget().memory_bytes_left()).max(missing);
        match charge.grow(step) {
            Ok(()) => Ok(None),
            Err(Stop::MemoryLimit) => Ok(Some(Cut::Memory { bytes_max })),
            Err(_) => Err(io::Error::other("cancelled")),
        }
    }

    /// Gives back all but `bytes`, and the permit to use much memory where these are few.
    pub fn keep(&mut self, bytes: u64) {
        // Short answers charge nothing anew.
        let kept = bytes.max(STEP_BYTES);
        if let Some(charge) = self.charge.as_mut().filter(|charge| charge.bytes() > kept) {
            charge.shrink_to(kept);
            charge.budget().rest();
        }
    }
}
