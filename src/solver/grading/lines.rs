//! The lines of a submission that say something, with their places, in bounded memory.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read};

use crate::input::{Line, is_blank};

/// Bytes of a line at most. A longer one is no answer.
pub const ANSWER_LINE_BYTES_MAX: u64 = 16 * 1024 * 1024;

/// Which words before an answer a kind of puzzle can do without.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Skipped {
    /// None: its answers are made of words.
    Nothing,
    /// Those that end with `:` or `=`.
    ToMark,
    /// Those, and whatever else stands before the first number.
    ToNumber,
}

/// A line of a submission, without blanks at its ends.
#[derive(Debug, Default)]
pub struct OwnedLine {
    number: u64,
    column: u64,
    text: Vec<u8>,
    /// Its end was passed by.
    pub is_cut: bool,
}

impl OwnedLine {
    /// The line.
    pub fn line(&self) -> Line<'_> {
        Line { number: self.number, column: self.column, text: &self.text }
    }
}

impl From<Line<'_>> for OwnedLine {
    fn from(Line { number, column, text }: Line<'_>) -> Self {
        Self { number, column, text: text.to_vec(), is_cut: false }
    }
}

/// Reads the lines of a submission.
pub struct AnswerLines<'a> {
    source: BufReader<Box<dyn Read + 'a>>,
    skipped: Skipped,
    /// Lines read so far.
    number: u64,
    /// Lines that were looked at and not taken.
    ahead: VecDeque<OwnedLine>,
}

impl<'a> AnswerLines<'a> {
    /// Nothing is read yet.
    pub fn new(source: impl Read + 'a, skipped: Skipped) -> Self {
        let source: Box<dyn Read> = Box::new(source);
        Self {
            source: BufReader::with_capacity(64 * 1024, source),
            skipped,
            number: 0,
            ahead: VecDeque::new(),
        }
    }

    /// Looks at the next two lines.
    pub fn look_ahead(&mut self) -> io::Result<()> {
        while self.ahead.len() < 2
            && let Some(line) = self.read()?
        {
            self.ahead.push_back(line);
        }
        Ok(())
    }

    /// The next line and the one behind it, where they were looked at.
    pub fn both(&self) -> (Option<Line<'_>>, Option<Line<'_>>) {
        (self.ahead.front().map(OwnedLine::line), self.ahead.get(1).map(OwnedLine::line))
    }

    /// Takes the next line.
    pub fn take(&mut self) -> io::Result<Option<OwnedLine>> {
        match self.ahead.pop_front() {
            Some(line) => Ok(Some(line)),
            None => self.read(),
        }
    }

    /// Gives lines back that were taken last, the last one first.
    pub fn give_back(&mut self, lines: impl Iterator<Item = OwnedLine>) {
        lines.for_each(|line| self.ahead.push_front(line));
    }

    /// Reads the next line that is not blank.
    fn read(&mut self) -> io::Result<Option<OwnedLine>> {
        let mut text = Vec::new();
        loop {
            text.clear();
            let read = (&mut self.source).take(ANSWER_LINE_BYTES_MAX).read_until(b'\n', &mut text)?;
            if read == 0 {
                return Ok(None);
            }
            self.number += 1;
            let is_cut = read as u64 == ANSWER_LINE_BYTES_MAX && !text.ends_with(b"\n");
            if is_cut {
                self.pass_by()?;
            }
            let from = if self.number == 1 && text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
            let from = from + text[from..].iter().take_while(|&&byte| is_empty(byte)).count();
            let to = text.len() - text[from..].iter().rev().take_while(|&&byte| is_empty(byte)).count();
            if from < to {
                let line = Line { number: self.number, column: from as u64 + 1, text: &text[from..to] };
                let from = from + self.words_end(line);
                text.truncate(to);
                text.drain(..from);
                return Ok(Some(OwnedLine { number: self.number, column: from as u64 + 1, text, is_cut }));
            }
        }
    }

