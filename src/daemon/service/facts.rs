//! What the loop counts: how jobs ended, by route, since the start and today.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use time::{Date, OffsetDateTime};

use crate::daemon::clock;

/// Routes counted apart, those of earlier configurations included; all further ones are counted together.
const ROUTES_COUNTED_MAX: usize = 2_000;
/// What those are called. No route can have this name, which is no word.
const OTHER_ROUTES: &str = "(others)";
/// What files without a route are counted under.
pub(crate) const NO_ROUTE: &str = "none";

/// How many jobs ended how. Each is a number of files, but for `puzzles`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Files with a result.
    pub answered: u64,
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
        Self { answered: 1, rejected: 0, undecided, invalid, puzzles }
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

    fn add_all(&mut self, other: &Self) {
        for (route, counts) in &other.by_route {
            self.add(route, *counts);
        }
    }
}

/// Everything that the loop counts.
#[derive(Debug)]
pub(super) struct Facts {
    pub(super) started: OffsetDateTime,
    pub(super) since_start: Tally,
    /// Of the day that `today` says, in UTC; what earlier runs did comes from the history.
    today: Tally,
    day: Date,
    /// Files that went back into the inbox.
    pub(super) put_back: u64,
    /// Tries that published nothing and are followed by another.
    pub(super) tries_failed: u64,
}

impl Facts {
    pub(super) fn new(started: OffsetDateTime) -> Self {
        Self {
            started,
            since_start: Tally::default(),
            today: Tally::default(),
            day: started.date(),
            put_back: 0,
            tries_failed: 0,
        }
    }

    /// Counts a job that ended with a result or a report.
    pub(super) fn count(&mut self, route: Option<&str>, counts: Counts) {
        self.turn_to(clock::now().date());
        let route = route.unwrap_or(NO_ROUTE);
        self.since_start.add(route, counts);
        self.today.add(route, counts);
    }

    /// Adds what earlier runs did on `day`, which may be over by now.
    pub(super) fn add_earlier(&mut self, day: Date, tally: &Tally) {
        self.turn_to(clock::now().date());
        if self.day == day {
            self.today.add_all(tally);
        }
    }

    /// The current day in UTC and what was done on it.
    pub(super) fn today(&mut self) -> (Date, &Tally) {
        self.turn_to(clock::now().date());
        (self.day, &self.today)
    }

    fn turn_to(&mut self, day: Date) {
        if self.day != day {
            self.day = day;
            self.today = Tally::default();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_counts_for_its_route_and_for_all() {
        let mut facts = Facts::new(clock::now());
        facts.count(Some("a"), Counts::answered(7, 2, 0));
        facts.count(Some("a"), Counts::answered(1, 0, 1));
        facts.count(None, Counts::rejected());
        let whole = Counts { answered: 2, rejected: 1, undecided: 1, invalid: 1, puzzles: 8 };
        assert_eq!(facts.since_start.total, whole);
        assert_eq!(facts.since_start.by_route["a"].puzzles, 8);
        assert_eq!(facts.since_start.by_route[NO_ROUTE], Counts::rejected());
        assert_eq!(facts.today().1.total, whole);
    }

    #[test]
    fn a_new_day_begins_at_nothing_and_takes_only_its_own_past() {
        let mut facts = Facts::new(clock::now());
        facts.count(Some("a"), Counts::rejected());
        let yesterday = facts.day.previous_day().unwrap();
        (facts.day, facts.today.total.answered) = (yesterday, 9);
        assert_eq!(facts.today().1.total, Counts::default(), "it is another day");
        let mut past = Tally::default();
        past.add("a", Counts::answered(3, 0, 0));
        facts.add_earlier(yesterday, &past);
        assert_eq!(facts.today().1.total, Counts::default());
        facts.add_earlier(clock::now().date(), &past);
        assert_eq!(facts.today().1.total.puzzles, 3);
        assert_eq!(facts.since_start.total, Counts::rejected());
    }

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
