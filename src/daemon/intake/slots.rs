//! Decides which file may be claimed. Thousands of files for a slow solver must leave a slot for a file for a fast
//! solver, and long files must leave slots for short ones.
//!
//! The slots are a buffer that the queues of all routes share. A queue may hold all slots except [`RESERVED`], and the
//! last free slot is only for a queue that holds none. If a queue may hold no more, its files stay in the inbox. The
//! [`Backlog`] remembers them, and lets the owners of a queue's files take turns.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use crate::daemon::answering::fair::RouteQueue;
use crate::daemon::intake::fair_table::{Put, Table};

/// Number of slots that one queue must leave to the others; half of all slots, if that is less.
const RESERVED: usize = 8;

/// The slots for claims, and which queues hold them.
pub(super) struct Slots {
    all: usize,
    /// Maximum number of slots that one queue may hold.
    queue_max: usize,
    /// The IDs of the claims of each queue. An earlier run may have left more claims than there are slots.
    claims: BTreeMap<RouteQueue, HashSet<String>>,
}

impl Slots {
    /// Creates `all` slots, all of them free.
    pub(super) fn new(all: usize) -> Self {
        let queue_max = all - RESERVED.min(all / 2);
        Self { all, queue_max, claims: BTreeMap::new() }
    }

    fn free(&self) -> usize {
        self.all.saturating_sub(self.claims.values().map(HashSet::len).sum())
    }

    /// Returns whether no slot is free.
    pub(super) fn is_full(&self) -> bool {
        self.free() == 0
    }

    /// Returns whether a file of `queue` may be claimed now.
    pub(super) fn allow(&self, queue: &RouteQueue) -> bool {
        match self.claims.get(queue) {
            None => self.free() > 0,
            Some(held) => held.len() < self.queue_max && self.free() > 1,
        }
    }

    /// Takes a slot for a file of `queue` that was claimed in this run or an earlier one.
    pub(super) fn take(&mut self, id: &str, queue: RouteQueue) {
        self.claims.entry(queue).or_default().insert(id.to_owned());
    }

    /// Frees the slot of a claim that has ended.
    pub(super) fn release(&mut self, id: &str) {
        self.claims.retain(|_, ids| {
            ids.remove(id);
            !ids.is_empty()
        });
    }
}

/// Maximum number of files to remember. A listing finds the others.
const REMEMBERED_MAX: usize = 20_000;

/// The files that stay in the inbox because their queues may hold no more slots.
pub(super) struct Backlog {
    files: Table<(RouteQueue, u32), Arc<Path>, ()>,
    /// Number of files of each queue that are not remembered.
    forgotten: BTreeMap<RouteQueue, u64>,
    /// The owner whose file was taken last.
    last_owner: u32,
}

impl Default for Backlog {
    fn default() -> Self {
        Self { files: Table::new(REMEMBERED_MAX), forgotten: BTreeMap::new(), last_owner: 0 }
    }
}

impl Backlog {
    /// Remembers a file of `owner` that stays in the inbox.
    pub(super) fn add(&mut self, queue: RouteQueue, owner: u32, file: &Path) {
        let forgotten = match self.files.put((queue.clone(), owner), file.into(), ()) {
            Put::Kept => return,
            Put::InPlaceOf((other, _), ..) => other,
            Put::Refused => queue,
        };
        *self.forgotten.entry(forgotten).or_default() += 1;
    }

    /// Takes a file whose queue may claim again. Returns `Err` if all files of such queues are forgotten: then the
    /// inbox must be listed.
    pub(super) fn pop(&mut self, slots: &Slots) -> Option<Result<Arc<Path>, MustList>> {
        if let Some((owner, file)) = self.next(slots) {
            self.last_owner = owner;
            self.files.remove(&file);
            return Some(Ok(file));
        }
        let queue = self.forgotten.keys().find(|queue| slots.allow(queue))?.clone();
        self.forgotten.remove(&queue);
        Some(Err(MustList))
    }

