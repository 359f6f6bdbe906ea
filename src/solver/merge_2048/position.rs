//! A position as the lanes of its last slide, and the same for all its symmetric images.
//!
//! Empty squares between the tiles of a lane are gone after a slide along it, and empty lanes never matter (see
//! [`super::grid`]). So a position behind a slide *is* the list of its lanes in their order, each read from
//! the wall ([`Lanes`]), and the lanes across are found by reading the same tiles the other way.
//!
//! Of the eight images of a position those count that are such lists too: the lanes from the last to the
//! first, always; the lanes across, when the tiles lie at a second wall as well; the lanes read from their
//! other ends, when all are equally long. Of the images with the fewest lanes the first in the order of words
//! stands for all. An image that is left out could only cost time, as a position would be searched twice.

use crate::board::lane::Lane;

/// The most lanes that any [`Lane`] allows.
const LANES_MAX: usize = 32;

/// Lanes of a position, none empty, in their order.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lanes<L> {
    lanes: [L; LANES_MAX],
    count: usize,
}

/// An image of a position: which list of lanes, and how it is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Image {
    /// The lanes across instead of those of the slide.
    pub(super) across: bool,
    /// From the last lane to the first.
    backwards: bool,
    /// Every lane from its other end.
    reversed: bool,
}

impl<L: Lane> Default for Lanes<L> {
    fn default() -> Self {
        Self { lanes: [L::default(); LANES_MAX], count: 0 }
    }
}

impl<L: Lane> Lanes<L> {
    /// The lanes.
    #[inline]
    pub(super) fn as_slice(&self) -> &[L] {
        &self.lanes[..self.count]
    }

    /// Takes all lanes away.
    #[inline]
    pub(super) fn clear(&mut self) {
        self.count = 0;
    }

    /// Appends a lane; one without tiles is none.
    #[inline]
    pub(super) fn push(&mut self, lane: L) {
        if lane != L::default() {
            self.lanes[self.count] = lane;
            self.count += 1;
        }
    }

    /// Makes `self` the lanes of `from`, each changed by `change`.
    #[inline]
    pub(super) fn set_to(&mut self, from: &Self, change: impl Fn(L) -> L) {
        self.count = from.count;
        for (to, &lane) in self.lanes.iter_mut().zip(from.as_slice()) {
            *to = change(lane);
        }
    }

    /// Makes `self` the lanes across those of `from`, which all lie at one wall. A lane across may have gaps
    /// where `from` has shorter lanes; it is read without them, as a slide along it would leave it.
    #[inline]
    pub(super) fn set_across(&mut self, from: &Self) {
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

    /// Makes `key` the lanes as `image` reads them: a nibble a tile, one of 0 behind every lane.
    #[inline]
    fn pack(&self, image: Image, key: &mut Vec<u8>) {
        key.clear();
        let mut half: Option<u8> = None;
        let mut put = |nibble: u8| match half.take() {
            None => half = Some(nibble),
            Some(low) => key.push(low | nibble << 4),
        };
        for index in 0..self.count {
            let mut rest = self.lane(image, index);
            while rest != L::default() {
                let (rank, behind) = rest.split_first();
                put(rank);
                rest = behind;
            }
            put(0);
        }
        if let Some(low) = half {
            key.push(low);
        }
    }

    /// Makes `self` what was packed as `key`; calls `on_tile` with every rank. Returns whether there are no
    /// more lanes, and no more tiles in any, than a lane of this kind can have tiles, so that all that slides
    /// make of it fits too; `self` is of no use otherwise.
    #[inline]
    pub(super) fn unpack(&mut self, key: &[u8], mut on_tile: impl FnMut(u8)) -> bool {
        self.clear();
        let mut lane = L::default();
        let mut tiles = 0;
        for &byte in key {
            for rank in [byte & 15, byte >> 4] {
                if rank == 0 {
                    self.push(lane);
                    lane = L::default();
                    tiles = 0;
                } else {
                    if tiles == L::TILES_MAX || self.count == L::TILES_MAX {
                        return false;
                    }
                    lane = lane.with(tiles, rank);
                    tiles += 1;
                    on_tile(rank);
                }
            }
        }
        self.push(lane);
        true
    }

    /// Makes `best` the other image of these lanes if that comes first.
    #[inline]
    fn prefer(&self, best: &mut Image, other: Image) {
        if self.in_order(other).lt(self.in_order(*best)) {
            *best = other;
        }
    }

    fn in_order(&self, image: Image) -> impl Iterator<Item = L> {
        (0..self.count).map(move |index| self.lane(image, index))
    }

    #[inline]
    fn lane(&self, image: Image, index: usize) -> L {
        let lane = self.lanes[if image.backwards { self.count - 1 - index } else { index }];
        if image.reversed { lane.reversed() } else { lane }
    }
}

/// Makes `key` the canonical form of the position with these lanes; the image that was taken.
pub(super) fn pack_canonical<L: Lane>(along: &Lanes<L>, key: &mut Vec<u8>) -> Image {
    let lanes = along.as_slice();
    let rising = lanes.windows(2).all(|pair| pair[0].tiles() <= pair[1].tiles());
    let falling = lanes.windows(2).all(|pair| pair[0].tiles() >= pair[1].tiles());
    let image = |across, backwards, reversed| Image { across, backwards, reversed };
    let mut best = image(false, false, false);
    along.prefer(&mut best, image(false, true, false));
    if rising && falling {
        along.prefer(&mut best, image(false, false, true));
        along.prefer(&mut best, image(false, true, true));
    }
    let longest =
        lanes.first().map_or(0, |lane| lane.tiles()).max(lanes.last().map_or(0, |lane| lane.tiles()));
    if !(rising || falling) || longest > lanes.len() {
        along.pack(best, key);
        return best;
    }
    let mut across = Lanes::default();
    across.set_across(along);
    // Falling, the tiles lie at the wall of the first lane too; rising, at that of the last one.
    let mut best_across = image(true, false, !falling);
    across.prefer(&mut best_across, image(true, true, !falling));
    if rising && falling {
        across.prefer(&mut best_across, image(true, false, true));
        across.prefer(&mut best_across, image(true, true, true));
    }
    let fewer = across.count < along.count;
    if fewer || across.in_order(best_across).lt(along.in_order(best)) {
        across.pack(best_across, key);
        return best_across;
    }
    along.pack(best, key);
    best
}
