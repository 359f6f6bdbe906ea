//! What a step may do to the parities of the frontier.
//!
//! The *bits* of a state hold, for every place of the frontier, whether the vertex there has an odd number
//! of used edges, and in the topmost bit whether the trail's end is settled. A trail has two ends, the root
//! and one more, so a vertex that is left behind is even, or odd because the end is there.
//!
//! Proofs: docs/proofs/checkers.md, section 6.1.

use super::edge_sets::Gain;
use super::kernel::Kernel;
use super::plan::Step;

/// In the bits of a state: the trail's end is settled.
pub const ENDED: u128 = 1 << 127;

/// What a trail does with an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// It does not touch it.
    Skip,
    /// It passes it.
    Whole,
    /// It enters it from its first end, and ends inside.
    EndFromFirst,
    /// It enters it from its second end, and ends inside.
    EndFromSecond,
}

impl Use {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Whole, Self::Skip, Self::EndFromFirst, Self::EndFromSecond];

    /// Which ends of the edge are touched.
    pub fn touches(self) -> [bool; 2] {
        match self {
            Self::Skip => [false, false],
            Self::Whole => [true, true],
            Self::EndFromFirst => [true, false],
            Self::EndFromSecond => [false, true],
        }
    }
}

/// The bits behind the use of an edge, before its ends leave the frontier, and what is gained by it; `None`
/// where a state with these bits cannot use it so.
#[inline]
pub fn use_edge(kernel: &Kernel<'_>, step: &Step, bits: u128, how: Use) -> Option<(u128, Gain)> {
    let edge = &kernel.edges[step.edge];
    let [first, second] = step.slots.map(|slot| 1_u128 << slot);
    let end =
        |mask: u128, gain: Gain| (gain.edges > 0 && bits & ENDED == 0).then_some((bits ^ mask | ENDED, gain));
    match how {
        Use::Skip => Some((bits, Gain::default())),
        Use::Whole => Some((bits ^ first ^ second, edge.whole)),
        Use::EndFromFirst => end(first, edge.end_from[0]),
        Use::EndFromSecond => end(second, edge.end_from[1]),
    }
}

/// The bits without the place of a vertex whose edges are all decided, and what is gained there besides its
/// loops; `None` where it cannot be left so.
#[inline]
pub fn leave(kernel: &Kernel<'_>, vertex: usize, slot: usize, bits: u128) -> Option<(u128, Gain)> {
    let odd = bits & 1 << slot != 0;
    let bits = bits & !(1 << slot);
    // The trail begins at the root.
    if odd == (vertex == kernel.root) {
        return Some((bits, Gain::default()));
    }
    (bits & ENDED == 0).then_some((bits | ENDED, kernel.vertices[vertex].end))
}
