//! The key of a position of lanes, the same for its symmetric images.
//!
//! Of the eight images of a position those count that are lists of lanes without gaps too: the lanes from the last
//! to the first, always; the lanes across, when the tiles lie at a second wall as well; the lanes read from their
//! other ends, when all are equally long. Of the images with the fewest lanes the first in the order of words
//! stands for all. An image that is left out could only cost time, as a position would be searched twice
//! (docs/proofs/2048-merge.md, section 3).

use super::lanes::Lanes;
use crate::board::lane::Lane;

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

/// The first image in the order of words, lanes being read `reversed` or, if they `may_turn`, either way.
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

/// The lanes of an image.
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
