//! The options of `2048-merge`.

use crate::solver::{Limits, OptionKey, OptionSpec, choice};

/// The published limit of N, squares on a side.
pub(super) const N_MAX: u64 = 20;
/// The published limit of M, slides.
pub(super) const M_MAX: u64 = 50;

choice! {
    /// Which search answers a case.
    pub(super) enum Algorithm {
        /// In passes with rising limits.
        Shortest = "shortest",
        /// The published search, with its pruning corrected.
        DepthFirst = "depth-first",
        /// Plain; symmetric positions count as one.
        BreadthFirst = "breadth-first",
    }
}

pub(super) const ALGORITHM: OptionKey<Algorithm> = OptionKey::choice(
    "algorithm",
    "shortest: within rising limits, by a lower bound; depth-first: the published search, its pruning put \
     right; breadth-first: plain, symmetric positions taken as one",
);

pub(super) const LIMITS: OptionKey<Limits> =
    OptionKey::choice("limits", "published: N up to 20 and M up to 50; none: as large as numbers go")
        .lower_only();

/// The solver's own options.
pub(super) const OPTIONS: &[OptionSpec] = &[ALGORITHM.spec, LIMITS.spec];
