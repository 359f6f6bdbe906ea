//! Mistakes on several lines of one puzzle. Each is found by itself: in a copy, right lines replace the others.

use std::sync::Arc;

use super::division::FileText;
use super::header_changes::{count_behind, fitting_rows, in_range, likely_headers, shorter_headers};
use super::missing_rows::zeros;
use super::proposal_trial::{TRIED_BYTES_MAX, Trial};
use super::{InputText, Reading};
use tabuleiro_puzzles::input::{Line, Marked, Next, Notes, Place, Scanner, Spot};
use tabuleiro_puzzles::solver::{Field, Part, Problem, Proposal, are_allowed, counts};

/// The most lines of a puzzle that is examined, and the most wrong lines among them.
const LINES_MAX: usize = 128;
const WRONG_MAX: usize = 8;
/// The longest text of such a puzzle, in bytes.
const TEXT_MAX: u64 = 8 << 10;
/// What examining one line costs of the bytes that trials can read. Half of these bytes are left to other trials.
const LINE_BYTES: u64 = 16 << 10;
/// A line of moves without any move.
const NO_MOVES: &str = "-";

/// Rules of mistakes that several lines show together.
const OF_LINES: [&str; 8] = [
    "row-lengths",
    "rows-turned",
    "blank-squares",
    "piece-marks",
    "header-in-turn",
    "row-blank",
    "players-exchanged",
    "players-from-one",
];

/// A puzzle with one row per line.
struct Puzzle<'a> {
    lines: &'a [Line<'a>],
    /// A right line for each line: the header as it is or was probably meant, rows of zeros, no moves.
    right: Vec<String>,
    /// How many lines precede the rows.
    header_lines: usize,
    /// The lines that are examined together: each line, or those of all players.
    units: Vec<Vec<usize>>,
}

/// Wrong lines with the same mistake.
struct Group {
    lines: Vec<usize>,
    mistakes: Vec<Problem>,
    /// The mistakes are those of the first of these lines only.
    has_more: bool,
}

