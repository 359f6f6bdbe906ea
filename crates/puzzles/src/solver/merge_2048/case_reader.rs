//! Reads a file of cases: their number T, then the cases. Reports a T that does not agree with the cases.

use std::cmp::Ordering;
use std::io;

use super::case_form::CaseForm;
use super::mistake::Mistake;
use crate::input::{Lexeme, Line, Next, Place, QUOTE_BYTES_MAX, Scanner, Token, printable};
use crate::solver::form::{Field, FormMistake, FormReader};
use crate::solver::{
    Entry, Excerpt, Layout, Options, Piece, Problem, Proposal, PuzzleReader, ReadPuzzles, Subject, Work,
};

/// The most bytes after T cases that are examined if one of these cases is wrong.
const MORE_BYTES_MAX: u64 = 64 << 10;
/// The most lines that a message names because a number stands alone on them.
const ALONE_MAX: usize = 3;
/// The most lines after the last case that are examined.
const LINES_MAX: usize = 1000;
/// The answer to a case for which the allowed slides do not suffice.
const NO_SOLUTION: &[u8] = b"no solution";

/// The reader of one file.
pub struct CaseReader {
    phase: Phase,
    cases: FormReader<CaseForm>,
    /// The phase in which the text that was last read begins.
    begun: Phase,
}

/// Where in the file the reader is.
#[derive(Debug, Clone)]
enum Phase {
    /// Before T.
    Count,
    /// Among the cases.
    Cases(Progress),
    /// Everything of interest was read.
    Done,
}

/// The cases so far.
#[derive(Debug, Clone)]
struct Progress {
    count: Count,
    read: u64,
    all_valid: bool,
    /// How many are wrong. The reader may have missed the beginning of the case after each of them.
    wrong: u64,
    /// How many cases beyond T are read because of the wrong ones.
    more: u64,
    /// The first lines, before a case or at the end, that hold one number alone: T is repeated or late.
    alone: Vec<u64>,
}

/// How many cases the file says it has.
#[derive(Debug, Clone)]
enum Count {
    Said(Said),
    /// The file begins with a case instead: its place, and the two numbers on its first line.
    Missing(Place, String),
    /// T cannot be read, or does not matter.
    Unknown,
}

/// T in the file.
#[derive(Debug, Clone, Copy)]
struct Said {
    total: u64,
    place: Place,
    /// The length of its text.
    bytes: u64,
}

impl Progress {
    fn new(count: Count) -> Self {
        Self { count, read: 0, all_valid: true, wrong: 0, more: 0, alone: Vec::new() }
    }
}

impl CaseReader {
    /// Creates a reader under the solver's options.
    pub fn new(options: &Options) -> Self {
        Self { phase: Phase::Count, cases: FormReader::new(CaseForm::new(options)), begun: Phase::Count }
    }

    /// Returns whether the text that was last read begins among the cases.
    fn is_at_case(&self) -> bool {
        matches!(self.begun, Phase::Cases(_))
    }

