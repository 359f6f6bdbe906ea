//! Reads a short file at once. If something in it is wrong, divides its lines into puzzles and reads them one by one.
//!
//! A reader that goes on after a mistake can miss the beginning of the next puzzle, or take a row for one. The division
//! looks at all lines of the file before it decides where puzzles begin, so one mistake does not spoil what follows.

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;

use super::{Before, Mistake, ReadState, Reading, excerpt, whole_file};
use crate::recognise::{InLines, Recognised, is_in_lines, read_in_lines, recognise};
use tabuleiro_puzzles::input::{
    Line, Marked, Next, Notes, Place, QUOTE_BYTES_MAX, Scanner, Spot, Warning, printable,
};
use tabuleiro_puzzles::solver::{
    Entry, FormMistake, Layout, Part, Piece, Problem, Proposal, ReadPuzzles, SOLVERS, Work, counts,
    described, find, is_like_end_marker,
};

/// Rules of lines that can be removed if they are not numbers.
const STRAY_RULES: [&str; 2] = [STRAY_LINE, "header-word"];
const STRAY_LINE: &str = "stray-line";
/// Rules of puzzles whose lines are right one by one, though they are not the lines that the header promises.
const SURE_RULES: [&str; 3] = ["row-count", "player-line", "player-length"];

/// The most proposals that are tried on the whole file, and its most bytes.
const TRIED_MAX: usize = 20;
const TRIED_BYTES_MAX: usize = 16 << 10;
/// The most places at which adjacent lines are exchanged, or one line is broken, on trial.
const EXCHANGED_MAX: usize = 4;
/// The most lines of a puzzle at all of which that is tried.
const LINES_TRIED_MAX: u64 = 40;
/// The most ways to break one line, and the most digits of a number that is broken.
const BROKEN_MAX: usize = 16;
const JOINED_DIGITS_MAX: usize = 8;

/// An entry, and the spot after it.
pub type Queued = (Entry, Spot);

/// The entries of a file, and what else was noted.
#[derive(Default)]
struct FileRead {
    entries: VecDeque<Queued>,
    notes: Notes,
    /// How many puzzles are valid and written in lines of their own.
    valid: u64,
}

/// The text of a file from the first puzzle on.
struct FileText<'t> {
    name: Arc<str>,
    text: Marked<'t>,
    lines: Vec<Line<'t>>,
    /// Where the text begins in the file.
    offset: u64,
    /// Where each line begins in the text.
    begins: Vec<usize>,
}

/// The text of a piece.
struct PieceText<'t> {
    lines: &'t [Line<'t>],
    text: &'t [u8],
    /// The text from the piece to the end of the file.
    rest: &'t [u8],
    begin: Spot,
    end: Spot,
    /// The next line with anything on it.
    next: Option<u64>,
}

/// What was read piece by piece.
#[derive(Default)]
struct PiecesRead {
    file: FileRead,
    /// How many puzzles the file has.
    total: usize,
    /// All puzzles, also those that are not answered because the file says that it has fewer.
    puzzles: u64,
    /// Whether a puzzle is invalid.
    has_invalid: bool,
    /// How many puzzles the file says it has.
    said: Option<u64>,
    /// Lines with one number that belong to no puzzle.
    alone: Vec<u64>,
    /// Whether a line of several numbers belongs to no puzzle.
    is_odd: bool,
    /// How many puzzles begin with a header.
    headers: u64,
}

impl<'t> FileText<'t> {
    /// Returns the text in the window from the line of `begin` on.
    fn new(begin: Spot, input: &'t Scanner<'_>) -> Option<Self> {
        let text = input.lines_from(begin)?;
        let lines = Marked { read: text.text.len(), ..text }.lines();
        let feeds = text.text.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        let begins = [0].into_iter().chain(feeds.map(|(at, _)| at + 1)).collect();
        let offset = begin.offset() - begin.bytes_of_line();
        Some(Self { name: Arc::clone(input.name()), text, lines, offset, begins })
    }

    /// Returns the text of `count` lines from line `at` on, which exist.
    fn piece(&self, at: usize, count: usize) -> PieceText<'_> {
        let lines = &self.lines[at..at + count];
        let begin_of = |number: u64| {
            let at = (number - self.text.first.line) as usize;
            let bytes = self.begins.get(at).copied().unwrap_or(self.text.text.len());
            (bytes, Spot::at_line(self.offset + bytes as u64, number))
        };
        let (from, begin) = begin_of(lines[0].number);
        let (to, end) = begin_of(lines[count - 1].number + 1);
        let next = self.lines.get(at + count).map(|line| line.number);
        PieceText { lines, text: &self.text.text[from..to], rest: &self.text.text[from..], begin, end, next }
    }
}

