//! What is wrong with the lines of players after a board.

use super::Mistake;
use super::header_changes::{numbers_of, quoted, whole};
use super::proposal_trial::Trial;
use tabuleiro_puzzles::input::{Line, is_comment};
use tabuleiro_puzzles::solver::{Problem, Proposal};

/// The most squares of players that a message names.
const SQUARES_MAX: usize = 16;

/// The lines of the players of a game whose board is as its header says.
struct Players<'a> {
    lines: &'a [Line<'a>],
    rows: u64,
    columns: u64,
    trial: &'a Trial<'a>,
}

/// Returns what is wrong with the players of a game, if its board is right.
pub fn look(problem: &Problem, lines: &[Line<'_>], trial: &Trial<'_>) -> Option<Problem> {
    let layout = trial.reader.layout(lines)?;
    let [board, players] = layout.parts[..] else { return None };
    trial.reader.player(1, 0)?;
    let (rows, [columns, _]) = (board.rows, board.widths?);
    let from = usize::try_from(rows).ok()?.checked_add(layout.header_lines)?;
    let end = from.checked_add(usize::try_from(players.rows).ok()?)?;
    let is_row = |line: &Line<'_>| line.count() == columns;
    if !lines.get(layout.header_lines..from)?.iter().all(is_row) {
        return None;
    }
    let on_board = Players { lines: &[], rows, columns, trial };
    if let Some(found) = lines.get(from).and_then(|line| on_board.named_on_one_line(line, players.rows)) {
        return Some(found);
    }
    // Rows of two numbers can be counted as players.
    if columns == 2 && lines.len() > end {
        return None;
    }
    let players = Players { lines: lines.get(from..end)?, ..on_board };
    let named = players.named(problem);
    let is_outside = || matches!(problem.rule(), "player-row" | "player-column");
    named
        .or_else(|| players.one_number(lines.len() == end))
        .or_else(|| is_outside().then(|| players.outside(problem))?)
}

impl Players<'_> {
    fn is_on_board(&self, [row, column]: [u64; 2]) -> bool {
        row < self.rows && column < self.columns
    }

    /// Reports a line with the squares of all players and other text.
    fn named_on_one_line(&self, line: &Line<'_>, players: u64) -> Option<Problem> {
        let numbers = numbers_of(line);
        let squares: Option<Vec<_>> = numbers.chunks(2).map(|pair| self.square(pair)).collect();
        let squares = squares.filter(|squares| squares.len() as u64 == players && players > 1)?;
        let (found, square) = (quoted(line), squares[0].clone());
        let change = Proposal::ReplaceLines { from_line: line.number, to_line: line.number, lines: squares };
        let problem = Problem::new(line.place(), Mistake::PlayerLine { found, square, players });
        self.trial.mended(problem, (!line.numbers_only()).then_some(change))
    }

    /// Returns the square of a row and a column on the board.
    fn square(&self, pair: &[String]) -> Option<String> {
        let [row, column] = pair else { return None };
        self.is_on_board([row.parse().ok()?, column.parse().ok()?]).then(|| format!("{row} {column}"))
    }

    /// Reports a line with a name before or after its row and column, or with words between them.
    fn named(&self, problem: &Problem) -> Option<Problem> {
        let index = self.lines.iter().position(|line| line.number == problem.place.line)?;
        self.named_square(index)?;
        let squares = (0..self.lines.len()).filter_map(|index| Some((index, self.named_square(index)?)));
        let squares: Vec<_> = squares.collect();
        let changes = squares.iter().map(|(index, square)| {
            let line = &self.lines[*index];
            // The player's number is removed, too.
            let has_number = numbers_of(line).len() > 2;
            let replace = |with| Proposal::replace_line(line.number, with);
            if has_number { replace(square.clone()) } else { whole(line, square.clone()) }
        });
        let proposal = self.tried(changes.collect());
        let (index, square) = squares.into_iter().next()?;
        let line = &self.lines[index];
        let what = Mistake::PlayerLine { found: quoted(line), square, players: 1 };
        Some(Problem::new(line.place(), what).proposing(proposal))
    }

    /// Returns the row and column on a line with a name.
    fn named_square(&self, index: usize) -> Option<String> {
        let line = &self.lines[index];
        if line.tokens().any(|(_, token)| is_comment(token)) {
            return None;
        }
        let numbers = numbers_of(line);
        // Without a letter, the first number is surely the player's only if every line begins with such a number.
        let is_counted = |(index, line): (usize, &Line<'_>)| {
            line.count() == 3 && numbers_of(line).first() == Some(&(index + 1).to_string())
        };
        let are_counted = || self.lines.len() > 1 && self.lines.iter().enumerate().all(is_counted);
        // A bullet is a name as well.
        let is_bullet = |token: &[u8]| !token.iter().any(u8::is_ascii_alphanumeric);
        let begins_with_bullet = line.tokens().next().is_some_and(|(_, token)| is_bullet(token));
        let is_named = line.text.iter().any(u8::is_ascii_alphabetic) || begins_with_bullet;
        match &numbers[..] {
            [number, square @ ..]
                if numbers.len() == 3
                    && *number == (index + 1).to_string()
                    && (is_named || are_counted()) =>
            {
                self.square(square)
            }
            square if is_named => self.square(square),
            _ => None,
        }
    }

    /// Reports all lines with one number. Two digits without a blank between them can be a row and a column.
    fn one_number(&self, is_whole: bool) -> Option<Problem> {
        let odd = self.lines.iter().enumerate().filter(|(_, line)| line.count() == 1 && line.numbers_only());
        let odd: Vec<_> = odd.collect();
        let split = |(_, line): &(usize, &Line<'_>)| {
            let (_, &[row, column]) = line.tokens().next()? else { return None };
            let square = [row, column].map(|digit| u64::from(digit - b'0'));
            self.is_on_board(square).then(|| whole(line, format!("{} {}", square[0], square[1])))
        };
        let proposal =
            odd.iter().map(split).collect::<Option<Vec<_>>>().and_then(|changes| self.tried(changes));
        let is_sure = is_whole && self.lines.iter().all(|line| line.count() <= 2);
        let problem = |also: Option<Problem>, &(index, line): &(usize, &Line<'_>)| {
            let (player, line_number) = (self.trial.reader.player(1, index as u64)?, line.number);
            let what = Mistake::PlayerLength { player, line: line_number, numbers: 1, expected: 2 };
            Some(Problem::new(line.end(), what).also(also))
        };
        let found = odd.iter().rev().fold(None, problem).filter(|_| is_sure)?;
        // The change mends all of them.
        let also = found.also.clone().filter(|_| proposal.is_none());
        Some(Problem { also, ..found }.proposing(proposal))
    }

    /// Reports players whose row and column are exchanged, or that are counted from 1, if only one of the two is
    /// possible.
    fn outside(&self, problem: &Problem) -> Option<Problem> {
        let squares = self.lines.iter().map(|line| Some((line, line.numbers::<2>()?)));
        let squares = squares.collect::<Option<Vec<_>>>()?;
        let is_outside = |(_, square): &&(&Line<'_>, [u64; 2])| !self.is_on_board(*square);
        let wrong: Vec<_> = squares.iter().filter(is_outside).collect();
        let (first, _) = *wrong.first()?;
        let player_of = |line: &Line<'_>| {
            let index = self.lines.iter().position(|player| player.number == line.number)?;
            self.trial.reader.player(1, index as u64)
        };
        let player = player_of(first)?;
        // A square that is on the board only in this order shows the order of the others.
        let shows_order = squares
            .iter()
            .any(|&(_, [row, column])| self.is_on_board([row, column]) && !self.is_on_board([column, row]));
        let are_exchanged =
            !shows_order && wrong.iter().all(|(_, [row, column])| self.is_on_board([*column, *row]));
        let one_less = |[row, column]: [u64; 2]| Some([row.checked_sub(1)?, column.checked_sub(1)?]);
        let from_zero =
            squares.iter().map(|(_, square)| one_less(*square).filter(|less| self.is_on_board(*less)));
        let from_zero = from_zero.collect::<Option<Vec<_>>>();
        let exchanged = |(_, [row, column]): &(&Line<'_>, [u64; 2])| {
            self.is_on_board([*column, *row]).then(|| format!("{column} {row}"))
        };
        let all_exchanged = || {
            let squares = squares.iter().map(exchanged).collect::<Option<Vec<_>>>()?;
            Some(named_squares(&squares))
        };
        let (line, last_row, last_column) = (first.number, self.rows - 1, self.columns - 1);
        match from_zero {
            Some(less) if !are_exchanged || less.len() > 1 => {
                let less: Vec<_> = less.iter().map(|[row, column]| format!("{row} {column}")).collect();
                let squares = named_squares(&less);
                let exchanged = if are_exchanged { all_exchanged() } else { None };
                let exchanged = exchanged.unwrap_or_else(|| "none".to_owned());
                let what =
                    Mistake::PlayersFromOne { player, line, last_row, last_column, squares, exchanged };
                Some(Problem::new(problem.place, what))
            }
            None if are_exchanged => {
                let change =
                    |(line, [row, column]): &&(&Line<'_>, [u64; 2])| whole(line, format!("{column} {row}"));
                // Players on the board may be exchanged as well.
                let is_unsure = |(_, [row, column]): &(&Line<'_>, [u64; 2])| {
                    row != column && self.is_on_board([*row, *column]) && self.is_on_board([*column, *row])
                };
                let is_sure = !squares.iter().any(is_unsure);
                let proposal = is_sure.then(|| self.tried(wrong.iter().map(change).collect())).flatten();
                // Without a change that is certain, the message shows all players exchanged.
                let shown = if proposal.is_some() { None } else { all_exchanged() };
                let squares = shown.unwrap_or_else(|| "none".to_owned());
                let what = Mistake::PlayersExchanged { player, line, last_row, last_column, squares };
                Some(Problem::new(first.place(), what).proposing(proposal))
            }
            _ => {
                let (line, [row, column]) =
                    wrong.iter().find(|(line, _)| line.number == problem.place.line)?;
                let player = player_of(line).filter(|_| *row > last_row && *column > last_column)?;
                let what =
                    Mistake::PlayerOutside { player, row: *row, column: *column, last_row, last_column };
                Some(Problem::new(line.place(), what))
            }
        }
    }

    /// Returns changes of several lines as one, if they make the game valid.
    fn tried(&self, mut changes: Vec<Proposal>) -> Option<Proposal> {
        let change = if changes.len() == 1 { changes.pop()? } else { Proposal::All { changes } };
        self.trial.first_of([change])
    }
}

/// Returns the squares of all players in their order, or the first ones.
pub fn named_squares(squares: &[String]) -> String {
    let more = if squares.len() > SQUARES_MAX { ", …" } else { "" };
    squares.iter().take(SQUARES_MAX).map(|square| format!("'{square}'")).collect::<Vec<_>>().join(", ") + more
}
