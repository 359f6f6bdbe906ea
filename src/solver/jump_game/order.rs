//! A stable sort that can be interrupted.
//!
//! A round may have millions of squares, and no library sort asks a budget. This one does: a radix sort,
//! byte by byte from the lowest, that leaves out the bytes in which all keys agree.

use super::pace::{Pace, STEPS};
use crate::solver::Stop;

/// Sorts `items` by `key`, equal ones staying in their order; `scratch` is memory for at least as many items.
///
/// # Errors
/// The limit that ended the sort; the items are of no use then.
pub(super) fn sort_stable(
    items: &mut [u32],
    scratch: &mut [u32],
    pace: &mut Pace<'_>,
    key: impl Fn(u32) -> u64,
) -> Result<(), Stop> {
    pace.count(items.len().min(STEPS))?;
    if items.len() <= STEPS {
        items.sort_by_key(|&item| key(item));
        return Ok(());
    }
    let (mut any, mut all) = (0, u64::MAX);
    for chunk in items.chunks(STEPS) {
        pace.count(chunk.len())?;
        for &item in chunk {
            any |= key(item);
            all &= key(item);
        }
    }
    let scratch = &mut scratch[..items.len()];
    for shift in (0..u64::BITS).step_by(8) {
        if (any ^ all) >> shift & 0xff != 0 {
            scatter(items, scratch, pace, |item| (key(item) >> shift & 0xff) as usize)?;
            for (chunk, sorted) in items.chunks_mut(STEPS).zip(scratch.chunks(STEPS)) {
                pace.count(chunk.len())?;
                chunk.copy_from_slice(sorted);
            }
        }
    }
    Ok(())
}

/// Writes `items` to `sorted`, ordered by one byte.
fn scatter(
    items: &[u32],
    sorted: &mut [u32],
    pace: &mut Pace<'_>,
    byte: impl Fn(u32) -> usize,
) -> Result<(), Stop> {
    let mut next = [0_usize; 256];
    for chunk in items.chunks(STEPS) {
        pace.count(chunk.len())?;
        for &item in chunk {
            next[byte(item)] += 1;
        }
    }
    let mut before = 0;
    for count in &mut next {
        before += std::mem::replace(count, before);
    }
    for chunk in items.chunks(STEPS) {
        pace.count(chunk.len())?;
        for &item in chunk {
            let at = &mut next[byte(item)];
            sorted[*at] = item;
            *at += 1;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::{Budget, Cancel, Random};

    #[test]
    fn agrees_with_the_stable_sort_of_the_library() {
        let budget = Budget::unlimited();
        let mut random = Random::new(11);
        for (count, top) in
            [(0_u32, 1), (5, 3), (4096, 9), (4097, 1), (5000, 3), (20_000, 70_000), (9000, u64::MAX)]
        {
            let keys: Vec<u64> = (0..count).map(|_| random.below(top)).collect();
            let mut items: Vec<u32> = (0..count).collect();
            random.shuffle(&mut items);
            let mut expected = items.clone();
            expected.sort_by_key(|&item| keys[item as usize]);
            let mut pace = Pace::new(&budget).unwrap();
            sort_stable(&mut items, &mut vec![0; count as usize], &mut pace, |item| keys[item as usize])
                .unwrap();
            assert_eq!(items, expected);
        }
    }

    #[test]
    fn stops_when_cancelled() {
        let cancel = Cancel::default();
        let budget = Budget::new(None, None, u64::MAX, cancel.clone());
        let mut pace = Pace::new(&budget).unwrap();
        cancel.cancel();
        let mut items: Vec<u32> = (0..10_000).collect();
        assert_eq!(sort_stable(&mut items, &mut vec![0; 10_000], &mut pace, u64::from), Err(Stop::Cancelled));
    }
}
