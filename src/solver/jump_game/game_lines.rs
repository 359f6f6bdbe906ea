//! Where the next game begins: by its first lines, and by the lines of the game at hand.

use std::io;

use crate::input::{LineShape, Next, Scanner};

/// Rows looked at to recognise the next game.
const ROWS_PREVIEWED: usize = 4;

/// Whether the line at whose first token the input stands, and the next one, begin a game.
pub(super) fn game_begins(input: &mut Scanner<'_>) -> io::Result<bool> {
    match input.is_pair_before_one() {
        Some(begins) => Ok(begins),
        None => Ok(begins_game(&input.preview()?)),
    }
}

/// A line of two numbers, followed by a line of one.
fn begins_game(lines: &[LineShape; 2]) -> bool {
    lines[0].exactly::<2>().is_some() && lines[1].exactly::<1>().is_some()
}

/// The lines of a game behind its number of players.
///
/// Rows may be wrapped, so lines prove nothing while a game is valid by its tokens. But in a game that is
/// written in lines, with at most one of a wrong length, there is never a line of two numbers, then a line of
/// one, and then rows as long as the second of the two says. That is the next game, unless the tokens from there
/// on make up the rest of this one, to the end of a line behind which a game begins or nothing comes.
pub(super) struct GameLines {
    rows: u64,
    columns: u64,
    /// Size and number of players have lines of their own.
    in_lines: bool,
    /// Tokens asked for so far.
    tokens: u64,
    /// Of them, those before the line at hand.
    before: u64,
    /// Lines that ended: complete rows, the lines of two numbers behind them, which may be players, and all
    /// others.
    complete: u64,
    pairs: u64,
    odd: u64,
    /// Tokens of the whole game.
    tokens_all: u128,
    /// The game was found to be whole by its tokens, whatever its lines look like.
    whole: bool,
}

impl GameLines {
    pub(super) fn new([rows, columns]: [u64; 2], players: u64, in_lines: bool) -> Self {
        let tokens_all = u128::from(rows) * u128::from(columns) + 2 * u128::from(players);
        let (tokens, before, complete, pairs, odd) = (0, 0, 0, 0, 0);
        Self { rows, columns, in_lines, tokens, before, complete, pairs, odd, tokens_all, whole: false }
    }

    /// Call it before every token: whether the next game comes instead.
    pub(super) fn next_game_comes(&mut self, input: &mut Scanner<'_>) -> io::Result<bool> {
        let starts_line = self.in_lines && input.advance()? == Next::NewLine;
        if starts_line {
            self.begin_line();
        }
        self.tokens += 1;
        if self.whole || !starts_line || !self.is_in_form() || input.is_pair_before_one() == Some(false) {
            return Ok(false);
        }
        if input.preview::<1>()?[0].exactly::<2>().is_none() || !is_whole_beginning(&input.preview()?) {
            return Ok(false);
        }
        // The token at hand is counted already.
        self.whole = input.is_whole_with(self.tokens_all + 1 - u128::from(self.tokens), begins_game)?;
        Ok(!self.whole)
    }

    /// Counts tokens on the line at hand.
    pub(super) fn count_more(&mut self, tokens: u64) {
        self.tokens += tokens;
    }

    /// Counts a whole line of which it is known that no game begins with it.
    pub(super) fn count_line(&mut self, tokens: u64) {
        if self.in_lines {
            self.begin_line();
        }
        self.tokens += tokens;
    }

    /// Notes what the line before was.
    fn begin_line(&mut self) {
        if self.tokens == 0 {
            return;
        }
        match self.tokens - self.before {
            tokens if tokens == self.columns => {
                self.complete += 1;
                // Players stand behind all rows, so these were none.
                self.odd += std::mem::take(&mut self.pairs);
            }
            2 => self.pairs += 1,
            _ => self.odd += 1,
        }
        self.before = self.tokens;
    }

    /// Whether the lines so far are those of a game as the format has it, but for one at most.
    fn is_in_form(&self) -> bool {
        // Where a row is one number, a line of one tells nothing until there are as many as rows.
        let complete_min = if self.columns == 1 { self.rows } else { 1 };
        self.complete >= complete_min && (self.odd == 0 || self.odd == 1 && self.complete + 1 >= self.rows)
    }

    /// After the last token: whether one more stands on its line, and then the next game begins.
    pub(super) fn surplus(&self, input: &mut Scanner<'_>) -> io::Result<bool> {
        if !self.is_in_form() || input.advance()? != Next::SameLine {
            return Ok(false);
        }
        let [rest, next @ ..] = input.preview::<{ 3 + ROWS_PREVIEWED }>()?;
        Ok(rest.tokens == 1 && (!next[0].exists() || is_whole_beginning(&next)))
    }
}

/// A size, a number of players, and rows that are as long as the size says.
fn is_whole_beginning([size, players, rows @ ..]: &[LineShape; 2 + ROWS_PREVIEWED]) -> bool {
    let Some([height, width]) = size.exactly::<2>().filter(|sides| !sides.contains(&0)) else { return false };
    players.exactly::<1>().is_some_and(|[players]| players > 0)
        && rows.iter().take(height.min(ROWS_PREVIEWED as u64) as usize).all(|row| row.is_row(width))
}
