//! Where the next game begins: by its first lines, and by the lines of the game at hand.

use std::io;

use super::jump_mistakes::Mistake;
use crate::input::{Line, LineShape, Next, Place, Scanner};
use crate::solver::{Problem, RowLengths};

/// Lines looked at behind the last player, where one more may stand.
const PLAYERS_PREVIEWED: usize = 4;
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

/// Whether the line at whose first token the input stands has one number, a game follows, and they are no game
/// together: somebody wrote how many games there are.
pub(super) fn count_comes(input: &mut Scanner<'_>) -> io::Result<bool> {
    let Some([rows]) = input.preview::<1>()?[0].exactly() else { return Ok(false) };
    let [_, next @ ..] = input.preview::<{ 3 + ROWS_PREVIEWED }>()?;
    Ok(is_whole_beginning(&next) && !is_whole_game(input, [rows, next[0].numbers[0]], next[0].numbers[1])?)
}

/// Whether the tokens from here on make up a game of that size and so many players.
fn is_whole_game(input: &mut Scanner<'_>, size: [u64; 2], players: u64) -> io::Result<bool> {
    Ok(!size.contains(&0) && players > 0 && input.is_whole_with(3 + tokens_of(size, players), begins_game)?)
}

/// Tokens of a game behind its number of players.
fn tokens_of([rows, columns]: [u64; 2], players: u64) -> u128 {
    // No file has so many; there is room to count with.
    (u128::from(rows) * u128::from(columns)).saturating_add(2 * u128::from(players)).min(u128::MAX / 2)
}

/// What stands behind the last player.
pub(super) enum Behind {
    /// A number too many, on the line of the last player.
    Number,
    /// The line of one more player.
    Player,
    /// The line with which the next game begins.
    NextGame,
    /// Nothing of this game.
    Other,
}

/// A line of a board that is no row of it.
#[derive(Clone, Copy)]
struct OddLine {
    row: u64,
    place: Place,
    tokens: u64,
}

/// The lines of a game behind its number of players.
///
/// Rows may be wrapped, so lines prove nothing while a game is valid by its tokens. But in a game that is
/// written in lines, with few of a wrong length or all of another one, there is never a line of two numbers, then a line of
/// one, and then rows as long as the second of the two says. That is the next game, unless the tokens from there
/// on make up the rest of this one, to the end of a line behind which a game begins or nothing comes.
pub(super) struct GameLines {
    rows: u64,
    columns: u64,
    players: u64,
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
    /// Where the line at hand begins.
    place: Place,
    /// The first of the odd lines, and of the pairs.
    first_odd: Option<OddLine>,
    first_pair: Option<OddLine>,
    /// Tokens on each odd line; 0 where they differ, or stand behind pairs.
    odd_width: u64,
    /// Tokens of the whole game.
    tokens_all: u128,
    /// The game was found to be whole by its tokens, whatever its lines look like.
    whole: bool,
    lengths: RowLengths,
    /// What is wrong with rows that have the right count of numbers together.
    pub(super) uneven: Option<Problem>,
}

impl GameLines {
    /// The lines that come next, at `place`.
    pub(super) fn new([rows, columns]: [u64; 2], players: u64, in_lines: bool, place: Place) -> Self {
        let tokens_all = tokens_of([rows, columns], players);
        Self {
            rows,
            columns,
            players,
            in_lines,
            tokens: 0,
            before: 0,
            complete: 0,
            pairs: 0,
            odd: 0,
            place,
            first_odd: None,
            first_pair: None,
            odd_width: 0,
            tokens_all,
            whole: false,
            lengths: if in_lines { RowLengths::new(rows, [columns; 2]) } else { RowLengths::default() },
            uneven: None,
        }
    }

    /// Call it before a number of the board, behind so many of them: notes where lines begin.
    pub(super) fn note_row(&mut self, numbers: u128, input: &mut Scanner<'_>) -> io::Result<()> {
        if input.advance()? == Next::NewLine {
            self.lengths.begin_line(numbers, input.place());
        }
        Ok(())
    }

    /// Call it behind the last of so many numbers of the board: notes what is wrong with its rows.
    pub(super) fn end_rows(&mut self, numbers: u128, input: &mut Scanner<'_>) -> io::Result<()> {
        if input.advance()? != Next::SameLine {
            self.uneven = self.lengths.uneven(numbers);
        }
        Ok(())
    }

