//! Replays a game and compares it with the transcript in an answer.

use super::super::game_rules::{Game, Piece};
use super::super::moves::MoveList;
use super::Flaw;
use super::answer_lines::{Shape, Step, step};
use crate::board::sliding::Direction;
use crate::input::{Line, Place};
use crate::solver::grading::{Answer, Finding, Reason};
use crate::solver::{Pace, Stop};

/// Maximum work to replay one transcript: its moves times the squares of its board. That many take seconds, and no game
/// on 4 × 4 has so many moves.
const REPLAY_SQUARES_MAX: u64 = 1 << 33;

/// A game that was replayed.
pub struct Played {
    /// The game at its end.
    pub game: Game,
    /// Number of moves that changed nothing.
    pub skipped: u64,
    /// The first fault of the transcript.
    pub fault: Option<Finding>,
}

/// The transcript of an answer, compared with the game line by line.
struct Transcript<'a> {
    lines: Box<dyn Iterator<Item = Line<'a>> + 'a>,
    /// Squares on a side.
    size: u64,
    /// Lines read so far.
    steps: u64,
    last: Option<Line<'a>>,
    fault: Option<Finding>,
}

/// Replays the moves of a puzzle. Compares them with the transcript of the answer, if it has one.
pub fn play_list(
    game: Game,
    opening: &[Piece],
    list: &MoveList,
    answer: &Answer,
    pace: &mut Pace<'_>,
) -> Result<Played, Stop> {
    let mut played = Played { game, skipped: 0, fault: None };
    let mut transcript = Transcript::new(&played.game, opening, answer);
    for (_, direction) in list.iter() {
        match played.game.play(direction, pace)? {
            Some(piece) => transcript.expect(Some(direction), piece),
            None => played.skipped += 1,
        }
    }
    if transcript.fault.is_none()
        && let Some(line) = transcript.lines.next()
    {
        let step = transcript.steps + 1;
        let last = format!("moves {}", played.game.moves);
        transcript.wrong(line.place(), Flaw::Surplus { step }, last);
    }
    played.fault = transcript.fault.filter(|_| has_steps(answer));
    Ok(played)
}

/// Replays the moves of the transcript of an answer. A move after the first `moves_max` is a fault, as is one that the
/// rules do not allow.
pub fn play_transcript(
    game: Game,
    opening: &[Piece],
    moves_max: u64,
    answer: &Answer,
    pace: &mut Pace<'_>,
) -> Result<Played, Stop> {
    let mut played = Played { game, skipped: 0, fault: None };
    let mut transcript = Transcript::new(&played.game, opening, answer);
    while transcript.fault.is_none()
        && let Some((line, found)) = transcript.next()
    {
        let number = transcript.steps;
        let moves = played.game.moves;
        if moves == moves_max {
            transcript.wrong(line.place(), Flaw::Surplus { step: number }, format!("moves {moves_max}"));
        } else if moves >= REPLAY_SQUARES_MAX / (transcript.size * transcript.size) {
            let what = Flaw::TooLong { moves };
            transcript.fault = Some(Finding::presentation(line.place(), what));
        } else if let Some(direction) = found.direction {
            if let Some(piece) = played.game.play(direction, pace)? {
                transcript.compare(&found, Some(direction), piece);
            } else {
                let right = legal(&played.game, pace)?;
                transcript.wrong(line.place(), Flaw::NoEffect { step: number }, right);
            }
        } else {
            transcript.wrong(line.place(), Flaw::NoMove { step: number }, legal(&played.game, pace)?);
        }
    }
    played.fault = transcript.fault;
    Ok(played)
}

/// Returns the lines of the transcript of an answer, right or wrong.
fn step_lines(answer: &Answer) -> impl Iterator<Item = Line<'_>> {
    answer.lines().filter(|&line| Shape::of(line) == Shape::Step)
}

/// Returns whether an answer has a transcript.
pub fn has_steps(answer: &Answer) -> bool {
    step_lines(answer).next().is_some()
}

/// Returns the lines of the transcript of an answer, up to the first unreadable one, in the notation of our results.
pub fn transcript(answer: &Answer) -> impl Iterator<Item = String> {
    step_lines(answer).map_while(step).map(|Step { direction, numbers: [row, column, value], .. }| {
        format!("{} {row} {column} {value}", direction.map_or('+', Direction::letter))
    })
}

/// Returns the letters of the legal moves, or the line `over yes` if there are none.
fn legal(game: &Game, pace: &mut Pace<'_>) -> Result<String, Stop> {
    let mut letters = String::new();
    for direction in Direction::ALL {
        if game.clone().play(direction, pace)?.is_some() {
            letters.push(direction.letter());
        }
    }
    Ok(if letters.is_empty() { "over yes".to_owned() } else { letters })
}

impl<'a> Transcript<'a> {
    /// Creates the transcript of an answer, and compares its first steps with the opening pieces.
    fn new(game: &Game, opening: &[Piece], answer: &'a Answer) -> Self {
        let (lines, size) = (Box::new(step_lines(answer)), game.board.size() as u64);
        let mut transcript = Self { lines, size, steps: 0, last: None, fault: None };
        for &piece in opening {
            transcript.expect(None, piece);
        }
        transcript
    }

    /// Returns the next line and its step; `None` after the last line. Records a fault if the line is unreadable.
    fn next(&mut self) -> Option<(Line<'a>, Step)> {
        let line = self.lines.next()?;
        self.steps += 1;
        self.last = Some(line);
        let step = step(line);
        if step.is_none() {
            self.fault = Some(Finding::unreadable(line));
        }
        Some((line, step?))
    }

    /// Reads the next line and compares it with the expected move and piece.
    fn expect(&mut self, direction: Option<Direction>, piece: Piece) {
        if self.fault.is_some() {
            return;
        }
        match self.next() {
            Some((_, found)) => self.compare(&found, direction, piece),
            None if self.fault.is_some() => {}
            None => {
                let place = self.last.map_or(Place { line: 0, column: 0 }, |line| line.place());
                self.wrong(place, Flaw::Short { step: self.steps }, self.right(direction, piece));
            }
        }
    }

    /// Compares the line read last with the expected move and piece.
    fn compare(&mut self, found: &Step, direction: Option<Direction>, piece: Piece) {
        let step = self.steps;
        let right = self.numbers(piece);
        if found.direction != direction {
            let what = if direction.is_none() { Flaw::Opening { step } } else { Flaw::OtherMove { step } };
            self.wrong(found.places[0], what, self.right(direction, piece));
        } else if let Some(at) = (0..3).find(|&at| found.numbers[at] != right[at]) {
            self.wrong(found.places[1 + at], Flaw::OtherPiece { step }, self.right(direction, piece));
        }
    }

    fn wrong(&mut self, place: Place, what: Flaw, right: String) {
        self.fault = Some(Finding::wrong(Reason::IllegalMove, place, what).expecting(right));
    }

    fn numbers(&self, piece: Piece) -> [u64; 3] {
        let square = u64::from(piece.square);
        [square / self.size, square % self.size, 1 << piece.rank]
    }

    /// Returns the expected line.
    fn right(&self, direction: Option<Direction>, piece: Piece) -> String {
        let [row, column, value] = self.numbers(piece);
        format!("{} {row} {column} {value}", direction.map_or('+', Direction::letter))
    }
}
