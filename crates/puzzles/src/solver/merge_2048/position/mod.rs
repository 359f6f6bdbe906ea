//! Positions of a search, all that does not matter left out, and the slides that lead from one to the next.
//!
//! What a slide does depends on the order of the tiles in each lane and on the order of the lanes, never on
//! how many empty squares lie between. Leaving out every empty row and column therefore loses nothing: sliding
//! and then leaving out gives the same as leaving out, sliding and leaving out again. It joins many positions
//! into one, and boards of any size with few tiles become small. As a slide neither makes rows or columns, nor
//! fills more of them than the longest lane has tiles, a position never grows again.
//!
//! A position has two forms. [`Lanes`](lanes::Lanes) are machine words, which hold what nearly every board
//! needs; a [`Grid`](grid::Grid) holds any board.

// A lower bound on the slides still needed.
mod bound;
// The key of a position of lanes, the same for its symmetric images.
mod canonical;
// One step of the searches.
mod expand;
// Positions made from positions of any size, a byte a square.
mod expand_grids;
// Positions made from positions, lane words all the way.
mod expand_lanes;
// A position as a rectangle of squares.
mod grid;
// A position as the lanes of its last slide.
mod lanes;
// How promising a position seems.
mod score;

pub(super) use bound::rounds;
pub(super) use expand::{Axes, Expand};
pub(super) use expand_grids::ExpandGrids;
pub(super) use expand_lanes::ExpandLanes;