    /// Returns the next owner whose queue may claim again, and a file of that owner.
    fn next(&self, slots: &Slots) -> Option<(u32, Arc<Path>)> {
        let mut allowed = self.files.groups().filter(|((queue, _), _)| slots.allow(queue)).peekable();
        let first = allowed.peek().copied()?;
        let ((queue, _), _) = first;
        let next = allowed.find(|((other, owner), _)| other == queue && *owner > self.last_owner);
        let ((_, owner), files) = next.unwrap_or(first);
        Some((*owner, Arc::clone(files.first()?)))
    }

    /// Returns whether [`Backlog::pop`] would return something.
    pub(super) fn may_go_on(&self, slots: &Slots) -> bool {
        let remembered = self.files.groups().map(|((queue, _), _)| queue);
        remembered.chain(self.forgotten.keys()).any(|queue| slots.allow(queue))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.files.is_empty() && self.forgotten.is_empty()
    }

    /// Forgets all files. A listing finds them again.
    pub(super) fn clear(&mut self) {
        self.files.clear();
        self.forgotten.clear();
    }

    /// Returns a lower bound on the number of files left in the inbox, by route.
    pub(super) fn count(&self) -> BTreeMap<String, u64> {
        let mut counts = BTreeMap::new();
        let remembered = self.files.groups().map(|((queue, _), files)| (queue, files.len() as u64));
        for (queue, count) in remembered.chain(self.forgotten.iter().map(|(queue, count)| (queue, *count))) {
            *counts.entry(queue.route.clone()).or_default() += count;
        }
        counts
    }
}

/// Only a listing of the inbox finds the next file.
pub(super) struct MustList;

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::daemon::answering::fair::Length;

    fn short(route: &str) -> RouteQueue {
        RouteQueue::new(route, Length::Short)
    }

    /// Claims until the queue may claim no more. Returns the number of claims.
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
        assert_eq!((slots.free(), slots.claims.len()), (16, 0));
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

    /// Pops a file. Returns `list` if only a listing finds more.
    fn pop(backlog: &mut Backlog, slots: &Slots) -> Option<PathBuf> {
        let file = |popped: Result<Arc<Path>, _>| popped.map_or("list".into(), |file| file.to_path_buf());
        backlog.pop(slots).map(file)
    }

    #[test]
    fn a_backlog_is_taken_by_name_and_what_it_forgets_is_listed() {
        let mut slots = Slots::new(2);
        let mut backlog = Backlog::default();
        for number in (0..REMEMBERED_MAX + 5).rev() {
            backlog.add(short("a"), 1, Path::new(&format!("{number:06}")));
        }
        backlog.add(short("b"), 1, Path::new("b"));
        assert_eq!(backlog.count(), [("a".to_owned(), 20_005), ("b".to_owned(), 1)].into());
        assert_eq!(pop(&mut backlog, &slots), Some("000005".into()));
        slots.take("1", short("a"));
        assert_eq!(pop(&mut backlog, &slots), Some("b".into()), "a may claim no more");
        assert!(!backlog.may_go_on(&slots) && pop(&mut backlog, &slots).is_none());
        slots.release("1");
        // One file of `a` gave way to the one of `b`.
        for _ in 2..REMEMBERED_MAX {
            assert_ne!(pop(&mut backlog, &slots), Some("list".into()));
        }
        assert_eq!(pop(&mut backlog, &slots), Some("list".into()), "the others must be listed");
        assert!(backlog.is_empty() && !backlog.may_go_on(&slots));
    }

    #[test]
    fn the_owners_of_a_route_s_files_take_turns() {
        let slots = Slots::new(8);
        let mut backlog = Backlog::default();
        for number in 0..REMEMBERED_MAX + 100 {
            backlog.add(short("a"), 1, Path::new(&format!("{number:06}")));
        }
        for name in ["x", "y"] {
            backlog.add(short("a"), 2, Path::new(name));
        }
        let popped: Vec<_> = (0..5).filter_map(|_| pop(&mut backlog, &slots)).collect();
        assert_eq!(popped, ["000000", "x", "000001", "y", "000002"].map(PathBuf::from));
    }
}
