//! Reads the lines of a submission that are not blank, with their places, in bounded memory.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read};
use std::ops::Range;

use super::among_words::FindPart;
use crate::input::{Line, is_blank};
use crate::solver::limits::{Budget, Charge, Stop};

/// The most bytes of a line. A longer line is not an answer.
pub const ANSWER_LINE_BYTES_MAX: u64 = 16 * 1024 * 1024;
/// Bytes of a line that are read before its memory is charged. If a line is too long, only so many bytes are kept.
const PIECE_BYTES: usize = 64 * 1024;
/// Bytes per charge, because a charge for every line would take longer than reading the line.
const CHARGE_STEP_BYTES: u64 = 256 * 1024;

/// The beginnings of a Python traceback and of each place in it. Indented lines after them are source code.
const TRACEBACK: [&[u8]; 2] = [b"Traceback (", b"File \""];

/// A line of a submission, without blanks at its beginning and end.
#[derive(Debug, Default)]
pub struct OwnedLine {
    number: u64,
    column: u64,
    pub text: Vec<u8>,
    /// Why the end of the line was skipped; `None` if it was not.
    pub cut: Option<Cut>,
}

impl OwnedLine {
    /// Returns the line.
    pub fn line(&self) -> Line<'_> {
        Line { number: self.number, column: self.column, text: &self.text }
    }

    /// Keeps only the beginning of the line.
    pub fn shorten(&mut self) {
        self.text.truncate(PIECE_BYTES);
        self.text.shrink_to_fit();
    }

    /// Returns the bytes of memory that the line takes.
    pub fn bytes(&self) -> u64 {
        owned_bytes(1, self.text.capacity())
    }
}

/// Returns the bytes of memory that separate lines take if their texts together have `text_bytes` bytes.
pub fn owned_bytes(lines: usize, text_bytes: usize) -> u64 {
    // The allocator and the list of lines take as much again.
    (lines * 2 * size_of::<OwnedLine>() + text_bytes) as u64
}

impl From<Line<'_>> for OwnedLine {
    fn from(Line { number, column, text }: Line<'_>) -> Self {
        Self { number, column, text: text.to_vec(), cut: None }
    }
}

/// Reads the lines of a submission.
pub struct AnswerLines<'a> {
    source: BufReader<Box<dyn Read + 'a>>,
    /// Finds the answers among words, if words are skipped.
    find: Option<FindPart>,
    is_in_traceback: bool,
    /// Number of lines without an answer, and the number of the first of them.
    pub skipped: (u64, u64),
    /// Number of lines read so far.
    number: u64,
    /// Lines that were read but not yet taken.
    ahead: VecDeque<OwnedLine>,
    /// Bytes of memory that the lines in `ahead` take.
    ahead_bytes: u64,
    /// The memory of the answer and of the lines in `ahead`, charged before it is allocated.
    charge: Charge<'a>,
}

impl<'a> AnswerLines<'a> {
    /// Creates the reader without reading anything.
    pub fn new(source: impl Read + 'a, find: Option<FindPart>, budget: &'a Budget) -> Self {
        let source: Box<dyn Read> = Box::new(source);
        Self {
            source: BufReader::with_capacity(64 * 1024, source),
            find,
            is_in_traceback: false,
            skipped: (0, 0),
            number: 0,
            ahead: VecDeque::new(),
            ahead_bytes: 0,
            charge: Charge::none(budget),
        }
    }

    /// Charges the memory that an answer of `answer_bytes` bytes still needs, in addition to the lines in `ahead`.
    /// Returns the reason if the budget refuses it.
    ///
    /// # Errors
    /// Fails if the job was cancelled while this waited for memory.
    pub fn need(&mut self, answer_bytes: u64) -> io::Result<Option<Cut>> {
        let (charge, bytes) = (&mut self.charge, answer_bytes + self.ahead_bytes);
        if charge.bytes() >= bytes {
            return Ok(None);
        }
        let (missing, bytes_max) = (bytes - charge.bytes(), charge.budget().memory_bytes_max());
        // Charge whole steps, unless that is more than the memory that is left.
        let left = charge.budget().memory_bytes_left();
        match charge.grow(missing.next_multiple_of(CHARGE_STEP_BYTES).min(left).max(missing)) {
            Ok(()) => Ok(None),
            Err(Stop::MemoryLimit) => Ok(Some(Cut::Memory { bytes_max })),
            Err(_) => Err(io::Error::other("cancelled")),
        }
    }

