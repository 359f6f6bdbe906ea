//! A stable sort that can be interrupted.
//!
//! A round can have millions of squares, and no library sort checks a budget. This one does: it is a radix sort from
//! the lowest digit, over the bits in which the keys differ. Jumps on a board of a thousand rows differ in ten bits,
//! which is one digit.

use crate::solver::{ChargedVec, Pace, Stop};

/// The most items that are left to the library's sort.
const SMALL: usize = 512;

/// The most bits per digit: the cache holds this many places to write to at once.
const DIGIT_BITS: u32 = 11;

/// Sorts `items` by `key`; equal ones keep their order. `scratch` can become as long as `items`; its content is useless
/// afterwards.
///
/// # Errors
/// Returns the limit that ended the sort; the items are then unusable.
pub(super) fn sort_stable<'b, T: Copy>(
    items: &mut ChargedVec<'b, T>,
    scratch: &mut ChargedVec<'b, T>,
    pace: &mut Pace<'_>,
    key: impl Fn(&T) -> u64,
) -> Result<(), Stop> {
    pace.count(items.len().min(Pace::STEPS))?;
    if items.len() <= SMALL {
        items.sort_by_key(key);
        return Ok(());
    }
    let (mut any, mut all) = (0, u64::MAX);
    for chunk in items.chunks(Pace::STEPS) {
        pace.count(chunk.len())?;
        for item in chunk {
            any |= key(item);
            all &= key(item);
        }
    }
    let differ = any ^ all;
    if differ == 0 {
        return Ok(());
    }
    scratch.resize(items.len(), items[0])?;
    let low = differ.trailing_zeros();
    let bits = u64::BITS - differ.leading_zeros() - low;
    let digits = bits.div_ceil(DIGIT_BITS);
    let digit_bits = bits.div_ceil(digits);
    for digit in 0..digits {
        let shift = low + digit * digit_bits;
        let mask = (1 << digit_bits) - 1;
        scatter(items, scratch, pace, 1 << digit_bits, |item| (key(item) >> shift & mask) as usize)?;
        std::mem::swap(items, scratch);
    }
    Ok(())
}

/// Writes `items` to `sorted`, ordered by one digit that is below `bound`.
fn scatter<T: Copy>(
    items: &[T],
    sorted: &mut [T],
    pace: &mut Pace<'_>,
    bound: usize,
    digit: impl Fn(&T) -> usize,
) -> Result<(), Stop> {
    let mut next = [0_u32; 1 << DIGIT_BITS];
    for chunk in items.chunks(Pace::STEPS) {
        pace.count(chunk.len())?;
        for item in chunk {
            next[digit(item)] += 1;
        }
    }
    let mut before = 0;
    for count in &mut next[..bound] {
        before += std::mem::replace(count, before);
    }
    for chunk in items.chunks(Pace::STEPS) {
        pace.count(chunk.len())?;
        for item in chunk {
            let at = &mut next[digit(item)];
            sorted[*at as usize] = *item;
            *at += 1;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::{Budget, Cancel, Random};

    fn list(count: u32, budget: &Budget) -> ChargedVec<'_, u32> {
        let mut items = ChargedVec::new(budget);
        items.extend_from_slice(&(0..count).collect::<Vec<_>>()).unwrap();
        items
    }

    #[test]
    fn agrees_with_the_stable_sort_of_the_library() {
        let budget = Budget::unlimited();
        let mut random = Random::new(11);
        // The last two differ only in high bits.
        for (count, top, shift) in [
            (0_u32, 1, 0),
            (5, 3, 0),
            (512, 9, 0),
            (513, 1, 0),
            (5000, 3, 0),
            (20_000, 70_000, 0),
            (9000, u64::MAX, 0),
            (900, 4, 62),
            (900, 1 << 30, 34),
        ] {
            let keys: Vec<u64> = (0..count).map(|_| random.below(top) << shift).collect();
            let mut items = list(count, &budget);
            random.shuffle(&mut items);
            let mut expected = items.to_vec();
            expected.sort_by_key(|&item| keys[item as usize]);
            let mut pace = Pace::new(&budget);
            sort_stable(&mut items, &mut ChargedVec::new(&budget), &mut pace, |&item| keys[item as usize])
                .unwrap();
            assert_eq!(items[..], expected);
        }
    }

    #[test]
    fn stops_when_cancelled() {
        let cancel = Cancel::default();
        let budget = Budget::new(None, None, u64::MAX, cancel.clone());
        let mut pace = Pace::new(&budget);
        cancel.cancel();
        let mut items = list(10_000, &budget);
        let sorted =
            sort_stable(&mut items, &mut ChargedVec::new(&budget), &mut pace, |&item| u64::from(item));
        assert_eq!(sorted, Err(Stop::Cancelled));
    }
}
