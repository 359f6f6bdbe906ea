//! An answer against what is known of its game.

use super::path::proof;
use super::reader::{NO_WINNER, is_name, is_numeric, round};
use crate::input::{Place, QUOTE_BYTES_MAX, printable};
use crate::solver::grading::{Best, Claim, Reason, Remark, is_words, quoted, row_and_column};
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
    match read(answer) {
        Ok(win) => compare(game, known, answer, &win),
        Err(finding) => finding,
    }
}

/// The winner and the round of an answer whose other tokens are squares.
fn read(answer: &Answer) -> Result<Win<'_>, Finding> {
    let mut tokens = answer.tokens();
    let Some((place, name)) = tokens.next().filter(|&(_, token)| is_name(token)) else {
        return Err(Finding::unreadable(answer.first()));
    };
    let Some((round_place, token)) = tokens.next() else {
        return Err(Finding::presentation(place, Mistake::NoRound));
    };
    if !is_numeric(token) {
        let line = answer.lines().find(|line| line.number == round_place.line);
        return Err(Finding::unreadable(line.unwrap_or(answer.first())));
    }
    let Some(round) = round(token) else {
        return Err(Finding::presentation(round_place, Mistake::BadRound { found: quoted(token) }));
    };
    match tokens.find(|(_, token)| row_and_column(token).is_none()) {
        Some((place, token)) => Err(Finding::presentation(place, Remark::Behind { found: quoted(token) })),
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
    let found = || Remark::Found { found: format!("{} {}", name(), win.round).into() };
    let (winner, round) = (known.answer["winner"].as_str(), known.answer["round"].as_u64());
    let (Some(winner), Some(round)) = (winner, round) else {
        return Finding::wrong(Reason::ClaimsSolution, win.place, found()).expecting(&*known.headline);
    };
    let finding = match proof {
        Some(Ok((_, proved))) if proved == win.round && proved > round => {
            Finding::wrong(Reason::NotMinimal, win.round_place, Remark::NotBest { claimed: proved })
        }
        _ if player.is_none() => {
            Finding::wrong(Reason::Value, win.place, Mistake::NoPlayer { player: name() })
        }
        _ if !win.name.eq_ignore_ascii_case(winner.as_bytes()) => {
            Finding::wrong(Reason::Value, win.place, found())
        }
        _ if win.round != round => Finding::wrong(Reason::Value, win.round_place, found()),
        Some(Ok((place, proved))) if proved != round => {
            Finding::wrong(Reason::NotMinimal, place, Remark::ProvesOther { claimed: round, proved })
        }
        Some(Err(finding)) => *finding,
        _ => return Finding::accepted(),
    };
    finding.expecting(&*known.headline)
}
