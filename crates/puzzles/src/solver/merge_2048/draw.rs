//! The picture: the boards of the slides one after the other, each with the slide that follows and the tiles that merge by it.

use serde_json::Value;

use crate::board::sliding::{Direction, SlidingBoard};
use crate::picture::{
    Markup, Shot, Tiles, UNKNOWN, html, kept, left_out, letters, replayed_max, shot, strip, strip_max,
};
use crate::solver::Shown;
use crate::words::{Phrase, messages};

/// What is drawn of a case.
pub(super) struct Sketch {
    /// Its board.
    pub(super) board: SlidingBoard,
    /// The value of each rank; those beyond are not known.
    pub(super) values: Vec<u128>,
    /// Whether equal ranks merge to the next one: there may be too many values for that.
    pub(super) slides: bool,
}

messages! {
    "merge-picture"
    /// What stands beside the boards.
    enum Told {
        /// A board.
        Start = "start",
        /// Likewise.
        After = "after" { slides: usize },
        /// The slides were found until a limit was hit.
        Best = "best" { slides: usize },
        /// Tiles that are left after the last slide.
        TilesLeft = "tiles-left" { slides: usize, tiles: usize },
        /// The slide that follows changes nothing.
        NoChange = "no-change" { letter: String },
    }
}

/// Draws a case of a board with so many squares on a side, with what became of it. A board that is too large has no sketch.
pub(super) fn draw(size: u64, sketch: Option<&Sketch>, shown: &Shown<'_>) -> Markup {
    let squares = usize::try_from(size).unwrap_or(usize::MAX);
    let slides = slides(shown.witness, replayed_max(squares).max(1));
    let say = |phrase: Told| Phrase::from(phrase).say(shown.language);
    html! {
        @if !shown.is_answered && !slides.is_empty() {
            p class="soft" { (say(Told::Best { slides: slides.len() })) }
        }
        @match sketch {
            Some(sketch) => (boards(sketch, &slides, shown)),
            None => (letters(&slides, shown.language)),
        }
    }
}

/// The slides of a witness, as far as they are some.
fn slides(witness: &Value, most: usize) -> Vec<Direction> {
    let slide = |value: &Value| {
        let mut letters = value.as_str()?.chars();
        Direction::from_letter(letters.next()?).filter(|_| letters.next().is_none())
    };
    witness.as_array().into_iter().flatten().map_while(slide).take(most).collect()
}

/// The board, and what every slide makes of it.
fn boards(sketch: &Sketch, slides: &[Direction], shown: &Shown<'_>) -> Markup {
    let slides = if sketch.slides { slides } else { &[] };
    let say = |phrase: Told| Phrase::from(phrase).say(shown.language);
    let mut board = sketch.board.clone();
    let size = board.size();
    let [first, last] = kept(slides.len() + 1, strip_max(size));
    let mut shots = Vec::new();
    for index in 0..=slides.len() {
        let next = slides.get(index).copied();
        if first.contains(&index) || last.contains(&index) {
            shots.push(one(sketch, &board, (index, next), shown));
        } else if index == first.end {
            shots.push(left_out(last.start - first.end, shown.language));
        }
        if let Some(direction) = next {
            board.slide(direction);
        }
    }
    let tiles = board.ranks().iter().filter(|&&rank| rank != 0).count();
    html! {
        (strip(size, &shots))
        @if !slides.is_empty() && tiles > 1 {
            p { (say(Told::TilesLeft { slides: slides.len(), tiles })) }
        }
    }
}

/// The board after so many slides, with the next one.
fn one(
    sketch: &Sketch,
    board: &SlidingBoard,
    (index, next): (usize, Option<Direction>),
    shown: &Shown<'_>,
) -> Markup {
    let value = |&rank: &u8| sketch.values.get(usize::from(rank)).copied().unwrap_or(UNKNOWN);
    let values: Vec<u128> = board.ranks().iter().map(value).collect();
    let merging = next.map_or_else(Vec::new, |direction| board.merging(direction));
    let is_still = next.is_some_and(|direction| !board.clone().slide(direction).changed);
    let title = if index == 0 { Told::Start } else { Told::After { slides: index } };
    let caption = next.filter(|_| is_still).map(|direction| {
        Phrase::from(Told::NoChange { letter: direction.letter().to_string() }).say(shown.language)
    });
    let tiles = Tiles { size: board.size(), values: &values, outlined: &merging };
    let number = if index == 0 && next.is_none() { String::new() } else { index.to_string() };
    let board = Shot { tiles, title: title.into(), number, next };
    shot(&board, &html! { (caption.unwrap_or_default()) }, shown.language)
}
