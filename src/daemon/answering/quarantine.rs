//! Claims that are answered alone: their answers were under way when the process died, and one of them may have killed it.
//!
//! The process that dies marks every claim that is being answered then, and a claim with two marks is set aside. So that
//! the one that kills takes no other with it, a marked claim begins only when nothing else is being answered, and nothing
//! else begins beside it. An innocent one loses its mark when its answer ends. Neither waits without a bound: after
//! [`ALONE_MAX`] the next one begins. A pure state machine, like the schedule.

use std::collections::{HashSet, VecDeque};
use std::time::{Duration, Instant};

/// How long a marked claim is answered alone, and how long it waits to be alone.
pub const ALONE_MAX: Duration = Duration::from_secs(10);

/// Claims on their way to the workers.
#[derive(Debug, Default)]
pub struct Quarantine {
    running: HashSet<String>,
    /// The marked claim that nothing begins beside, and until when.
    alone: Option<(String, Instant)>,
    /// Marked claims that wait, and since when.
    marked: VecDeque<(String, Instant)>,
    /// The other claims that wait.
    others: Vec<String>,
}

impl Quarantine {
    /// Notes that a claim is to be answered. Returns the claims that begin now.
    pub fn ask(&mut self, id: String, is_marked: bool, now: Instant) -> Vec<String> {
        if is_marked {
            self.marked.push_back((id, now));
        } else {
            self.others.push(id);
        }
        self.due(now)
    }

    /// Notes that the answer to a claim has ended. Returns the claims that begin now.
    pub fn ended(&mut self, id: &str, now: Instant) -> Vec<String> {
        self.running.remove(id);
        self.alone.take_if(|(alone, _)| alone == id);
        self.due(now)
    }

    /// Returns when [`due`](Self::due) is to be called next.
    #[must_use]
    pub fn next_due(&self) -> Option<Instant> {
        let waits = !self.marked.is_empty() || !self.others.is_empty();
        let until = self.alone.as_ref().map(|(_, until)| *until);
        until.or_else(|| self.marked.front().map(|(_, since)| *since + ALONE_MAX)).filter(|_| waits)
    }

    /// Returns the claims that begin now.
    pub fn due(&mut self, now: Instant) -> Vec<String> {
        // It has been alone for long enough.
        self.alone.take_if(|(_, until)| *until <= now);
        if self.alone.is_some() {
            return Vec::new();
        }
        let begin = match self.marked.front() {
            Some((_, since)) if !self.running.is_empty() && now < *since + ALONE_MAX => return Vec::new(),
            Some((id, _)) => {
                self.alone = Some((id.clone(), now + ALONE_MAX));
                self.marked.pop_front().map(|(id, _)| id).into_iter().collect()
            }
            None => std::mem::take(&mut self.others),
        };
        self.running.extend(begin.iter().cloned());
        begin
    }

    /// Takes all claims away that wait.
    pub fn withdraw(&mut self) -> Vec<String> {
        let marked = self.marked.drain(..).map(|(id, _)| id);
        marked.chain(self.others.drain(..)).collect()
    }

    /// Returns whether a claim waits.
    #[must_use]
    pub fn is_waiting(&self, id: &str) -> bool {
        self.marked.iter().any(|(waiting, _)| waiting == id) || self.others.iter().any(|other| other == id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(quarantine: &mut Quarantine, id: &str, is_marked: bool, now: Instant) -> Vec<String> {
        quarantine.ask(id.to_owned(), is_marked, now)
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
    fn a_marked_claim_waits_until_nothing_is_being_answered() {
        let (mut quarantine, now) = (Quarantine::default(), Instant::now());
        assert_eq!(ask(&mut quarantine, "a", false, now), ["a"]);
        assert!(ask(&mut quarantine, "b", true, now).is_empty());
        assert!(ask(&mut quarantine, "c", false, now).is_empty(), "or it would never be alone");
        assert_eq!(quarantine.ended("a", now), ["b"]);
        assert_eq!(quarantine.ended("b", now), ["c"]);
    }

    #[test]
    fn nobody_waits_without_a_bound() {
        let (mut quarantine, now) = (Quarantine::default(), Instant::now());
        assert_eq!(ask(&mut quarantine, "a", false, now), ["a"]);
        assert!(ask(&mut quarantine, "b", true, now).is_empty());
        assert!(ask(&mut quarantine, "c", false, now).is_empty());
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
