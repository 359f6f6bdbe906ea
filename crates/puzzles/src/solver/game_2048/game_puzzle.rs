//! Plays a game to its end, or until its moves or its budget end, and reports the result.

use std::fmt;
use std::sync::Arc;

use serde_json::Value;

use super::Game2048;
use super::game_mistakes::Mistake;
use super::game_options::{IllegalPolicy, PlayerKind, Settings};
use super::game_rules::{Game, Piece, SQUARES_PER_CHECK};
use super::moves::{MoveList, Moves};
use super::players::Player;
use super::report::{Report, Step, WITNESS_STEP_BYTES, lines, rows, stopped_after};
use crate::board::sliding::{Direction, SlidingBoard};
use crate::input::Place;
use crate::solver::{Bounds, Budget, Charge, ChargedVec, Outcome, Pace, Problem, Puzzle, Solver, Stop, Text};

/// A valid game, not yet played.
pub struct GamePuzzle {
    pub file: Arc<str>,
    pub settings: Arc<Settings>,
    pub size: usize,
    /// The ranks of all squares in row order; all 0 for a new game.
    pub ranks: Vec<u8>,
    pub seed: u64,
    pub moves: Moves,
}

/// Why a game ended early.
enum End {
    Limit(Stop),
    Illegal(Box<Problem>),
}

impl From<Stop> for End {
    fn from(stop: Stop) -> Self {
        Self::Limit(stop)
    }
}

/// Returns the bytes of a game whose board has `size` squares on a side: the board as read, the current board, and a
/// copy to move on.
pub fn board_bytes(size: u64) -> u64 {
    size.saturating_mul(size).saturating_mul(3)
}

/// Returns the outcome of a game that a limit ends before it begins.
pub fn not_begun(stop: Stop) -> Outcome {
    Outcome::undecided(stop, Bounds::default(), stopped_after(0))
}

impl Puzzle for GamePuzzle {
    fn solve(&self, budget: &Budget) -> Outcome {
        let _charge = match Charge::new(self.bytes(), budget) {
            Ok(charge) => charge,
            Err(stop) => return not_begun(stop),
        };
        let Settings { transcript, witness, picture, .. } = *self.settings;
        let step_bytes = if witness || picture { WITNESS_STEP_BYTES } else { 0 };
        let steps = (transcript || picture).then(|| ChargedVec::holding(step_bytes, budget));
        let (mut play, opening) = self.begin(steps, transcript, budget);
        match self.play(&opening, &mut play) {
            Ok(()) => self.outcome(play, None),
            Err(End::Limit(stop)) => self.outcome(play, Some(stop)),
            Err(End::Illegal(problem)) => Outcome::invalid(Game2048.info().noun, *problem, &self.file),
        }
    }

    fn mistake(&self) -> Option<Problem> {
        // Only moves that a person wrote can be wrong.
        let Moves::List(moves) = &self.moves else { return None };
        let budget = Budget::unlimited();
        let (mut play, opening) = self.begin(None, false, &budget);
        match self.play(&opening, &mut play) {
            Err(End::Illegal(problem)) => Some(moves.counted().unwrap_or(*problem)),
            Ok(()) | Err(End::Limit(_)) => None,
        }
    }

    /// Returns the line before the rows, which come just before the moves.
    fn first_line(&self) -> u64 {
        match &self.moves {
            Moves::List(list) => list.line.saturating_sub(self.size as u64 + 1).max(1),
            Moves::Auto(_) => 1,
        }
    }

    /// Does not replay games that the program had to think about.
    fn trace(&self, budget: &Budget) -> Value {
        let Ok(_charge) = Charge::new(self.bytes(), budget) else { return Value::Null };
        if !self.is_quick() {
            return Value::Null;
        }
        let steps = Some(ChargedVec::holding(WITNESS_STEP_BYTES, budget));
        let (mut play, opening) = self.begin(steps, true, budget);
        let is_whole = self.play(&opening, &mut play).is_ok();
        play.transcript.filter(|_| is_whole).map_or(Value::Null, |steps| witness(&steps, self.size))
    }
}

/// Displays the game with its seed, even if its file names none.
impl fmt::Display for GamePuzzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { size, ranks, seed, moves, .. } = self;
        writeln!(f, "{size} {seed}\n{}{moves}", rows(*size, ranks))
    }
}

/// A game that is being played.
struct Play<'b> {
    game: Game,
    transcript: Option<ChargedVec<'b, Step>>,
    /// Whether the transcript is part of the answer. If so, a memory limit that does not allow for it ends the game.
    is_needed: bool,
    /// Moves that changed nothing and were skipped.
    skipped: u64,
    pace: Pace<'b>,
}

impl Play<'_> {
    /// Makes a move; returns false if it changes nothing. If a limit is hit, the game is unchanged.
    fn make(&mut self, direction: Direction) -> Result<bool, Stop> {
        self.make_room()?;
        let piece = self.game.play(direction, &mut self.pace)?;
        piece.map_or(Ok(()), |piece| self.record(direction.letter(), piece))?;
        Ok(piece.is_some())
    }

    /// Makes room for a step. If memory is short and the transcript is not needed, drops the transcript.
    fn make_room(&mut self) -> Result<(), Stop> {
        let made = self.transcript.as_mut().map_or(Ok(()), |transcript| transcript.reserve(1));
        match made {
            Err(Stop::MemoryLimit) if !self.is_needed => {
                self.transcript = None;
                Ok(())
            }
            made => made,
        }
    }

    /// Records a piece, if there is a transcript.
    fn record(&mut self, mark: char, piece: Piece) -> Result<(), Stop> {
        self.make_room()?;
        self.transcript.as_mut().map_or(Ok(()), |transcript| transcript.push(Step { mark, piece }))
    }
}

