//! Reads a short file at once, so that all of it can be considered before anything is reported.

use std::collections::VecDeque;
use std::io;

use super::merge_conflict::CONFLICT_RULE;
use super::second_mistakes::number_of;
use super::{InputText, Mistake, ReadState, Reading, excerpt, neighbours, surroundings, whole_file};
use crate::recognise::{InLines, Recognised, is_in_rows, read_in_lines, recognise};
use crate::summary::{STRAY_RULE, is_of_count, is_of_lines};
use tabuleiro_puzzles::input::{Line, Marked, Notes, Place, Scanner, Spot, Warning};
use tabuleiro_puzzles::solver::{Entry, Problem, Proposal, SOLVERS, Work};

/// The most proposals that are tried on the whole file, and the size of the largest file on which they are tried.
const TRIED_MAX: usize = 20;
pub(super) const TRIED_BYTES_MAX: usize = 16 << 10;
/// Rules of end markers, after whose correction no puzzle is left.
const MARKER_RULES: [&str; 3] = ["marker-line", "marker-early", "end-marker"];
/// The most early end markers that are counted.
const MARKERS_MAX: usize = 64;

/// An entry, and the spot after it.
pub type Queued = (Entry, Spot);

/// The entries of a file, and what else was noted.
#[derive(Default)]
pub(super) struct FileRead {
    pub entries: VecDeque<Queued>,
    pub notes: Notes,
    /// How many puzzles are valid and written in lines of their own.
    pub valid: u64,
}

impl FileRead {
    /// Returns what is wrong with the puzzles.
    pub fn problems(&self) -> impl Iterator<Item = &Problem> {
        self.entries.iter().filter_map(|(entry, _)| entry.problem())
    }

    /// Returns whether all puzzles are valid.
    pub fn is_valid(&self) -> bool {
        self.problems().next().is_none()
    }

    /// Returns how many puzzles are valid, however their lines are broken.
    pub fn count_valid(&self) -> usize {
        self.entries.len() - self.problems().count()
    }

    /// Returns the changes that explain all mistakes in some lines.
    fn whole_changes(&self) -> impl Iterator<Item = &Proposal> {
        let wholes = self.problems().filter(|problem| whole_file::explains_all(problem));
        wholes.filter_map(|problem| problem.proposal.as_deref())
    }

