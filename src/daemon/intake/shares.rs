//! Which route may claim: thousands of files for a slow solver must leave room for one for a fast solver.
//!
//! The slots are a buffer that queues of different speed share. A route may hold at most [`FREE_MULTIPLE`] times
//! as many as are free, times its share (dynamic thresholds: Choudhury and Hahne, IEEE/ACM Transactions on Networking
//! 6, 1998), so some always stay free whatever one route does, and no share has to be configured. The last free slot is
//! only for a route that holds none.

use std::collections::HashMap;

/// Times as many slots as are free that one route may hold.
const FREE_MULTIPLE: usize = 7;
/// Long files of one route may hold one in so many slots, so that short ones are not stuck behind them.
const LONG_PART: usize = 2;

/// The slots for claims, and who holds them.
pub(super) struct Shares {
    free: usize,
    /// Slots by route. A file without a route has the empty name.
    held: HashMap<String, usize>,
    /// The routes of claims by their IDs, and whether the file is a long one.
    routes: HashMap<String, (String, bool)>,
    /// Shares by route, where it is not 1.
    weights: HashMap<String, usize>,
    /// Long files that one route may hold.
    long_max: usize,
    /// Long files held, by route.
    long_held: HashMap<String, usize>,
}

impl Shares {
    pub(super) fn new(free: usize) -> Self {
        Self {
            free,
            held: HashMap::new(),
            routes: HashMap::new(),
            weights: HashMap::new(),
            long_max: (free / LONG_PART).max(1),
            long_held: HashMap::new(),
        }
    }

    /// Routes have these shares from now on; 1 where none is given.
    pub(super) fn weigh<'a>(&mut self, shares: impl Iterator<Item = (&'a str, usize)>) {
        self.weights =
            shares.filter(|(_, share)| *share != 1).map(|(route, share)| (route.to_owned(), share)).collect();
    }

    /// No route may claim anything.
    pub(super) fn is_full(&self) -> bool {
        self.free == 0
    }

    /// Whether a file of `route` may be claimed now.
    pub(super) fn allow(&self, route: &str) -> bool {
        let held = self.held.get(route).copied().unwrap_or(0);
        let share = self.weights.get(route).copied().unwrap_or(1);
        if held == 0 { self.free > 0 } else { held < FREE_MULTIPLE * share * self.free.saturating_sub(1) }
    }

    /// Whether a long file of `route` may be claimed now, which must be allowed to claim.
    pub(super) fn allow_long(&self, route: &str) -> bool {
        self.long_held.get(route).is_none_or(|held| *held < self.long_max)
    }

    /// A file of `route` was claimed.
    pub(super) fn take(&mut self, id: &str, route: String, is_long: bool) {
        self.free = self.free.saturating_sub(1);
        *self.held.entry(route.clone()).or_default() += 1;
        if is_long {
            *self.long_held.entry(route.clone()).or_default() += 1;
        }
        self.routes.insert(id.to_owned(), (route, is_long));
    }

    /// A claim is over; one that an earlier run left has no route here. Gives whether it was a long file.
    pub(super) fn release(&mut self, id: &str) -> bool {
        self.free += 1;
        let Some((route, is_long)) = self.routes.remove(id) else { return false };
        give_back(&mut self.held, &route);
        if is_long {
            give_back(&mut self.long_held, &route);
        }
        is_long
    }
}

fn give_back(held: &mut HashMap<String, usize>, route: &str) {
    if let Some(count) = held.get_mut(route) {
        *count -= 1;
        if *count == 0 {
            held.remove(route);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claims as much as is allowed; gives the number.
    fn fill(shares: &mut Shares, route: &str) -> usize {
        let mut count = 0;
        while shares.allow(route) {
            shares.take(&format!("{route}{count}"), route.to_owned(), false);
            count += 1;
        }
        count
    }

    #[test]
    fn whatever_one_route_does_another_finds_a_free_slot() {
        for slots in 2..200 {
            let mut shares = Shares::new(slots);
            let slow = fill(&mut shares, "slow");
            assert!(slow < slots && slow >= slots * 7 / 8 - 1, "{slow} of {slots}");
            let fast = fill(&mut shares, "fast");
            assert!(fast >= 1, "{slots}");
            assert_eq!(shares.is_full(), slow + fast == slots);
        }
        assert_eq!(fill(&mut Shares::new(1), "slow"), 1, "a lone slot is no reason to stand still");
    }

    #[test]
    fn a_larger_share_holds_more_and_leaves_a_slot_all_the_same() {
        for share in 1..=100 {
            let mut shares = Shares::new(64);
            shares.weigh([("slow", share), ("fast", 1)].into_iter());
            let slow = fill(&mut shares, "slow");
            assert!((56..64).contains(&slow) && (share < 10 || slow > 60), "{share}: {slow}");
            assert!(fill(&mut shares, "fast") >= 1, "{share}");
        }
    }

    #[test]
    fn long_files_leave_slots_for_short_ones_of_their_route() {
        let mut shares = Shares::new(16);
        for index in 0..8 {
            assert!(shares.allow("a") && shares.allow_long("a"));
            shares.take(&index.to_string(), "a".to_owned(), true);
        }
        assert!(!shares.allow_long("a") && shares.allow("a") && shares.allow_long("b"));
        shares.take("short", "a".to_owned(), false);
        assert!(!shares.release("short") && !shares.allow_long("a"));
        assert!(shares.release("3") && shares.allow_long("a"));
        assert!(Shares::new(1).allow_long("a"));
    }

    #[test]
    fn what_is_released_may_be_claimed_again() {
        let mut shares = Shares::new(16);
        let count = fill(&mut shares, "slow");
        assert!(!shares.allow("slow"));
        shares.release("slow0");
        assert!(shares.allow("slow"));
        for index in 1..count {
            shares.release(&format!("slow{index}"));
        }
        shares.release("of an earlier run");
        assert_eq!((shares.free, shares.held.len(), shares.routes.len()), (17, 0, 0));
    }
}
