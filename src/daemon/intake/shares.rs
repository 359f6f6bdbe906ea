//! Which route may claim: thousands of files for a slow solver must leave room for one for a fast solver.
//!
//! The slots are a buffer that queues of different speed share. A route may hold at most [`FREE_MULTIPLE`] times
//! as many as are free (dynamic thresholds: Choudhury and Hahne, IEEE/ACM Transactions on Networking 6, 1998), so
//! some always stay free whatever one route does, and no share has to be configured. The last free slot is only for a
//! route that holds none.

use std::collections::HashMap;

/// Times as many slots as are free that one route may hold.
const FREE_MULTIPLE: usize = 7;

/// The slots for claims, and who holds them.
pub(super) struct Shares {
    free: usize,
    /// Slots by route. A file without a route has the empty name.
    held: HashMap<String, usize>,
    /// The routes of claims by their IDs.
    routes: HashMap<String, String>,
}

impl Shares {
    pub(super) fn new(free: usize) -> Self {
        Self { free, held: HashMap::new(), routes: HashMap::new() }
    }

    /// No route may claim anything.
    pub(super) fn is_full(&self) -> bool {
        self.free == 0
    }

    /// Whether a file of `route` may be claimed now.
    pub(super) fn allow(&self, route: &str) -> bool {
        let held = self.held.get(route).copied().unwrap_or(0);
        if held == 0 { self.free > 0 } else { held < FREE_MULTIPLE * self.free.saturating_sub(1) }
    }

    /// A file of `route` was claimed.
    pub(super) fn take(&mut self, id: &str, route: String) {
        self.free = self.free.saturating_sub(1);
        *self.held.entry(route.clone()).or_default() += 1;
        self.routes.insert(id.to_owned(), route);
    }

    /// A claim is over; one that an earlier run left has no route here.
    pub(super) fn release(&mut self, id: &str) {
        self.free += 1;
        let Some(route) = self.routes.remove(id) else { return };
        if let Some(held) = self.held.get_mut(&route) {
            *held -= 1;
            if *held == 0 {
                self.held.remove(&route);
            }
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
            shares.take(&format!("{route}{count}"), route.to_owned());
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