    /// Removes valid puzzles on lines that a mistake of the whole file changes: their numbers are not what was meant.
    fn forget_changed(&mut self, text: &Marked<'_>) {
        let Some(change) = self.whole_changes().next().cloned() else { return };
        let is_kept = |(entry, end): &Queued| {
            let first = entry.place.line;
            !is_valid(entry)
                || !(first..end.line().max(first + 1)).any(|line| is_changed(&change, line, text))
        };
        self.entries.retain(is_kept);
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
        if read.entries.is_empty() {
            read.entries.extend(self.hidden_lines(input).map(|entry| (entry, end)));
        }
        // Neither uneven rows with the right count of numbers nor answers after the puzzles leave a doubt where a
        // puzzle ends, unless the reader ignored lines after an end marker.
        let has_ignored = read.notes.ignored_line().is_some();
        let is_clear = |problem: &Problem| ["row-lengths", "answers-behind"].contains(&problem.rule());
        let mut is_wrong = read.problems().any(|problem| has_ignored || !is_clear(problem));
        input.go_back(begin);
        let text = input.lines_from(Spot::START).filter(|_| is_wrong);
        if let Some(problem) = text.and_then(|text| self.whole_file_problem(&read, &text)) {
            let place = problem.place;
            let explains_all = whole_file::explains_all(&problem);
            let entry = Entry::invalid(problem);
            if !explains_all {
                input.exchange_notes(notes);
                input.drain()?;
                let mut entries = [(entry, input.spot())].into();
                self.add_spoilt(&mut entries, input);
                return Ok(entries);
            }
            read.entries.retain(|(entry, _)| is_valid(entry));
            let at = read.entries.partition_point(|(entry, _)| entry.place.line < place.line);
            let to = at.checked_sub(1).map_or(begin, |before| read.entries[before].1);
            read.entries.insert(at, (entry, to));
            (is_wrong, self.is_explained) = (false, true);
        }
        if let Some(text) = input.lines_from(Spot::START) {
            read.forget_changed(&text);
        }
        let has_conflict = read.problems().any(|problem| problem.rule() == CONFLICT_RULE);
        // After the division, a wrong number of puzzles has the place of that number.
        if read.problems().any(|problem| is_of_count(problem.rule())) && !self.is_trial() {
            is_wrong &= !self.find_other_solver(&mut read, input);
        }
        // Rows without a header can begin like an end marker.
        let ends_early = read.entries.is_empty() && has_ignored || self.ignores_rows(&read, input);
        let is_odd = is_wrong || read.notes.has_wrapped || ends_early;
        if is_odd && !has_conflict && self.state != ReadState::Over && !self.is_explained {
            let mut from = begin;
            for (entry, to) in &read.entries {
                read.valid += u64::from(is_valid(entry) && self.is_in_rows(from, *to, input));
                from = *to;
            }
            if let Some(divided) = self.divided(&read, ends_early, input)? {
                (read, end) = (divided, input.spot());
                is_wrong = !read.is_valid();
            }
        }
        if is_wrong {
            read.entries = without_doubled(read.entries);
        }
        // A change of the whole file can remove what stands behind the end marker.
        let changed = read.whole_changes().map(|change| change.lines().1).max();
        let hidden = read.notes.ignored_line().filter(|&line| changed.is_some_and(|last| line <= last));
        if let Some(line) = hidden {
            read.notes.forget_from(line);
        }
        if !is_wrong && !self.is_trial() {
            self.find_early_markers(&mut read, begin, input)?;
        }
        if (is_wrong || has_ignored) && !self.is_trial() {
            is_wrong &= !self.find_other_solver(&mut read, input);
        }
        Self::mend_warnings(&mut read, input.lines_from(begin));
        if is_wrong && !self.is_trial() {
            self.find_line_change(&mut read, begin, input)?;
            self.try_proposals(&mut read, begin, input)?;
            if let Some(text) = input.lines_from(Spot::START) {
                neighbours::look(&mut read, &text, self.solver.id());
                read.entries = without_doubled(read.entries);
            }
        }
        let text = input.lines_from(Spot::START);
        if let Some(text) = text.as_ref().filter(|_| is_wrong && !has_conflict && !self.is_explained)
            && let Some(changed) = self.read_changed(&mut read, text)?
        {
            notes.append(changed.notes);
            input.exchange_notes(notes);
            input.drain()?;
            let end = input.spot();
            return Ok(changed.entries.into_iter().map(|(entry, _)| (entry, end)).collect());
        }
        Self::add_excerpts(&mut read, text);
        notes.append(read.notes);
        input.exchange_notes(notes);
        input.go_back(end);
        self.add_spoilt(&mut read.entries, input);
        Ok(read.entries)
    }

    /// Returns the problem of a file without line feeds: a comment at its beginning hides all lines.
    fn hidden_lines(&self, input: &Scanner<'_>) -> Option<Entry> {
        let text = input.lines_from(Spot::START)?;
        let problem = Problem::new(text.first, whole_file::old_line_ends(text.text)?).recognised_if(false);
        let mut problem = surroundings::with_line_ends(problem, &text, self.solver);
        excerpt::add(&mut problem, &text);
        Some(Entry::invalid(problem))
    }

    /// Adds the missing excerpts. When the reader notices a wrong number of puzzles, that line has left the window.
    fn add_excerpts(read: &mut FileRead, text: Option<Marked<'_>>) {
        let Some(text) = text else { return };
        for (entry, _) in &mut read.entries {
            if let Work::Invalid(problem) = &mut entry.work
                && problem.excerpt.is_none()
            {
                excerpt::add(problem, &text);
            }
        }
    }

    /// Returns the problem of line numbers or marks before all lines, of tables or of empty cells in a file whose first
    /// puzzle is valid: the reader may have taken it from the lines of several puzzles.
    fn whole_file_problem(&self, read: &FileRead, text: &Marked<'_>) -> Option<Problem> {
        let is_first = read.entries.front().is_some_and(|(entry, _)| is_valid(entry));
        let reader = Some(&*self.unread).filter(|_| is_first && !self.is_trial())?;
        let mut found = whole_file::look(text, reader, self.solver)?;
        excerpt::add(&mut found, text);
        let is_of_all_lines = ["line-numbers", "quoted", "table", "empty-cells"].contains(&found.rule());
        (found.proposal.is_some() && is_of_all_lines).then_some(found)
    }