    /// Reads T and the first case, or returns what is wrong with T.
    fn read_first(&mut self, input: &mut Scanner<'_>) -> io::Result<Option<Entry>> {
        input.advance()?;
        let header = self.cases.header_ahead(input)?;
        let before = input.spot();
        let lexeme = input.next_token()?;
        let (place, bytes) = (lexeme.place, input.place().column - lexeme.place.column);
        self.phase = Phase::Cases(Progress::new(Count::Unknown));
        let Token::Number(total) = lexeme.token else {
            if lexeme.token == Token::End {
                return Ok(None);
            }
            input.skip_line()?;
            self.cases.skip_to_header(input)?;
            let what = Mistake::CaseCount { found: lexeme.token.quoted() };
            return Ok(Some(invalid(place, Problem::new(place, what))));
        };
        let behind = input.spot();
        self.phase = Phase::Cases(Progress::new(Count::Said(Said { total, place, bytes })));
        let mut number = None;
        if let Some(lexeme) = input.next_on_line()? {
            if !lexeme.token.is_digits() || !input.go_back(behind) {
                return self.behind_count(&lexeme, input);
            }
            number = Some(lexeme);
        }
        self.begun = Phase::Cases(Progress::new(Count::Unknown));
        let is_valid = |entry: &Option<Entry>| matches!(entry, Some(Entry { work: Work::Solve(_), .. }));
        // If two numbers fit the rows below them, they are a header, and not T with the first number of a header. A
        // single row shows too little.
        let fits = header.as_ref().filter(|header| number.is_some() && !header.starts_with("1 "));
        if let Some(header) = fits
            && input.go_back(before)
        {
            input.mark_from(before);
            self.phase = Phase::Cases(Progress::new(Count::Missing(place, header.clone())));
            let entry = self.read_next(input)?;
            if is_valid(&entry) || !input.go_back(behind) {
                return Ok(entry);
            }
            self.phase = Phase::Cases(Progress::new(Count::Said(Said { total, place, bytes })));
        }
        let entry = self.read_next(input)?;
        let is_invalid = matches!(&entry, Some(Entry { work: Work::Invalid(_), .. }));
        if is_invalid
            && let Some(header) = header
            && input.go_back(before)
        {
            input.mark_from(before);
            self.phase = Phase::Cases(Progress::new(Count::Missing(place, header)));
            return self.read_next(input);
        }
        // Numbers can follow T on its line, unless the first case begins on the next line.
        if is_invalid
            && let Some(lexeme) = number
            && let spot = input.spot()
            && input.go_back(behind)
        {
            input.skip_line()?;
            input.advance()?;
            if self.cases.header_ahead(input)?.is_some() {
                self.phase = Phase::Cases(Progress::new(Count::Said(Said { total, place, bytes })));
                input.go_back(behind);
                return self.behind_count(&lexeme, input);
            }
            input.go_back(spot);
        }
        input.mark_from(behind);
        Ok(entry)
    }

    /// Skips the rest of T's line, and returns what is wrong with it.
    fn behind_count(&mut self, lexeme: &Lexeme, input: &mut Scanner<'_>) -> io::Result<Option<Entry>> {
        let is_last = input.next_on_line()?.is_none();
        let proposal = match &lexeme.token {
            Token::Word(word) if is_last => {
                let bytes = word.len() as u64;
                Some(Proposal::Replace { place: lexeme.place, bytes, with: String::new() })
            }
            _ => None,
        };
        input.skip_line()?;
        // Another value of T would not mend the line of T.
        if let Phase::Cases(progress) = &mut self.phase {
            progress.all_valid = false;
        }
        let what = Mistake::BehindCount { found: lexeme.token.quoted() };
        Ok(Some(invalid(lexeme.place, Problem::new(lexeme.place, what).proposing(proposal))))
    }

    /// Reads the next case, or returns what is wrong with the number of cases.
    fn read_next(&mut self, input: &mut Scanner<'_>) -> io::Result<Option<Entry>> {
        let Phase::Cases(progress) = &mut self.phase else { return Ok(None) };
        let is_end = input.advance()? == Next::End;
        let last = if let Count::Said(said) = progress.count { said.total } else { u64::MAX };
        if !is_end && progress.read == last && progress.wrong > 0 {
            let more = more_cases(&self.cases, input)?.filter(|&more| more <= progress.wrong);
            progress.wrong = 0;
            progress.more = more.unwrap_or(0);
        }
        if !is_end && progress.read < last.saturating_add(progress.more) {
            let place = if progress.read == 0 { CasePlace::First } else { CasePlace::Later };
            let Some(entry) = read_case(&self.cases, &mut progress.alone, place, input)? else {
                return self.read_next(input);
            };
            // A title does not count as a case.
            let is_stray = matches!(&entry.work, Work::Invalid(problem) if problem.rule() == "stray-line");
            let is_invalid = matches!(entry.work, Work::Invalid(_));
            progress.read += u64::from(!is_stray);
            progress.wrong += u64::from(is_invalid && !is_stray);
            progress.all_valid &= !is_invalid;
            return Ok(Some(entry));
        }
        // The mismatch is reported once, and nothing after it is read.
        let Progress { count, read, all_valid, wrong, mut alone, .. } = progress.clone();
        (self.phase, self.begun) = (Phase::Done, Phase::Done);
        match count {
            Count::Said(said) if !alone.is_empty() && (is_end || read < last) => {
                Ok(Some(counted_again(said, read, &alone)))
            }
            Count::Said(_) if read < last && wrong > 0 => Ok(None),
            Count::Said(said) if read < last => Ok(Some(too_few(said, read, all_valid))),
            Count::Said(said) if !is_end => self.read_surplus(said, all_valid, &mut alone, input).map(Some),
            Count::Missing(place, header) => Ok(Some(missing((place, header), (read, all_valid), &alone))),
            _ => Ok(None),
        }
    }

