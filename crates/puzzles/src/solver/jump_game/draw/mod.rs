//! The picture: the board as a map, the way of the winner over it, and the table of rounds.

// The board as a map.
mod map;
// Who jumps where in which round, by the rules.
mod rounds;
// The table of rounds.
mod table;
// What is told beside the picture, and what it shows in words.
mod told;
// The way that a witness gives.
mod way;

use super::game::Game;
use crate::picture::{Frame, Markup, SIDE_MAX, Thumbnail, html, svg, thumbnail};
use crate::solver::Shown;

use rounds::{PLAYERS_MAX, Rounds};
use told::Told;
use way::Way;

/// Draws a game, with what became of it.
pub(super) fn draw(game: &Game, shown: &Shown<'_>) -> Markup {
    let way = Way::of(game, shown.witness);
    let is_large = game.board.rows().max(game.board.columns()) as usize > SIDE_MAX;
    let rounds =
        (!is_large && game.players.len() <= PLAYERS_MAX).then(|| Rounds::of(game, shown, &way)).flatten();
    let told = |drawn| Told { game, way: &way, rounds: rounds.as_ref(), drawn, shown };
    let (content, [width, height], told) = if is_large {
        let sides = [game.board.rows() as usize, game.board.columns() as usize];
        let Thumbnail { content, size, drawn } = thumbnail(sides, &way.visited(game));
        (content, size, told(Some(drawn)))
    } else {
        (map::draw(game, &way), map::size(&game.board), told(None))
    };
    let frame = Frame { width, height, title: told.title(), description: told.description() };
    html! {
        figure {
            (svg(&frame, &content))
            figcaption {
                @for line in told.caption() { (line) br; }
            }
        }
        @if let Some(rounds) = &rounds {
            (table::draw(game, rounds, shown.language))
        }
    }
}
