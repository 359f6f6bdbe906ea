//! The lines ahead of the reader, split into tokens on demand, and what they can be.

use super::{FIELDS_MAX, Form, Header, are_allowed, counts};
use crate::input::{Line, digits_value, is_comment, is_page_or_time};
use crate::solver::Part;

/// The most rows examined to decide that a puzzle begins.
const ROWS_SEEN: u64 = 4;
/// A word of at least this many bytes was not meant as a square.
const WORD_BYTES_MIN: usize = 3;

/// Marks before a remark behind numbers.
const NOTES: [&str; 4] = ["<-", "->", "=>", "<="];
/// Characters that people write between or around numbers.
const MARKS: &[u8] = b",;:|()[]{}<>\"'`=-*_";

/// A line ahead of the reader.
pub struct AheadLine<'t> {
    /// The line.
    pub line: Line<'t>,
    /// How many tokens it has. If some are not numbers, how many look as if they were meant as numbers.
    pub count: u64,
    /// The values of the first tokens; 0 for a token that is not a number.
    pub numbers: [u64; FIELDS_MAX],
    /// Whether all tokens are numbers.
    pub is_clean: bool,
    /// The numbers in a line with other characters: each run of digits.
    rough: Vec<u64>,
}

impl<'t> AheadLine<'t> {
    pub(in crate::solver) fn new(line: Line<'t>) -> Self {
        let mut ahead = Self { line, count: 0, numbers: [0; FIELDS_MAX], is_clean: true, rough: Vec::new() };
        for (_, token) in line.tokens() {
            match digits_value(0, token) {
                Some(number) => {
                    if let Some(place) = ahead.numbers.get_mut(ahead.count as usize) {
                        *place = number;
                    }
                }
                None => ahead.is_clean = false,
            }
            ahead.count += 1;
        }
        if !ahead.is_clean {
            ahead.look_closely();
        }
        ahead
    }

    /// Counts what was meant as a number, and collects runs of digits. Words and comments after numbers do not count.
    fn look_closely(&mut self) {
        self.count = 0;
        for (_, token) in self.line.tokens() {
            if is_comment(token)
                || self.count > 0 && NOTES.iter().any(|mark| token.starts_with(mark.as_bytes()))
            {
                break;
            }
            // A single mark stands for a number.
            let mut characters = token.utf8_chunks().flat_map(|chunk| chunk.valid().chars());
            let is_mark = characters.next().is_some_and(|mark| !mark.is_ascii() && !mark.is_alphanumeric());
            let is_mark = matches!(token, b"-" | b"_" | b"*") || is_mark && characters.next().is_none();
            if is_mark {
                self.count += 1;
                continue;
            }
            let pieces = token.split(|byte| MARKS.contains(byte)).filter(|piece| !piece.is_empty());
            for piece in pieces {
                let is_number = piece.iter().any(u8::is_ascii_digit);
                self.count += u64::from(is_number || piece.len() < WORD_BYTES_MIN);
                let digits = piece.split(|byte| !byte.is_ascii_digit()).filter(|digits| !digits.is_empty());
                self.rough.extend(digits.filter_map(|digits| digits_value(0, digits)));
            }
        }
    }

    /// Returns whether the line is a title, a rule or the like rather than a line of a puzzle.
    pub(super) fn is_text(&self) -> bool {
        let text = self.line.text.trim_ascii();
        let mut shown = String::from_utf8_lossy(text);
        // A line of numbers with a remark behind them is no title.
        if let Some(at) = NOTES.iter().filter_map(|mark| shown.find(mark)).min().filter(|_| self.count > 1) {
            shown = shown[..at].to_owned().into();
        }
        let letters = |text: &str| text.chars().take_while(|character| character.is_alphabetic()).count();
        let title = shown.trim_start_matches(['=', '*', '~', '_', '+', ' ']);
        let words = shown.split_whitespace().filter(|word| letters(word) >= WORD_BYTES_MIN).count();
        let is_other_comment =
            [&b"--"[..], b"/*", b"*", b"%", b";"].iter().any(|mark| text.starts_with(mark));
        !self.is_clean
            && (!shown.contains(char::is_numeric)
                || letters(title) > 1
                || words > 1
                || is_other_comment
                || is_page_or_time(text))
    }

