//! Reads puzzles as a [`Form`] declares them, and finds the next puzzle after one that cannot be read.

mod header_lines;
mod next_puzzle;
mod recovery;
mod row_lines;

use std::io;
use std::sync::Arc;

use super::pieces::{Piece, pieces};
use super::{Ahead, Field, Form, FormWarning, Header, are_allowed, counts};
use crate::input::{Glance, Lexeme, Line, Next, Place, Scanner, Spot, digits_value};
use crate::solver::{Entry, Layout, Part, Problem, PuzzleReader, RowLengths, Work};

/// The most rows of a wrong puzzle that are examined to find its end.
const ROWS_MAX: u64 = 1 << 16;

/// Reads the puzzles of one file.
pub struct FormReader<F> {
    form: Arc<F>,
}

/// A puzzle that is being read.
#[allow(clippy::struct_excessive_bools, reason = "independent facts about its lines, not one state")]
#[derive(Default)]
struct Draft {
    /// Where the puzzle begins.
    begins: Spot,
    place: Place,
    header: Header,
    parts: [Part; 2],
    /// The puzzle begins at the start of a line.
    begins_line: bool,
    /// The header has lines of its own.
    in_lines: bool,
    /// The second header line, if rows begin on it although the first header line has only its own numbers.
    shared: Option<Place>,
    /// How many numbers the first line has, if the first row begins on it and whole rows stand below it.
    long_header: Option<u64>,
    /// Number of the current line.
    line: u64,
    /// Every line so far is one row.
    fits: bool,
    /// The count of tokens shows that the puzzle is whole, whatever its lines look like.
    is_whole: bool,
    /// All its numbers were read, and only the lengths of its rows are wrong.
    is_uneven: bool,
    /// Lengths of the lines of the first part.
    lengths: RowLengths,
    /// The problem of uneven rows that together have the right count of numbers.
    uneven: Option<Problem>,
    /// Index of the line after the puzzle, if a wrong puzzle's end is already known.
    end: Option<usize>,
}

impl Draft {
    /// Returns which numbers of a first line are out of range. The line's numbers begin at `before` in the header.
    fn wrong_fields(&self, before: usize, fields: &[Field]) -> impl Iterator<Item = usize> {
        let numbers = self.header[before..].iter().zip(fields).enumerate();
        numbers.filter(|(_, (value, field))| !field.allows(**value)).map(|(at, _)| at)
    }
}

/// Why there is no puzzle.
enum Fault {
    Io(io::Error),
    Invalid(Box<Problem>),
    /// There are more numbers than squares; the surplus begins here.
    Surplus(Place),
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<Problem> for Fault {
    fn from(problem: Problem) -> Self {
        Self::Invalid(Box::new(problem))
    }
}

impl<F> Clone for FormReader<F> {
    fn clone(&self) -> Self {
        Self { form: Arc::clone(&self.form) }
    }
}

impl<F: Form> FormReader<F> {
    /// Creates a reader of puzzles of this form.
    pub fn new(form: F) -> Self {
        Self { form: Arc::new(form) }
    }

    /// Returns the form.
    pub fn form(&self) -> &F {
        &self.form
    }

    /// Returns the header with which the lines ahead begin, if they begin a puzzle.
    ///
    /// # Errors
    /// Fails if reading fails.
    pub fn header_ahead(&self, input: &mut Scanner<'_>) -> io::Result<Option<String>> {
        let mut ahead = Ahead::new(input.lines_ahead()?);
        let header = ahead.header(&*self.form, 0).filter(|_| ahead.begins(&*self.form, 0));
        Ok(header.map(|header| spaced(&header)))
    }

    /// Returns whether the line ahead ends the file after a wrong puzzle.
    ///
    /// # Errors
    /// Fails if reading fails.
    pub fn ends_ahead(&self, input: &mut Scanner<'_>) -> io::Result<bool> {
        let mut ahead = Ahead::new(input.lines_ahead()?);
        Ok(self.form.is_end(&mut ahead, 0, false))
    }

