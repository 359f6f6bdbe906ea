//! Reads games from a file, and finds the next one after a game that cannot be read.
//!
//! A game is read token by token, so its rows may be wrapped. After an error the next line of two numbers that
//! is followed by a line of one is taken for the beginning of the next game. That may be the line of the
//! mistake itself: where players are missing, the size of the next board is read for a player. Where a game is
//! written in lines as the format has it, [`GameLines`] notices the next one even where its size would pass
//! for numbers of this one.

use std::io;

use super::game::{Game, Interrupted, Rules};
use super::game_lines::{GameLines, game_begins};
use crate::board::jump::{Board, SQUARES_MAX};
use crate::input::{Lexeme, Line, Next, Scanner, Token};
use crate::solver::{Entry, Layout, MEMORY_LIMIT, Options, Part, Problem, PuzzleReader, Stop, Work};

/// Most players, so that places in the list fit 32 bits.
const PLAYERS_MAX: u64 = u32::MAX as u64;

/// Reads the games of one file.
pub(super) struct Reader {
    rules: Rules,
    memory_limit: u64,
    /// The first two tokens of the next game, where an error was found on them.
    carried: Option<[Lexeme; 2]>,
}

/// A token that does not belong where it stands.
struct Misfit {
    lexeme: Lexeme,
    rule: &'static str,
    expected: String,
    /// The two tokens of the line on which it stands, where that looks like the beginning of a game.
    begins: Option<[Lexeme; 2]>,
}

