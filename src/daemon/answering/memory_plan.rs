//! Plans how much memory the puzzles that are solved at the same time may use. Runs at the start and at every reload.
//!
//! A puzzle may use its route's `memory_limit`. Every thread of the pool solves one puzzle at a time. So does every
//! worker thread, because it solves what the pool has not begun. `workers.memory_limit` therefore bounds how many
//! puzzles may need much memory at the same time. If not even one puzzle of a route fits, it also bounds that puzzle.

use tracing::{debug, warn};

use crate::config::{Config, Route};
use crate::daemon::fs::os::memory_bytes;
use tabuleiro_jobs::Pool;
use tabuleiro_jobs::page::HELD_BYTES_MAX;
use tabuleiro_puzzles::solver::{FREE_BYTES, MEMORY_LIMIT, SHARED_BYTES, format_size};

/// Worker threads in addition to the configured number. They serve routes that would otherwise wait for other routes,
/// and short files that would wait for long ones.
pub const SPARE_WORKERS: usize = 8;

/// Maximum memory that the service itself uses, in bytes, whatever is in the inbox.
const OWN_BYTES: u64 = 64 << 20;

/// How puzzles share memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Plan {
    /// Number of puzzles that may use more than [`FREE_BYTES`] at the same time.
    permits: usize,
    /// Maximum memory of one puzzle, in bytes.
    puzzle_bytes_max: u64,
}

impl Plan {
    /// Plans for `threads` threads and `limit_bytes`. `puzzle_bytes` is the largest `memory_limit` of a route.
    fn new(limit_bytes: u64, threads: usize, puzzle_bytes: u64) -> Self {
        let at_a_time = at_a_time(threads);
        let room = limit_bytes.saturating_sub(fixed(threads));
        let puzzle_bytes_max = puzzle_bytes.min(room).max(FREE_BYTES);
        let permits = usize::try_from(room / puzzle_bytes_max).unwrap_or(usize::MAX);
        Self { permits: permits.clamp(1, at_a_time), puzzle_bytes_max }
    }
}

/// Returns the bytes that do not depend on the puzzles: those of the service, a page per worker thread, and
/// [`FREE_BYTES`] for each puzzle that can be solved at the same time.
fn fixed(threads: usize) -> u64 {
    let free = FREE_BYTES.saturating_mul(at_a_time(threads) as u64);
    let pages = HELD_BYTES_MAX.saturating_mul((threads + SPARE_WORKERS) as u64);
    (OWN_BYTES + SHARED_BYTES).saturating_add(free).saturating_add(pages)
}

/// Returns how many puzzles can be solved at the same time.
fn at_a_time(threads: usize) -> usize {
    2 * threads + SPARE_WORKERS
}

/// Applies the memory limit of the configuration to the pool, and logs the plan.
pub fn share(pool: &Pool, config: &Config) {
    let Some(limit) = config.workers.memory_limit.bytes(memory_bytes()) else {
        pool.memory().set(usize::MAX, u64::MAX);
        return;
    };
    let own_limit = |route: &Route| route.options.get(MEMORY_LIMIT);
    let largest = config.routes().iter().map(|route| own_limit(route)).max().unwrap_or(FREE_BYTES);
    let plan = Plan::new(limit, pool.threads(), largest);
    pool.memory().set(plan.permits, plan.puzzle_bytes_max);
    debug!(
        memory_limit = format_size(limit),
        a_puzzle = format_size(plan.puzzle_bytes_max.min(largest)),
        large_puzzles_at_a_time = plan.permits,
        "memory of puzzles"
    );
    let least = fixed(pool.threads()) + FREE_BYTES;
    if limit < least {
        warn!(
            memory_limit = format_size(limit),
            "workers.threads = {} needs up to {} of memory; lower workers.threads, or raise workers.memory_limit",
            pool.threads(),
            format_size(least),
        );
    }
    for route in config.routes().iter().filter(|route| own_limit(route) > plan.puzzle_bytes_max) {
        warn!(
            route = route.name,
            memory_limit = format_size(own_limit(route)),
            "puzzles of the route {} may use only {}: the service may use {} with {} threads; raise \
             workers.memory_limit, or lower the route's memory_limit or workers.threads",
            route.name,
            format_size(plan.puzzle_bytes_max),
            format_size(limit),
            pool.threads(),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GIB: u64 = 1 << 30;

    #[test]
    fn a_machine_with_room_for_all_bounds_nothing() {
        assert_eq!(Plan::new(64 * GIB, 2, GIB), Plan { permits: 12, puzzle_bytes_max: GIB });
    }

    #[test]
    fn where_not_all_fit_some_are_solved_at_a_time_with_all_that_they_may_use() {
        // The default configuration on four cores and 2 GiB.
        assert_eq!(Plan::new(3 * GIB / 2, 4, GIB), Plan { permits: 1, puzzle_bytes_max: GIB });
        assert_eq!(Plan::new(6 * GIB, 4, GIB), Plan { permits: 5, puzzle_bytes_max: GIB });
    }

    #[test]
    fn where_not_one_fits_its_limit_is_lowered() {
        let plan = Plan::new(GIB / 2, 4, GIB);
        assert_eq!((plan.permits, plan.puzzle_bytes_max), (1, GIB / 2 - fixed(4)));
        assert_eq!(Plan::new(0, 4, GIB), Plan { permits: 1, puzzle_bytes_max: FREE_BYTES });
    }

    #[test]
    fn whatever_is_planned_stays_within_the_limit() {
        for threads in [1, 2, 4, 64, 1024] {
            for puzzle in [1 << 20, 64 << 20, GIB, 64 * GIB, u64::MAX] {
                for limit in [GIB / 4, GIB, 10 * GIB, 1 << 50, u64::MAX] {
                    let plan = Plan::new(limit, threads, puzzle);
                    let fixed = fixed(threads);
                    let most = u128::from(fixed) + plan.permits as u128 * u128::from(plan.puzzle_bytes_max);
                    let least = u128::from(fixed + FREE_BYTES);
                    assert!(most <= u128::from(limit).max(least), "{threads} {puzzle} {limit} {plan:?}");
                }
            }
        }
    }
}