    /// Divides the lines of a file into puzzles. `is_counted` says that the number of puzzles precedes them.
    pub fn divided(&self, lines: &[Line<'_>], is_counted: bool) -> Option<Vec<Piece>> {
        pieces(&*self.form, lines, is_counted)
    }

    /// Reads the puzzle whose first token is next in the input, or returns what is wrong with it.
    ///
    /// # Errors
    /// Fails only if reading fails.
    pub fn read_puzzle(&self, input: &mut Scanner<'_>) -> io::Result<Entry> {
        let begins_line = input.advance()? == Next::NewLine;
        let (place, begins) = (input.place(), input.spot());
        let line = place.line;
        let mut draft =
            Draft { begins, place, begins_line, in_lines: begins_line, line, fits: true, ..Draft::default() };
        if begins_line {
            if let Some(work) = self.read_plain(input)? {
                return Ok(Entry { place, work });
            }
            input.go_back(begins);
        }
        let work = match self.read(&mut draft, input) {
            Ok(work) => work,
            Err(fault) => Work::Invalid(Box::new(self.recover(fault, &draft, input)?)),
        };
        Ok(Entry { place, work })
    }

    /// Reads a puzzle that is written line by line as declared, as most are, and ends before a line that can begin the
    /// next one, or with the file. Returns `None` if it is written otherwise, or if something is wrong with it.
    fn read_plain(&self, input: &mut Scanner<'_>) -> io::Result<Option<Work>> {
        let (form, mut header) = (&*self.form, Header::default());
        for fields in form.fields() {
            let before = header.len();
            let read = input.take_line(fields.len() as u64, |number| header.push(number));
            if !are_allowed(fields, &header[before..])
                || !read.is_some_and(|read| counts(fields).contains(&read))
            {
                return Ok(None);
            }
        }
        if form.check(&header).is_err() {
            return Ok(None);
        }
        // If the puzzle may not end in the window, leave it to `read`: reading more here could be in vain.
        let parts = form.parts(&header);
        let numbers: u128 = parts.iter().map(Part::numbers).sum();
        if numbers > input.bytes_at_hand() as u128 / 2 {
            return Ok(None);
        }
        let (mut board, mut last) = (form.board(&header), None);
        for (index, part) in parts.into_iter().enumerate().filter(|(_, part)| part.rows > 0) {
            let Some(widths) = part.widths else {
                // If this fails, `read` begins again, and the scanner can go back only over lines in the window.
                if input.begins_with_digit()
                    || !input.line_is_at_hand()
                    || form.read_words(&mut board, input)?.is_err()
                {
                    return Ok(None);
                }
                last = None;
                continue;
            };
            for row in 0..part.rows {
                let (width, mut are_right, left) = (widths[row as usize % 2], true, input.bytes_at_hand());
                let read = input
                    .take_line(width, |value| are_right = are_right && form.take(&mut board, index, value));
                let behind = input.bytes_at_hand();
                let is_long =
                    row == 0 && ((left - behind) as u64).saturating_mul(part.rows - 1) > behind as u64;
                if read != Some(width) || !are_right || is_long {
                    return Ok(None);
                }
            }
            last = Some(widths[part.rows as usize % 2]);
        }
        match input.advance()? {
            Next::End => {}
            Next::NewLine if self.is_next(last, input) => {}
            _ => return Ok(None),
        }
        Ok(form.finish(board, &header).ok())
    }

    /// Returns whether the current line surely begins a puzzle and is not a row of this width.
    fn is_next(&self, width: Option<u64>, input: &Scanner<'_>) -> bool {
        let lines = self.form.fields().len();
        input.glance().is_some_and(|glance| {
            self.may_begin(&glance)
                && (lines > 1 || width.is_none_or(|width| width != u64::from(glance.count)))
                && (lines == 1 || glance.next > 0)
        })
    }

    fn read(&self, draft: &mut Draft, input: &mut Scanner<'_>) -> Result<Work, Fault> {
        self.read_header(draft, input)?;
        let (form, header) = (&*self.form, draft.header);
        draft.parts = form.parts(&header);
        let mut board = form.board(&header);
        let mut other_header = None;
        for (index, part) in draft.parts.into_iter().enumerate() {
            match part.widths {
                _ if part.rows == 0 => {}
                Some(widths) => self.read_rows(draft, (index, widths), &mut board, input)?,
                None => {
                    self.find_words(draft, input)?;
                    form.read_words(&mut board, input)??;
                }
            }
            if index == 0 && !draft.fits && draft.in_lines && input.advance()? != Next::SameLine {
                draft.uneven = draft.lengths.uneven(part.numbers());
                other_header = self.other_header(draft, &board, part.numbers());
            }
        }
        if !draft.fits && draft.in_lines && draft.parts[1].rows > 0 {
            self.find_exchanged_parts(draft, input)?;
        }
        let shared = draft.shared.filter(|shared| input.place().line > shared.line);
        self.check_surplus(draft, input)?;
        if let Some(problem) = draft.uneven.take() {
            draft.is_uneven = true;
            return Err(problem.into());
        }
        let work = form.finish(board, &header).or_else(|(number, what)| {
            input.go_back(draft.begins);
            let lexeme = nth_token(header.len() as u64 + number, input)?;
            Err(Fault::from(Problem::new(lexeme.place, what)))
        })?;
        if !draft.fits || !draft.in_lines {
            input.note_wrapped();
        }
        match other_header {
            Some((warning, true)) => input.warn_in_result(draft.place, warning),
            Some((warning, false)) => input.warn(draft.place, warning),
            None => {}
        }
        if let Some(numbers) = draft.long_header {
            let (line, rows) = (draft.place.line, draft.parts[0].rows);
            input.warn_in_result(draft.place, FormWarning::LongHeader { line, numbers, rows });
        }
        if let Some(place) = shared {
            let field = form.fields()[1][0].name.clone();
            let number = header[header.len() - 1];
            input.warn_in_result(place, FormWarning::SharedLine { field, number, line: place.line });
        }
        Ok(work)
    }

    /// Returns whether a puzzle can begin with lines that have these first numbers.
    fn may_begin(&self, glance: &Glance) -> bool {
        let mut lines = self.form.fields().iter();
        let Some(fields) = lines.next() else { return false };
        let numbers = &glance.numbers[..(glance.count as usize).min(2)];
        counts(fields).contains(&glance.count.into())
            && are_allowed(fields, numbers)
            && lines.next().is_none_or(
                |fields| matches!(usize::from(glance.next), next if next == 0 || next == fields.len()),
            )
    }
}

impl<F: Form> PuzzleReader for FormReader<F> {
    fn read(&mut self, input: &mut Scanner<'_>) -> io::Result<Option<Entry>> {
        if input.advance()? == Next::End {
            return Ok(None);
        }
        self.read_puzzle(input).map(Some)
    }