    /// Releases the memory of the last answer, which the caller must have dropped, and the permit to use much memory if
    /// little remains charged.
    pub fn forget_answer(&mut self) {
        // One step stays charged, so that the next short answer needs no charge.
        let kept = self.ahead_bytes.max(CHARGE_STEP_BYTES);
        if self.charge.bytes() > kept {
            self.charge.shrink_to(kept);
            self.charge.budget().give_back_permit();
        }
    }

    /// Reads the next two lines without taking them; `answer_bytes` is the memory of the answer before them.
    pub fn look_ahead(&mut self, answer_bytes: u64) -> io::Result<()> {
        while self.ahead.len() < 2
            && let Some(line) = self.read(answer_bytes)?
        {
            self.ahead_bytes += line.bytes();
            self.ahead.push_back(line);
        }
        Ok(())
    }

    /// Returns the next line and the line after it, if [`look_ahead`](Self::look_ahead) has read them.
    pub fn both(&self) -> (Option<Line<'_>>, Option<Line<'_>>) {
        (self.ahead.front().map(OwnedLine::line), self.ahead.get(1).map(OwnedLine::line))
    }

    /// Takes the next line; `answer_bytes` is the memory of the answer before it.
    pub fn take(&mut self, answer_bytes: u64) -> io::Result<Option<OwnedLine>> {
        match self.ahead.pop_front() {
            Some(line) => {
                self.ahead_bytes -= line.bytes();
                Ok(Some(line))
            }
            None => self.read(answer_bytes),
        }
    }

    /// Puts back the lines that were taken last. The last line comes first.
    pub fn give_back(&mut self, lines: impl Iterator<Item = OwnedLine>) {
        for line in lines {
            self.ahead_bytes += line.bytes();
            self.ahead.push_front(line);
        }
    }

    /// Counts a line without an answer.
    pub fn skip(&mut self, line: u64) {
        let (lines, first) = &mut self.skipped;
        *lines += 1;
        *first = if *lines == 1 { line } else { *first };
    }

    /// Reads the next line that is not blank and, if words are skipped, contains a part of an answer. `answer_bytes` is
    /// the memory of the answer before it.
    fn read(&mut self, answer_bytes: u64) -> io::Result<Option<OwnedLine>> {
        let mut text = Vec::new();
        loop {
            text.clear();
            let cut = self.read_text(&mut text, answer_bytes)?;
            if text.is_empty() {
                return Ok(None);
            }
            self.number += 1;
            let from = if self.number == 1 && text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
            let from = from + text[from..].iter().take_while(|&&byte| is_empty(byte)).count();
            let to = text.len() - text[from..].iter().rev().take_while(|&&byte| is_empty(byte)).count();
            if from >= to {
                continue;
            }
            let line = Line { number: self.number, column: from as u64 + 1, text: &text[from..to] };
            let Some(part) = self.part(line) else {
                self.skip(self.number);
                continue;
            };
            text.truncate(from + part.end);
            text.drain(..from + part.start);
            let column = (from + part.start) as u64 + 1;
            return Ok(Some(OwnedLine { number: self.number, column, text, cut }));
        }
    }

    /// Reads a line with its line feed; nothing at the end of the file. If the line is too long, only its beginning is
    /// kept.
    fn read_text(&mut self, text: &mut Vec<u8>, answer_bytes: u64) -> io::Result<Option<Cut>> {
        loop {
            let length = text.len();
            let step = length.max(PIECE_BYTES).min(ANSWER_LINE_BYTES_MAX as usize - length);
            let cut = match step {
                0 => Some(Cut::Length),
                _ if length == 0 => None,
                // While the buffer grows, the old and the new one exist.
                _ => self.need(answer_bytes + (2 * length + step) as u64)?,
            };
            if cut.is_some() {
                let begin = text.iter().position(|&byte| !is_empty(byte)).unwrap_or(0);
                text.truncate(begin + PIECE_BYTES);
                text.shrink_to_fit();
                self.skip_rest_of_line()?;
                return Ok(cut);
            }
            if length > 0 {
                text.reserve_exact(step);
            }
            let read = (&mut self.source).take(step as u64).read_until(b'\n', text)?;
            if read < step || text.ends_with(b"\n") {
                return Ok(None);
            }
        }
    }

    /// Skips the rest of a line.
    fn skip_rest_of_line(&mut self) -> io::Result<()> {
        loop {
            let bytes = self.source.fill_buf()?;
            let end = bytes.iter().position(|&byte| byte == b'\n');
            let read = end.map_or(bytes.len(), |end| end + 1);
            self.source.consume(read);
            if end.is_some() || read == 0 {
                return Ok(());
            }
        }
    }

