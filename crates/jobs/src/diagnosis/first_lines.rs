//! What is wrong with the first lines of a puzzle.

use super::proposal_trial::Trial;
use super::{Mistake, characters};
use tabuleiro_puzzles::input::{Line, QUOTE_BYTES_MAX, printable};
use tabuleiro_puzzles::solver::{Field, FormMistake, Problem, Proposal, counts, described};

/// The most numbers of a first line, or digits of one number, for which changes are tried.
const NUMBERS_TRIED: usize = 5;

/// Returns what is wrong with the first lines; `None` if they are right or the reader has already reported it.
pub fn look(problem: &Problem, lines: &[Line<'_>], trial: &Trial<'_>, noun: &'static str) -> Option<Problem> {
    let headers = trial.reader.fields();
    let (first, rest) = lines.split_first()?;
    if headers.is_empty() {
        return None;
    }
    // A line with the number of puzzles, which files of this solver do not have.
    let removed = Proposal::remove_line(first.number);
    if (rest.is_empty(), first.column) == (true, 1)
        && first.numbers::<1>().is_some()
        && trial.is_followed()
        && let Some(proposal) = trial.first_of([removed])
    {
        let what = Mistake::PuzzleCount { found: quoted(first), noun };
        return Some(Problem::new(first.place(), what).proposing(Some(proposal)));
    }
    if problem.rule() == "header-behind" {
        return None;
    }
    if let ([line, next, ..], Some([_, field])) = (lines, headers.first().map(Vec::as_slice))
        && line.numbers::<1>().is_some()
        && next.numbers::<1>().is_some()
    {
        let (from, to) = (line.number, next.number);
        if let Some(proposal) = trial.first_of([Proposal::JoinLines { from_line: from, to_line: to }]) {
            let what = Mistake::SplitHeader { field: field.name.clone(), from, to };
            return Some(Problem::new(next.place(), what).proposing(Some(proposal)));
        }
    }
    if trial.reader.layout(lines).is_some() {
        return None;
    }
    // A size of 0 is rather the first number of a row.
    if let ([line, ..], [fields]) = (lines, headers)
        && line.numbers::<2>().is_some_and(|[size, _]| size == 0)
        && let Some(found) = header_missing(lines, (0, fields), trial)
    {
        return Some(found);
    }
    let (at, fields) = headers.iter().enumerate().find(|(at, fields)| {
        lines.get(*at).is_none_or(|line| !counts(fields).contains(&line.count()) || !line.numbers_only())
    })?;
    let line = lines.get(at)?;
    if !line.numbers_only() {
        return odd_words(problem, (line, fields), lines, trial);
    }
    let (number, numbers, expected) = (line.number, line.count(), described(fields));
    let what = FormMistake::HeaderLength { line: number, numbers, expected };
    let rows = lines.get(headers.len()..).unwrap_or_default();
    let fitting_rows = (at == 0).then(|| fitting(line, rows, trial)).into_iter().flatten();
    let changes = others(line, fields).into_iter().chain(fitting_rows.map(|with| whole(line, with)));
    let proposal = trial.first_of(changes);
    if proposal.is_none()
        && let Some(found) = header_missing(lines, (at, fields), trial)
    {
        return Some(found);
    }
    let place = line.tokens().nth(fields.len()).map_or_else(|| line.end(), |(place, _)| place);
    Some(Problem::new(place, what).proposing(proposal))
}

/// Returns the problem of a player's line with a name before or after its row and column, or with words between them.
pub fn player_line(problem: &Problem, lines: &[Line<'_>], trial: &Trial<'_>) -> Option<Problem> {
    let layout = trial.reader.layout(lines)?;
    let [board, players] = layout.parts[..] else { return None };
    let from = usize::try_from(board.rows).ok()?.checked_add(layout.header_lines)?;
    let at = lines.iter().position(|line| line.number == problem.place.line)?;
    let index = at.checked_sub(from)?;
    if index as u64 >= players.rows {
        return None;
    }
    let numbers = numbers_of(&lines[at]);
    // Without a letter, it is sure only if every line begins with the number of its player.
    let is_counted = |(index, line): (usize, &Line<'_>)| {
        line.count() == 3 && numbers_of(line).first() == Some(&(index + 1).to_string())
    };
    let are_counted = || players.rows > 1 && lines[from..].iter().enumerate().all(is_counted);
    let is_named = lines[at].text.iter().any(u8::is_ascii_alphabetic);
    let (row, column) = match &numbers[..] {
        [row, column] if is_named => (row, column),
        [number, row, column] if *number == (index + 1).to_string() && (is_named || are_counted()) => {
            (row, column)
        }
        _ => return None,
    };
    let is_on = |number: &String, side: u64| number.parse().is_ok_and(|number: u64| number < side);
    if !is_on(row, board.rows) || !is_on(column, board.widths?[0]) {
        return None;
    }
    let (square, line) = (format!("{row} {column}"), lines[at].number);
    let proposal = trial.first_of([whole(&lines[at], square.clone())]);
    let what = Mistake::PlayerLine { square, line };
    Some(Problem::new(lines[at].place(), what).proposing(proposal))
}

/// Returns the problem of a player whose row and column are exchanged, if the board is as its header says.
pub fn exchanged_player(problem: &Problem, lines: &[Line<'_>], trial: &Trial<'_>) -> Option<Problem> {
    let is_player = matches!(problem.rule(), "player-row" | "player-column");
    let line = lines.iter().find(|line| is_player && line.number == problem.place.line)?;
    let [row, column] = line.numbers::<2>()?;
    let layout = trial.reader.layout(lines)?;
    let (board, rows) = (layout.parts.first()?, lines.get(layout.header_lines..)?);
    if rows.iter().take(board.rows as usize).any(|row| board.widths != Some([row.count(); 2])) {
        return None;
    }
    let proposal = trial.first_of([whole(line, format!("{column} {row}"))])?;
    Some(problem.clone().proposing(Some(proposal)))
}

/// Proposes to join lines that belong on one line.
pub fn second_words(problem: &Problem, lines: &[Line<'_>], trial: &Trial<'_>) -> Option<Problem> {
    let before = lines.iter().rfind(|line| line.number < problem.place.line)?;
    let (from_line, to_line) = (before.number, lines.last()?.number);
    Some(problem.clone().proposing(trial.first_of([Proposal::JoinLines { from_line, to_line }])))
}

/// Proposes the end marker without the text after it.
pub fn marker_line(problem: &Problem, lines: &[Line<'_>], trial: &Trial<'_>) -> Problem {
    let marker = lines.first().map(|line| whole(line, "0 0".to_owned()));
    problem.clone().proposing(trial.first_of(marker))
}

/// Proposes the number of puzzles without the words around it, or the removal of a title before it.
pub fn count_line(problem: &Problem, lines: &[Line<'_>], trial: &Trial<'_>) -> Option<Problem> {
    let line = lines.first().filter(|_| problem.rule() == "case-count")?;
    let numbers = (!line.text.iter().any(|byte| b"-.,#/".contains(byte))).then(|| numbers_of(line));
    let count = numbers.filter(|numbers| numbers.len() == 1).map(|numbers| whole(line, numbers.concat()));
    // A title stands before the number.
    let is_title = lines.get(1).is_some_and(|next| next.numbers::<1>().is_some());
    let removed = is_title.then(|| Proposal::remove_line(line.number));
    let proposal = trial.first_of(count.into_iter().chain(removed))?;
    Some(problem.clone().proposing(Some(proposal)))
}

/// Proposes to remove a line, or a word, that belongs to no puzzle.
pub fn stray_line(problem: &Problem, lines: &[Line<'_>], trial: &Trial<'_>) -> Option<Problem> {
    if problem.rule() == "stray-line" {
        let (from_line, to_line) = (lines.first()?.number, lines.last()?.number);
        let removed = Proposal::RemoveLines { from_line, to_line };
        let is_text = !lines.iter().any(Line::numbers_only);
        let proposal = trial.first_of(is_text.then_some(removed));
        return Some(problem.clone().proposing(proposal));
    }
    let headers = trial.reader.fields().len();
    if headers == 0 {
        return None;
    }
    let (at, line) = lines.iter().enumerate().find(|(_, line)| line.number == problem.place.line)?;
    if String::from_utf8_lossy(line.text).contains(char::is_numeric) {
        let (place, token) = line.tokens().find(|(place, _)| *place == problem.place)?;
        let is_word = at >= headers
            && !characters::holds_anything(line, lines, trial)
            && token.len() > 1
            && token.iter().all(u8::is_ascii_alphabetic)
            && place != line.place();
        let removed = Proposal::Replace { place, bytes: token.len() as u64, with: String::new() };
        let proposal = trial.first_of(is_word.then_some(removed))?;
        let found = format!("'{}'", printable(token, QUOTE_BYTES_MAX));
        let what = Mistake::Word { found, line: line.number };
        return Some(Problem::new(place, what).proposing(Some(proposal)));
    }
    let proposal = trial.first_of([Proposal::remove_line(line.number)])?;
    let what = FormMistake::StrayLine { line: line.number };
    Some(Problem::new(line.place(), what).proposing(Some(proposal)))
}

/// Proposes a header that fits the rows, if the problem is in the header.
pub fn other_header(problem: Problem, lines: &[Line<'_>], trial: &Trial<'_>) -> Problem {
    let Some((header, rows)) = lines.split_first() else { return problem };
    if problem.proposal.is_some()
        || problem.place.line != header.number
        || problem.rule() == "all-squares"
        || trial.reader.fields().is_empty()
    {
        return problem;
    }
    let rows = rows.get(trial.reader.fields().len() - 1..).unwrap_or_default();
    let proposal = trial.first_of(fitting(header, rows, trial).map(|with| whole(header, with)));
    if proposal.is_some() { odd_word(problem, header).proposing(proposal) } else { problem }
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
fn alike(rows: &[Line<'_>]) -> (u64, [u64; 2]) {
    let width = |row: usize| rows.get(row).map_or(0, Line::count);
    let widths = [width(0), if rows.len() > 1 { width(1) } else { width(0) }];
    let is_alike = |(row, line): &(usize, &Line<'_>)| line.count() == widths[row % 2];
    (rows.iter().enumerate().take_while(is_alike).count() as u64, widths)
}

/// Reports that a first line is missing before a row like those after it, or before a line that belongs after it.
fn header_missing(lines: &[Line<'_>], (at, fields): (usize, &[Field]), trial: &Trial<'_>) -> Option<Problem> {
    let (first, second) = (lines.get(at)?, lines.get(at + 1)?);
    let (line, expected) = (first.number, described(fields));
    let none = Line { text: b"", ..*first };
    let others = trial.reader.fields().len() - 1;
    let is_row = first.count() == second.count() || others > 0;
    let rows = lines.get(others..).unwrap_or_default();
    // The count of the lines after the rows belongs before the rows.
    let behind = match (at, lines[0].numbers::<2>()) {
        (1, Some([rows, _])) => (lines.len() as u64).checked_sub(rows + 1),
        _ => None,
    };
    let fitting = fitting(&none, rows, trial).filter(|_| is_row && at == 0);
    let headers = fitting.chain(behind.map(|count| count.to_string()));
    let proposal = trial.first_of(headers.map(|text| Proposal::InsertLine { line, text }));
    let is_sure = is_row && first.count() > fields.len() as u64 && alike(lines).0 >= first.count();
    let what = Mistake::HeaderMissing { line, expected };
    (proposal.is_some() || is_sure && others == 0)
        .then(|| Problem::new(first.place(), what).proposing(proposal))
}

/// Proposes a first line without its words, or a header that fits the rows.
fn odd_words(
    problem: &Problem,
    (line, fields): (&Line<'_>, &[Field]),
    lines: &[Line<'_>],
    trial: &Trial<'_>,
) -> Option<Problem> {
    let rows = fitting(&Line { text: b"", ..*line }, lines.get(1..).unwrap_or_default(), trial);
    let proposals = others(line, fields).into_iter().chain(rows.map(|with| whole(line, with)));
    let proposal = trial.first_of(proposals)?;
    Some(odd_word(problem.clone(), line).proposing(Some(proposal)))
}

/// Returns the problem of the first word on a header line, unless the reader has already reported a word.
fn odd_word(problem: Problem, line: &Line<'_>) -> Problem {
    let is_word = |(_, token): &(_, &[u8])| !token.iter().all(u8::is_ascii_digit);
    match line.tokens().find(is_word).filter(|_| problem.rule() != "header-word") {
        Some((place, token)) => {
            let found = format!("'{}'", printable(token, QUOTE_BYTES_MAX));
            Problem::new(place, Mistake::Word { found, line: line.number })
        }
        None => problem,
    }
}

/// Returns changes that might correct a first line: without words, without a doubled number, or with one number split.
fn others(line: &Line<'_>, fields: &[Field]) -> Vec<Proposal> {
    let numbers = numbers_of(line);
    let mut headers = Vec::new();
    if counts(fields).contains(&(numbers.len() as u64)) {
        headers.push(numbers.join(" "));
    }
    let twice = (1..numbers.len().min(NUMBERS_TRIED)).filter(|&at| numbers[at] == numbers[at - 1]);
    let twice = twice.filter(|_| numbers.len() == fields.len() + 1);
    headers.extend(twice.map(|at| [&numbers[..at], &numbers[at + 1..]].concat().join(" ")));
    if let ([digits], [_, Field { is_optional: false, .. }]) = (&numbers[..], fields) {
        let apart =
            (1..digits.len().min(NUMBERS_TRIED)).map(|at| format!("{} {}", &digits[..at], &digits[at..]));
        headers.extend(apart);
    }
    headers.into_iter().map(|with| whole(line, with)).collect()
}

/// Returns each run of digits on a line.
fn numbers_of(line: &Line<'_>) -> Vec<String> {
    let text = String::from_utf8_lossy(line.text);
    let numbers = text.split(|c: char| !c.is_ascii_digit()).filter(|digits| !digits.is_empty());
    numbers.map(str::to_owned).collect()
}

/// Proposes another text for a whole line.
fn whole(line: &Line<'_>, with: String) -> Proposal {
    Proposal::Replace { place: line.place(), bytes: line.text.trim_ascii().len() as u64, with }
}

fn quoted(line: &Line<'_>) -> String {
    printable(line.text.trim_ascii(), QUOTE_BYTES_MAX)
}
