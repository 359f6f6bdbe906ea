//! What the loop counts, since the start and today.

use time::{Date, OffsetDateTime};

use crate::daemon::base::clock;
use crate::daemon::base::tally::{Counts, NO_ROUTE, Tally};

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
}
