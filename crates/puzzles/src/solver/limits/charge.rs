//! Memory that a search has charged to its budget.

use super::{Budget, Stop};

/// Bytes charged to a [`Budget`]; dropping it gives them back.
#[derive(Debug)]
#[must_use = "what is charged is given back when this is dropped"]
pub struct Charge<'b> {
    budget: &'b Budget,
    bytes: u64,
}

impl<'b> Charge<'b> {
    /// Charges `bytes`.
    ///
    /// # Errors
    /// The limit that was hit, as [`Budget::charge`] names it.
    pub fn new(bytes: u64, budget: &'b Budget) -> Result<Self, Stop> {
        budget.charge(bytes)?;
        Ok(Self { budget, bytes })
    }

    /// Nothing yet.
    pub fn none(budget: &'b Budget) -> Self {
        Self { budget, bytes: 0 }
    }

    /// Returns the budget that is charged.
    #[must_use]
    pub fn budget(&self) -> &'b Budget {
        self.budget
    }

    /// Returns what is charged.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Charges `bytes` more.
    ///
    /// # Errors
    /// The limit that was hit; nothing more is charged then.
    pub fn grow(&mut self, bytes: u64) -> Result<(), Stop> {
        self.budget.charge(bytes)?;
        self.bytes += bytes;
        Ok(())
    }

    /// Gives back all but `bytes`, or nothing if no more are charged.
    pub fn shrink_to(&mut self, bytes: u64) {
        let kept = bytes.min(self.bytes);
        self.budget.release(self.bytes - kept);
        self.bytes = kept;
    }
}

impl Drop for Charge<'_> {
    fn drop(&mut self) {
        self.budget.release(self.bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::super::Cancel;
    use super::*;

    #[test]
    fn what_is_charged_is_given_back() {
        let budget = Budget::new(None, None, 100, Cancel::default());
        {
            let mut charge = Charge::new(60, &budget).unwrap();
            assert_eq!(charge.grow(41), Err(Stop::MemoryLimit));
            assert_eq!((charge.bytes(), budget.memory_bytes_left()), (60, 40));
            charge.grow(40).unwrap();
            charge.shrink_to(10);
            charge.shrink_to(20);
            assert_eq!((charge.bytes(), budget.memory_bytes_left()), (10, 90));
        }
        assert_eq!(budget.memory_bytes_left(), 100);
    }
}
