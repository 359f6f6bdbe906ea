//! Reads a file of cases: T, and what of it does not agree with the cases that follow.

use std::io;

use super::case::Rules;
use super::headers;
use crate::input::{Line, Next, Place, Scanner, Token};
use crate::solver::merge_2048::mistake::Mistake;
use crate::solver::{Entry, Excerpt, Layout, Options, Part, Problem, Proposal, PuzzleReader, Work};

/// The reader of one file.
pub struct CaseReader {
    phase: Phase,
    rules: Rules,
    /// Where in the file the text at hand begins.
    begun: Phase,
}

/// Where in the file the reader is.
#[derive(Debug, Clone, Copy)]
enum Phase {
    /// Before T.
    Count,
    /// Among the cases.
    Cases(Progress),
    /// Behind everything of interest.
    Done,
}

/// The cases so far.
#[derive(Debug, Clone, Copy)]
struct Progress {
    count: Count,
    read: u64,
    all_valid: bool,
}

/// What the file says about how many cases it has.
#[derive(Debug, Clone, Copy)]
enum Count {
    /// T, and where it stands.
    Said { total: u64, place: Place, bytes: u64 },
    /// Nothing: it begins with a case, here, whose first line has these two numbers.
    Missing { place: Place, header: [u64; 3] },
    /// Nobody can tell.
    Unknown,
}

impl Progress {
    fn new(count: Count) -> Self {
        Self { count, read: 0, all_valid: true }
    }
}

impl CaseReader {
    /// A reader under the solver's options.
    pub fn new(options: &Options) -> Self {
        Self { phase: Phase::Count, rules: Rules::new(options), begun: Phase::Count }
    }

    /// Whether the text at hand is that of a case.
    fn is_at_case(&self) -> bool {
        matches!(self.begun, Phase::Cases(_))
    }

    /// Reads T and the first case, or what is wrong with T.
    fn read_first(&mut self, input: &mut Scanner<'_>) -> io::Result<Option<Entry>> {
        input.advance()?;
        let ahead = input.preview()?;
        let before = input.spot();
        let lexeme = input.next_token()?;
        let (place, bytes) = (lexeme.place, input.place().column - lexeme.place.column);
        self.phase = Phase::Cases(Progress::new(Count::Unknown));
        let Token::Number(total) = lexeme.token else {
            if lexeme.token == Token::End {
                return Ok(None);
            }
            headers::skip_to_header(input)?;
            return Ok(Some(odd_count(place, Mistake::CaseCount { found: lexeme.token.quoted() }, None)));
        };
        let behind = input.spot();
        self.phase = Phase::Cases(Progress::new(Count::Said { total, place, bytes }));
        if let Some(lexeme) = input.next_on_line()?
            && (!lexeme.token.is_digits() || !input.go_back(behind))
        {
            input.skip_line()?;
            // Another count would not mend its line.
            if let Phase::Cases(progress) = &mut self.phase {
                progress.all_valid = false;
            }
            let what = Mistake::BehindCount { found: lexeme.token.quoted() };
            return Ok(Some(odd_count(lexeme.place, what, None)));
        }
        self.begun = Phase::Cases(Progress::new(Count::Unknown));
        let entry = self.read_next(input)?;
        let is_invalid = matches!(&entry, Some(Entry { work: Work::Invalid(_), .. }));
        if is_invalid && headers::is_whole(&ahead) && input.go_back(before) {
            input.mark_from(before);
            self.phase = Phase::Cases(Progress::new(Count::Missing { place, header: ahead[0].numbers }));
            return self.read_next(input);
        }
        input.mark_from(behind);
        Ok(entry)
    }

    /// Reads the next case, or what is wrong with their number.
    fn read_next(&mut self, input: &mut Scanner<'_>) -> io::Result<Option<Entry>> {
        let Phase::Cases(progress) = &mut self.phase else { return Ok(None) };
        let is_end = input.advance()? == Next::End;
        let last = if let Count::Said { total, .. } = progress.count { total } else { u64::MAX };
        if !is_end && progress.read < last {
            progress.read += 1;
            let entry = self.rules.read(progress.read < last, input)?;
            progress.all_valid &= !matches!(entry.work, Work::Invalid(_));
            return Ok(Some(entry));
        }
        // Said once, and nothing behind it is read.
        let Progress { count, read, all_valid } = *progress;
        (self.phase, self.begun) = (Phase::Done, Phase::Done);
        match count {
            Count::Said { total, place, bytes } if read < total => {
                let what = Mistake::MissingCase { total, line: place.line, cases: read };
                let with = if all_valid && read > 0 { read.to_string() } else { String::new() };
                Ok(Some(wrong_count(place, place, what, (total, bytes, with))))
            }
            Count::Said { total, place, bytes } if !is_end => {
                self.read_surplus((total, place, bytes), all_valid, input).map(Some)
            }
            Count::Missing { place, header: [size, moves_max, _] } => {
                let header = format!("{size} {moves_max}");
                let excerpt = Excerpt::cut(header.as_bytes(), 0, header.len());
                let what = Mistake::CountMissing { cases: read, line: place.line, header };
                Ok(Some(odd_count(place, what, Some(excerpt))))
            }
            _ => Ok(None),
        }
    }

