//! The picture: the board, and the way of the capturing piece over it.

// The squares and what stands on them.
mod board;
// The way of the piece, with all it takes.
mod path;
// What is told beside the picture, and what it shows in words.
mod told;
// The squares of a witness, as far as the rules allow them.
mod way;

use crate::board::checkers::CheckersBoard;
use crate::picture::{Frame, Markup, SIDE_MAX, Thumbnail, html, svg, thumbnail};
use crate::solver::Shown;

use way::Way;

/// Draws a board, with what became of it.
pub fn draw(board: &CheckersBoard, shown: &Shown<'_>) -> Markup {
    let way = Way::of(board, shown.witness);
    let (content, [width, height], drawn) = if board.rows() > SIDE_MAX || board.columns() > SIDE_MAX {
        let Thumbnail { content, size, drawn } = thumbnail([board.rows(), board.columns()], way.visited());
        (content, size, Some(drawn))
    } else {
        let content = html! { (board::draw(board, &way)) (path::draw(board, &way)) };
        (content, board::size(board), None)
    };
    let told = told::Told { board, way: &way, drawn, shown };
    let frame = Frame { width, height, title: told.title(), description: told.description() };
    html! {
        figure {
            (svg(&frame, &content))
            figcaption {
                @for line in told.caption() { (line) br; }
            }
        }
    }
}
