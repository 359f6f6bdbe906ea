//! Divides the lines of a short file with mistakes into puzzles, and reads them one by one.
//!
//! A reader that goes on after a mistake can miss the beginning of the next puzzle, or take a row for one. The division
//! looks at all lines of the file before it decides where puzzles begin, so one mistake does not spoil what follows.

mod piece_text;

use std::io;
use std::sync::Arc;

use super::header_changes::{numbers_of, quoted};
use super::short_file::{FileRead, Queued, is_in_puzzle, is_recognised, is_valid};
use super::surroundings::MOVES;
use super::{Before, Mistake, Reading, excerpt};
use crate::summary::is_of_count;
pub(super) use piece_text::FileText;
use piece_text::PieceText;
use tabuleiro_puzzles::input::{Line, Next, Notes, Place, Scanner, Spot, Warning, is_omission};
use tabuleiro_puzzles::solver::{
    Entry, FormMistake, Part, Piece, Problem, Proposal, ReadPuzzles, Work, are_allowed, counts, described,
    is_like_end_marker,
};

/// Rules of lines that can be removed if they are not numbers.
const STRAY_RULES: [&str; 2] = [STRAY_LINE, "header-word"];
const STRAY_LINE: &str = "stray-line";
/// Rules of puzzles whose lines are all right but too many or too few, and of a line with the number of puzzles.
const SURE_RULES: [&str; 4] = ["row-count", "player-line", "player-length", "puzzle-count"];

/// Rules of puzzles that have more rows than their header says.
const WHOLE_RULES: [&str; 3] = ["row-count", "row-doubled", "header-mismatch"];

/// The fewest rows whose number shows that the line before them is a header.
const ROWS_MIN: usize = 3;

/// What was read piece by piece.
#[derive(Default)]
struct PiecesRead {
    file: FileRead,
    /// How many puzzles the file has.
    total: usize,
    /// All puzzles, and the valid ones. Both include puzzles beyond the number that the file says it has.
    puzzles: u64,
    valid: u64,
    /// How many puzzles the file says it has.
    said: Option<u64>,
    /// Lines with one number that belong to no puzzle.
    alone: Vec<u64>,
    /// Lines of text that belong to no puzzle.
    texts: Vec<u64>,
    /// Whether a line of several numbers belongs to no puzzle.
    is_odd: bool,
    /// The file begins with the number of its puzzles, though it should not.
    begins_with_count: bool,
    /// How many puzzles begin with a header, or become valid with a new one.
    headers: u64,
}

impl PiecesRead {
    fn add_puzzle(&mut self, entry: Entry, end: Spot) {
        self.puzzles += 1;
        self.valid += u64::from(is_valid(&entry));
        // Only as many puzzles are answered as the file says it has.
        if self.said.is_none_or(|said| self.puzzles <= said) {
            self.file.valid += u64::from(is_valid(&entry));
            self.file.entries.push_back((entry, end));
        }
    }

    /// Returns whether the pieces show something about a wrong file that the reader could not see. `has_other_count` says
    /// that the file has another number of puzzles than it says.
    fn shows_more(&self, read: &FileRead, has_other_count: bool) -> bool {
        if self.is_odd || read.is_valid() {
            return false;
        }
        let (puzzles, entries) = (read.entries.len(), self.file.entries.len());
        let all_headed = self.headers == self.puzzles;
        let is_as_good = self.valid >= read.valid;
        // Each header begins a puzzle, whatever is wrong with the one before it.
        let has_more = all_headed
            && self.puzzles > puzzles as u64
            && self.file.valid == read.valid
            && !read.problems().any(|problem| problem.rule() == "header-on-row");
        // There are as many puzzles as the file says, and the reader found more or fewer.
        let is_other = entries < puzzles && self.file.valid + 1 >= read.valid
            || self.puzzles > puzzles as u64 && self.file.valid >= read.valid;
        let is_said = is_other && self.said == Some(self.puzzles) && read.problems().any(is_in_puzzle);
        // There are more or fewer, and the reader did not report it.
        let has_other_count = has_other_count && !read.problems().any(|problem| is_of_count(problem.rule()));
        // A line of text within a puzzle hides what is wrong with its rows.
        let is_reported = |line: &u64| {
            read.problems().any(|problem| {
                let line_of = problem.place.line;
                let (from, to) = problem.proposal.as_deref().map_or((line_of, line_of), Proposal::lines);
                !is_in_puzzle(problem) && (from..=to).contains(line)
            })
        };
        let has_text = !self.texts.iter().all(is_reported);
        // A line of words behind a surplus player is a title, though it stands where the next game has its players' number.
        let is_title = has_text
            && all_headed
            && self.puzzles < puzzles as u64
            && self.valid + 1 >= read.valid
            && self.file.problems().any(|problem| problem.rule() == "player-count");
        has_more
            || is_said
            || is_title
            || is_as_good && (self.begins_with_count || all_headed && (has_other_count || has_text))
    }
}

