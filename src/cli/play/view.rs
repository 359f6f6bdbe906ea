//! The screen of a game: lines of text, with the ranks that colour them, for a terminal of any size.

use super::play_session::Session;
use tabuleiro_puzzles::words::messages;

/// The minimum width of a square, without its border.
const CELL_COLUMNS: usize = 6;
/// The height of a square with room above and below its piece.
const CELL_ROWS: usize = 3;

/// A piece of text on a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// Printable text.
    pub text: String,
    /// The rank that determines the colours; `None` for the terminal's own colours.
    pub rank: Option<u8>,
}

/// The lines of a screen, from the top.
pub type Lines = Vec<Vec<Span>>;

/// Returns the screen that shows a session, at most `columns` × `rows` characters.
///
/// Squares are three rows high or, if the screen is too low, one. If that does not fit either, the screen says which
/// size is needed.
pub fn lines(session: &Session, columns: u16, rows: u16) -> Lines {
    let (columns, rows) = (usize::from(columns), usize::from(rows));
    let game = &session.game;
    let size = game.board().size();
    if session.shows_help {
        return cut(help(session), columns, rows);
    }
    let cell_columns = (0..size * size).map(|square| marked(session, square).len()).max().unwrap_or(0);
    let cell_columns = cell_columns.max(CELL_COLUMNS);
    let width = size * (cell_columns + 1) + 1;
    // The heading, the board with its frame, and the message below it.
    let height = |cell_rows: usize| 1 + size * (cell_rows + 1) + 1 + 1;
    let fits = |cell_rows: &usize| width <= columns && height(*cell_rows) <= rows;
    let Some(cell_rows) = [CELL_ROWS, 1].into_iter().find(fits) else {
        let rows_needed = height(1);
        let lines = [View::TooSmall, View::Needed { columns: width, rows: rows_needed }];
        return cut(lines.map(|line| plain(session.say(line))).to_vec(), columns, rows);
    };
    let (score, best, moves, seed) = (game.score(), session.best, game.moves(), game.seed());
    let mut lines = vec![plain(session.say(View::Head { score, best, moves, seed }))];
    lines.extend(board_lines(session, cell_columns, cell_rows));
    lines.push(plain(said(session)));
    lines.push(plain(session.say(View::Hint)));
    cut(lines, columns, rows)
}

/// Returns the label of a rank: its value, or a power of two if the value is long.
fn label(rank: u8) -> String {
    match rank {
        0 => String::new(),
        1..=19 => (1_u32 << rank).to_string(),
        _ => format!("2^{rank}"),
    }
}

fn said(session: &Session) -> String {
    let game = &session.game;
    if game.is_over() {
        let max = game.board().ranks().iter().copied().max().unwrap_or(0);
        return session.say(View::GameOver { largest: label(max) });
    }
    session.said()
}

/// Returns the label of a square: a new piece in round brackets, a merged one in square brackets.
fn marked(session: &Session, square: usize) -> String {
    let label = label(session.game.board().ranks()[square]);
    match session.marks(square) {
        (true, _) => format!("[{label}]"),
        (_, true) => format!("({label})"),
        _ => label,
    }
}

/// Returns all keys, and the meaning of the brackets.
fn help(session: &Session) -> Lines {
    let keys = [
        View::KeysMove,
        View::KeysProgram,
        View::KeysHint,
        View::KeysUndo,
        View::KeysNew,
        View::KeysQuit,
        View::Marks,
    ];
    keys.into_iter().map(|line| plain(session.say(line))).collect()
}

messages! {
    "play"
    /// The texts around the board.
    enum View {
        Head = "head" { score: u128, best: u128, moves: u64, seed: u64 },
        Hint = "keys",
        GameOver = "game-over" { largest: String },
        TooSmall = "too-small",
        Needed = "needed" { columns: usize, rows: usize },
        KeysMove = "keys-move",
        KeysProgram = "keys-program",
        KeysHint = "keys-hint",
        KeysUndo = "keys-undo",
        KeysNew = "keys-new",
        KeysQuit = "keys-quit",
        Marks = "marks",
    }
}

fn board_lines(session: &Session, cell_columns: usize, cell_rows: usize) -> Lines {
    let game = &session.game;
    let size = game.board().size();
    let frame = format!("{}+", format!("+{}", "-".repeat(cell_columns)).repeat(size));
    let mut lines = vec![plain(frame.clone())];
    for (first, row) in (0..).step_by(size).zip(game.board().ranks().chunks_exact(size)) {
        for line in 0..cell_rows {
            let shown = line == cell_rows / 2;
            let mut spans = Vec::with_capacity(2 * size + 1);
            for (square, &rank) in (first..).zip(row) {
                spans.push(Span { text: "|".to_owned(), rank: None });
                let text = if shown { marked(session, square) } else { String::new() };
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

/// Removes what does not fit. Every character takes one column.
fn cut(mut lines: Lines, columns: usize, rows: usize) -> Lines {
    lines.truncate(rows);
    for line in &mut lines {
        let mut left = columns;
        for span in line {
            span.text = span.text.chars().take(left).collect();
            left -= span.text.chars().count();
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabuleiro_puzzles::solver::{self, Budget, LiveGame};
    use tabuleiro_puzzles::words::Language;

    fn session(size: usize) -> Session {
        let solver = solver::find("2048-game").unwrap();
        Session::new(LiveGame::new(size, 1, &solver::default_options(solver)), Language::English)
    }

    fn text(lines: &Lines) -> Vec<String> {
        lines.iter().map(|line| line.iter().map(|span| span.text.as_str()).collect()).collect()
    }

    #[test]
    fn a_low_screen_has_low_squares() {
        let shown = text(&lines(&session(2), 80, 9));
        let values: Vec<_> =
            session(2).game.board().ranks().iter().map(|&rank| format!("{:^6}", label(rank))).collect();
        assert_eq!(
            shown,
            [
                "score 0  best 0  moves 0  seed 1",
                "+------+------+",
                &format!("|{}|{}|", values[0], values[1]),
                "+------+------+",
                &format!("|{}|{}|", values[2], values[3]),
                "+------+------+",
                "",
                "arrows, WASD or HJKL move  ? help  Q quit",
            ]
        );
        assert_eq!(text(&lines(&session(2), 80, 13)).len(), 1 + 9 + 1 + 1);
    }

    #[test]
    fn a_piece_has_its_colour_on_the_whole_square() {
        let session = session(4);
        let pieces = session.game.board().ranks().iter().filter(|&&rank| rank > 0).count();
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
        assert_eq!(text(&lines(&session(4), 29, 11))[0], "score 0  best 0  moves 0  see");
    }

    #[test]
    fn the_end_is_shown_with_the_largest_piece() {
        let mut session = session(2);
        while !session.game.is_over() {
            session.fulfil(super::super::play_session::Wish::Advice, &Budget::unlimited());
        }
        let max = session.game.board().ranks().iter().copied().max().unwrap();
        let shown = text(&lines(&session, 80, 24));
        assert!(shown.contains(&format!("game over: the largest piece is {}", label(max))), "{shown:?}");
    }

    #[test]
    fn long_values_are_powers() {
        assert_eq!([0, 1, 11, 19, 20, 127].map(label), ["", "2", "2048", "524288", "2^20", "2^127"]);
    }
}
