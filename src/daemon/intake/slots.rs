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
    all: usize,
    /// The most that one queue may hold.
    most: usize,
    held: BTreeMap<RouteQueue, usize>,
    /// The queues of claims, by their IDs. An earlier run may have left more of them than there are slots.
    queues: HashMap<String, RouteQueue>,
}

impl Slots {
    /// So many slots, all of them free.
    pub(super) fn new(all: usize) -> Self {
        let most = all - RESERVED.min(all / 2);
        Self { all, most, held: BTreeMap::new(), queues: HashMap::new() }
    }

    fn free(&self) -> usize {
        self.all.saturating_sub(self.queues.len())
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

    /// A file of `queue` was claimed, in this run or an earlier one.
    pub(super) fn take(&mut self, id: &str, queue: RouteQueue) {
        *self.held.entry(queue.clone()).or_default() += 1;
        self.queues.insert(id.to_owned(), queue);
    }

    /// A claim is over.
    pub(super) fn release(&mut self, id: &str) {
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
            let mut slots = Slots::new(count);
            let slow = fill(&mut slots, &short("slow"));
            assert_eq!(slow, count - RESERVED.min(count / 2), "of {count}");
            let other = fill(&mut slots, &short("other"));
            assert!(other >= 1, "{count}");
            assert_eq!(slots.is_full(), count < 4, "the last one is for a third: {count}");
            assert_eq!(fill(&mut slots, &short("fast")), usize::from(count >= 4));
        }
        assert_eq!(fill(&mut Slots::new(1), &short("slow")), 1, "a lone slot is no reason to stand still");
    }

    #[test]
    fn long_files_leave_slots_for_short_ones_of_their_route() {
        let mut slots = Slots::new(16);
        assert_eq!(fill(&mut slots, &RouteQueue::new("a", Length::Long)), 8);
        assert_eq!(fill(&mut slots, &short("a")), 7);
    }

    #[test]
    fn what_is_released_may_be_claimed_again() {
        let mut slots = Slots::new(16);
        slots.take("of an earlier run", short("fast"));
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
    fn what_an_earlier_run_left_counts_for_its_queue() {
        let mut slots = Slots::new(16);
        let long = RouteQueue::new("a", Length::Long);
        for index in 0..20 {
            slots.take(&format!("left {index}"), long.clone());
        }
        assert!(slots.is_full());
        for index in 0..10 {
            slots.release(&format!("left {index}"));
        }
        assert!(!slots.allow(&long) && slots.allow(&short("a")), "10 of its 8 are in hand");
        slots.release("left 10");
        slots.release("left 11");
        assert!(!slots.allow(&long));
        slots.release("left 12");
        assert!(slots.allow(&long));
    }
}