    /// Removes warnings that a mistake explains, and replaces them if the line ends are the cause.
    fn mend_warnings(read: &mut FileRead, text: Option<Marked<'_>>) {
        let (Some(text), false) = (text, read.notes.warnings.is_empty()) else { return };
        let changed: Vec<_> = read.whole_changes().map(Proposal::lines).collect();
        for (from, to) in changed {
            // The changed lines can go on as the next puzzle.
            read.notes.warnings.retain(|warning| {
                // A directive in these lines was not followed, whatever is wrong with them.
                warning.what.name == "late-directive"
                    || !(from..=to).contains(&warning.place.line) && warning.what.name != "within-line"
            });
        }
        if read.problems().any(|problem| problem.rule() == "old-line-ends") {
            read.notes.warnings.clear();
        }
        let end = text.text.trim_ascii_end();
        let is_marker = |problem: &Problem| problem.rule() == "marker-line" && problem.proposal.is_some();
        let last = read.entries.back().and_then(|(entry, _)| entry.problem());
        let is_cut = |problem: &Problem| problem.rule() == "numbers-missing";
        let changed = last.and_then(|last| Some(last.proposal.as_ref()?.lines().1)).unwrap_or(0);
        let is_explained = last.is_some_and(|last| is_marker(last) || is_cut(last) || end.ends_with(b"0 0"));
        read.notes.warnings.retain(|warning| {
            warning.what.name != "marker-missing" || !is_explained && warning.place.line > changed
        });
        if let Some(mistake) = whole_file::old_line_ends(end).filter(|_| read.is_valid()) {
            let warning = Warning { place: text.first, what: mistake.into(), is_in_result: true };
            read.notes.warnings.splice(.., [warning]);
        }
    }

    /// Returns whether the lines that were ignored after an end marker begin with no header.
    fn ignores_rows(&self, read: &FileRead, input: &Scanner<'_>) -> bool {
        let ignored = read.notes.ignored_line();
        let Some((first, text)) = ignored.zip(input.lines_from(Spot::START)) else { return false };
        let mut lines = text.lines_to_end();
        lines.retain(|line| line.number >= first);
        lines.first().is_some_and(Line::numbers_only) && self.unread.layout(&lines).is_none()
    }

    /// Notes the end markers that stand before more puzzles, if the whole file is valid without them.
    fn find_early_markers(&self, read: &mut FileRead, begin: Spot, input: &Scanner<'_>) -> io::Result<()> {
        let Some(ignored) = &mut read.notes.ignored else { return Ok(()) };
        let text = input.lines_from(begin).filter(|text| text.is_whole && text.text.len() <= TRIED_BYTES_MAX);
        let Some(text) = text else { return Ok(()) };
        let start = begin.begin_of_line();
        let (mut lines, mut markers) =
            (text.text.split(|&byte| byte == b'\n').collect::<Vec<_>>(), Vec::new());
        let mut end = InLines::Marked { line: ignored.marker };
        let mut puzzles = 0;
        while let (InLines::Marked { line }, 0..=MARKERS_MAX) = (&end, markers.len()) {
            markers.push(*line);
            lines[(line - text.first.line) as usize] = b"";
            let text = lines.join(&b'\n');
            let mut input = Scanner::resume(&text[..], "", start);
            (puzzles, end) = read_in_lines(&mut *self.unread.fresh_reader(), &mut input)?;
        }
        if end == InLines::Whole {
            ignored.puzzles = puzzles.saturating_sub(read.entries.len() as u64);
            ignored.markers = markers;
        }
        Ok(())
    }