impl FileText<'_> {
    /// Returns the entry of a piece. If it lacks a header and has the same lines as stand before it, they were rather
    /// written twice.
    fn repeated(&self, mut entry: Entry, at: usize, lines: usize) -> Entry {
        let Some((before, rows)) =
            at.checked_sub(lines).map(|from| self.lines[from..at + lines].split_at(lines))
        else {
            return entry;
        };
        let text = |line: &Line<'_>| line.text.trim_ascii().to_vec();
        if let Work::Invalid(problem) = &mut entry.work
            && problem.rule() == "header-missing"
            && let Some(Proposal::InsertLine { text: header, .. }) = problem.proposal.as_deref()
            && before.iter().map(text).eq(rows.iter().map(text))
        {
            let [first, last, from, to] =
                [&before[0], &before[lines - 1], &rows[0], &rows[lines - 1]].map(|line| line.number);
            problem.what = Mistake::BoardRepeated { first, last, from, to, header: header.clone() }.into();
            problem.proposal = None;
            problem.corrected.clear();
        }
        entry
    }
}

impl PieceText<'_> {
    /// Returns whether a reader that stands at `spot` has read exactly this piece.
    fn ends_at(&self, spot: Spot) -> bool {
        let read = spot.offset().checked_sub(self.begin.offset());
        let left = read.map_or(self.text, |read| self.text.get(read as usize..).unwrap_or_default());
        left.iter().all(u8::is_ascii_whitespace) && self.next.is_none_or(|next| spot.line() <= next)
    }
}

impl PiecesRead {
    fn add_puzzle(&mut self, entry: Entry, end: Spot) {
        self.has_invalid |= !is_valid(&entry);
        self.puzzles += 1;
        // Only as many puzzles are answered as the file says it has.
        if self.said.is_none_or(|said| self.puzzles <= said) {
            self.file.valid += u64::from(is_valid(&entry));
            self.file.entries.push_back((entry, end));
        }
    }
}

impl Reading {
    /// Reads all entries of a file that fits in the window, to its end.
    pub(super) fn read_short(&mut self, input: &mut Scanner<'_>) -> io::Result<VecDeque<Queued>> {
        let begin = input.spot();
        let mut notes = input.exchange_notes(Notes::default());
        let mut read = FileRead::default();
        while let Some(entry) = self.read_next(input)? {
            read.entries.push_back((entry, input.spot()));
        }
        read.notes = input.exchange_notes(Notes::default());
        let mut end = input.spot();
        // Uneven rows with the right count of numbers leave no doubt where their puzzle ends, unless it ends the file.
        let has_ignored = read.notes.ignored_line().is_some();
        let mut is_wrong = read.entries.iter().any(|(entry, _)| match &entry.work {
            Work::Invalid(problem) => has_ignored || problem.rule() != "row-lengths",
            _ => false,
        });
        input.go_back(begin);
        let text = input.lines_from(Spot::START).filter(|_| is_wrong);
        if let Some(problem) = text.and_then(|text| self.of_whole_file(&read, &text)) {
            let place = problem.place;
            let is_of_lines = whole_file::is_of_lines(&problem);
            let entry = Entry { place, work: Work::Invalid(Box::new(problem)) };
            if !is_of_lines {
                input.exchange_notes(notes);
                input.drain()?;
                return Ok([(entry, input.spot())].into());
            }
            read.entries.retain(|(entry, _)| is_valid(entry));
            let at = read.entries.partition_point(|(entry, _)| entry.place.line < place.line);
            let to = at.checked_sub(1).map_or(begin, |before| read.entries[before].1);
            read.entries.insert(at, (entry, to));
            is_wrong = false;
        }
        let is_conflict = |(entry, _): &Queued| {
            problem_of(entry).is_some_and(|problem| problem.rule() == whole_file::CONFLICT_RULE)
        };
        let has_conflict = read.entries.iter().any(is_conflict);
        // Rows without a header can begin like an end marker.
        let ends_early = read.entries.is_empty() && has_ignored || self.ignores_rows(&read, input);
        let is_odd = is_wrong || read.notes.has_wrapped || ends_early;
        if is_odd && !has_conflict && self.state != ReadState::Over && !self.is_explained {
            let mut from = begin;
            for (entry, to) in &read.entries {
                read.valid += u64::from(is_valid(entry) && self.is_in_lines(from, *to, input));
                from = *to;
            }
            if let Some(divided) = self.divided(&read, ends_early, input)? {
                (read, end) = (divided, input.spot());
                is_wrong = !read.entries.iter().all(|(entry, _)| is_valid(entry));
            }
        }
        read.entries = without_doubled(read.entries);
        if (is_wrong || has_ignored) && !self.is_trial {
            is_wrong &= !self.find_other_solver(&mut read, input);
        }
        Self::mend_warnings(&mut read, input.lines_from(begin));
        if is_wrong && !self.is_trial {
            self.find_line_change(&mut read, begin, input)?;
            self.try_proposals(&mut read, begin, input)?;
        }
        notes.append(read.notes);
        input.exchange_notes(notes);
        input.go_back(end);
        Ok(read.entries)
    }