    /// Skips what is left of a line.
    fn pass_by(&mut self) -> io::Result<()> {
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

    /// Bytes before what a line says. The words of a line of results are what it says.
    fn words_end(&self, line: Line<'_>) -> usize {
        if self.skipped == Skipped::Nothing || is_refusal(line) || is_told(line) {
            return 0;
        }
        let text = line.text;
        if let Some(mark) = text.iter().rposition(|byte| matches!(byte, b':' | b'=')) {
            let behind = mark + 1;
            let blanks = text[behind..].iter().position(|&byte| !is_empty(byte));
            return blanks.map_or(0, |blanks| behind + blanks);
        }
        let is_begin = |at: usize| at == 0 || is_empty(text[at - 1]);
        let number =
            (0..text.len()).find(|&at| is_begin(at) && matches!(text[at], b'0'..=b'9' | b'-' | b'+'));
        number.filter(|_| self.skipped == Skipped::ToNumber).unwrap_or(0)
    }
}

/// Whether a line stands for an answer that there is not: in results a line a puzzle that is invalid or undecided.
pub fn is_refusal(line: Line<'_>) -> bool {
    line.text.starts_with(b"invalid ") || line.text.starts_with(b"undecided")
}

/// Whether a line is one that results have beside their answers: a warning, or what was ignored.
pub fn is_told(line: Line<'_>) -> bool {
    line.text.starts_with(b"warning:") || line.text.starts_with(b"ignored:")
}

fn is_empty(byte: u8) -> bool {
    is_blank(byte) || byte == b'\n'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &[u8], skipped: Skipped) -> Vec<(u64, u64, String)> {
        let mut lines = AnswerLines::new(text, skipped);
        let mut all = Vec::new();
        while let Some(line) = lines.take().unwrap() {
            let Line { number, column, text } = line.line();
            all.push((number, column, String::from_utf8_lossy(text).into_owned()));
        }
        all
    }

    #[test]
    fn what_says_nothing_is_passed_by() {
        let text = b"\xef\xbb\xbf 7 \r\n\r\n \t\n  no solution\r\n12";
        let expected = [(1, 5, "7"), (4, 3, "no solution"), (5, 1, "12")];
        assert_eq!(
            read(text, Skipped::Nothing),
            expected.map(|(line, column, text)| (line, column, text.into()))
        );
        assert_eq!(read(b"", Skipped::Nothing), []);
    }

    #[test]
    fn words_go_where_something_stands_behind_them() {
        let text = b"Caso 1: 7\nResposta = 8 \n9:\n x 1 = y: 3,4\nno solution\nO resultado final 5 x";
        let mut expected =
            [(1, 9, "7"), (2, 12, "8"), (3, 1, "9:"), (4, 11, "3,4"), (5, 1, "no solution"), (6, 19, "5 x")];
        assert_eq!(
            read(text, Skipped::ToNumber),
            expected.map(|(line, column, text)| (line, column, text.into()))
        );
        expected[5] = (6, 1, "O resultado final 5 x");
        assert_eq!(
            read(text, Skipped::ToMark),
            expected.map(|(line, column, text)| (line, column, text.into()))
        );
        assert_eq!(read(b"Caso 1: 7", Skipped::Nothing), [(1, 1, "Caso 1: 7".into())]);
        for told in ["invalid case: found 'x' at t:5:1", "undecided (at least 3)", "warning: odd at t:2:4"] {
            assert_eq!(read(told.as_bytes(), Skipped::ToNumber), [(1, 1, told.into())]);
        }
    }

    #[test]
    fn a_line_beyond_the_limit_is_cut_and_the_next_one_read() {
        let long = vec![b'7'; ANSWER_LINE_BYTES_MAX as usize + 70_000];
        let text = [&long[..], b"\n8\n"].concat();
        let mut lines = AnswerLines::new(&text[..], Skipped::Nothing);
        let line = lines.take().unwrap().unwrap();
        assert!(line.is_cut && line.line().text.len() as u64 == ANSWER_LINE_BYTES_MAX);
        assert_eq!(lines.take().unwrap().unwrap().line(), Line { number: 2, column: 1, text: b"8" });
        assert!(lines.take().unwrap().is_none());
    }
}
