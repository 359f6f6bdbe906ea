//! The swipes that led to the boards of a search.
//!
//! Boards have numbers. The start is 0; every board that is reached gets the next number and a link, which holds the
//! number of its parent and the swipe. Most boards soon have no descendants. So before the trail grows, a search in
//! layers drops all links except those that lead to its last layer, and renumbers the boards.

use crate::board::sliding::Direction;
use crate::solver::{Budget, ChargedVec, Pace, Stop};

/// Maximum number of boards: a link has 30 bits for the number of the parent.
pub(super) const BOARDS_MAX: usize = 1 << 30;
/// A trail with fewer links is not compacted.
const LINKS_MIN: usize = 1 << 10;

/// The number of the parent (below [`BOARDS_MAX`]), and the swipe from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Link(u32);

impl Link {
    /// Creates a link; `parent` must be below [`BOARDS_MAX`].
    pub(super) fn new(parent: usize, direction: Direction) -> Self {
        debug_assert!(parent < BOARDS_MAX);
        Self((parent as u32) << 2 | direction as u32)
    }

    fn parent(self) -> usize {
        (self.0 >> 2) as usize
    }

    fn direction(self) -> Direction {
        Direction::ALL[(self.0 & 3) as usize]
    }
}

/// The links of the boards that were reached. Board i + 1 has the link at index i.
pub(super) struct Trail<'a> {
    links: ChargedVec<'a, Link>,
    /// Beyond this number of links, the trail is compacted before it grows.
    compact_at: usize,
    budget: &'a Budget,
}

impl<'a> Trail<'a> {
    /// Creates a trail that has only the start.
    pub(super) fn new(budget: &'a Budget) -> Self {
        Self { links: ChargedVec::new(budget), compact_at: LINKS_MIN, budget }
    }

    /// Adds the board that `link` leads to, and returns its number.
    pub(super) fn add(&mut self, link: Link) -> Result<usize, Stop> {
        let number = number_behind(self.links.len()).ok_or(Stop::MemoryLimit)?;
        self.links.push(link)?;
        Ok(number)
    }

    /// Adds a layer. The parents in `links` are indices in the last layer, which has `parents` boards.
    pub(super) fn add_layer(&mut self, links: &[Link], parents: usize) -> Result<(), Stop> {
        if self.links.len() + links.len() > self.compact_at {
            self.compact(parents)?;
            // The trail doubles between two compactions, so together they cost no more than a few passes over it.
            self.compact_at = LINKS_MIN.max(2 * (self.links.len() + links.len()));
        }
        let first = self.first_of(parents);
        links.iter().try_for_each(|link| {
            self.add(Link::new(first + link.parent(), link.direction()))?;
            Ok(())
        })
    }

    /// Returns the number of the first board of the last layer, which has `boards` boards.
    pub(super) fn first_of(&self, boards: usize) -> usize {
        self.links.len() + 1 - boards
    }

    /// Returns the swipes from the start to the board at the end of `link`.
    pub(super) fn path(&self, link: Link) -> Vec<Direction> {
        let mut moves = vec![link.direction()];
        let mut number = link.parent();
        while number > 0 {
            let link = self.links[number - 1];
            moves.push(link.direction());
            number = link.parent();
        }
        moves.reverse();
        moves
    }

    /// Drops the links that lead to none of the last `boards` boards.
    fn compact(&mut self, boards: usize) -> Result<(), Stop> {
        let count = self.links.len();
        let mut pace = Pace::new(self.budget);
        // 0 for dropped boards; for the others first a mark, then the new number.
        let mut numbers = ChargedVec::new(self.budget);
        numbers.resize(count + 1, 0)?;
        numbers[self.first_of(boards)..].fill(1);
        for number in (1..=count).rev() {
            pace.count(1)?;
            if numbers[number] > 0 {
                numbers[self.links[number - 1].parent()] = 1;
            }
        }
        numbers[0] = 0;
        let mut kept = 0;
        for number in 1..=count {
            pace.count(1)?;
            if numbers[number] > 0 {
                let link = self.links[number - 1];
                self.links[kept] = Link::new(numbers[link.parent()] as usize, link.direction());
                kept += 1;
                numbers[number] = kept as u32;
            }
        }
        self.links.truncate(kept);
        Ok(())
    }
}

/// Returns the number of the next board if there are `links` links; `None` if a link cannot hold that number.
fn number_behind(links: usize) -> Option<usize> {
    Some(links + 1).filter(|&number| number < BOARDS_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::Random;

    #[test]
    fn a_link_leads_to_every_board_that_has_a_number() {
        for links in [0, 6, BOARDS_MAX - 2] {
            let number = number_behind(links).unwrap();
            assert_eq!(Link::new(number, Direction::Up).parent(), links + 1);
        }
        assert_eq!(number_behind(BOARDS_MAX - 1), None);
    }

    /// The trail gives the same paths as lists that keep every path in full.
    #[test]
    fn compaction_keeps_every_path_to_the_last_layer() {
        let budget = Budget::unlimited();
        let mut random = Random::new(5);
        let mut trail = Trail::new(&budget);
        let mut paths: Vec<Vec<Direction>> = vec![Vec::new()];
        let mut links_added = 0;
        for layer in 0..3000 {
            let width = if layer % 100 == 7 { 3000 } else { 30 };
            let (mut links, mut next) = (Vec::new(), Vec::new());
            for _ in 0..width {
                let parent = random.below(paths.len() as u64) as usize;
                let direction = Direction::ALL[random.below(4) as usize];
                links.push(Link::new(parent, direction));
                next.push([&paths[parent][..], &[direction]].concat());
            }
            trail.add_layer(&links, paths.len()).unwrap();
            links_added += links.len();
            paths = next;
        }
        // A link takes four bytes, and four more while the trail is compacted.
        let links_max = budget.memory_bytes_peak() / 4;
        assert!(links_added > 150_000 && links_max < 40_000, "{links_max}");
        let first = trail.first_of(paths.len());
        for (index, path) in paths.iter().enumerate() {
            let found = trail.path(Link::new(first + index, Direction::Up));
            assert_eq!(found, [&path[..], &[Direction::Up]].concat());
        }
    }

    #[test]
    fn all_memory_is_given_back() {
        let budget = Budget::new(None, None, 1 << 20, crate::solver::Cancel::default());
        let mut trail = Trail::new(&budget);
        let mut parents = 1;
        for _ in 0..20_000 {
            trail.add_layer(&[Link::new(0, Direction::Left); 2], parents).unwrap();
            parents = 2;
        }
        assert!(budget.memory_bytes_left() < 1 << 20);
        drop(trail);
        assert_eq!(budget.memory_bytes_left(), 1 << 20);
    }
}
