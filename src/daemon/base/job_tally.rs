//! Counts of jobs by how they ended, by route and in all.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
/// Routes counted apart, those of earlier configurations included; all further ones are counted together.
const ROUTES_COUNTED_MAX: usize = 2_000;
/// What those are called. No route can have this name, which is no word.
const OTHER_ROUTES: &str = "(others)";
/// What files without a route are counted under.
pub const NO_ROUTE: &str = "none";

/// How many jobs ended how. Each is a number of files, but for `puzzles`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Files with a result.
    pub answered: u64,
    /// Submissions with a grade.
    #[serde(default)]
    pub graded: u64,
    /// Files with a report.
    pub rejected: u64,
    /// Of those answered, the ones with a puzzle that a limit ended.
    pub undecided: u64,
    /// Of those answered, the ones with an invalid puzzle.
    pub invalid: u64,
    /// Puzzles in the files that were answered, invalid ones included.
    pub puzzles: u64,
}

impl Counts {
    /// Those of one file that was answered.
    #[must_use]
    pub fn answered(puzzles: u64, invalid: u64, undecided: u64) -> Self {
        let [invalid, undecided] = [invalid, undecided].map(|puzzles| u64::from(puzzles > 0));
        Self { answered: 1, undecided, invalid, puzzles, ..Self::default() }
    }

    /// Those of one submission that was graded.
    #[must_use]
    pub fn graded() -> Self {
        Self { graded: 1, ..Self::default() }
    }

    /// Those of one file that was rejected.
    #[must_use]
    pub fn rejected() -> Self {
        Self { rejected: 1, ..Self::default() }
    }
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, more: Self) {
        self.answered += more.answered;
        self.graded += more.graded;
        self.rejected += more.rejected;
        self.undecided += more.undecided;
        self.invalid += more.invalid;
        self.puzzles += more.puzzles;
    }
}

/// Counts in total and by the name of the route.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// Of all routes.
    pub total: Counts,
    /// Of each route that had a job.
    pub by_route: BTreeMap<String, Counts>,
}

impl Tally {
    /// Counts jobs of a route.
    pub fn add(&mut self, route: &str, counts: Counts) {
        self.total += counts;
        let is_new = !self.by_route.contains_key(route);
        let route = if is_new && self.by_route.len() >= ROUTES_COUNTED_MAX { OTHER_ROUTES } else { route };
        *self.by_route.entry(route.to_owned()).or_default() += counts;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn routes_without_end_are_counted_together() {
        let mut tally = Tally::default();
        for number in 0..ROUTES_COUNTED_MAX + 5 {
            tally.add(&number.to_string(), Counts::rejected());
        }
        assert_eq!(tally.by_route.len(), ROUTES_COUNTED_MAX + 1);
        assert_eq!(tally.by_route[OTHER_ROUTES].rejected, 5);
        assert_eq!(tally.total.rejected, ROUTES_COUNTED_MAX as u64 + 5);
    }
}