    /// What stands behind the last case: more cases, or something else.
    fn read_surplus(
        &self,
        (total, count, bytes): (u64, Place, u64),
        all_valid: bool,
        input: &mut Scanner<'_>,
    ) -> io::Result<Entry> {
        let (spot, place) = (input.spot(), input.place());
        let found = input.next_token()?.token.quoted();
        input.go_back(spot);
        let (mut cases, mut valid) = (0, 0);
        while input.advance()? != Next::End {
            let entry = self.rules.read(true, input)?;
            cases += 1;
            valid += u64::from(!matches!(entry.work, Work::Invalid(_)));
            if valid == 0 {
                input.drain()?;
                let what = Mistake::TextAfterCases { found, total, line: count.line };
                return Ok(odd_count(place, what, None));
            }
        }
        let cases_there = total.saturating_add(cases);
        let what = Mistake::SurplusCase { total, line: count.line, cases: cases_there };
        let with = if all_valid && valid == cases { cases_there.to_string() } else { String::new() };
        Ok(wrong_count(place, count, what, (total, bytes, with)))
    }
}

impl PuzzleReader for CaseReader {
    fn read(&mut self, input: &mut Scanner<'_>) -> io::Result<Option<Entry>> {
        match self.phase {
            Phase::Count => self.read_first(input),
            Phase::Cases(_) => {
                self.begun = Phase::Cases(Progress::new(Count::Unknown));
                self.read_next(input)
            }
            Phase::Done => Ok(None),
        }
    }

    /// Not before T cases.
    fn may_end(&self) -> bool {
        matches!(self.phase, Phase::Done)
    }

    fn anew(&self) -> Box<dyn PuzzleReader> {
        Box::new(Self { phase: self.begun, rules: self.rules.clone(), begun: self.begun })
    }

    fn layout(&self, lines: &[Line<'_>]) -> Option<Layout> {
        let [size, _] = lines.first()?.numbers().filter(|_| self.is_at_case())?;
        let board = Part { rows: size, widths: Some([size; 2]) };
        self.rules.is_size(size).then(|| Layout { header_lines: 1, parts: vec![board] })
    }

    /// A first line of three numbers, or whose size is none, before the rows of a square board.
    fn beginning(&self, problem: &Problem, lines: &[Line<'_>]) -> Option<(Problem, Vec<Proposal>)> {
        let (header, rows) = lines.split_first()?;
        let size = rows.len() as u64;
        if !self.is_at_case()
            || problem.place.line != header.number
            || rows.iter().any(|row| row.count() != size)
        {
            return None;
        }
        let headers = match header.numbers() {
            // Which number is one too many is sure where the size stands twice.
            Some([first, second, moves_max]) if first == second => vec![format!("{size} {moves_max}")],
            Some(_) => Vec::new(),
            None => self.headers(header, size, size),
        };
        let (place, bytes) = (header.place(), header.text.trim_ascii().len() as u64);
        let proposals = headers.into_iter().map(|with| Proposal::Replace { place, bytes, with });
        Some((problem.clone(), proposals.collect()))
    }

    fn headers(&self, header: &Line<'_>, rows: u64, width: u64) -> Vec<String> {
        let Some([size, moves_max]) = header.numbers().filter(|_| rows == width) else { return Vec::new() };
        let exchanged = (moves_max == rows).then(|| format!("{rows} {size}"));
        exchanged.into_iter().chain([format!("{rows} {moves_max}")]).collect()
    }
}

/// Something is wrong with T, or with what stands in its place.
fn odd_count(place: Place, what: Mistake, excerpt: Option<Excerpt>) -> Entry {
    let problem = Problem::new(place, what).recognised_if(false);
    invalid(place, Problem { excerpt: excerpt.map(Box::new), ..problem })
}

/// T is another number than that of the cases: it stands at `count`, is `said` in so many bytes, and should be `with`
/// where that is sure.
fn wrong_count(place: Place, count: Place, what: Mistake, (said, bytes, with): (u64, u64, String)) -> Entry {
    let text = said.to_string();
    let proposal = Proposal::Replace { place: count, bytes, with };
    let is_sure = !matches!(&proposal, Proposal::Replace { with, .. } if with.is_empty());
    let problem = Problem {
        excerpt: Some(Box::new(Excerpt::cut(text.as_bytes(), 0, text.len()))),
        ..Problem::new(count, what).recognised_if(false)
    };
    invalid(place, problem.proposing(is_sure.then_some(proposal)))
}

fn invalid(place: Place, problem: Problem) -> Entry {
    Entry { place, work: Work::Invalid(Box::new(problem)) }
}
