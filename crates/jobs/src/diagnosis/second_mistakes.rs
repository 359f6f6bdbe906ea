//! Further mistakes of a puzzle that do not follow from the first one.

use super::missing_rows::zeros;
use super::proposal_trial::Trial;
use super::{characters, first_lines, header_changes, players, row_counts};
use tabuleiro_puzzles::input::{Line, Marked, Place, is_comment};
use tabuleiro_puzzles::solver::{Layout, Problem, Proposal};
use tabuleiro_puzzles::words::Argument;

/// The most further mistakes of a puzzle that are reported, and the most further players and wrong values.
const FURTHER_MAX: usize = 2;
const PLAYERS_MAX: usize = 8;
pub const VALUES_MAX: usize = 16;
/// The most places at which an already named character is corrected.
const AGAIN_MAX: usize = 16;
/// The longest row that is cut or filled up to its expected length.
const WIDTH_MAX: u64 = 4096;
/// The most missing rows behind which moves are read.
const ROWS_MAX: u64 = 16;

/// Marks of lists, which are corrected together.
const LIST_MARKS: &str = "[](){},;";

/// Rules of numbers and characters of rows.
const VALUES: [&str; 4] = ["square-value", "square-large", "character", "word"];
/// Rules of rows that are too short or too long.
const LENGTHS: [&str; 2] = ["row-length", "row-length-expected"];
/// Rules of players that do not stand on the board.
const PLAYERS: [&str; 3] = ["player-row", "player-column", "player-outside"];
/// Rules of other lines after the rows, and of their number.
const BEHIND: [&str; 8] = [
    "moves",
    "second-moves",
    "auto-moves",
    "moves-missing",
    "player-count",
    "player-line",
    "players-from-one",
    "players-exchanged",
];
/// Rules of a line of moves.
const MOVES: [&str; 2] = ["moves", "auto-moves"];
/// Rules of the number of rows.
const COUNTS: [&str; 2] = ["row-count", "row-doubled"];

/// A puzzle whose mistakes are corrected one after the other, on trial.
struct Mended<'a> {
    trial: &'a Trial<'a>,
    lines: &'a [Line<'a>],
    /// The changes so far.
    changes: Vec<Proposal>,
    /// The characters that were named with all their lines.
    named: Vec<Argument>,
}