    /// Reads what follows the last case, more cases or something else, and returns the mistake.
    fn read_surplus(
        &self,
        said: Said,
        all_valid: bool,
        alone: &mut Vec<u64>,
        input: &mut Scanner<'_>,
    ) -> io::Result<Entry> {
        let (spot, place) = (input.spot(), input.place());
        let found = input.next_token()?.token.quoted();
        input.go_back(spot);
        let lines: Vec<_> = input.lines_ahead()?.take(LINES_MAX).collect();
        let ends = lines.first().zip(lines.last()).map(|(first, last)| (first.number, last.number));
        let removed = ends.map(|(from_line, to_line)| Proposal::RemoveLines { from_line, to_line });
        if let Some((from, to)) = ends.filter(|(from, to)| from < to)
            && lines.iter().all(is_answer)
            && lines.len() as u64 == said.total
        {
            input.drain()?;
            let problem = Problem::new(place, FormMistake::Answers { from, to });
            return Ok(invalid(place, problem.proposing(removed)));
        }
        // Marks, or words, perhaps with a number behind them, are no case.
        let is_text = |line: &Line<'_>| {
            line.text.first().is_some_and(u8::is_ascii_alphabetic)
                || !line.text.iter().any(u8::is_ascii_digit)
        };
        let words = removed.filter(|_| lines.len() < LINES_MAX && lines.iter().all(is_text));
        let (mut cases, mut valid) = (0, 0);
        while input.advance()? != Next::End {
            let Some(entry) = read_case(&self.cases, alone, CasePlace::Surplus, input)? else { break };
            cases += 1;
            valid += u64::from(!matches!(entry.work, Work::Invalid(_)));
            if valid == 0 {
                input.drain()?;
                let what = Mistake::TextAfterCases { found, total: said.total, line: said.place.line };
                return Ok(invalid(place, Problem::new(place, what).proposing(words)));
            }
        }
        let cases_there = said.total.saturating_add(cases);
        if !alone.is_empty() {
            return Ok(counted_again(said, cases_there, alone));
        }
        Ok(too_many(said, place, cases_there, all_valid && valid == cases))
    }
}

/// Returns whether a line is an answer: a number, perhaps with the slides after it, or that there is no solution.
fn is_answer(line: &Line<'_>) -> bool {
    let mut tokens = line.tokens().map(|(_, token)| token);
    let is_number = tokens.next().is_some_and(|token| token.iter().all(u8::is_ascii_digit));
    line.text.trim_ascii() == NO_SOLUTION
        || is_number && tokens.all(|token| matches!(token, b"D" | b"E" | b"C" | b"B"))
}

/// The place of a case in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CasePlace {
    First,
    /// One of the T cases, but not the first.
    Later,
    /// After as many cases as T says.
    Surplus,
}

