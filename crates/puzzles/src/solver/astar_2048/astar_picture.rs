//! Draws the first board and the board after each move, with both scores, and lists all moves as letters.

use serde_json::Value;

use super::astar_puzzle::AstarPuzzle;
use super::board_lists::has_won;
use crate::board::sliding::{Direction, SlidingBoard};
use crate::board::swipe::{distance_weighted, left_weighted, swiped, value_of};
use crate::picture::{GridPicture, Shot, TileGame, replayed_max};
use crate::solver::{Drawable, RenderInput};
use crate::words::{Phrase, messages};

messages! {
    "astar-picture"
    /// The captions of the boards, and the answer in a sentence.
    enum Caption {
        Title = "title" { size: usize },
        Scores = "scores" { distance: u128, left: String },
        Legend = "legend",
        NoMove = "no-move" { number: usize, letter: String },
        NotWon = "not-won" { goal: u64 },
        Asks = "asks" { goal: u64 },
        Wins = "wins" { moves: u64, goal: u64 },
        WinsAtLeast = "wins-at-least" { moves: u64, goal: u64, least: u64 },
        Done = "done" { goal: u64 },
        Unsolvable = "unsolvable" { goal: u64 },
    }
}

impl Drawable for AstarPuzzle {
    fn draw(&self, input: &RenderInput) -> Option<GridPicture> {
        let (start, goal_rank) = (&self.start, self.settings.goal_rank);
        let say = |caption: Caption| Phrase::from(caption).say(input.language);
        let size = start.size();
        let letters = input.witness.as_str().unwrap_or_default().chars();
        let moves: Vec<Direction> =
            letters.map_while(Direction::from_letter).take(replayed_max(size)).collect();
        let next = |board: &SlidingBoard, direction| swiped(board, direction).map(|(next, _)| next);
        let mut board = start.clone();
        let legal =
            moves.iter().take_while(|&&direction| next(&board, direction).map(|next| board = next).is_some());
        let legal = legal.count();
        let value = |rank: u8| Some(u128::from(value_of(rank)));
        let title = say(Caption::Title { size });
        let mut game = TileGame::new(size, title, legal, &value, input.language);
        let caption = |board: &SlidingBoard| {
            let (distance, left) = (distance_weighted(board), left_weighted(board).to_string());
            say(Caption::Scores { distance, left })
        };
        board.clone_from(start);
        game.add(0, start, || Shot { caption: caption(start), ..Shot::default() });
        for (number, &direction) in (1..).zip(&moves[..legal]) {
            let before = board.clone();
            board = next(&before, direction).unwrap_or(board);
            game.add(number, &board, || {
                let mut slid = before.clone();
                slid.slide(direction);
                let squares = slid.ranks().iter().zip(board.ranks()).enumerate();
                Shot {
                    moved: Some(direction),
                    merged: before.merged(direction),
                    new: squares.filter(|(_, (slid, now))| slid != now).map(|(square, _)| square).collect(),
                    caption: caption(&board),
                    ..Shot::default()
                }
            });
        }
        let wrong = match moves.get(legal) {
            Some(direction) => {
                Some(Caption::NoMove { number: legal + 1, letter: direction.letter().to_string() })
            }
            None if legal > 0 && !has_won(&board, goal_rank) => {
                Some(Caption::NotWon { goal: value_of(goal_rank) })
            }
            None => None,
        };
        let legend = (legal > 0).then_some(Caption::Legend);
        Some(game.finish(&moves, wrong.into_iter().chain(legend).map(say).collect()))
    }

    fn sentence(&self, input: &RenderInput) -> Option<Phrase> {
        let goal = value_of(self.settings.goal_rank);
        if !input.is_answered {
            return None;
        }
        let Some(moves) = input.answer.get("moves").and_then(Value::as_u64) else {
            return Some(Caption::Unsolvable { goal }.into());
        };
        Some(match input.bounds.at_least.unwrap_or(moves) {
            _ if moves == 0 => Caption::Done { goal }.into(),
            least if least < moves => Caption::WinsAtLeast { moves, goal, least }.into(),
            _ => Caption::Wins { moves, goal }.into(),
        })
    }

    fn asks(&self) -> Option<Phrase> {
        Some(Caption::Asks { goal: value_of(self.settings.goal_rank) }.into())
    }
}
