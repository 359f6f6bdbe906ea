//! What a listing has in hand: the folders that it is in, and the files that it had to leave.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::ReadDir;
use std::path::PathBuf;

use crate::daemon::answering::fair::RouteQueue;
use crate::daemon::intake::slots::Slots;

/// Files of a queue that may claim no more which are remembered; those beyond are met again by the next listing.
const REMEMBERED_MAX: usize = 10_000;

/// A listing in progress: the open folders from the one where it began downwards.
pub(super) struct Walk {
    pub(super) folders: Vec<(PathBuf, ReadDir)>,
    /// It began at the inbox.
    pub(super) is_whole: bool,
}

/// The files that had to be left in the inbox because their queues may claim no more.
#[derive(Default)]
pub(super) struct Backlog {
    queues: BTreeMap<RouteQueue, Left>,
}

#[derive(Default)]
struct Left {
    files: BTreeSet<PathBuf>,
    /// Files that are not remembered.
    forgotten: u64,
}

impl Backlog {
    /// A file had to be left.
    pub(super) fn add(&mut self, queue: RouteQueue, file: PathBuf) {
        let left = self.queues.entry(queue).or_default();
        if left.files.len() < REMEMBERED_MAX {
            left.files.insert(file);
        } else {
            left.forgotten += 1;
        }
    }

    /// Takes a file whose queue may claim again; `Err` where only a listing finds the queue's other files.
    pub(super) fn pop(&mut self, slots: &Slots) -> Option<Result<PathBuf, MustList>> {
        let (queue, left) = self.queues.iter_mut().find(|(queue, _)| slots.allow(queue))?;
        let file = left.files.pop_first();
        if left.files.is_empty() && (file.is_none() || left.forgotten == 0) {
            let queue = queue.clone();
            self.queues.remove(&queue);
        }
        Some(file.ok_or(MustList))
    }

    /// Whether [`Backlog::pop`] has something to give.
    pub(super) fn may_go_on(&self, slots: &Slots) -> bool {
        self.queues.keys().any(|queue| slots.allow(queue))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.queues.is_empty()
    }

    /// A listing finds them all again.
    pub(super) fn clear(&mut self) {
        self.queues.clear();
    }

    /// Files left, by route: at least so many.
    pub(super) fn count(&self) -> BTreeMap<String, u64> {
        let mut counts = BTreeMap::new();
        for (queue, left) in &self.queues {
            *counts.entry(queue.route.clone()).or_default() += left.files.len() as u64 + left.forgotten;
        }
        counts
    }
}

/// More files of a queue were left than are remembered.
pub(super) struct MustList;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::daemon::answering::fair::Length;

    fn short(route: &str) -> RouteQueue {
        RouteQueue::new(route, Length::Short)
    }

    #[test]
    fn a_backlog_is_taken_by_name_and_what_it_forgets_is_listed() {
        let mut slots = Slots::new(2);
        let mut backlog = Backlog::default();
        for number in (0..REMEMBERED_MAX + 5).rev() {
            backlog.add(short("a"), format!("{number:06}").into());
        }
        backlog.add(short("b"), "b".into());
        assert_eq!(backlog.count(), [("a".to_owned(), 10_005), ("b".to_owned(), 1)].into());
        let pop = |backlog: &mut Backlog, slots: &Slots| backlog.pop(slots).map(Result::ok);
        assert_eq!(pop(&mut backlog, &slots), Some(Some("000005".into())));
        slots.take("1", short("a"));
        assert_eq!(pop(&mut backlog, &slots), Some(Some("b".into())), "a may claim no more");
        assert!(!backlog.may_go_on(&slots) && pop(&mut backlog, &slots).is_none());
        slots.release("1");
        for _ in 1..REMEMBERED_MAX {
            assert!(pop(&mut backlog, &slots).flatten().is_some());
        }
        assert_eq!(pop(&mut backlog, &slots), Some(None), "the others must be listed");
        assert!(backlog.is_empty() && !backlog.may_go_on(&slots));
    }
}
