//! Reads a short file as it is after a change of many lines.

use std::collections::VecDeque;
use std::io;

use super::short_file::{FileRead, Queued, TRIED_BYTES_MAX, is_valid};
use super::{InputText, ReadState, Reading, excerpt, surroundings, whole_file};
use crate::recognise::puzzles_in_lines;
use tabuleiro_puzzles::input::{Marked, Notes, Scanner, Spot, Warning};
use tabuleiro_puzzles::solver::{Entry, Problem, Work};

/// Rules of lines of marks around the puzzles.
const FENCE_RULES: [&str; 2] = ["code-fence", "mark-lines"];
/// Rules of marks in all lines, which can hide that all puzzles are wrong.
const SURE_RULES: [&str; 2] = ["quoted", "line-numbers"];
/// The most changes of many lines that are tried.
const CHANGES_MAX: usize = 3;

impl Reading {
    /// Reads the file as it is after a change of many lines, such as other separators, if that mends half of the wrong
    /// puzzles and spoils no valid one. Each puzzle that is valid only after the change has the mistake that the
    /// change corrects.
    pub(super) fn read_changed(
        &self,
        read: &mut FileRead,
        text: &Marked<'_>,
    ) -> io::Result<Option<FileRead>> {
        let is_of_line = |line: u64| move |(entry, _): &Queued| entry.place.line == line && is_valid(entry);
        let wholes = || read.problems().filter(|problem| problem.what.scope == "whole");
        let explains = |problem: &Problem| problem.proposal.is_some() || whole_file::is_no_input(problem);
        let (is_whole, is_explained) = (wholes().count() > 0, wholes().any(explains));
        let is_short = text.text.len() <= TRIED_BYTES_MAX && !is_explained && self.text == InputText::File;
        if !is_short {
            return Ok(None);
        }
        let problems = surroundings::look_partly(text, &*self.unread, self.solver);
        let line_ends = surroundings::line_ends_apart(text).map(|problem| (problem, false));
        for (mut problem, is_sure) in line_ends.into_iter().chain(problems).take(CHANGES_MAX) {
            let changed = problem.proposal.as_deref().and_then(|change| change.apply(text.text, 1));
            let mut input = Scanner::new(changed.as_deref().unwrap_or_default(), "")?;
            let mut reading = self.for_changed_text();
            let mut made = FileRead::default();
            let (mut from, mut are_in_rows) = (input.spot(), true);
            while let Some(entry) = reading.read(&mut input)? {
                let to = input.spot();
                // Columns on lines of their own would be read as other rows.
                let is_new = is_valid(&entry) && !read.entries.iter().any(is_of_line(entry.place.line));
                are_in_rows &= !is_new || self.is_in_rows(from, to, &input);
                made.entries.push_back((entry, to));
                from = to;
            }
            // A wrong puzzle can have swallowed the next ones.
            let (valid, before) = (made.count_valid(), read.count_valid());
            let gained = valid.saturating_sub(before);
            let most = if is_whole { valid } else { gained.max(read.problems().count() / 2) };
            let is_kept = |(entry, _): &Queued| made.entries.iter().any(is_of_line(entry.place.line));
            let are_kept = read.entries.iter().filter(|(entry, _)| is_valid(entry)).all(is_kept);
            // Lines of marks are surely no part of a puzzle. They can have hidden what is wrong.
            let (invalid, invalid_before) = (made.problems().count(), read.problems().count());
            let has_other_lines = problem.rule() == "old-line-ends";
            let is_sure = FENCE_RULES.contains(&problem.rule()) && invalid < invalid_before
                || has_other_lines
                || is_sure && are_kept && SURE_RULES.contains(&problem.rule());
            // The change of a list can hide what else is wrong with its numbers.
            let is_odd_list = problem.rule() == "list" && invalid > 0;
            // Rows that belonged to no puzzle are those of one that has a mistake of its own.
            let has_loose = |read: &FileRead| read.problems().any(|problem| problem.rule() == "loose-rows");
            let is_clearer = valid == before && has_loose(read) && !has_loose(&made);
            let is_worse = !are_kept || !is_clearer && (valid <= before || invalid > most);
            if made.entries.is_empty() || !are_in_rows || is_odd_list || !is_sure && is_worse {
                continue;
            }
            made.notes = input.exchange_notes(Notes::default());
            // A directive below a mark that goes was not followed.
            let is_late = |warning: &&Warning| warning.what.name == "late-directive";
            made.notes.warnings.extend(read.notes.warnings.iter().filter(is_late).cloned());
            // Each change corrects only a part of what is wrong, so none is a proposal.
            let as_part =
                |problem: &mut Problem| problem.part = problem.part.take().or(problem.proposal.take());
            as_part(&mut problem);
            excerpt::add(&mut problem, text);
            let mut spoilt = Some(problem.clone().recognised_if(true));
            for (entry, _) in &mut made.entries {
                let own = read.entries.iter().position(is_of_line(entry.place.line));
                match (&mut entry.work, own) {
                    // Its change would apply to the changed lines, not to those of the file.
                    (Work::Invalid(problem), _) if has_other_lines => {
                        (problem.proposal, problem.part) = (None, None);
                    }
                    (Work::Invalid(problem), _) => {
                        as_part(problem);
                        let mut mistake = Some(&mut **problem);
                        while let Some(problem) = mistake {
                            move_back(problem, changed.as_deref().unwrap_or_default(), text);
                            mistake = problem.also.as_deref_mut();
                        }
                    }
                    // A puzzle that is valid without the change is answered as it stands in the file.
                    (_, Some(own)) => std::mem::swap(entry, &mut read.entries[own].0),
                    (work, None) => {
                        let first = spoilt.take().unwrap_or_else(|| copy_of(&problem));
                        *work = Work::Invalid(Box::new(first));
                    }
                }
            }
            if let Some(problem) = spoilt {
                made.entries.push_front((Entry::invalid(problem.recognised_if(false)), input.spot()));
            }
            return Ok(Some(made));
        }
        Ok(None)
    }

