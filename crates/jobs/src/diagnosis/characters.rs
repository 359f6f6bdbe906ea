//! Finds the characters of a wrong puzzle that numbers do not have.

mod character_changes;
mod character_names;

use super::Mistake;
use super::header_changes::{numbers_of, quoted, quoted_token};
use super::proposal_trial::Trial;
use character_changes::TokenContext;
pub(super) use character_changes::is_invisible;
use character_names::{Character, Instead, LETTERS_O, comment, named};
use tabuleiro_puzzles::input::{Line, Place, QUOTE_BYTES_MAX, printable};
use tabuleiro_puzzles::solver::{FormMistake, Part, Problem, Proposal, named_lines};
use tabuleiro_puzzles::words::Phrase;

/// The most different characters of a puzzle that are examined.
const CHARACTERS_MAX: usize = 8;
/// The most letters and marks that stand for squares.
const MARKS_MAX: usize = 6;
/// Rules about counts of numbers.
const LENGTH_RULES: [&str; 6] = [
    "header-length",
    "header-value",
    "row-length-expected",
    "row-count",
    "numbers-missing",
    "numbers-surplus",
];
/// Rules of lines that belong to no puzzle.
const STRAY_RULES: [&str; 3] = ["stray-line", "text-after-cases", "case-count"];
const DASHES: [char; 3] = ['–', '—', '−'];
/// Replaces the token in a message if the token is only the named character.
const ALONE: &str = "alone";

/// Returns the problem of a named character in the token at which the reader stopped. If a count of numbers is wrong,
/// examines the first token that is not a number instead, because it is often the cause.
pub fn look(problem: &Problem, lines: &[Line<'_>], trial: &Trial<'_>) -> Option<Problem> {
    let (line, (place, token)) = odd_token(problem, lines, trial)?;
    let text = String::from_utf8_lossy(token);
    // If the reader's place is inside the token, it points at the character.
    let is_at = problem.place.line == place.line;
    let from = problem.place.column.checked_sub(place.column).filter(|_| is_at).unwrap_or(0) as usize;
    let (at, character) =
        text.char_indices().find(|&(at, character)| at >= from && !character.is_ascii_digit())?;
    // In a row that can hold anything, the reader knows more about visible characters.
    let is_seen =
        character.is_alphanumeric() || character.is_ascii_punctuation() && !matches!(character, '#' | '/');
    if is_seen && holds_anything(line, lines, trial) {
        return None;
    }
    let context = TokenContext { line, place, token, lines };
    let (name, instead) = name_in_line(problem, &context, trial, (at, character))?;
    // The messages about squares say what a number with a minus sign can mean: 2, or a square where players are stuck.
    if matches!(name, Character::Minus { .. })
        && ["checkers", "jump"].contains(&problem.what.scope)
        && problem.rule() == "square-value"
    {
        return Some(naming(problem, name, token));
    }
    // A header has no squares. A second header line has the number of players, and no square of their board is empty.
    let is_square = problem.rule() != "header-word";
    if matches!(name, Character::EmptyMark { .. }) && (!is_square || trial.reader.fields().len() > 1) {
        return None;
    }
    // The seed can be a date.
    let may_be_date =
        matches!(name, Character::Slash | Character::Hyphen { .. }) && is_optional(line, place, trial);
    let is_tile = matches!(problem.what.scope, "merge" | "astar" | "game");
    let instead = match instead {
        _ if is_tile && matches!(&*text, "-1" | "-0") => Instead::Zero,
        Instead::Value { value } if is_tile && !value.is_power_of_two() => Instead::Whole,
        Instead::Blanks if may_be_date => Instead::Whole,
        instead => instead,
    };
    // If other letters stand for pieces, this letter does as well.
    if is_square && matches!(name, Character::LetterO { .. }) && has_letters_for_pieces(lines, trial) {
        return None;
    }
    let proposal = trial.first_of(context.proposals(&text, &name, &instead));
    // Only a trial shows whether a comma or point separates two numbers or begins a fraction.
    let one = match &proposal {
        Some(Proposal::All { changes }) => changes.first(),
        other => other.as_ref(),
    };
    let (name, instead) = match (&name, one) {
        (Character::LetterO { .. }, Some(Proposal::Replace { with, .. })) if with.len() < text.len() => {
            (name, Instead::Nothing)
        }
        (Character::LetterO { .. } | Character::LetterL { .. }, _)
            if matches!(&proposal, Some(Proposal::All { .. })) && has_both_letters(lines) =>
        {
            (Character::Letters, Instead::ZeroAndOne)
        }
        (Character::DecimalComma, Some(Proposal::ReplaceAll { .. })) => (Character::Comma, Instead::Blanks),
        (Character::DecimalPoint, Some(Proposal::ReplaceAll { .. })) => (name, Instead::Blanks),
        // If another mistake makes every trial fail, the length of the line shows it instead.
        (Character::DecimalComma, None)
            if lines.first().is_some_and(|first| first.number == line.number)
                && trial.reader.fields().first().is_some_and(|fields| fields.len() > 1) =>
        {
            (Character::Comma, Instead::Blanks)
        }
        (Character::DecimalComma | Character::DecimalPoint, None)
            if !line.numbers_only() && fits_if_split(line, lines, trial) =>
        {
            (if character == ',' { Character::Comma } else { name }, Instead::Blanks)
        }
        (Character::Semicolon, Some(Proposal::ReplaceAll { with, .. })) if with == "\n" => {
            (name, Instead::NewLine)
        }
        (Character::Semicolon, Some(Proposal::ReplaceLines { .. })) => (name, Instead::NewLine),
        (_, Some(change)) if change.removes_marks() => (name, Instead::Nothing),
        (Character::Semicolon, Some(Proposal::ReplaceAll { with, .. })) if with.is_empty() => {
            (name, Instead::Nothing)
        }
        _ => (name, instead),
    };
    // A token that is only the character would repeat its name.
    let is_alone =
        matches!(&name, Character::Comment { character } if *character == *text) || text.chars().count() == 1;
    let token = if is_alone { ALONE.to_owned() } else { quoted_token(token) };
    let has_it = |other: &&Line<'_>| {
        !holds_anything(other, lines, trial)
            && other
                .tokens()
                .any(|(_, token)| is_alike(&String::from_utf8_lossy(token), &name, (character, &text)))
    };
    let names_lines =
        proposal.as_ref().map_or(character.is_alphanumeric(), |proposal| !proposal.shows_lines());
    let others = lines.iter().filter(|other| !names_lines && other.number != line.number && has_it(other));
    let others: Vec<_> = others.map(|other| other.number).collect();
    let (others, lines) = (others.len() as u64, named_lines(others));
    let what = Mistake::Character { character: name.into(), token, expected: instead.into(), lines, others };
    let place = Place { column: place.column + at as u64, ..place };
    Some(Problem::new(place, what).proposing(proposal))
}

