//! The form of games: the size of the board, the number of players, the board, and the squares of the players.

use super::game::{Game, Interrupted, PLAYERS_MAX, Rules, player_name};
use crate::board::jump::{Board, SQUARES_MAX};
use crate::input::{Lexeme, Token};
use crate::solver::form::{Ahead, At, Field, Form, Side};
use crate::solver::{MEMORY_LIMIT, Options, Part, Stop, Work};
use crate::words::{Argument, Phrase, messages};

messages! {
    "jump"
    /// Words of messages about games, and what is wrong with a game.
    enum JumpMessage {
        Players = "players",
        /// A square does not hold a number.
        SquareValue = "square-value" { found: Argument, square: String },
        /// The number on a square is too large.
        SquareLarge = "square-large" { found: Argument, square: String, most: u64 },
        /// A token in the place of a player's row or column is not a number.
        PlayerSquare = "player-square" { found: Argument, player: String },
        /// A player below the last row.
        PlayerRow = "player-row" { player: String, row: u64, last: u64 },
        /// A player right of the last column.
        PlayerColumn = "player-column" { player: String, column: u64, last: u64 },
    }
}

/// The games of a file, and how they are solved.
pub(super) struct JumpForm {
    rules: Rules,
    memory_limit: u64,
    fields: [Vec<Field>; 2],
}

/// A game that is being read.
pub(super) struct Draft {
    /// `None` if the board would exceed the memory limit.
    board: Option<Board>,
    /// The squares of the players; `None` if they would exceed the memory limit.
    players: Option<Vec<u32>>,
    size: [u64; 2],
    /// The row of a player whose column comes next.
    row: Option<u64>,
}

impl JumpForm {
    /// Creates the form of games to be answered under `options`.
    pub(super) fn new(options: &Options) -> Self {
        Self {
            rules: Rules::new(options),
            memory_limit: options.get(MEMORY_LIMIT),
            fields: [
                [Side::Rows, Side::Columns].map(|side| Field::new(side, 1, u64::MAX)).into(),
                vec![Field::new(JumpMessage::Players, 1, u64::MAX)],
            ],
        }
    }

    /// Adds the row or the column of a player.
    #[inline(never)]
    fn take_of_player(&self, draft: &mut Draft, value: u64) -> bool {
        let Some(row) = draft.row.take() else {
            draft.row = Some(value);
            return value < draft.size[0];
        };
        if value >= draft.size[1] {
            return false;
        }
        if let Some(players) = &mut draft.players {
            let board = draft.board.as_ref().map_or(0, Board::bytes);
            players.push((row * draft.size[1] + value) as u32);
            if players.capacity() as u64 > self.memory_limit.saturating_sub(board) / 4 {
                draft.players = None;
            }
        }
        true
    }
}

impl Draft {
    // Inlined, it would take the reader of numbers its registers.
    #[cold]
    fn drop_board(&mut self) {
        self.board = None;
    }
}

impl Form for JumpForm {
    type Board = Draft;

    const ENDS_WITHIN_LINES: bool = true;

    fn fields(&self) -> &[Vec<Field>] {
        &self.fields
    }

    fn parts(&self, header: &[u64]) -> [Part; 2] {
        let &[rows, columns, players] = header else { return [Part::NONE; 2] };
        [Part { rows, widths: Some([columns; 2]) }, Part { rows: players, widths: Some([2; 2]) }]
    }

    fn board(&self, header: &[u64]) -> Draft {
        let fits = Board::bytes_at_least(header[0], header[1]) <= self.memory_limit;
        let board = Board::new(header[0], header[1]).filter(|_| fits);
        // A board that is kept has at most this many squares, so its rows and columns fit 32 bits.
        let is_kept = header[0].saturating_mul(header[1]) <= SQUARES_MAX && header[2] <= PLAYERS_MAX;
        Draft { board, players: is_kept.then(Vec::new), size: [header[0], header[1]], row: None }
    }

    #[inline]
    fn take(&self, draft: &mut Draft, part: usize, value: u64) -> bool {
        if part > 0 {
            return self.take_of_player(draft, value);
        }
        if let Some(board) = &mut draft.board {
            board.push(value);
            if board.bytes() > self.memory_limit {
                draft.drop_board();
            }
        }
        true
    }

    fn finish(&self, draft: Draft, _: &[u64]) -> Result<Work, (u64, Phrase)> {
        let (Some(board), Some(players)) = (draft.board, draft.players) else {
            return Ok(Work::Settled(Box::new(Interrupted::before(0)(Stop::MemoryLimit).into_outcome())));
        };
        Ok(Work::Solve(Box::new(Game { board, players, rules: self.rules })))
    }

    fn wrong_value(&self, header: &[u64], At { part, row, column }: At, lexeme: &Lexeme) -> Phrase {
        let found = lexeme.token.quoted();
        if part == 0 {
            let square = format!("{row},{column}");
            return match lexeme.token {
                Token::TooLarge(_) => JumpMessage::SquareLarge { found, square, most: u64::MAX },
                _ => JumpMessage::SquareValue { found, square },
            }
            .into();
        }
        let player = name_of(row);
        match lexeme.token {
            Token::Number(row) if column == 0 => JumpMessage::PlayerRow { player, row, last: header[0] - 1 },
            Token::Number(column) => JumpMessage::PlayerColumn { player, column, last: header[1] - 1 },
            _ => JumpMessage::PlayerSquare { found, player },
        }
        .into()
    }

    fn is_value(&self, header: &[u64], part: usize, column: usize, value: u64) -> bool {
        part == 0 || header.get(column).is_some_and(|&side| value < side)
    }

    /// Returns whether all players also stand on a board of the other size.
    fn fits(&self, draft: &Draft, header: &[u64]) -> bool {
        let players = draft.players.iter().flatten().map(|&square| u64::from(square));
        let mut squares = players.map(|square| (square / draft.size[1], square % draft.size[1]));
        squares.all(|(row, column)| row < header[0] && column < header[1])
    }

    fn player(&self, part: usize, row: u64) -> Option<String> {
        (part == 1).then(|| name_of(row))
    }

    /// Resumes at a line of two numbers that a line of one number follows.
    fn resumes(&self, ahead: &mut Ahead<'_>, at: usize, _: bool) -> bool {
        let mut has = |at, count| ahead.line(at).is_some_and(|line| line.count == count && line.is_clean);
        has(at, 2) && has(at + 1, 1)
    }
}

fn name_of(player: u64) -> String {
    player_name(usize::try_from(player).unwrap_or(usize::MAX - 1))
}
