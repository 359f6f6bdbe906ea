//! The answers of a submission, one by one.

use std::io::{self, Read};

use super::among_words::{FindPart, has_digit, number_part};
use super::answer_text::{ANSWER_LINE_BYTES_MAX, AnswerLines, Cut, OwnedLine, is_refusal, is_told};
use super::finding::{Finding, Remark};
use super::submitted_answer::{ANSWER_BYTES_MAX, Answer};
use crate::input::{Line, digits_value};
use crate::solver::limits::Budget;
use crate::solver::options::{Words, format_size};
use crate::words::{Phrase, messages};

/// Tells the answers of a submission apart by their lines.
pub trait AnswerReader: Send {
    /// Returns whether an answer can begin with a line; by default a number or a single word can. Other lines are one
    /// answer that cannot be read, up to the next line that begins an answer.
    fn begins(&self, line: Line<'_>) -> bool {
        is_number_or_word(line)
    }

    /// Says what answers look like, for somebody who wrote something else.
    fn form(&self) -> Phrase {
        Form::Line.into()
    }

    /// Returns whether a line belongs to the answer that stands before it. `behind` is the line after it.
    fn continues(&self, _answer: &Answer, _line: Line<'_>, _behind: Option<Line<'_>>) -> bool {
        false
    }

    /// Returns whether a line that stands for an answer by itself, `invalid …` or `undecided …`, is the end of the one
    /// before it.
    fn ends_with(&self, _answer: &Answer, _line: Line<'_>) -> bool {
        false
    }

    /// Returns whether the last lines of an answer may begin the next one, asked after every line that was taken and
    /// once more when no line follows. Where answers have no mark at their beginning, more of them must be seen than
    /// two lines.
    fn seam(&self, _answer: &Answer, _is_end: bool) -> Seam {
        Seam::None
    }

    /// Finds the part of a line that belongs to an answer under [`Words::Skip`]; by default a number and what follows it with
    /// digits. Other lines are not seen.
    fn among_words(&self) -> FindPart {
        |text| number_part(text, has_digit)
    }

    /// Returns whether a line that [`begins`](Self::begins) an answer does so among words, too. `behind` is the line
    /// after it.
    fn begins_among_words(&self, _line: Line<'_>, _behind: Option<Line<'_>>) -> bool {
        true
    }
}

/// Reads answers of one line each: a number or a word.
pub struct Lines;

impl AnswerReader for Lines {}

messages! {
    "submission"
    /// What answers look like.
    enum Form {
        Line = "form",
    }
}

/// Whether the last lines of an answer may begin the next one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seam {
    /// They do not, or that is not known yet.
    None,
    /// They do if the next puzzle says so.
    Perhaps,
    /// They do from this line on.
    At(usize),
}

/// A submission that is being read.
pub struct Submission<'a> {
    lines: AnswerLines<'a>,
    reader: Box<dyn AnswerReader>,
    words: Words,
}

impl<'a> Submission<'a> {
    /// Begins to read `source`. The memory that the answers take is charged to `budget`. One is held at a time: an answer must
    /// be gone before the next one is read.
    pub fn new(
        source: impl Read + 'a,
        reader: Box<dyn AnswerReader>,
        words: Words,
        budget: &'a Budget,
    ) -> Self {
        let find = (words == Words::Skip).then(|| reader.among_words());
        Self { lines: AnswerLines::new(source, find, budget), reader, words }
    }

    /// Reads the next answer; `None` at the end. `next_begins` tells at which line of it, not the first, the answer to the
    /// next puzzle begins after all; it is asked at the end, and wherever the reader of answers thinks it may.
    ///
    /// # Errors
    /// Those of reading.
    pub fn read(&mut self, next_begins: impl Fn(&Answer) -> Option<usize>) -> io::Result<Option<Answer>> {
        self.lines.forget_answer();
        let mut answer = Answer::default();
        let Some(first) = self.take_first()? else { return Ok(None) };
        answer.is_readable = self.begins(first.line());
        answer.push(first, &mut self.lines)?;
        let mut next = None;
        while next.is_none() && self.goes_on(&answer)? {
            let Some(line) = self.lines.take(answer.bytes())? else { break };
            answer.push(line, &mut self.lines)?;
            next = match self.reader.seam(&answer, false) {
                // Its last lines are not here.
                _ if answer.cut.is_some() => None,
                Seam::At(at) => Some(at),
                Seam::Perhaps => next_begins(&answer),
                Seam::None => None,
            };
        }
        let next = next.or_else(|| match self.reader.seam(&answer, true) {
            Seam::At(at) => Some(at),
            Seam::Perhaps | Seam::None => next_begins(&answer),
        });
        if let Some(at) = next.filter(|&at| 0 < at && at < answer.line_count()) {
            match self.lines.need(answer.bytes() + answer.bytes_from(at))? {
                None => self.lines.give_back(answer.split_off(at)),
                refused => answer.cut = refused,
            }
        }
        Ok(Some(answer))
    }

