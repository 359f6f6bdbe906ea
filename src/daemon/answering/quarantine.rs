//! Claims that are answered alone, because the process died while they were being answered and one of them may have
//! killed it.
//!
//! A claim is marked while it is being answered, so a crash leaves a mark on each of those claims. A claim with two
//! marks is set aside. To keep a file that kills the process from affecting others, the next start first answers the
//! marked claims one by one, with nothing else running. A harmless claim loses its mark when its answer ends. No claim
//! keeps the others waiting for longer than [`ALONE_MAX`]. A pure state machine, like the schedule.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// Maximum time for which a marked claim is answered alone.
pub const ALONE_MAX: Duration = Duration::from_secs(10);

/// Claims that wait to be handed to the workers.
#[derive(Debug, Default)]
pub struct Quarantine {
    /// The marked claim that is being answered alone, and until when.
    alone: Option<(String, Instant)>,
    /// Other marked claims, which wait.
    marked: VecDeque<String>,
    /// Claims without a mark, which wait.
    others: Vec<String>,
}

impl Quarantine {
    /// Adds a claim that is to be answered. Returns the claims that begin now.
    pub fn add(&mut self, id: String, is_marked: bool, now: Instant) -> Vec<String> {
        if is_marked {
            self.marked.push_back(id);
        } else {
            self.others.push(id);
        }
        self.due(now)
    }

    /// Records that the answer to a claim has ended. Returns the claims that begin now.
    pub fn ended(&mut self, id: &str, now: Instant) -> Vec<String> {
        self.alone.take_if(|(alone, _)| alone == id);
        self.due(now)
    }

    /// Returns when [`due`](Self::due) must be called next.
    pub fn next_due(&self) -> Option<Instant> {
        let waits = !self.marked.is_empty() || !self.others.is_empty();
        self.alone.as_ref().map(|(_, until)| *until).filter(|_| waits)
    }

    /// Returns the claims that begin now.
    pub fn due(&mut self, now: Instant) -> Vec<String> {
        // The claim has been alone for long enough.
        self.alone.take_if(|(_, until)| *until <= now);
        if self.alone.is_some() {
            return Vec::new();
        }
        let Some(next) = self.marked.pop_front() else { return std::mem::take(&mut self.others) };
        self.alone = Some((next.clone(), now + ALONE_MAX));
        vec![next]
    }

    /// Removes and returns all waiting claims.
    pub fn withdraw(&mut self) -> Vec<String> {
        self.marked.drain(..).chain(self.others.drain(..)).collect()
    }

    /// Returns whether a claim waits.
    pub fn is_waiting(&self, id: &str) -> bool {
        self.marked.iter().chain(&self.others).any(|waiting| waiting == id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(quarantine: &mut Quarantine, id: &str, is_marked: bool, now: Instant) -> Vec<String> {
        quarantine.add(id.to_owned(), is_marked, now)
    }

    #[test]
    fn without_marks_everything_begins_at_once() {
        let (mut quarantine, now) = (Quarantine::default(), Instant::now());
        for id in ["a", "b", "c"] {
            assert_eq!(ask(&mut quarantine, id, false, now), [id]);
        }
        assert_eq!(quarantine.next_due(), None);
    }

    #[test]
    fn marked_claims_are_answered_one_after_the_other_and_nothing_beside_them() {
        let (mut quarantine, now) = (Quarantine::default(), Instant::now());
        assert_eq!(ask(&mut quarantine, "a", true, now), ["a"]);
        assert!(ask(&mut quarantine, "b", true, now).is_empty());
        assert!(ask(&mut quarantine, "c", false, now).is_empty());
        assert!(quarantine.is_waiting("b") && quarantine.is_waiting("c") && !quarantine.is_waiting("a"));
        assert_eq!(quarantine.ended("a", now), ["b"]);
        assert_eq!(quarantine.ended("b", now), ["c"]);
        assert_eq!(ask(&mut quarantine, "d", false, now), ["d"]);
    }

    #[test]
    fn nobody_waits_without_a_bound() {
        let (mut quarantine, now) = (Quarantine::default(), Instant::now());
        assert_eq!(ask(&mut quarantine, "a", true, now), ["a"]);
        assert_eq!(quarantine.next_due(), None);
        for (id, is_marked) in [("b", true), ("c", false)] {
            assert!(ask(&mut quarantine, id, is_marked, now).is_empty());
        }
        assert_eq!(quarantine.next_due(), Some(now + ALONE_MAX));
        assert!(quarantine.due(now + ALONE_MAX / 2).is_empty());
        assert_eq!(quarantine.due(now + ALONE_MAX), ["b"]);
        assert_eq!(quarantine.next_due(), Some(now + 2 * ALONE_MAX));
        assert_eq!(quarantine.due(now + 2 * ALONE_MAX), ["c"]);
        assert_eq!(quarantine.next_due(), None);
        assert!(quarantine.ended("b", now + 3 * ALONE_MAX).is_empty());
    }

    #[test]
    fn at_a_stop_those_that_wait_are_withdrawn() {
        let (mut quarantine, now) = (Quarantine::default(), Instant::now());
        for (id, is_marked) in [("a", true), ("b", true), ("c", false)] {
            ask(&mut quarantine, id, is_marked, now);
        }
        assert_eq!(quarantine.withdraw(), ["b", "c"]);
        assert!(quarantine.ended("a", now).is_empty());
    }
}
