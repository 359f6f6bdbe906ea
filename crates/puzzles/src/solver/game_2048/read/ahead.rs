//! Where games begin, by the lines ahead: what tells a missing line of moves, one too many, and the next game behind a
//! bad one.

use std::io;

use super::line::LINE_BYTES_MAX;
use super::moves;
use crate::input::{LineShape, Next, RawLine, Scanner};

/// Rows looked at to recognise a game, and lines: its first one, these, and the one behind them.
const ROWS_PREVIEWED: usize = 4;
const LINES_PREVIEWED: usize = ROWS_PREVIEWED + 2;

/// Whether the next lines are a game: its size, perhaps a seed, then rows and, where it is in sight, something that is no row.
fn is_game(lines: &[LineShape]) -> bool {
    let [header, rows @ ..] = lines else { return false };
    let size = header.numbers[0];
    let is_header = header.clean && matches!(header.tokens, 1 | 2) && size > 1;
    let seen = size.min(rows.len().min(ROWS_PREVIEWED) as u64) as usize;
    let ends = rows.get(seen).filter(|_| seen as u64 == size);
    is_header
        && rows[..seen].iter().all(|row| row.is_row(size))
        && ends.is_none_or(|line| line.exists() && !(line.clean && line.is_row(size)))
}

/// Whether a game begins where the reader stands.
///
/// # Errors
/// When reading fails.
pub fn game_begins(input: &mut Scanner<'_>) -> io::Result<bool> {
    Ok(is_game(&input.preview::<LINES_PREVIEWED>()?))
}

/// Whether the next game begins where the moves should stand.
///
/// # Errors
/// When reading fails.
pub fn moves_are_missing(input: &mut Scanner<'_>) -> io::Result<bool> {
    input.advance()?;
    // Nearly all moves are letters.
    let begins = input.lines_at_hand(1)?.and_then(|text| text.first());
    if !begins.is_some_and(u8::is_ascii_digit) {
        return Ok(false);
    }
    let lines: [LineShape; LINES_PREVIEWED] = input.preview()?;
    let digits = lines[0].numbers[..usize::from(lines[0].tokens).min(3)].iter().map(u64::to_string);
    let may_be_moves = digits.collect::<String>().bytes().all(|digit| matches!(digit, b'1'..=b'4'));
    Ok(is_game(&lines) && !(may_be_moves && (!lines[1].exists() || is_game(&lines[1..]))))
}

/// The next line, where it is one more of moves.
///
/// # Errors
/// When reading fails.
pub fn second_moves(input: &mut Scanner<'_>) -> io::Result<Option<RawLine>> {
    if input.advance()? == Next::End {
        return Ok(None);
    }
    // Nearly all games begin with a number.
    let begins = input.lines_at_hand(1)?.and_then(|text| text.first());
    if !begins.is_some_and(|&byte| byte.is_ascii_alphabetic() || byte == b'-') {
        return Ok(None);
    }
    // Now the whole line is at hand.
    input.preview::<1>()?;
    let line = input.place().line;
    let Some(text) = input.lines_at_hand(1)? else { return Ok(None) };
    let end = text.iter().position(|&byte| byte == b'\n').unwrap_or(text.len());
    let raw = RawLine { line, bytes: text[..end].to_vec(), truncated: false };
    if !moves::ends_game(&raw) {
        return Ok(None);
    }
    input.next_line(LINE_BYTES_MAX)
}

/// Whether a board has rows that are too many: the next lines are rows, no game. Passes them by and says how many.
///
/// # Errors
/// When reading fails.
pub fn surplus_rows(size: u64, input: &mut Scanner<'_>) -> io::Result<u64> {
    let mut rows = 0;
    loop {
        let lines: [LineShape; LINES_PREVIEWED] = input.preview()?;
        if !lines[0].clean || !lines[0].is_row(size) || is_game(&lines) {
            return Ok(rows);
        }
        input.advance()?;
        input.skip_line()?;
        rows += 1;
    }
}

/// Passes lines by until a game ends, or the next one begins.
///
/// # Errors
/// When reading fails.
pub fn skip_game(input: &mut Scanner<'_>) -> io::Result<()> {
    loop {
        if game_begins(input)? {
            break;
        }
        match input.next_line(LINE_BYTES_MAX)? {
            Some(line) if !moves::ends_game(&line) => {}
            _ => break,
        }
    }
    Ok(())
}