impl Reading {
    /// Returns the mistakes of a puzzle if several of its lines are wrong; `None` if the puzzle has not as many lines as
    /// it should have, or if its lines do not show what is wrong. `known` was found by looking at all of it.
    pub(super) fn isolated(&self, known: &Problem, lines: &[Line<'_>], trial: &Trial<'_>) -> Option<Problem> {
        let is_apart = known.proposal.is_none() && known.also.is_none() && !OF_LINES.contains(&known.rule());
        let left = if self.is_piece { 2 * LINE_BYTES } else { TRIED_BYTES_MAX / 2 };
        if !is_apart || self.is_trial() || self.text == InputText::Line || trial.bytes_left.get() < left {
            return None;
        }
        let (headers, are_right) = written_headers(known, lines, trial);
        let puzzles = headers.into_iter().enumerate().filter_map(|(at, header)| {
            let puzzle =
                Puzzle::new(lines, &header, trial).filter(|puzzle| self.is_right(puzzle, &[], trial))?;
            // Only whole rows show that an allowed header is wrong.
            if are_right && at > 0 && !puzzle.has_whole_rows() {
                return None;
            }
            let wrong = puzzle.units.iter().filter(|unit| !self.is_right(&puzzle, unit, trial));
            let wrong: Vec<_> = wrong.cloned().collect();
            // Another header is not meant if it makes most rows wrong.
            let rows = wrong.iter().filter(|unit| unit[0] >= puzzle.header_lines).count();
            let is_likely = at == 0 || 2 * rows <= lines.len() - puzzle.header_lines;
            is_likely.then_some((puzzle, wrong))
        });
        let (puzzle, wrong) = puzzles.min_by_key(|(_, wrong)| wrong.len())?;
        if !(2..=WRONG_MAX).contains(&wrong.len()) || puzzle.is_other_shape(&wrong) {
            return None;
        }
        let mut groups: Vec<Group> = Vec::new();
        for lines in wrong {
            let mistakes = self.alone(&puzzle, &lines, trial)?;
            let what = |mistakes: &[Problem]| {
                let what = &mistakes[0].what;
                (what.name, what.arguments.first().cloned())
            };
            let is_same = |group: &&mut Group| {
                mistakes[0].rule() == "character" && what(&group.mistakes) == what(&mistakes)
            };
            match groups.iter_mut().find(is_same) {
                Some(group) => {
                    group.lines.extend(lines);
                    group.has_more = true;
                }
                None => groups.push(Group { lines, mistakes, has_more: false }),
            }
        }
        for group in groups.iter_mut().filter(|group| group.has_more) {
            // Lines with the same character are changed together.
            group.mistakes = self.alone(&puzzle, &group.lines, trial)?;
        }
        if groups.len() < 2 { None } else { joined(&groups, trial) }
    }

    /// Returns whether a puzzle is valid with only these lines as they are.
    fn is_right(&self, puzzle: &Puzzle<'_>, kept: &[usize], trial: &Trial<'_>) -> bool {
        let text = puzzle.text(kept);
        trial.charge(text.len() as u64);
        let mut input = Scanner::resume(&text[..], "", Spot::at_line(0, puzzle.lines[0].number));
        let entry = self.reader.puzzle_reader().read(&mut input);
        let is_valid = matches!(entry, Ok(Some(entry)) if entry.problem().is_none());
        is_valid && input.advance().is_ok_and(|next| next == Next::End)
    }

    /// Returns what is wrong with a puzzle that has only these lines as they are.
    fn alone(&self, puzzle: &Puzzle<'_>, kept: &[usize], trial: &Trial<'_>) -> Option<Vec<Problem>> {
        trial.charge(LINE_BYTES);
        let text = puzzle.text(kept);
        let first = Place { line: puzzle.lines[0].number, column: 1 };
        let text = Marked { text: &text, first, read: 0, is_whole: true };
        let file = FileText::new(text, Spot::at_line(0, first.line), Arc::from(""));
        // A row without any number is a blank line.
        if file.lines.len() != puzzle.lines.len() {
            return None;
        }
        let piece = file.piece(0, puzzle.lines.len());
        let reading = Self { text: InputText::Line, ..Self::for_piece(self) };
        let entry = reading.read_piece(&piece, &file, &mut Notes::default()).ok()?;
        let is_kept = |change: &Proposal| puzzle.is_of_lines(change, kept);
        let is_of_line =
            |mistake: &Problem| kept.iter().any(|&line| puzzle.lines[line].number == mistake.place.line);
        let problem = entry.problem()?;
        let mistakes = problem.chain().filter(|mistake| is_of_line(mistake)).map(|mistake| {
            let mut mistake = mistake.clone();
            let change = mistake.proposal.take().or(mistake.part.take());
            // The rows of the copy do not show which number of the header was meant.
            mistake.part = change.filter(|change| is_kept(change) && mistake.what.name != "header-value");
            // The lines of the copy are not those of the file.
            (mistake.excerpt, mistake.context, mistake.corrected) = (None, Vec::new(), Vec::new());
            mistake
        });
        let mistakes: Vec<_> = mistakes.collect();
        is_of_line(problem).then_some(mistakes)
    }
}

impl<'a> Puzzle<'a> {
    /// Creates the puzzle with these header lines; `None` if its lines do not fit them.
    fn new(lines: &'a [Line<'a>], header: &[String], trial: &Trial<'_>) -> Option<Self> {
        let mut written = lines.to_vec();
        for (line, text) in written.iter_mut().zip(header) {
            line.text = text.as_bytes();
        }
        let layout = trial.reader.layout(&written)?;
        let header_lines = layout.header_lines;
        let count = u64::try_from(lines.len().checked_sub(header_lines)?).ok()?;
        let last = lines.last()?;
        let is_short = last.number - lines[0].number < LINES_MAX as u64
            && lines.iter().map(|line| line.text.len() as u64).sum::<u64>() <= TEXT_MAX;
        let is_narrow =
            |part: &Part| part.widths.is_none_or(|widths| widths.iter().all(|&width| width <= TEXT_MAX));
        let is_small = is_short && layout.parts.iter().all(is_narrow);
        if layout.rows() != count || !is_small || lines[0].column != 1 {
            return None;
        }
        let columns = layout.parts.first()?.widths?[0];
        let row = |row: u64| match layout.part_of(row) {
            // Two zeros look like an end marker.
            Some((1, row)) if trial.reader.player(1, row).is_some() => {
                format!("0 {}", (row + 1) % columns.max(1))
            }
            Some((part, row)) => layout.parts[part].width(row).map_or_else(|| NO_MOVES.to_owned(), zeros),
            None => String::new(),
        };
        let header = header[..header_lines].iter().cloned();
        let right = header.chain((0..count).map(row)).collect();
        let players = lines.len() - layout.parts.get(1).map_or(0, |part| part.rows as usize);
        let mut units: Vec<_> = (0..players).map(|line| vec![line]).collect();
        units.extend((players < lines.len()).then(|| (players..lines.len()).collect()));
        Some(Self { lines, right, header_lines, units })
    }

    /// Returns the text with only these lines as they are. Each line keeps its number.
    fn text(&self, kept: &[usize]) -> Vec<u8> {
        let (mut text, mut number) = (Vec::new(), self.lines[0].number);
        for (at, (line, right)) in self.lines.iter().zip(&self.right).enumerate() {
            text.resize(text.len() + (line.number - number) as usize, b'\n');
            text.extend(if kept.contains(&at) { line.text } else { right.as_bytes() });
            text.push(b'\n');
            number = line.number + 1;
        }
        text
    }

    /// Returns whether all rows have the right length.
    fn has_whole_rows(&self) -> bool {
        let rows = self.lines.iter().zip(&self.right).skip(self.header_lines);
        let mut counts = rows.map(|(line, right)| (line.count(), right.split(' ').count() as u64, right));
        counts.all(|(count, width, right)| count == width || right == NO_MOVES)
    }

