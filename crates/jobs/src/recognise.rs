//! Finds the solvers that can read all of a file, to tell for which solver it was written.

use std::io::{self, Read};

use tabuleiro_puzzles::input::{Line, Next, Scanner};
use tabuleiro_puzzles::solver::{Layout, Part, PuzzleReader, Solver, Work, default_options};

/// Bytes of a file that each solver reads.
pub const BYTES_MAX: u64 = 4 << 20;
/// The most lines that any solver's puzzle has before its first row.
const HEADER_LINES_MAX: usize = 3;
/// Puzzles of a file that each solver reads to recognise it.
const PUZZLES_MAX: u64 = 5000;

/// A solver that can read all of the sampled part of a file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Recognised {
    /// The solver.
    pub solver: &'static dyn Solver,
    /// Number of puzzles that the solver read, all of them valid.
    pub puzzles: u64,
}

/// Returns those of `solvers` that can read all of the file that `open` opens: at least one puzzle, none invalid, and
/// each written in lines of its own. The last condition is needed because without line breaks, one solver can read the
/// numbers of another solver's puzzle as its own.
pub fn recognise<R: Read>(
    solvers: impl IntoIterator<Item = &'static dyn Solver>,
    mut open: impl FnMut() -> io::Result<R>,
) -> Vec<Recognised> {
    let solvers = solvers.into_iter().filter(|solver| solver.info().is_recognised);
    let recognised = solvers.filter_map(|solver| {
        // A solver does not recognise a file that cannot be read now.
        let (puzzles, is_all) =
            open().and_then(|file| read_all((solver, PUZZLES_MAX), file, is_in_lines)).ok()?;
        (is_all && puzzles > 0).then_some(Recognised { solver, puzzles })
    });
    recognised.collect()
}

/// Returns how many puzzles a solver reads before the first one that is invalid or not written in lines of its own.
pub fn puzzles_in_lines(solver: &'static dyn Solver, file: impl Read) -> u64 {
    read_all((solver, u64::MAX), file, is_in_lines).map_or(0, |(puzzles, _)| puzzles)
}

/// Returns whether a solver reads all of a text, with one row per line or each part on one line.
pub(crate) fn reads_rows(solver: &'static dyn Solver, text: &[u8]) -> bool {
    read_all((solver, u64::MAX), text, is_in_rows).is_ok_and(|(puzzles, is_all)| is_all && puzzles > 0)
}

/// Returns the number of puzzles, at most `most`, before the first one that is invalid or not written as `is_apart` asks,
/// and whether these are the whole file or as many as were asked for.
fn read_all(
    (solver, most): (&'static dyn Solver, u64),
    file: impl Read,
    is_apart: fn(&dyn PuzzleReader, &[Line<'_>]) -> bool,
) -> io::Result<(u64, bool)> {
    let mut source = file.take(BYTES_MAX);
    let mut scanner = Scanner::new(&mut source, "")?;
    let mut reader = solver.open(&default_options(solver));
    let (puzzles, end) = read_apart((&mut *reader, most), &mut scanner, is_apart)?;
    let is_all = match end {
        InLines::Other | InLines::Marked { .. } => false,
        InLines::Whole => true,
        // The last puzzle may be invalid only because the sample ends within it.
        InLines::Invalid => {
            let is_last = scanner.advance()? == Next::End;
            drop(scanner);
            is_last && source.limit() == 0
        }
    };
    Ok((puzzles, is_all))
}

/// How reading the puzzles of a file ended.
#[derive(PartialEq, Eq)]
pub(crate) enum InLines {
    /// All puzzles are valid and in lines.
    Whole,
    /// A puzzle is invalid.
    Invalid,
    /// A puzzle is not in lines.
    Other,
    /// Text follows the end marker on this line.
    Marked { line: u64 },
}

/// Reads puzzles up to the first one that is invalid or not in lines. Returns how many there are before it.
pub(crate) fn read_in_lines(
    reader: &mut dyn PuzzleReader,
    scanner: &mut Scanner<'_>,
) -> io::Result<(u64, InLines)> {
    read_apart((reader, u64::MAX), scanner, is_in_lines)
}

fn read_apart(
    (reader, most): (&mut dyn PuzzleReader, u64),
    scanner: &mut Scanner<'_>,
    is_apart: fn(&dyn PuzzleReader, &[Line<'_>]) -> bool,
) -> io::Result<(u64, InLines)> {
    let mut puzzles = 0;
    while puzzles < most {
        scanner.mark();
        let Some(entry) = reader.read(scanner)? else { break };
        if !matches!(entry.work, Work::Solve(_)) {
            return Ok((puzzles, InLines::Invalid));
        }
        if let Some(marked) = scanner.marked() {
            let lines = marked.lines();
            // A count of puzzles may stand before the first one.
            let has_count = || puzzles == 0 && is_apart(reader, lines.get(1..).unwrap_or_default());
            if !is_apart(reader, &lines) && !has_count() {
                return Ok((puzzles, InLines::Other));
            }
        }
        puzzles += 1;
    }
    let marked = scanner.take_ignored().map(|ignored| InLines::Marked { line: ignored.marker });
    Ok((puzzles, marked.unwrap_or(InLines::Whole)))
}

/// Returns whether a valid puzzle is written in lines: its header has lines of its own, and so has each of its parts.
pub(crate) fn is_in_lines(reader: &dyn PuzzleReader, lines: &[Line<'_>]) -> bool {
    // A reader need not return a layout for a puzzle without mistakes, so the first lines are tried as well.
    let beginnings = (1..=lines.len()).take(HEADER_LINES_MAX).map(|count| &lines[..count]);
    let mut tried = std::iter::once(lines).chain(beginnings);
    let Some(layout) = tried.find_map(|lines| reader.layout(lines)) else { return false };
    let mut rows = lines.iter().skip(layout.header_lines);
    for Part { rows: count, widths } in layout.parts {
        let numbers = widths.map(|[first, second]| {
            count.div_ceil(2).saturating_mul(first).saturating_add((count / 2).saturating_mul(second))
        });
        let mut left = numbers.unwrap_or(count);
        while left > 0 {
            let Some(line) = rows.next() else { return false };
            let taken = if widths.is_some() { line.count() } else { 1 };
            let Some(rest) = left.checked_sub(taken) else { return false };
            left = rest;
        }
    }
    rows.next().is_none()
}

/// Returns whether a valid puzzle has one row per line, or each part on one line.
pub(crate) fn is_in_rows(reader: &dyn PuzzleReader, lines: &[Line<'_>]) -> bool {
    let layout =
        (1..=lines.len().min(HEADER_LINES_MAX)).rev().find_map(|count| reader.layout(&lines[..count]));
    layout.is_some_and(|Layout { header_lines, parts }| {
        let rows: u64 = parts.iter().map(|part| part.rows).sum();
        let widths = parts.iter().flat_map(|part| (0..part.rows).map(|row| part.width(row)));
        let behind = &lines[header_lines..];
        if behind.len() as u64 == rows {
            let mut rows = behind.iter().zip(widths);
            return rows.all(|(line, width)| width.is_none_or(|width| width == line.count()));
        }
        behind.len() == parts.len() && is_in_lines(reader, lines)
    })
}
