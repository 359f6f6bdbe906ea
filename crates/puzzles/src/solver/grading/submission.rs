//! Reads the answers of a submission, one by one.

use std::io::{self, Read};

use super::among_words::{FindPart, has_digit, number_part};
use super::answer_text::{ANSWER_LINE_BYTES_MAX, AnswerLines, Cut, OwnedLine, is_annotation, is_refusal};
use super::finding::{Finding, Remark};
use super::submitted_answer::{ANSWER_BYTES_MAX, Answer};
use crate::input::{Line, digits_value};
use crate::solver::limits::Budget;
use crate::solver::options::{Words, format_size};
use crate::words::{Phrase, messages};

/// Decides which lines of a submission belong to which answer.
pub trait AnswerReader: Send {
    /// Returns whether a line can begin an answer; by default, a number or a single word can. Other lines count as one
    /// unreadable answer, up to the next line that begins an answer.
    fn begins(&self, line: Line<'_>) -> bool {
        is_number_or_word(line)
    }

    /// Returns a description of what answers look like, for the message about an unreadable one.
    fn form(&self) -> Phrase {
        Form::Line.into()
    }

    /// Returns whether a line belongs to the answer before it. `behind` is the line after that line.
    fn continues(&self, _answer: &Answer, _line: Line<'_>, _behind: Option<Line<'_>>) -> bool {
        false
    }

    /// Returns whether a line that is an answer on its own, `invalid …` or `undecided …`, is the end of the answer
    /// before it.
    fn ends_with(&self, _answer: &Answer, _line: Line<'_>) -> bool {
        false
    }

    /// Returns whether the last lines of an answer may begin the next one. The caller asks after every line that it
    /// takes, and once more when no line follows. Readers need this if nothing marks the beginning of an answer: then
    /// the two lines that [`continues`](Self::continues) gets are not enough to decide.
    fn seam(&self, _answer: &Answer, _is_end: bool) -> Seam {
        Seam::None
    }

    /// Returns the function that finds the part of a line that belongs to an answer under [`Words::Skip`]. By default
    /// that is a number with the tokens after it, up to the last one that has a digit. Other lines are skipped.
    fn among_words(&self) -> FindPart {
        |text| number_part(text, has_digit)
    }

    /// Returns whether a line that [`begins`](Self::begins) an answer also begins one among words. `behind` is the line
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
    /// Descriptions of what answers look like.
    enum Form {
        Line = "form",
    }
}

/// Whether the last lines of an answer may begin the next one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seam {
    /// The lines do not begin the next answer, or that is not known yet.
    None,
    /// The lines begin the next answer if they fit the next puzzle; the caller checks that.
    Perhaps,
    /// The next answer begins at this line.
    At(usize),
}

/// A submission that is being read.
pub struct Submission<'a> {
    lines: AnswerLines<'a>,
    reader: Box<dyn AnswerReader>,
    words: Words,
}

impl<'a> Submission<'a> {
    /// Begins to read `source`. The memory of the answers is charged to `budget`. Only one answer is held at once: the
    /// caller must drop an answer before it reads the next one.
    pub fn new(
        source: impl Read + 'a,
        reader: Box<dyn AnswerReader>,
        words: Words,
        budget: &'a Budget,
    ) -> Self {
        let find = (words == Words::Skip).then(|| reader.among_words());
        Self { lines: AnswerLines::new(source, find, budget), reader, words }
    }

    /// Reads the next answer; returns `None` at the end. `next_begins` returns the line, other than the first, at which
    /// the answer to the next puzzle begins within this one. It is called at the end of the answer, and wherever the
    /// answer reader returns `Seam::Perhaps`.
    ///
    /// # Errors
    /// Fails if the source cannot be read.
    pub fn read(&mut self, next_begins: impl Fn(&Answer) -> Option<usize>) -> io::Result<Option<Answer>> {
        self.lines.forget_answer();
        let mut answer = Answer::default();
        let Some(first) = self.take_first()? else { return Ok(None) };
        answer.is_readable = self.begins(first.line());
        answer.push(first, &mut self.lines)?;
        let mut next = None;
        while next.is_none() && self.has_next_line(&answer)? {
            let Some(line) = self.lines.take(answer.bytes())? else { break };
            answer.push(line, &mut self.lines)?;
            next = match self.reader.seam(&answer, false) {
                // The last lines were not kept, so they cannot be examined.
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

    /// Returns a description of what answers look like.
    pub fn form(&self) -> Phrase {
        self.reader.form()
    }

    /// Returns the number of lines without an answer that were skipped, and the number of the first of them.
    pub fn skipped(&self) -> (u64, u64) {
        self.lines.skipped
    }

    /// Takes the first line of an answer. Skips the lines that results have in addition to their answers and, if words
    /// are skipped, lines that do not begin an answer.
    fn take_first(&mut self) -> io::Result<Option<OwnedLine>> {
        loop {
            let Some(first) = self.lines.take(0)? else { return Ok(None) };
            let line = first.line();
            if is_annotation(line) {
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

    /// Returns whether the next line belongs to the answer.
    fn has_next_line(&mut self, answer: &Answer) -> io::Result<bool> {
        self.lines.look_ahead(answer.bytes())?;
        let (line, behind) = self.lines.both();
        let Some(line) = line.filter(|&line| !is_annotation(line)) else { return Ok(false) };
        Ok(match answer.is_readable {
            // A line that takes the place of an answer is an answer on its own.
            true if is_refusal(answer.first()) => false,
            true if is_refusal(line) => self.reader.ends_with(answer, line),
            true => self.reader.continues(answer, line, behind),
            false => !self.begins(line),
        })
    }
}

impl Answer {
    /// Returns the finding if the answer cannot be read, whatever the puzzle; otherwise `None`.
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

/// Returns whether a line may begin an answer that is a number or a word. Such an answer begins with a number, and a
/// single word was meant as an answer.
pub fn is_number_or_word(line: Line<'_>) -> bool {
    let begins = line.text.first().is_some_and(|byte| matches!(byte, b'0'..=b'9' | b'-' | b'+'));
    begins || line.tokens().nth(1).is_none()
}

/// Parses a square in the form `row,column`.
pub fn row_and_column(token: &[u8]) -> Option<(u64, u64)> {
    let comma = token.iter().position(|&byte| byte == b',')?;
    let number = |digits: &[u8]| digits_value(0, digits).filter(|_| !digits.is_empty());
    Some((number(&token[..comma])?, number(&token[comma + 1..])?))
}

/// Returns whether a line consists of exactly these words, in any case, separated by blanks.
pub fn is_words(line: Line<'_>, words: &str) -> bool {
    let mut words = words.split(' ');
    let is_next = |token: &[u8]| words.next().is_some_and(|word| token.eq_ignore_ascii_case(word.as_bytes()));
    line.tokens().map(|(_, token)| token).all(is_next) && words.next().is_none()
}
