//! A position as the lanes of its last slide.
//!
//! Empty squares between the tiles of a lane are gone after a slide along it, and empty lanes never matter (see
//! [`super`]). So a position behind a slide *is* the list of its lanes in their order, each read from the wall, and
//! the lanes across are found by reading the same tiles the other way.

use crate::board::lane::Lane;

/// The most lanes that any [`Lane`] allows.
const LANES_MAX: usize = 32;

/// Lanes of a position, none empty, in their order.
#[derive(Debug, Clone, Copy, Default)]
pub struct Lanes<L> {
    lanes: [L; LANES_MAX],
    count: usize,
}

impl<L: Lane> Lanes<L> {
    /// The lanes.
    #[inline]
    pub fn as_slice(&self) -> &[L] {
        &self.lanes[..self.count]
    }

    /// Takes all lanes away.
    #[inline]
    pub fn clear(&mut self) {
        self.count = 0;
    }

    /// Appends a lane; one without tiles is none.
    #[inline]
    pub fn push(&mut self, lane: L) {
        if lane != L::default() {
            self.lanes[self.count] = lane;
            self.count += 1;
        }
    }

    /// Makes `self` the lanes of `from`, each changed by `change`.
    #[inline]
    pub fn set_to(&mut self, from: &Self, change: impl Fn(L) -> L) {
        self.count = from.count;
        for (to, &lane) in self.lanes.iter_mut().zip(from.as_slice()) {
            *to = change(lane);
        }
    }

    /// Makes `self` the lanes across those of `from`, which all lie at one wall. A lane across may have gaps
    /// where `from` has shorter lanes; it is read without them, as a slide along it would leave it.
    #[inline]
    pub fn set_across(&mut self, from: &Self) {
        let longest = from.as_slice().iter().map(|lane| lane.tiles()).max().unwrap_or(0);
        self.count = longest;
        self.lanes[..longest].fill(L::default());
        let mut tiles = [0_u8; LANES_MAX];
        for &lane in from.as_slice() {
            let mut rest = lane;
            let mut at = 0;
            while rest != L::default() {
                let (rank, behind) = rest.split_first();
                self.lanes[at] = self.lanes[at].with(usize::from(tiles[at]), rank);
                tiles[at] += 1;
                at += 1;
                rest = behind;
            }
        }
    }

    /// Makes `self` what was packed as `key`; calls `on_tile` with every rank.
    #[inline]
    pub fn unpack(&mut self, key: &[u8], mut on_tile: impl FnMut(u8)) {
        self.clear();
        let mut lane = L::default();
        let mut tiles = 0;
        for rank in key.iter().flat_map(|&byte| [byte & 15, byte >> 4]) {
            if rank == 0 {
                self.push(lane);
                lane = L::default();
                tiles = 0;
            } else {
                lane = lane.with(tiles, rank);
                tiles += 1;
                on_tile(rank);
            }
        }
        self.push(lane);
    }
}