/// Reads a case. Skips a line with a single number before it, or at the end after a case. Returns `None` if no case is
/// left. Before a surplus case, such a line is skipped even if the case could begin with it.
fn read_case(
    cases: &FormReader<CaseForm>,
    alone: &mut Vec<u64>,
    case: CasePlace,
    input: &mut Scanner<'_>,
) -> io::Result<Option<Entry>> {
    let begins_line = input.advance()? == Next::NewLine;
    let begin = input.spot();
    let entry = cases.read_puzzle(input)?;
    let end = input.spot();
    let is_valid = |entry: &Entry| !matches!(entry.work, Work::Invalid(_));
    if is_valid(&entry) && case != CasePlace::Surplus || !begins_line || !input.go_back(begin) {
        return Ok(Some(entry));
    }
    let line = input.line_ahead()?;
    let number = line.number;
    // A zero is more likely an end marker.
    if line.numbers::<1>().is_some_and(|[count]| count > 0) {
        input.skip_line()?;
        let next = if input.advance()? == Next::End { None } else { Some(cases.read_puzzle(input)?) };
        if next.as_ref().map_or(case != CasePlace::First, is_valid) {
            // Keeping one line more than a message names shows that there are more.
            alone.extend((alone.len() <= ALONE_MAX).then_some(number));
            return Ok(next);
        }
    }
    input.go_back(end);
    Ok(Some(entry))
}

