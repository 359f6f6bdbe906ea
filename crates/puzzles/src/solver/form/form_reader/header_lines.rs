//! Reads the first lines of a puzzle.

use std::io;

use super::{Draft, Fault, FormReader, ROWS_MAX, nth_token};
use crate::input::{Line, Next, Place, QUOTE_BYTES_MAX, Scanner, printable};
use crate::solver::form::{Ahead, AheadLine, Field, Form, FormMistake, counts, described};
use crate::solver::{Part, Problem};
use crate::words::Phrase;

impl<F: Form> FormReader<F> {
    pub(super) fn read_header(&self, draft: &mut Draft, input: &mut Scanner<'_>) -> Result<(), Fault> {
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
            let wrong: Vec<_> = draft.wrong_fields(before, fields).collect();
            let mistake = |at: usize| Phrase::from(fields[at].mistake(draft.header[before + at].into()));
            let what = match wrong[..] {
                [] => None,
                [at] => Some(mistake(at)),
                [at, next, ..] => {
                    Some(FormMistake::HeaderValues { first: mistake(at), second: mistake(next) }.into())
                }
            };
            if let (Some(what), Some(&at)) = (what, wrong.first()) {
                input.go_back(spot);
                let lexeme = nth_token(at as u64, input)?;
                let is_read = fields.len() > 1 && draft.in_lines && line == 0;
                let is_right = |at: usize| !fields[at].is_optional && !wrong.contains(&at);
                let is_like = is_read && (0..read as usize).any(is_right);
                // Two numbers that are too large can be too large together, too.
                let together = self.form.check(&draft.header).err().filter(|_| wrong.len() > 1);
                let problem = Problem::new(lexeme.place, what);
                let problem = problem.also(together.map(|what| Problem::new(lexeme.place, what)));
                return Err(problem.recognised_if(is_like || line > 0).into());
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
    pub(super) fn words_on_header(
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
    pub(super) fn find_odd_header(&self, draft: &mut Draft, input: &mut Scanner<'_>) -> Result<(), Fault> {
        let (form, spot) = (&*self.form, input.spot());
        if !input.go_back(draft.begins) {
            return Ok(());
        }
        let place = input.place();
        let mut ahead = Ahead::new(input.lines_ahead()?);
        let numbers: u128 = form.parts(&draft.header).iter().map(Part::numbers).sum();
        let behind = ahead.behind_tokens(0, numbers.saturating_add(draft.header.len() as u128));
        let is_whole = behind.is_some_and(|at| ahead.line(at).is_none() || ahead.begins(form, at));
        if let Some((end, what)) = self.header_behind(&mut ahead, is_whole) {
            draft.end = Some(end);
            return Err(Problem::new(ahead.line(1).map_or(place, |line| line.line.place()), what).into());
        }
        let numbers = ahead.line(0).map_or(0, |line| line.count);
        // A line with most of the numbers was meant as the whole puzzle.
        let total = form.parts(&draft.header).iter().map(Part::numbers).fold(0, u128::saturating_add);
        let is_most = F::WRAPS && 2 * u128::from(numbers) > total && ahead.begins(form, 1);
        // Whole rows below a single number leave no doubt.
        let is_alone = F::IS_SQUARE && numbers == 1 && *counts(&form.fields()[0]).start() > 1;
        if is_alone && is_whole && ahead.square(1).is_some_and(|size| size > 2) {
            return Err(header_length(draft, &form.fields()[0], numbers));
        }
        let is_short = !is_most && !counts(&form.fields()[0]).contains(&numbers) && ahead.begins(form, 1);
        // Whole rows stand below the line, so its further numbers may belong to no row.
        let [part, _] = form.parts(&draft.header);
        let rows = part.rows.min(ROWS_MAX);
        let are_rows = numbers > draft.header.len() as u64
            && rows > 1
            && (0..rows).all(|row| ahead.is_row(form, row as usize + 1, &part, row));
        // As many lines as rows follow, and one of them is too short: the header has a number too many, which would
        // complete the board.
        let mut short = (0..rows).filter(|&row| !ahead.is_row(form, row as usize + 1, &part, row));
        let is_uneven = F::IS_SQUARE
            && rows > 3
            && rows == part.rows
            && numbers > draft.header.len() as u64
            && behind == Some(rows as usize + 1)
            && short.next().is_some()
            && short.next().is_none();
        drop(short);
        let is_odd = !is_whole && ahead.is_odd_header(form, 0);
        if is_odd
            && let [_, fields] = form.fields()
            && let Some(AheadLine { line: words, .. }) = ahead.line(1)
        {
            let found = format!("'{}'", printable(words.text.trim_ascii(), QUOTE_BYTES_MAX)).into();
            let field = fields[0].name.clone();
            return Err(Problem::new(words.place(), FormMistake::HeaderWord { found, field }).into());
        }
        if is_uneven || is_odd || !is_whole && is_short {
            return Err(header_length(draft, &form.fields()[0], numbers));
        }
        draft.long_header = (!is_whole && are_rows).then_some(numbers);
        drop(ahead);
        input.go_back(spot);
        Ok(())
    }

    /// Finds a second header line that stands after the rows, not before them. Returns the puzzle's end and the
    /// problem.
    ///
    /// Read as a stream of numbers, the same lines can be another puzzle, whose second header line is the first number
    /// of the first row. They are that puzzle if this number differs from the late one, and if everything that the
    /// header announces follows.
    pub(super) fn header_behind(
        &self,
        ahead: &mut Ahead<'_>,
        is_stream: bool,
    ) -> Option<(usize, FormMistake)> {
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
}

/// Returns the fault of a first line that has too many numbers, or too few.
fn header_length(draft: &Draft, fields: &[Field], numbers: u64) -> Fault {
    let what = FormMistake::HeaderLength { line: draft.place.line, numbers, expected: described(fields) };
    Problem::new(draft.place, what).recognised_if(false).into()
}
