//! `check --fix`: writes a corrected copy of a file.

use std::fs::File;
use std::io::{Read, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::check::Findings;
use super::output::Output;
use crate::cli::arguments::printable_path;
use crate::cli::cli_messages::CliMessage;
use crate::cli::failure::{Exit, Failure};
use crate::config::{ResolvedJob, read_head};
use tabuleiro_jobs::{MessageStyle, wrapped};
use tabuleiro_puzzles::input::{Scanner, printable};
use tabuleiro_puzzles::solver::{Problem, Proposal};

/// The maximum size in bytes of a file that is fixed, since it is held in memory.
const FILE_BYTES_MAX: u64 = 256 << 20;
/// The maximum number of bytes of a line that are shown.
const LINE_BYTES_MAX: usize = 200;
/// The maximum number of changed lines that are listed.
const LISTED_MAX: u64 = 60;
/// How often a fixed text is read again for further changes.
const ROUNDS_MAX: usize = 20;
/// How many sets of changes are tried in a round.
const TRIED_MAX: usize = 4;
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Writes the corrected copy, and returns the list of changes. `directives` are the wrong directives. The corrected text
/// is read again, because a change can bring another mistake to light. Returns `None` if nothing can be corrected.
///
/// # Errors
/// Exit code 74 if the file cannot be read again, 73 if the copy cannot be created, 64 if the file is too large.
pub fn write_fixed(
    path: &Path,
    job: &ResolvedJob,
    directives: &[Problem],
    style: &MessageStyle,
) -> Result<Option<String>, Failure> {
    let name = printable_path(path);
    let mut file = Vec::new();
    File::open(path)
        .and_then(|source| source.take(FILE_BYTES_MAX + 1).read_to_end(&mut file))
        .map_err(|error| Failure::read(&name, &error))?;
    if file.len() as u64 > FILE_BYTES_MAX {
        let message = CliMessage::FixTooLarge { name, bytes_max: FILE_BYTES_MAX };
        return Err(Failure::of(Exit::Usage, message));
    }
    // Places do not count the byte order mark.
    let text = file.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&file);
    let numbers = (1..).take(lines_of(text).count()).collect();
    let mut draft = Draft::checked((text.to_vec(), numbers), &name, job)?;
    let mut corrected: Vec<_> = directives.iter().filter_map(Problem::change).collect();
    corrected.sort_by_key(Proposal::lines);
    let mut changes = 0;
    if !corrected.is_empty() {
        let (text, numbers, made) = draft.changed(&corrected);
        (draft, changes) = (Draft::checked((text, numbers), &name, job)?, made);
    }
    for _ in 0..ROUNDS_MAX {
        let Some((better, made)) = draft.better(&name, job)? else { break };
        (draft, changes) = (better, changes + made);
    }
    if changes == 0 {
        return Ok(None);
    }
    let path = fixed_path(path);
    let mut output = Output::open(Some(&path))?;
    let mark = &file[..file.len() - text.len()];
    output
        .write_all(&[mark, &with_line_ends(text, &draft.text)].concat())
        .map_err(|error| Failure::output(&error))?;
    output.commit()?;
    let Draft { ref found, warnings, ignored, .. } = draft;
    let left = found.mistakes.count + (directives.len() - corrected.len()) as u64;
    let name = printable_path(&path);
    let written = CliMessage::FixWritten { name, left, warnings, ignored };
    Ok(Some(wrapped(&style.say(written), style.columns) + &draft.listed(text, style)))
}

/// A text, and what a check finds in it.
struct Draft {
    text: Vec<u8>,
    /// For each line, the number of the line of the file from which it was made, or before which it was inserted.
    numbers: Vec<u64>,
    found: Findings,
    /// The proposed changes, from the first line to the last.
    proposals: Vec<Proposal>,
    /// The number of warnings, and of lines that were not read.
    warnings: u64,
    ignored: u64,
}

impl Draft {
    /// Checks a text.
    fn checked((text, numbers): (Vec<u8>, Vec<u64>), name: &str, job: &ResolvedJob) -> Result<Self, Failure> {
        let mut scanner = Scanner::new(&text[..], name).map_err(|error| Failure::read(name, &error))?;
        // Ignores the result, because the directives were read before and no change affects them.
        drop(read_head(&mut scanner, None));
        let mut proposals = Vec::new();
        let found = Findings::read(&mut scanner, job, |_, problem| {
            proposals.extend(problem.change());
            Ok(())
        })?;
        let (warnings, dropped) = scanner.take_warnings();
        let ignored = scanner.take_ignored().map_or(0, |ignored| ignored.lines);
        drop(scanner);
        proposals.sort_by_key(Proposal::lines);
        let warnings = warnings.len() as u64 + dropped;
        Ok(Self { text, numbers, found, proposals, warnings, ignored })
    }

