//! Reads games from a file, and finds the next one after a game that cannot be read.
//!
//! A game is read token by token, so its rows may be wrapped. After an error the next line of two numbers that
//! is followed by a line of one is taken for the beginning of the next game. That may be the line of the
//! mistake itself: where players are missing, the size of the next board would be read for a player, so such a line is
//! looked at before it is read. Where a game is written in lines as the format has it, [`GameLines`] notices the next
//! one even where its size would pass for numbers of this one.

use std::sync::Arc;

use std::io;

use super::beginning::beginning;
use super::game::{Game, Interrupted, PLAYERS_MAX, Rules, player_name};
use super::game_lines::{Behind, GameLines, PlayersBehind, count_comes, game_begins};
use super::jump_mistakes::{Doubt, Mistake, Word};
use crate::board::jump::{Board, SQUARES_MAX};
use crate::input::{Lexeme, Line, Next, Place, Scanner, Token};
use crate::solver::{
    Entry, Layout, MEMORY_LIMIT, Options, Part, Problem, Proposal, PuzzleReader, Stop, Work,
};
use crate::words::{Argument, Phrase};

/// Reads the games of one file.
pub(super) struct Reader {
    rules: Rules,
    memory_limit: u64,
    /// Where the next game begins, if that was seen already behind the one before.
    next_begins: Option<Place>,
}

/// Why there is no game: an invalid one, or the input failed.
enum Fault {
    Misfit(Box<Misfit>),
    Io(io::Error),
}

/// Something that does not belong where it stands.
struct Misfit {
    problem: Problem,
    what: Kind,
}

