//! What a person sees of a game: lines of text with the ranks that colour them, for a terminal of any size.

use super::play_session::Session;
use tabuleiro_puzzles::solver::LiveGame;

const HELP: [&str; 2] = ["arrows or HJKL move", "A program's move  U undo  N new game  Q quit"];

/// Columns of a square, its border not counted, as long as the pieces fit.
const CELL_COLUMNS: usize = 6;
/// Rows of a square with room above and below its piece.
const CELL_ROWS: usize = 3;

/// A piece of text on a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// Printable text.
    pub text: String,
    /// The rank whose colours it has; `None` for the terminal's own.
    pub rank: Option<u8>,
}

/// The lines of a screen, from the top.
pub type Lines = Vec<Vec<Span>>;

/// The screen of `columns` × `rows` characters that shows a session; no line is longer, and there are no
/// more of them.
///
/// Squares are three rows high where there is room, else one. Where there is room for neither, the screen
/// says which size is needed.
pub fn lines(session: &Session, columns: u16, rows: u16) -> Lines {
    let (columns, rows) = (usize::from(columns), usize::from(rows));
    let game = session.game();
    let size = game.board().size();
    let cell_columns = game.board().ranks().iter().map(|&rank| label(rank).len()).max().unwrap_or(0);
    let cell_columns = cell_columns.max(CELL_COLUMNS);
    let width = size * (cell_columns + 1) + 1;
    // The head, the board with its frame, and what is said below it.
    let height = |cell_rows: usize| 1 + size * (cell_rows + 1) + 1 + 1;
    let fits = |cell_rows: &usize| width <= columns && height(*cell_rows) <= rows;
    let Some(cell_rows) = [CELL_ROWS, 1].into_iter().find(fits) else {
        let needed = format!("{width} x {} are needed", height(1));
        let lines = ["the terminal is too small:".to_owned(), needed];
        return cut(lines.map(plain).to_vec(), columns, rows);
    };
    let (score, moves, seed) = (game.score(), game.moves(), game.seed());
    let mut lines = vec![plain(format!("score {score}  moves {moves}  seed {seed}"))];
    lines.extend(board_lines(game, cell_columns, cell_rows));
    lines.push(plain(said(session)));
    lines.extend(HELP.iter().map(|help| plain((*help).to_owned())));
    cut(lines, columns, rows)
}

/// What a rank stands for: its value, or as a power where that is long.
fn label(rank: u8) -> String {
    match rank {
        0 => String::new(),
        1..=19 => (1_u32 << rank).to_string(),
        _ => format!("2^{rank}"),
    }
}

fn said(session: &Session) -> String {
    let game = session.game();
    if game.is_over() {
        let max = game.board().ranks().iter().copied().max().unwrap_or(0);
        return format!("game over: the largest piece is {}", label(max));
    }
    session.said().to_owned()
}

fn board_lines(game: &LiveGame, cell_columns: usize, cell_rows: usize) -> Lines {
    let size = game.board().size();
    let frame = format!("{}+", format!("+{}", "-".repeat(cell_columns)).repeat(size));
    let mut lines = vec![plain(frame.clone())];
    for row in game.board().ranks().chunks_exact(size) {
        for line in 0..cell_rows {
            let shown = line == cell_rows / 2;
            let mut spans = Vec::with_capacity(2 * size + 1);
            for &rank in row {
                spans.push(Span { text: "|".to_owned(), rank: None });
                let text = if shown { label(rank) } else { String::new() };
                let text = format!("{text:^cell_columns$}");
                spans.push(Span { text, rank: (rank > 0).then_some(rank) });
            }
            spans.push(Span { text: "|".to_owned(), rank: None });
            lines.push(spans);
        }
        lines.push(plain(frame.clone()));
    }
    lines
}

fn plain(text: String) -> Vec<Span> {
    vec![Span { text, rank: None }]
}

/// Leaves out what does not fit; all text is ASCII.
fn cut(mut lines: Lines, columns: usize, rows: usize) -> Lines {
    lines.truncate(rows);
    for line in &mut lines {
        let mut left = columns;
        for span in line {
            span.text.truncate(left);
            left -= span.text.len();
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabuleiro_puzzles::solver::{self, Budget};

    fn session(size: usize) -> Session {
        let solver = solver::find("2048-game").unwrap();
        Session::new(LiveGame::new(size, 1, &solver::default_options(solver)))
    }

    fn text(lines: &Lines) -> Vec<String> {
        lines.iter().map(|line| line.iter().map(|span| span.text.as_str()).collect()).collect()
    }

    #[test]
    fn a_low_screen_has_low_squares() {
        let shown = text(&lines(&session(2), 80, 9));
        let values: Vec<_> =
            session(2).game().board().ranks().iter().map(|&rank| format!("{:^6}", label(rank))).collect();
        assert_eq!(
            shown,
            [
                "score 0  moves 0  seed 1",
                "+------+------+",
                &format!("|{}|{}|", values[0], values[1]),
                "+------+------+",
                &format!("|{}|{}|", values[2], values[3]),
                "+------+------+",
                "",
                HELP[0],
                HELP[1],
            ]
        );
        assert_eq!(text(&lines(&session(2), 80, 13)).len(), 1 + 9 + 1 + 2);
    }

    #[test]
    fn a_piece_has_its_colour_on_the_whole_square() {
        let session = session(4);
        let pieces = session.game().board().ranks().iter().filter(|&&rank| rank > 0).count();
        let shown = lines(&session, 80, 24);
        let coloured = shown.iter().flatten().filter(|span| span.rank.is_some());
        assert_eq!(coloured.count(), pieces * CELL_ROWS);
    }

    #[test]
    fn nothing_is_ever_larger_than_the_screen() {
        for size in [2, 4, 9, 40] {
            let session = session(size);
            for columns in 0..100 {
                for rows in 0..40 {
                    let shown = text(&lines(&session, columns, rows));
                    assert!(shown.len() <= usize::from(rows));
                    assert!(shown.iter().all(|line| line.len() <= usize::from(columns)));
                }
            }
        }
        let small = text(&lines(&session(4), 28, 24));
        assert_eq!(small, ["the terminal is too small:", "29 x 11 are needed"]);
        assert_eq!(text(&lines(&session(4), 29, 11))[0], "score 0  moves 0  seed 1");
    }

    #[test]
    fn the_end_is_shown_with_the_largest_piece() {
        let mut session = session(2);
        while !session.game().is_over() {
            session.fulfil(super::super::play_session::Wish::Advice, &Budget::unlimited());
        }
        let max = session.game().board().ranks().iter().copied().max().unwrap();
        let shown = text(&lines(&session, 80, 24));
        assert!(shown.contains(&format!("game over: the largest piece is {}", label(max))), "{shown:?}");
    }

    #[test]
    fn long_values_are_powers() {
        assert_eq!([0, 1, 11, 19, 20, 127].map(label), ["", "2", "2048", "524288", "2^20", "2^127"]);
    }
}
