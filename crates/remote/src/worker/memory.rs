//! The memory that a worker's puzzles share.

use tabuleiro_puzzles::solver::{FREE_BYTES, SHARED_BYTES};

/// What a worker itself uses at most.
const OWN_BYTES: u64 = 64 << 20;
/// What most routes let a puzzle use.
const USUAL_BYTES: u64 = 1 << 30;

/// Puzzles that may use much memory at a time, and how much each, where all may use `bytes` on so many threads.
pub fn grant(bytes: u64, threads: usize) -> (usize, u64) {
    let threads = threads.max(1) as u64;
    let free = FREE_BYTES;
    let room = bytes.saturating_sub(OWN_BYTES + SHARED_BYTES + free * threads).max(free);
    let each = (room / threads).max(USUAL_BYTES).min(room);
    let permits = (room / each).clamp(1, threads);
    (permits as usize, each)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GIB: u64 = 1 << 30;

    #[test]
    fn memory_is_granted_within_what_there_is() {
        assert_eq!(grant(18 * GIB, 2), (2, (18 * GIB - (208 << 20)) / 2));
        assert_eq!(grant(6 * GIB, 8), (5, GIB));
        let (permits, each) = grant(GIB / 2, 8);
        assert!(permits == 1 && each < GIB / 2, "{each}");
        for threads in [1, 3, 8, 64] {
            for bytes in [GIB / 4, GIB, 7 * GIB, 100 * GIB] {
                let (permits, each) = grant(bytes, threads);
                assert!((permits as u64) * each <= bytes, "{bytes} {threads}");
            }
        }
    }
}
