//! Plain numbers in bulk: what most lines of most files consist of, read without a token each.
//!
//! A *plain* number has at most 19 digits, so that it fits 64 bits, and blanks or a line feed behind it. What is
//! here looks at bytes in the scanner's window and gives up where anything else stands or the window ends; tokens
//! are read there, with their places and errors. So nothing here needs to know what a mistake is.
//!
//! Eight bytes are looked at together: which of them are digits, and what numbers these make (the usual sums of neighbouring digits, pairs and fours within one word).

use super::token::{is_blank, is_space};

/// Digits of a number that surely fits 64 bits.
const DIGITS_MAX: usize = 19;

/// One in each of eight bytes.
const ONES: u64 = 0x0101_0101_0101_0101;

/// Shows `take` up to `count` plain numbers that follow on the line; gives how many they are and where the last one
/// ends.
// In a frame of its own: inlined into a reader it would have too few registers left.
#[inline(never)]
pub(super) fn numbers(text: &[u8], count: u64, mut take: impl FnMut(u64)) -> (u64, usize) {
    let (mut taken, mut at, mut end) = (0, 0, 0);
    while taken < count {
        let (few, length) = short_numbers(&text[at..], count - taken, &mut take);
        if few > 0 {
            taken += few;
            end = at + length;
            if text[end] == b'\n' {
                break;
            }
            at = end + 1;
            continue;
        }
        match number(&text[at..]) {
            Some((value, length)) => {
                take(value);
                taken += 1;
                end = at + length;
                // A blank is behind it, or the line feed that ends the loop.
                at = end + usize::from(text[end] == b' ');
            }
            None if text.get(at) == Some(&b' ') => at += 1,
            None => break,
        }
    }
    (taken, end)
}

/// Shows `take` up to `count` numbers that lie in the first eight bytes, with one space behind each or a line feed
/// behind the last; gives how many they are and where the last one ends.
#[inline]
fn short_numbers(text: &[u8], count: u64, take: &mut impl FnMut(u64)) -> (u64, usize) {
    let Some(&bytes) = text.first_chunk::<8>() else { return (0, 0) };
    let word = u64::from_le_bytes(bytes);
    let digits = word ^ (0x30 * ONES);
    let others = above(digits, 9);
    let spaces = others & !above(word ^ (0x20 * ONES), 0);
    let is_digit = !others & (0x80 * ONES);
    // Where no number has three digits, every byte with ten times the one before is the number that ends there.
    let tiny = is_digit & (is_digit << 8) & (is_digit << 16) == 0;
    let alone = digits & ((is_digit >> 7) * 0xff);
    let pairs = alone + 10 * (alone << 8);
    // The ends of numbers: all bytes that are no digits, up to the line feed or to whatever else is odd.
    let odd = others & !spaces;
    let first_odd = odd & odd.wrapping_neg();
    let mut ends = others & first_odd.wrapping_sub(1);
    if odd != 0 && bytes[odd.trailing_zeros() as usize / 8] == b'\n' {
        ends |= first_odd;
    }
    let several = (ends >> 7).wrapping_mul(ONES) >> 56;
    // Most words are like this: a digit first, single spaces, short numbers.
    if tiny && ends & (ends << 8 | 0x80) == 0 && 0 < several && several <= count {
        let mut behind = 0;
        while ends != 0 {
            behind = ends.trailing_zeros() & !7;
            take(pairs >> (behind - 8) & 0xff);
            ends &= ends - 1;
        }
        return (several, behind as usize / 8);
    }
    let (mut taken, mut shift, mut end) = (0, 0, 0);
    while taken < count && shift < u64::BITS {
        // The bits in front of the next byte that is no digit.
        let bits = (others >> shift).trailing_zeros() & !7;
        let behind = shift + bits;
        if bits == 0 || behind >= u64::BITS {
            break;
        }
        let space = spaces >> behind & 0x80 != 0;
        if !space && bytes[behind as usize / 8] != b'\n' {
            break;
        }
        take(if tiny {
            pairs >> (behind - 8) & 0xff
        } else {
            eight_digits(digits >> shift << (u64::BITS - bits))
        });
        taken += 1;
        end = behind as usize / 8;
        if !space {
            break;
        }
        shift = behind + 8;
    }
    (taken, end)
}

/// The high bit of every byte above `limit`, which is below 128.
fn above(word: u64, limit: u8) -> u64 {
    let low = word & (0x7f * ONES);
    ((low + (u64::from(0x7f - limit) * ONES)) | word) & (0x80 * ONES)
}

/// A line of two numbers, and whether the line behind it has one.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Pair {
    pub(super) numbers: [u64; 2],
    /// Where the second number ends.
    pub(super) end: usize,
    /// The next line consists of one number; otherwise of more.
    pub(super) one_behind: bool,
}

/// What a look at the beginning of a line tells.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Glance {
    /// It has two numbers, and the next line numbers too.
    Pair(Pair),
    /// It has one number or more than two.
    NoPair,
    /// Something is not plain, or not in sight.
    Unclear,
}