    /// Returns the text with all proposed changes, or else with one of them, and how many were made. `None` if no
    /// change improves the text: each change makes its own puzzle valid, but it can change how later puzzles are read.
    fn better(&self, name: &str, job: &ResolvedJob) -> Result<Option<(Self, u64)>, Failure> {
        let all = std::iter::once(&self.proposals[..]);
        let single = self.proposals.chunks(1).filter(|_| self.proposals.len() > 1);
        for proposals in all.chain(single).take(TRIED_MAX) {
            let (text, numbers, changes) = self.changed(proposals);
            if changes == 0 {
                continue;
            }
            let made = Self::checked((text, numbers), name, job)?;
            let (new, old) = (&made.found, &self.found);
            // A puzzle can have a further mistake, which was reported with the one that is corrected.
            let is_better = new.valid >= old.valid + changes
                || new.mistakes.entries + changes <= old.mistakes.entries
                || new.mistakes.entries <= old.mistakes.entries
                    && new.mistakes.count + changes <= old.mistakes.count;
            // Or it brings another one to light.
            let rules = |found: &Findings| {
                found.mistakes.shown.iter().map(|(_, shown)| shown.rule()).collect::<Vec<_>>()
            };
            let is_other = new.mistakes.entries <= old.mistakes.entries
                && new.mistakes.count <= old.mistakes.count
                && rules(new) != rules(old);
            let is_better = is_better || is_other;
            let is_empty = new.valid + new.mistakes.puzzles == 0 && !new.allows_empty;
            if new.valid >= old.valid && is_better && !is_empty {
                return Ok(Some((made, changes)));
            }
        }
        Ok(None)
    }

    /// Returns the changed text, the numbers of its lines, and the number of changes.
    fn changed(&self, proposals: &[Proposal]) -> (Vec<u8>, Vec<u64>, u64) {
        let lines: Vec<_> = lines_of(&self.text).collect();
        let (mut text, mut numbers) = (Vec::new(), Vec::new());
        let (mut copied, mut changes) = (0, 0);
        // Returns the lines that a change affects, and the new ones.
        let made = |change: &Proposal| {
            let (from, to) = change.lines();
            let range = usize::try_from(from - 1).ok()?..usize::try_from(to).ok()?;
            let new = change.apply(&lines.get(range.clone())?.concat(), from)?;
            Some((range, new))
        };
        for proposal in proposals {
            // If two proposals affect the same line, only the first is made.
            let is_free = made(proposal).is_some_and(|(range, _)| range.start >= copied);
            for (Range { start, end }, new) in
                proposal.apart().into_iter().filter(|_| is_free).filter_map(made)
            {
                let old = &lines[start..end];
                text.extend(lines[copied..start].concat());
                numbers.extend(&self.numbers[copied..start]);
                let mut next = 0;
                for (index, line) in lines_of(&new).enumerate() {
                    let kept = old.iter().skip(next).position(|old| *old == line).map(|after| next + after);
                    let at = kept.unwrap_or(next).min(old.len() - 1);
                    numbers.push(self.numbers[start + at]);
                    // A line before one that stays is inserted; otherwise it replaces an old one.
                    let is_inserted =
                        kept.is_none() && lines_of(&new).skip(index + 1).any(|new| new == old[at]);
                    next = if is_inserted { at } else { at + 1 };
                }
                text.extend(new);
                copied = end;
            }
            changes += u64::from(is_free);
        }
        text.extend(lines[copied..].concat());
        numbers.extend(&self.numbers[copied..]);
        (text, numbers, changes)
    }

    /// Returns the lines of the file that differ from those of this text, before and after.
    fn listed(&self, file: &[u8], style: &MessageStyle) -> String {
        let (mut listed, mut lines) = (String::new(), 0);
        let mut list = |number: u64, sign: char, line: &[u8]| {
            let shown = printable(line.trim_ascii_end(), LINE_BYTES_MAX);
            lines += 1;
            if lines <= LISTED_MAX {
                listed.push_str(&format!("  {number} {sign} {shown}\n"));
            }
        };
        let mut made = lines_of(&self.text).zip(&self.numbers).peekable();
        for (number, old) in (1..).zip(lines_of(file)) {
            let mut new = Vec::new();
            while let Some((line, _)) = made.next_if(|(_, from)| **from == number) {
                new.push(line);
            }
            match new.iter().position(|line| *line == old) {
                Some(kept) => drop(new.remove(kept)),
                None => list(number, '-', old),
            }
            for line in new {
                list(number, '+', line);
            }
        }
        let lines = lines.saturating_sub(LISTED_MAX);
        if lines > 0 {
            listed.push_str(&format!("  {}\n", style.say(CliMessage::FixMore { lines })));
        }
        listed
    }
}

fn lines_of(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split_inclusive(|&byte| byte == b'\n')
}

/// Returns a corrected text with CR LF at the end of all lines if the text had that: new lines end with LF alone.
fn with_line_ends(text: &[u8], corrected: &[u8]) -> Vec<u8> {
    let is_dos = |line: &[u8]| line.ends_with(b"\r\n");
    if !lines_of(text).next().is_some_and(is_dos)
        || !lines_of(text).all(|line| is_dos(line) || !line.ends_with(b"\n"))
    {
        return corrected.to_vec();
    }
    let ends = |line| match <[u8]>::strip_suffix(line, b"\n") {
        Some(bare) => [bare.strip_suffix(b"\r").unwrap_or(bare), b"\r\n"].concat(),
        None => line.to_vec(),
    };
    lines_of(corrected).flat_map(ends).collect()
}

/// Returns `entrada.fixed.txt` for `entrada.txt`.
fn fixed_path(path: &Path) -> PathBuf {
    let is_text = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("txt"));
    let mut name = if is_text { path.file_stem() } else { path.file_name() }.unwrap_or_default().to_owned();
    name.push(".fixed.txt");
    path.with_file_name(name)
}