impl Reading {
    /// Reads the file from here on piece by piece; `None` if that explains it no better than `read` does.
    /// `ends_early` says that the file was read only up to what looks like an end marker.
    pub(super) fn divided(
        &mut self,
        read: &FileRead,
        ends_early: bool,
        input: &mut Scanner<'_>,
    ) -> io::Result<Option<FileRead>> {
        let Some(text) = input.lines_from(input.spot()) else { return Ok(None) };
        let file = FileText::new(text, input.spot(), Arc::clone(input.name()));
        let Some(pieces) = self.unread.pieces(&file.lines) else { return Ok(None) };
        let total = pieces.iter().filter(|piece| piece.is_puzzle).count();
        let mut made = PiecesRead { total, ..PiecesRead::default() };
        let (mut at, mut first, mut others) = (0, None, Vec::new());
        for Piece { lines, is_puzzle } in pieces {
            let piece = file.piece(at, lines);
            if is_puzzle {
                first.get_or_insert(at);
                let known = known_problem(read, &piece);
                let known = known.map(|(place, problem)| Entry { place, work: Work::Invalid(problem) });
                let has_change =
                    |entry: &Entry| entry.problem().is_some_and(|problem| problem.change().is_some());
                let entry = match known {
                    Some(known) if has_change(&known) => known,
                    Some(known) => {
                        let alone = self.read_piece(&piece, &file, &mut Notes::default())?;
                        if has_change(&alone) { alone } else { known }
                    }
                    None => self.read_piece(&piece, &file, &mut made.file.notes)?,
                };
                // Rows that a new header makes valid are as surely a puzzle.
                let is_given = entry.problem().is_some_and(|problem| {
                    ["header-missing", "header-word"].contains(&problem.rule()) && problem.proposal.is_some()
                });
                made.headers += u64::from(is_given || self.is_headed(piece.lines));
                self.add_other(&mut others, is_recognised(&entry), (read, &file), &mut made);
                made.add_puzzle(entry, piece.end);
            } else if !self.is_count(&piece.lines[0], &mut made) {
                others.push(at);
            }
            at += lines;
        }
        self.add_other(&mut others, true, (read, &file), &mut made);
        let Some(first) = first else { return Ok(None) };
        let end = file.piece(at - 1, 1).end;
        let alone = std::mem::take(&mut made.alone);
        let puzzles = ReadPuzzles { count: made.puzzles, all_valid: made.valid == made.puzzles, alone };
        let mut reader = self.unread.fresh_reader();
        let last = reader.has_read(&file.lines[..first], &file.lines[first], puzzles);
        let has_other_count = last.is_some();
        made.file.entries.extend(last.map(|mut entry| {
            if let Work::Invalid(problem) = &mut entry.work {
                problem.recognised = true;
            }
            (entry, end)
        }));
        // A row that looks like an end marker hides no puzzle that the reader found.
        let ends_later = read.notes.ignored_line().is_none() && file.lines.len() > at + 1;
        if ends_later && made.valid <= read.valid {
            return Ok(None);
        }
        // A last line `00` without an end marker after it is more likely an end marker than a square.
        let is_missing = read.notes.warnings.iter().any(|warning| warning.what.name == "marker-missing");
        let is_marker = file.lines.last().is_some_and(|last| last.text.trim_ascii() == b"00");
        let is_surely_marker = is_missing && is_marker && made.valid >= read.valid && !made.is_odd;
        if !is_surely_marker
            && !made.shows_more(read, has_other_count)
            && !is_better(&made.file, read, made.is_odd, ends_early)
        {
            return Ok(None);
        }
        let mut divided = made.file;
        // A comment between the puzzles belongs to no piece.
        let has = |warning: &Warning| divided.notes.warnings.iter().any(|other| other.place == warning.place);
        let late = read
            .notes
            .warnings
            .iter()
            .filter(|warning| warning.what.name == "late-directive" && !has(warning));
        let late: Vec<_> = late.cloned().collect();
        divided.notes.warnings.extend(late);
        drop(file);
        input.go_back(end);
        (self.reader, self.before) = (reader, Before::default());
        while let Some(entry) = self.read_next(input)? {
            divided.entries.push_back((entry, input.spot()));
        }
        divided.notes.append(input.exchange_notes(Notes::default()));
        Ok(Some(divided))
    }