    /// Reports that another solver can read the rest of the file, from the first puzzle after a valid one that this
    /// solver cannot read, or from what stands behind the end marker; or only the lines up to the next valid puzzle.
    /// Returns whether this explains the rest of the file.
    fn find_other_solver(&self, read: &mut FileRead, input: &Scanner<'_>) -> bool {
        let invalid = read.entries.iter().position(|(entry, _)| !is_valid(entry));
        let line_of = |at: usize| read.entries[at].0.place.line;
        let invalid = invalid.filter(|&at| at > 0 && line_of(at) > line_of(at - 1));
        let next = |at: usize| (at..read.entries.len()).find(|&next| is_valid(&read.entries[next].0));
        let until_next =
            invalid.and_then(|at| Some((at, line_of(at), next(at).map(|next| (next, line_of(next)))?)));
        let until_next = until_next.map(|(at, line, next)| (at, line, Some(next)));
        let to_end = invalid.map(|at| (at, line_of(at), None));
        let ignored = read.notes.ignored_line().map(|line| (read.entries.len(), line, None));
        let Some(text) = input.lines_from(Spot::START).filter(|text| text.is_whole) else { return false };
        let feeds: Vec<_> = (0..text.text.len()).filter(|&at| text.text[at] == b'\n').collect();
        let begin_of =
            |line: u64| feeds.get(usize::try_from(line).ok()?.checked_sub(2)?).map(|feed| feed + 1);
        for (at, line, next) in to_end.into_iter().chain(until_next).chain(ignored) {
            let end = next.map_or(Some(text.text.len()), |(_, line)| begin_of(line));
            let Some(part) = begin_of(line).zip(end).and_then(|(begin, end)| text.text.get(begin..end))
            else {
                continue;
            };
            let others = SOLVERS.iter().copied().filter(|other| other.id() != self.solver.id());
            // A last game without its moves is a board of another solver, and a board with a row too many is a game.
            let is_other = |found: &&Recognised| match found.solver.id() {
                _ if found.puzzles > 1 => true,
                "2048-astar" => false,
                "2048-game" => part.iter().any(u8::is_ascii_alphabetic),
                _ => true,
            };
            let found = recognise(others, || Ok(part));
            let [&Recognised { solver, puzzles }] = found.iter().filter(is_other).collect::<Vec<_>>()[..]
            else {
                continue;
            };
            let (place, last) = (Place { line, column: 1 }, next.map_or(0, |(_, next)| next - 1));
            let what = Mistake::OtherSolver { line, last, solver: solver.id(), puzzles };
            let mut problem = Problem::new(place, what).recognised_if(true);
            excerpt::add(&mut problem, &text);
            let to = next.map_or(read.entries.len(), |(next, _)| next);
            let end = to.checked_sub(1).map_or(Spot::START, |last| read.entries[last].1);
            read.entries.drain(at..to);
            read.entries.insert(at, (Entry::invalid(problem), end));
            if next.is_none() {
                read.notes.forget_from(line);
            }
            return next.is_none();
        }
        false
    }

    /// Withdraws proposals after which the puzzle would not be valid when the changed file is read from its beginning.
    /// Adds the valid puzzles whose headers stand on the line of a row.
    fn try_proposals(&self, read: &mut FileRead, begin: Spot, input: &Scanner<'_>) -> io::Result<()> {
        let Some(text) = input.lines_from(begin).filter(|text| text.text.len() <= TRIED_BYTES_MAX) else {
            return Ok(());
        };
        let start = begin.begin_of_line();
        let trial = || {
            let mut reading = Self { text: InputText::Trial, ..Self::for_piece(self) };
            reading.reader = self.unread.fresh_reader();
            (reading.unread, reading.state) = (self.unread.fresh_reader(), ReadState::Unread);
            reading
        };
        // If all puzzles have the same mistake in their headers, only all changes together show where each puzzle ends.
        let rule = read.problems().next().map_or("", Problem::rule);
        let are_alike = rule.starts_with("header-") && read.problems().all(|problem| problem.rule() == rule);
        let changes: Option<Vec<_>> = read.problems().filter(|_| are_alike).map(Problem::change).collect();
        let together = changes.filter(|changes| changes.len() > 1).map(Proposal::together);
        if let Some(changed) = together.and_then(|change| change.apply(text.text, text.first.line)) {
            let (mut reading, mut input) = (trial(), Scanner::resume(&changed[..], "", start));
            let mut are_valid = true;
            while let Some(entry) = reading.read(&mut input)? {
                are_valid &= is_valid(&entry);
            }
            if are_valid {
                for (entry, _) in &mut read.entries {
                    if let Work::Invalid(problem) = &mut entry.work {
                        problem.part = problem.part.take().or(problem.proposal.take());
                    }
                }
                return Ok(());
            }
        }
        let entries = read.entries.iter_mut().enumerate();
        let proposing = entries.filter_map(|(at, (entry, end))| match &mut entry.work {
            Work::Invalid(problem) if problem.proposal.is_some() => Some((at, entry.place, problem, *end)),
            _ => None,
        });
        let mut hidden = Vec::new();
        for (at, place, problem, end) in proposing.take(TRIED_MAX) {
            let proposal = problem.proposal.as_deref();
            let changed = proposal.and_then(|proposal| proposal.apply(text.text, text.first.line));
            let mut input = Scanner::resume(changed.as_deref().unwrap_or_default(), "", start);
            let mut reading = trial();
            // Nothing need follow if the change removes lines that belong to no puzzle.
            let mut is_right = matches!(proposal, Some(Proposal::RemoveLines { .. }))
                || MARKER_RULES.contains(&problem.rule());
            while let Some(entry) = reading.read(&mut input)? {
                if entry.place.line >= place.line {
                    // A row on the line of a header was not meant.
                    let warnings = input.exchange_notes(Notes::default()).warnings;
                    let is_odd = warnings.iter().any(|warning| {
                        warning.what.name == "shared-line" && warning.place.line >= place.line
                    });
                    let is_stray = problem.rule() == STRAY_RULE;
                    is_right = (is_valid(&entry) || is_stray && is_recognised(&entry)) && !is_odd;
                    break;
                }
            }
            if changed.is_none() || !is_right {
                problem.proposal = None;
                problem.corrected.clear();
            } else if problem.rule() == "header-on-row"
                && let Some(Entry { work: Work::Solve(puzzle), .. }) = reading.read(&mut input)?
                && puzzle.mistake().is_none()
            {
                hidden.push((at + 1, (Entry { place: problem.place, work: Work::Solve(puzzle) }, end)));
            }
        }
        for (at, entry) in hidden.into_iter().rev() {
            read.entries.insert(at, entry);
        }
        Ok(())
    }