    /// Returns the part of a line that belongs to an answer. The lines of results and of Python tracebacks are
    /// recognised by their beginnings.
    fn part(&mut self, line: Line<'_>) -> Option<Range<usize>> {
        let whole = 0..line.text.len();
        let Some(find) = self.find else { return Some(whole) };
        let is_inside = self.is_in_traceback && line.column > 1;
        self.is_in_traceback = is_inside || TRACEBACK.iter().any(|begin| line.text.starts_with(begin));
        if self.is_in_traceback {
            None
        } else if is_refusal(line) || is_annotation(line) {
            Some(whole)
        } else {
            find(line.text)
        }
    }
}

/// Returns whether a line takes the place of an answer: results have such a line for each invalid or undecided puzzle.
pub fn is_refusal(line: Line<'_>) -> bool {
    line.text.starts_with(b"invalid ") || line.text.starts_with(b"undecided")
}

/// Returns whether a line is one that results have in addition to their answers: a warning, or a note on lines that were ignored.
pub fn is_annotation(line: Line<'_>) -> bool {
    line.text.starts_with(b"warning:") || line.text.starts_with(b"ignored:")
}

fn is_empty(byte: u8) -> bool {
    is_blank(byte) || byte == b'\n'
}

/// Why an answer was not read completely.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    /// The answer, or one of its lines, is longer than any answer may be.
    Length,
    /// The answer takes more memory than grading may use.
    Memory {
        /// The limit, in bytes.
        bytes_max: u64,
    },
}

#[cfg(test)]
mod tests {
    use super::super::among_words::{has_digit, number_part};
    use super::*;

    fn number(text: &[u8]) -> Option<Range<usize>> {
        number_part(text, has_digit)
    }

    fn read(text: &[u8], find: Option<FindPart>) -> Vec<(u64, u64, String)> {
        let budget = Budget::unlimited();
        let mut lines = AnswerLines::new(text, find, &budget);
        let mut all = Vec::new();
        while let Some(line) = lines.take(0).unwrap() {
            let Line { number, column, text } = line.line();
            all.push((number, column, String::from_utf8_lossy(text).into_owned()));
        }
        all
    }

    #[test]
    fn what_says_nothing_is_passed_by() {
        let text = b"\xef\xbb\xbf 7 \r\n\r\n \t\n  no solution\r\n12";
        let expected = [(1, 5, "7"), (4, 3, "no solution"), (5, 1, "12")];
        assert_eq!(read(text, None), expected.map(|(line, column, text)| (line, column, text.into())));
        assert_eq!(read(b"", None), []);
    }

    #[test]
    fn lines_without_an_answer_are_skipped_and_counted() {
        let text = b"Damas 2024\nCaso 1: 7\nCaso #2:\n\n  8 casas\nno solution\nundecided (at least 3)\nwarning: odd\n9";
        let budget = Budget::unlimited();
        let mut lines = AnswerLines::new(&text[..], Some(number), &budget);
        let mut all = Vec::new();
        while let Some(line) = lines.take(0).unwrap() {
            let Line { number, column, text } = line.line();
            all.push((number, column, String::from_utf8_lossy(text).into_owned()));
        }
        let expected =
            [(2, 9, "7"), (5, 3, "8"), (7, 1, "undecided (at least 3)"), (8, 1, "warning: odd"), (9, 1, "9")];
        assert_eq!(all, expected.map(|(line, column, text)| (line, column, text.into())));
        assert_eq!(lines.skipped, (3, 1));
        assert_eq!(read(b"Caso 1: 7", None), [(1, 1, "Caso 1: 7".into())]);
    }

    #[test]
    fn a_traceback_holds_no_answer() {
        let text = b"7\nTraceback (most recent call last):\n  File \"x.py\", line 3, in <module>\n    x = 5\n\n    8\nKeyError: 3\n9";
        assert_eq!(read(text, Some(number)), [(1, 1, "7".into()), (8, 1, "9".into())]);
        let text = b"  File \"x.py\", line 3\n    x = 5\n      ^\nSyntaxError: invalid syntax\n 9";
        assert_eq!(read(text, Some(number)), [(5, 2, "9".into())]);
    }

    #[test]
    fn a_line_beyond_the_limit_is_cut_and_the_next_one_read() {
        let long = vec![b'7'; ANSWER_LINE_BYTES_MAX as usize + 70_000];
        let text = [&long[..], b"\n8\n"].concat();
        let budget = Budget::unlimited();
        let mut lines = AnswerLines::new(&text[..], None, &budget);
        let line = lines.take(0).unwrap().unwrap();
        assert_eq!((line.cut, line.text.len()), (Some(Cut::Length), PIECE_BYTES));
        assert_eq!(lines.take(0).unwrap().unwrap().line(), Line { number: 2, column: 1, text: b"8" });
        assert!(lines.take(0).unwrap().is_none());
    }
}