    /// Returns whether a puzzle begins with a header, perhaps a wrong one that names the number of rows first.
    fn is_headed(&self, lines: &[Line<'_>]) -> bool {
        let reader = self.unread.puzzle_reader();
        let headers = reader.fields().len();
        let (Some(row), Some(last)) = (lines.get(headers), lines.last()) else { return false };
        // A line of moves is no row.
        let moves = usize::from(!last.numbers_only());
        let counts = [lines.len() - headers, lines.len() - headers - moves].map(|rows| rows.to_string());
        let is_named = numbers_of(&lines[0]).first().is_some_and(|first| counts.contains(first));
        let is_named = is_named && headers == 1 && lines.len() > ROWS_MIN;
        // The second line of the header can be missing.
        let is_named = is_named
            || headers == 2
                && lines[0].numbers::<2>().is_some_and(|[rows, width]| {
                    let rows = usize::try_from(rows).ok().filter(|&rows| rows > 1);
                    let rows = rows.and_then(|rows| lines.get(1..=rows));
                    rows.is_some_and(|rows| rows.iter().all(|row| row.count() == width))
                });
        // A program did not fill in the numbers: `{n} {m}`.
        let has_no_number = !lines[0].text.iter().any(u8::is_ascii_digit)
            && reader.fields().first().is_some_and(|fields| fields.len() as u64 == lines[0].count());
        let is_named = is_named
            || headers == 1
                && has_no_number
                && lines.len() > 2
                && lines[1..].iter().all(|line| line.numbers_only() && line.count() == row.count());
        // The right number of numbers, one of them out of range, and rows of another length below them.
        let is_out_of_range = |numbers: [u64; 2]| {
            let fields = &reader.fields()[0];
            fields.len() == numbers.len() && !are_allowed(fields, &numbers)
        };
        let is_named = is_named
            || headers == 1
                && row.count() != lines[0].count()
                && row.numbers_only()
                && lines[0].numbers::<2>().is_some_and(is_out_of_range);
        let has_digits = row.text.iter().any(u8::is_ascii_digit);
        has_digits && (reader.layout(lines).is_some() || is_named)
    }

    /// Returns whether a line holds the number of puzzles, or another number that stands alone. Such numbers are reported
    /// together.
    fn is_count(&self, line: &Line<'_>, made: &mut PiecesRead) -> bool {
        let is_first = made.puzzles == 0;
        let is_counted = |&[number]: &[u64; 1]| self.unread.fields().is_empty() && (number > 0 || is_first);
        let Some([number]) = line.numbers().filter(is_counted) else { return false };
        made.said = made.said.or(is_first.then_some(number));
        made.alone.push(line.number);
        true
    }

    /// Adds what is wrong with the lines `others`, which belong to no puzzle, and clears `others`. Proposes to remove
    /// them only if `next_is_recognised`.
    fn add_other(
        &self,
        others: &mut Vec<usize>,
        next_is_recognised: bool,
        (read, file): (&FileRead, &FileText<'_>),
        made: &mut PiecesRead,
    ) {
        for (index, &at) in others.iter().enumerate() {
            // The number of puzzles can stand between the lines.
            let is_begin = index == 0 || others[index - 1] + 1 < at;
            let block = (at..).zip(&others[index..]).take_while(|(at, other)| at == *other).count();
            let (piece, last) = (file.piece(at, 1), &file.lines[at + block - 1]);
            let line = &piece.lines[0];
            made.texts.extend(Some(line.number).filter(|_| is_words(line)));
            // The line with the number of puzzles should have no other number.
            if made.puzzles == 0 && self.unread.fields().is_empty() && line.numbers_only() {
                let change = Proposal::replace_line(line.number, made.total.to_string());
                let is_total = |token: &[u8]| token == made.total.to_string().as_bytes();
                let has_total = line.count() == 2 && line.tokens().any(|(_, token)| is_total(token));
                let what = Mistake::CountLine { line: line.number, numbers: line.count() };
                let problem = Problem::new(line.place(), what).recognised_if(false);
                let mut problem = problem.proposing(has_total.then_some(change));
                excerpt::add(&mut problem, &file.text);
                made.file.entries.push_back((Entry::invalid(problem), piece.end));
                continue;
            }
            let is_marker = self.is_marker(line, piece.next.is_some());
            made.is_odd |=
                line.numbers_only() && line.count() > 1 && !is_like_end_marker(line.text) && !is_marker;
            if !is_begin && !is_marker {
                continue;
            }
            // If the next puzzle begins with the same numbers, its header was written twice.
            let next = file.lines.get(at + 1).filter(|_| index + 1 == others.len() && line.numbers_only());
            let doubled = next.filter(|next| next.text.trim_ascii() == line.text.trim_ascii()).map(|next| {
                let what = FormMistake::HeaderDoubled { before: line.number, line: next.number };
                let removed = Proposal::remove_line(next.number);
                Problem::new(next.place(), what).recognised_if(false).proposing(Some(removed))
            });
            let count = line.numbers().filter(|&[count]: &[u64; 1]| count == made.total as u64 && at == 0);
            let count = count.map(|_| {
                let found = quoted(line);
                let what = Mistake::PuzzleCount { found, noun: self.solver.info().noun, line: line.number };
                made.begins_with_count = true;
                let removed = Proposal::remove_line(line.number);
                Problem::new(line.place(), what).recognised_if(false).proposing(Some(removed))
            });
            let problem = doubled.or(count).unwrap_or_else(|| self.stray(read, made.said, line, is_marker));
            let to_line = if is_marker { line.number } else { last.number };
            let removed = Proposal::RemoveLines { from_line: line.number, to_line };
            let rows: Vec<_> = file.lines[at..at + block].iter().filter_map(row_length).collect();
            let has_rows = rows.windows(2).any(|pair| pair[0] == pair[1]);
            let problem = match &problem.proposal {
                _ if has_rows && problem.rule() == STRAY_LINE => {
                    let what = Mistake::LooseRows { from: line.number, to: to_line };
                    Problem::new(line.place(), what).recognised_if(false)
                }
                None if problem.rule() == STRAY_LINE && problem.what.scope == "form" => {
                    Problem { what: FormMistake::stray_lines(line.number, to_line).into(), ..problem }
                }
                _ => problem,
            };
            let is_stray =
                !line.numbers_only() && !is_omission(line.text) && STRAY_RULES.contains(&problem.rule());
            let is_removable = is_marker || is_stray;
            let mut problem = problem;
            if problem.proposal.is_none() && next_is_recognised && is_removable {
                problem = problem.proposing(Some(removed));
            }
            excerpt::add(&mut problem, &file.text);
            let entry = Entry { place: line.place(), work: Work::Invalid(Box::new(problem)) };
            made.file.entries.push_back((entry, piece.end));
        }
        others.clear();
    }

    /// Reads a puzzle: first with what follows it, then without, if the reader does not find its end.
    pub(super) fn read_piece(
        &self,
        piece: &PieceText<'_>,
        file: &FileText<'_>,
        notes: &mut Notes,
    ) -> io::Result<Entry> {
        // If another piece follows, a last row of zeros does not end the file.
        let twice = piece.next.map(|_| [piece.text, piece.text].concat());
        // The second copy only stands for what follows.
        let end = piece.begin.offset() + piece.text.len() as u64;
        let mut known = None;
        for (text, most) in [(Some(piece.rest), u64::MAX), (twice.as_deref(), end)] {
            let Some(text) = text else { continue };
            let mut input = Scanner::resume(text, Arc::clone(&file.name), piece.begin);
            let entry = Self::for_piece(self).read_next(&mut input)?;
            // Numbers after the piece belong to another puzzle, and its lines belong to this one.
            let last = piece.lines[piece.lines.len() - 1].number;
            let is_within = |entry: &Entry| match &entry.work {
                Work::Invalid(problem)
                    if is_of_no_puzzle(problem, piece) || is_of_second_board(problem, piece) =>
                {
                    false
                }
                Work::Invalid(problem) => problem.place.line <= last || problem.rule() != "numbers-surplus",
                _ => true,
            };
            if let Some(mut entry) = entry
                .filter(|_| input.spot().offset() <= most)
                .filter(|entry| piece.ends_at(input.spot()) && is_within(entry))
            {
                if let Work::Invalid(problem) = &mut entry.work {
                    // The file has other lines than the copy.
                    if problem.place.line > last {
                        (problem.excerpt, problem.context) = (None, Vec::new());
                        excerpt::add(problem, &file.text);
                    }
                    // A further mistake can be one of the copy.
                    if problem.also.as_ref().is_some_and(|also| also.place.line > last) {
                        problem.also = None;
                    }
                }
                let noted = input.exchange_notes(Notes::default());
                // If what follows has the same mistake, every trial fails, even that of the right change.
                if entry.problem().is_none_or(|problem| problem.change().is_some()) {
                    notes.append(noted);
                    return Ok(entry);
                }
                known.get_or_insert((entry, noted));
            }
        }
        let mut input = Scanner::resume(piece.text, Arc::clone(&file.name), piece.begin);
        let mut reading = Self { is_piece: true, ..Self::for_piece(self) };
        let entry = reading.reader.read(&mut input)?;
        let is_over = input.advance()? == Next::End;
        let left = input.place();
        let noted = input.exchange_notes(Notes::default());
        if entry.as_ref().is_some_and(|entry| is_over || !is_valid(entry)) {
            notes.append(noted);
        }
        let (place, problem) = match entry {
            Some(entry) if is_over && is_valid(&entry) => return Ok(entry),
            Some(Entry { place, work: Work::Invalid(problem) }) if !is_of_no_puzzle(&problem, piece) => {
                (place, *problem)
            }
            Some(Entry { place, work: Work::Solve(_) | Work::Settled(_) }) => {
                (place, reading.surplus(left, piece.lines))
            }
            // The first row looks like an end marker, or like a line of no puzzle.
            _ => (piece.lines[0].place(), self.without_header(&piece.lines[0])),
        };
        // The whole piece is examined, not only what the reader took for the puzzle.
        input.drain()?;
        input.mark_from(piece.begin);
        let problem = reading.diagnose(problem, (piece.begin, place), &mut input)?;
        // The end of a piece need not be the end of the file.
        if let Some((known, noted)) =
            known.filter(|_| problem.change().is_none() || problem.rule() == "end-marker")
        {
            notes.append(noted);
            return Ok(known);
        }
        Ok(Entry { place, work: Work::Invalid(Box::new(problem)) })
    }

    /// Returns the problem that a puzzle begins with a row.
    fn without_header(&self, row: &Line<'_>) -> Problem {
        let expected = self.reader.fields().first().map(|fields| described(fields));
        let line = row.number;
        match expected {
            Some(expected) => Problem::new(row.place(), Mistake::HeaderMissing { line, expected }),
            None => Problem::new(row.place(), FormMistake::stray_line(line)),
        }
    }

    /// Returns the problem that numbers follow a whole puzzle.
    fn surplus(&self, left: Place, lines: &[Line<'_>]) -> Problem {
        let Some(layout) = self.reader.layout(lines) else {
            let mut headers = lines.iter().zip(self.reader.fields());
            let odd = headers.find(|(line, fields)| !counts(fields).contains(&line.count()));
            return odd.map_or_else(
                || Problem::new(left, FormMistake::stray_line(left.line)),
                |(line, fields)| {
                    let (numbers, expected) = (line.count(), described(fields));
                    let what = FormMistake::HeaderLength { line: line.number, numbers, expected };
                    Problem::new(line.place(), what)
                },
            );
        };
        let expected = layout.parts.iter().map(Part::numbers).sum();
        let numbers = lines.iter().skip(layout.header_lines).map(|line| u128::from(line.count())).sum();
        let header = quoted(&lines[0]);
        Problem::new(left, FormMistake::NumbersSurplus { numbers, header, expected })
    }

    /// Returns whether a line that belongs to no puzzle was meant as an end marker, in a file that has none, or before
    /// more boards.
    fn is_marker(&self, line: &Line<'_>, is_followed: bool) -> bool {
        let are_zeros = || line.tokens().all(|(_, token)| token == b"0");
        if self.reader.may_end() {
            is_like_end_marker(line.text)
        } else {
            is_followed && (is_like_end_marker(line.text) || are_zeros())
        }
    }

    /// Returns what is wrong with lines that belong to no puzzle. `said` is the number of puzzles that the file names.
    fn stray(&self, read: &FileRead, said: Option<u64>, line: &Line<'_>, is_marker: bool) -> Problem {
        let found = quoted(line);
        if is_marker && !self.reader.may_end() {
            let what = Mistake::MarkerEarly { found, line: line.number };
            return Problem::new(line.place(), what).recognised_if(false);
        }
        let known = read.problems().find(|problem| problem.place.line == line.number);
        // Text after an end marker that puzzles follow is no end marker.
        let is_of_line = |known: &&Problem| {
            (known.rule() != "marker-line" || known.proposal.is_some())
                && !["numbers-surplus", "header-word"].contains(&known.rule())
                && (said.is_none() || known.rule() != "case-count")
                && (line.numbers_only() || !is_in_puzzle(known) || known.rule() == "character")
        };
        if let Some(problem) = known.filter(is_of_line) {
            return problem.clone();
        }
        if is_marker {
            let found = if line.numbers_only() { found } else { format!("'{found}'") };
            let what = Mistake::EndMarker { found, line: line.number, solver: self.solver.id() };
            return Problem::new(line.place(), what).recognised_if(false);
        }
        let what = FormMistake::stray_line(line.number);
        Problem::new(line.place(), what).recognised_if(false)
    }
}

/// Returns the problem that was read for exactly this piece, and where the puzzle begins.
fn known_problem(read: &FileRead, piece: &PieceText<'_>) -> Option<(Place, Box<Problem>)> {
    let (first, last) = (piece.lines[0].number, piece.lines[piece.lines.len() - 1].number);
    let is_its = |(entry, end): &&Queued| entry.place == piece.lines[0].place() && piece.ends_at(*end);
    let (entry, _) = read.entries.iter().find(is_its)?;
    let problem = entry
        .problem()
        .filter(|problem| (first..=last).contains(&problem.place.line) && !is_of_no_puzzle(problem, piece))
        .filter(|problem| !is_of_second_board(problem, piece) && !is_of_count(problem.rule()))?;
    Some((entry.place, Box::new(problem.clone())))
}

/// Returns whether the pieces explain a file better than what was read: more puzzles are valid, or as many with as few
/// mistakes, or each mistake can be corrected. Only puzzles that are written in lines count as valid in what was read.
fn is_better(made: &FileRead, read: &FileRead, is_odd: bool, ends_early: bool) -> bool {
    // If the reader found only valid puzzles, the pieces are better only if more are valid and all mistakes are
    // certain.
    if read.is_valid() {
        // If the next puzzle would begin in the middle of a line, a missing header is certain, too.
        let is_cut = read.notes.warnings.iter().any(|warning| warning.what.name == "within-line");
        let is_sure = |problem: &Problem| {
            SURE_RULES.contains(&problem.rule())
                || is_cut && problem.rule() == "header-missing" && problem.proposal.is_some()
        };
        let are_sure = || made.problems().all(is_sure);
        // A doubled row can have as many numbers as a whole small board.
        let are_doubled = made.entries.len() < read.entries.len()
            && made.problems().all(|problem| problem.rule() == "row-doubled");
        return made.valid > read.valid && (ends_early || are_sure()) || are_doubled;
    }
    let invalid = |read: &FileRead| (read.entries.len() as u64).saturating_sub(read.valid);
    let are_certain = |read: &FileRead| read.problems().all(|problem| problem.change().is_some());
    let is_as_good = || made.valid == read.valid && invalid(made) <= invalid(read);
    // A mistake that the reader found within the next puzzle shows that it did not see where that puzzle begins.
    let mut pairs = read.entries.iter().zip(read.entries.iter().skip(1));
    let is_within = pairs.any(|((entry, _), (next, _))| {
        entry.problem().is_some_and(|problem| problem.place.line > next.place.line)
    });
    // Surplus rows are no puzzle of their own.
    let is_row = made.entries.len() < read.entries.len()
        && made.problems().all(|problem| WHOLE_RULES.contains(&problem.rule()));
    if (is_within || is_row) && !is_odd && made.valid + 1 >= read.valid && invalid(made) <= invalid(read) {
        return true;
    }
    let needed = if is_odd { 2 } else { 1 };
    made.valid >= read.valid + needed || !is_odd && (is_as_good() || are_certain(made) && !are_certain(read))
}

/// Returns whether a reader took the last rows of a piece for another board, without a header.
fn is_of_second_board(problem: &Problem, piece: &PieceText<'_>) -> bool {
    problem.rule() == "header-missing" && problem.place.line != piece.lines[0].number
}

/// Returns whether a line has words or only marks, and is not like moves.
fn is_words(line: &Line<'_>) -> bool {
    let text = String::from_utf8_lossy(line.text.trim_ascii());
    let is_letter = |letter: char| letter.is_alphabetic() && !MOVES.contains(letter);
    !text.contains(char::is_numeric) && text.contains(is_letter)
        || text.contains(|letter: char| letter.is_lowercase())
        || text.len() > 2 && !text.contains(char::is_alphanumeric)
}

/// Returns how many numbers a line has, if it has several and no words, perhaps behind a label.
fn row_length(line: &Line<'_>) -> Option<usize> {
    let begin = line.text.iter().rposition(|&byte| byte == b':').map_or(0, |at| at + 1);
    let rest = Line { text: &line.text[begin..], ..*line };
    let numbers = numbers_of(&rest).len();
    (numbers > 1 && !rest.text.iter().any(u8::is_ascii_alphabetic)).then_some(numbers)
}

/// Returns whether a reader took the first row of a piece for a line of no puzzle.
fn is_of_no_puzzle(problem: &Problem, piece: &PieceText<'_>) -> bool {
    [STRAY_LINE, "marker-line"].contains(&problem.rule()) && piece.lines[0].count() > 1
}
