//! The picture: the boards of the slides in order, each with the next slide and the tiles that it merges.

use serde_json::Value;

use super::merge_puzzle::Case;
use crate::board::sliding::{Direction, SlidingBoard};
use crate::picture::{GridPicture, Shot, TileGame, replayed_max};
use crate::solver::{Drawable, RenderInput};
use crate::words::{Phrase, messages};

/// What is drawn of a case.
pub(super) struct Sketch {
    pub(super) board: SlidingBoard,
    /// The value of each rank. Ranks beyond the end have no known value.
    pub(super) values: Vec<u128>,
    /// Whether equal ranks merge into the next one; false if there are too many values for that.
    pub(super) slides: bool,
}

messages! {
    "merge-picture"
    /// The captions of the boards, and the answer in a sentence.
    enum Caption {
        Title = "title" { size: u64 },
        TilesLeft = "tiles-left" { slides: usize, tiles: usize },
        NoChange = "no-change" { letter: String },
        Asks = "asks" { most: u64 },
        Merges = "merges" { slides: u64, value: u128 },
        Done = "done",
        NoSolution = "no-solution" { most: u64 },
        Best = "best" { slides: usize },
    }
}

impl Drawable for Case {
    fn draw(&self, input: &RenderInput) -> Option<GridPicture> {
        let sketch = self.sketch();
        let say = |caption: Caption| Phrase::from(caption).say(input.language);
        let squares = usize::try_from(self.size).unwrap_or(usize::MAX);
        let all = slides(&input.witness, replayed_max(squares));
        let slides = if sketch.as_ref().is_none_or(|sketch| sketch.slides) { &all[..] } else { &[] };
        let value =
            |rank: u8| sketch.as_ref().and_then(|sketch| sketch.values.get(usize::from(rank)).copied());
        let title = say(Caption::Title { size: self.size });
        let mut game = TileGame::new(squares, title, slides.len(), &value, input.language);
        let mut notes = Vec::new();
        if let Some(sketch) = &sketch {
            let mut board = sketch.board.clone();
            for number in 0..=slides.len() {
                let next = slides.get(number).copied();
                let before = board.clone();
                let is_still = next.is_some_and(|direction| !board.slide(direction).changed);
                game.add(number, &before, || Shot {
                    next,
                    merging: next.map_or_else(Vec::new, |direction| before.merging(direction)),
                    caption: next.filter(|_| is_still).map_or_else(String::new, |direction| {
                        say(Caption::NoChange { letter: direction.letter().to_string() })
                    }),
                    ..Shot::default()
                });
            }
            let tiles = board.ranks().iter().filter(|&&rank| rank != 0).count();
            if !slides.is_empty() && tiles > 1 {
                notes.push(say(Caption::TilesLeft { slides: slides.len(), tiles }));
            }
        }
        Some(game.finish(slides, notes))
    }

    fn sentence(&self, input: &RenderInput) -> Option<Phrase> {
        let best = input.witness.as_array().map_or(0, Vec::len);
        Some(match input.answer.as_u64() {
            _ if !input.is_answered => return (best > 0).then_some(Caption::Best { slides: best }.into()),
            Some(0) => Caption::Done.into(),
            Some(slides) => Caption::Merges { slides, value: self.tally.sum }.into(),
            None => Caption::NoSolution { most: self.moves_max }.into(),
        })
    }

    fn asks(&self) -> Option<Phrase> {
        Some(Caption::Asks { most: self.moves_max }.into())
    }
}

/// Returns at most `most` slides of a witness, up to the first entry that is not a slide.
fn slides(witness: &Value, most: usize) -> Vec<Direction> {
    let slide = |value: &Value| {
        let mut letters = value.as_str()?.chars();
        Direction::from_letter(letters.next()?).filter(|_| letters.next().is_none())
    };
    witness.as_array().into_iter().flatten().map_while(slide).take(most).collect()
}
