//! Quick ways through boards: many numbers at a time, where they are plainly written and in sight.

use std::io;

use super::Scanner;
use crate::input::place::Place;
use crate::input::rows::{self, Glance};
use crate::input::token::is_space;

impl Scanner<'_> {
    /// Reads numbers of one digit, none above `max`, as long as they follow on the current line with spaces
    /// between; at most `count`. Each goes to `take` with its place. Stops before anything else, and may stop
    /// anywhere: what it leaves is read token by token. A quick way through boards of small numbers.
    pub fn take_digits_on_line(&mut self, max: u8, count: u128, take: impl FnMut(u8, Place)) {
        let end = self.digits_on_line(max, count, take);
        if end > 0 {
            self.consume_plain(end);
        }
    }

    /// Whether the line goes on with at least `count` numbers that [`take_digits_on_line`](Self::take_digits_on_line)
    /// would take. Consumes nothing; false may also mean that they are not all in sight.
    #[must_use]
    pub fn has_digits_on_line(&self, max: u8, count: u32) -> bool {
        let mut seen = 0;
        self.digits_on_line(max, u128::from(count), |_, _| seen += 1);
        seen == count
    }

    /// Shows `take` the numbers of one digit that follow on the line, and says where the last one ends.
    fn digits_on_line(&self, max: u8, count: u128, mut take: impl FnMut(u8, Place)) -> usize {
        let Place { line, column } = self.place();
        let unread = self.unread();
        let (mut end, mut taken) = (0, 0);
        while taken < count {
            let spaces = unread[end..].iter().take_while(|&&byte| byte == b' ').count();
            // The byte behind must be in the window: it tells that the number ends.
            let Some(&[digit, behind]) = unread.get(end + spaces..end + spaces + 2) else { break };
            let value = digit.wrapping_sub(b'0');
            if value > max || !is_space(behind) {
                break;
            }
            take(value, Place { line, column: column + (end + spaces) as u64 });
            end += spaces + 1;
            taken += 1;
        }
        end
    }

    /// The unread bytes, where they begin a line (but for blanks) and there are at least `bytes` of them: a
    /// quick reader may look for what it knows in them, and [`take_lines`](Self::take_lines) consumes it. `None`
    /// in the middle of a line, and where less is left of the input. At most 256 KiB can be asked for.
    ///
    /// # Errors
    /// When reading fails.
    pub fn lines_at_hand(&mut self, bytes: usize) -> io::Result<Option<&[u8]>> {
        while self.end - self.start < bytes && self.fill()? {}
        Ok((self.fresh && self.end - self.start >= bytes).then(|| self.unread()))
    }

    /// Consumes the next `bytes`, which must be `lines` whole lines of numbers.
    pub fn take_lines(&mut self, bytes: usize, lines: u64) {
        debug_assert!(self.fresh && self.unread()[..bytes].ends_with(b"\n"));
        self.start += bytes;
        self.line += lines;
        self.line_offset = self.bytes_consumed();
    }

    /// Reads numbers as long as they follow on the current line, plainly written and with spaces between; at most
    /// `count`. Says how many went to `take`. Stops before anything else, and may stop anywhere: what it leaves is
    /// read token by token. A quick way through large boards.
    pub fn take_numbers_on_line(&mut self, count: u64, take: impl FnMut(u64)) -> u64 {
        let (taken, end) = rows::numbers(self.unread(), count, take);
        if taken > 0 {
            self.consume_plain(end);
        }
        taken
    }

    /// Call it at the first token of a line: reads a line of just two numbers that `accept` takes, behind which a
    /// line of more than one begins. False when there is no such line, or none in sight; nothing is read then.
    pub fn take_pair_line(&mut self, accept: impl FnOnce([u64; 2]) -> bool) -> bool {
        match rows::glance(self.unread()) {
            Glance::Pair(pair) if !pair.one_behind && accept(pair.numbers) => {
                self.consume_plain(pair.end);
                true
            }
            _ => false,
        }
    }

    /// Call it at the first token of a line: whether this line has two numbers and the next one has one. `None`
    /// when only a [`preview`](Self::preview) can tell.
    #[must_use]
    pub fn is_pair_before_one(&self) -> Option<bool> {
        match rows::glance(self.unread()) {
            Glance::Pair(pair) => Some(pair.one_behind),
            Glance::NoPair => Some(false),
            Glance::Unclear => None,
        }
    }

    /// Moves behind plain numbers on the current line.
    fn consume_plain(&mut self, end: usize) {
        self.start += end;
        self.fresh = false;
        self.begun = true;
    }
}