    /// Returns whether most rows are wrong because they have another length. Then the header is wrong.
    fn is_other_shape(&self, wrong: &[Vec<usize>]) -> bool {
        let rows: Vec<_> =
            wrong.iter().map(|unit| unit[0]).filter(|&line| line >= self.header_lines).collect();
        let Some(&first) = rows.first() else { return false };
        let count = self.lines[first].count();
        let are_alike = rows.iter().all(|&line| self.lines[line].count() == count);
        let is_right = self.right[first].split(' ').count() as u64 == count;
        2 * rows.len() > self.lines.len() - self.header_lines && are_alike && !is_right
    }

    /// Returns whether a change affects no other lines than these.
    fn is_of_lines(&self, change: &Proposal, kept: &[usize]) -> bool {
        let numbers: Vec<_> = kept.iter().map(|&line| self.lines[line].number).collect();
        let is_kept = |change: &&Proposal| {
            let (from, to) = change.lines();
            (from..=to).all(|line| numbers.contains(&line))
        };
        match change {
            Proposal::All { changes } => changes.iter().all(|change| is_kept(&change)),
            change => is_kept(&change),
        }
    }
}

/// Returns the header lines of a puzzle as they are, and as they may be meant, and whether they are allowed as they are.
fn written_headers(known: &Problem, lines: &[Line<'_>], trial: &Trial<'_>) -> (Vec<Vec<String>>, bool) {
    let count = trial.reader.fields().len().min(lines.len());
    let text = |line: &Line<'_>| String::from_utf8_lossy(line.text).into_owned();
    let as_is: Vec<_> = lines[..count].iter().map(text).collect();
    let is_header = |(line, fields): (&Line<'_>, &Vec<Field>)| {
        let numbers: Option<Vec<u64>> = line.words().iter().map(|word| word.parse().ok()).collect();
        let is_whole = counts(fields).contains(&line.count());
        is_whole && numbers.is_some_and(|numbers| are_allowed(fields, &numbers))
    };
    let are_right =
        !known.rule().starts_with("header-") && lines.iter().zip(trial.reader.fields()).all(is_header);
    if are_right && Puzzle::new(lines, &as_is, trial).is_some() {
        return (vec![as_is], true);
    }
    let mut headers = vec![Vec::new()];
    for (at, line) in as_is.into_iter().enumerate() {
        let likely = likely_headers(at, lines, trial).into_iter().chain(shorter_headers(at, lines, trial));
        let changed = likely.filter_map(|change| change.apply(lines[at].text, lines[at].number));
        let changed = changed.filter_map(|changed| String::from_utf8(changed).ok());
        let nearest = (at == 0).then(|| in_range(&lines[0], trial));
        // Lines that can be players fit many sizes.
        let changed = changed.chain(nearest).filter(|_| at > 0 || count == 1 || !are_right);
        let all: Vec<_> =
            std::iter::once(line).chain(changed).chain(counted_header(at, lines, trial)).collect();
        let with = |header: &Vec<String>| -> Vec<_> {
            all.iter().map(|line| [&header[..], std::slice::from_ref(line)].concat()).collect()
        };
        headers = headers.iter().flat_map(with).collect();
    }
    (headers, are_right)
}

/// Returns a header line with the number of rows, or of players, that are there.
fn counted_header(at: usize, lines: &[Line<'_>], trial: &Trial<'_>) -> Option<String> {
    let layout = trial.reader.layout(lines)?;
    if at > 0 {
        let [rows, fitting] = fitting_rows(&String::from_utf8_lossy(lines[0].text), lines, trial)?;
        return (rows == fitting).then(|| count_behind(lines, 2).map(|count| count.to_string())).flatten();
    }
    let others: u64 = layout.parts.iter().skip(1).map(|part| part.rows).sum();
    let rows = (lines.len() as u64).checked_sub(layout.header_lines as u64 + others)?;
    let rest = lines[0].words().into_iter().skip(1);
    let words: Vec<_> = std::iter::once(rows.to_string().into()).chain(rest).collect();
    (layout.header_lines == 1).then(|| words.join(" "))
}

/// Returns several mistakes of one puzzle as one problem. The last one has no change unless all changes together make
/// the puzzle valid.
fn joined(groups: &[Group], trial: &Trial<'_>) -> Option<Problem> {
    let mut mistakes: Vec<_> = groups.iter().flat_map(|group| group.mistakes.iter().cloned()).collect();
    let parts: Option<Vec<_>> = mistakes.iter().map(|mistake| mistake.part.as_deref().cloned()).collect();
    if let (Some(parts), Some(last)) = (parts, mistakes.last_mut())
        && trial.first_of([Proposal::together(parts)]).is_none()
    {
        last.part = None;
    }
    mistakes.into_iter().rev().fold(None, |also, mistake| Some(mistake.also(also)))
}
