//! A position as the lanes of its last slide.
//!
//! A slide closes the gaps between the tiles of a lane, and empty lanes never matter (see [`super`]). So a position
//! after a slide *is* the list of its lanes in order, each read from the wall. Reading the same tiles the other way
//! gives the lanes across.
//!
//! # Its key
//!
//! The key is the same for symmetric images. Of the eight images of a position, only those count that are also lists of
//! lanes without gaps: the lanes from last to first, always; the lanes across, if the tiles also lie at a second wall;
//! the lanes read from their other ends, if all are equally long. Of the images with the fewest lanes, the first in the
//! order of words stands for all. A missed image only costs time, since a position is then searched twice
//! (docs/proofs/2048-merge.md, section 3).

use crate::board::lane::Lane;

/// The most lanes that any [`Lane`] allows.
const LANES_MAX: usize = 32;

/// Lanes of a position in order, none empty.
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

    /// Appends a lane unless it is empty.
    #[inline]
    pub fn push(&mut self, lane: L) {
        if lane != L::default() {
            self.lanes[self.count] = lane;
            self.count += 1;
        }
    }

    /// Sets `self` to the lanes of `from`, each changed by `change`.
    #[inline]
    pub fn set_to(&mut self, from: &Self, change: impl Fn(L) -> L) {
        self.count = from.count;
        for (to, &lane) in self.lanes.iter_mut().zip(from.as_slice()) {
            *to = change(lane);
        }
    }

    /// Sets `self` to the lanes across those of `from`, which all lie at one wall. If `from` has shorter lanes, a lane
    /// across can have gaps; it is read without them, as a slide along it would leave it.
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

    /// Sets `self` to the lanes packed in `key`; calls `on_tile` with every rank.
    #[inline]
    pub fn unpack(&mut self, key: &[u8], mut on_tile: impl FnMut(u8)) {
        self.count = 0;
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
    /// Read the lanes from last to first.
    backwards: bool,
    /// Read every lane from its other end.
    reversed: bool,
}

/// Sets `key` to the canonical form of the position with these lanes. Returns whether the key holds the lanes across.
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
        // If falling, the tiles also lie at the wall of the first lane; if rising, at that of the last.
        let best_across = first_image(&across, rising && falling, !falling);
        if longest < lanes.len() || read(&across, best_across).lt(read(along, best)) {
            pack(&across, best_across, key);
            return true;
        }
    }
    pack(along, best, key);
    false
}

/// Returns the first image in the order of words. Lanes are read `reversed` or, if they `may_turn`, either way.
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

/// Packs the lanes of an image into `key`: one nibble per tile, and a 0 after every lane.
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
