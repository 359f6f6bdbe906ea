//! Counts of jobs by outcome, by route and in total.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Routes counted separately, including those of earlier configurations. Jobs of further routes are counted together.
const ROUTES_COUNTED_MAX: usize = 2_000;
/// The name under which further routes are counted. The configuration allows no route of this name.
const OTHER_ROUTES: &str = "(others)";
/// The name under which files without a route are counted. The configuration allows no route of this name, either.
pub const NO_ROUTE: &str = "none";

/// Counts of jobs by outcome. Each counts files, except `puzzles`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutcomeCounts {
    /// Files with a result.
    pub answered: u64,
    /// Submissions with a grade.
    pub graded: u64,
    /// Files with a report.
    pub rejected: u64,
    /// Answered files with a puzzle that hit a limit.
    pub undecided: u64,
    /// Answered files with an invalid puzzle.
    pub invalid: u64,
    /// Puzzles in answered files, including invalid ones.
    pub puzzles: u64,
}

/// Counts in total and by the name of the route.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// Counts of all routes.
    pub total: OutcomeCounts,
    /// Counts of each route that had a job.
    pub by_route: BTreeMap<String, OutcomeCounts>,
}

impl Tally {
    /// Counts a job of a route, as `count` says, there and in the total.
    pub fn add(&mut self, route: &str, count: impl Fn(&mut OutcomeCounts)) {
        count(&mut self.total);
        let is_new = !self.by_route.contains_key(route);
        let route = if is_new && self.by_route.len() >= ROUTES_COUNTED_MAX { OTHER_ROUTES } else { route };
        count(self.by_route.entry(route.to_owned()).or_default());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn routes_without_end_are_counted_together() {
        let mut tally = Tally::default();
        for number in 0..ROUTES_COUNTED_MAX + 5 {
            tally.add(&number.to_string(), |counts| counts.rejected += 1);
        }
        assert_eq!(tally.by_route.len(), ROUTES_COUNTED_MAX + 1);
        assert_eq!(tally.by_route[OTHER_ROUTES].rejected, 5);
        assert_eq!(tally.total.rejected, ROUTES_COUNTED_MAX as u64 + 5);
    }
}
