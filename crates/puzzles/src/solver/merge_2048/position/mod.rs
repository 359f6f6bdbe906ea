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

mod estimates;
mod expand;
mod expand_grids;
mod expand_lanes;
mod grid;
mod lanes;

pub(super) use estimates::rounds;
pub(super) use expand::{Axes, Expand};
pub(super) use expand_grids::ExpandGrids;
pub(super) use expand_lanes::ExpandLanes;
