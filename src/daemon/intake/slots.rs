//! Which file may be claimed: thousands of files for a slow solver must leave room for one for a fast solver, and long
//! files for short ones.
//!
//! The slots are a buffer that the queues of all routes share. A queue may hold all slots but [`RESERVED`], and the last
//! free slot is only for a queue that holds none.

use std::collections::{BTreeMap, HashMap};

use crate::daemon::answering::fair::RouteQueue;

/// Slots that one queue leaves to the others; where there are few slots, half of them.
const RESERVED: usize = 8;

/// The slots for claims, and who holds them.
pub(super) struct Slots {
    count: usize,
    /// Claims in hand; those that an earlier run left may be more than there are slots.
    taken: usize,
    /// The most that one queue may hold.
    most: usize,
    held: BTreeMap<RouteQueue, usize>,
    /// The queues of claims, by their IDs.
    queues: HashMap<String, RouteQueue>,
}

impl Slots {
    /// So many slots, of which some are `taken` by what an earlier run left.
    pub(super) fn new(count: usize, taken: usize) -> Self {
        let most = count - RESERVED.min(count / 2);
        Self { count, taken, most, held: BTreeMap::new(), queues: HashMap::new() }
    }

    fn free(&self) -> usize {
        self.count.saturating_sub(self.taken)
    }

    /// No queue may claim anything.
    pub(super) fn is_full(&self) -> bool {
        self.free() == 0
    }

    /// Whether a file of `queue` may be claimed now.
    pub(super) fn allow(&self, queue: &RouteQueue) -> bool {
        match self.held.get(queue) {
            None => self.free() > 0,
            Some(held) => *held < self.most && self.free() > 1,
        }
    }

    /// A file of `queue` was claimed.
    pub(super) fn take(&mut self, id: &str, queue: RouteQueue) {
        self.taken += 1;
        *self.held.entry(queue.clone()).or_default() += 1;
        self.queues.insert(id.to_owned(), queue);
    }

    /// A claim is over; one that an earlier run left has no queue here.
    pub(super) fn release(&mut self, id: &str) {
        self.taken = self.taken.saturating_sub(1);
        let Some(queue) = self.queues.remove(id) else { return };
        if let Some(count) = self.held.get_mut(&queue) {
            *count -= 1;
            if *count == 0 {
                self.held.remove(&queue);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::daemon::answering::fair::Length;

    fn short(route: &str) -> RouteQueue {
        RouteQueue::new(route, Length::Short)
    }

    /// Claims as much as is allowed; gives the number.
    fn fill(slots: &mut Slots, queue: &RouteQueue) -> usize {
        let mut count = 0;
        while slots.allow(queue) {
            slots.take(&format!("{queue:?}{count}"), queue.clone());
            count += 1;
        }
        count
    }

    #[test]
    fn whatever_one_route_does_another_finds_a_free_slot() {
        for count in 2..200 {
            let mut slots = Slots::new(count, 0);
            let slow = fill(&mut slots, &short("slow"));
            assert_eq!(slow, count - RESERVED.min(count / 2), "of {count}");
            let other = fill(&mut slots, &short("other"));
            assert!(other >= 1, "{count}");
            assert_eq!(slots.is_full(), count < 4, "the last one is for a third: {count}");
            assert_eq!(fill(&mut slots, &short("fast")), usize::from(count >= 4));
        }
        assert_eq!(fill(&mut Slots::new(1, 0), &short("slow")), 1, "a lone slot is no reason to stand still");
    }

    #[test]
    fn long_files_leave_slots_for_short_ones_of_their_route() {
        let mut slots = Slots::new(16, 0);
        assert_eq!(fill(&mut slots, &RouteQueue::new("a", Length::Long)), 8);
        assert_eq!(fill(&mut slots, &short("a")), 7);
    }

    #[test]
    fn what_is_released_may_be_claimed_again() {
        let mut slots = Slots::new(16, 1);
        let count = fill(&mut slots, &short("slow"));
        assert!(!slots.allow(&short("slow")));
        for index in 0..count {
            slots.release(&format!("{:?}{index}", short("slow")));
            assert!(slots.allow(&short("slow")));
        }
        slots.release("of an earlier run");
        assert_eq!((slots.free(), slots.held.len(), slots.queues.len()), (16, 0, 0));
    }
    #[test]
    fn more_claims_of_an_earlier_run_than_slots_free_none_before_their_time() {
        let mut slots = Slots::new(2, 5);
        for _ in 0..3 {
            slots.release("of an earlier run");
            assert!(slots.is_full());
        }
        slots.release("of an earlier run");
        assert_eq!(slots.free(), 1);
    }
}