    /// Creates a reader of the file after a change.
    fn for_changed_text(&self) -> Self {
        let (reader, unread) = (self.unread.fresh_reader(), self.unread.fresh_reader());
        let (text, state) = (InputText::Changed, ReadState::Unread);
        Self { reader, unread, text, state, ..Self::for_piece(self) }
    }

    /// Adds an entry for each further puzzle that a problem of the whole file spoils. They are the puzzles of the changed
    /// file without those that are valid now.
    pub(super) fn add_spoilt(&self, entries: &mut VecDeque<Queued>, input: &Scanner<'_>) {
        let Some(text) = input.lines_from(Spot::START) else { return };
        let of_change = |(entry, _): &Queued| {
            let problem = entry.problem().filter(|problem| problem.what.scope == "whole")?;
            let changed = problem.proposal.as_deref()?.apply(text.text, 1)?;
            Some((problem.clone(), changed))
        };
        let found = (0..entries.len()).find_map(|at| Some((at, of_change(&entries[at])?)));
        let Some((at, (problem, changed))) = found.filter(|_| !self.is_trial()) else { return };
        let end = entries[at].1;
        for entry in self.behind_change(&problem, &changed, &text) {
            let line = entry.place.line;
            let before = entries.partition_point(|(entry, _)| entry.place.line < line);
            if entries.get(before).is_none_or(|(other, _)| other.place.line > line) {
                entries.insert(before.max(at + 1), (entry, end));
            }
        }
        let puzzles = puzzles_in_lines(self.solver, &changed[..]);
        let valid = entries.iter().filter(|(entry, _)| is_valid(entry)).count() as u64;
        let spoilt = puzzles.saturating_sub(valid);
        let Entry { place, work } = &mut entries[at].0;
        let place = *place;
        // The change may concern only the line with the number of puzzles.
        *work = Work::Invalid(Box::new(problem.clone().recognised_if(spoilt > 0)));
        let copy = copy_of(&problem);
        for _ in 1..spoilt {
            entries.insert(at + 1, (Entry { place, work: Work::Invalid(Box::new(copy.clone())) }, end));
        }
        self.order_as(&changed, entries);
    }

