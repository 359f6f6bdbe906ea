//! Changes that might correct the first line of a puzzle.

use super::proposal_trial::Trial;
use tabuleiro_puzzles::input::{Line, QUOTE_BYTES_MAX, printable};
use tabuleiro_puzzles::solver::{Field, Proposal, counts};

/// The most numbers of a first line, digits of one number, or rows for which changes are tried.
const NUMBERS_TRIED: usize = 5;

/// Returns header lines that might be meant instead of the wrong one with index `at`: without other characters, or with
/// a number that the rows show.
pub fn likely_headers(at: usize, lines: &[Line<'_>], trial: &Trial<'_>) -> Vec<Proposal> {
    let (headers, Some((line, rest))) = (trial.reader.fields(), lines.split_first()) else {
        return Vec::new();
    };
    if at > 0 {
        // A line with one number and words names the count.
        let count = match &numbers_of(&lines[at])[..] {
            [named] => Some(named.clone()),
            _ => count_behind(lines, 2).map(|count| count.to_string()),
        };
        let count = count.filter(|_| !lines[at].numbers_only());
        return count.map(|count| whole(&lines[at], count)).into_iter().collect();
    }
    let Some(fields) = headers.first() else { return Vec::new() };
    let mut likely = others(line, fields);
    let rows = line.numbers().and_then(|[rows]| {
        let behind = rest.get(headers.len() - 1..)?;
        Some((rows, behind.get(..usize::try_from(rows).ok()?)?))
    });
    if let Some((count, rows)) = rows {
        let fits = |header: &String| fits_nearly_all(header, lines, trial);
        let none = Line { text: b"", ..*line };
        // One of the first rows has the right length.
        let widths = rows.iter().take(NUMBERS_TRIED).map(Line::count);
        let widths = widths.flat_map(|width| [[width; 2], [width, width.saturating_sub(1)]]);
        let fitting = widths.flat_map(|widths| trial.reader.headers(&none, count, widths)).find(fits);
        likely.extend(fitting.map(|with| whole(line, with)));
    }
    if line.numbers_only() && counts(fields).contains(&line.count()) {
        likely.extend(fitting(line, rest, trial).map(|with| whole(line, with)));
    }
    likely.retain(|change| !matches!(change, Proposal::Replace { with, .. } if *with == quoted(line)));
    likely
}

/// Returns the changes that remove one number of a first line, if nearly all rows below it then fit.
pub fn shorter_headers(at: usize, lines: &[Line<'_>], trial: &Trial<'_>) -> Vec<Proposal> {
    let line = &lines[0];
    let is_longer = |fields: &Vec<Field>| line.count() == fields.len() as u64 + 1;
    if at > 0 || !line.numbers_only() || !trial.reader.fields().first().is_some_and(is_longer) {
        return Vec::new();
    }
    let words = line.words();
    let fits = |at: usize| {
        let header = [&words[..at], &words[at + 1..]].concat().join(" ");
        fits_nearly_all(&header, lines, trial)
    };
    let tokens = line.tokens().enumerate().filter(|(at, _)| fits(*at));
    tokens.map(|(_, token)| Proposal::replace_token(token, "")).collect()
}

/// Returns how many rows a puzzle with this first line should have, and how many of them have the right length.
pub fn fitting_rows(header: &str, lines: &[Line<'_>], trial: &Trial<'_>) -> Option<[u64; 2]> {
    let mut written = lines.to_vec();
    written.first_mut()?.text = header.as_bytes();
    let layout = trial.reader.layout(&written)?;
    let (board, rows) = (layout.parts.first()?, &lines[layout.header_lines..]);
    let fits = |(row, line): &(u64, &Line<'_>)| board.width(*row).is_none_or(|width| width == line.count());
    Some([board.rows, (0..board.rows).zip(rows).filter(fits).count() as u64])
}

fn fits_nearly_all(header: &str, lines: &[Line<'_>], trial: &Trial<'_>) -> bool {
    let counted = fitting_rows(header, lines, trial);
    counted.is_some_and(|[rows, fitting]| fitting > 1.max(rows.saturating_sub(2)))
}

/// Returns how many lines follow the rows of a puzzle with `headers` header lines. The first one begins with the number
/// of rows.
pub fn count_behind(lines: &[Line<'_>], headers: u64) -> Option<u64> {
    let [rows, _] = lines[0].numbers::<2>()?;
    (lines.len() as u64).checked_sub(rows.checked_add(headers)?)
}

/// Returns the first line with the nearest allowed numbers in place of those that are out of range or missing.
pub fn in_range(line: &Line<'_>, trial: &Trial<'_>) -> String {
    let fields = trial.reader.fields().first().map(Vec::as_slice).unwrap_or_default();
    let numbers = numbers_of(line);
    let nearest = |(at, field): (usize, &Field)| {
        let [least, most] = field.range;
        let number = numbers.get(at).map(|number| number.parse().unwrap_or(u64::MAX).clamp(least, most));
        number.or((!field.is_optional).then_some(least)).map(|number| number.to_string())
    };
    fields.iter().enumerate().filter_map(nearest).collect::<Vec<_>>().join(" ")
}

/// Returns changes that might correct a first line: without words, without a doubled number, or with one number split.
pub fn others(line: &Line<'_>, fields: &[Field]) -> Vec<Proposal> {
    let numbers = numbers_of(line);
    let mut headers = Vec::new();
    // The size of a square board, written twice.
    if let ([size, again], [_, Field { is_optional: true, .. }]) = (&numbers[..], fields)
        && size == again
        && !line.numbers_only()
    {
        headers.push(size.clone());
    }
    // A letter at the end of a number can be a digit.
    let is_doubtful =
        |token: &[u8]| token[0].is_ascii_digit() && token[token.len() - 1].is_ascii_alphabetic();
    let is_sure = !line.tokens().any(|(_, token)| is_doubtful(token)) && !is_unknown(line, fields);
    if is_sure && counts(fields).contains(&(numbers.len() as u64)) {
        headers.push(numbers.join(" "));
    }
    let twice = (1..numbers.len().min(NUMBERS_TRIED)).filter(|&at| numbers[at] == numbers[at - 1]);
    let twice = twice.filter(|_| numbers.len() == fields.len() + 1);
    headers.extend(twice.map(|at| [&numbers[..at], &numbers[at + 1..]].concat().join(" ")));
    if let ([digits], [_, Field { is_optional: false, .. }]) = (&numbers[..], fields) {
        let apart = (1..digits.len().min(NUMBERS_TRIED))
            .filter(|&at| !digits[at..].starts_with('0'))
            .map(|at| format!("{} {}", &digits[..at], &digits[at..]));
        headers.extend(apart);
    }
    // A title before the numbers can have a number as well.
    let title = line.text.iter().rposition(|byte| b":=".contains(byte));
    let behind = title.map(|at| numbers_of(&Line { text: &line.text[at..], ..*line }));
    let behind = behind.filter(|behind| counts(fields).contains(&(behind.len() as u64)));
    let without = |behind: Vec<_>| Proposal::replace_line(line.number, behind.join(" "));
    headers.into_iter().map(|with| whole(line, with)).chain(behind.map(without)).collect()
}

/// Returns whether a word is in the place of an optional number, such as a seed. Without it, the puzzle would be another one.
pub fn is_unknown(line: &Line<'_>, fields: &[Field]) -> bool {
    fields.last().is_some_and(|field| field.is_optional)
        && line.count() == fields.len() as u64
        && line.tokens().last().is_some_and(|(_, word)| word.iter().all(u8::is_ascii_alphabetic))
}

/// Proposes to remove one number of a line, if the puzzle is valid without that one only.
pub fn without_one(line: &Line<'_>, trial: &Trial<'_>) -> Option<Proposal> {
    let are_equal = line.tokens().all(|(_, token)| line.text.trim_ascii().starts_with(token));
    let tokens: Vec<_> = line.tokens().take(NUMBERS_TRIED).collect();
    let removed = tokens.into_iter().rev().map(|token| Proposal::replace_token(token, ""));
    let mut mending = removed.filter_map(|change| trial.first_of([change]));
    mending.next().filter(|_| are_equal || mending.next().is_none())
}

/// Returns headers that would fit the rows.
pub fn fitting(
    header: &Line<'_>,
    rows: &[Line<'_>],
    trial: &Trial<'_>,
) -> impl Iterator<Item = String> + use<> {
    let (count, widths) = alike(rows);
    // The lines after the rows can have another width.
    let equal = rows.iter().take_while(|row| row.count() == widths[0]).count() as u64;
    let headers = trial.reader.headers(header, equal, [widths[0]; 2]);
    trial.reader.headers(header, count, widths).into_iter().chain(headers)
}

/// Returns how many lines have the lengths of the first and second line in turn, and these two lengths.
pub fn alike(rows: &[Line<'_>]) -> (u64, [u64; 2]) {
    let width = |row: usize| rows.get(row).map_or(0, Line::count);
    let widths = [width(0), if rows.len() > 1 { width(1) } else { width(0) }];
    let is_alike = |(row, line): &(usize, &Line<'_>)| line.count() == widths[row % 2];
    (rows.iter().enumerate().take_while(is_alike).count() as u64, widths)
}

/// Returns each run of digits on a line.
pub fn numbers_of(line: &Line<'_>) -> Vec<String> {
    let text = String::from_utf8_lossy(line.text);
    let numbers = text.split(|c: char| !c.is_ascii_digit()).filter(|digits| !digits.is_empty());
    numbers.map(str::to_owned).collect()
}

/// Proposes another text for a whole line.
pub fn whole(line: &Line<'_>, with: String) -> Proposal {
    Proposal::Replace { place: line.place(), bytes: line.text.trim_ascii().len() as u64, with }
}

/// Returns a token for a message, in quotation marks.
pub fn quoted_token(token: &[u8]) -> String {
    format!("'{}'", printable(token, QUOTE_BYTES_MAX))
}

/// Returns the text of a line for a message, read as Latin-1 if it is not UTF-8.
pub fn quoted(line: &Line<'_>) -> String {
    let text = line.text.trim_ascii();
    let latin: String = text.iter().map(|&byte| char::from(byte)).collect();
    printable(std::str::from_utf8(text).unwrap_or(&latin).as_bytes(), QUOTE_BYTES_MAX)
}