/// Looks at the line whose first number is the beginning of `text`, and at the next one.
pub(super) fn glance(text: &[u8]) -> Glance {
    if three_in_sight(text) {
        return Glance::NoPair;
    }
    let (count, numbers, end) =
        plain_pair(text).map_or_else(|| line(text), |(numbers, end)| (2, numbers, end));
    if count != 2 {
        return if count == 0 { Glance::Unclear } else { Glance::NoPair };
    }
    let mut next = end;
    while text[next] != b'\n' {
        next += 1;
    }
    match is_one_number(&text[next + 1..]) {
        None => Glance::Unclear,
        Some(one_behind) => Glance::Pair(Pair { numbers, end, one_behind }),
    }
}

/// Two plain numbers with a space between and a line feed behind, and where the second one ends.
#[inline]
fn plain_pair(text: &[u8]) -> Option<([u64; 2], usize)> {
    let (first, length) = number(text)?;
    let (second, more) = number(text[length..].strip_prefix(b" ")?)?;
    let end = length + 1 + more;
    (text[end] == b'\n').then_some(([first, second], end))
}

/// Whether a line consists of one plain number; it does not where another one begins behind that. `None` when it is
/// not clear.
#[inline]
fn is_one_number(text: &[u8]) -> Option<bool> {
    let begin = text.iter().position(|&byte| !is_blank(byte))?;
    let (_, length) = number(&text[begin..])?;
    let behind = text[begin + length..].iter().copied().find(|&byte| !is_blank(byte))?;
    match behind {
        b'\n' => Some(true),
        b'0'..=b'9' => Some(false),
        _ => None,
    }
}

/// Whether a third number begins in the first sixteen bytes, with only digits and spaces in front of it.
fn three_in_sight(text: &[u8]) -> bool {
    let Some((&bytes, rest)) = text.split_first_chunk::<8>() else { return false };
    let Some(&more) = rest.first_chunk::<8>() else { return false };
    let mut begins = 0;
    let mut digit_before = 0;
    for word in [bytes, more].map(u64::from_le_bytes) {
        let others = above(word ^ (0x30 * ONES), 9);
        let odd = others & above(word ^ (0x20 * ONES), 0);
        // What is in front of the first odd byte; all where there is none.
        let plain = (odd & odd.wrapping_neg()).wrapping_sub(1);
        let digits = !others & (0x80 * ONES) & plain;
        let starts = digits & !(digits << 8 | digit_before);
        // A one in the lowest bit of each byte where a number begins; the product adds them up in the highest byte.
        begins += (starts >> 7).wrapping_mul(ONES) >> 56;
        if begins > 2 || odd != 0 {
            break;
        }
        digit_before = digits >> 56;
    }
    begins > 2
}

/// How many plain numbers stand on a line, up to three, the first two, and where the second or last one ends; none
/// when that is not clear.
fn line(text: &[u8]) -> (u8, [u64; 2], usize) {
    const UNCLEAR: (u8, [u64; 2], usize) = (0, [0; 2], 0);
    let (mut count, mut numbers, mut at, mut end) = (0_u8, [0; 2], 0, 0);
    loop {
        match text.get(at) {
            Some(b'\n') => return (count, numbers, end),
            Some(&byte) if is_blank(byte) => at += 1,
            Some(_) => {
                let Some((value, length)) = number(&text[at..]) else { return UNCLEAR };
                if count == 2 {
                    return (3, numbers, end);
                }
                numbers[usize::from(count)] = value;
                count += 1;
                at += length;
                end = at;
            }
            None => return UNCLEAR,
        }
    }
}

/// The plain number that `text` begins with, and how long it is.
#[inline]
fn number(text: &[u8]) -> Option<(u64, usize)> {
    let Some(&bytes) = text.first_chunk::<8>() else { return long_number(text) };
    let digits = u64::from_le_bytes(bytes) ^ (0x30 * ONES);
    let length = (above(digits, 9).trailing_zeros() / 8) as usize;
    match length {
        0 => None,
        8 => long_number(text),
        _ if bytes[length] == b' ' || is_space(bytes[length]) => {
            // The digits move to the end, zeros before them.
            Some((eight_digits(digits << (64 - 8 * length)), length))
        }
        _ => None,
    }
}

/// The number of eight digits, a byte each, the highest first (in the lowest byte).
fn eight_digits(digits: u64) -> u64 {
    let pairs = (10 * digits + (digits >> 8)) & 0x00ff_00ff_00ff_00ff;
    let fours = (100 * pairs + (pairs >> 16)) & 0x0000_ffff_0000_ffff;
    (10_000 * fours + (fours >> 32)) & 0xffff_ffff
}