/// Adds what else is wrong with a puzzle, if the first mistake leaves no doubt about that.
pub fn add(problem: Problem, lines: &[Line<'_>], trial: &Trial<'_>) -> Problem {
    if problem.proposal.is_some() || problem.also.is_some() {
        return problem;
    }
    if problem.rule() == "moves-early" {
        return with_moves(problem, lines, trial);
    }
    // The reader takes the first number of a row for a missing second header line.
    if let ([_, fields], Some(second)) = (trial.reader.fields(), lines.get(1))
        && VALUES.contains(&problem.rule())
        && second.numbers_only()
        && second.count() > 1
        && let Some(missing) = first_lines::header_missing(lines, (1, fields), trial)
    {
        return missing.also(Some(problem));
    }
    // The rows do not show which number was meant instead of one that is out of range.
    let is_header = problem.rule().starts_with("header-") && problem.rule() != "header-value";
    let mut headers = lines.iter().take(trial.reader.fields().len());
    let header = headers.position(|line| line.number == problem.place.line);
    if let Some(at) = header.filter(|_| is_header) {
        let with_another = |change: Proposal| {
            let mended = Mended::new(trial, lines, vec![change.clone()]);
            let may_be = |other: &Problem| is_local(other) || other.rule() == "header-word";
            let other =
                mended.next(false).filter(|other| may_be(other) && other.place.line > problem.place.line)?;
            let also = mended.further(&other, FURTHER_MAX - 1);
            Some((change, other.also(also)))
        };
        let found = header_changes::likely_headers(at, lines, trial).into_iter().find_map(with_another);
        let Some((part, also)) = found else { return problem };
        return Problem { part: Some(Box::new(part)), ..problem }.also(Some(also));
    }
    let most = if PLAYERS.contains(&problem.rule()) { PLAYERS_MAX } else { FURTHER_MAX };
    let also = Mended::new(trial, lines, Vec::new()).further(&problem, most);
    with_parts(problem.also(also), lines, trial)
}

/// Adds what is wrong with the rows of a game whose moves stand before them.
fn with_moves(problem: Problem, lines: &[Line<'_>], trial: &Trial<'_>) -> Problem {
    let moves =
        lines.iter().find(|line| line.number == problem.place.line && line.column == problem.place.column);
    let (Some(moves), Some(last)) = (moves, lines.last()) else { return problem };
    let text = String::from_utf8_lossy(moves.text.trim_ascii()).into_owned();
    let behind = Proposal::InsertLine { line: last.number + 1, text };
    // A blank line keeps the numbers of the rows.
    let blank = Proposal::replace_line(moves.number, String::new());
    let other = Mended::new(trial, lines, vec![blank, behind.clone()]).next(false);
    let Some(other) = other.filter(|other| VALUES.contains(&other.rule())) else { return problem };
    let changes = vec![Proposal::remove_line(moves.number), behind];
    Problem { part: Some(Box::new(Proposal::All { changes })), ..problem }.also(Some(other))
}

/// Returns what is wrong with a puzzle after a change that keeps the numbers of its lines, and what else is.
pub fn after(change: Proposal, lines: &[Line<'_>], trial: &Trial<'_>) -> Option<Problem> {
    let mended = Mended::new(trial, lines, vec![change]);
    let other = mended.next(false)?;
    let also = mended.further(&other, FURTHER_MAX - 1);
    Some(other.also(also))
}

/// Returns what is wrong with a value or a move behind inserted lines.
pub fn behind_inserted(inserted: &[Proposal], trial: &Trial<'_>) -> Option<Problem> {
    let other = trial.wrong_after(&Proposal::All { changes: inserted.to_vec() })?;
    let line = other.place.line.checked_sub(inserted.len() as u64)?;
    let is_clear =
        [&["square-value"][..], &MOVES, &PLAYERS].iter().any(|rules| rules.contains(&other.rule()));
    let is_behind = line >= inserted.last()?.lines().0;
    let place = Place { line, ..other.place };
    (is_clear && is_behind).then_some(Problem { place, excerpt: None, ..other.proposing(None) })
}

/// Adds to each of several mistakes the change that corrects it, if that is certain. The last one has none unless all
/// changes together make the puzzle valid.
fn with_parts(mut problem: Problem, lines: &[Line<'_>], trial: &Trial<'_>) -> Problem {
    let single = Mended::new(trial, lines, Vec::new());
    let chain: Vec<_> = problem.chain().cloned().collect();
    let corrections: Option<Vec<_>> = chain
        .iter()
        .map(|mistake| mistake.part.as_deref().cloned().or_else(|| single.correction(mistake)))
        .collect();
    let Some(mut corrections) = corrections.filter(|all| all.len() > 1) else { return problem };
    let mut parts = Vec::new();
    for (at, mistake) in chain.iter().enumerate() {
        let others = [&corrections[..at], &corrections[at + 1..]].concat();
        let found = characters::look(mistake, lines, &trial.assuming(&others));
        let part = found.filter(|found| found.rule() == mistake.rule()).and_then(|found| found.proposal);
        let part = part.or_else(|| mistake.part.clone());
        if let Some(part) = &part {
            corrections[at] = (**part).clone();
        }
        parts.push(part);
    }
    if parts.iter().all(Option::is_some)
        && trial.first_of([Proposal::together(corrections)]).is_none()
        && let Some(last) = parts.last_mut()
    {
        *last = None;
    }
    let mut next = Some(&mut problem);
    for part in parts {
        let Some(mistake) = next else { break };
        mistake.part = part;
        next = mistake.also.as_deref_mut();
    }
    problem
}

/// Returns whether a mistake concerns its own line only.
fn is_local(problem: &Problem) -> bool {
    let rules = [&VALUES[..], &LENGTHS, &PLAYERS, &BEHIND, &COUNTS];
    rules.iter().any(|rules| rules.contains(&problem.rule()))
}

/// Returns whether a row has as many numbers as expected. Then a later row is wrong, not this one.
fn has_right_length(problem: &Problem) -> bool {
    LENGTHS.contains(&problem.rule()) && number_of(problem, "numbers") == number_of(problem, "expected")
}

/// Returns a number that a message names.
pub fn number_of(problem: &Problem, name: &str) -> Option<u64> {
    problem.what.arguments.iter().find_map(|(other, value)| match value {
        Argument::Number(number) if *other == name => u64::try_from(*number).ok(),
        _ => None,
    })
}

impl<'a> Mended<'a> {
    fn new(trial: &'a Trial<'a>, lines: &'a [Line<'a>], changes: Vec<Proposal>) -> Self {
        Self { trial, lines, changes, named: Vec::new() }
    }

    /// Returns the mistake after `problem` with those after it, at most `left`.
    fn further(mut self, problem: &Problem, left: usize) -> Option<Problem> {
        if left == 0 || BEHIND.contains(&problem.rule()) || !is_local(problem) {
            return None;
        }
        if problem.rule() == "row-count" {
            return self.behind_missing_rows(problem);
        }
        let change = self.correction(problem)?;
        self.changes.push(change);
        let arguments = &problem.what.arguments;
        if let ("character", [(_, name), .., (_, others)]) = (problem.rule(), &arguments[..])
            && *others != 0_u64.into()
        {
            self.named.push(name.clone());
        }
        let is_whole = self.is_whole();
        let is_of_players = PLAYERS.contains(&problem.rule());
        let is_of_rows = COUNTS.contains(&problem.rule());
        let mut other = self.next(is_of_players)?;
        for _ in 0..AGAIN_MAX {
            if !self.is_named(&other) {
                break;
            }
            let change = self.correction(&other)?;
            self.changes.push(change);
            other = self.next(is_of_players)?;
        }
        let other = Some(other).filter(|other| {
            let is_behind =
                [&PLAYERS[..], &BEHIND, &COUNTS].iter().any(|rules| rules.contains(&other.rule()));
            let is_player = PLAYERS.contains(&problem.rule());
            let is_later = (other.place > problem.place
                || !is_player && other.place.line != problem.place.line)
                && (other.place.line > problem.place.line || is_player || self.is_square(problem));
            // Whatever is wrong with a header, its rows can be too few.
            let is_of_header = other.place.line == problem.place.line || problem.rule() == "character";
            let is_player_count = other.rule() == "player-count";
            let is_count = COUNTS.contains(&other.rule()) && is_of_header || is_player_count;
            // A row that begins with the mark of comments is not read.
            let is_value = problem.rule() == "square-value";
            let is_hidden = other.rule() == "row-count" && is_value && self.begins_comment(problem);
            (is_local(other) || other.rule() == "header-word")
                && !is_hidden
                && !self.is_named(other)
                && !has_right_length(other)
                && (!is_player || PLAYERS.contains(&other.rule()))
                && (is_player
                    || is_whole
                    || is_of_rows
                    || !is_behind
                    || is_player_count
                    || VALUES.contains(&problem.rule()))
                && (is_later || is_count || self.is_value_of_row(problem, other))
        })?;
        // Further wrong values are only counted, and their lines named.
        let is_value = left == 1 && [problem, &other].iter().all(|problem| problem.rule() == "square-value");
        let left = if is_value { usize::from(self.changes.len() < VALUES_MAX) } else { left - 1 };
        let also = self.further(&other, left);
        Some(other.also(also))
    }

    /// Returns whether a problem is about a character whose lines were named.
    fn is_named(&self, problem: &Problem) -> bool {
        let name = problem.what.arguments.first();
        problem.rule() == "character" && name.is_some_and(|(_, name)| self.named.contains(name))
    }

    /// Returns a change after which a mistake is gone, with zeros for numbers that nobody knows. It moves no other number
    /// of its line.
    fn correction(&self, problem: &Problem) -> Option<Proposal> {
        let line = problem.line_in(self.lines)?;
        if problem.rule() == "row-doubled" {
            return Some(Proposal::replace_line(line.number, String::new()));
        }
        if LENGTHS.contains(&problem.rule()) {
            let width =
                characters::width_of(line, self.lines, self.trial).filter(|&width| width <= WIDTH_MAX)?;
            let width = width as usize;
            let surplus = line.tokens().nth(width).map(|(place, _)| (place.column - line.column) as usize);
            let row = String::from_utf8(line.text[..surplus.unwrap_or(line.text.len())].to_vec()).ok()?;
            let missing = width.saturating_sub(line.tokens().count());
            return Some(Proposal::replace_line(line.number, row + &" 0".repeat(missing)));
        }
        let width = characters::width_of(line, self.lines, self.trial);
        if problem.rule() == "word" {
            let zeros = zeros(width.filter(|&width| width <= WIDTH_MAX)?);
            return Some(Proposal::replace_line(line.number, zeros));
        }
        // A comment ends its line, unless the row is whole with it.
        let at = usize::try_from(problem.place.column.checked_sub(line.column)?).ok()?;
        let rest = line.text.get(at..)?;
        if width != Some(line.count())
            && [&b"#"[..], b"//", b"--", b"%", b"<-", b"->", b"=>"].iter().any(|mark| rest.starts_with(mark))
        {
            let before = String::from_utf8(line.text[..at].to_vec()).ok()?;
            return Some(Proposal::replace_line(line.number, before));
        }
        let (place, token) = line.token_around(problem.place)?;
        if MOVES.contains(&problem.rule()) {
            return Some(Proposal::replace_line(line.number, "-".to_owned()));
        }
        if problem.rule() == "player-outside" {
            return Some(Proposal::replace_line(line.number, "0 0".to_owned()));
        }
        // The same mark can stand in other lines.
        if problem.rule() == "character"
            && let Some(mark) = rest.first().filter(|byte| byte.is_ascii_punctuation())
            && (width != Some(line.count())
                || token.len() > 1 && [token.first(), token.last()].contains(&Some(mark)))
        {
            let [from_line, to_line] = [self.lines.first()?.number, self.lines.last()?.number];
            // A comma within a token can be a decimal one.
            let is_of_list =
                LIST_MARKS.as_bytes().contains(mark) && !token[..token.len() - 1].contains(&b',');
            let characters = if is_of_list { LIST_MARKS.to_owned() } else { char::from(*mark).to_string() };
            let all = Proposal::ReplaceAll { from_line, to_line, characters, with: " ".to_owned() };
            if self.trial.wrong_after(&all).is_some_and(|other| other.place != problem.place) {
                return Some(all);
            }
        }
        let numbers = self.numbers_apart(line, token).unwrap_or(1);
        let with = format!("{:1$}", zeros(numbers as u64), token.len());
        Some(Proposal::replace_token((place, token), &with))
    }

    /// Returns what is wrong with the moves if rows are missing before them.
    fn behind_missing_rows(&self, problem: &Problem) -> Option<Problem> {
        let [rows, expected] = ["rows", "expected"].map(|name| number_of(problem, name));
        let (rows, layout) = (rows?, self.trial.reader.layout(self.lines)?);
        let last = self.lines.get(layout.header_lines + usize::try_from(rows).ok()?.checked_sub(1)?)?;
        let width = layout.parts.first()?.width(rows).filter(|&width| width <= WIDTH_MAX)?;
        let missing = expected?.checked_sub(rows).filter(|&missing| missing <= ROWS_MAX)?;
        let inserted = Proposal::InsertLine { line: last.number + 1, text: zeros(width) };
        behind_inserted(&vec![inserted; missing as usize], self.trial)
    }

    /// Returns how many numbers the marks of a token separate, if the row has its length with them.
    fn numbers_apart(&self, line: &Line<'_>, token: &[u8]) -> Option<usize> {
        let numbers = token.split(|byte| !byte.is_ascii_digit()).filter(|number| !number.is_empty()).count();
        let width = characters::width_of(line, self.lines, self.trial)?;
        (numbers > 1 && width == line.count() - 1 + numbers as u64).then_some(numbers)
    }

    /// Returns whether a mistake is a token that would begin a comment at the start of a line.
    fn begins_comment(&self, problem: &Problem) -> bool {
        let line = problem.line_in(self.lines);
        line.and_then(|line| line.token_at(problem.place)).is_some_and(|(_, token)| is_comment(token))
    }

    /// Returns whether the puzzle has as many lines as it should have.
    fn is_whole(&self) -> bool {
        let rows = |layout: &Layout| layout.rows().saturating_add(layout.header_lines as u64);
        let layout = self.trial.reader.layout(self.lines);
        layout.is_some_and(|layout| rows(&layout) == self.lines.len() as u64)
    }

    /// Returns whether a mistake is a value of one digit in a row that is too short or too long.
    fn is_value_of_row(&self, row: &Problem, value: &Problem) -> bool {
        let line = row.line_in(self.lines);
        let token = line.and_then(|line| line.token_at(value.place));
        LENGTHS.contains(&row.rule())
            && value.rule() == "square-value"
            && token.is_some_and(|(_, token)| token.len() == 1)
    }

    /// Returns whether a mistake is a value or a letter that stands for one square, or a mark between two, so that it
    /// is clear how long its row is.
    fn is_square(&self, problem: &Problem) -> bool {
        let Some(line) = problem.line_in(self.lines) else { return false };
        let token = line.token_around(problem.place);
        let is_digit = |byte: &u8| byte.is_ascii_digit() || b"OolI".contains(byte);
        let is_whole = characters::width_of(line, self.lines, self.trial) == Some(line.count());
        VALUES.contains(&problem.rule())
            && token.is_some_and(|(_, token)| {
                is_whole || token.iter().all(is_digit) || self.numbers_apart(line, token).is_some()
            })
    }

    /// Returns what is wrong after the changes. `only_players` skips the checks of rows and of all players together.
    fn next(&self, only_players: bool) -> Option<Problem> {
        let change = Proposal::All { changes: self.changes.clone() };
        let (other, text) = (self.trial.wrong_after(&change)?, self.trial.text?);
        let copy = change.apply(text.text, text.first.line)?;
        let is_its = |line: &Line<'_>| self.lines.iter().any(|other| other.number == line.number);
        let changed = Marked { text: &copy, read: copy.len(), ..text }.lines();
        let lines: Vec<_> = changed.into_iter().filter(is_its).collect();
        // Rows of a wrong length come before the mistake at which the reader stopped.
        let rows = if only_players { None } else { row_counts::look(&other, &lines, self.trial) };
        let other = rows.filter(is_local).unwrap_or(other);
        let trial = self.trial.assuming(&self.changes);
        let players = if only_players { None } else { players::look(&other, &lines, &trial) };
        let other = players.filter(is_local).unwrap_or(other);
        let other = characters::look(&other, &lines, &trial).unwrap_or(other);
        // The second header line can have words as well.
        let second = lines.get(1).filter(|second| second.number == other.place.line);
        let fields = second.and_then(|_| self.trial.reader.fields().get(1));
        let words = fields.and_then(|fields| first_lines::alone(fields, &lines, &trial));
        let other = words.filter(|words| words.rule() == "header-word").unwrap_or(other);
        let part = other.proposal.clone();
        Some(Problem { part, ..other.proposing(None) })
    }
}