/// Why there is no game: an invalid one, or the input failed.
enum Fault {
    Misfit(Box<Misfit>),
    Io(io::Error),
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl PuzzleReader for Reader {
    fn read(&mut self, input: &mut Scanner<'_>) -> io::Result<Option<Entry>> {
        let carried = self.carried.take();
        let mut recognised = carried.is_some();
        if carried.is_none() {
            match input.advance()? {
                Next::End => return Ok(None),
                Next::NewLine => recognised = game_begins(input)?,
                // Looking ahead from every token of a long line would cost its length each time.
                Next::SameLine => {}
            }
        }
        let place = carried.as_ref().map_or_else(|| input.place(), |[rows, _]| rows.place);
        let work = match self.read_game(input, carried, &mut recognised) {
            Ok(work) => work,
            Err(Fault::Io(error)) => return Err(error),
            Err(Fault::Misfit(misfit)) => Work::Invalid(Box::new(self.resume(input, *misfit, recognised)?)),
        };
        Ok(Some(Entry { place, work }))
    }

    fn anew(&self) -> Box<dyn PuzzleReader> {
        Box::new(Self { rules: self.rules, memory_limit: self.memory_limit, carried: None })
    }

    fn layout(&self, lines: &[Line<'_>]) -> Option<Layout> {
        let [size, players, ..] = lines else { return None };
        let ([rows, columns], [players]) = (size.numbers()?, players.numbers()?);
        let board = Part { rows, widths: Some([columns; 2]) };
        let players = Part { rows: players, widths: Some([2; 2]) };
        Some(Layout { header_lines: 2, parts: vec![board, players] })
    }
}

impl Reader {
    /// A reader of games to be answered under `options`.
    pub(super) fn new(options: &Options) -> Self {
        Self { rules: Rules::new(options), memory_limit: options.get(MEMORY_LIMIT), carried: None }
    }

    /// Reads one game; `recognised` becomes true when its size and number of players are read.
    fn read_game(
        &self,
        input: &mut Scanner<'_>,
        carried: Option<[Lexeme; 2]>,
        recognised: &mut bool,
    ) -> Result<Work, Fault> {
        let [rows, columns] = if let Some(carried) = carried {
            carried
        } else {
            let rows = input.next_token()?;
            count(&rows, "board-size", ROWS)?;
            [rows, input.next_token()?]
        };
        let rows = count(&rows, "board-size", ROWS)?;
        let columns = count(&columns, "board-size", COLUMNS)?;
        let players = count(&input.next_token()?, "player-count", "a number of players of at least 1")?;
        let mut lines = GameLines::new([rows, columns], players, *recognised);
        *recognised = true;
        let board = self.read_board(input, rows, columns, &mut lines)?;
        let room = board.as_ref().map_or(0, |board| self.memory_limit.saturating_sub(board.bytes()) / 4);
        let squares = read_players(input, [rows, columns], players, room, &mut lines)?;
        if lines.surplus(input)? {
            return Err(misfit(input.next_token()?, "surplus", "the end of the game after its players"));
        }
        Ok(match board.zip(squares) {
            Some((board, players)) => Work::Solve(Box::new(Game { board, players, rules: self.rules })),
            None => Work::Settled(Interrupted::before(0)(Stop::MemoryLimit).into_outcome()),
        })
    }

    /// Reads the numbers of the board; `None` when they do not fit the memory.
    fn read_board(
        &self,
        input: &mut Scanner<'_>,
        rows: u64,
        columns: u64,
        lines: &mut GameLines,
    ) -> Result<Option<Board>, Fault> {
        let fits = Board::bytes_at_least(rows, columns) <= self.memory_limit;
        let mut board = Board::new(rows, columns).filter(|_| fits);
        let squares = u128::from(rows) * u128::from(columns);
        let mut read = 0;
        while read < squares {
            let at = |read: u128| format!("{},{}", read / u128::from(columns), read % u128::from(columns));
            if lines.next_game_comes(input)? {
                let expected = format!("the number on square {} before the next game", at(read));
                return Err(next_game(input, "square-value", expected)?);
            }
            // The token at hand is counted; those behind it on its line cannot begin a game.
            let left = u64::try_from(squares - read).unwrap_or(u64::MAX);
            let taken = match &mut board {
                Some(board) => input.take_numbers_on_line(left, |value| board.push(value)),
                None => input.take_numbers_on_line(left, |_| {}),
            };
            if taken > 0 {
                lines.count_more(taken - 1);
                read += u128::from(taken);
            } else {
                let lexeme = input.next_token()?;
                let Token::Number(value) = lexeme.token else {
                    let expected = format!("the number on square {}, from 0 to {}", at(read), u64::MAX);
                    return Err(misfit(lexeme, "square-value", expected));
                };
                if let Some(board) = &mut board {
                    board.push(value);
                }
                read += 1;
            }
            if board.as_ref().is_some_and(|board| board.bytes() > self.memory_limit) {
                board = None;
            }
        }
        Ok(board)
    }

    /// Describes what is wrong and goes on to the next game.
    fn resume(&mut self, input: &mut Scanner<'_>, misfit: Misfit, recognised: bool) -> io::Result<Problem> {
        let problem = Problem::token(&misfit.lexeme, misfit.rule, misfit.expected, recognised);
        self.carried = misfit.begins;
        if self.carried.is_none() && misfit.lexeme.token != Token::End {
            input.skip_line()?;
            while input.advance()? != Next::End && !game_begins(input)? {
                input.skip_line()?;
            }
        }
        Ok(problem)
    }
}

const ROWS: &str = "a number of rows of at least 1";
const COLUMNS: &str = "a number of columns of at least 1";

fn misfit(lexeme: Lexeme, rule: &'static str, expected: impl Into<String>) -> Fault {
    Fault::Misfit(Box::new(Misfit { lexeme, rule, expected: expected.into(), begins: None }))
}

/// The token as a number from 1.
fn count(lexeme: &Lexeme, rule: &'static str, expected: &str) -> Result<u64, Fault> {
    match lexeme.token {
        Token::Number(value) if value > 0 => Ok(value),
        _ => Err(misfit(lexeme.clone(), rule, expected)),
    }
}

/// Reads the squares of the players, and keeps up to `room` of them; `None` when there are more.
fn read_players(
    input: &mut Scanner<'_>,
    [rows, columns]: [u64; 2],
    players: u64,
    room: u64,
    lines: &mut GameLines,
) -> Result<Option<Vec<u32>>, Fault> {
    // A board that is kept has no more squares than this, so its rows and columns fit 32 bits.
    let room = if rows.saturating_mul(columns) > SQUARES_MAX { 0 } else { room.min(PLAYERS_MAX) };
    let mut squares = (players <= room).then(Vec::new);
    let mut line = PlayerLine::default();
    for player in 0..players {
        let mut square = [0; 2];
        // Most players stand on a line of their own, with another such line or the size of a board behind it.
        let plain = input.advance()? == Next::NewLine
            && input.take_pair_line(|pair| {
                square = pair;
                pair[0] < rows && pair[1] < columns
            });
        if plain {
            lines.count_line(2);
        } else {
            square = read_player(input, [rows, columns], player, &mut line, lines)?;
        }
        let [row, column] = square;
        if let Some(squares) = &mut squares {
            if squares.len() == squares.capacity() {
                squares.reserve_exact(squares.len().max(16).min((players - player) as usize));
            }
            squares.push((row * columns + column) as u32);
        }
    }
    Ok(squares)
}

/// Reads the row and the column of a player.
fn read_player(
    input: &mut Scanner<'_>,
    [rows, columns]: [u64; 2],
    player: u64,
    line: &mut PlayerLine,
    lines: &mut GameLines,
) -> Result<[u64; 2], Fault> {
    if lines.next_game_comes(input)? {
        let expected = format!("the row of player {} before the next game", name_of(player));
        return Err(next_game(input, "player-row", expected)?);
    }
    let row = line.number(input, "player-row", rows, player)?;
    if lines.next_game_comes(input)? {
        let expected = format!("the column of player {} before the next game", name_of(player));
        return Err(next_game(input, "player-column", expected)?);
    }
    Ok([row, line.number(input, "player-column", columns, player)?])
}

/// The line of players that is being read.
#[derive(Default)]
struct PlayerLine {
    /// Its first token, where the line might be the beginning of a game.
    first: Option<Lexeme>,
}

impl PlayerLine {
    /// Reads a row or column below `bound`.
    fn number(
        &mut self,
        input: &mut Scanner<'_>,
        rule: &'static str,
        bound: u64,
        player: u64,
    ) -> Result<u64, Fault> {
        let starts_line = input.advance()? == Next::NewLine;
        let might_begin = starts_line && game_begins(input)?;
        let lexeme = input.next_token()?;
        if starts_line {
            self.first = might_begin.then(|| lexeme.clone());
        }
        match lexeme.token {
            Token::Number(value) if value < bound => return Ok(value),
            _ => {}
        }
        let begins = match self.first.take() {
            Some(first) if starts_line => Some([first, input.next_token()?]),
            Some(first) => Some([first, lexeme.clone()]),
            None => None,
        };
        let part = if rule == "player-row" { "row" } else { "column" };
        let expected = format!("the {part} of player {}, from 0 to {}", name_of(player), bound - 1);
        Err(Fault::Misfit(Box::new(Misfit { lexeme, rule, expected, begins })))
    }
}

fn name_of(player: u64) -> String {
    super::game::player_name(usize::try_from(player).unwrap_or(usize::MAX - 1))
}

/// The fault of a game that ends too early, where the next one begins.
fn next_game(input: &mut Scanner<'_>, rule: &'static str, expected: String) -> Result<Fault, Fault> {
    let rows = input.next_token()?;
    let begins = Some([rows.clone(), input.next_token()?]);
    Ok(Fault::Misfit(Box::new(Misfit { lexeme: rows, rule, expected, begins })))
}
