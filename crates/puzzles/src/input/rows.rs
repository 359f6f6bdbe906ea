//! Reads plain numbers in bulk, without making tokens. In most files, most lines consist of plain numbers.
//!
//! A *plain* number has at most 19 digits, so it fits in 64 bits, and is followed by a blank or a line feed. These
//! functions read the bytes in the scanner's window. They stop at anything else and at the end of the window. The
//! scanner reads on from there token by token, and reports mistakes with their places.
//!
//! The functions hold eight bytes in one word, and compute for all of them at once which ones are digits. They make a
//! number by adding up neighbouring digits of the word, then pairs of digits, then groups of four.

use super::token::{is_blank, is_space};

/// Maximum digits of a number that certainly fits in 64 bits.
const DIGITS_MAX: usize = 19;

/// The value 1 in each of eight bytes.
const ONES: u64 = 0x0101_0101_0101_0101;

/// Passes up to `count` plain numbers of the line to `take`. Returns how many there were and where the last one ends.
// If it were inlined into a reader, too few registers would be left for it.
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
                // A tab, another blank or a line feed stays, and ends the loop in the next round.
                at = end + usize::from(text[end] == b' ');
            }
            None if text.get(at) == Some(&b' ') => at += 1,
            None => break,
        }
    }
    (taken, end)
}

