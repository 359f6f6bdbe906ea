//! One case: what its tiles alone decide, the search that answers the rest, and the text of the outcome.

use std::fmt;

use serde_json::Value;

use super::merge_grade::NO_SOLUTION;
use super::merge_options::Algorithm;
use super::merge_picture::Sketch;
use super::search::{self, SQUARES_PER_CHECK, Slides, Solution, Task, comparison, shortest};
use super::tally::{TOO_MANY, Tally};
use crate::board::Rows;
use crate::board::sliding::{Direction, SlidingBoard};
use crate::picture::SIDE_MAX;
use crate::solver::{Bounds, Budget, Charge, Outcome, Pace, Puzzle, Stop, Text};

/// Bytes charged per square before a search stores positions, for the copies of the board in the reader and the search.
pub(super) const BYTES_PER_SQUARE: u64 = 8;

/// Largest side of cases that are solved instantly.
const QUICK_SIZE: u64 = 5;

/// A valid case.
#[derive(Debug)]
pub(super) struct Case {
    pub(super) size: u64,
    /// M, at least 1.
    pub(super) moves_max: u64,
    /// The class of every square (see `Tally::add`), row by row; 0 is empty. `None` if they exceed the memory limit.
    pub(super) squares: Option<Vec<u8>>,
    pub(super) tally: Tally,
    pub(super) algorithm: Algorithm,
    /// Whether the slides are wanted; `Needed` ones are printed.
    pub(super) slides: Slides,
}

impl Puzzle for Case {
    fn solve(&self, budget: &Budget) -> Outcome {
        let slides = match self.slides {
            // A page draws few cases. If it draws a small one, `trace` finds the slides again quickly.
            Slides::IfLimitsAllow if self.size <= QUICK_SIZE => Slides::Unwanted,
            slides => slides,
        };
        match self.answer(budget, slides) {
            search::Answer::Shortest(found) => self.solved(&found),
            search::Answer::None => Outcome::words(NO_SOLUTION),
            search::Answer::Stopped { stop, at_least, best } => {
                let at_most = best.as_ref().map(|found| found.count);
                let bounds = Bounds { at_least: Some(at_least), at_most };
                let witness = best.and_then(|found| found.slides).as_deref().map_or(Value::Null, letters);
                Outcome { witness, ..Outcome::undecided(stop, bounds, bounds) }
            }
        }
    }

    fn trace(&self, budget: &Budget) -> Value {
        match self.answer(budget, self.slides) {
            search::Answer::Shortest(found) => found.slides.as_deref().map_or(Value::Null, letters),
            _ => Value::Null,
        }
    }
}

/// Displays the case as a file of its own. If the memory limit left the squares out, no reader accepts the text.
impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "1\n{} {}", self.size, self.moves_max)?;
        let squares = self.squares.as_deref().unwrap_or_default();
        let values = squares.iter().copied().map(self.tally.value_of());
        Rows(self.size as usize, values).fmt(f)
    }
}

impl Case {
    fn answer(&self, budget: &Budget, slides: Slides) -> search::Answer {
        if self.tally.tiles <= 1 {
            return search::Answer::Shortest(Solution { count: 0, slides: Some(Vec::new()) });
        }
        let Some(ranks) = self.tally.ranks() else { return search::Answer::None };
        let at_least = self.tally.at_least(&ranks);
        if at_least > self.moves_max {
            return search::Answer::None;
        }
        let stopped = |stop| search::Answer::Stopped { stop, at_least, best: None };
        let Some(squares) = &self.squares else { return stopped(Stop::MemoryLimit) };
        let bytes = (squares.len() as u64).saturating_mul(BYTES_PER_SQUARE);
        let charge = budget.check().and_then(|()| Charge::new(bytes, budget));
        let (_charge, board) =
            match charge.and_then(|charge| Ok((charge, self.board(squares, &ranks, budget)?))) {
                Ok(prepared) => prepared,
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

    /// Returns the board of ranks without its empty rows and columns, as small as possible: the same slides solve it
    /// (see [`super::position`]).
    fn board(&self, squares: &[u8], ranks: &[u8], budget: &Budget) -> Result<SlidingBoard, Stop> {
        let size = self.size as usize;
        let mut pace = Pace::every(SQUARES_PER_CHECK, budget);
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

    /// Returns the board of ranks as read. `None` if it was not kept, or if its ranks rule out a solution.
    pub(super) fn whole_board(&self) -> Option<SlidingBoard> {
        let ranks = if self.tally.tiles == 0 { Vec::new() } else { self.tally.ranks()? };
        let ranks = self.squares.as_ref()?.iter().map(|&class| rank_of(class, &ranks)).collect();
        Some(SlidingBoard::new(self.size as usize, ranks))
    }

    /// Returns what to draw of the case, unless it is too large or was not kept.
    pub(super) fn sketch(&self) -> Option<Sketch> {
        let size = usize::try_from(self.size).ok().filter(|&size| size <= SIDE_MAX)?;
        let squares = self.squares.as_ref()?;
        let faces = self.tally.faces();
        let slides = faces.is_some();
        let (ranks, values) = faces.unwrap_or_else(|| self.tally.classes());
        let ranks =
            squares.iter().map(|&class| if class == TOO_MANY { TOO_MANY } else { rank_of(class, &ranks) });
        Some(Sketch { board: SlidingBoard::new(size, ranks.collect()), values, slides })
    }

    /// Returns the outcome, with the text `3`, or `3 D C E` if the slides are `Needed`.
    fn solved(&self, found: &Solution) -> Outcome {
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

/// Returns slides for machines: one letter each.
pub(super) fn letters(slides: &[Direction]) -> Value {
    slides.iter().map(|slide| slide.letter().to_string()).collect()
}

/// Returns the rank of a class of tiles, 0 for empty.
fn rank_of(class: u8, ranks: &[u8]) -> u8 {
    if class == 0 { 0 } else { ranks[usize::from(class) - 1] }
}
