//! Grades answers: the lines `score`, `moves`, `max`, `over`, `seed` and `skipped`, the board and the transcript, in
//! any order. The score, the largest tile and the board are required; the others are compared if they are present.
//!
//! [`Games`] separates the answers: a new one begins when a key comes a second time, or when a row follows a whole
//! board. `check` replays the game: from its moves or, for `AUTO`, from the answer's transcript.

mod answer_lines;
mod transcript;

use serde_json::Value;

use self::answer_lines::{Key, Shape, is_value, number, value};
use self::transcript::{Played, has_steps, play_list, play_transcript, transcript};
use super::game_puzzle::GamePuzzle;
use super::game_rules::{Game, SQUARES_PER_CHECK};
use super::moves::Moves;
use super::report::value_of;
use crate::input::{Line, Place};
use crate::solver::grading::{Answer, Finding, Known, Reason, Remark, TooMany, claimed, quoted};
use crate::solver::{Budget, Choice, Gradable, Pace};
use crate::words::{Phrase, messages};

pub use self::answer_lines::{Games, step};

messages! {
    "game-grade"
    /// What answers look like, and what is wrong with an answer. The texts with a `step` are about its transcript.
    enum Flaw {
        Form = "form",
        OtherPiece = "other-piece" { step: u64 },
        OtherMove = "other-move" { step: u64 },
        Surplus = "surplus" { step: u64 },
        Short = "short" { step: u64 },
        Opening = "opening" { step: u64 },
        NoMove = "no-move" { step: u64 },
        NoEffect = "no-effect" { step: u64 },
        TooLong = "too-long" { moves: u64 },
        Twice = "twice" { key: &'static str },
        SurplusRow = "surplus-row" { row: u64 },
        Rows = "rows" { rows: u64 },
        TranscriptRequired = "transcript-required",
        NoTranscript = "no-transcript",
        GoesOn = "goes-on" { moves: u64 },
        Lacks = "lacks" { what: Phrase },
        Score = "score-line",
        Max = "max-line",
        Board = "board",
        Two = "two-parts" { first: Phrase, second: Phrase },
        Three = "three-parts" { first: Phrase, second: Phrase, third: Phrase },
    }
}

impl Gradable for GamePuzzle {
    /// Replays the game. For `AUTO` it replays the answer's transcript, so it does not matter whether our own game was
    /// played to its end.
    fn check(&self, known: &Known, answer: &Answer) -> Finding {
        let is_auto = matches!(self.moves, Moves::Auto(_));
        if !known.is_proved && !is_auto {
            return Finding::not_graded();
        }
        if let Some(finding) = unreadable(answer, is_auto) {
            return finding;
        }
        let budget = Budget::unlimited();
        let mut pace = Pace::every(SQUARES_PER_CHECK, &budget);
        let (game, opening) = self.new_game();
        let goes_on = |game: &Game| match &self.moves {
            Moves::Auto(moves_max) => !game.is_over() && *moves_max != Some(game.moves),
            Moves::List(_) => false,
        };
        if is_auto && !has_steps(answer) && (goes_on(&game) || !opening.is_empty()) {
            return incomplete(answer, Flaw::NoTranscript);
        }
        let played = match &self.moves {
            Moves::List(list) => play_list(game, &opening, list, answer, &mut pace),
            Moves::Auto(moves_max) => {
                play_transcript(game, &opening, moves_max.unwrap_or(u64::MAX), answer, &mut pace)
            }
        };
        // The budget is unlimited, and the game was played to its end before.
        let Ok(Played { game, skipped, fault }) = played else { return Finding::not_graded() };
        if known.needs_witness && game.moves > 0 && !has_steps(answer) {
            return Finding::wrong(Reason::NoWitness, answer.place(), Flaw::TranscriptRequired);
        }
        if let Some(fault) = fault {
            // Nothing can be compared with a game that the student's program did not play to its end.
            let other = if is_auto { None } else { differs(&game, skipped, answer) };
            return match other {
                Some(other) if other.place < fault.place => other,
                _ => fault,
            };
        }
        let unfinished = || goes_on(&game).then(|| incomplete(answer, Flaw::GoesOn { moves: game.moves }));
        let finding = differs(&game, skipped, answer).or_else(|| lacking(answer)).or_else(unfinished);
        finding.unwrap_or_else(Finding::accepted)
    }

    fn claimed(&self, answer: &Answer) -> Result<Value, TooMany> {
        let lines = claimed(transcript(answer).map(Value::from))?;
        Ok(if lines.is_empty() { Value::Null } else { lines.into() })
    }

    /// With `AUTO` every program plays its own game.
    fn needs_answer(&self) -> bool {
        matches!(self.moves, Moves::List(_))
    }
}

/// Returns the finding on the first line that cannot be part of an answer.
fn unreadable(answer: &Answer, is_auto: bool) -> Option<Finding> {
    let mut keys = Vec::new();
    for line in answer.lines() {
        let is_readable = match Shape::of(line) {
            Shape::Key(key) if keys.contains(&key) => {
                return Some(Finding::presentation(line.place(), Flaw::Twice { key: key.word() }));
            }
            Shape::Key(key) => {
                keys.push(key);
                value(line, key).is_some_and(|(_, value)| is_value(key, value))
            }
            Shape::Row(_) => line.tokens().all(|(_, token)| number(token).is_some()),
            Shape::Step => step(line).is_some(),
            Shape::Undecided => is_auto,
            Shape::Other => false,
        };
        if !is_readable {
            return Some(Finding::unreadable(line));
        }
    }
    None
}

/// Returns the finding on the first line outside the transcript that differs from the end of the game.
fn differs(game: &Game, skipped: u64, answer: &Answer) -> Option<Finding> {
    let mut rows = game.board.ranks().chunks_exact(game.board.size());
    let mut last_row = None;
    for line in answer.lines() {
        let finding = match Shape::of(line) {
            Shape::Key(key) => differing_value(game, skipped, key, line),
            Shape::Row(_) => {
                last_row = Some(line);
                let surplus = || {
                    let row = game.board.size() as u64 + 1;
                    Some(Finding::wrong(Reason::Value, line.place(), Flaw::SurplusRow { row }))
                };
                rows.next().map_or_else(surplus, |row| differing_row(row, line))
            }
            _ => None,
        };
        if finding.is_some() {
            return finding;
        }
    }
    let (last, missing) = (last_row?, rows.len());
    let row = rows.next()?;
    let what = Flaw::Rows { rows: (game.board.size() - missing) as u64 };
    Some(Finding::wrong(Reason::Value, last.place(), what).expecting(written(row)))
}

fn differing_value(game: &Game, skipped: u64, key: Key, line: Line<'_>) -> Option<Finding> {
    let (place, found) = value(line, key)?;
    let right = match key {
        Key::Score => game.score,
        Key::Moves => u128::from(game.moves),
        Key::Max => game.board.ranks().iter().copied().max().map_or(0, value_of),
        Key::Seed => u128::from(game.seed),
        Key::Skipped => u128::from(skipped),
        Key::Over => {
            let right = if game.is_over() { "yes" } else { "no" };
            let is_right = found.eq_ignore_ascii_case(right.as_bytes());
            return (!is_right).then(|| wrong(line, place, format!("over {right}")));
        }
    };
    (number(found) != Some(right)).then(|| wrong(line, place, format!("{} {right}", key.word())))
}

/// Returns the finding on a row that differs, with the place of the first value that does.
fn differing_row(row: &[u8], line: Line<'_>) -> Option<Finding> {
    let mut tokens = line.tokens();
    for &rank in row {
        let Some((place, token)) = tokens.next() else {
            return Some(wrong(line, line.place(), written(row)));
        };
        if number(token) != Some(value_of(rank)) {
            return Some(wrong(line, place, written(row)));
        }
    }
    tokens.next().map(|(place, _)| wrong(line, place, written(row)))
}

fn wrong(line: Line<'_>, place: Place, right: String) -> Finding {
    Finding::wrong(Reason::Value, place, Remark::Found { found: quoted(line.text) }).expecting(right)
}

fn written(row: &[u8]) -> String {
    row.iter().map(|&rank| value_of(rank).to_string()).collect::<Vec<_>>().join(" ")
}

/// Returns the finding on an answer that is incomplete.
fn incomplete(answer: &Answer, what: Flaw) -> Finding {
    Finding::wrong(Reason::Incomplete, answer.place(), what)
}

/// Returns the finding on an answer that lacks the score, the largest tile or the board. All three are required because
/// some of them alone are easily guessed.
fn lacking(answer: &Answer) -> Option<Finding> {
    let shapes = || answer.lines().map(Shape::of);
    let has_key = |key| shapes().any(|shape| shape == Shape::Key(key));
    let parts = [
        (has_key(Key::Score), Flaw::Score),
        (has_key(Key::Max), Flaw::Max),
        (shapes().any(|shape| matches!(shape, Shape::Row(_))), Flaw::Board),
    ];
    let mut lacking = parts.into_iter().filter(|(is_there, _)| !is_there).map(|(_, part)| Phrase::from(part));
    let what = match (lacking.next()?, lacking.next(), lacking.next()) {
        (first, Some(second), Some(third)) => Flaw::Three { first, second, third }.into(),
        (first, Some(second), None) => Flaw::Two { first, second }.into(),
        (first, ..) => first,
    };
    Some(incomplete(answer, Flaw::Lacks { what }))
}