/// Passes up to `count` numbers within the first eight bytes to `take`. One space follows each number; a line feed may
/// follow the last. Returns how many there were and where the last one ends.
#[inline]
fn short_numbers(text: &[u8], count: u64, take: &mut impl FnMut(u64)) -> (u64, usize) {
    let Some(&bytes) = text.first_chunk::<8>() else { return (0, 0) };
    let word = u64::from_le_bytes(bytes);
    let digits = word ^ (0x30 * ONES);
    let non_digits = above(digits, 9);
    let spaces = non_digits & !above(word ^ (0x20 * ONES), 0);
    let is_digit = !non_digits & (0x80 * ONES);
    // A number of at most two digits is its last byte plus ten times the byte before, if all non-digits are made 0.
    let are_short = is_digit & (is_digit << 8) & (is_digit << 16) == 0;
    let zeroed = digits & ((is_digit >> 7) * 0xff);
    let pairs = zeroed + 10 * (zeroed << 8);
    // Bytes that are neither digits nor spaces.
    let stops = non_digits & !spaces;
    let first_stop = stops & stops.wrapping_neg();
    // The bytes after numbers: all spaces before the first stop, and the stop itself if it is a line feed.
    let mut ends = non_digits & first_stop.wrapping_sub(1);
    if stops != 0 && bytes[stops.trailing_zeros() as usize / 8] == b'\n' {
        ends |= first_stop;
    }
    let ends_count = (ends >> 7).wrapping_mul(ONES) >> 56;
    // The common case: the word begins with a digit and holds short numbers with single spaces between them.
    if are_short && ends & (ends << 8 | 0x80) == 0 && 0 < ends_count && ends_count <= count {
        let mut behind = 0;
        while ends != 0 {
            behind = ends.trailing_zeros() & !7;
            take(pairs >> (behind - 8) & 0xff);
            ends &= ends - 1;
        }
        return (ends_count, behind as usize / 8);
    }
    let (mut taken, mut shift, mut end) = (0, 0, 0);
    while taken < count && shift < u64::BITS {
        // The number of bits before the next non-digit.
        let bits = (non_digits >> shift).trailing_zeros() & !7;
        let behind = shift + bits;
        if bits == 0 || behind >= u64::BITS {
            break;
        }
        let space = spaces >> behind & 0x80 != 0;
        if !space && bytes[behind as usize / 8] != b'\n' {
            break;
        }
        take(if are_short {
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

/// Returns the high bit of every byte that is greater than `limit`, which is below 128.
fn above(word: u64, limit: u8) -> u64 {
    let low = word & (0x7f * ONES);
    ((low + (u64::from(0x7f - limit) * ONES)) | word) & (0x80 * ONES)
}

/// The plain numbers of two lines, as far as their beginnings show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Glance {
    /// Numbers on the first line: 1, 2, or 3 for three or more.
    pub count: u8,
    /// The numbers of the first line, if it has at most two.
    pub numbers: [u64; 2],
    /// Numbers on the next line, at most 3; 0 if they are unknown.
    pub next: u8,
}

/// Examines the first line of `text`, and the next line if the first has fewer than three numbers. Returns `None` if
/// the first line has no number, or if `text` does not show how many plain numbers it has.
pub(super) fn glance(text: &[u8]) -> Option<Glance> {
    let (count, numbers, end) = match plain_pair(text) {
        Some((numbers, end)) => (2, numbers, end),
        None if three_in_sight(text) => (3, [0; 2], 0),
        None => line_numbers(text),
    };
    if count == 0 || count == 3 {
        return (count == 3).then_some(Glance { count, numbers, next: 0 });
    }
    let behind = text[end..].iter().position(|&byte| byte == b'\n')?;
    let next = &text[end + behind + 1..];
    let next = match plain_pair(next) {
        Some(_) => 2,
        None if three_in_sight(next) => 3,
        None => line_numbers(next).0,
    };
    Some(Glance { count, numbers, next })
}

/// Parses two plain numbers with one space between them and a line feed after them. Also returns where the second ends.
#[inline]
fn plain_pair(text: &[u8]) -> Option<([u64; 2], usize)> {
    let (first, length) = number(text)?;
    let (second, more) = number(text[length..].strip_prefix(b" ")?)?;
    let end = length + 1 + more;
    (text[end] == b'\n').then_some(([first, second], end))
}

/// Returns whether a third number begins in the first sixteen bytes, with only digits and spaces before it.
fn three_in_sight(text: &[u8]) -> bool {
    let Some((&bytes, rest)) = text.split_first_chunk::<8>() else { return false };
    let Some(&more) = rest.first_chunk::<8>() else { return false };
    let mut begins = 0;
    let mut digit_before = 0;
    for word in [bytes, more].map(u64::from_le_bytes) {
        let non_digits = above(word ^ (0x30 * ONES), 9);
        let stops = non_digits & above(word ^ (0x20 * ONES), 0);
        // The bytes before the first stop, or all bytes.
        let plain = (stops & stops.wrapping_neg()).wrapping_sub(1);
        let digits = !non_digits & (0x80 * ONES) & plain;
        let starts = digits & !(digits << 8 | digit_before);
        // Each byte where a number begins becomes 1. The product adds up all bytes in the highest one.
        begins += (starts >> 7).wrapping_mul(ONES) >> 56;
        if begins > 2 || stops != 0 {
            break;
        }
        digit_before = digits >> 56;
    }
    begins > 2
}

/// Returns how many numbers stand on a line (at most three), the first two, and where the last of these two ends. Returns
/// zeros if something else stands there, if one of fewer than three numbers is not plain, or if the line does not end in
/// `text`.
fn line_numbers(text: &[u8]) -> (u8, [u64; 2], usize) {
    const UNCLEAR: (u8, [u64; 2], usize) = (0, [0; 2], 0);
    let (mut count, mut numbers, mut at, mut end, mut is_clear) = (0_u8, [0; 2], 0, 0, true);
    loop {
        match text.get(at) {
            Some(b'\n') => return if is_clear { (count, numbers, end) } else { UNCLEAR },
            Some(&byte) if is_blank(byte) => at += 1,
            Some(_) => {
                let Some((value, length)) = number(&text[at..]).or_else(|| longer_number(&text[at..])) else {
                    return UNCLEAR;
                };
                if count == 2 {
                    return (3, numbers, end);
                }
                is_clear &= length <= DIGITS_MAX;
                numbers[usize::from(count)] = value;
                count += 1;
                at += length;
                end = at;
            }
            None => return UNCLEAR,
        }
    }
}

/// Returns the length of a number that need not fit in 64 bits, with 0 for its value.
#[cold]
fn longer_number(text: &[u8]) -> Option<(u64, usize)> {
    let length = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    (length > DIGITS_MAX && text.get(length).is_some_and(|byte| is_space(*byte))).then_some((0, length))
}

/// Parses the plain number at the beginning of `text`. Also returns its length.
#[inline]
fn number(text: &[u8]) -> Option<(u64, usize)> {
    let Some(&bytes) = text.first_chunk::<8>() else { return long_number(text) };
    let digits = u64::from_le_bytes(bytes) ^ (0x30 * ONES);
    let length = (above(digits, 9).trailing_zeros() / 8) as usize;
    match length {
        0 => None,
        8 => long_number(text),
        _ if bytes[length] == b' ' || is_space(bytes[length]) => {
            // Moves the digits to the end, after zeros.
            Some((eight_digits(digits << (64 - 8 * length)), length))
        }
        _ => None,
    }
}

/// Returns the number made of eight digits, one per byte. The lowest byte holds the highest digit.
fn eight_digits(digits: u64) -> u64 {
    let pairs = (10 * digits + (digits >> 8)) & 0x00ff_00ff_00ff_00ff;
    let fours = (100 * pairs + (pairs >> 16)) & 0x0000_ffff_0000_ffff;
    (10_000 * fours + (fours >> 32)) & 0xffff_ffff
}

/// Works like [`number`], digit by digit, for long numbers and near the end of the text.
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
    fn a_glance_counts_the_numbers_of_two_lines() {
        let seen = |count, numbers, next| Some(Glance { count, numbers, next });
        for (text, expected) in [
            ("3 40\n5\n", seen(2, [3, 40], 1)),
            ("3\t40 \r\n 5 \r\n", seen(2, [3, 40], 1)),
            ("3  40\n5 6 7 x", seen(2, [3, 40], 3)),
            ("3 40\n5 6\n", seen(2, [3, 40], 2)),
            ("3\n4 5 6 7 8 9 1 2", seen(1, [3, 0], 3)),
            ("3 40\n5 x\n", seen(2, [3, 40], 0)),
            ("3 40\n", seen(2, [3, 40], 0)),
            ("3 40\n# 5\n", seen(2, [3, 40], 0)),
            ("3 4 5 x", seen(3, [3, 4], 0)),
            ("3 40", None),
            ("3 40 x\n", None),
            ("x", None),
            ("3 12345678901234567890\n5\n", None),
            ("3 12345678901234567890 5\n", seen(3, [3, 0], 0)),
            ("", None),
        ] {
            assert_eq!(glance(text.as_bytes()), expected, "{text:?}");
        }
        for text in ["3 4 5 6 7 8 9 1 2 ", "100 200 300 4000 ", "12345678 1 2     ", "1234567 12345678 9 "] {
            assert_eq!(three_in_sight(text.as_bytes()), text.len() < 19, "{text}");
            assert_eq!(glance(text.as_bytes()).unwrap().count, 3, "{text}");
        }
        assert!(three_in_sight(b"1 2 3\n5 6 7 8 9 10 11 12") && !three_in_sight(b"1 2 x 3 4 5 6 7 8 9 10"));
        assert!(three_in_sight(b"1 23456789 3x                 "));
    }

    proptest! {
        /// `numbers` takes the words of the line before the first one that is not a plain number.
        #[test]
        fn agrees_with_words(text in "([0-9]{1,9}|[0-9]{18,21}|[ \t\n]{1,2}|x| |1){0,60}", count in 0_u64..40) {
            let mut taken = Vec::new();
            let (found, end) = numbers(text.as_bytes(), count, |value| taken.push(value));
            prop_assert_eq!(found, taken.len() as u64);
            let words = text[..end].split(' ').filter(|word| !word.is_empty());
            let expected: Vec<u64> = words.map(|word| word.parse().unwrap()).collect();
            prop_assert_eq!(&taken, &expected);
            // `numbers` stops only at `count`, or before something that is not a plain number.
            let rest = text[end..].trim_start_matches(' ');
            let plain = rest.find(|c: char| !c.is_ascii_digit()).filter(|&digits| {
                (1..=DIGITS_MAX).contains(&digits) && !rest[digits..].starts_with('x')
            });
            prop_assert!(found == count || plain.is_none(), "{:?} after {:?}", rest, &text[..end]);
        }
    }
}