    /// Returns what answers look like.
    #[must_use]
    pub fn form(&self) -> Phrase {
        self.reader.form()
    }

    /// Lines without an answer that were skipped, and the number of the first one.
    #[must_use]
    pub fn skipped(&self) -> (u64, u64) {
        self.lines.skipped
    }

    /// Takes the first line of an answer. Skips the lines that results have beside their answers and, where words are
    /// skipped, lines that begin no answer.
    fn take_first(&mut self) -> io::Result<Option<OwnedLine>> {
        loop {
            let Some(first) = self.lines.take(0)? else { return Ok(None) };
            let line = first.line();
            if is_told(line) {
                continue;
            }
            if self.words == Words::Strict || is_refusal(line) {
                return Ok(Some(first));
            }
            self.lines.look_ahead(first.bytes())?;
            if self.reader.begins(line) && self.reader.begins_among_words(line, self.lines.both().0) {
                return Ok(Some(first));
            }
            self.lines.skip(line.number);
        }
    }

    fn begins(&self, line: Line<'_>) -> bool {
        is_refusal(line) || self.reader.begins(line)
    }

    fn goes_on(&mut self, answer: &Answer) -> io::Result<bool> {
        self.lines.look_ahead(answer.bytes())?;
        let (line, behind) = self.lines.both();
        let Some(line) = line.filter(|&line| !is_told(line)) else { return Ok(false) };
        Ok(match answer.is_readable {
            // A line that stands for an answer is one by itself.
            true if is_refusal(answer.first()) => false,
            true if is_refusal(line) => self.reader.ends_with(answer, line),
            true => self.reader.continues(answer, line, behind),
            false => !self.begins(line),
        })
    }
}

impl Answer {
    /// Returns the finding on an answer that cannot be read, whatever the puzzle.
    #[must_use]
    pub fn unreadable(&self) -> Option<Finding> {
        if let Some(cut) = self.cut {
            let (answer, line) = (format_size(ANSWER_BYTES_MAX), format_size(ANSWER_LINE_BYTES_MAX));
            let remark = match cut {
                Cut::Length => Remark::TooLong { answer, line },
                Cut::Memory { bytes_max } => Remark::NoMemory { memory: format_size(bytes_max) },
            };
            return Some(Finding::presentation(self.place(), remark));
        }
        (!self.is_readable).then(|| Finding::unreadable(self.first()))
    }
}

/// Returns whether a line may begin an answer that is a number or a word: one begins with a number, and what is a word
/// alone was meant as an answer.
#[must_use]
pub fn is_number_or_word(line: Line<'_>) -> bool {
    let begins = line.text.first().is_some_and(|byte| matches!(byte, b'0'..=b'9' | b'-' | b'+'));
    begins || line.tokens().nth(1).is_none()
}

/// Returns a square as it is written, `row,column`.
#[must_use]
pub fn row_and_column(token: &[u8]) -> Option<(u64, u64)> {
    let comma = token.iter().position(|&byte| byte == b',')?;
    let number = |digits: &[u8]| digits_value(0, digits).filter(|_| !digits.is_empty());
    Some((number(&token[..comma])?, number(&token[comma + 1..])?))
}

/// Returns whether a line consists of some words, in any case, with blanks between.
#[must_use]
pub fn is_words(line: Line<'_>, words: &str) -> bool {
    let mut words = words.split(' ');
    let is_next = |token: &[u8]| words.next().is_some_and(|word| token.eq_ignore_ascii_case(word.as_bytes()));
    line.tokens().map(|(_, token)| token).all(is_next) && words.next().is_none()
}
