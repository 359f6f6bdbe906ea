//! Reads and grades answers: the winner and the round on one line or two, optionally followed by the winner's squares
//! (`C 3 0,2 0,5 …`), or `SEM VENCEDORES`.

use std::ops::Range;

use serde_json::Value;

use super::game::{Game, player_number};
use crate::board::jump::Board;
use crate::input::{Line, Place, QUOTE_BYTES_MAX, digits_value, printable};
use crate::solver::grading::{
    Best, FindPart, Reason, Remark, Share, TooMany, behind_label, claimed_squares, has_digit, is_number,
    is_words, number_part, quoted, row_and_column, tokens, without_mark, words_part,
};
use crate::solver::{Answer, AnswerReader, Finding, Gradable, Known};
use crate::words::{Argument, Phrase, messages};

/// The published words for a game without a winner.
pub const NO_WINNER: &str = "SEM VENCEDORES";

/// Bytes of a line that are enough to decide how much of an answer was read.
const SEEN: usize = 64;

/// Reads answers of up to three lines.
pub struct Lines;

/// How much of an answer was read.
enum Stage {
    Begun,
    Round,
    Whole,
}

impl AnswerReader for Lines {
    fn form(&self) -> Phrase {
        Mistake::Form.into()
    }

    /// A name begins an answer, alone or with its round. So do any two words, because `SEM VENCEDORES` is an answer.
    fn begins(&self, line: Line<'_>) -> bool {
        let mut tokens = line.tokens().map(|(_, token)| token);
        let begins = tokens.next().is_some_and(|first| !is_numeric(first));
        let is_round = tokens.next().is_some_and(is_numeric);
        begins && (is_round || tokens.next().is_none())
    }

    fn continues(&self, answer: &Answer, line: Line<'_>, _behind: Option<Line<'_>>) -> bool {
        match stage(answer) {
            // A line in place of the round must not count as the answer to the next puzzle.
            Stage::Begun => !self.begins(line),
            Stage::Round => line.tokens().next().is_some_and(|(_, token)| row_and_column(token).is_some()),
            Stage::Whole => false,
        }
    }

    fn among_words(&self) -> FindPart {
        |text| {
            words_part(text, &WITHOUT).or_else(|| number_part(text, has_digit)).or_else(|| winner_part(text))
        }
    }

    /// A line of two characters can be a banner, so it begins an answer only if a round follows on the next line.
    fn begins_among_words(&self, line: Line<'_>, behind: Option<Line<'_>>) -> bool {
        let is_round = |line: Line<'_>| line.tokens().next().is_some_and(|(_, token)| is_numeric(token));
        line.text.len() != 2 || behind.is_some_and(is_round)
    }
}

/// What a program can print for a game without a winner; only the first is right.
const WITHOUT: [&str; 2] = [NO_WINNER, "sem vencedor"];

/// Returns the part of a line with the winner: a name of one or two letters, alone or followed by a number.
fn winner_part(text: &[u8]) -> Option<Range<usize>> {
    let begin = behind_label(text)?;
    let text = &text[begin..];
    let mut tokens = tokens(text);
    let name = tokens.next()?;
    let Some(round) = tokens.next() else {
        let end = without_mark(text);
        return (matches!(end, 1 | 2) && is_name(&text[..end])).then_some(begin..begin + end);
    };
    if !matches!(name.len(), 1 | 2) || !is_name(&text[name]) || !is_number(&text[round.clone()]) {
        return None;
    }
    let last = tokens.filter(|token| has_digit(&text[token.clone()])).last().unwrap_or(round);
    Some(begin..begin + without_mark(&text[..last.end]))
}

fn stage(answer: &Answer) -> Stage {
    // Cut long lines that are not answers, which would otherwise be read again with every line that follows.
    let seen = |line: Line<'_>| line.text.len().min(SEEN);
    let lines = || answer.lines().map(|line| Line { text: &line.text[..seen(line)], ..line });
    if lines().next().is_some_and(|first| is_words(first, NO_WINNER)) {
        return Stage::Whole;
    }
    let mut tokens = lines().flat_map(|line| line.tokens()).map(|(_, token)| token);
    let has_name = tokens.next().is_some_and(is_name);
    let has_round = has_name && tokens.next().and_then(|token| digits_value(0, token)).is_some();
    match tokens.next() {
        _ if !has_round => Stage::Begun,
        None => Stage::Round,
        Some(_) => Stage::Whole,
    }
}