/// The same as [`number`] digit by digit, for long numbers and near the end of the text.
#[cold]
fn long_number(text: &[u8]) -> Option<(u64, usize)> {
    let mut value = 0;
    for (length, &byte) in text.iter().enumerate().take(DIGITS_MAX + 1) {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return (length > 0 && is_space(byte)).then_some((value, length));
        }
        if length < DIGITS_MAX {
            value = 10 * value + u64::from(digit);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn numbers_of_every_length_are_read() {
        let mut value = 0_u64;
        for length in 1..=22 {
            for behind in ["", " ", "\n", "\t7", "\r\n", "x", " 12345678", "/", ":"] {
                let text = format!("{}{behind}", &"9081726354453627180918273645"[..length]);
                if length <= DIGITS_MAX {
                    value = text[..length].parse().unwrap();
                }
                let plain = length <= DIGITS_MAX && behind.bytes().next().is_some_and(is_space);
                assert_eq!(number(text.as_bytes()), plain.then_some((value, length)), "{text:?}");
            }
        }
        assert_eq!(number(b" 1 "), None);
        assert_eq!(number(b""), None);
    }

    #[test]
    fn numbers_are_taken_up_to_anything_else() {
        let mut taken = Vec::new();
        assert_eq!(numbers(b"1 22   333\n4", 9, |value| taken.push(value)), (3, 10));
        assert_eq!(numbers(b"  5 x", 9, |value| taken.push(value)), (1, 3));
        assert_eq!(numbers(b"6 7 8 ", 2, |value| taken.push(value)), (2, 3));
        assert_eq!(numbers(b"9 10", 9, |value| taken.push(value)), (1, 1));
        assert_eq!(numbers(b"11\t12 ", 9, |value| taken.push(value)), (1, 2));
        assert_eq!(numbers(b"1 2 3 4 5 66 7 888 9 1234567 12345678 1\n23456789", 99, |_| {}), (12, 39));
        assert_eq!(numbers(b"1 2 3 4 5 66 7 888 9 ", 3, |_| {}), (3, 5));
        assert_eq!(numbers(b"10 2\n3 4 5 6", 9, |_| {}), (2, 4));
        assert_eq!(numbers(b"100 2\r\n3 4 5 6", 9, |_| {}), (2, 5));
        for none in [&b"\n1 "[..], b"x", b"", b"-1 ", b"#", b"1"] {
            assert_eq!(numbers(none, 9, |value| taken.push(value)), (0, 0));
        }
        assert_eq!(taken, [1, 22, 333, 5, 6, 7, 9, 11]);
    }

    #[test]
    fn a_glance_tells_lines_of_two_apart() {
        let pair = |end, one_behind| Glance::Pair(Pair { numbers: [3, 40], end, one_behind });
        assert_eq!(glance(b"3 40\n5\n"), pair(4, true));
        assert_eq!(glance(b"3\t40 \r\n 5 \r\n"), pair(4, true));
        assert_eq!(glance(b"3  40\n5 6 7 x"), pair(5, false));
        assert_eq!(glance(b"3\n"), Glance::NoPair);
        assert_eq!(glance(b"3 4 5 x"), Glance::NoPair);
        for text in ["3 4 5 6 7 8 9 1 2 ", "100 200 300 4000 ", "12345678 1 2     ", "1234567 12345678 9 "] {
            assert_eq!(three_in_sight(text.as_bytes()), text.len() < 19, "{text}");
            assert_eq!(glance(text.as_bytes()), Glance::NoPair, "{text}");
            assert_eq!(glance(format!("{text}\n1 2 3 4 5 6 7 8").as_bytes()), Glance::NoPair, "{text}");
        }
        assert_eq!(glance(b"3 40\n5 6 7 8 9 10 11 12"), pair(4, false));
        assert!(three_in_sight(b"1 2 3\n5 6 7 8 9 10 11 12") && !three_in_sight(b"1 2 x 3 4 5 6 7 8 9 10"));
        assert!(three_in_sight(b"1 23456789 3x                 "));
        let unclear: [&[u8]; 10] = [
            b"3 40",
            b"3 40\n",
            b"3 40\n5",
            b"3 40\n\n5\n",
            b"3 40\n# 5\n",
            b"3 40 x\n",
            b"x",
            b"3 40\n5 x\n",
            b"3 12345678901234567890\n5\n",
            b"",
        ];
        for text in unclear {
            assert_eq!(glance(text), Glance::Unclear, "{}", String::from_utf8_lossy(text));
        }
    }

    proptest! {
        /// What is taken are the words of the line in front of the first that is no plain number.
        #[test]
        fn agrees_with_words(text in "([0-9]{1,9}|[0-9]{18,21}|[ \t\n]{1,2}|x| |1){0,60}", count in 0_u64..40) {
            let mut taken = Vec::new();
            let (found, end) = numbers(text.as_bytes(), count, |value| taken.push(value));
            prop_assert_eq!(found, taken.len() as u64);
            let words = text[..end].split(' ').filter(|word| !word.is_empty());
            let expected: Vec<u64> = words.map(|word| word.parse().unwrap()).collect();
            prop_assert_eq!(&taken, &expected);
            // It stops for a reason.
            let rest = text[end..].trim_start_matches(' ');
            let plain = rest.find(|c: char| !c.is_ascii_digit()).filter(|&digits| {
                (1..=DIGITS_MAX).contains(&digits) && !rest[digits..].starts_with('x')
            });
            prop_assert!(found == count || plain.is_none(), "{:?} after {:?}", rest, &text[..end]);
        }
    }
}