/// Returns the name of a character in its line, and what to write instead.
fn name_in_line(
    problem: &Problem,
    &TokenContext { line, place, token, lines }: &TokenContext<'_>,
    trial: &Trial<'_>,
    (at, character): (usize, char),
) -> Option<(Character, Instead)> {
    let text = String::from_utf8_lossy(token);
    let rest = line.text.get((place.column - line.column) as usize + at..).unwrap_or_default();
    let name = match problem.rule() {
        "moves" if DASHES.contains(&character) && text.chars().count() == 1 => {
            (Character::Dash { character: text.to_string() }, Instead::NoMoves)
        }
        // If the row is complete without it, a mark before it is a bullet, and one behind it a full stop.
        _ if is_bullet(&text)
            && (line.place() == place || line.tokens().last().is_some_and(|(last, _)| last == place))
            && width_of(line, lines, trial).is_some_and(|width| width + 1 == line.count()) =>
        {
            (Character::EmptyMark { character: text.to_string() }, Instead::Nothing)
        }
        // A header repeats no number.
        _ if character == '*' && at > 0 && lines.first().is_some_and(|first| first.number == line.number) => {
            (Character::Hyphen { kind: "star" }, Instead::Blanks)
        }
        // If the row is complete with it, a bar stands for a square: in a scanned text, 1 can become a bar.
        _ if *text == *"|" && width_of(line, lines, trial) == Some(line.count()) => return None,
        // If the row is complete with it, a comment mark stands for a square.
        _ if *text == *"#" && width_of(line, lines, trial) == Some(line.count()) => {
            (Character::EmptyMark { character: text.to_string() }, Instead::Zero)
        }
        _ => return comment(&String::from_utf8_lossy(rest)).or_else(|| named(token, &text, at, character)),
    };
    Some(name)
}