/// What does not belong there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A number, or the lines of the game.
    Number,
    /// A token that is no number.
    Word,
    /// The file ends.
    End,
    /// The next game begins there; nothing of it is read.
    NextGame,
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl PuzzleReader for Reader {
    fn read(&mut self, input: &mut Scanner<'_>) -> io::Result<Option<Entry>> {
        // Looking ahead from every token of a long line would cost its length each time.
        let starts_line = match input.advance()? {
            Next::End => return Ok(None),
            next => next == Next::NewLine,
        };
        let place = input.place();
        let mut recognised = starts_line && (self.next_begins.take() == Some(place) || game_begins(input)?);
        if starts_line && !recognised && count_comes(input)? {
            let lexeme = input.next_token()?;
            let what = Mistake::GameCount { count: lexeme.token.quoted() };
            let problem = Problem::new(place, what).recognised_if(false);
            return Ok(Some(Entry { place, work: Work::Invalid(Box::new(problem)) }));
        }
        if starts_line
            && !recognised
            && let Some(PlayersBehind { problem, lines }) = PlayersBehind::look(input)?
        {
            for _ in 0..lines {
                input.next_token()?;
                input.skip_line()?;
            }
            input.advance()?;
            return Ok(Some(Entry { place, work: Work::Invalid(Box::new(problem)) }));
        }
        let work = match self.read_game(input, place, &mut recognised) {
            Ok(work) => work,
            Err(Fault::Io(error)) => return Err(error),
            Err(Fault::Misfit(misfit)) => {
                if matches!(misfit.what, Kind::Number | Kind::Word) {
                    resume(input)?;
                }
                Work::Invalid(Box::new(misfit.problem.recognised_if(recognised)))
            }
        };
        Ok(Some(Entry { place, work }))
    }

    fn anew(&self) -> Box<dyn PuzzleReader> {
        Box::new(Self { next_begins: None, ..*self })
    }

    fn layout(&self, lines: &[Line<'_>]) -> Option<Layout> {
        let [size, players, ..] = lines else { return None };
        let ([rows, columns], [players]) = (size.numbers()?, players.numbers()?);
        let board = Part { rows, widths: Some([columns; 2]) };
        let players = Part { rows: players, widths: Some([2; 2]) };
        Some(Layout { header_lines: 2, parts: vec![board, players] })
    }

    fn beginning(&self, problem: &Problem, lines: &[Line<'_>]) -> Option<(Problem, Vec<Proposal>)> {
        beginning(problem, lines)
    }

    fn player(&self, part: usize, row: u64) -> Option<String> {
        (part == 1).then(|| name_of(row))
    }

    fn headers(&self, header: &Line<'_>, rows: u64, width: u64) -> Vec<String> {
        // Rows as long as the header says are rather missing, or too many.
        let is_odd = header.numbers().is_some_and(|[_, columns]| columns != width);
        if is_odd { vec![format!("{rows} {width}")] } else { Vec::new() }
    }
}

impl Reader {
    /// A reader of games to be answered under `options`.
    pub(super) fn new(options: &Options) -> Self {
        Self { rules: Rules::new(options), memory_limit: options.get(MEMORY_LIMIT), next_begins: None }
    }

    /// Reads one game; `recognised` becomes true when its size and number of players are read.
    fn read_game(
        &mut self,
        input: &mut Scanner<'_>,
        place: Place,
        recognised: &mut bool,
    ) -> Result<Work, Fault> {
        let size = |side: Word| move |found| Mistake::BoardSize { found, side: Phrase::from(side).into() };
        let rows = count(input, size(Word::Rows))?;
        let columns = count(input, size(Word::Columns))?;
        let players = count(input, |found| Mistake::PlayerCount { found })?;
        let mut lines = GameLines::new([rows, columns], players, *recognised, input.place());
        *recognised = true;
        self.read_lines(input, [rows, columns], players, place, &mut lines).map_err(|fault| match fault {
            Fault::Misfit(misfit) if misfit.what != Kind::Word => {
                let problem = lines.mistake(misfit.what == Kind::End).unwrap_or(misfit.problem);
                Fault::Misfit(Box::new(Misfit { problem, ..*misfit }))
            }
            fault => fault,
        })
    }

    /// Reads the board and the players of a game that begins at `place`.
    fn read_lines(
        &mut self,
        input: &mut Scanner<'_>,
        [rows, columns]: [u64; 2],
        players: u64,
        place: Place,
        lines: &mut GameLines,
    ) -> Result<Work, Fault> {
        let board = self.read_board(input, rows, columns, lines)?;
        lines.end_rows(u128::from(rows) * u128::from(columns), input)?;
        let other_shape = lines.other_shape(input)?;
        let room = board.as_ref().map_or(0, |board| self.memory_limit.saturating_sub(board.bytes()) / 4);
        let squares = read_players(input, [rows, columns], players, room, lines)?;
        match lines.surplus(input)? {
            Behind::NextGame => self.next_begins = Some(input.place()),
            Behind::Number => {
                return Err(misfit(&input.next_token()?, |found| Mistake::Surplus { found }));
            }
            Behind::Player => {
                let problem = Problem::new(input.place(), Mistake::PlayerSurplus { players });
                return Err(Fault::Misfit(Box::new(Misfit { problem, what: Kind::Number })));
            }
            Behind::Other => {}
        }
        if let Some(problem) = lines.uneven.take() {
            return Err(Fault::Misfit(Box::new(Misfit { problem, what: Kind::NextGame })));
        }
        let (Some(board), Some(players)) = (board, squares) else {
            return Ok(Work::Settled(Box::new(Interrupted::before(0)(Stop::MemoryLimit).into_outcome())));
        };
        if let Some([height, width]) = other_shape.filter(|shape| fits(*shape, columns, &players)) {
            let (header, fits) = (format!("{rows} {columns}"), format!("{height} {width}"));
            let (line, lines, numbers) = (place.line, height, width);
            input.warn_in_result(place, Doubt::Shape { lines, numbers, header, line, fits });
        }
        Ok(Work::Solve(Arc::new(Game { board, players, rules: self.rules })))
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
            let square = || format!("{},{}", read / u128::from(columns), read % u128::from(columns));
            lines.note_row(read, input)?;
            if lines.next_game_comes(input)? {
                return Err(next_game(input, |found| Mistake::SquareValue { found, square: square() }));
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
                let value = match lexeme.token {
                    Token::Number(value) => value,
                    Token::TooLarge(_) => {
                        let most = u64::MAX;
                        let what = |found| Mistake::SquareLarge { found, square: square(), most };
                        return Err(misfit(&lexeme, what));
                    }
                    _ => {
                        return Err(misfit(&lexeme, |found| Mistake::SquareValue {
                            found,
                            square: square(),
                        }));
                    }
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
}

/// Goes on to the next game.
fn resume(input: &mut Scanner<'_>) -> io::Result<()> {
    input.skip_line()?;
    while input.advance()? != Next::End && !game_begins(input)? {
        input.skip_line()?;
    }
    Ok(())
}

/// The fault of a token.
fn misfit(lexeme: &Lexeme, what: impl FnOnce(Argument) -> Mistake) -> Fault {
    let problem = Problem::new(lexeme.place, what(lexeme.token.quoted()));
    let what = match lexeme.token {
        Token::End => Kind::End,
        Token::Number(_) => Kind::Number,
        Token::TooLarge(_) | Token::Word(_) => Kind::Word,
    };
    Fault::Misfit(Box::new(Misfit { problem, what }))
}

/// The fault of a game that ends too early, where the next one begins.
fn next_game(input: &Scanner<'_>, what: impl FnOnce(Argument) -> Mistake) -> Fault {
    let problem = Problem::new(input.place(), what(Phrase::from(Word::NextGame).into()));
    Fault::Misfit(Box::new(Misfit { problem, what: Kind::NextGame }))
}

/// Reads a number from 1.
fn count(input: &mut Scanner<'_>, what: impl FnOnce(Argument) -> Mistake) -> Result<u64, Fault> {
    let lexeme = input.next_token()?;
    match lexeme.token {
        Token::Number(value) if value > 0 => Ok(value),
        _ => Err(misfit(&lexeme, what)),
    }
}

/// Whether all players, who stand on a board of so many columns, stand on one of that shape too.
fn fits([height, width]: [u64; 2], columns: u64, players: &[u32]) -> bool {
    players.iter().map(|&square| u64::from(square)).all(|square| {
        let (row, column) = (square / columns, square % columns);
        row < height && column < width
    })
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
    for player in 0..players {
        let mut square = [0; 2];
        // Most players stand on a line of their own, with another such line or the size of a board behind it.
        let next = input.advance()?;
        let place = input.place();
        let plain = next == Next::NewLine
            && input.take_pair_line(|pair| {
                square = pair;
                pair[0] < rows && pair[1] < columns
            });
        if plain {
            lines.count_line(2, place);
        } else {
            square = read_player(input, [rows, columns], player, player + 1 == players, lines)?;
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
    is_last: bool,
    lines: &mut GameLines,
) -> Result<[u64; 2], Fault> {
    let mut square = [0; 2];
    for (part, bound) in [rows, columns].into_iter().enumerate() {
        let what = |found| Mistake::PlayerSquare { found, player: name_of(player) };
        if lines.next_game_comes(input)? {
            return Err(next_game(input, what));
        }
        if input.advance()? == Next::NewLine && game_begins(input)? {
            // A line of two numbers: both stay below their bounds if they are no size of a board.
            let numbers = input.preview::<1>()?[0].numbers;
            let second = if part == 0 { Some(columns) } else { Some(rows).filter(|_| !is_last) };
            if numbers[0] >= bound || second.is_some_and(|second| numbers[1] >= second) {
                return Err(next_game(input, what));
            }
        }
        let lexeme = input.next_token()?;
        let (player, last) = (name_of(player), bound - 1);
        square[part] = match lexeme.token {
            Token::Number(value) if value < bound => value,
            Token::Number(row) if part == 0 => {
                return Err(misfit(&lexeme, |_| Mistake::PlayerRow { player, row, last }));
            }
            Token::Number(column) => {
                return Err(misfit(&lexeme, |_| Mistake::PlayerColumn { player, column, last }));
            }
            _ => return Err(misfit(&lexeme, what)),
        };
    }
    Ok(square)
}

fn name_of(player: u64) -> String {
    player_name(usize::try_from(player).unwrap_or(usize::MAX - 1))
}
