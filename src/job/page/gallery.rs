//! Which puzzles are drawn: those that are invalid, undecided or wrong, then the largest answers, then the first ones. Of a file of
//! any length little is held, and a puzzle that is not chosen costs a comparison.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::exhibit::Exhibit;
use crate::solver::Bounds;

/// Puzzles drawn on a page.
const DRAWN_MAX: usize = 200;
/// Bytes of input of all puzzles that are held for a page; what a puzzle takes is a small multiple of it.
const HELD_BYTES_MAX: u64 = 64 * 1024 * 1024;
/// The same of one of them: it takes the place of many, and little of it would be seen.
const PUZZLE_BYTES_MAX: u64 = 8 * 1024 * 1024;

/// The more it is, the sooner a puzzle is drawn.
type Rank = (bool, u64, Reverse<u64>);

/// The puzzles that are to be drawn, as far as they are known.
#[derive(Default)]
pub struct Gallery {
    chosen: BTreeMap<Rank, (Exhibit, u64)>,
    bytes: u64,
    /// Of those that are chosen, once there is room for no more: whatever is less is not.
    least: Option<Rank>,
}

impl Gallery {
    /// Takes a puzzle of so many bytes of input, made by `exhibit` where it is to be drawn as things stand. What is `odd`, being invalid,
    /// undecided or wrong, comes before the answers, whose size the bounds say.
    #[inline]
    pub fn offer(
        &mut self,
        number: u64,
        (is_odd, bounds): (bool, Bounds),
        bytes: u64,
        exhibit: impl FnOnce() -> Exhibit,
    ) {
        let size = bounds.at_most.or(bounds.at_least).unwrap_or(0);
        // Among those that come first, the first ones do.
        let rank = (is_odd, if is_odd { 0 } else { size }, Reverse(number));
        if self.least.is_some_and(|least| rank < least) {
            return;
        }
        self.take(rank, bytes, exhibit());
    }

    #[cold]
    fn take(&mut self, rank: Rank, bytes: u64, exhibit: Exhibit) {
        let bytes = bytes + exhibit.witness_bytes();
        if bytes > PUZZLE_BYTES_MAX {
            return;
        }
        self.bytes += bytes;
        self.chosen.insert(rank, (exhibit, bytes));
        while self.chosen.len() > DRAWN_MAX || self.bytes > HELD_BYTES_MAX {
            let Some((_, (_, bytes))) = self.chosen.pop_first() else { break };
            self.bytes -= bytes;
        }
        let is_full = self.chosen.len() == DRAWN_MAX;
        self.least = self.chosen.first_key_value().map(|(least, _)| *least).filter(|_| is_full);
    }

    /// Those that are to be drawn, in the order of the file.
    #[must_use]
    pub fn into_exhibits(self) -> Vec<Exhibit> {
        let mut exhibits: Vec<_> = self.chosen.into_values().map(|(exhibit, _)| exhibit).collect();
        exhibits.sort_by_key(|exhibit| exhibit.number);
        exhibits
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::input::Place;
    use crate::job::page::exhibit::{Content, Solved};

    fn offer(gallery: &mut Gallery, number: u64, is_odd: bool, size: u64, bytes: u64) {
        let bounds = Bounds { at_least: Some(size), at_most: Some(size) };
        gallery.offer(number, (is_odd, bounds), bytes, || Exhibit {
            number,
            place: Place { line: number, column: 1 },
            content: Content::Solved(Box::new(Solved {
                puzzle: None,
                headline: String::new(),
                is_answered: true,
                answer: Value::Null,
                witness: Value::Null,
                bounds,
            })),
            attempt: None,
        });
    }

    fn numbers(gallery: Gallery) -> Vec<u64> {
        gallery.into_exhibits().iter().map(|exhibit| exhibit.number).collect()
    }

    #[test]
    fn odd_ones_come_first_then_the_largest_then_the_first() {
        let mut gallery = Gallery::default();
        for number in 1..=1000 {
            offer(&mut gallery, number, number % 10 == 0, number / 500, 10);
        }
        let odd: Vec<u64> = (1..=100).map(|tenth| 10 * tenth).collect();
        // 1000 alone has the answer 2, and is odd; the answers of 1 follow in the order of the file.
        let rest = (500..1000).filter(|number| number % 10 != 0).take(100);
        let mut expected: Vec<u64> = odd.into_iter().chain(rest).collect();
        expected.sort_unstable();
        assert_eq!(numbers(gallery), expected);
    }

    #[test]
    fn what_is_held_is_bounded() {
        let mut gallery = Gallery::default();
        for number in 1..=20 {
            offer(&mut gallery, number, false, number, PUZZLE_BYTES_MAX / 2);
        }
        offer(&mut gallery, 21, false, 21, 2 * PUZZLE_BYTES_MAX);
        let held = HELD_BYTES_MAX / (PUZZLE_BYTES_MAX / 2);
        // Each has a few bytes beside its input.
        assert_eq!(numbers(gallery), (22 - held..=20).collect::<Vec<_>>());
    }
}
