//! One case: what its tiles decide alone, the search that answers the rest, and how the outcome reads.

use std::fmt;

use serde_json::Value;

use super::draw::{self, Sketch};
use super::grade::{self, NO_SOLUTION};
use super::options::Algorithm;
use super::search::{comparison, shortest};
use super::tally::{TOO_MANY, Tally};
use super::task::{self, Found, SQUARES_PER_LOOK, Slides, Task};
use crate::board::Rows;
use crate::board::sliding::{Direction, SlidingBoard};
use crate::picture::{Markup, SIDE_MAX};
use crate::solver::grading::{TooMany, claimed};
use crate::solver::{
    Answer, Bounds, Budget, Charge, Finding, Known, Outcome, Pace, Puzzle, Shown, Stop, Text,
};

/// Memory a square costs before the search stores positions: the reader's copy and the searches' few.
pub(super) const BYTES_PER_SQUARE: u64 = 8;

/// Sides of cases that are solved in no time.
const QUICK_SIZE: u64 = 5;

/// A valid case.
#[derive(Debug)]
pub(super) struct Case {
    /// N, squares on a side.
    pub(super) size: u64,
    /// M, from 1.
    pub(super) moves_max: u64,
    /// The class of every square, row by row, 0 being empty; `None` when they exceed the memory limit.
    pub(super) squares: Option<Vec<u8>>,
    /// What the tiles are.
    pub(super) tally: Tally,
    /// Which search answers it.
    pub(super) algorithm: Algorithm,
    /// Whether the slides are wanted, and printed if they are needed.
    pub(super) slides: Slides,
}

impl Puzzle for Case {
    fn solve(&self, budget: &Budget) -> Outcome {
        match self.answer(budget, self.slides_at_once()) {
            task::Answer::Shortest(found) => self.solved(&found),
            task::Answer::None => Outcome::words(NO_SOLUTION),
            task::Answer::Stopped { stop, at_least, best } => {
                let at_most = best.as_ref().map(|found| found.count);
                let bounds = Bounds { at_least: Some(at_least), at_most };
                let witness = best.and_then(|found| found.slides).as_deref().map_or(Value::Null, letters);
                Outcome { witness, ..Outcome::undecided(stop, bounds, bounds) }
            }
        }
    }

    fn trace(&self, budget: &Budget) -> Value {
        match self.answer(budget, self.slides) {
            task::Answer::Shortest(found) => found.slides.as_deref().map_or(Value::Null, letters),
            _ => Value::Null,
        }
    }

    fn draw(&self, shown: &Shown<'_>) -> Markup {
        draw::draw(self.size, self.sketch().as_ref(), shown)
    }

    fn claimed(&self, answer: &Answer) -> Result<Value, TooMany> {
        let slides = claimed(grade::slides(answer).map(|(_, direction)| direction))?;
        Ok(if slides.is_empty() { Value::Null } else { letters(&slides) })
    }

    fn check(&self, known: &Known, answer: &Answer) -> Finding {
        grade::check(known, answer, self.moves_max, || self.whole_board())
    }
}

/// Displays the case as a file of its own. Squares that the memory limit did not allow to keep are missing, so no reader takes
/// such a text.
impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "1\n{} {}", self.size, self.moves_max)?;
        let squares = self.squares.as_deref().unwrap_or_default();
        let values = squares.iter().copied().map(self.tally.value_of());
        Rows(self.size as usize, values).fmt(f)
    }
}

impl Case {
    /// What is looked for while it is solved. The slides of a small case are found again quickly when it is drawn, and few are.
    fn slides_at_once(&self) -> Slides {
        match self.slides {
            Slides::IfLimitsAllow if self.size <= QUICK_SIZE => Slides::Unwanted,
            slides => slides,
        }
    }

