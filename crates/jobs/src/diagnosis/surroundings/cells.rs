//! Files whose numbers are all there, but not in lines and spaces: tables with empty cells, and puzzles on one line.

use super::{File, Finding, Mistake, is_content, reads};
use tabuleiro_puzzles::input::Line;

/// Marks between the cells of a table, as spreadsheets write them.
const CELL_MARKS: [char; 3] = [';', ',', '\t'];
/// The most lines before the rows. Their empty cells are not filled.
const FIRST_LINES_MAX: usize = 3;

impl File<'_> {
    /// Recognises empty cells for empty squares.
    pub(super) fn empty_cells(&self) -> Option<Finding> {
        if !self.has_empty_squares() {
            return None;
        }
        // Empty cells at the beginning of a line can be tabs.
        let text = std::str::from_utf8(self.text).ok()?;
        let lines: Vec<_> = text.lines().map(|line| line.trim_matches(['\r', ' '])).collect();
        let has_empty = |line: &&str, mark: char| {
            let mut cells = line.split(mark);
            is_content(line) && line.contains(mark) && cells.any(|cell| cell.trim().is_empty())
        };
        // A mark in one line only was not meant to separate cells.
        let is_between = |mark: &char| {
            lines.iter().any(|line| has_empty(line, *mark))
                && lines.iter().filter(|line| is_content(line) && line.contains(*mark)).count() > 1
        };
        let mark = CELL_MARKS.into_iter().find(is_between)?;
        // If most empty squares have a 0, a number is missing in the others.
        let count = |is_counted: fn(&str) -> bool| {
            let cells = lines.iter().flat_map(|line| line.trim_matches(mark).split(mark));
            cells.filter(|cell| is_counted(cell.trim())).count()
        };
        if mark != '\t' && count(|cell| cell == "0") > count(str::is_empty) {
            return None;
        }
        let cells = |line: &str, is_row: bool| {
            let filled =
                |cell: &str| if is_row && cell.trim().is_empty() { "0" } else { cell.trim() }.to_owned();
            let cells: Vec<_> = line.split(mark).map(filled).filter(|cell| !cell.is_empty()).collect();
            cells.join(" ")
        };
        let filled_behind = |first: usize| -> Vec<_> {
            let mut content = 0;
            let written = lines.iter().map(|line| {
                content += usize::from(is_content(line));
                let is_row = content > first && !line.contains(char::is_alphabetic) && line.contains(mark);
                // Tabs between numbers are blanks.
                let is_kept = mark == '\t' && !has_empty(line, mark);
                if is_content(line) && !is_kept { cells(line, is_row) } else { (*line).to_owned() }
            });
            written.collect()
        };
        let filled = (0..=FIRST_LINES_MAX).map(filled_behind);
        let lines = self.filled_rows(&lines, mark).into_iter().chain(filled);
        let lines = lines.into_iter().find(|lines| reads(self.solver, lines));
        // Lines with tabs are rows, whatever else is wrong.
        let lines = lines.or_else(|| (mark == '\t').then(|| filled_behind(0)))?;
        let mark = if mark == '\t' { "tab".to_owned() } else { mark.to_string() };
        Some(self.finding(&mark, lines, |mark, lines| Mistake::EmptyCells { mark, lines }))
    }

    /// Fills the empty cells of as many rows as the header before them says, each up to its width.
    fn filled_rows(&self, lines: &[&str], mark: char) -> Option<Vec<String>> {
        let reader = self.reader.puzzle_reader();
        let cells = |line: &str| line.split(mark).map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
        let mut left = (0..lines.len()).filter(|&at| is_content(lines[at])).peekable();
        let mut filled: Vec<_> = lines.iter().map(|line| (*line).to_owned()).collect();
        let bare = |at: usize, filled: &mut Vec<String>| {
            let numbers: Vec<_> = cells(lines[at]).into_iter().filter(|cell| !cell.is_empty()).collect();
            filled[at] = numbers.join(" ");
        };
        if self.solver.info().noun == "case" {
            bare(left.next()?, &mut filled);
        }
        while left.peek().is_some() {
            let header: Vec<_> = left.by_ref().take(reader.fields().len().max(1)).collect();
            for &at in &header {
                bare(at, &mut filled);
            }
            let numbered = (1..).zip(&header);
            let numbered =
                numbered.map(|(number, &at)| Line { number, column: 1, text: filled[at].as_bytes() });
            let Some(layout) = reader.layout(&numbered.collect::<Vec<_>>()) else { continue };
            for part in layout.parts {
                for row in 0..part.rows {
                    let (at, width) = (left.next()?, part.width(row));
                    let Some(width) = width else { continue };
                    let row = cells(lines[at]);
                    let (squares, rest) = row.split_at_checked(usize::try_from(width).ok()?)?;
                    let squares = squares.iter().map(|cell| if cell.is_empty() { "0" } else { cell });
                    filled[at] = squares.collect::<Vec<_>>().join(" ");
                    if rest.iter().any(|cell| !cell.is_empty()) {
                        return None;
                    }
                }
            }
        }
        // Tabs between numbers are blanks.
        let written = lines.iter().zip(filled).map(|(line, filled)| {
            let is_kept = mark == '\t' && filled.split(' ').eq(line.split_ascii_whitespace());
            if is_kept { (*line).to_owned() } else { filled }
        });
        Some(written.collect())
    }

    /// Recognises numbers that all have a fraction, such as 2.0.
    pub(super) fn fractions(&self) -> Option<Finding> {
        let whole = |token: &str| {
            let (whole, fraction) = token.split_once(['.', ','])?;
            let are_digits = !whole.is_empty() && whole.bytes().all(|byte| byte.is_ascii_digit());
            let is_zero = !fraction.is_empty() && fraction.bytes().all(|byte| byte == b'0');
            (are_digits && is_zero).then(|| whole.to_owned())
        };
        let tokens = || self.content().flat_map(str::split_ascii_whitespace);
        let found = tokens().find(|token| whole(token).is_some())?;
        let fractions = tokens().filter(|token| whole(token).is_some()).count();
        // Or every row with a fraction has only fractions, as in a single board.
        let is_row = |line: &&str| line.split_ascii_whitespace().any(|token| whole(token).is_some());
        let are_rows = self.content().filter(is_row).count() > 1
            && self
                .content()
                .filter(is_row)
                .all(|line| line.split_ascii_whitespace().all(|token| whole(token).is_some()));
        let are_most = fractions > 1 && (2 * fractions > tokens().count() || are_rows);
        let lines = self.each(|line| {
            let tokens = line.split_ascii_whitespace();
            tokens.map(|token| whole(token).unwrap_or_else(|| token.to_owned())).collect::<Vec<_>>().join(" ")
        });
        are_most.then(|| self.finding(found, lines, |found, lines| Mistake::Fractions { found, lines }))
    }

    /// Recognises several puzzles, or a number of puzzles and a puzzle, on one line.
    pub(super) fn one_line(&self) -> Option<Finding> {
        let mut content = self.content();
        let tokens: Vec<_> =
            content.next().filter(|_| content.next().is_none())?.split_ascii_whitespace().collect();
        let mut rest = &tokens[..];
        let mut take = |count: u64| {
            let (taken, left) = rest.split_at_checked(usize::try_from(count).ok()?)?;
            rest = left;
            (count > 0).then(|| taken.join(" "))
        };
        let mut lines = Vec::new();
        if self.solver.info().noun == "case" {
            lines.push(take(1)?);
        }
        while let Some(first) = take(self.reader.fields().first()?.len() as u64) {
            let header = std::iter::once(Some(first))
                .chain(self.reader.fields()[1..].iter().map(|fields| take(fields.len() as u64)));
            let header = header.collect::<Option<Vec<_>>>()?;
            let numbered =
                (1..).zip(&header).map(|(number, line)| Line { number, column: 1, text: line.as_bytes() });
            let layout = self.reader.layout(&numbered.collect::<Vec<_>>());
            lines.extend(header);
            let Some(layout) = layout else { break };
            for part in layout.parts {
                for row in 0..part.rows {
                    lines.push(take(part.width(row)?)?);
                }
            }
        }
        // An end marker is the last line.
        if !rest.is_empty() {
            return None;
        }
        let unfolded = lines.join("\n");
        let lines = self.each(|_| unfolded.clone());
        (tokens.len() > 1).then(|| self.finding("", lines, |_, _| Mistake::OneLine))
    }
}