/// Returns whether a token can name a player: it consists of letters.
fn is_name(token: &[u8]) -> bool {
    token.iter().all(u8::is_ascii_alphabetic)
}

/// Returns whether a token can be a round or a square.
fn is_numeric(token: &[u8]) -> bool {
    matches!(token.first(), Some(b'0'..=b'9' | b'-' | b'+'))
}

messages! {
    "jump-grade"
    /// What answers look like, and what is wrong with an answer.
    enum Mistake {
        Form = "form",
        NoRound = "no-round",
        BadRound = "bad-round" { found: Argument },
        NoPlayer = "no-player" { player: String },
        NoSquares = "no-squares",
    }
}

/// The winner and the round that an answer states.
struct Win<'a> {
    place: Place,
    name: &'a [u8],
    round_place: Place,
    round: u64,
}

impl Gradable for Game {
    fn check(&self, known: &Known, answer: &Answer) -> Finding {
        if answer.line_count() == 1 && is_words(answer.first(), NO_WINNER) {
            return known.check_no_solution(answer.place());
        }
        match read(self, answer) {
            Ok(win) => compare(self, known, answer, &win),
            Err(finding) => *finding,
        }
    }

    fn claimed(&self, answer: &Answer) -> Result<Value, TooMany> {
        // A longer path visits a square twice.
        claimed_squares(answer, 2, self.board.squares() + 1)
    }
}

/// Returns the winner and the round of an answer whose other tokens are squares. A single word that names no player is
/// not an answer.
fn read<'a>(game: &Game, answer: &'a Answer) -> Result<Win<'a>, Box<Finding>> {
    let mut tokens = answer.tokens();
    let Some((place, name)) = tokens.next().filter(|&(_, token)| is_name(token)) else {
        return Err(Finding::unreadable(answer.first()).into());
    };
    let Some((round_place, token)) = tokens.next() else {
        let is_player = player_number(name).is_some_and(|player| player < game.players.len());
        let no_round = || Finding::presentation(place, Mistake::NoRound);
        return Err(if is_player { no_round() } else { Finding::unreadable(answer.first()) }.into());
    };
    if !is_numeric(token) {
        let line = answer.lines().find(|line| line.number == round_place.line);
        return Err(Finding::unreadable(line.unwrap_or(answer.first())).into());
    }
    let Some(round) = digits_value(0, token) else {
        return Err(Finding::presentation(round_place, Mistake::BadRound { found: quoted(token) }).into());
    };
    match tokens.find(|(_, token)| row_and_column(token).is_none()) {
        Some((place, token)) => {
            Err(Finding::presentation(place, Remark::Behind { found: quoted(token) }).into())
        }
        None => Ok(Win { place, name, round_place, round }),
    }
}

fn compare(game: &Game, known: &Known, answer: &Answer, win: &Win<'_>) -> Finding {
    let name = || printable(&win.name.to_ascii_uppercase(), QUOTE_BYTES_MAX);
    let player = player_number(win.name).filter(|&player| player < game.players.len());
    let proof = proof(game, known, answer, player, name);
    if let Some(Ok((place, proved))) = proof
        && let Some(finding) = known.refuted(place, proved, Best::Fewest)
    {
        return finding;
    }
    // Do not say what is wrong with the winner or the round: the right ones could be guessed from that.
    if proof.is_none() && known.needs_witness {
        return Finding::wrong(Reason::NoWitness, win.place, Mistake::NoSquares);
    }
    let found = || Remark::Found { found: format!("{} {}", name(), win.round).into() };
    let (winner, round) = (known.answer["winner"].as_str(), known.answer["round"].as_u64());
    let (Some(winner), Some(round)) = (winner, round) else {
        return Finding::wrong(Reason::ClaimsSolution, win.place, found()).expecting(&*known.headline);
    };
    let finding = match proof {
        Some(Ok((_, proved))) if proved == win.round && proved > round => {
            let what = Remark::NotBest { claimed: proved };
            Finding::not_best(Share::of_best(proved, round), win.round_place, what)
        }
        _ if player.is_none() => {
            Finding::wrong(Reason::Value, win.place, Mistake::NoPlayer { player: name() })
        }
        _ if !win.name.eq_ignore_ascii_case(winner.as_bytes()) => {
            Finding::wrong(Reason::Value, win.place, found())
        }
        _ if win.round != round => Finding::wrong(Reason::Value, win.round_place, found()),
        Some(Ok((place, proved))) if proved != round => {
            let what = Remark::ProvesOther { claimed: round, proved };
            Finding::not_best(Share::of_best(proved, round), place, what)
        }
        Some(Err(finding)) => *finding,
        _ => return Finding::accepted(),
    };
    finding.expecting(&*known.headline)
}