    /// Returns whether a prompt precedes the numbers, as in `size: 4`.
    pub(super) fn is_prompt(&self) -> bool {
        let before = self.line.text.split(u8::is_ascii_digit).next().unwrap_or_default();
        matches!(before.trim_ascii_end().last(), Some(b':' | b'=' | b'?'))
    }
}

/// The lines in sight ahead of the reader that are neither blank nor comments.
pub struct Ahead<'t> {
    rest: Box<dyn Iterator<Item = Line<'t>> + 't>,
    seen: Vec<AheadLine<'t>>,
    /// Whether a header can have other characters than digits and blanks.
    is_rough: bool,
}

impl<'t> Ahead<'t> {
    pub(in crate::solver) fn new(lines: impl Iterator<Item = Line<'t>> + 't) -> Self {
        Self { rest: Box::new(lines), seen: Vec::new(), is_rough: false }
    }

    /// Creates the lines after a mistake, where headers can be wrong as well.
    pub(super) fn rough(lines: impl Iterator<Item = Line<'t>> + 't) -> Self {
        Self { is_rough: true, ..Self::new(lines) }
    }

    /// Returns a line, counted from the reader's line, which is 0; `None` after the last one.
    pub fn line(&mut self, at: usize) -> Option<&AheadLine<'t>> {
        while self.seen.len() <= at {
            self.seen.push(AheadLine::new(self.rest.next()?));
        }
        self.seen.get(at)
    }

    /// Returns the numbers of the header at line `at`, in range or not; `None` if the lines do not have its form.
    pub fn header<F: Form>(&mut self, form: &F, at: usize) -> Option<Header> {
        let (mut header, is_rough) = (Header::default(), self.is_rough);
        for (line, fields) in (at..).zip(form.fields()) {
            let next = self.line(line + 1).map_or(0, |line| line.count);
            let (line, counts) = (self.line(line)?, counts(fields));
            let is_size = line.rough.first() == Some(&next) && !counts.contains(&next);
            let numbers = match line.is_clean {
                true => &line.numbers[..FIELDS_MAX.min(line.count as usize)],
                // With a word before a single number, the line is more likely a title than a header.
                false
                    if is_rough
                        && (!line.is_text() || line.is_prompt() || is_size || *counts.start() > 1) =>
                {
                    &line.rough[..]
                }
                false => return None,
            };
            let count = if line.is_clean { line.count } else { line.rough.len() as u64 };
            if !counts.contains(&count) {
                return None;
            }
            for &number in numbers {
                header.push(number);
            }
        }
        Some(header)
    }

    /// Returns the numbers of the header at line `at`, if all are in range.
    pub(super) fn valid_header<F: Form>(&mut self, form: &F, at: usize) -> Option<Header> {
        let header = self.header(form, at)?;
        let is_valid = are_allowed(form.fields().iter().flatten(), &header) && form.check(&header).is_ok();
        is_valid.then_some(header)
    }

    /// Returns whether a line looks like the beginning of a puzzle: a header, then a first row or the end of the lines.
    pub fn begins<F: Form>(&mut self, form: &F, at: usize) -> bool {
        self.begins_with(form, at, 1)
    }

    /// Returns whether a line surely begins the next puzzle: a header, then several rows.
    pub(super) fn surely_begins<F: Form>(&mut self, form: &F, at: usize) -> bool {
        self.begins_with(form, at, ROWS_SEEN)
    }

    fn begins_with<F: Form>(&mut self, form: &F, at: usize, rows: u64) -> bool {
        let Some(header) = self.valid_header(form, at) else { return false };
        let behind = at + form.fields().len();
        form.is_surely_header(&header) || !self.is_rough && self.line(behind).is_none() || {
            let [part, _] = form.parts(&header);
            (0..part.rows.min(rows)).all(|row| self.is_row(form, behind + row as usize, &part, row))
        }
    }

    /// Returns the size of the square that begins at line `at`: as many rows as each row has numbers.
    pub(super) fn square(&mut self, at: usize) -> Option<u64> {
        let size = self.line(at).map(|line| line.count).filter(|&size| size > 1)?;
        let end = at + usize::try_from(size).ok()?;
        let are_rows = (at..end).all(|row| self.line(row).is_some_and(|line| line.count == size));
        (are_rows && self.line(end).is_none_or(|line| line.count != size || size <= 2)).then_some(size)
    }

    /// Returns whether a line consists of one number, which is the size of the square after it.
    pub(super) fn is_size(&mut self, at: usize) -> bool {
        let size = self.line(at).filter(|line| line.is_clean && line.count == 1).map(|line| line.numbers[0]);
        size.is_some() && self.square(at + 1) == size
    }

    /// Returns whether a line is a header of the wrong length, whose first number is the size of the square after it, or
    /// a header whose second line is a word.
    pub(super) fn is_odd_header<F: Form>(&mut self, form: &F, at: usize) -> bool {
        let fields = &form.fields()[0];
        let Some(line) = self.line(at).filter(|line| line.is_clean) else { return false };
        if form.fields().len() > 1 {
            let columns = line.numbers[1];
            let is_row = |line: &AheadLine<'_>| line.count == columns;
            return counts(fields).contains(&line.count)
                && self.line(at + 1).is_some_and(|word| !word.is_clean && word.count < 2)
                && self.line(at + 2).is_some_and(is_row)
                && self.line(at + 3).is_some_and(is_row);
        }
        if !F::IS_SQUARE || counts(fields).contains(&line.count) {
            return false;
        }
        let (numbers, count) = (line.numbers, line.count);
        let size = self.square(at + 1);
        let is_header = |&size: &u64| {
            let is_other = size != count || numbers.iter().take(count as usize).all(|&number| number == size);
            size == numbers[0] && is_other && !form.headers(&numbers, size, [size; 2]).is_empty()
        };
        size.as_ref().is_some_and(is_header)
    }

    /// Returns whether a whole puzzle, written row by row, begins at a line, and another one or the end follows it.
    pub(super) fn is_puzzle<F: Form>(&mut self, form: &F, at: usize) -> bool {
        let Some(header) = self.valid_header(form, at) else { return false };
        self.rows_follow(form, at + form.fields().len(), &form.parts(&header), 0)
    }

    /// Returns whether the lines from `at` on are the rows of a puzzle from row `from` on, and another puzzle or the
    /// end follows them.
    pub(super) fn rows_follow<F: Form>(&mut self, form: &F, at: usize, parts: &[Part; 2], from: u64) -> bool {
        let (mut line, mut skipped) = (at, from);
        for part in parts {
            for row in 0..part.rows {
                if skipped > 0 {
                    skipped -= 1;
                    continue;
                }
                if !self.is_row(form, line, part, row) {
                    return false;
                }
                line += 1;
            }
        }
        self.may_follow(form, line)
    }

    /// Returns whether a line has as many numbers as this row of a part, or can be its line of words.
    pub(super) fn is_row<F: Form>(&mut self, form: &F, at: usize, part: &Part, row: u64) -> bool {
        let Some(line) = self.line(at) else { return false };
        part.width(row).map_or_else(|| form.is_words(line), |width| line.count == width)
    }

    /// Returns whether a line can follow a whole puzzle: it has the form of a header, ends the file, or does not exist.
    pub(super) fn may_follow<F: Form>(&mut self, form: &F, at: usize) -> bool {
        self.line(at).is_none() || self.header(form, at).is_some() || form.is_end(self, at, true)
    }

    /// Returns the line after `count` tokens from a line on, if they end exactly at the end of a line in sight.
    pub(super) fn behind_tokens(&mut self, mut at: usize, count: u128) -> Option<usize> {
        let mut left = count;
        while left > 0 {
            left = left.checked_sub(self.line(at)?.count.into())?;
            at += 1;
        }
        Some(at)
    }
}
