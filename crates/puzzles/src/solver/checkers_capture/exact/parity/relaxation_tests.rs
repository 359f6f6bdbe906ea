//! Methods of a relaxation that the tests of the bound use.

use super::*;

impl<'a, 'b> Relaxation<'a, 'b> {
    /// Returns the cost of the T-join, and the lower bound that the dual variables prove for all T-joins; both scaled.
    pub fn primal_and_dual(&self) -> (i64, i64) {
        let Self { relaxed, choice: Choice { used, end }, .. } = self;
        let otherwise = (0..used.len()).filter(|&edge| used[edge] != relaxed.is_used(edge));
        let cost = otherwise.map(|edge| relaxed.lengths[edge]).sum::<i64>() + relaxed.to_end[*end];
        (cost, odd_sets::proved(relaxed, &self.sets))
    }

    /// Returns the relaxation that results if the dual variable of one set is too large by `too_much`.
    pub fn corrupted(
        kernel: &'a Kernel<'_>,
        (set, too_much): (usize, i64),
        pace: &mut Pace<'b>,
    ) -> Result<Self, Stop> {
        let Self { relaxed, mut sets, choice, .. } = Self::new(kernel, pace)?;
        let set = set % sets.len();
        sets[set].dual += too_much;
        Self::from_sets(relaxed, sets, choice, Charge::none(pace.budget()), pace)
    }
}