    fn answer(&self, budget: &Budget, slides: Slides) -> task::Answer {
        if self.tally.tiles() <= 1 {
            return task::Answer::Shortest(Found { count: 0, slides: Some(Vec::new()) });
        }
        let Some(ranks) = self.tally.ranks() else { return task::Answer::None };
        let at_least = self.tally.at_least(&ranks);
        if at_least > self.moves_max {
            return task::Answer::None;
        }
        let stopped = |stop| task::Answer::Stopped { stop, at_least, best: None };
        let Some(squares) = &self.squares else { return stopped(Stop::MemoryLimit) };
        let bytes = (squares.len() as u64).saturating_mul(BYTES_PER_SQUARE);
        let _squares = match budget.check().and_then(|()| Charge::new(bytes, budget)) {
            Ok(charge) => charge,
            Err(stop) => return stopped(stop),
        };
        let board = match self.board(squares, &ranks, budget) {
            Ok(board) => board,
            Err(stop) => return stopped(stop),
        };
        let task = Task {
            board: &board,
            rank_max: self.tally.rank_max(),
            moves_max: self.moves_max,
            at_least,
            slides,
            budget,
        };
        match self.algorithm {
            Algorithm::Shortest => shortest::solve(&task),
            Algorithm::BreadthFirst => comparison::breadth_first(&task),
            Algorithm::DepthFirst => comparison::depth_first(&task),
        }
    }

    /// Returns the board of ranks without its empty rows and columns, as small as can be: the same slides solve it (see
    /// [`super::position`]).
    fn board(&self, squares: &[u8], ranks: &[u8], budget: &Budget) -> Result<SlidingBoard, Stop> {
        let size = self.size as usize;
        let mut pace = Pace::every(SQUARES_PER_LOOK, budget);
        let (mut used, mut rows) = (vec![false; size], Vec::new());
        for row in squares.chunks(size) {
            pace.count(size)?;
            if row.iter().any(|&class| class != 0) {
                rows.push(row);
            }
            for (used, &class) in used.iter_mut().zip(row) {
                *used |= class != 0;
            }
        }
        let side = rows.len().max(used.iter().filter(|&&used| used).count());
        let mut compact = vec![0; side * side];
        for (row, squares) in compact.chunks_mut(side).zip(rows) {
            pace.count(size)?;
            let classes = squares.iter().zip(&used).filter(|&(_, &used)| used).map(|(&class, _)| class);
            for (rank, class) in row.iter_mut().zip(classes) {
                *rank = rank_of(class, ranks);
            }
        }
        Ok(SlidingBoard::new(side, compact))
    }

    /// The board of ranks as it was read. `None` if it was not kept, or no slides make its tiles one, whose ranks tell.
    fn whole_board(&self) -> Option<SlidingBoard> {
        let ranks = if self.tally.tiles() == 0 { Vec::new() } else { self.tally.ranks()? };
        let ranks = self.squares.as_ref()?.iter().map(|&class| rank_of(class, &ranks)).collect();
        Some(SlidingBoard::new(self.size as usize, ranks))
    }

    /// Returns what is drawn of it, unless it is too large to be drawn or was not kept.
    fn sketch(&self) -> Option<Sketch> {
        let size = usize::try_from(self.size).ok().filter(|&size| size <= SIDE_MAX)?;
        let squares = self.squares.as_ref()?;
        let faces = self.tally.faces();
        let slides = faces.is_some();
        let (ranks, values) = faces.unwrap_or_else(|| self.tally.classes());
        let ranks =
            squares.iter().map(|&class| if class == TOO_MANY { TOO_MANY } else { rank_of(class, &ranks) });
        Some(Sketch { board: SlidingBoard::new(size, ranks.collect()), values, slides })
    }

    /// `3`, or `3 D C E` if the slides are wanted.
    fn solved(&self, found: &Found) -> Outcome {
        let mut outcome = Outcome::number(found.count);
        let Some(slides) = found.slides.as_ref().filter(|_| self.slides != Slides::Unwanted) else {
            return outcome;
        };
        if self.slides == Slides::Needed {
            let mut line = outcome.headline.to_string();
            for slide in slides {
                line.push(' ');
                line.push(slide.letter());
            }
            outcome.text = Text::Lines(line);
        }
        outcome.witness = letters(slides);
        outcome
    }
}

/// Slides for machines: a letter each.
fn letters(slides: &[Direction]) -> Value {
    slides.iter().map(|slide| slide.letter().to_string()).collect()
}

/// Returns the rank of a class of tiles, 0 for empty.
fn rank_of(class: u8, ranks: &[u8]) -> u8 {
    if class == 0 { 0 } else { ranks[usize::from(class) - 1] }
}
