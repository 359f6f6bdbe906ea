//! What is wrong with the first lines of a puzzle.

use std::slice;

use super::header_changes::{
    alike, count_behind, fitting, fitting_rows, is_unknown, numbers_of, others, quoted, quoted_token, whole,
    without_one,
};
use super::proposal_trial::Trial;
use super::seeds_and_goals::{seed_before, seed_of};
use super::{Mistake, characters, joined_numbers, row_counts, second_mistakes};
use tabuleiro_puzzles::input::{Line, Place, digits_value, is_page_or_time};
use tabuleiro_puzzles::solver::{Field, FormMistake, Problem, Proposal, are_allowed, counts, described};
use tabuleiro_puzzles::words::Phrase;

/// The most lines of a puzzle whose remarks after several rows are removed together.
const REMARKS_MAX: usize = 256;
/// The largest number of players that is tried.
const VALUES_MAX: u64 = 9;

/// Returns what is wrong with the first lines; `None` if they are right or the reader has already reported it.
pub fn look(problem: &Problem, lines: &[Line<'_>], trial: &Trial<'_>) -> Option<Problem> {
    let headers = trial.reader.fields();
    let (first, rest) = lines.split_first()?;
    if headers.is_empty() {
        return None;
    }
    if let Some(found) = doubled(lines, trial) {
        return Some(found);
    }
    // A line with the number of puzzles, which files of this solver do not have.
    let removed = Proposal::remove_line(first.number);
    if (rest.is_empty(), first.column) == (true, 1)
        && first.numbers::<1>().is_some()
        && trial.is_followed()
        && let Some(proposal) = trial.first_of([removed])
    {
        let what: Phrase = if trial.takes_next {
            Mistake::PuzzleCount { found: quoted(first), noun: trial.solver.info().noun, line: first.number }
                .into()
        } else {
            FormMistake::stray_line(first.number).into()
        };
        let problem = || Problem::new(first.place(), what).proposing(Some(proposal));
        return seed_before(first, trial).or_else(|| Some(problem()));
    }
    if problem.rule() == "header-behind" {
        return None;
    }
    if let ([line, next, ..], Some([_, field])) = (lines, headers.first().map(Vec::as_slice))
        && next.numbers::<1>().is_some()
        && line.count() == 1
        && line.text.trim_ascii().first().is_some_and(u8::is_ascii_digit)
        && (field.is_optional || line.numbers_only())
    {
        let (from, to) = (line.number, next.number);
        let what = Mistake::SplitHeader { field: field.name.clone(), from, to };
        let joined = if line.numbers_only() {
            Proposal::JoinLines { from_line: from, to_line: to }
        } else {
            // The size can be written as 4x4.
            let size = numbers_of(line).into_iter().next().unwrap_or_default();
            let lines = vec![format!("{size} {}", quoted(next))];
            Proposal::ReplaceLines { from_line: from, to_line: to, lines }
        };
        let problem = Problem::new(next.place(), what);
        if let Some(found) = trial.mended(problem.clone(), [joined.clone()]) {
            return Some(found);
        }
        // If the rows show the size, the line is split whatever else is wrong with the puzzle. A blank line keeps the
        // numbers of the lines.
        let size = line.numbers::<1>().map_or(0, |[size]| size);
        let rows = lines[2..].iter().filter(|row| row.count() == size).count() as u64;
        if size > 1 && rows + 1 >= size {
            let header = Proposal::replace_line(from, format!("{size} {}", quoted(next)));
            let apart = Proposal::All { changes: vec![header, Proposal::replace_line(to, String::new())] };
            let is_behind = |other: &Problem| other.place.line > to || other.rule() == "row-count";
            let other = second_mistakes::after(apart, lines, trial).filter(is_behind);
            return other.map(|other| Problem { part: Some(Box::new(joined)), ..problem.also(Some(other)) });
        }
    }
    if let [first, second, ..] = lines {
        let may_be = if let [fields, others] = headers {
            (first.count(), second.count()) == (others.len() as u64, fields.len() as u64)
        } else {
            let layout = trial.reader.layout(&lines[1..2]);
            let widths = layout.and_then(|layout| layout.parts.first()?.widths);
            let is_row = widths.is_some_and(|widths| widths.contains(&first.count()));
            // A line as long as a header is more likely a wrong header.
            is_row && first.count() != second.count() && first.numbers_only()
        };
        let change = Proposal::replace_lines(&lines[..2], vec![quoted(second), quoted(first)]);
        let what = Mistake::Exchanged { first: first.number, second: second.number };
        if let Some(found) = trial.mended(Problem::new(first.place(), what), change.filter(|_| may_be)) {
            return Some(found);
        }
    }
    // A first line that is out of range is more likely a row if a header before it would fit.
    if let ([line, ..], [fields]) = (lines, headers)
        && line.count() == fields.len() as u64
        && line.numbers::<2>().is_some_and(|numbers| !are_allowed(fields, &numbers))
        && let Some(found) = header_missing(lines, (0, fields), trial)
    {
        return Some(found);
    }
    // The whole puzzle stands on one line.
    if rest.is_empty() && problem.rule().starts_with("numbers-") {
        return None;
    }
    if trial.reader.layout(lines).is_some() {
        return joined_numbers::look(lines, trial);
    }
    let (at, fields) = headers.iter().enumerate().find(|(at, fields)| {
        lines.get(*at).is_none_or(|line| !counts(fields).contains(&line.count()) || !line.numbers_only())
    })?;
    let line = lines.get(at)?;
    if let ([_], 1) = (&fields[..], at) {
        let (missing, alone) = (header_missing(lines, (at, fields), trial), alone(fields, lines, trial));
        let is_sure = |found: &Option<Problem>| found.as_ref().is_some_and(|found| found.proposal.is_some());
        // A line as long as the rows below it is more likely one of them.
        let is_row = lines.get(at + 1).is_some_and(|row| row.count() == line.count());
        return if is_sure(&alone) && !(is_row && is_sure(&missing)) { alone } else { missing.or(alone) };
    }
    if is_unknown(line, fields) {
        return None;
    }
    if !line.numbers_only() {
        return odd_words(problem, (line, fields), lines, trial);
    }
    Some(side_by_side(fields, lines, trial).unwrap_or_else(|| wrong_length(at, fields, lines, trial)))
}

/// Reports two boards beside each other: both headers stand on one line, and two rows on each line below it.
fn side_by_side(fields: &[Field], lines: &[Line<'_>], trial: &Trial<'_>) -> Option<Problem> {
    let (header, rows) = lines.split_first()?;
    let headers = header.words();
    let (left, right) =
        headers.split_at_checked(fields.len()).filter(|(_, right)| right.len() == fields.len())?;
    let [left, right] = [left, right].map(|header| header.join(" "));
    let board =
        |text: &String| match trial.reader.layout(&[Line { text: text.as_bytes(), ..*header }])?.parts[..] {
            [board] => Some(board),
            _ => None,
        };
    let (one, other) = (board(&left)?, board(&right)?);
    let (rows, behind) =
        rows.split_at_checked(usize::try_from(one.rows).ok()?).filter(|_| one.rows == other.rows)?;
    // If another line as long as these follows, all of them are one board.
    let next = behind.first().copied().or_else(|| trial.lines_behind(rows.last()?).next());
    if next.is_some_and(|next| next.count() == rows[0].count()) {
        return None;
    }
    let halves = (0..).zip(rows).map(|(row, line)| {
        let (numbers, width) = (line.words(), one.width(row)?);
        let (left, right) = numbers.split_at_checked(usize::try_from(width).ok()?)?;
        (Some(right.len() as u64) == other.width(row)).then(|| (left.join(" "), right.join(" ")))
    });
    let (first, second): (Vec<_>, Vec<_>) = halves.collect::<Option<Vec<_>>>()?.into_iter().unzip();
    let lines = [vec![left], first, vec![right], second].concat();
    let change = Proposal::ReplaceLines { from_line: header.number, to_line: rows.last()?.number, lines };
    trial.mended(Problem::new(header.place(), Mistake::SideBySide { line: header.number }), [change])
}

/// Reports a first line with too many numbers or too few, or a row in its place.
fn wrong_length(at: usize, fields: &[Field], lines: &[Line<'_>], trial: &Trial<'_>) -> Problem {
    let (headers, line) = (trial.reader.fields(), &lines[at]);
    let (number, numbers, expected) = (line.number, line.count(), described(fields));
    let what = FormMistake::HeaderLength { line: number, numbers, expected };
    let rows = lines.get(headers.len()..).unwrap_or_default();
    // A multiple of the rows that the only number says is more likely several boards.
    let is_several = |header: &String| {
        let rows = header.split(' ').next().and_then(|rows| rows.parse::<u64>().ok());
        line.numbers().zip(rows).is_some_and(|([said], rows)| said > 1 && rows > said && rows % said == 0)
    };
    let fitting_rows = (at == 0).then(|| fitting(line, rows, trial)).into_iter().flatten();
    let fitting_rows = fitting_rows.filter(|header| !is_several(header));
    let changes = others(line, fields).into_iter().chain(fitting_rows.map(|with| whole(line, with)));
    let proposal = trial
        .first_of(changes)
        .or_else(|| without_one(line, trial).filter(|_| numbers == fields.len() as u64 + 1));
    // A line as long as the rows below it is a header if it begins with their number.
    let alike = lines[at + 1..].iter().take_while(|row| row.count() == numbers).count();
    let rows = alike as u64;
    let has_size = !trial.reader.headers(&Line { text: b"", ..*line }, rows, [numbers; 2]).is_empty();
    let is_header = has_size && fields[0].allows(rows) && numbers_of(line).first() == Some(&rows.to_string())
        || at == 0 && begins_with_header(lines, fields.len(), trial);
    if proposal.is_none()
        && !is_header
        && let Some(found) = header_missing(lines, (at, fields), trial)
    {
        return found;
    }
    let place = match &proposal {
        Some(Proposal::Replace { place, with, .. }) if with.is_empty() => *place,
        _ => line.tokens().nth(fields.len()).map_or_else(|| line.end(), |(place, _)| place),
    };
    Problem::new(place, what).proposing(proposal)
}

/// Returns whether the first numbers of a puzzle are a header that fits all rows below it.
fn begins_with_header(lines: &[Line<'_>], fields: usize, trial: &Trial<'_>) -> bool {
    let numbers = lines[0].words();
    let header = numbers[..numbers.len().min(fields)].join(" ");
    fitting_rows(&header, lines, trial).is_some_and(|[rows, fitting]| rows == fitting)
}

/// Proposes one line of moves, unless a neighbouring game lacks its moves and these look like them. `before_rule` is
/// the rule that the game before breaks.
pub fn second_moves(
    problem: &Problem,
    (lines, before_rule): (&[Line<'_>], &str),
    trial: &Trial<'_>,
) -> Problem {
    let line = problem.place.line;
    let elsewhere =
        |place: Place, game| Problem::new(place, Mistake::MovesElsewhere { line: place.line, game });
    let first = lines.iter().rfind(|before| before.number < line);
    if let Some(first) = first.filter(|_| before_rule == "moves-missing") {
        return elsewhere(first.place(), "before");
    }
    let lacks = |next: Problem| matches!(next.rule(), "end-of-file" | "moves-missing");
    if trial.wrong_next(&Proposal::remove_line(line)).is_some_and(lacks) {
        return elsewhere(problem.place, "next");
    }
    let proposal = trial.first_of(problem.proposal.as_deref().cloned());
    let again = lines.iter().find(|again| again.number == line);
    if let (Some(first), Some(again)) = (first, again.filter(|_| proposal.is_none()))
        && first.is_like(again)
    {
        return Problem::new(problem.place, Mistake::MovesAgain { line, before: first.number });
    }
    problem.clone().proposing(proposal)
}

/// Returns the problem of an end marker and a header without a line break between them. Only the header is kept.
pub fn marker_before_header(lines: &[Line<'_>], trial: &Trial<'_>) -> Option<Problem> {
    let line = lines.first().filter(|_| !trial.reader.may_end())?;
    let text = line.text.trim_ascii().strip_prefix(b"0 0")?;
    let second = quoted(&Line { text, ..*line });
    let change = Proposal::replace_line(line.number, second.clone());
    let what = Mistake::LinesJoined { line: line.number, first: "0 0".to_owned(), second };
    trial.taking_next().mended(Problem::new(line.place(), what), (!text.is_empty()).then_some(change))
}

/// Proposes the number of puzzles without the words around it, or the removal of a title before it.
pub fn count_line(problem: &Problem, lines: &[Line<'_>], trial: &Trial<'_>) -> Option<Problem> {
    let line = lines.first().filter(|_| problem.rule() == "case-count")?;
    let numbers = (!line.text.iter().any(|byte| b"-.,#/".contains(byte))).then(|| numbers_of(line));
    let count = numbers.filter(|numbers| numbers.len() == 1).map(|numbers| whole(line, numbers.concat()));
    // A title stands before the number.
    let is_title = lines.get(1).is_some_and(|next| next.numbers::<1>().is_some());
    let removed = is_title.then(|| Proposal::remove_line(line.number));
    trial.mended(problem.clone(), count.into_iter().chain(removed))
}

/// Proposes to remove a line, or a word, that belongs to no puzzle.
pub fn stray_line(problem: &Problem, lines: &[Line<'_>], trial: &Trial<'_>) -> Option<Problem> {
    if problem.rule() == "stray-line" {
        let (from_line, to_line) = (lines.first()?.number, lines.last()?.number);
        let removed = Proposal::RemoveLines { from_line, to_line };
        // Rows with a mark before each are more than text.
        let rows = lines.iter().filter(|line| !is_named(line) && numbers_of(line).len() > 1).count();
        let is_text = rows < 2 && !lines.iter().any(Line::numbers_only);
        let proposal = trial.first_of(is_text.then_some(removed));
        let what = match proposal {
            Some(_) => FormMistake::stray_lines(from_line, to_line).into(),
            None => problem.what.clone(),
        };
        return Some(Problem { what, ..problem.clone() }.proposing(proposal));
    }
    let headers = trial.reader.fields().len();
    if headers == 0 {
        return None;
    }
    let (at, line) = lines.iter().enumerate().find(|(_, line)| line.number == problem.place.line)?;
    let removed = [Proposal::remove_line(line.number)];
    let stray = Problem::new(line.place(), FormMistake::stray_line(line.number));
    if String::from_utf8_lossy(line.text).contains(char::is_numeric) {
        let (place, token) = line.token_at(problem.place)?;
        // A number alone that no square can hold is the number of a page.
        let is_alone =
            at > headers && line.count() == 1 && line.numbers_only() && problem.rule() == "square-value";
        let is_title = place == line.place() && (is_named(line) || is_page_or_time(line.text) || is_alone);
        if let Some(found) = trial.mended(stray, removed.into_iter().filter(|_| is_title)) {
            return Some(found);
        }
        let titles = lines[at..].iter().take_while(|line| is_named(line)).last().filter(|_| is_title);
        if let Some(last) = titles.filter(|last| last.number > line.number) {
            let (from_line, to_line) = (line.number, last.number);
            let stray = Problem::new(line.place(), FormMistake::stray_lines(from_line, to_line));
            return trial.mended(stray, [Proposal::RemoveLines { from_line, to_line }]);
        }
        // A word in the place of a number must not be removed.
        let is_word = at >= headers
            && characters::width_of(line, lines, trial) != Some(line.count())
            && !characters::holds_anything(line, lines, trial)
            && (token.len() > 1 || line.tokens().last().is_some_and(|(last, _)| last == place))
            && !String::from_utf8_lossy(token).contains(char::is_numeric)
            && place != line.place();
        let what: Phrase = Mistake::Word { found: quoted_token(token), line: line.number }.into();
        let removed = Proposal::replace_token((place, token), "");
        let alone = trial.mended(Problem::new(place, what.clone()), is_word.then_some(removed));
        if alone.is_some() || !is_word || lines.len() > REMARKS_MAX {
            return alone;
        }
        // Other rows can have such words as well.
        let rows = lines.get(headers..).unwrap_or_default().iter();
        let words = rows.filter(|line| !characters::holds_anything(line, lines, trial)).filter_map(|line| {
            let [.., (_, before), (place, word)] = line.tokens().collect::<Vec<_>>()[..] else { return None };
            let is_remark = before.iter().all(u8::is_ascii_digit) && word.iter().any(u8::is_ascii_alphabetic);
            is_remark.then(|| Proposal::replace_token((place, word), ""))
        });
        let all = Proposal::All { changes: words.collect() };
        return trial.mended(Problem::new(place, what), [all]);
    }
    trial.mended(stray, removed)
}

/// Returns whether a line begins with a word.
fn is_named(line: &Line<'_>) -> bool {
    let first = line.tokens().next().map_or(&b""[..], |(_, token)| token);
    first.iter().filter(|byte| byte.is_ascii_alphabetic()).count() > 2
}

/// Proposes a header that fits the rows, if the problem is in the header.
pub fn other_header(problem: Problem, lines: &[Line<'_>], trial: &Trial<'_>) -> Problem {
    let Some((header, rows)) = lines.split_first() else { return problem };
    if ["numbers-missing", "numbers-surplus"].contains(&problem.rule())
        && let Some(found) = exchanged_above_odd_row(header, rows, trial)
    {
        return found;
    }
    if problem.proposal.is_some()
        || problem.place.line != header.number
        || problem.rule() == "all-squares"
        || trial.reader.fields().first().is_none_or(|fields| {
            is_unknown(header, fields) || !header.numbers_only() && numbers_of(header).len() == fields.len()
        })
    {
        return problem;
    }
    let rows = rows.get(trial.reader.fields().len() - 1..).unwrap_or_default();
    let proposal = trial.first_of(fitting(header, rows, trial).map(|with| whole(header, with)));
    if proposal.is_some() { odd_word(problem, header).proposing(proposal) } else { problem }
}

/// Reports exchanged numbers of a header if only one row below it is too short or too long.
fn exchanged_above_odd_row(header: &Line<'_>, rows: &[Line<'_>], trial: &Trial<'_>) -> Option<Problem> {
    let [first, second] = header.numbers()?;
    let fitting = format!("{second} {first}");
    let line = Line { text: fitting.as_bytes(), ..*header };
    let numbers = trial.reader.layout(&[line])?.parts.first()?.width(0)?;
    let also = row_counts::odd_row_below(&[line], rows, trial)?;
    // A row as long as the header can be the header of the next puzzle.
    if rows.iter().any(|row| row.count() == header.count()) && numbers != header.count() {
        return None;
    }
    let what = Mistake::Header { header: quoted(header), rows: rows.len() as u64, numbers };
    let part = Some(Box::new(whole(header, fitting.clone())));
    Some(Problem { part, ..Problem::new(header.place(), what).also(Some(also)) })
}

/// Returns the problem of a line that is equal to the first line before it.
fn doubled(lines: &[Line<'_>], trial: &Trial<'_>) -> Option<Problem> {
    let first = lines.first().filter(|line| line.numbers_only())?;
    let next = lines.get(1).copied().or_else(|| trial.lines_behind(lines.last()?).next())?;
    header_again(first, &next, trial)
}

/// Returns the problem of a line that is equal to a first line before it.
pub fn header_again(header: &Line<'_>, again: &Line<'_>, trial: &Trial<'_>) -> Option<Problem> {
    let (before, line) = (header.number, again.number);
    let what = FormMistake::HeaderDoubled { before, line };
    let removed = Proposal::remove_line(line);
    trial.mended(Problem::new(again.place(), what), header.is_like(again).then_some(removed))
}

/// Proposes to move the second header line, which has one number, from behind the rows to its place. It can stand on
/// the line of the first player, and the players can stand before the board.
pub fn header_behind(lines: &[Line<'_>], trial: &Trial<'_>) -> Option<Proposal> {
    let line = lines.get(1)?.number;
    let moved_to =
        |text, without| Proposal::All { changes: vec![Proposal::InsertLine { line, text }, without] };
    let alone = lines[2..].iter().filter(|behind| behind.count() == 1);
    let moved = alone.map(|behind| moved_to(quoted(behind), Proposal::remove_line(behind.number)));
    let beside_player = || {
        let [rows, _] = lines[0].numbers::<2>()?;
        let first = lines.get(usize::try_from(rows).ok()?.checked_add(1)?)?;
        let (number, player) =
            first.words().split_first().map(|(one, rest)| (one.to_string(), rest.join(" ")))?;
        Some(moved_to(number, Proposal::replace_line(first.number, player)))
    };
    let with_players_first = || {
        let (last, others) = lines[1..].split_last().filter(|(last, _)| last.count() == 1)?;
        let players = others.iter().take_while(|line| line.count() == 2).count();
        let mut written = vec![quoted(last)];
        written.extend(others[players..].iter().chain(&others[..players]).map(quoted));
        Proposal::replace_lines(&lines[1..], written)
    };
    trial.first_of(moved.chain(beside_player()).chain(with_players_first()))
}

/// If a number on the second header line is out of range, proposes the number with which the puzzle is valid.
pub fn second_value(problem: &Problem, lines: &[Line<'_>], trial: &Trial<'_>) -> Option<Problem> {
    let is_value = problem.rule() == "header-value" && trial.reader.fields().len() > 1;
    let line = lines.get(1).filter(|line| line.number == problem.place.line && is_value)?;
    let changes = (1..=VALUES_MAX).map(|value| whole(line, value.to_string()));
    trial.mended(problem.clone(), changes)
}

/// Returns the problem of the second header line, which should have one number, if the lines after it show the number.
pub fn alone(fields: &[Field], lines: &[Line<'_>], trial: &Trial<'_>) -> Option<Problem> {
    let line = lines.get(1)?;
    let tokens: Vec<_> = line.tokens().collect();
    let (number, numbers, field) = (line.number, line.count(), fields[0].name.clone());
    if !line.numbers_only() {
        let found = format!("'{}'", quoted(line)).into();
        let problem = Problem::new(line.place(), FormMistake::HeaderWord { found, field });
        let count = count_behind(lines, 2)?.to_string();
        // If the players are wrong as well, the line must name their number.
        let is_named = numbers_of(line).len() == 1;
        let proposal = trial.first_of([whole(line, count)]);
        return (is_named || proposal.is_some()).then(|| problem.proposing(proposal));
    }
    let proposal = without_one(line, trial);
    if proposal.is_none()
        && let Some(change) = header_behind(lines, trial)
    {
        let (from, expected) = (change.lines().1, described(fields));
        let what = FormMistake::HeaderBehind { line: number, numbers, expected, from };
        return Some(Problem::new(line.place(), what).proposing(Some(change)));
    }
    let surplus = match &proposal {
        Some(Proposal::Replace { place, .. }) => tokens.iter().find(|(at, _)| at == place)?,
        _ => tokens.get(1)?,
    };
    let what = Mistake::NumberAlone { line: number, numbers, field };
    Some(Problem::new(surplus.0, what).proposing(proposal))
}

/// Reports that a first line is missing before a row like those after it, or before a line that belongs after it.
pub fn header_missing(
    lines: &[Line<'_>],
    (at, fields): (usize, &[Field]),
    trial: &Trial<'_>,
) -> Option<Problem> {
    let first = lines.get(at)?;
    let (line, expected) = (first.number, described(fields));
    let numbers: Vec<_> = first.tokens().map_while(|(_, token)| digits_value(0, token)).collect();
    let is_header = are_allowed(fields, &numbers);
    if lines.len() == 1 {
        let what = Mistake::HeaderMissing { line, expected };
        let is_long = first.count() > fields.len() as u64 + 1;
        return (is_long && !is_header).then(|| Problem::new(first.place(), what));
    }
    let second = lines.get(at + 1)?;
    let none = Line { text: b"", ..*first };
    let others = trial.reader.fields().len() - 1;
    let third = lines.get(at + 2).is_some_and(|line| line.count() == first.count());
    let is_row = first.count() == second.count() || third || others > 0;
    let rows = lines.get(others..).unwrap_or_default();
    // The count of the lines after the rows belongs before the rows.
    let behind = if at == 1 { count_behind(lines, 1) } else { None };
    let fitting = fitting(&none, rows, trial).filter(|_| is_row && at == 0);
    let headers = fitting.chain(behind.map(|count| count.to_string()));
    // A row is as long as the header says.
    let is_as_long = at == 0 || lines[0].numbers::<2>().is_none_or(|[_, width]| width == first.count());
    let inserted = headers.map(|text| Proposal::InsertLine { line, text }).filter(|_| is_as_long);
    let inserted: Vec<_> = inserted.collect();
    let proposal = trial.first_of(inserted.clone());
    let proposal = proposal.or_else(|| both_missing(lines, trial).filter(|_| at == 0));
    let (rows, width) = (alike(lines).0, first.count());
    let is_square = rows == width && !is_header && fields[0].allows(rows);
    let is_sure = is_row && (width > fields.len() as u64 && rows >= width || is_square);
    let what: Phrase = match fields {
        [field] if at > 0 => FormMistake::FieldMissing { field: field.name.clone(), line }.into(),
        _ => Mistake::HeaderMissing { line, expected }.into(),
    };
    let problem = Problem::new(first.place(), what);
    if proposal.is_none() && (is_sure || at == 1) {
        // Something else can be wrong as well.
        let with_other = |insert: Proposal| {
            let header = behind.map(|count| count.to_string()).unwrap_or_default();
            let header = [lines[0], Line { text: header.as_bytes(), ..none }];
            let odd_row = || row_counts::odd_row_below(&header, &lines[1..], trial).filter(|_| at == 1);
            // The lines below the rows can include another game.
            let players = lines.iter().rev().take(behind.unwrap_or(0) as usize);
            let is_clear = players.clone().all(|line| line.count() == 2);
            let other =
                || second_mistakes::behind_inserted(slice::from_ref(&insert), trial).filter(|_| is_clear);
            let also = odd_row().or_else(other)?;
            Some(Problem { part: Some(Box::new(insert)), ..problem.clone().also(Some(also)) })
        };
        let found = inserted.into_iter().find_map(with_other);
        if found.is_some() || at == 1 && behind.is_some() {
            return found;
        }
    }
    (proposal.is_some() || is_sure && others == 0).then(|| problem.proposing(proposal))
}

/// Proposes both header lines before a game that begins with its board. Lines of players follow the rows.
fn both_missing(lines: &[Line<'_>], trial: &Trial<'_>) -> Option<Proposal> {
    let (rows, [width, _]) = alike(lines);
    let players = (lines.len() as u64).checked_sub(rows).filter(|_| trial.reader.fields().len() == 2)?;
    let written = vec![format!("{rows} {width}"), players.to_string(), quoted(&lines[0])];
    trial.first_of(Proposal::replace_lines(&lines[..1], written))
}

/// Proposes a first line without its words, or a header that fits the rows.
fn odd_words(
    problem: &Problem,
    (line, fields): (&Line<'_>, &[Field]),
    lines: &[Line<'_>],
    trial: &Trial<'_>,
) -> Option<Problem> {
    let rows = fitting(&Line { text: b"", ..*line }, lines.get(1..).unwrap_or_default(), trial);
    let seed = seed_of(line).map(|seed| format!(" {seed}")).unwrap_or_default();
    let rows: Vec<_> = rows.map(|header| header + &seed).collect();
    // Numbers beside one mark, as in `? 42`, stay.
    let mut tokens = line.words();
    let are_marks = |token: &str| !token.contains(char::is_alphanumeric);
    let mark = tokens.iter().position(|token| are_marks(token)).filter(|_| tokens.len() <= fields.len());
    let beside = mark.zip(rows.first()).and_then(|(at, fitting)| {
        tokens[at] = fitting.split(' ').nth(at)?.into();
        Some(tokens.join(" "))
    });
    let rows = beside.into_iter().chain(rows);
    // The number of a title is not one of the header.
    let is_title =
        !numbers_of(line).is_empty() && line.text.trim_ascii().first().is_some_and(u8::is_ascii_alphabetic);
    let written = |with| if is_title { Proposal::replace_line(line.number, with) } else { whole(line, with) };
    let is_full = |change: &Proposal| trial.wrong_after(change).filter(|wrong| wrong.rule() == "all-squares");
    if let Some((change, full)) =
        others(line, fields).into_iter().find_map(|change| Some((change.clone(), is_full(&change)?)))
    {
        let (part, also) = (Some(Box::new(change)), Some(Box::new(full.proposing(None))));
        return Some(Problem { part, also, ..problem.clone() });
    }
    // If the line has all its numbers, a row that does not fit them is wrong as well.
    let is_open = is_title || numbers_of(line).len() < fields.len();
    let rows = rows.filter(|_| is_open);
    let proposals = others(line, fields).into_iter().chain(rows.map(written));
    let proposal = trial.first_of(proposals);
    // A size written twice is the header's first number.
    if let ([size, again], [field, Field { is_optional: true, .. }]) = (&numbers_of(line)[..], fields)
        && size == again
        && proposal
            .as_ref()
            .is_none_or(|change| matches!(change, Proposal::Replace { with, .. } if with == size))
    {
        let (found, field) = (format!("'{}'", quoted(line)).into(), field.name.clone());
        let problem = Problem::new(line.place(), FormMistake::HeaderWord { found, field });
        return Some(problem.proposing(proposal));
    }
    let proposal = proposal?;
    Some(odd_word(problem.clone(), line).proposing(Some(proposal)))
}

/// Returns the problem of the first word on a header line, unless the reader has already reported a word.
fn odd_word(problem: Problem, line: &Line<'_>) -> Problem {
    let is_word = |(_, token): &(_, &[u8])| !token.iter().all(u8::is_ascii_digit);
    match line.tokens().find(is_word).filter(|_| problem.rule() != "header-word") {
        Some((place, token)) => {
            Problem::new(place, Mistake::Word { found: quoted_token(token), line: line.number })
        }
        None => problem,
    }
}
