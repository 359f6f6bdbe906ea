//! The weights of a tuple in few bytes: which of them are there, and what they are.
//!
//! A weight resembles those of the tuples that are like its own but for one tile, a rank lower. So what is written of a
//! weight is how far it is from the mean of these ([`model::guess`]), and what is written of its place is how many places
//! were left out before it. Both are numbers, mostly small ones; they are coded by how often each size of a number
//! occurs, with asymmetric numeral systems (Duda, Asymmetric Numeral Systems, 2009), because these take few steps to
//! decode.
//!
//! Of a tuple there is, all numbers with the low byte first:
//!
//! 1. how many weights there are (4 bytes);
//! 2. how often each symbol occurs in each context, of 4096 times (2 bytes each);
//! 3. the words of the coder (4 bytes each).

// Reading it.
mod decode;
// Writing it, as `examples/train_2048` does with this file; here the tests do.
#[cfg(test)]
mod encode;
// What both must agree on.
mod model;

pub use decode::decode;
#[cfg(test)]
pub use encode::encode;
pub use model::TABLE;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::Random;

    /// Weights with neighbours and without, small and large.
    fn weights(random: &mut Random, parts: u64, size: u64) -> Vec<i16> {
        let mut table = vec![0; TABLE];
        for _ in 0..2_000 {
            let bits = 4 + random.below(21);
            let at = random.below(1 << bits) as usize;
            for near in 0..=random.below(parts) as usize {
                let weight = random.below(2 * size) as i64 - size as i64;
                table[(at + near) % TABLE] = weight as i16;
            }
        }
        table
    }

    #[test]
    fn what_is_written_is_read() {
        let mut random = Random::new(41);
        for (parts, size) in [(1, 2), (9, 40), (30, 900), (3, 1 << 15)] {
            let table = weights(&mut random, parts, size);
            let bytes = encode(&table);
            let mut read = vec![0; TABLE];
            decode(&bytes, &mut read);
            assert!(read == table, "{parts} {size}");
        }
        let mut extremes = vec![0; TABLE];
        (extremes[0], extremes[1], extremes[TABLE - 1]) = (i16::MIN, i16::MAX, -1);
        for table in [vec![0; TABLE], extremes] {
            let mut read = vec![0; TABLE];
            decode(&encode(&table), &mut read);
            assert!(read == table);
        }
    }

    #[test]
    fn numbers_near_what_is_guessed_take_few_bytes() {
        let (mut smooth, mut rough) = (vec![0; TABLE], vec![0; TABLE]);
        let mut random = Random::new(42);
        for at in 0..1 << 16 {
            let rank_sum = (0..4).map(|square| at >> (4 * square) & 15).sum::<usize>();
            smooth[at] = (1_000 + 50 * rank_sum) as i16;
            rough[at] = smooth[random.below(at as u64 + 1) as usize];
        }
        let [smooth, rough] = [smooth, rough].map(|table| encode(&table).len());
        assert!(smooth < 50_000 && rough > 90_000, "{smooth} {rough}");
    }

    #[test]
    fn broken_bytes_are_read_to_their_end() {
        let mut random = Random::new(43);
        let bytes = encode(&weights(&mut random, 9, 40));
        let mut read = vec![0; TABLE];
        for length in [0, 1, 7, 8, 100, bytes.len() / 2, bytes.len() - 1] {
            decode(&bytes[..length], &mut read);
        }
        for _ in 0..40 {
            let mut broken = bytes.clone();
            for _ in 0..3 {
                let at = random.below(bytes.len() as u64) as usize;
                broken[at] = random.bits() as u8;
            }
            decode(&broken, &mut read);
        }
    }
}
