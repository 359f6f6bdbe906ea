//! Which solvers read all of a file: for which of them it was written.

use std::io::{self, Read};

use tabuleiro_puzzles::input::{Line, Next, Scanner};
use tabuleiro_puzzles::solver::{Part, PuzzleReader, Solver, Work, default_options};

/// Bytes that each solver reads to tell whether a file is for it.
pub const BYTES_MAX: u64 = 4 << 20;
/// Lines of a puzzle before its first row, of any solver.
const HEADER_LINES_MAX: usize = 3;
/// Puzzles that each solver reads for that.
const PUZZLES_MAX: u64 = 5000;

/// A solver that reads all of a file, as far as it was looked at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Recognised {
    /// The solver.
    pub solver: &'static dyn Solver,
    /// Puzzles that it read, all of them valid.
    pub puzzles: u64,
}

/// Those of `solvers` that read all of the file that `open` opens: at least one puzzle, none invalid, and each written
/// in lines of its own. Where lines are free, the numbers of one puzzle can be read as another one.
pub fn recognise<R: Read>(
    solvers: impl IntoIterator<Item = &'static dyn Solver>,
    mut open: impl FnMut() -> io::Result<R>,
) -> Vec<Recognised> {
    let recognised = solvers.into_iter().filter_map(|solver| {
        // What cannot be read now is recognised by nobody.
        let read = open().and_then(|file| read_all(solver, file));
        let puzzles = read.ok().flatten().filter(|puzzles| *puzzles > 0)?;
        Some(Recognised { solver, puzzles })
    });
    recognised.collect()
}

/// The puzzles of a file; `None` where one is invalid.
fn read_all(solver: &'static dyn Solver, file: impl Read) -> io::Result<Option<u64>> {
    let mut source = file.take(BYTES_MAX);
    let mut scanner = Scanner::new(&mut source, "")?;
    let mut reader = solver.open(&default_options(solver));
    let mut puzzles = 0;
    while puzzles < PUZZLES_MAX {
        scanner.mark();
        match reader.read(&mut scanner)? {
            Some(entry) if matches!(entry.work, Work::Solve(_)) => {
                if let Some(marked) = scanner.marked() {
                    let lines = marked.lines();
                    // How many puzzles follow may stand before the first one.
                    let has_count =
                        || puzzles == 0 && is_in_lines(&*reader, lines.get(1..).unwrap_or_default());
                    if !is_in_lines(&*reader, &lines) && !has_count() {
                        return Ok(None);
                    }
                }
                puzzles += 1;
            }
            Some(_) => {
                // The last one that was looked at is cut.
                let is_last = scanner.advance()? == Next::End;
                drop(scanner);
                return Ok((is_last && source.limit() == 0).then_some(puzzles));
            }
            None => break,
        }
    }
    let is_ignored = scanner.take_ignored().is_some();
    Ok((!is_ignored).then_some(puzzles))
}

/// Whether a puzzle that was read is written in lines: its header has lines of its own, and so has each of its parts.
fn is_in_lines(reader: &dyn PuzzleReader, lines: &[Line<'_>]) -> bool {
    // Or as its first lines say: a reader need not say it of a puzzle in which nothing is wrong.
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