/// What a path proves: the place where it begins, and the round in which it ends.
type Proof = Result<(Place, u64), Box<Finding>>;

messages! {
    "jump-path"
    /// What is wrong with the squares of an answer.
    enum Misstep {
        NoSquare = "no-square" { square: String },
        Start = "start" { player: String, square: String },
        NoJump = "no-jump" { jump: u64, length: u64, from: String, to: String },
        Unfinished = "unfinished" { square: String },
        Over = "over" { square: String },
    }
}

/// A square of a path.
#[derive(Clone, Copy)]
struct PathSquare {
    place: Place,
    row: u64,
    column: u64,
}

impl PathSquare {
    /// Returns the number of the square on the board.
    fn on(self, board: &Board) -> Result<u32, Box<Finding>> {
        let (row, column) = (u32::try_from(self.row), u32::try_from(self.column));
        match (row, column) {
            (Ok(row), Ok(column)) if row < board.rows() && column < board.columns() => {
                Ok(board.square(row, column))
            }
            _ => self.illegal(Misstep::NoSquare { square: self.written() }),
        }
    }

    fn written(self) -> String {
        format!("{},{}", self.row, self.column)
    }

    fn illegal<T>(self, what: Misstep) -> Result<T, Box<Finding>> {
        Err(Box::new(Finding::wrong(Reason::IllegalMove, self.place, what)))
    }
}

/// Returns what the squares of an answer prove, or `None` if it has none. They should be those of `player`, which is
/// `None` if the game has no such player.
fn proof(
    game: &Game,
    known: &Known,
    answer: &Answer,
    player: Option<usize>,
    name: impl Fn() -> String,
) -> Option<Proof> {
    let mut steps = answer.tokens().skip(2).filter_map(|(place, token)| {
        row_and_column(token).map(|(row, column)| PathSquare { place, row, column })
    });
    let first = steps.next()?;
    let proof = replay(game, known, first, steps);
    let start = first.on(&game.board).ok();
    if start.is_none() || start == player.map(|player| game.players[player]) {
        return Some(proof);
    }
    // Another player's path can also refute the known answer.
    let is_refuted = |&(place, round): &_| known.refuted(place, round, Best::Fewest).is_some();
    if proof.as_ref().is_ok_and(is_refuted) && start.is_some_and(|start| game.players.contains(&start)) {
        return Some(proof);
    }
    Some(first.illegal(Misstep::Start { player: name(), square: first.written() }))
}

/// Follows the jumps of a path to the goal.
fn replay(game: &Game, known: &Known, first: PathSquare, rest: impl Iterator<Item = PathSquare>) -> Proof {
    let (board, movement) = (&game.board, game.rules.movement);
    let (mut last, mut square, mut round) = (first, first.on(board)?, 0);
    for step in rest {
        if square == board.goal() {
            if known.refuted(first.place, round, Best::Fewest).is_some() {
                break;
            }
            return step.illegal(Misstep::Over { square: step.written() });
        }
        round += 1;
        let to = step.on(board)?;
        if !movement.reaches(board, square, to) {
            let (from, to, length) = (last.written(), step.written(), board.value(square));
            return step.illegal(Misstep::NoJump { jump: round, length, from, to });
        }
        (last, square) = (step, to);
    }
    if square != board.goal() {
        return last.illegal(Misstep::Unfinished { square: last.written() });
    }
    Ok((first.place, round))
}