    /// Call it before every token: whether the next game comes instead.
    pub(super) fn next_game_comes(&mut self, input: &mut Scanner<'_>) -> io::Result<bool> {
        let starts_line = self.in_lines && input.advance()? == Next::NewLine;
        if starts_line {
            self.begin_line(input.place());
        }
        self.tokens += 1;
        // On a board of two columns with a wrong size all lines look like players.
        let are_pairs = self.complete == 0 && self.odd == 0 && self.pairs > 1;
        let may_begin = starts_line && !self.whole && (are_pairs || self.is_in_form());
        if !may_begin || input.is_pair_before_one() == Some(false) {
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

    /// Counts a whole line, which begins at `place`, and of which it is known that no game begins with it.
    pub(super) fn count_line(&mut self, tokens: u64, place: Place) {
        if self.in_lines {
            self.begin_line(place);
        }
        self.tokens += tokens;
    }

    /// Notes what the line before was.
    fn begin_line(&mut self, place: Place) {
        let tokens = self.tokens - self.before;
        if tokens == self.columns {
            self.complete += 1;
            if self.pairs > 0 {
                // Players stand behind all rows, so these were none.
                self.odd += std::mem::take(&mut self.pairs);
                self.first_odd = self.first_odd.or(self.first_pair.take());
            }
        } else if tokens == 2 {
            if self.pairs == 0 {
                self.first_pair = Some(self.odd_line(tokens));
            }
            self.pairs += 1;
        } else if tokens > 0 {
            self.note_odd(tokens);
        }
        self.before = self.tokens;
        self.place = place;
    }

    /// The line that just ended.
    fn odd_line(&self, tokens: u64) -> OddLine {
        OddLine { row: self.complete + self.odd + self.pairs, place: self.place, tokens }
    }

    #[cold]
    fn note_odd(&mut self, tokens: u64) {
        let is_alike = self.pairs == 0 && (self.odd == 0 || self.odd_width == tokens);
        self.odd_width = if is_alike { tokens } else { 0 };
        self.first_odd = self.first_odd.or(Some(self.odd_line(tokens)));
        self.odd += 1;
    }

    /// Whether the lines so far are those of a game as the format has it, but for a few; or of a game of another width.
    fn is_in_form(&self) -> bool {
        // Where a row is one number, a line of one tells nothing until there are as many as rows.
        let complete_min = if self.columns == 1 { self.rows } else { 1 };
        let lines = self.complete + self.odd + 1;
        self.is_of_other_width()
            || self.complete >= complete_min
                && (self.odd == 0 || self.odd <= self.complete.max(1) && lines > self.rows)
    }

    /// Whether none of the lines so far is a row, and all are alike up to those that may be players.
    fn is_of_other_width(&self) -> bool {
        self.complete == 0 && self.odd > 0 && self.odd_width > 1
    }

    /// After the last number of the board: how many lines of how many numbers it has, where these are several and
    /// none is a row.
    pub(super) fn other_shape(&self, input: &mut Scanner<'_>) -> io::Result<Option<[u64; 2]>> {
        let last = self.tokens - self.before;
        let (lines, width) = if self.odd > 0 { (self.odd, self.odd_width) } else { (self.pairs, 2) };
        let is_other = self.complete == 0 && lines > 0 && lines == self.odd + self.pairs && width == last;
        Ok((is_other && input.advance()? != Next::SameLine).then_some([lines + 1, last]))
    }

    /// After the last token: what follows, and whether it belongs to this game.
    pub(super) fn surplus(&self, input: &mut Scanner<'_>) -> io::Result<Behind> {
        if !self.is_in_form() {
            return Ok(Behind::Other);
        }
        match input.advance()? {
            Next::End => return Ok(Behind::Other),
            Next::SameLine => {
                let [rest, next @ ..] = input.preview::<{ 3 + ROWS_PREVIEWED }>()?;
                if rest.tokens == 1 && (!next[0].exists() || is_whole_beginning(&next))
                    || self.is_within_row(rest, input)?
                {
                    return Ok(Behind::Number);
                }
            }
            Next::NewLine if input.is_pair_before_one() == Some(true) => return Ok(Behind::NextGame),
            Next::NewLine => {
                if self.odd == 0 && self.player_comes(input)? {
                    return Ok(Behind::Player);
                }
            }
        }
        Ok(Behind::Other)
    }

    /// Whether the last player stands within a row: one row too many was read for players, or rows of another width.
    fn is_within_row(&self, rest: LineShape, input: &mut Scanner<'_>) -> io::Result<bool> {
        let here = self.tokens - self.before;
        let [rows, columns, players] = rest.numbers;
        if rest.tokens > 2 && is_whole_game(input, [rows, columns], players)? {
            return Ok(false);
        }
        let mut ends_with = |tokens: u64| match tokens.checked_sub(here) {
            Some(left @ 1..) => input.is_whole_with(left.into(), |_: &[LineShape; 1]| true),
            _ => Ok(false),
        };
        Ok(if self.is_of_other_width() {
            ends_with(self.odd_width)? || ends_with(2)?
        } else {
            self.complete == self.rows && self.odd == 0 && ends_with(self.columns)?
        })
    }

    /// Whether the next lines are squares of this board, up to the next game or to the end, and no game.
    fn player_comes(&self, input: &mut Scanner<'_>) -> io::Result<bool> {
        let lines = input.preview::<{ 2 + PLAYERS_PREVIEWED }>()?;
        let square = |line: &LineShape| {
            line.exactly::<2>().filter(|[row, column]| *row < self.rows && *column < self.columns)
        };
        let Some(first) = square(&lines[0]) else { return Ok(false) };
        for pair in lines.windows(2) {
            if begins_game(&[pair[0], pair[1]]) {
                break;
            }
            if square(&pair[0]).is_none() {
                return Ok(false);
            }
            if !pair[1].exists() {
                break;
            }
        }
        Ok(!begins_game(&[lines[0], lines[1]])
            && !is_whole_game(input, first, lines[1].numbers[0])?
            && PlayersBehind::look(input)?.is_none())
    }

    /// What the lines tell of a game that was found to be wrong behind them, if they tell more than where that was.
    /// Where the file ends, that was asked for like a token.
    pub(super) fn mistake(&mut self, at_end: bool) -> Option<Problem> {
        if self.uneven.is_some() {
            return self.uneven.take();
        }
        if at_end {
            self.tokens -= 1;
            self.begin_line(self.place);
        }
        // On a board of two columns players look like rows.
        if !self.in_lines || self.columns == 2 || self.complete < self.odd.max(1) {
            return None;
        }
        let lines = self.complete + self.odd + self.pairs;
        // As many lines as there should be: a row of two numbers is one that is too short.
        let pair =
            self.first_pair.filter(|_| u128::from(lines) == u128::from(self.rows) + u128::from(self.players));
        if let Some(OddLine { row, place, tokens }) =
            self.first_odd.or(pair).filter(|line| line.row < self.rows)
        {
            let (row, line, expected) = (row + 1, place.line, self.columns);
            return Some(Problem::new(place, Mistake::RowLength { row, line, numbers: tokens, expected }));
        }
        let OddLine { row, place, .. } = self.first_pair.filter(|line| line.row < self.rows)?;
        Some(Problem::new(place, Mistake::RowCount { rows: row, expected: self.rows }))
    }
}

/// A size, a number of players, and rows that are as long as the size says.
fn is_whole_beginning([size, players, rows @ ..]: &[LineShape; 2 + ROWS_PREVIEWED]) -> bool {
    let Some([height, width]) = size.exactly::<2>().filter(|sides| !sides.contains(&0)) else { return false };
    players.exactly::<1>().is_some_and(|[players]| players > 0)
        && rows.iter().take(height.min(ROWS_PREVIEWED as u64) as usize).all(|row| row.is_row(width))
}

/// A game whose number of players stands behind its board.
pub(super) struct PlayersBehind {
    pub(super) problem: Problem,
    /// Lines of the game.
    pub(super) lines: u64,
}

impl PlayersBehind {
    /// Looks at the game that begins with the line at whose first token the input stands.
    ///
    /// The lines show it: as many rows of as many numbers as the size says, a number alone, and so many squares of the
    /// board. Read as a stream of numbers the same lines are another game, whose number of players is the first number of
    /// the first row. They are that game if it has another number of players, and ends before a game or with the file.
    pub(super) fn look(input: &mut Scanner<'_>) -> io::Result<Option<Self>> {
        let [size, first] = input.preview()?;
        let Some([rows, columns]) = size.exactly::<2>() else { return Ok(None) };
        if columns < 2 || !first.is_row(columns) {
            return Ok(None);
        }
        let Some((place, [line, players, squares])) = Self::players_line(input, [rows, columns])? else {
            return Ok(None);
        };
        let [said, ..] = first.numbers;
        let is_stream = said != 0
            && squares == players
            && said != players
            && input.is_whole_with(3 + tokens_of([rows, columns], said), is_whole_beginning)?;
        let what = Mistake::PlayersLine { line: first.line, numbers: columns, from: line };
        let problem = Problem::new(place, what);
        Ok((!is_stream).then_some(Self { problem, lines: 2 + rows + squares }))
    }

    /// Returns where the first row begins, the line of a number that stands alone behind so many rows, the number, and how
    /// many squares of the board follow, if that is the number or they end the file, and no other lines follow but the next
    /// game's.
    fn players_line(
        input: &mut Scanner<'_>,
        [rows, columns]: [u64; 2],
    ) -> io::Result<Option<(Place, [u64; 3])>> {
        let mut lines = input.lines_ahead()?.skip(1).peekable();
        let Some(place) = lines.peek().map(Line::place) else { return Ok(None) };
        let are_rows = (0..rows).all(|_| lines.next().is_some_and(|line| line.count() == columns));
        let Some(alone) = lines.next().filter(|_| are_rows) else { return Ok(None) };
        let Some([players]) = alone.numbers().filter(|[players]| *players > 0) else { return Ok(None) };
        let is_square = |line: &Line<'_>| {
            line.numbers().is_some_and(|[row, column]: [u64; 2]| row < rows && column < columns)
        };
        let mut squares = 0;
        while squares < players && lines.next_if(is_square).is_some() {
            squares += 1;
        }
        let ends = match lines.next() {
            None => squares > 0,
            Some(line) => squares == players && line.count() == 2,
        };
        Ok(ends.then_some((place, [alone.number, players, squares])))
    }
}