impl GamePuzzle {
    /// Returns the game at its beginning, and the pieces of its opening.
    pub fn new_game(&self) -> (Game, Vec<Piece>) {
        let board = SlidingBoard::new(self.size, self.ranks.clone());
        Game::new(board, self.seed, self.settings.percent_four)
    }

    /// Begins to play; also returns the pieces of the opening.
    fn begin<'b>(
        &self,
        transcript: Option<ChargedVec<'b, Step>>,
        is_needed: bool,
        budget: &'b Budget,
    ) -> (Play<'b>, Vec<Piece>) {
        let (game, opening) = self.new_game();
        let pace = Pace::every(SQUARES_PER_CHECK, budget);
        (Play { game, transcript, is_needed, skipped: 0, pace }, opening)
    }

    /// Returns whether replaying the game for a picture takes next to no time.
    fn is_quick(&self) -> bool {
        matches!(self.moves, Moves::List(_)) || self.settings.player != PlayerKind::Expectimax
    }

    /// Returns the bytes to charge before the game begins; its transcript is charged as it grows.
    fn bytes(&self) -> u64 {
        let size = self.size as u64;
        let moves = match &self.moves {
            Moves::List(list) => list.bytes(),
            Moves::Auto(_) => Player::boards_max(&self.settings).saturating_mul(size.saturating_mul(size)),
        };
        board_bytes(size).saturating_add(moves)
    }

    /// Plays a game that begins with the pieces of `opening`.
    fn play<'b>(&'b self, opening: &[Piece], play: &mut Play<'b>) -> Result<(), End> {
        opening.iter().try_for_each(|&piece| play.record('+', piece))?;
        match &self.moves {
            Moves::List(list) => self.replay(list, play),
            Moves::Auto(moves_max) => Ok(self.play_auto(*moves_max, play)?),
        }
    }

    /// Makes the moves of the file one by one.
    fn replay(&self, list: &MoveList, play: &mut Play<'_>) -> Result<(), End> {
        for (number, (column, direction)) in (1_u64..).zip(list.iter()) {
            if play.make(direction)? {
                continue;
            }
            if self.settings.on_illegal == IllegalPolicy::Reject {
                let place = Place { line: list.line, column };
                let problem = illegal(direction, number, place, play.game.is_over());
                return Err(End::Illegal(Box::new(problem.showing(list.excerpt(column)))));
            }
            play.skipped += 1;
        }
        Ok(())
    }

    /// Lets the player choose the moves.
    fn play_auto<'b>(&'b self, moves_max: Option<u64>, play: &mut Play<'b>) -> Result<(), Stop> {
        let mut player = Player::new(&self.settings, self.seed);
        while moves_max.is_none_or(|moves_max| play.game.moves < moves_max) {
            let (board, empties) = (&play.game.board, play.game.empties);
            let Some(direction) = player.choose(board, empties, &mut play.pace)? else { break };
            if !play.make(direction)? {
                break;
            }
        }
        Ok(())
    }

    fn outcome(&self, play: Play<'_>, stop: Option<Stop>) -> Outcome {
        let Play { game, transcript, skipped, .. } = play;
        let moves = game.moves;
        let score = u64::try_from(game.score).ok();
        let is_wanted =
            self.settings.witness || self.settings.picture && (stop.is_some() || !self.is_quick());
        let witness = transcript.as_deref().filter(|_| is_wanted).map(|steps| witness(steps, self.size));
        let transcript = transcript.filter(|_| self.settings.transcript);
        let transcript = transcript.map(ChargedVec::into_items).unwrap_or_default();
        let report = Report::of(game, transcript, skipped, stop.is_some());
        let mut outcome = match stop {
            None => {
                let bounds = Bounds { at_least: score, at_most: score };
                Outcome { bounds, answer: report.answer(), ..Outcome::words(report.headline()) }
            }
            // Points are never lost, but moves not yet made can turn out to be illegal.
            Some(stop) => {
                let sure =
                    matches!(self.moves, Moves::Auto(_)) || self.settings.on_illegal == IllegalPolicy::Skip;
                let bounds = Bounds { at_least: score.filter(|_| sure), at_most: None };
                Outcome::undecided(stop, bounds, stopped_after(moves))
            }
        };
        outcome.witness = witness.unwrap_or(Value::Null);
        outcome.text = Text::Streamed(Box::new(report));
        outcome
    }
}

/// Returns a transcript for machines.
fn witness(steps: &[Step], size: usize) -> Value {
    lines(steps, size).map(Value::from).collect()
}

fn illegal(direction: Direction, number: u64, place: Place, over: bool) -> Problem {
    let letter = direction.letter().to_string();
    let what = if over {
        Mistake::MoveAfterEnd { letter, number }
    } else {
        Mistake::MoveWithoutEffect { letter, number }
    };
    Problem::new(place, what)
}
