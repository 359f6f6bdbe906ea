//! The moves that led to the boards of a layer, without the moves that led nowhere.
//!
//! Every layer of a search leaves one link a board: its parent in the layer before and the swipe. Most
//! boards have no descendants soon, so now and then the links are compacted to the ancestors of the last
//! layer. The beginning, where all boards share one ancestor a layer, becomes a list of moves of a byte
//! each; a search of tens of thousands of layers keeps a few hundred of them as links.

use std::collections::VecDeque;

use super::meter::{Meter, Pacer};
use crate::board::sliding::Direction;
use crate::solver::{Budget, Stop};

/// Most boards in a layer: a link has 30 bits for the parent.
pub(super) const LAYER_MAX: usize = 1 << 30;
/// Links that may come together before the first compaction.
const COMPACT_LINKS_MIN: usize = 1 << 14;
/// Layers likewise, so that their headers do not add up.
const COMPACT_LAYERS: usize = 1 << 10;

/// A parent (an index below [`LAYER_MAX`]) and the swipe from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Link(u32);

impl Link {
    /// `parent` must be below [`LAYER_MAX`].
    pub(super) fn new(parent: usize, direction: Direction) -> Self {
        debug_assert!(parent < LAYER_MAX);
        Self((parent as u32) << 2 | direction as u32)
    }

    pub(super) fn parent(self) -> usize {
        (self.0 >> 2) as usize
    }

    pub(super) fn direction(self) -> Direction {
        Direction::ALL[(self.0 & 3) as usize]
    }
}

/// The ancestry of the boards of a search's last layer.
pub(super) struct Trail<'a> {
    /// The moves from the start that all boards share.
    shared: Vec<Direction>,
    shared_meter: Meter<'a>,
    /// The layers after those, each linked to the one before.
    layers: VecDeque<(Vec<Link>, Meter<'a>)>,
    links: usize,
    compact_at: usize,
    compact_at_layers: usize,
    budget: &'a Budget,
}

impl<'a> Trail<'a> {
    /// The trail of the start.
    pub(super) fn new(budget: &'a Budget) -> Self {
        Self {
            shared: Vec::new(),
            shared_meter: Meter::new(budget),
            layers: VecDeque::new(),
            links: 0,
            compact_at: COMPACT_LINKS_MIN,
            compact_at_layers: COMPACT_LAYERS,
            budget,
        }
    }

    /// Adds a layer, whose links are charged to `meter` already.
    pub(super) fn push(&mut self, links: Vec<Link>, mut meter: Meter<'a>) -> Result<(), Stop> {
        meter.charge(size_of::<(Vec<Link>, Meter)>() as u64)?;
        self.links += links.len();
        self.layers.push_back((links, meter));
        if self.links >= self.compact_at || self.layers.len() >= self.compact_at_layers {
            self.compact()?;
            // Twice what is left, so that all compactions together cost no more than a few passes.
            self.compact_at = (2 * self.links).max(COMPACT_LINKS_MIN);
            self.compact_at_layers = (2 * self.layers.len()).max(COMPACT_LAYERS);
        }
        Ok(())
    }

    /// The moves from the start to the board at the end of `link`, which goes on from the last layer.
    pub(super) fn path(&self, link: Link) -> Vec<Direction> {
        let mut moves = Vec::with_capacity(self.shared.len() + self.layers.len() + 1);
        let mut link = link;
        for (links, _) in self.layers.iter().rev() {
            moves.push(link.direction());
            link = links[link.parent()];
        }
        moves.push(link.direction());
        moves.extend(self.shared.iter().rev());
        moves.reverse();
        moves
    }

    /// Drops the links that are no ancestors of the last layer.
    fn compact(&mut self) -> Result<(), Stop> {
        let mut pacer = Pacer::new(self.budget);
        let layers = self.layers.make_contiguous();
        for index in (1..layers.len()).rev() {
            let (before, rest) = layers.split_at_mut(index);
            let ((parents, meter), (links, _)) = (&mut before[index - 1], &mut rest[0]);
            self.links -= retain_ancestors(parents, meter, links, self.budget, &mut pacer)?;
        }
        while let Some((links, _)) = self.layers.front()
            && let [link] = links[..]
            && self.layers.len() > 1
        {
            self.share(link.direction())?;
            self.layers.pop_front();
            self.links -= 1;
        }
        Ok(())
    }

    fn share(&mut self, direction: Direction) -> Result<(), Stop> {
        if self.shared.len() == self.shared.capacity() {
            let more = self.shared.len().max(1024);
            self.shared_meter.charge(more as u64)?;
            self.shared.reserve_exact(more);
        }
        self.shared.push(direction);
        Ok(())
    }
}

/// Drops the `parents` that no link names, and makes the links name the others' new places.
fn retain_ancestors(
    parents: &mut Vec<Link>,
    meter: &mut Meter<'_>,
    links: &mut [Link],
    budget: &Budget,
    pacer: &mut Pacer<'_>,
) -> Result<usize, Stop> {
    let before = parents.len();
    let mut scratch = Meter::new(budget);
    scratch.charge((size_of::<u32>() * before) as u64)?;
    let mut places = vec![u32::MAX; before];
    for link in links.iter() {
        pacer.step(1)?;
        places[link.parent()] = 0;
    }
    let mut kept = 0;
    for (index, place) in places.iter_mut().enumerate().filter(|(_, place)| **place == 0) {
        pacer.step(1)?;
        *place = kept as u32;
        parents[kept] = parents[index];
        kept += 1;
    }
    for link in links.iter_mut() {
        pacer.step(1)?;
        *link = Link::new(places[link.parent()] as usize, link.direction());
    }
    parents.truncate(kept);
    parents.shrink_to_fit();
    meter.shrink_to((size_of::<(Vec<Link>, Meter)>() + size_of::<Link>() * kept) as u64);
    Ok(before - kept)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::Random;

    /// Random layers, of which the paths kept in full are those of the trail.
    #[test]
    fn compaction_keeps_every_path_to_the_last_layer() {
        let budget = Budget::unlimited();
        let mut random = Random::new(5);
        let mut trail = Trail::new(&budget);
        let mut paths: Vec<Vec<Direction>> = vec![Vec::new()];
        for layer in 0..3000 {
            let width = if layer % 100 == 7 { 3000 } else { 30 };
            let (mut links, mut next) = (Vec::new(), Vec::new());
            for _ in 0..width {
                let parent = random.below(paths.len() as u64) as usize;
                let direction = Direction::ALL[random.below(4) as usize];
                links.push(Link::new(parent, direction));
                next.push([&paths[parent][..], &[direction]].concat());
            }
            trail.push(links, Meter::new(&budget)).unwrap();
            paths = next;
        }
        assert!(trail.shared.len() > 2000, "{}", trail.shared.len());
        assert!(trail.links < COMPACT_LINKS_MIN);
        for (parent, path) in paths.iter().enumerate() {
            let found = trail.path(Link::new(parent, Direction::Up));
            assert_eq!(found, [&path[..], &[Direction::Up]].concat());
        }
    }

    #[test]
    fn all_memory_is_given_back() {
        let budget = Budget::new(None, None, 1 << 20, crate::solver::Cancel::default());
        let mut trail = Trail::new(&budget);
        for _ in 0..20_000 {
            let mut meter = Meter::new(&budget);
            meter.charge(8).unwrap();
            trail.push(vec![Link::new(0, Direction::Left); 2], meter).unwrap();
        }
        drop(trail);
        assert_eq!(budget.memory_bytes_left(), 1 << 20);
    }
}
