//! Reads puzzles as a [`Form`] declares them, and finds the next puzzle after one that cannot be read.

use std::io;
use std::sync::Arc;

use super::pieces::{Piece, pieces};
use super::{Ahead, AheadLine, At, Field, Form, FormMistake, FormWarning, Header, counts, described};
use crate::input::{Glance, Lexeme, Line, Next, NoToken, Place, Scanner, Spot, digits_value};
use crate::solver::{Entry, Layout, Part, Problem, Proposal, PuzzleReader, RowLengths, Work};
use crate::words::Phrase;

/// The most rows of a wrong puzzle that are examined to find its end.
const ROWS_MAX: u64 = 1 << 16;
/// The most rows of a wrong puzzle that are examined although the first ones do not fit.
const LONG_ROWS: u64 = 64;

/// Reads the puzzles of one file.
pub struct FormReader<F> {
    form: Arc<F>,
}

/// A puzzle that is being read.
#[allow(clippy::struct_excessive_bools, reason = "independent facts about its lines, not one state")]
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
    /// The second header line, if rows begin on it although the first line stands alone.
    shared: Option<Place>,
    /// Number of the current line.
    line: u64,
    /// Every line so far is one row.
    fits: bool,
    /// The count of tokens shows that the puzzle is whole, whatever its lines look like.
    is_whole: bool,
    /// All its numbers were read, and only the lengths of its rows are wrong.
    is_counted: bool,
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
        let mut draft = Draft {
            begins,
            place,
            header: Header::default(),
            parts: [Part::NONE; 2],
            begins_line,
            in_lines: begins_line,
            shared: None,
            line: place.line,
            fits: true,
            is_whole: false,
            is_counted: false,
            lengths: RowLengths::default(),
            uneven: None,
            end: None,
        };
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
    /// next one. Returns `None` if it is written otherwise, or if something is wrong with it.
    fn read_plain(&self, input: &mut Scanner<'_>) -> io::Result<Option<Work>> {
        let (form, mut header) = (&*self.form, Header::default());
        for fields in form.fields() {
            let before = header.len();
            let read = input.take_line(fields.len() as u64, |number| header.push(number));
            let are_right = fields.iter().zip(&header[before..]).all(|(field, &value)| field.allows(value));
            if !are_right || !read.is_some_and(|read| counts(fields).contains(&read)) {
                return Ok(None);
            }
        }
        if form.check(&header).is_err() {
            return Ok(None);
        }
        let (mut board, mut last) = (form.board(&header), None);
        for (index, part) in form.parts(&header).into_iter().enumerate().filter(|(_, part)| part.rows > 0) {
            let Some(widths) = part.widths else {
                // The careful reader can go back only over lines in the window.
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
                let (width, mut are_right) = (widths[row as usize % 2], true);
                let read = input
                    .take_line(width, |value| are_right = are_right && form.take(&mut board, index, value));
                if read != Some(width) || !are_right {
                    return Ok(None);
                }
            }
            last = Some(widths[part.rows as usize % 2]);
        }
        if input.advance()? != Next::NewLine || !self.is_next(last, input) {
            return Ok(None);
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
        self.look_behind(draft, input)?;
        if let Some(problem) = draft.uneven.take() {
            draft.is_counted = true;
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
        if let Some(oddity) = other_header {
            input.warn_in_result(draft.place, oddity);
        }
        if let Some(place) = shared {
            let field = form.fields()[1][0].name.clone();
            let number = header[header.len() - 1];
            input.warn_in_result(place, FormWarning::SharedLine { field, number, line: place.line });
        }
        Ok(work)
    }

    /// Reports rows of the second part that stand before those of the first one, and lines of wrong lengths that even
    /// out. As a stream of numbers the same lines can be another puzzle, which nobody meant.
    #[cold]
    fn find_exchanged_parts(&self, draft: &mut Draft, input: &mut Scanner<'_>) -> Result<(), Fault> {
        let spot = input.spot();
        let ([first, second], behind) = (draft.parts, self.form.fields().len());
        let rows = first.rows.saturating_add(second.rows);
        if first.widths == second.widths || rows > ROWS_MAX || !input.go_back(draft.begins) {
            return Ok(());
        }
        let mut ahead = Ahead::new(input.lines_ahead()?);
        let (form, end) = (&*self.form, behind + rows as usize);
        let is_exchanged = (0..rows).all(|row| {
            let (part, row_of_part) =
                row.checked_sub(second.rows).map_or((&second, row), |row| (&first, row));
            ahead.is_row(&*self.form, behind + row as usize, part, row_of_part)
        });
        if let Some(line) = ahead.line(behind).filter(|_| is_exchanged).map(|line| line.line)
            && self.is_over(&mut ahead, end)
        {
            let to = ahead.line(behind + second.rows as usize - 1).map_or(line.number, |row| row.line.number);
            draft.end = Some(end);
            let what = FormMistake::PlayersEarly { from: line.number, to };
            return Err(Problem::new(line.place(), what).into());
        }
        // As many lines as there should be were meant as rows, even if their lengths even out.
        let is_odd = |&row: &u64, ahead: &mut Ahead<'_>| {
            let (part, row_of_part) = part_of(&draft.parts, row).unwrap_or((0, row));
            !ahead.is_row(form, behind + row as usize, &draft.parts[part], row_of_part)
        };
        if ahead.line(end - 1).is_some_and(|line| line.line.number == spot.line())
            && let Some(odd) = (0..rows).find(|row| is_odd(row, &mut ahead))
            && let Some((part, row)) = part_of(&draft.parts, odd)
            && let Some(expected) = draft.parts[part].width(row)
            && let Some(line) = ahead.line(behind + odd as usize).map(|line| line.line)
        {
            draft.end = Some(end);
            let (numbers, number) = (line.count(), line.number);
            let what = FormMistake::RowLength { row: row + 1, line: number, numbers, expected };
            return Err(Problem::new(line.end(), what).into());
        }
        drop(ahead);
        input.go_back(spot);
        Ok(())
    }

    fn read_header(&self, draft: &mut Draft, input: &mut Scanner<'_>) -> Result<(), Fault> {
        for (line, fields) in self.form.fields().iter().enumerate() {
            let next = input.advance()?;
            draft.in_lines &= next == Next::NewLine;
            let (spot, before) = (input.spot(), draft.header.len());
            let header = &mut draft.header;
            let mut read = input.take_numbers_on_line(fields.len() as u64, |number| header.push(number));
            while let Some(field) = fields.get(read as usize) {
                let next = input.advance()?;
                match next {
                    Next::SameLine => {}
                    _ if field.is_optional => break,
                    _ => draft.in_lines &= read == 0,
                }
                let lexeme = input.next_token()?;
                let Some(number) = lexeme.token.number() else {
                    if field.is_optional
                        && let Some(problem) = self.words_on_header(draft, lexeme.place, input)?
                    {
                        return Err(problem.into());
                    }
                    // A header that ends too early is more likely than one whose next line is wrong as well.
                    if next == Next::NewLine && read > 0 && draft.begins_line && input.go_back(draft.begins) {
                        return Err(header_length(draft, fields, read));
                    }
                    let problem = Problem::new(lexeme.place, field.misplaced(&lexeme.token));
                    return Err(problem.recognised_if(read > 0 && lexeme.token.is_digits()).into());
                };
                draft.header.push(number);
                read += 1;
            }
            if let Some(at) = draft.wrong_fields(before, fields).next() {
                input.go_back(spot);
                let lexeme = nth_token(at as u64, input)?;
                let is_read = fields.len() > 1 && draft.in_lines && line == 0;
                let wrong: Vec<_> = draft.wrong_fields(before, fields).collect();
                let is_right = |at: &usize| !fields[*at].is_optional && !wrong.contains(at);
                let is_like = is_read && (0..read as usize).any(|at| is_right(&at));
                let mut mistakes =
                    wrong.iter().map(|&at| fields[at].mistake(draft.header[before + at].into()));
                let what: Option<Phrase> = match (mistakes.next(), mistakes.next()) {
                    (Some(first), Some(second)) => {
                        let (first, second) = (first.into(), second.into());
                        Some(FormMistake::HeaderValues { first, second }.into())
                    }
                    (first, _) => first.map(Phrase::from),
                };
                if let Some(what) = what {
                    return Err(Problem::new(lexeme.place, what).recognised_if(is_like || line > 0).into());
                }
            }
            if input.advance()? == Next::SameLine {
                let begins_line = line > 0 && draft.in_lines;
                draft.shared = begins_line.then(|| Place { column: 1, ..input.place() });
                draft.in_lines = false;
                if !F::WRAPS {
                    if let Some(problem) = self.words_on_header(draft, input.place(), input)? {
                        return Err(problem.into());
                    }
                    input.go_back(draft.begins);
                    let line = input.line_ahead()?;
                    return Err(header_length(draft, fields, line.count()));
                }
            }
        }
        if draft.begins_line && !draft.in_lines {
            self.find_odd_header(draft, input)?;
        }
        if let Err(what) = self.form.check(&draft.header) {
            return Err(Problem::new(draft.place, what).into());
        }
        Ok(())
    }

    /// Returns the problem of words that stand at a place behind a header on its line.
    #[cold]
    fn words_on_header(
        &self,
        draft: &mut Draft,
        place: Place,
        input: &mut Scanner<'_>,
    ) -> io::Result<Option<Problem>> {
        let (form, [board, _], spot) = (&*self.form, self.form.parts(&draft.header), input.spot());
        if F::WRAPS || !input.go_back(draft.begins) {
            return Ok(None);
        }
        let line = input.line_ahead()?;
        let text = &line.text[((place.column - line.column) as usize).min(line.text.len())..];
        let rest = AheadLine::new(Line { column: place.column, text, ..line });
        if rest.is_clean || !form.ends_puzzle(&rest) {
            input.go_back(spot);
            return Ok(None);
        }
        let what = form.words_early(&rest.line, line.number.saturating_add(board.rows));
        let rows = board.rows.min(ROWS_MAX);
        let mut ahead = Ahead::new(input.lines_ahead()?);
        if (0..rows).all(|row| ahead.is_row(form, row as usize + 1, &board, row)) {
            draft.end = Some(rows as usize + 1);
        }
        Ok(Some(Problem::new(place, what)))
    }

    /// Reports a header line with too many or too few numbers, if the lines after it show that the header is not merely
    /// wrapped.
    #[cold]
    fn find_odd_header(&self, draft: &mut Draft, input: &mut Scanner<'_>) -> Result<(), Fault> {
        let (form, spot) = (&*self.form, input.spot());
        if !input.go_back(draft.begins) {
            return Ok(());
        }
        let place = input.place();
        let mut ahead = Ahead::new(input.lines_ahead()?);
        let numbers: u128 = form.parts(&draft.header).iter().map(Part::numbers).sum();
        let behind = ahead.behind_tokens(numbers.saturating_add(draft.header.len() as u128));
        let is_whole = behind.is_some_and(|at| ahead.line(at).is_none() || ahead.begins(form, at));
        if let Some((end, what)) = self.header_behind(&mut ahead, is_whole) {
            draft.end = Some(end);
            return Err(Problem::new(ahead.line(1).map_or(place, |line| line.line.place()), what).into());
        }
        let numbers = ahead.line(0).map_or(0, |line| line.count);
        // A line with most of the numbers was meant as the whole puzzle.
        let total = form.parts(&draft.header).iter().map(Part::numbers).fold(0, u128::saturating_add);
        let is_most = F::WRAPS && 2 * u128::from(numbers) > total && ahead.begins(form, 1);
        let is_short = !is_most && !counts(&form.fields()[0]).contains(&numbers) && ahead.begins(form, 1);
        if !is_whole && (is_short || ahead.is_odd_header(form, 0)) {
            return Err(header_length(draft, &form.fields()[0], numbers));
        }
        drop(ahead);
        input.go_back(spot);
        Ok(())
    }

    /// Finds a second header line that stands after the rows, not before them. Returns the puzzle's end and the
    /// problem.
    ///
    /// As a stream of numbers the same lines can be another puzzle, whose second header line is the first number of the
    /// first row. They are that puzzle if this number differs from the late one, and all that the header announces
    /// follows.
    fn header_behind(&self, ahead: &mut Ahead<'_>, is_stream: bool) -> Option<(usize, FormMistake)> {
        let form = &*self.form;
        let [first, second] = form.fields() else { return None };
        let header = ahead.line(0).filter(|line| line.is_clean && line.count == first.len() as u64)?.numbers;
        let [part, _] = form.parts(&header);
        let row = ahead.line(1)?;
        let (said, line, numbers) = (row.numbers[0], row.line.number, row.count);
        let end = 1 + usize::try_from(part.rows).ok().filter(|&rows| rows as u64 <= ROWS_MAX)?;
        let are_rows = numbers > 1 && (1..end).all(|at| ahead.is_row(form, at, &part, at as u64 - 1));
        let alone =
            ahead.line(end).filter(|line| are_rows && line.is_clean && line.count == second.len() as u64)?;
        let (total, from) = (alone.numbers[0], alone.line.number);
        let is_row = |at: usize, ahead: &mut Ahead<'_>| {
            let line = ahead.line(at);
            line.is_some_and(|line| {
                line.count == 2
                    && (0..2).all(|column| form.is_value(&header, 1, column, line.numbers[column]))
            })
        };
        let rows = (0..total).take_while(|&row| is_row(end + 1 + row as usize, ahead)).count() as u64;
        let behind = end + 1 + rows as usize;
        let is_over = match ahead.line(behind) {
            None => rows > 0,
            Some(line) => rows == total && line.count == first.len() as u64,
        };
        let is_other = is_stream && rows == total && said != total;
        let what = FormMistake::HeaderBehind { line, numbers, expected: described(second), from };
        (total > 0 && is_over && !is_other).then_some((behind, what))
    }

    fn read_rows(
        &self,
        draft: &mut Draft,
        (index, widths): (usize, [u64; 2]),
        board: &mut F::Board,
        input: &mut Scanner<'_>,
    ) -> Result<(), Fault> {
        let (form, header) = (&*self.form, draft.header);
        let fields = form.fields()[0].len() as u64;
        let total = draft.parts[index].numbers();
        if index == 0 && draft.in_lines {
            draft.lengths = RowLengths::new(draft.parts[0].rows, widths);
        }
        // Numbers read, rows begun, and numbers still missing from the current row.
        let (mut read, mut row, mut left) = (0_u128, 0_u64, 0_u64);
        while read < total {
            let end = input.place();
            let next = input.advance()?;
            if next != Next::NewLine || left > 0 {
                draft.fits &= next == Next::SameLine && left > 0;
            }
            if next == Next::End {
                return Err(self.missing(draft, (index, read), end));
            }
            if next == Next::NewLine && (draft.fits || F::WRAPS) {
                draft.line = input.place().line;
                if index == 0 {
                    draft.lengths.begin_line(read, input.place());
                }
                let (width, glance) = (widths[row as usize % 2], input.glance());
                let is_row = glance.is_some_and(|glance| u64::from(glance.count) == width.min(3));
                if !(draft.fits && is_row && width > fields)
                    && self.next_begins(draft, (index, row), read, input)?
                {
                    return Err(self.missing(draft, (index, read), end));
                }
            }
            if !draft.fits && !F::WRAPS {
                let width = widths[(row.max(1) - 1) as usize % 2];
                let more = if next == Next::SameLine { input.line_ahead()?.count() } else { 0 };
                let (line, numbers) = (draft.line, width - left + more);
                let what = FormMistake::RowLength { row, line, numbers, expected: width };
                return Err(Problem::new(end, what).into());
            }
            if draft.fits && left == 0 {
                left = widths[row as usize % 2];
                row += 1;
            }
            let wanted = if draft.fits { left } else { u64::try_from(total - read).unwrap_or(u64::MAX) };
            let spot = input.spot();
            let (mut seen, mut wrong) = (0, None);
            let mut taken = input.take_numbers_on_line(wanted, |value| {
                if wrong.is_none() && !form.take(board, index, value) {
                    wrong = Some(seen);
                }
                seen += 1;
            });
            if taken == 0 || wrong.is_some() {
                if wrong.is_some() {
                    input.go_back(spot);
                }
                let lexeme = nth_token(wrong.unwrap_or(0), input)?;
                if draft.fits
                    && left == widths[(row - 1) as usize % 2]
                    && wrong.is_none()
                    && !lexeme.token.is_digits()
                {
                    input.go_back(spot);
                    let mut ahead = Ahead::new(input.lines_ahead()?);
                    if ahead.line(0).is_some_and(|line| form.ends_puzzle(line)) {
                        let (header, expected) = (self.described(draft).0, draft.parts[index].rows);
                        let what = FormMistake::RowCount { header, rows: row - 1, expected };
                        return Err(Problem::new(draft.place, what).into());
                    }
                }
                let value = lexeme.token.number().filter(|_| wrong.is_none());
                if !value.is_some_and(|value| form.take(board, index, value)) {
                    let at = at(index, widths, read + u128::from(wrong.unwrap_or(0)));
                    return Err(Problem::new(lexeme.place, form.wrong_value(&header, at, &lexeme)).into());
                }
                taken = 1;
            }
            read += u128::from(taken);
            left = left.saturating_sub(taken);
        }
        Ok(())
    }

    /// Returns the problem of words that stand on the line of the last row.
    fn words_on_row(&self, draft: &Draft, input: &mut Scanner<'_>) -> io::Result<Problem> {
        let (place, spot) = (input.place(), input.spot());
        let mut ahead = Ahead::new(input.lines_ahead()?);
        let surplus = ahead.line(0).filter(|line| line.is_clean).map_or(0, |line| line.count);
        // Numbers on the line before the words belong to the row.
        if surplus > 0 && ahead.line(1).is_some_and(|line| self.form.is_words(line)) {
            let Part { rows: row, .. } = draft.parts[0];
            let expected = draft.parts[0].width(row - 1).unwrap_or(0);
            let numbers = expected + surplus;
            let what = FormMistake::RowLength { row, line: place.line, numbers, expected };
            return Ok(Problem::new(place, what));
        }
        drop(ahead);
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes.trim_ascii()).into_owned();
        let words = input.line_ahead()?;
        let what = self.form.words_early(&words, place.line);
        let words = text(words.text);
        let is_at_hand = input.go_back(draft.begins);
        let line = input.lines_ahead()?.find(|line| line.number == place.line && is_at_hand);
        let row = line.and_then(|line| line.text.get(..(place.column - line.column) as usize)).map(text);
        input.go_back(spot);
        let (from_line, to_line) = (place.line, place.line);
        let apart = row.map(|row| Proposal::ReplaceLines { from_line, to_line, lines: vec![row, words] });
        Ok(Problem::new(place, what).proposing(apart))
    }

    /// Moves to the line of words, or fails if it is missing.
    fn find_words(&self, draft: &Draft, input: &mut Scanner<'_>) -> Result<(), Fault> {
        let form = &*self.form;
        match input.advance()? {
            Next::End => return Err(Problem::new(input.place(), form.words_missing(None)).into()),
            Next::SameLine => return Err(self.words_on_row(draft, input)?.into()),
            Next::NewLine => {}
        }
        // Hardly any line of words begins with a digit.
        if !input.begins_with_digit() {
            return Ok(());
        }
        let place = input.place();
        let mut ahead = Ahead::new(input.lines_ahead()?);
        let may_be_words = ahead.line(0).is_some_and(|line| form.is_words(line));
        // No puzzle begins on the last line of a file.
        let is_next = ahead.line(1).is_some()
            && if may_be_words {
                ahead.is_puzzle(form, 0) || ahead.is_size(0)
            } else {
                ahead.begins(form, 0)
            };
        if is_next { Err(Problem::new(place, form.words_missing(Some(place))).into()) } else { Ok(()) }
    }

    /// Returns whether the next puzzle, or the end of the file, begins on the current line, where a row should stand.
    ///
    /// Rows can be wrapped, so lines prove nothing while the count of tokens shows that the puzzle is whole.
    fn next_begins(
        &self,
        draft: &mut Draft,
        (index, row): (usize, u64),
        read: u128,
        input: &mut Scanner<'_>,
    ) -> Result<bool, Fault> {
        let form = &*self.form;
        let is_other =
            |glance: Glance| !self.may_begin(&glance) && (glance.count, glance.numbers) != (2, [0; 2]);
        if draft.is_whole || !draft.in_lines || input.glance().is_some_and(is_other) {
            return Ok(false);
        }
        let before: u64 = draft.parts[..index].iter().map(|part| part.rows).sum();
        let numbers: u128 = draft.parts[index..].iter().map(Part::numbers).sum();
        let mut ahead = Ahead::rough(input.lines_ahead()?);
        if form.is_end(&mut ahead, 0, false) {
            return Ok(true);
        }
        let is_other = |line: &AheadLine<'_>| {
            let fields = form.fields()[0].iter().zip(&line.numbers[..]);
            let is_header = counts(&form.fields()[0]).contains(&line.count)
                && fields.take(line.count as usize).all(|(field, &number)| field.allows(number));
            line.is_clean && !is_header
        };
        if ahead.line(0).is_some_and(is_other) {
            return Ok(false);
        }
        let row = draft.fits.then_some(before + row);
        let is_like = ahead.surely_begins(form, 0) || form.resumes(&mut ahead, 0, false);
        if !is_like || self.is_row(draft, row, 0, &mut ahead) {
            return Ok(false);
        }
        let behind = ahead.behind_tokens(numbers - read).filter(|_| F::WRAPS);
        draft.is_whole = behind.is_some_and(|at| {
            // If rows are as long as headers, the next header need not be in range.
            let width = draft.parts[index].widths.map_or(0, |[width, _]| width);
            let may_be = draft.fits && counts(&form.fields()[0]).contains(&width);
            let is_next = if may_be { ahead.header(form, at).is_some() } else { ahead.begins(form, at) };
            is_next
                || ahead.line(at).is_some_and(|line| draft.fits && !line.is_clean)
                || ahead.line(at).is_none()
                || form.is_end(&mut ahead, at, true)
        });
        Ok(!draft.is_whole)
    }

    /// Returns whether a line that looks like the beginning of a puzzle is a row after all. It must be as long as row
    /// `row`, counted over all parts, and no whole puzzle begins with it. In addition, all its numbers can stand in
    /// that row, or the other rows follow it.
    fn is_row(&self, draft: &Draft, row: Option<u64>, at: usize, ahead: &mut Ahead<'_>) -> bool {
        let form = &*self.form;
        let Some((row, (index, of_part))) = row.and_then(|row| Some((row, part_of(&draft.parts, row)?)))
        else {
            return false;
        };
        if !ahead.is_row(form, at, &draft.parts[index], of_part) || ahead.is_puzzle(form, at) {
            return false;
        }
        let is_value = |(column, &value): (usize, &u64)| form.is_value(&draft.header, index, column, value);
        let are_values = ahead
            .line(at)
            .is_some_and(|line| line.numbers.iter().take(line.count as usize).enumerate().all(is_value));
        are_values || ahead.rows_follow(form, at, &draft.parts, row)
    }

    /// Returns whether a puzzle can begin with lines that have these first numbers.
    fn may_begin(&self, glance: &Glance) -> bool {
        let mut lines = self.form.fields().iter();
        let Some(fields) = lines.next() else { return false };
        let numbers = &glance.numbers[..(glance.count as usize).min(2)];
        let least = fields.iter().filter(|field| !field.is_optional).count();
        (least..=fields.len()).contains(&(glance.count as usize))
            && fields.iter().zip(numbers).all(|(field, &number)| field.allows(number))
            && lines.next().is_none_or(
                |fields| matches!(usize::from(glance.next), next if next == 0 || next == fields.len()),
            )
    }

    /// Checks what follows the last number. Fails if it belongs to this puzzle, which then has too many numbers.
    fn look_behind(&self, draft: &Draft, input: &mut Scanner<'_>) -> Result<(), Fault> {
        let form = &*self.form;
        let Some(last) = draft.parts.iter().rposition(|part| part.rows > 0) else { return Ok(()) };
        let (part, is_first) = (draft.parts[last], last == 0);
        match input.advance()? {
            Next::End => return Ok(()),
            Next::SameLine if F::ENDS_WITHIN_LINES && self.puzzle_follows(draft, input)? => {
                input.warn(input.place(), FormWarning::WithinLine);
                return Ok(());
            }
            Next::SameLine => return Err(Fault::Surplus(input.place())),
            Next::NewLine => {}
        }
        let width = part.width(part.rows);
        if self.is_next(width, input) {
            return Ok(());
        }
        let place = input.place();
        let mut ahead = Ahead::new(input.lines_ahead()?);
        if form.is_end(&mut ahead, 0, true) {
            return Ok(());
        }
        let is_value = |(column, &value): (usize, &u64)| form.is_value(&draft.header, last, column, value);
        let is_row = |line: &AheadLine<'_>| {
            let are_values = line.numbers.iter().take(line.count as usize).enumerate().all(is_value);
            are_values && line.is_clean && width == Some(line.count)
        };
        // Surplus rows end at the next puzzle or at the end of the file.
        let mut rows = 0;
        while draft.fits && ahead.line(rows).is_some_and(is_row) && ahead.header(form, rows).is_none() {
            rows += 1;
        }
        let is_as_long =
            |line: &AheadLine<'_>| part.widths.is_some_and(|widths| widths.contains(&line.count));
        // Consecutive rows of another length are more likely a board without a header.
        let is_other = draft.fits
            && ahead.line(0).is_some_and(|line| !is_as_long(line))
            && ahead.line(1).is_some_and(|line| form.is_surely_row(line));
        let is_surplus = is_first && !is_other && ahead.line(0).is_some_and(|line| form.is_surely_row(line))
            || rows > 0 && draft.in_lines && ahead.may_follow(form, rows);
        drop(ahead);
        if is_surplus && !self.puzzle_follows(draft, input)? { Err(Fault::Surplus(place)) } else { Ok(()) }
    }

    /// Returns whether the unread tokens begin another puzzle. If the current header has lines of its own, the other
    /// puzzle must end at the end of a line.
    fn puzzle_follows(&self, draft: &Draft, input: &mut Scanner<'_>) -> Result<bool, Fault> {
        let form = &*self.form;
        let mut fields = form.fields().iter().flatten();
        let numbers = match fields.clone().count() {
            1 => input.numbers_ahead::<1>()?.map(|numbers| numbers.to_vec()),
            2 => input.numbers_ahead::<2>()?.map(|numbers| numbers.to_vec()),
            _ => input.numbers_ahead::<3>()?.map(|numbers| numbers.to_vec()),
        };
        let Some(header) = numbers
            .filter(|header| header.iter().zip(&mut fields).all(|(&value, field)| field.allows(value)))
        else {
            return Ok(false);
        };
        if !draft.in_lines {
            return Ok(true);
        }
        let numbers: u128 = form.parts(&header).iter().map(Part::numbers).sum();
        let mut ahead = Ahead::new(input.lines_ahead()?);
        Ok(ahead.behind_tokens(numbers.saturating_add(header.len() as u128)).is_some())
    }

    /// Returns the warning that another header would fit the lines of the first part, if they contradict their own.
    fn other_header(&self, draft: &Draft, board: &F::Board, numbers: u128) -> Option<FormWarning> {
        let form = &*self.form;
        let (lines, [width, narrow]) = draft.lengths.even(numbers)?;
        let rows = draft.parts[0].rows;
        // Lines that each hold several whole rows contradict nothing, as in the published case 20 10.
        if rows.is_multiple_of(lines) && width == narrow {
            return None;
        }
        let fits = |header: &Vec<u64>| {
            let part = form.parts(header)[0];
            let is_valid =
                form.fields().iter().flatten().zip(header).all(|(field, &value)| field.allows(value));
            is_valid
                && form.check(header).is_ok()
                && (part.rows, part.widths) == (lines, Some([width, narrow]))
                && form.fits(board, header)
        };
        let fitting = form.headers(&draft.header, lines, [width, narrow]).into_iter().find(fits)?;
        let fields = form.fields()[0].len();
        let (header, fitting) = (spaced(&draft.header[..fields]), spaced(&fitting[..fields]));
        let line = draft.place.line;
        Some(if width == narrow {
            FormWarning::OtherHeader { lines, width, header, fitting, line }
        } else {
            FormWarning::OtherHeaderInTurn { lines, width, narrow, header, fitting, line }
        })
    }

    /// Turns the fault into the problem of the puzzle, and moves the input to the next puzzle.
    #[cold]
    fn recover(&self, fault: Fault, draft: &Draft, input: &mut Scanner<'_>) -> io::Result<Problem> {
        if let Fault::Io(error) = fault {
            return Err(error);
        }
        let place = match &fault {
            Fault::Invalid(problem) => problem.place,
            _ => input.place(),
        };
        // No puzzle begins on the line of the mistake if part of that line was read.
        let is_read = input.place() != place;
        let from = place.line + u64::from(is_read);
        let (mut counts, mut told) = (Vec::new(), None);
        // The reader may have left the line of the mistake.
        let is_on_line = is_read && input.place().line == place.line;
        let is_at_hand = input.go_back(draft.begins);
        let mut is_found = is_at_hand;
        if is_at_hand {
            let mut ahead = Ahead::rough(input.lines_ahead()?);
            let stray = self.stray_lines(draft, &mut ahead);
            let mut end = draft.end;
            if let Some((behind, problem)) = self.early_words(&mut ahead) {
                (told, end) = (Some(problem), Some(behind));
            } else if stray > 0 {
                let what = FormMistake::stray_line(draft.place.line);
                told = Some(Problem::new(draft.place, what).recognised_if(false));
            }
            let end = end.or_else(|| self.puzzle_end(draft, (stray, from), &mut ahead));
            is_found = end.is_some();
            let lines = (0..end.unwrap_or(usize::MAX)).map_while(|at| ahead.line(at).map(|line| line.count));
            counts = lines.collect();
        }
        // Skip the rest of a line that is too long for the window as well.
        for _ in 0..counts.len().max(usize::from(is_at_hand || is_on_line)) {
            input.advance()?;
            input.skip_line()?;
        }
        if !is_found {
            self.skip_to_header(input)?;
        }
        input.advance()?;
        let rows = counts.get(self.form.fields().len()..).unwrap_or_default();
        let explained = if draft.in_lines && draft.parts[0].rows > 0 {
            self.form.explain(&draft.header, rows)
        } else {
            None
        };
        let odd_row = draft.lengths.first_odd();
        if let Some(problem) = told {
            return Ok(problem);
        }
        Ok(match fault {
            _ if explained.is_some() => {
                Problem::new(draft.place, explained.unwrap_or_else(|| NoToken::EndOfLine.into()))
            }
            Fault::Invalid(_) | Fault::Surplus(_) if !is_at_hand && odd_row.is_some() => {
                let (row, place, [numbers, expected]) = odd_row.unwrap_or((0, place, [0; 2]));
                Problem::new(place, FormMistake::RowLength { row, line: place.line, numbers, expected })
            }
            Fault::Invalid(problem) => *problem,
            Fault::Surplus(place) => {
                let numbers = counts.iter().map(|&count| u128::from(count)).sum::<u128>();
                let numbers = numbers.saturating_sub(draft.header.len() as u128);
                let (header, expected) = self.described(draft);
                Problem::new(place, FormMistake::NumbersSurplus { numbers, header, expected })
            }
            Fault::Io(error) => return Err(error),
        })
    }

    /// Returns the first line after a wrong puzzle: after as many rows as its header says, or as many numbers, if the next
    /// puzzle or the end follows there; or else the next line that looks like the beginning of a puzzle, from line `from`
    /// of the file on. `None` if no line in sight is one of these. `stray` is the number of lines that belong to no puzzle.
    fn puzzle_end(&self, draft: &Draft, (stray, from): (usize, u64), ahead: &mut Ahead<'_>) -> Option<usize> {
        let form = &*self.form;
        let behind = form.fields().len();
        let header = ahead.header(form, 0).filter(|_| draft.begins_line && stray == 0);
        let parts = header.map_or([Part::NONE; 2], |header| form.parts(&header));
        let header = header.unwrap_or_default();
        let like = Draft { parts, header, lengths: RowLengths::default(), uneven: None, ..*draft };
        let rows = parts.iter().fold(0_u64, |rows, part| rows.saturating_add(part.rows));
        let numbers = parts.iter().map(Part::numbers).fold(header.len() as u128, u128::saturating_add);
        if !header.is_empty() && rows == 0 {
            return Some(behind);
        }
        let is_valid = ahead.valid_header(form, 0).is_some();
        let row_at = |at: usize| at.checked_sub(behind).map(|row| row as u64);
        // A long puzzle of which neither of the first rows fits is rather a wrong header.
        let mut first = |row: u64| ahead.line(behind + row as usize).map(|line| line.count);
        let widths = parts[0].widths.unwrap_or_default();
        let is_like = rows <= LONG_ROWS
            || [0, 1].map(&mut first).into_iter().flatten().any(|width| widths.contains(&width));
        let whole = (1..=ROWS_MAX).contains(&rows).then(|| behind + rows as usize).filter(|_| is_like);
        let wrapped = if F::WRAPS && is_like && rows > 0 { ahead.behind_tokens(numbers) } else { None };
        if let Some(end) = wrapped.filter(|_| draft.is_counted) {
            return Some(end);
        }
        // Rows of the right length leave no doubt, unless another such row or another part follows.
        if let Some(end) = whole.filter(|_| is_valid) {
            let last = ahead.line(end - 1).map(|line| line.count);
            let is_other = parts[1].rows == 0 && ahead.line(end).map(|line| line.count) != last;
            let are_rows =
                is_other && (0..rows).all(|row| ahead.is_row(form, behind + row as usize, &parts[0], row));
            if are_rows || ahead.rows_follow(form, behind, &parts, 0) {
                let is_surplus =
                    |line: &AheadLine<'_>| widths.contains(&line.count) && form.is_surely_row(line);
                let mut surplus = end..usize::MAX;
                return surplus
                    .find(|&at| form.is_end(ahead, at, true) || !ahead.line(at).is_some_and(is_surplus));
            }
        }
        for end in [whole, wrapped].into_iter().flatten() {
            let is_begun = |at: usize, ahead: &mut Ahead<'_>| {
                form.is_end(ahead, at, false)
                    || ahead.surely_begins(form, at) && !self.is_row(&like, row_at(at), at, ahead)
            };
            let more = (end..usize::MAX).take_while(|&at| form.is_words_too(ahead, at)).count();
            // The words end a puzzle.
            let has_words = (behind..end.saturating_sub(1))
                .any(|at| ahead.line(at).is_some_and(|line| !line.is_clean && form.ends_puzzle(line)));
            if ahead.line(end - 1).is_some()
                && (more > 0 || self.is_over(ahead, end))
                && !has_words
                && !(1..end).any(|at| is_begun(at, ahead))
            {
                return Some(end + more);
            }
        }
        let mut at = stray.max(1);
        while let Some(number) = ahead.line(at).map(|line| line.line.number) {
            let is_behind =
                at.max(stray + 1) > 1 && ahead.line(at - 1).is_some_and(|line| form.ends_puzzle(line));
            let is_like = ahead.begins(form, at)
                || ahead.is_odd_header(form, at)
                || form.resumes(ahead, at, true) && number >= from;
            let is_row =
                |ahead: &mut Ahead<'_>| self.is_row(&like, row_at(at).filter(|_| is_valid), at, ahead);
            if is_behind || form.is_end(ahead, at, false) || is_like && !is_row(ahead) {
                return Some(at);
            }
            at += 1;
        }
        None
    }

    /// Finds a line of words before the rows or the header. Returns the line after the puzzle, and the problem.
    fn early_words(&self, ahead: &mut Ahead<'_>) -> Option<(usize, Problem)> {
        let form = &*self.form;
        let fields = form.fields().len();
        let is_words = |at: usize, ahead: &mut Ahead<'_>| {
            ahead.line(at).is_some_and(|line| !line.is_clean && form.ends_puzzle(line))
        };
        let at = if is_words(0, ahead) { 0 } else { fields };
        let header = usize::from(at == 0);
        let [part, _] = form.parts(&ahead.valid_header(form, header)?);
        let rows = usize::try_from(part.rows).ok().filter(|rows| *rows as u64 <= ROWS_MAX)?;
        let end = fields + 1 + rows;
        let are_rows = is_words(at, ahead)
            && (0..rows).all(|row| ahead.is_row(form, fields + 1 + row, &part, row as u64))
            && !is_words(end, ahead);
        let line = ahead.line(at).filter(|_| are_rows)?.line;
        let behind = ahead.line(end - 1).map_or(line.number, |row| row.line.number);
        Some((end, Problem::new(line.place(), form.words_early(&line, behind))))
    }

    /// Returns how many lines before the next puzzle belong to no puzzle.
    fn stray_lines(&self, draft: &Draft, ahead: &mut Ahead<'_>) -> usize {
        let form = &*self.form;
        let mut is_stray = |at: usize| {
            let is_begun = ahead.begins(form, at) || form.is_end(ahead, at, true);
            let is_next = ahead.surely_begins(form, at + 1);
            let is_text = ahead
                .line(at)
                .is_some_and(|line| !line.is_clean && (line.is_text() || is_next && line.count < 2));
            is_text && !is_begun
        };
        let is_first = draft.begins_line && draft.header.is_empty();
        let count = if is_first { (0..ROWS_MAX as usize).take_while(|&at| is_stray(at)).count() } else { 0 };
        // A single line that no puzzle follows is more likely a wrong header.
        if count == 1 && !self.is_over(ahead, 1) { 0 } else { count }
    }

    /// Returns whether a line surely does not belong to the current puzzle.
    fn is_over(&self, ahead: &mut Ahead<'_>, at: usize) -> bool {
        let form = &*self.form;
        ahead.line(at).is_none()
            || ahead.begins(form, at)
            || form.is_end(ahead, at, true)
            || ahead.is_odd_header(form, at)
            || form.resumes(ahead, at, true)
    }

    /// Returns the fault of a puzzle with too few numbers, which end at `place`.
    fn missing(&self, draft: &Draft, (index, read): (usize, u128), place: Place) -> Fault {
        let before: u128 = draft.parts[..index].iter().map(Part::numbers).sum();
        let (header, expected) = self.described(draft);
        let what = FormMistake::NumbersMissing { numbers: before + read, header, expected };
        Problem::new(place, what).into()
    }

    /// Returns the first line of a puzzle, and how many numbers should follow its header.
    fn described(&self, draft: &Draft) -> (String, u128) {
        let fields = self.form.fields()[0].len().min(draft.header.len());
        (spaced(&draft.header[..fields]), draft.parts.iter().map(Part::numbers).sum())
    }

    /// Skips lines up to the next one that looks like the beginning of a puzzle.
    ///
    /// # Errors
    /// Fails if reading fails.
    pub fn skip_to_header(&self, input: &mut Scanner<'_>) -> io::Result<()> {
        let form = &*self.form;
        while input.advance()? != Next::End {
            let (passed, is_found) = {
                let mut ahead = Ahead::rough(input.lines_ahead()?);
                let mut passed = 0;
                loop {
                    let Some(line) = ahead.line(passed) else { break (passed, false) };
                    if form.ends_puzzle(line) {
                        break (passed + 1, true);
                    }
                    let is_next = ahead.begins(form, passed) || form.resumes(&mut ahead, passed, true);
                    if is_next || form.is_end(&mut ahead, passed, false) {
                        break (passed, true);
                    }
                    passed += 1;
                }
            };
            for _ in 0..passed.max(usize::from(!is_found)) {
                input.advance()?;
                input.skip_line()?;
            }
            if is_found {
                break;
            }
        }
        Ok(())
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
        let header = ahead.header(form, 0)?;
        let mut fields = form.fields().iter().flatten().zip(header.iter());
        if !fields.all(|(field, &value)| field.allows(value)) || form.check(&header).is_err() {
            return None;
        }
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

/// Returns the fault of a first line that has too many numbers, or too few.
fn header_length(draft: &Draft, fields: &[Field], numbers: u64) -> Fault {
    let what = FormMistake::HeaderLength { line: draft.place.line, numbers, expected: described(fields) };
    Problem::new(draft.place, what).recognised_if(false).into()
}

/// Skips `before` tokens and reads the next one.
fn nth_token(before: u64, input: &mut Scanner<'_>) -> io::Result<Lexeme> {
    for _ in 0..before {
        input.next_token()?;
    }
    input.next_token()
}

/// Returns the square of the number with this index in a part.
fn at(part: usize, [wide, narrow]: [u64; 2], number: u128) -> At {
    let pair = u128::from(wide) + u128::from(narrow);
    let (pairs, left) = (number / pair.max(1), number % pair.max(1));
    let (row, column) =
        if left < wide.into() { (2 * pairs, left) } else { (2 * pairs + 1, left - u128::from(wide)) };
    At { part, row: row as u64, column: column as u64 }
}

/// Returns the part of a row that is counted over all parts, and its row in that part; `None` after the last.
fn part_of(parts: &[Part; 2], row: u64) -> Option<(usize, u64)> {
    let [first, second] = parts;
    match row.checked_sub(first.rows) {
        None => Some((0, row)),
        Some(row) => (row < second.rows).then_some((1, row)),
    }
}

fn spaced(numbers: &[u64]) -> String {
    numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(" ")
}