    /// Returns the problem of line numbers or marks before all lines, or of tables, if the first puzzle is valid all the
    /// same.
    fn of_whole_file(&self, read: &FileRead, text: &Marked<'_>) -> Option<Problem> {
        let is_first = read.entries.front().is_some_and(|(entry, _)| is_valid(entry));
        let reader = Some(&*self.unread).filter(|_| is_first && !self.is_trial)?;
        let mut found = whole_file::look(text, reader, find(self.solver)?)?;
        excerpt::add(&mut found, text);
        let is_told = ["line-numbers", "quoted", "table"].contains(&found.rule());
        (found.proposal.is_some() && is_told).then_some(found)
    }

    /// Removes warnings that a mistake explains, and replaces them if the line ends are the cause.
    fn mend_warnings(read: &mut FileRead, text: Option<Marked<'_>>) {
        let (Some(text), false) = (text, read.notes.warnings.is_empty()) else { return };
        let end = text.text.trim_ascii_end();
        let is_marker = |problem: &Problem| problem.rule() == "marker-line" && problem.proposal.is_some();
        let last = read.entries.back().and_then(|(entry, _)| problem_of(entry));
        if last.is_some_and(|last| is_marker(last) || end.ends_with(b"0 0")) {
            read.notes.warnings.retain(|warning| warning.what.name != "marker-missing");
        }
        if whole_file::has_old_line_ends(end) && read.entries.iter().all(|(entry, _)| is_valid(entry)) {
            let what = whole_file::Mistake::OldLineEnds.into();
            let warning = Warning { place: text.first, what, is_in_result: true };
            read.notes.warnings.splice(.., [warning]);
        }
    }