/// Names a mark in a line of moves that has only other moves besides.
pub fn naming_mark(problem: Problem, lines: &[Line<'_>]) -> Problem {
    let line = problem.line_in(lines);
    let token = line.and_then(|line| line.token_around(problem.place));
    let Some((place, token)) = token.filter(|(place, _)| *place <= problem.place) else { return problem };
    let (text, at) = (String::from_utf8_lossy(token), (problem.place.column - place.column) as usize);
    let mark = text
        .get(at..)
        .and_then(|rest| rest.chars().next())
        .filter(|mark| (mark.is_ascii_punctuation() || "“”‘’".contains(*mark)) && token.len() > 1);
    match mark.and_then(|mark| named(token, &text, at, mark)) {
        Some((name, _)) => naming(&problem, name, token),
        None => problem,
    }
}

/// Returns the problem of a value that names the character in its token.
fn naming(problem: &Problem, character: Character, token: &[u8]) -> Problem {
    let mut problem = problem.clone();
    if let Some((_, found)) = problem.what.arguments.iter_mut().find(|(name, _)| *name == "found") {
        let in_token = Mistake::InToken { character: character.into(), token: quoted_token(token) };
        *found = Phrase::from(in_token).into();
    }
    problem
}

/// Returns whether another token has the named character of `text`.
fn is_alike(other: &str, name: &Character, (character, text): (char, &str)) -> bool {
    let is_letter = |other: char| LETTERS_O.contains(&other) || matches!(other, 'l' | 'I');
    // A mark alone is no part of a number.
    other.contains(character) && (other.len() > 1 || text.len() == 1)
        || matches!(name, Character::Letters) && other.contains(is_letter)
}

/// Returns whether a token is a single mark.
fn is_bullet(text: &str) -> bool {
    text.chars().count() == 1 && !text.contains(char::is_alphanumeric)
}

/// Returns whether letters other than those for 0 and 1 stand in rows.
fn has_letters_for_pieces(lines: &[Line<'_>], trial: &Trial<'_>) -> bool {
    let is_piece =
        |letter: char| letter.is_alphabetic() && !LETTERS_O.contains(&letter) && !"lI".contains(letter);
    // The words of a comment are no pieces.
    let has = |line: &Line<'_>| line.words().iter().any(|word| word.len() == 1 && word.contains(is_piece));
    lines.iter().any(|line| has(line) && !holds_anything(line, lines, trial))
}

/// Returns whether letters stand for both 0 and 1.
fn has_both_letters(lines: &[Line<'_>]) -> bool {
    let is_like_digit =
        |letter: char| letter.is_ascii_digit() || LETTERS_O.contains(&letter) || matches!(letter, 'l' | 'I');
    let tokens = lines.iter().flat_map(Line::tokens).map(|(_, token)| String::from_utf8_lossy(token));
    let numbers: Vec<_> = tokens.filter(|token| token.chars().all(is_like_digit)).collect();
    let has = |letters: &[char]| numbers.iter().any(|number| number.contains(letters));
    has(&LETTERS_O) && has(&['l', 'I'])
}

/// Returns whether the token at a place is an optional number of the first line.
fn is_optional(line: &Line<'_>, place: Place, trial: &Trial<'_>) -> bool {
    let fields = trial.reader.fields().first();
    let last = fields.filter(|fields| fields.last().is_some_and(|field| field.is_optional));
    last.is_some_and(|fields| line.tokens().nth(fields.len() - 1).is_some_and(|(token, _)| token == place))
}

/// Returns the token at the place of a problem, with its line, if it is no number. If a line has a wrong length, returns
/// the first such token.
fn odd_token<'a>(
    problem: &Problem,
    lines: &'a [Line<'a>],
    trial: &Trial<'_>,
) -> Option<(&'a Line<'a>, (Place, &'a [u8]))> {
    let line = problem.line_in(lines)?;
    let is_number = |token: &[u8]| token.iter().all(u8::is_ascii_digit);
    let token = line.token_around(problem.place).filter(|(place, _)| *place <= problem.place);
    match token.filter(|(_, token)| !is_number(token)) {
        Some(found) => Some((line, found)),
        None if LENGTH_RULES.contains(&problem.rule()) => {
            let is_first = problem.rule().starts_with("header");
            let tried = lines.iter().take(if is_first { 1 } else { usize::MAX });
            // A line without digits can be text that only its solver understands.
            let tried = tried.filter(|line| line.text.iter().any(u8::is_ascii_digit));
            let mut tried = tried.filter(|line| !holds_anything(line, lines, trial));
            tried.find_map(|line| Some((line, line.tokens().find(|(_, token)| !is_number(token))?)))
        }
        None => None,
    }
}

/// Returns the problem of a stray line with a character or letters that an editor does not show as they are.
pub fn stray(problem: &Problem, lines: &[Line<'_>], trial: &Trial<'_>) -> Option<Problem> {
    let line = problem.line_in(lines)?;
    let is_stray = STRAY_RULES.contains(&problem.rule()) && !line.numbers_only();
    let text = line.text.trim_ascii();
    let removed = Proposal::remove_line(line.number);
    let what: Phrase = match std::str::from_utf8(text) {
        _ if !is_stray => return None,
        // Text that is not UTF-8 is shown as Latin-1, in which every byte is a character.
        Err(_) => Mistake::StrayLine { line: line.number, text: quoted(line) }.into(),
        Ok(text) if problem.rule() != "stray-line" && is_title(text) => {
            FormMistake::stray_line(line.number).into()
        }
        Ok(_) => return None,
    };
    let proposal = trial.first_of([removed]);
    // If no number of puzzles follows, the line itself was probably meant as that number.
    let next = trial.lines_behind(line).find(Line::numbers_only);
    let is_count = problem.rule() == "case-count" && next.is_none_or(|next| next.numbers::<1>().is_none());
    (!is_count).then(|| Problem::new(line.place(), what).proposing(proposal))
}

/// Returns the problem that letters or marks stand for the squares of a checkers board. Nobody can tell which of them
/// are the player's own pieces.
pub fn piece_marks(problem: &Problem, lines: &[Line<'_>]) -> Option<Problem> {
    let (rule, header) = (problem.rule(), lines.first()?.numbers::<2>()?);
    if problem.what.scope != "checkers" || !["all-squares", "square-value"].contains(&rule) {
        return None;
    }
    let tokens = lines[1..].iter().flat_map(Line::tokens).map(|(_, token)| String::from_utf8_lossy(token));
    let (mut marks, mut squares) = (Vec::new(), 0);
    for token in tokens {
        // An invisible variation selector can follow such a character.
        let drawn = token.replace('\u{fe0f}', "");
        squares = squares.max(drawn.chars().count() as u64);
        marks.extend(drawn.chars());
    }
    marks.sort_unstable();
    marks.dedup();
    // In a game for two, -1 is the opponent.
    let is_minimax =
        squares == 2 && marks == ['-', '0', '1'] && lines[1..].iter().all(|line| !line.text.contains(&b'2'));
    if is_minimax {
        let what = Mistake::PieceMarks { marks: "-1 0 1".to_owned(), squares: "playable" };
        return Some(Problem::new(problem.place, what));
    }
    // If pieces are written as digits, each letter is a mistake of its own.
    let has_pieces = marks.contains(&'1') || marks.contains(&'2');
    marks.retain(|mark| !mark.is_ascii_digit());
    let squares = if squares > 1 { squares } else { lines.get(1)?.count() };
    let is_row = (squares == header[1] || squares == header[1].div_ceil(2)) && squares > 1;
    let is_picture = |mark: &char| mark.is_alphabetic() || !mark.is_ascii();
    let are_letters = (2..=MARKS_MAX).contains(&marks.len()) && marks.iter().any(is_picture);
    if has_pieces || !is_row || !are_letters {
        return None;
    }
    let squares = if squares == header[1] { "all" } else { "playable" };
    let marks: Vec<_> =
        marks.iter().map(|mark| printable(mark.to_string().as_bytes(), QUOTE_BYTES_MAX)).collect();
    let place = lines[1].place();
    Some(Problem::new(place, Mistake::PieceMarks { marks: marks.join(" "), squares }))
}

/// Returns whether a text has words and no digits.
fn is_title(text: &str) -> bool {
    let is_letter = |character: char| character.is_alphabetic();
    !text.contains(|character: char| character.is_ascii_digit()) && text.matches(is_letter).count() > 1
}

/// Returns whether a line of a puzzle is a row that can hold anything.
pub fn holds_anything(line: &Line<'_>, lines: &[Line<'_>], trial: &Trial<'_>) -> bool {
    part_of(line, lines, trial).is_some_and(|(part, _)| part.widths.is_none())
}

/// Returns how many numbers a row of a puzzle should have; `None` for any.
pub fn width_of(line: &Line<'_>, lines: &[Line<'_>], trial: &Trial<'_>) -> Option<u64> {
    let (part, row) = part_of(line, lines, trial)?;
    part.width(row)
}

/// Returns whether a line would fit if its marks separated numbers. If a row is missing, the line in its place can be
/// that of a player.
fn fits_if_split(line: &Line<'_>, lines: &[Line<'_>], trial: &Trial<'_>) -> bool {
    let numbers = numbers_of(line).len() as u64;
    let players = trial.reader.layout(lines).and_then(|layout| layout.parts.get(1)?.widths);
    let is_player = players.is_some_and(|widths| widths[0] == numbers) && line.count() == 1;
    is_player || width_of(line, lines, trial) == Some(numbers)
}

/// Returns the part of a puzzle to which a line belongs, and its row in that part. Lines before the rows count as the
/// first row.
fn part_of(line: &Line<'_>, lines: &[Line<'_>], trial: &Trial<'_>) -> Option<(Part, u64)> {
    let layout = trial.reader.layout(lines)?;
    let before = lines.iter().take_while(|other| other.number < line.number).count();
    let (part, row) = layout.part_of(before.saturating_sub(layout.header_lines) as u64)?;
    Some((layout.parts[part], row))
}
