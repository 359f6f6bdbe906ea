//! An answer against what is known of its game.

use super::path::proof;
use super::reader::{NO_WINNER, is_name, is_numeric, round};
use crate::input::{Place, QUOTE_BYTES_MAX, printable};
use crate::solver::grading::{Best, Claim, Reason, Remark, Share, is_words, quoted, row_and_column};
use crate::solver::jump_game::game::{Game, player_number};
use crate::solver::{Answer, Finding, Known};
use crate::words::{Argument, messages};

messages! {
    "jump-grade"
    /// What is wrong with an answer.
    enum Mistake {
        /// The name stands alone.
        NoRound = "no-round",
        /// No number of a round.
        BadRound = "bad-round" { found: Argument },
        /// Nobody is called that.
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

/// The winner and the round of an answer whose other tokens are squares. A word alone that names no player is no answer.
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
    let proof = proof(game, known, answer, (player, name));
    if let Some(Ok((place, proved))) = proof
        && let Some(finding) = known.refuted(place, proved, Best::Fewest)
    {
        return finding;
    }
    if let Some(why) = known.unproved {
        return Finding::not_graded(why);
    }
    // What is wrong with the winner or the round is not told: they might be guessed then.
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