    fn fresh_reader(&self) -> Box<dyn PuzzleReader> {
        Box::new(self.clone())
    }

    fn layout(&self, lines: &[Line<'_>]) -> Option<Layout> {
        let form = &*self.form;
        let mut ahead = Ahead::new(lines.iter().copied());
        let header = ahead.valid_header(form, 0)?;
        let parts = form.parts(&header).into_iter().filter(|part| part.rows > 0).collect();
        Some(Layout { header_lines: form.fields().len(), parts })
    }

    fn pieces(&self, lines: &[Line<'_>]) -> Option<Vec<Piece>> {
        self.divided(lines, false)
    }

    fn fields(&self) -> &[Vec<Field>] {
        self.form.fields()
    }

    fn player(&self, part: usize, row: u64) -> Option<String> {
        self.form.player(part, row)
    }

    fn headers(&self, header: &Line<'_>, rows: u64, widths: [u64; 2]) -> Vec<String> {
        let numbers: Vec<u64> = header.tokens().map_while(|(_, token)| digits_value(0, token)).collect();
        let headers = self.form.headers(&numbers, rows, widths);
        let fields = self.form.fields()[0].len();
        headers.into_iter().map(|header| spaced(&header[..header.len().min(fields)])).collect()
    }
}

/// Skips `before` tokens and reads the next one.
fn nth_token(before: u64, input: &mut Scanner<'_>) -> io::Result<Lexeme> {
    for _ in 0..before {
        input.next_token()?;
    }
    input.next_token()
}

fn spaced(numbers: &[u64]) -> String {
    numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(" ")
}
