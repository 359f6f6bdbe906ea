//! Reads and grades answers: the winner and the round, on one line or two, with or without the winner's squares behind
//! them, `C 3 0,2 0,5 …`; or `SEM VENCEDORES`.

use std::ops::Range;

use super::game::{Game, player_number};
use crate::board::jump::Board;
use crate::input::{Line, Place, QUOTE_BYTES_MAX, digits_value, printable};
use crate::solver::grading::{
    Best, Claim, FindPart, Reason, Remark, Share, behind_label, has_digit, is_number, is_words, number_part,
    quoted, row_and_column, tokens, without_mark, words_part,
};
use crate::solver::{Answer, AnswerReader, Finding, Known};
use crate::words::{Argument, Phrase, messages};

/// The published words for a game without a winner.
pub const NO_WINNER: &str = "SEM VENCEDORES";

/// Bytes of a line that tell how far an answer has come.
const SEEN: usize = 64;

/// An answer has up to three lines.
pub struct Lines;

/// How far an answer has come.
enum Stage {
    /// The lines are no answer yet.
    Begun,
    /// The squares may follow.
    Round,
    /// Nothing more belongs to it.
    Whole,
}

messages! {
    "jump-grade"
    /// What answers look like.
    enum Form {
        /// In a sentence.
        Answer = "form",
    }
}

impl AnswerReader for Lines {
    fn form(&self) -> Phrase {
        Form::Answer.into()
    }

    /// A name begins an answer, alone or with its round; so do any two words, as there is an answer of two words.
    fn begins(&self, line: Line<'_>) -> bool {
        let mut tokens = line.tokens().map(|(_, token)| token);
        let begins = tokens.next().is_some_and(|first| !is_numeric(first));
        let is_round = tokens.next().is_some_and(is_numeric);
        begins && (is_round || tokens.next().is_none())
    }

    fn continues(&self, answer: &Answer, line: Line<'_>, _behind: Option<Line<'_>>) -> bool {
        match stage(answer) {
            // Whatever stands there instead of a round does not cost the next puzzle.
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

    /// Two letters alone are a name if a round follows, which no banner has.
    fn begins_among_words(&self, line: Line<'_>, behind: Option<Line<'_>>) -> bool {
        let is_round = |line: Line<'_>| line.tokens().next().is_some_and(|(_, token)| is_numeric(token));
        line.text.len() != 2 || behind.is_some_and(is_round)
    }
}

/// What a program means by a game without a winner; the first is right.
const WITHOUT: [&str; 2] = [NO_WINNER, "sem vencedor"];

/// Returns the winner of a line, a name of one letter or two, alone or with a number behind it.
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
    // A long line that is no answer would otherwise be read again with every line behind it.
    let seen = |line: Line<'_>| line.text.len().min(SEEN);
    let lines = || answer.lines().map(|line| Line { text: &line.text[..seen(line)], ..line });
    if lines().next().is_some_and(|first| is_words(first, NO_WINNER)) {
        return Stage::Whole;
    }
    let mut tokens = lines().flat_map(|line| line.tokens()).map(|(_, token)| token);
    let is_begun = !tokens.next().is_some_and(is_name) || tokens.next().and_then(round).is_none();
    match tokens.next() {
        _ if is_begun => Stage::Begun,
        None => Stage::Round,
        Some(_) => Stage::Whole,
    }
}

/// Returns whether a token may name a player: it consists of letters.
fn is_name(token: &[u8]) -> bool {
    token.iter().all(u8::is_ascii_alphabetic)
}

/// Returns whether a token may be a round or a square.
fn is_numeric(token: &[u8]) -> bool {
    matches!(token.first(), Some(b'0'..=b'9' | b'-' | b'+'))
}

/// Returns the round.
fn round(token: &[u8]) -> Option<u64> {
    digits_value(0, token)
}

messages! {
    "jump-grade"
    /// What is wrong with an answer.
    enum Mistake {
        /// The name stands alone.
        NoRound = "no-round",
        /// No number of a round.
        BadRound = "bad-round" { found: Argument },
        /// No player has that name.
        NoPlayer = "no-player" { player: String },
        /// There are no squares, and they are needed.
        NoSquares = "no-squares",
    }
}

/// A winner, and the round.
struct Win<'a> {
    place: Place,
    name: &'a [u8],
    round_place: Place,
    round: u64,
}

/// Compares an answer with what is known.
pub fn check(game: &Game, known: &Known, answer: &Answer) -> Finding {
    if answer.line_count() == 1 && is_words(answer.first(), NO_WINNER) {
        return Claim::NoSolution { place: answer.place() }.check(known, Best::Fewest);
    }
    match read(game, answer) {
        Ok(win) => compare(game, known, answer, &win),
        Err(finding) => *finding,
    }
}

/// Returns the winner and the round of an answer whose other tokens are squares. A word alone that names no player is
/// no answer.
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
    let Some(round) = round(token) else {
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
    if !known.is_proved {
        return Finding::not_graded();
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

/// What a path proves: where it begins, and the round in which it ends.
type Proof = Result<(Place, u64), Box<Finding>>;

messages! {
    "jump-path"
    /// What is wrong with the squares of an answer.
    enum Misstep {
        /// Outside the board.
        NoSquare = "no-square" { square: String },
        /// The path begins elsewhere.
        Start = "start" { player: String, square: String },
        /// A jump that the rules do not allow.
        NoJump = "no-jump" { jump: u64, length: u64, from: String, to: String },
        /// The path ends too soon.
        Unfinished = "unfinished" { square: String },
        /// The path goes on behind the end of the game.
        Over = "over" { square: String },
    }
}

/// A square of a path.
#[derive(Clone, Copy)]
struct Step {
    place: Place,
    row: u64,
    column: u64,
}

impl Step {
    /// Returns the square of the board.
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

/// Returns what the squares of an answer prove, where there are some. They are those of a player, which the game may
/// not have.
fn proof(
    game: &Game,
    known: &Known,
    answer: &Answer,
    player: Option<usize>,
    name: impl Fn() -> String,
) -> Option<Proof> {
    let mut steps = answer
        .tokens()
        .skip(2)
        .filter_map(|(place, token)| row_and_column(token).map(|(row, column)| Step { place, row, column }));
    let first = steps.next()?;
    let proof = replay(game, known, first, steps);
    let start = first.on(&game.board).ok();
    if start.is_none() || start == player.map(|player| game.players[player]) {
        return Some(proof);
    }
    // Another player's path can prove us wrong as well.
    let is_refuted = |&(place, round): &_| known.refuted(place, round, Best::Fewest).is_some();
    if proof.as_ref().is_ok_and(is_refuted) && start.is_some_and(|start| game.players.contains(&start)) {
        return Some(proof);
    }
    Some(first.illegal(Misstep::Start { player: name(), square: first.written() }))
}

/// Jumps along the squares of a path to the last one of the board.
fn replay(game: &Game, known: &Known, first: Step, rest: impl Iterator<Item = Step>) -> Proof {
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