/// Returns how many cases are left, if all of them are valid and near. Consumes nothing.
fn more_cases(cases: &FormReader<CaseForm>, input: &mut Scanner<'_>) -> io::Result<Option<u64>> {
    let spot = input.spot();
    let (mut count, mut is_valid, from) = (0, true, input.bytes_consumed());
    while is_valid && input.advance()? != Next::End {
        let is_near = input.bytes_consumed() - from <= MORE_BYTES_MAX;
        is_valid = is_near && !matches!(cases.read_puzzle(input)?.work, Work::Invalid(_));
        count += 1;
    }
    Ok(Some(count).filter(|_| input.go_back(spot) && is_valid))
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

    /// Returns false until T cases are read.
    fn may_end(&self) -> bool {
        matches!(self.phase, Phase::Done)
    }

    fn fresh_reader(&self) -> Box<dyn PuzzleReader> {
        let begun = self.begun.clone();
        Box::new(Self { phase: begun.clone(), cases: self.cases.clone(), begun })
    }

    fn pieces(&self, lines: &[Line<'_>]) -> Option<Vec<Piece>> {
        self.cases.divided(lines, true)
    }

    fn puzzle_reader(&self) -> Box<dyn PuzzleReader> {
        let begun = Phase::Cases(Progress::new(Count::Unknown));
        Box::new(Self { phase: begun.clone(), cases: self.cases.clone(), begun })
    }

    fn has_read(
        &mut self,
        before: &[Line<'_>],
        first: &Line<'_>,
        ReadPuzzles { count, all_valid, alone }: ReadPuzzles,
    ) -> Option<Entry> {
        (self.phase, self.begun) = (Phase::Done, Phase::Done);
        let count_line = before.iter().find(|line| line.numbers::<1>().is_some());
        let alone: Vec<_> =
            alone.into_iter().filter(|&other| count_line.is_none_or(|line| line.number != other)).collect();
        let Some(line) = count_line else {
            // A line in the place of T is reported already.
            return before.is_empty().then(|| {
                let header = printable(first.text.trim_ascii(), QUOTE_BYTES_MAX);
                missing((first.place(), header), (count, all_valid), &alone)
            });
        };
        let [total] = line.numbers::<1>()?;
        let said = Said { total, place: line.place(), bytes: line.text.trim_ascii().len() as u64 };
        if !alone.is_empty() {
            return Some(counted_again(said, count, &alone));
        }
        match count.cmp(&total) {
            Ordering::Less => Some(too_few(said, count, all_valid)),
            Ordering::Equal => None,
            Ordering::Greater => Some(too_many(said, said.place, count, all_valid)),
        }
    }

    fn layout(&self, lines: &[Line<'_>]) -> Option<Layout> {
        self.cases.layout(lines).filter(|_| self.is_at_case())
    }

    fn fields(&self) -> &[Vec<Field>] {
        if self.is_at_case() { self.cases.fields() } else { &[] }
    }

    fn headers(&self, header: &Line<'_>, rows: u64, widths: [u64; 2]) -> Vec<String> {
        self.cases.headers(header, rows, widths)
    }
}

/// Returns the entry for numbers that stand alone as T does. T should be `cases`.
fn counted_again(said: Said, cases: u64, alone: &[u64]) -> Entry {
    let (lines, count, line) = (named(alone), alone.len(), said.place.line);
    let mut changes: Vec<_> = alone.iter().copied().map(Proposal::remove_line).collect();
    let what = if said.total == cases {
        Mistake::CountTwice { lines, count }
    } else {
        let with = cases.to_string();
        changes.insert(0, Proposal::Replace { place: said.place, bytes: said.bytes, with });
        Mistake::CountAgain { lines, count, cases, line, first: alone.first().copied().unwrap_or(line) }
    };
    let place = Place { line: alone.first().copied().unwrap_or(line), column: 1 };
    let change = (count <= ALONE_MAX).then_some(Proposal::All { changes });
    invalid(said.place, Problem::new(place, what).proposing(change))
}

/// Returns the first [`ALONE_MAX`] line numbers as text.
fn named(lines: &[u64]) -> String {
    let named: Vec<_> = lines.iter().take(ALONE_MAX).map(u64::to_string).collect();
    named.join(", ") + if lines.len() > ALONE_MAX { ", …" } else { "" }
}

/// Returns the entry for a T that is missing before the first case, whose first line is `header`, or that stands later.
fn missing((place, header): (Place, String), (cases, all_valid): (u64, bool), alone: &[u64]) -> Entry {
    let (excerpt, line) = (Excerpt::whole(&header), place.line);
    let added = Proposal::InsertLine { line, text: cases.to_string() };
    let removed = alone.iter().copied().map(Proposal::remove_line);
    let change = match alone.len() {
        0 => added,
        _ => Proposal::All { changes: std::iter::once(added).chain(removed).collect() },
    };
    let what = match alone.len() {
        0 => Mistake::CountMissing { cases, line, header },
        count => Mistake::CountLate { lines: named(alone), count, cases, line },
    };
    let change = (all_valid && alone.len() <= ALONE_MAX).then_some(change);
    invalid(place, Problem::new(place, what).proposing(change).showing(excerpt))
}

/// Returns the entry for a T that is larger than the number of cases.
fn too_few(said: Said, cases: u64, all_valid: bool) -> Entry {
    let what = Mistake::MissingCase { total: said.total, line: said.place.line, cases };
    let problem = wrong_count(said, what, (all_valid && cases > 0).then_some(cases));
    // The first missing case has a line in the result.
    about(Subject::Puzzle, said.place, problem)
}

/// Returns the entry, at `place`, for a T that is smaller than the number of cases.
fn too_many(said: Said, place: Place, cases: u64, all_valid: bool) -> Entry {
    let what = Mistake::SurplusCase { total: said.total, line: said.place.line, cases };
    invalid(place, wrong_count(said, what, all_valid.then_some(cases)))
}

/// Returns the problem of a T that is not the number of cases. It should be `right`, which is `None` if that is not
/// sure.
fn wrong_count(Said { total, place, bytes }: Said, what: Mistake, right: Option<u64>) -> Problem {
    let change = right.map(|right| Proposal::Replace { place, bytes, with: right.to_string() });
    Problem::new(place, what).proposing(change).showing(Excerpt::whole(&total.to_string()))
}

/// Returns the entry, at `place`, of a mistake in the number of cases.
fn invalid(place: Place, problem: Problem) -> Entry {
    about(Subject::Count, place, problem)
}

/// Returns the entry of a mistake outside of all cases, which does not show that the file holds cases.
fn about(subject: Subject, place: Place, problem: Problem) -> Entry {
    Entry { place, work: Work::Invalid(Box::new(Problem { subject, recognised: false, ..problem })) }
}