    /// Puts valid puzzles and those that one mistake spoils into the order of the changed file, so that each answer has
    /// the place of its puzzle. Does nothing if they are not all of its puzzles.
    fn order_as(&self, changed: &[u8], entries: &mut VecDeque<Queued>) {
        let printed = |entry: &Entry| match &entry.work {
            Work::Solve(puzzle) => Some(puzzle.to_string()),
            _ => None,
        };
        let Ok(mut input) = Scanner::new(changed, "") else { return };
        let mut reading = self.for_changed_text();
        let all = std::iter::from_fn(|| reading.read(&mut input).ok().flatten());
        let mut valid: VecDeque<_> = entries.iter().filter_map(|(entry, _)| printed(entry)).collect();
        let (count, spoilt) = (valid.len(), entries.len() - valid.len());
        // For each puzzle of the changed file, whether it is the next valid one.
        let are_valid: Vec<_> = all
            .map(|entry| {
                let is_next = valid.front().is_some_and(|next| Some(next) == printed(&entry).as_ref());
                is_next && valid.pop_front().is_some()
            })
            .collect();
        if !valid.is_empty() || are_valid.len() != count + spoilt {
            return;
        }
        // Reading never goes back, so the ends stay in their order.
        let mut ends: Vec<_> = entries.iter().map(|(_, end)| *end).collect();
        ends.sort_by_key(Spot::offset);
        let (mut valid, mut spoilt): (VecDeque<_>, VecDeque<_>) =
            entries.drain(..).map(|(entry, _)| entry).partition(is_valid);
        let next = |is_valid: bool| if is_valid { valid.pop_front() } else { spoilt.pop_front() };
        entries.extend(are_valid.into_iter().filter_map(next).zip(ends));
    }

    /// Returns the valid puzzles below the lines that a change concerns. They stand as they should, though the mistake in
    /// those lines hid where they begin.
    fn behind_change(&self, problem: &Problem, changed: &[u8], text: &Marked<'_>) -> Vec<Entry> {
        let last = problem.proposal.as_ref().map_or(u64::MAX, |change| change.lines().1);
        let feeds = |text: &[u8]| text.iter().filter(|&&byte| byte == b'\n').count() as u64;
        let [old, new] = [text.text, changed].map(feeds);
        let (Ok(mut input), InputText::File) = (Scanner::new(changed, ""), self.text) else {
            return Vec::new();
        };
        let mut reading = self.for_changed_text();
        let valid = std::iter::from_fn(|| reading.read(&mut input).ok().flatten()).filter(is_valid);
        let lines =
            valid.map(|entry| (entry.place.line + old).saturating_sub(new)).filter(|&line| line > last);
        let ends: Vec<_> = text.text.iter().enumerate().filter(|(_, byte)| **byte == b'\n').collect();
        let read = |line| {
            let begin = ends.get(usize::try_from(line).ok()?.checked_sub(2)?)?.0 + 1;
            let spot = Spot::at_line(begin as u64, line);
            let mut input = Scanner::resume(&text.text[begin..], "", spot);
            self.unread.puzzle_reader().read(&mut input).ok()?.filter(is_valid)
        };
        lines.filter_map(read).collect()
    }
}

/// Moves the place of a problem from the changed text to the file, if the change removed the beginning of its line.
/// Both have the same number of lines.
fn move_back(problem: &mut Problem, changed: &[u8], text: &Marked<'_>) {
    let number = problem.place.line;
    let new = usize::try_from(number - 1).ok().and_then(|at| changed.split(|&byte| byte == b'\n').nth(at));
    let (Some(new), Some(old)) = (new.map(<[u8]>::trim_ascii_end), text.line(number)) else { return };
    let old = old.text.trim_ascii_end();
    if old.len() > new.len() && old.ends_with(new) {
        problem.place.column += (old.len() - new.len()) as u64;
        // The corrected line is one of the changed text.
        let corrected = std::mem::take(&mut problem.corrected);
        (problem.excerpt, problem.context) = (None, Vec::new());
        excerpt::add(problem, text);
        problem.corrected = corrected;
    }
}

/// Returns the problem of a further puzzle that a mistake of the whole file spoils.
fn copy_of(problem: &Problem) -> Problem {
    let problem = problem.clone().proposing(None).recognised_if(true);
    Problem { part: None, excerpt: None, context: Vec::new(), corrected: Vec::new(), ..problem }
}