    /// Returns whether a puzzle has one row per line, or each part on one line, perhaps after a line with the number of
    /// puzzles if the format has one.
    pub(super) fn is_in_rows(&self, from: Spot, to: Spot, input: &Scanner<'_>) -> bool {
        let reader = self.reader.puzzle_reader();
        input.lines_from(from).is_some_and(|text| {
            let read = (to.offset() - from.offset() + from.bytes_of_line()) as usize;
            let lines = Marked { read, ..text }.lines();
            let is_counted = from.is_before_tokens() && self.unread.fields().is_empty();
            let without_first = || lines.get(1..).filter(|_| is_counted);
            is_in_rows(&*reader, &lines) || without_first().is_some_and(|lines| is_in_rows(&*reader, lines))
        })
    }
}

/// Returns whether a proposal changes the text of a line, or of a line near it. A removed line does not count as
/// changed.
fn is_changed(change: &Proposal, line: u64, text: &Marked<'_>) -> bool {
    let (from, to) = change.lines();
    match change {
        Proposal::All { changes } => changes.iter().any(|change| is_changed(change, line, text)),
        Proposal::RemoveLines { .. } | Proposal::InsertLine { .. } => false,
        _ if !(from..=to).contains(&line) => false,
        Proposal::ReplaceLines { lines, .. } if lines.len() as u64 == to - from + 1 => {
            let old = text.line(line).map(|line| line.text.trim_ascii());
            old != Some(lines[(line - from) as usize].as_bytes())
        }
        _ => true,
    }
}

/// Returns the entries without each puzzle whose mistake is the entry before it: its header is written twice, or its
/// seed stands before it.
fn without_doubled(entries: VecDeque<Queued>) -> VecDeque<Queued> {
    let mut left: VecDeque<Queued> = VecDeque::new();
    for (entry, end) in entries {
        let line = entry.place.line;
        let is_its = |problem: &Problem| match problem.rule() {
            "header-doubled" => problem.place.line == line,
            "seed-line" => problem.place.line < line && number_of(problem, "line") == Some(line),
            _ => false,
        };
        match left.back_mut().filter(|(before, _)| before.problem().is_some_and(is_its)) {
            Some((_, before)) => *before = end,
            None => left.push_back((entry, end)),
        }
    }
    left
}

pub(super) fn is_valid(entry: &Entry) -> bool {
    entry.problem().is_none()
}

/// Returns whether the beginning of a puzzle was readable, whatever else is wrong with it.
pub(super) fn is_recognised(entry: &Entry) -> bool {
    entry.problem().is_none_or(|problem| problem.recognised && is_in_puzzle(problem))
}

/// Returns whether a problem is about a puzzle, not about lines between puzzles or their number.
pub(super) fn is_in_puzzle(problem: &Problem) -> bool {
    !is_of_lines(problem.rule()) && !is_of_count(problem.rule())
}
