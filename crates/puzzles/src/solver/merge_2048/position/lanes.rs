//! A position as the lanes of its last slide.
//!
//! Empty squares between the tiles of a lane are gone after a slide along it, and empty lanes never matter (see
//! [`super`]). So a position behind a slide *is* the list of its lanes in their order, each read from the wall, and
//! the lanes across are found by reading the same tiles the other way.
//!
//! # Its key
//!
//! The key is the same for symmetric images. Of the eight images of a position those count that are lists of lanes
//! without gaps too: the lanes from the last to the first, always; the lanes across, if the tiles lie at a second wall
//! as well; the lanes read from their other ends, if all are equally long. Of the images with the fewest lanes the
//! first in the order of words stands for all. To miss an image only costs time, as a position is then searched twice
//! (docs/proofs/2048-merge.md, section 3).

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
    /// Returns the lanes.
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

/// A way to read a list of lanes.
#[derive(Debug, Clone, Copy)]
struct Image {
    /// From the last lane to the first.
    backwards: bool,
    /// Every lane from its other end.
    reversed: bool,
}

/// Makes `key` the canonical form of the position with these lanes; whether its lanes are those across.
pub fn pack_canonical<L: Lane>(along: &Lanes<L>, key: &mut Vec<u8>) -> bool {
    let lanes = along.as_slice();
    let rising = lanes.windows(2).all(|pair| pair[0].tiles() <= pair[1].tiles());
    let falling = lanes.windows(2).all(|pair| pair[0].tiles() >= pair[1].tiles());
    let best = first_image(along, rising && falling, false);
    let longest =
        lanes.first().map_or(0, |lane| lane.tiles()).max(lanes.last().map_or(0, |lane| lane.tiles()));
    if (rising || falling) && longest <= lanes.len() {
        let mut across = Lanes::default();
        across.set_across(along);
        // Falling, the tiles lie at the wall of the first lane too; rising, at that of the last one.
        let best_across = first_image(&across, rising && falling, !falling);
        if longest < lanes.len() || read(&across, best_across).lt(read(along, best)) {
            pack(&across, best_across, key);
            return true;
        }
    }
    pack(along, best, key);
    false
}

/// Returns the first image in the order of words, lanes being read `reversed` or, if they `may_turn`, either way.
#[inline]
fn first_image<L: Lane>(lanes: &Lanes<L>, may_turn: bool, reversed: bool) -> Image {
    let mut best = Image { backwards: false, reversed };
    let mut prefer = |other: Image| {
        if read(lanes, other).lt(read(lanes, best)) {
            best = other;
        }
    };
    prefer(Image { backwards: true, reversed });
    if may_turn {
        prefer(Image { backwards: false, reversed: !reversed });
        prefer(Image { backwards: true, reversed: !reversed });
    }
    best
}

/// Returns the lanes of an image.
#[inline]
fn read<L: Lane>(lanes: &Lanes<L>, image: Image) -> impl Iterator<Item = L> {
    let lanes = lanes.as_slice();
    (0..lanes.len()).map(move |index| {
        let lane = lanes[if image.backwards { lanes.len() - 1 - index } else { index }];
        if image.reversed { lane.reversed() } else { lane }
    })
}

/// Makes `key` the lanes of an image: a nibble a tile, one of 0 behind every lane.
#[inline]
fn pack<L: Lane>(lanes: &Lanes<L>, image: Image, key: &mut Vec<u8>) {
    key.clear();
    let mut half: Option<u8> = None;
    let mut put = |nibble: u8| match half.take() {
        None => half = Some(nibble),
        Some(low) => key.push(low | nibble << 4),
    };
    for mut lane in read(lanes, image) {
        while lane != L::default() {
            let (rank, behind) = lane.split_first();
            put(rank);
            lane = behind;
        }
        put(0);
    }
    if let Some(low) = half {
        key.push(low);
    }
}