    /// Replaces all mistakes by one, that two adjacent lines are exchanged or two lines are joined, if the file is valid
    /// with these lines in the other order or apart. Both puzzles can be spoilt, and each keeps its entry.
    fn find_line_change(&self, read: &mut FileRead, begin: Spot, input: &Scanner<'_>) -> io::Result<()> {
        let invalid =
            read.entries.iter().filter_map(|(entry, _)| Some((entry.place.line, problem_of(entry)?)));
        let invalid: Vec<_> = invalid.collect();
        // To replace a word loses what somebody wrote. A number out of range is wrong wherever it stands.
        let is_certain = match invalid[..] {
            [(_, problem)] if problem.rule() == "header-word" => false,
            [(_, problem)] => problem.proposal.is_some() || problem.rule() == "header-value",
            _ => false,
        };
        let text = input.lines_from(begin).filter(|text| !is_certain && text.text.len() <= TRIED_BYTES_MAX);
        let Some(text) = text else { return Ok(()) };
        let warned = read.notes.warnings.iter();
        let places = invalid.iter().flat_map(|(begin, problem)| [*begin, problem.place.line]);
        let mut places: Vec<_> = warned.map(|warning| warning.place.line).chain(places).collect();
        places.dedup();
        places.truncate(EXCHANGED_MAX);
        let start = Spot::at_line(begin.offset() - begin.bytes_of_line(), begin.line());
        let lines = (Marked { read: text.text.len(), ..text }).lines();
        // If a short puzzle has a row too many or too few, all its lines are tried.
        let has_odd_count = |problem: &Problem| problem.rule() == "row-count";
        let wrong = read.entries.iter().find(|(entry, _)| problem_of(entry).is_some_and(has_odd_count));
        let wrong = wrong.map_or(0..0, |(entry, end)| entry.place.line..end.line() + 1);
        let wrong = if wrong.end - wrong.start > LINES_TRIED_MAX { 0..0 } else { wrong };
        let is_near = |line: &Line<'_>, to: u64| {
            wrong.contains(&line.number) || places.iter().any(|place| (line.number..=to).contains(place))
        };
        let exchanged = lines.windows(2).filter_map(|pair| {
            let [first, second] = [pair[0].number, pair[1].number];
            let problem = Problem::new(pair[0].place(), Mistake::Exchanged { first, second });
            let lines = vec![quoted(pair[1].text), quoted(pair[0].text)];
            let change = Proposal::ReplaceLines { from_line: first, to_line: second, lines };
            let is_other = pair[0].text.trim_ascii() != pair[1].text.trim_ascii();
            (second == first + 1 && is_other && is_near(&pair[0], second)).then_some((problem, change))
        });
        // A header that its rows follow is whole.
        let is_one = |at: &usize| is_near(&lines[*at], lines[*at].number) && !self.is_header(&lines[*at..]);
        let near = (0..lines.len()).filter(is_one);
        let apart = near.flat_map(|at| broken(&lines[at]).into_iter().map(move |parts| (at, parts)));
        let apart = apart.map(|(at, parts)| joined(&lines[at], parts));
        // No number begins with a needless 0, so all such lines are surely joined.
        let sure = lines.iter().filter_map(|line| {
            let parts = broken(line).into_iter().find(|[first, _]| ends_with_zero(first))?;
            Some(joined(line, parts))
        });
        let sure: Vec<_> = sure.collect();
        let all = (sure.len() > 1).then(|| {
            let changes = sure.iter().map(|(_, change)| change.clone()).collect();
            (sure[0].0.clone(), Proposal::All { changes })
        });
        let mut found = Vec::new();
        for (problem, change) in exchanged.chain(apart).chain(all) {
            let Some(changed) = change.apply(text.text, text.first.line) else { continue };
            let mut input = Scanner::resume(&changed[..], "", start);
            let mut reader = self.unread.fresh_reader();
            let (puzzles, end) = read_in_lines(&mut *reader, &mut input)?;
            // An end marker among the rows would be missing at the end.
            let warnings = input.exchange_notes(Notes::default()).warnings.len();
            let is_right = end == InLines::Whole && warnings <= read.notes.warnings.len();
            // Only where a puzzle begins, two lines are rather joined than a row wrong.
            if is_right
                && (problem.rule() == "exchanged" || self.begins(problem.place.line + 1, &changed, start)?)
            {
                found.push((problem.proposing(Some(change)), puzzles));
            }
        }
        let (Some((mut problem, puzzles)), None) = (found.pop(), found.pop()) else { return Ok(()) };
        excerpt::add(&mut problem, &text);
        let (from, to) = problem.proposal.as_ref().map_or((0, 0), |change| change.lines());
        read.notes.warnings.retain(|warning| !(from..=to).contains(&warning.place.line));
        // A puzzle with exchanged lines can have the right count of numbers.
        let first = read.entries.partition_point(|(entry, _)| entry.place.line <= from).saturating_sub(1);
        let other = Problem { proposal: None, corrected: Vec::new(), ..problem.clone() };
        let spoilt = |entry: &mut Entry, problem| entry.work = Work::Invalid(Box::new(problem));
        let Some((entry, _)) = read.entries.get_mut(first) else { return Ok(()) };
        spoilt(entry, problem);
        let valid = read.entries.iter().filter(|(entry, _)| is_valid(entry)).count() as u64;
        let mut others = puzzles.saturating_sub(valid + 1);
        let mut index = 0;
        read.entries.retain_mut(|(entry, _)| {
            let is_kept = index == first || is_valid(entry) || others > 0;
            if index != first && !is_valid(entry) && others > 0 {
                others -= 1;
                spoilt(entry, other.clone());
            }
            index += 1;
            is_kept
        });
        // A puzzle that the mistake had swallowed gets an entry as well.
        let end = read.entries[first].1;
        for _ in read.entries.len() as u64..puzzles {
            let work = Work::Invalid(Box::new(other.clone()));
            read.entries.insert(first + 1, (Entry { place: other.place, work }, end));
        }
        Ok(())
    }

    /// Returns whether the lines that were ignored after an end marker begin with no header.
    fn ignores_rows(&self, read: &FileRead, input: &Scanner<'_>) -> bool {
        let text = input.lines_from(Spot::START);
        let lines = text.map(|text| Marked { read: text.text.len(), ..text }.lines()).unwrap_or_default();
        let ignored =
            read.notes.ignored_line().and_then(|first| lines.iter().position(|line| line.number >= first));
        let rest = ignored.map(|at| &lines[at..]);
        rest.is_some_and(|rest| rest[0].numbers_only() && self.unread.layout(rest).is_none())
    }

    /// Reports that another solver can read the rest of the file, from the first puzzle after a valid one that this
    /// solver cannot read, or from what stands behind the end marker. Returns whether it does.
    fn find_other_solver(&self, read: &mut FileRead, input: &Scanner<'_>) -> bool {
        let invalid = read.entries.iter().position(|(entry, _)| !is_valid(entry));
        let invalid = invalid.filter(|&at| at > 0).map(|at| (at, read.entries[at].0.place.line));
        let ignored = read.notes.ignored_line().map(|line| (read.entries.len(), line));
        let Some(text) = input.lines_from(Spot::START).filter(|text| text.is_whole) else { return false };
        for (at, line) in invalid.into_iter().chain(ignored) {
            let mut feeds = text.text.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
            let Some((feed, _)) = feeds.nth(line.saturating_sub(2) as usize) else { continue };
            let others = SOLVERS.iter().copied().filter(|other| other.id() != self.solver);
            // A last game without its moves is a board of another solver.
            let is_other = |found: &&Recognised| found.puzzles > 1 || found.solver.id() != "2048-astar";
            let found = recognise(others, || Ok(&text.text[feed + 1..]));
            let [Recognised { solver, puzzles }] = found.iter().filter(is_other).collect::<Vec<_>>()[..]
            else {
                continue;
            };
            let place = Place { line, column: 1 };
            let what = Mistake::OtherSolver { line, solver: solver.id(), puzzles: *puzzles };
            let mut problem = Problem::new(place, what).recognised_if(true);
            excerpt::add(&mut problem, &text);
            let end = read.entries.back().map_or(Spot::START, |(_, end)| *end);
            read.entries.truncate(at);
            read.entries.push_back((Entry { place, work: Work::Invalid(Box::new(problem)) }, end));
            read.notes.forget_after(line);
            return true;
        }
        false
    }

    /// Returns whether the first line is a header that nearly as many rows as it says follow.
    fn is_header(&self, lines: &[Line<'_>]) -> bool {
        let Some(Layout { header_lines, parts }) = self.unread.layout(&lines[..lines.len().min(3)]) else {
            return false;
        };
        let Some(board) = parts.first() else { return false };
        let rows = usize::try_from(board.rows).unwrap_or(usize::MAX);
        let below = lines[header_lines..].iter().take(rows).enumerate();
        let odd = below.clone().filter(|(row, line)| board.width(*row as u64) != Some(line.count())).count();
        below.len() == rows && odd < 2
    }

    /// Returns whether a puzzle begins at a line of a text.
    fn begins(&self, line: u64, text: &[u8], start: Spot) -> io::Result<bool> {
        let mut input = Scanner::resume(text, "", start);
        let mut reader = self.unread.fresh_reader();
        while let Some(entry) = reader.read(&mut input)? {
            if entry.place.line >= line {
                return Ok(entry.place.line == line);
            }
        }
        Ok(false)
    }

    /// Withdraws proposals after which the puzzle would not be valid when the changed file is read from its beginning.
    fn try_proposals(&self, read: &mut FileRead, begin: Spot, input: &Scanner<'_>) -> io::Result<()> {
        let Some(text) = input.lines_from(begin).filter(|text| text.text.len() <= TRIED_BYTES_MAX) else {
            return Ok(());
        };
        let start = Spot::at_line(begin.offset() - begin.bytes_of_line(), begin.line());
        let proposing = read.entries.iter_mut().filter_map(|(entry, _)| match &mut entry.work {
            Work::Invalid(problem) if problem.proposal.is_some() => Some((entry.place, problem)),
            _ => None,
        });
        for (place, problem) in proposing.take(TRIED_MAX) {
            let proposal = problem.proposal.as_deref();
            let changed = proposal.and_then(|proposal| proposal.apply(text.text, text.first.line));
            let mut input = Scanner::resume(changed.as_deref().unwrap_or_default(), "", start);
            let mut reading = Self { is_trial: true, ..Self::of_piece(self) };
            reading.reader = self.unread.fresh_reader();
            (reading.unread, reading.state) = (self.unread.fresh_reader(), ReadState::Unread);
            let mut is_right = true;
            while let Some(entry) = reading.read(&mut input)? {
                if entry.place.line >= place.line {
                    // A row on the line of a header was not meant.
                    let warnings = input.exchange_notes(Notes::default()).warnings;
                    let is_odd = warnings.iter().any(|warning| {
                        warning.what.name == "shared-line" && warning.place.line >= place.line
                    });
                    is_right = is_valid(&entry) && !is_odd;
                    break;
                }
            }
            if changed.is_none() || !is_right {
                problem.proposal = None;
                problem.corrected.clear();
            }
        }
        Ok(())
    }

    /// Returns whether a puzzle has one row per line, or each part on one line, perhaps after a line with the number of
    /// puzzles.
    fn is_in_lines(&self, from: Spot, to: Spot, input: &Scanner<'_>) -> bool {
        let reader = self.reader.puzzle_reader();
        let is_even = |lines: &[Line<'_>]| {
            let layout = (1..=lines.len().min(3)).rev().find_map(|count| reader.layout(&lines[..count]));
            layout.is_some_and(|Layout { header_lines, parts }| {
                let rows: u64 = parts.iter().map(|part| part.rows).sum();
                let behind = &lines[header_lines..];
                let widths = || parts.iter().flat_map(|part| (0..part.rows).map(|row| part.width(row)));
                if behind.len() as u64 == rows {
                    return behind
                        .iter()
                        .zip(widths())
                        .all(|(line, width)| width.is_none_or(|width| width == line.count()));
                }
                behind.len() == parts.len() && is_in_lines(&*reader, lines)
            })
        };
        input.lines_from(from).is_some_and(|text| {
            let read = (to.offset() - from.offset() + from.bytes_of_line()) as usize;
            let lines = Marked { read, ..text }.lines();
            is_even(&lines) || from.is_before_tokens() && lines.get(1..).is_some_and(is_even)
        })
    }

    /// Reads the file from here on piece by piece; `None` if that explains it no better than `read` does.
    /// `ends_early` says that the file was read only up to what looks like an end marker.
    fn divided(
        &mut self,
        read: &FileRead,
        ends_early: bool,
        input: &mut Scanner<'_>,
    ) -> io::Result<Option<FileRead>> {
        let Some(file) = FileText::new(input.spot(), input) else { return Ok(None) };
        let Some(pieces) = self.unread.pieces(&file.lines) else { return Ok(None) };
        let total = pieces.iter().filter(|piece| piece.is_puzzle).count();
        let mut made = PiecesRead { total, ..PiecesRead::default() };
        let (mut at, mut first, mut others) = (0, None, Vec::new());
        for Piece { lines, is_puzzle } in pieces {
            let piece = file.piece(at, lines);
            if is_puzzle {
                first.get_or_insert(at);
                let row = piece.lines.get(self.unread.fields().len());
                let has_row = row.is_some_and(|row| row.text.iter().any(u8::is_ascii_digit));
                let is_headed = has_row && self.unread.layout(piece.lines).is_some();
                made.headers += u64::from(is_headed);
                let known = known_problem(read, &piece);
                let known = known.map(|(place, problem)| Entry { place, work: Work::Invalid(problem) });
                let made_here = || self.read_piece(&piece, &file, &mut made.file.notes);
                let entry = file.repeated(known.map_or_else(made_here, Ok)?, at, lines);
                self.add_other(&mut others, is_valid(&entry), (read, &file), &mut made);
                made.add_puzzle(entry, piece.end);
            } else if !self.is_count(&piece.lines[0], &mut made) {
                others.push(at);
            }
            at += lines;
        }
        self.add_other(&mut others, true, (read, &file), &mut made);
        let Some(first) = first else { return Ok(None) };
        let end = file.piece(at - 1, 1).end;
        let puzzles = ReadPuzzles { count: made.puzzles, all_valid: !made.has_invalid, alone: made.alone };
        let mut reader = self.unread.fresh_reader();
        let last = reader.has_read(&file.lines[..first], &file.lines[first], puzzles);
        let mut divided = made.file;
        divided.entries.extend(last.map(|mut entry| {
            if let Work::Invalid(problem) = &mut entry.work {
                problem.recognised = true;
            }
            (entry, end)
        }));
        // Each header begins a puzzle, whatever is wrong with the one before it.
        let has_more = made.headers == made.puzzles && made.puzzles > read.entries.len() as u64;
        let is_wrong = read.entries.iter().any(|(entry, _)| !is_valid(entry));
        let has_more = has_more && is_wrong && !made.is_odd && divided.valid == read.valid;
        if !has_more && !is_better(&divided, read, [made.is_odd, ends_early]) {
            return Ok(None);
        }
        drop(file);
        input.go_back(end);
        (self.reader, self.before) = (reader, Before::default());
        while let Some(entry) = self.read_next(input)? {
            divided.entries.push_back((entry, input.spot()));
        }
        divided.notes.append(input.exchange_notes(Notes::default()));
        Ok(Some(divided))
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

    /// Adds what is wrong with the lines `others`, which belong to no puzzle, and forgets them. Proposes to remove them
    /// only if `next_is_valid`.
    fn add_other(
        &self,
        others: &mut Vec<usize>,
        next_is_valid: bool,
        (read, file): (&FileRead, &FileText<'_>),
        made: &mut PiecesRead,
    ) {
        for (index, &at) in others.iter().enumerate() {
            let (piece, last) = (file.piece(at, 1), &file.lines[others[others.len() - 1]]);
            let line = &piece.lines[0];
            // Only the number of puzzles stands on its line.
            if made.puzzles == 0 && self.unread.fields().is_empty() && line.numbers_only() {
                let lines = vec![made.total.to_string()];
                let change = Proposal::ReplaceLines { from_line: line.number, to_line: line.number, lines };
                let has_total = line.tokens().any(|(_, token)| token == made.total.to_string().as_bytes());
                let what = Mistake::CountLine { line: line.number, numbers: line.count() };
                let problem = Problem::new(line.place(), what).recognised_if(false);
                let mut problem = problem.proposing(has_total.then_some(change));
                excerpt::add(&mut problem, &file.text);
                let entry = Entry { place: line.place(), work: Work::Invalid(Box::new(problem)) };
                made.file.entries.push_back((entry, piece.end));
                continue;
            }
            let is_marker = self.is_marker(line, piece.next.is_some());
            made.is_odd |=
                line.numbers_only() && line.count() > 1 && !is_like_end_marker(line.text) && !is_marker;
            if index > 0 && !is_marker {
                continue;
            }
            // Numbers that the next puzzle begins with as well were written twice.
            let next = file.lines.get(at + 1).filter(|_| index + 1 == others.len() && line.numbers_only());
            let doubled = next.filter(|next| next.text.trim_ascii() == line.text.trim_ascii()).map(|next| {
                let what = FormMistake::HeaderDoubled { before: line.number, line: next.number };
                let removed = Proposal::remove_line(next.number);
                Problem::new(next.place(), what).recognised_if(false).proposing(Some(removed))
            });
            let problem = doubled.unwrap_or_else(|| self.stray(read, line, is_marker));
            let to_line = if is_marker { line.number } else { last.number };
            let removed = Proposal::RemoveLines { from_line: line.number, to_line };
            let is_removable = is_marker || !line.numbers_only() && STRAY_RULES.contains(&problem.rule());
            let mut problem = match problem.proposal {
                None if next_is_valid && is_removable => problem.proposing(Some(removed)),
                _ => problem,
            };
            excerpt::add(&mut problem, &file.text);
            let entry = Entry { place: line.place(), work: Work::Invalid(Box::new(problem)) };
            made.file.entries.push_back((entry, piece.end));
        }
        others.clear();
    }

    /// Reads a puzzle: first with what follows it, then without, if the reader does not find its end.
    fn read_piece(&self, piece: &PieceText<'_>, file: &FileText<'_>, notes: &mut Notes) -> io::Result<Entry> {
        // If another piece follows, a last row of zeros does not end the file.
        let twice = piece.next.map(|_| [piece.text, piece.text].concat());
        for text in [Some(piece.rest), twice.as_deref()].into_iter().flatten() {
            let mut input = Scanner::resume(text, Arc::clone(&file.name), piece.begin);
            let entry = Self::of_piece(self).read_next(&mut input)?;
            // Numbers after the piece belong to another puzzle, and its lines belong to this one.
            let last = piece.lines[piece.lines.len() - 1].number;
            let is_within = |entry: &Entry| match &entry.work {
                Work::Invalid(problem) if is_of_no_puzzle(problem, piece) => false,
                Work::Invalid(problem) => problem.place.line <= last || problem.rule() != "numbers-surplus",
                _ => true,
            };
            if let Some(entry) = entry.filter(|entry| piece.ends_at(input.spot()) && is_within(entry)) {
                notes.append(input.exchange_notes(Notes::default()));
                return Ok(entry);
            }
        }
        let mut input = Scanner::resume(piece.text, Arc::clone(&file.name), piece.begin);
        let mut reading = Self { is_piece: true, ..Self::of_piece(self) };
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
        let problem = reading.look(problem, (piece.begin, place), &mut input)?;
        Ok(Entry { place, work: Work::Invalid(Box::new(problem)) })
    }

    /// Returns the problem that a puzzle begins with a row.
    fn without_header(&self, row: &Line<'_>) -> Problem {
        let expected = self.reader.fields().first().map(|fields| described(fields));
        let line = row.number;
        match expected {
            Some(expected) => Problem::new(row.place(), Mistake::HeaderMissing { line, expected }),
            None => Problem::new(row.place(), FormMistake::StrayLine { line }),
        }
    }

    /// Returns the problem that numbers follow a whole puzzle.
    fn surplus(&self, left: Place, lines: &[Line<'_>]) -> Problem {
        let Some(layout) = self.reader.layout(lines) else {
            let mut headers = lines.iter().zip(self.reader.fields());
            let odd = headers.find(|(line, fields)| !counts(fields).contains(&line.count()));
            return odd.map_or_else(
                || Problem::new(left, FormMistake::StrayLine { line: left.line }),
                |(line, fields)| {
                    let (numbers, expected) = (line.count(), described(fields));
                    let what = FormMistake::HeaderLength { line: line.number, numbers, expected };
                    Problem::new(line.place(), what)
                },
            );
        };
        let expected = layout.parts.iter().map(Part::numbers).sum();
        let numbers = lines.iter().skip(layout.header_lines).map(|line| u128::from(line.count())).sum();
        let header = printable(lines[0].text.trim_ascii(), QUOTE_BYTES_MAX);
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

    /// Returns what is wrong with lines that belong to no puzzle.
    fn stray(&self, read: &FileRead, line: &Line<'_>, is_marker: bool) -> Problem {
        let found = printable(line.text.trim_ascii(), QUOTE_BYTES_MAX);
        if is_marker && !self.reader.may_end() {
            let what = Mistake::MarkerEarly { found, line: line.number };
            return Problem::new(line.place(), what).recognised_if(false);
        }
        let known = read.entries.iter().find_map(|(entry, _)| match &entry.work {
            Work::Invalid(problem) if problem.place.line == line.number => Some(&**problem),
            _ => None,
        });
        // Text after an end marker that puzzles follow is no end marker.
        let is_of_line = |known: &&Problem| {
            (known.rule() != "marker-line" || known.proposal.is_some())
                && !["numbers-surplus", "header-word"].contains(&known.rule())
        };
        if let Some(problem) = known.filter(is_of_line) {
            return problem.clone();
        }
        if is_marker {
            let found = if line.numbers_only() { found } else { format!("'{found}'") };
            let what = Mistake::EndMarker { found, line: line.number, solver: self.solver };
            return Problem::new(line.place(), what).recognised_if(false);
        }
        let what = FormMistake::StrayLine { line: line.number };
        Problem::new(line.place(), what).recognised_if(false)
    }
}

/// Returns the entries without the puzzle of a header that is written twice: the mistake is that puzzle's entry.
fn without_doubled(entries: VecDeque<Queued>) -> VecDeque<Queued> {
    let mut left: VecDeque<Queued> = VecDeque::new();
    for (entry, end) in entries {
        let doubled = left.back_mut().filter(|(before, _)| {
            let is_its = |problem: &Problem| problem.place.line == entry.place.line;
            problem_of(before).is_some_and(|problem| problem.rule() == "header-doubled" && is_its(problem))
        });
        match doubled {
            Some((_, before)) => *before = end,
            None => left.push_back((entry, end)),
        }
    }
    left
}

fn quoted(text: &[u8]) -> String {
    printable(text.trim_ascii(), text.len())
}

/// Returns the ways to break a line of numbers within one of them, so that no number begins with a needless 0.
fn broken<'t>(line: &Line<'t>) -> Vec<[&'t [u8]; 2]> {
    let is_number = |digits: &[u8]| digits == b"0" || !digits.starts_with(b"0");
    let tokens = line.tokens().filter(|(_, token)| line.numbers_only() && token.len() <= JOINED_DIGITS_MAX);
    let ways = tokens.flat_map(|(place, token)| {
        let begin = (place.column - line.column) as usize;
        let ends = (1..token.len()).filter(move |&at| is_number(&token[..at]) && is_number(&token[at..]));
        ends.map(move |at| line.text.split_at(begin + at).into())
    });
    ways.take(BROKEN_MAX).collect()
}

fn ends_with_zero(text: &[u8]) -> bool {
    matches!(text, [b'0'] | [.., b' ' | b'\t', b'0'])
}

/// Returns the problem that two lines are joined, and the change that breaks them.
fn joined(line: &Line<'_>, parts: [&[u8]; 2]) -> (Problem, Proposal) {
    let ([first, second], number) = (parts.map(quoted), line.number);
    let place = Place { line: number, column: line.column + parts[0].len() as u64 };
    let lines = vec![first.clone(), second.clone()];
    let change = Proposal::ReplaceLines { from_line: number, to_line: number, lines };
    (Problem::new(place, Mistake::LinesJoined { line: number, first, second }), change)
}

/// Returns the problem that was read for exactly this piece, and where the puzzle begins.
fn known_problem(read: &FileRead, piece: &PieceText<'_>) -> Option<(Place, Box<Problem>)> {
    let (first, last) = (piece.lines[0].number, piece.lines[piece.lines.len() - 1].number);
    let is_its = |(entry, end): &&Queued| entry.place == piece.lines[0].place() && piece.ends_at(*end);
    let (entry, _) = read.entries.iter().find(is_its)?;
    let problem = problem_of(entry)
        .filter(|problem| (first..=last).contains(&problem.place.line) && !is_of_no_puzzle(problem, piece))?;
    Some((entry.place, Box::new(problem.clone())))
}

/// Returns whether the pieces explain a file better than what was read: more puzzles are valid, or as many with as few
/// mistakes, or each mistake can be corrected. Only puzzles that are written in lines count as valid in what was read.
fn is_better(made: &FileRead, read: &FileRead, [is_odd, ends_early]: [bool; 2]) -> bool {
    // Where all is valid, a puzzle is surely another one if it has a line too many or too few, and others are whole.
    if read.entries.iter().all(|(entry, _)| is_valid(entry)) {
        let is_sure = |(entry, _): &Queued| {
            problem_of(entry).is_none_or(|problem| SURE_RULES.contains(&problem.rule()))
        };
        let are_sure = || made.entries.iter().all(is_sure);
        // A doubled row can have as many numbers as a whole small board.
        let is_doubled =
            |(entry, _): &Queued| problem_of(entry).is_none_or(|problem| problem.rule() == "row-doubled");
        let are_doubled = || made.entries.len() < read.entries.len() && made.entries.iter().all(is_doubled);
        return made.valid > read.valid && (ends_early || are_sure()) || are_doubled();
    }
    let invalid = |read: &FileRead| (read.entries.len() as u64).saturating_sub(read.valid);
    let is_certain = |(entry, _): &Queued| match &entry.work {
        Work::Invalid(problem) => problem.proposal.is_some(),
        _ => true,
    };
    let are_certain = |read: &FileRead| read.entries.iter().all(is_certain);
    let is_as_good = || made.valid == read.valid && invalid(made) <= invalid(read);
    // A mistake that the reader found within the next puzzle shows that it did not see where that puzzle begins.
    let mut pairs = read.entries.iter().zip(read.entries.iter().skip(1));
    let is_within = pairs.any(|((entry, _), (next, _))| {
        problem_of(entry).is_some_and(|problem| problem.place.line > next.place.line)
    });
    if is_within && !is_odd && made.valid + 1 >= read.valid && invalid(made) <= invalid(read) {
        return true;
    }
    // A surplus row is no puzzle of its own.
    let is_surplus = |(entry, _): &Queued| {
        problem_of(entry).is_none_or(|problem| ["row-count", "row-doubled"].contains(&problem.rule()))
    };
    let is_row = made.entries.len() < read.entries.len() && made.entries.iter().all(is_surplus);
    if is_row && !is_odd && made.valid + 1 >= read.valid && invalid(made) <= invalid(read) {
        return true;
    }
    let needed = if is_odd { 2 } else { 1 };
    made.valid >= read.valid + needed || !is_odd && (is_as_good() || are_certain(made) && !are_certain(read))
}

fn problem_of(entry: &Entry) -> Option<&Problem> {
    match &entry.work {
        Work::Invalid(problem) => Some(problem),
        _ => None,
    }
}

/// Returns whether a reader took the first row of a piece for a line of no puzzle.
fn is_of_no_puzzle(problem: &Problem, piece: &PieceText<'_>) -> bool {
    [STRAY_LINE, "marker-line"].contains(&problem.rule()) && piece.lines[0].count() > 1
}

fn is_valid(entry: &Entry) -> bool {
    problem_of(entry).is_none()
}
