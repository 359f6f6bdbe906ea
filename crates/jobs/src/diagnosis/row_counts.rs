//! Rows that are too short or too long, too many or too few, in a puzzle with one row per line.

mod fitting_header;
mod line_breaks;
mod surplus_rows;

use super::Mistake;
use super::header_changes::{quoted, quoted_token};
use super::proposal_trial::Trial;
use super::surroundings::MOVES;
use tabuleiro_puzzles::input::{Line, Place, digits_value};
use tabuleiro_puzzles::solver::{FormMistake, Layout, Part, Problem, Proposal, is_like_end_marker};
use tabuleiro_puzzles::words::Phrase;

/// If at least this many pieces stand on playable squares and none on others, the lines hold all squares of the board.
const PIECES_SURE: usize = 3;

/// Rules about which the reader itself says more than counts of numbers show.
const READER_RULES: [&str; 7] =
    ["row-lengths", "all-squares", "header-behind", "moves", "second-moves", "auto-moves", "end-of-file"];

/// The rows of a puzzle as they are, and the layout that they should have.
struct CountedRows<'a> {
    header: &'a [Line<'a>],
    rows: &'a [Line<'a>],
    /// How many numbers each row has.
    counts: Vec<u64>,
    layout: &'a Layout,
    trial: &'a Trial<'a>,
}

/// Returns what the rows show about a wrong puzzle; `None` if they are right up to the mistake, or if nothing shows
/// that rows were meant to be lines.
pub fn look(problem: &Problem, lines: &[Line<'_>], trial: &Trial<'_>) -> Option<Problem> {
    let layout = trial.reader.layout(lines)?;
    let (header, mut rows) = lines.split_at_checked(layout.header_lines)?;
    // After a board that lacks a row, the end marker is no row.
    if problem.rule() == "numbers-missing"
        && !trial.reader.may_end()
        && let [before @ .., last] = rows
        && last.numbers() == Some([0, 0])
        && CountedRows::new((header, rows), &layout, trial).count_odd() == 0
        && layout.rows() == rows.len() as u64
    {
        rows = before;
    }
    // A title after a board with a wrong row is not one of its rows.
    let is_title = |line: &Line<'_>| {
        let mut words = line.tokens().map(|(_, token)| token);
        words
            .any(|word| word.len() > 2 && word.iter().all(|byte| byte.is_ascii_alphabetic() || *byte == b':'))
    };
    if let [before @ .., title] = rows
        && before.len() as u64 == layout.rows()
        && layout.parts.iter().all(|part| part.widths.is_some())
        && is_title(title)
        && let Some(found) = CountedRows::new((header, before), &layout, trial).odd_row()
    {
        let stray = || Box::new(Problem::new(title.place(), FormMistake::stray_line(title.number)));
        let also = found.also.or_else(|| Some(stray()));
        return Some(Problem { also, ..found });
    }
    let seen = CountedRows::new((header, rows), &layout, trial);
    if let Some(found) = seen.joined().or_else(|| seen.players_early()) {
        return Some(found);
    }
    if problem.rule() == "all-squares" {
        // A header with 8 rows and 4 columns more likely means a board of 8 columns, 4 of them playable, unless several
        // pieces all stand on squares that are playable on the narrow board.
        let [on_playable, on_others] = seen.pieces_by_colour();
        let is_narrow = header[0].numbers::<2>().is_some_and(|[rows, columns]| rows == 2 * columns);
        let is_mixed = on_playable > 3 * on_others;
        let is_half = on_others > 0 && (is_narrow || on_playable > 0 && !is_mixed)
            || is_narrow && on_playable < PIECES_SURE;
        if on_others > 0 && !is_half && !is_mixed {
            let what = Mistake::OtherColour { header: seen.header_text() };
            return Some(Problem::new(problem.place, what));
        }
        let playable = || {
            let (change, mark) = seen.playable()?;
            let marked = mark.map(|mark| Mistake::MarkedSquares { mark }.into());
            let what = marked.unwrap_or_else(|| problem.what.clone());
            Some(Problem { what, ..problem.clone() }.proposing(Some(change)))
        };
        return if is_half { seen.odd_header() } else { playable() };
    }
    if problem.rule() == "squares-joined" {
        return seen.number_alone().or_else(|| seen.square_digits(problem));
    }
    if let Some(found) = seen.header_again() {
        return Some(found);
    }
    // If rows are as long as the lines of players, a surplus row pushes the last row among the players.
    let are_alike = matches!(&layout.parts[..], [board, other] if board.widths == other.widths);
    let is_sure = !are_alike || rows.len() as u64 <= layout.rows();
    // The reader itself reports uneven rows.
    if header.is_empty()
        || READER_RULES.iter().any(|rule| problem.rule().starts_with(rule))
        || is_sure && seen.fits_until(problem.place)
    {
        return None;
    }
    seen.words()
        .or_else(|| seen.blanks())
        .or_else(|| seen.wrapped_row())
        .or_else(|| seen.line_goes_on())
        .or_else(|| seen.repeated())
        .or_else(|| seen.run_together())
        .or_else(|| seen.turned())
        .or_else(|| seen.uneven())
        .or_else(|| seen.number_alone())
        .or_else(|| seen.all_on_one_line())
        .or_else(|| seen.rows_joined())
        .or_else(|| seen.rows_split())
        .or_else(|| seen.odd_header())
        .or_else(|| seen.doubled())
        // A mistake without a tried proposal is reported only if nearly all lines are rows.
        .or_else(|| if layout.rows() == rows.len() as u64 { seen.odd_row() } else { seen.odd_count() })
}

/// Returns the only row of a puzzle that is too short or too long, if its other rows are right below this header.
pub fn odd_row_below(header: &[Line<'_>], rows: &[Line<'_>], trial: &Trial<'_>) -> Option<Problem> {
    let layout = trial.reader.layout(header)?;
    let rows = CountedRows::new((header, rows), &layout, trial);
    let is_whole = layout.rows() == rows.rows.len() as u64 && rows.count_odd() == 1;
    rows.odd_row().filter(|_| is_whole)
}

impl<'a> CountedRows<'a> {
    fn new(
        (header, rows): (&'a [Line<'a>], &'a [Line<'a>]),
        layout: &'a Layout,
        trial: &'a Trial<'a>,
    ) -> Self {
        Self { header, rows, counts: rows.iter().map(Line::count).collect(), layout, trial }
    }

    /// Returns how many numbers a row, counted from 0, should have; `None` for any.
    fn expected(&self, row: u64) -> Option<u64> {
        match self.layout.part_of(row) {
            Some((part, row)) => self.layout.parts[part].width(row),
            // After the last row, nothing fits.
            None => Some(0),
        }
    }

    fn fits(&self, row: usize) -> bool {
        self.expected(row as u64).is_none_or(|expected| expected == self.counts[row])
    }

    /// Returns whether all rows up to the line of the mistake are right. If so, the reader was right about the place.
    /// If the mistake is a word, the numbers of its line are not counted.
    fn fits_until(&self, place: Place) -> bool {
        // A place without a token is the end of the text: something is missing.
        let mut lines = self.header.iter().chain(self.rows);
        if !lines.any(|line| line.tokens().any(|(at, _)| at == place)) {
            return false;
        }
        let behind = self.rows.iter().take_while(|row| row.number <= place.line).count();
        let at = behind.checked_sub(1).map(|at| &self.rows[at]).filter(|row| row.number == place.line);
        let is_word = at.is_some_and(|row| {
            row.tokens().any(|(at, token)| at == place && !token.iter().all(u8::is_ascii_digit))
        });
        (at.is_some() || behind == 0) && (0..behind - usize::from(is_word)).all(|row| self.fits(row))
    }

    /// Returns how many rows do not fit.
    fn count_odd(&self) -> usize {
        (0..self.rows.len()).filter(|&row| !self.fits(row)).count()
    }

    fn header_text(&self) -> String {
        quoted(&self.header[0])
    }

    /// Reports the first two rows that are too short or too long, if there are as many rows as there should be.
    fn odd_row(&self) -> Option<Problem> {
        let mut odd = (0..self.rows.len()).filter(|&row| !self.fits(row));
        let rows = self.layout.parts[0].rows;
        let board = self.counts.get(..usize::try_from(rows).ok()?)?;
        if board.len() > 1 && !self.fits(0) && board.iter().all(|&count| count == board[0]) {
            let what = Mistake::Header { header: self.header_text(), rows, numbers: board[0] };
            return Some(Problem::new(self.header[0].place(), what));
        }
        if self.count_odd() == self.rows.len() {
            return None;
        }
        // If most rows have one other length, the header is wrong, and so is the row that fits it.
        let wrong: Vec<_> = (0..board.len()).filter(|&row| !self.fits(row)).collect();
        let width = wrong.first().map_or(0, |&row| board[row]);
        let fitting = (0..board.len()).find(|row| self.fits(*row));
        if wrong.len() > 2 && wrong.len() + 1 == board.len() && wrong.iter().all(|&row| board[row] == width) {
            let (header, rows) = (self.header_text(), wrong.len() as u64);
            let line = &self.rows[fitting?];
            let (row, numbers) = (fitting? as u64 + 1, line.count());
            let other = Mistake::RowLength { row, line: line.number, numbers, others: width };
            let what = Mistake::Header { header, rows, numbers: width };
            let other = Problem::new(line.end(), other);
            return Some(Problem::new(self.header[0].place(), what).also(Some(other)));
        }
        let first = self.wrong_row(odd.next()?)?;
        // Marks between the numbers of the next row are counted with it.
        let next = odd.next().filter(|&row| self.rows[row].numbers_only());
        Some(first.also(next.and_then(|row| self.wrong_row(row))))
    }

    /// Reports a row that is too short or too long.
    fn wrong_row(&self, odd: usize) -> Option<Problem> {
        let line = &self.rows[odd];
        let (numbers, expected) = (self.counts[odd], self.expected(odd as u64)?);
        let (part, row) = self.layout.part_of(odd as u64)?;
        let surplus = line.tokens().nth(usize::try_from(expected).ok()?);
        // Words behind a whole row are no numbers.
        let behind = surplus.map(|(place, _)| (place, &line.text[(place.column - line.column) as usize..]));
        if let Some((place, words)) = behind.filter(|(_, words)| !words.iter().any(u8::is_ascii_digit)) {
            let words = words.trim_ascii();
            let removed = Proposal::replace_token((place, words), "");
            let what = Mistake::Word { found: quoted_token(words), line: line.number };
            return Some(Problem::new(place, what).proposing(self.trial.first_of([removed])));
        }
        if let Some(found) = self.number_split(line).filter(|_| numbers == expected + 1) {
            return Some(found);
        }
        // A cell of a spreadsheet can be empty.
        let gap = line.text.windows(2).position(|two| two == b"\t\t" || two == b",,").map(|at| at as u64 + 1);
        let gap = gap
            .filter(|_| numbers < expected)
            .map_or_else(|| line.end(), |at| Place { line: line.number, column: line.column + at });
        let place = surplus.map_or(gap, |(place, _)| place);
        let begins = odd - row as usize;
        // A row of the part can be missing.
        let end = begins + self.layout.parts[part].rows as usize;
        let others = &self.counts[begins..end.min(self.counts.len())];
        let differ = others.iter().filter(|&&count| count != expected).count();
        let player = self.trial.reader.player(part, row);
        let (row, line) = (row + 1, line.number);
        let what: Phrase = match player {
            Some(player) => Mistake::PlayerLength { player, line, numbers, expected }.into(),
            None if others.len() > 1 && differ == 1 => {
                Mistake::RowLength { row, line, numbers, others: expected }.into()
            }
            None => FormMistake::RowLength { row, line, numbers, expected }.into(),
        };
        Some(Problem::new(place, what))
    }

    /// Reports a blank within a number, on a board whose numbers are powers of two.
    fn number_split(&self, line: &Line<'_>) -> Option<Problem> {
        // A board with players can have any numbers.
        if self.trial.reader.player(1, 0).is_some() {
            return None;
        }
        let tokens: Vec<_> = line.tokens().collect();
        let tile =
            |digits: &[u8]| digits_value(0, digits).filter(|value| *value > 1 && value.is_power_of_two());
        let is_odd = |token: &[u8]| token != b"0" && tile(token).is_none();
        let mut pairs = tokens.windows(2).filter_map(|pair| {
            let [(place, first), (_, second)] = pair else { return None };
            let joined = String::from_utf8([*first, *second].concat()).ok()?;
            let value = tile(joined.as_bytes())?;
            let is_one = value > 1000 && second.len() == 3 || is_odd(first) || is_odd(second);
            let bytes = pair[1].0.column + second.len() as u64 - place.column;
            let begin = (place.column - line.column) as usize;
            let found = String::from_utf8(line.text[begin..begin + bytes as usize].to_vec()).ok()?;
            is_one.then_some((*place, found, joined))
        });
        let (place, found, value) = pairs.next().filter(|_| pairs.next().is_none())?;
        let row = String::from_utf8(line.text.to_vec()).ok()?.replacen(&found, &value, 1);
        let joined = Proposal::replace_line(line.number, row.trim().to_owned());
        self.trial.mended(Problem::new(place, Mistake::ThousandsBlank { found, value }), [joined])
    }

    /// Reports too few or too many rows.
    fn odd_count(&self) -> Option<Problem> {
        let (lines, expected) = (self.rows.len() as u64, self.layout.rows());
        // Two rows on one line, and a number is missing or surplus.
        if let [Part { widths: Some([width, other]), .. }] = self.layout.parts[..]
            && width == other
            && lines + 1 == expected
            && lines > 2
            && let [odd] = (0..self.rows.len()).filter(|&row| !self.fits(row)).collect::<Vec<_>>()[..]
            && self.counts[odd] > width + 1
        {
            return self.wrong_row(odd);
        }
        let (header, place) = (self.header_text(), self.header[0].place());
        let cut = self.file_cut();
        let [
            Part { rows: board, widths: Some([width, _]) },
            Part { rows: players, widths: Some([other, _]) },
        ] = self.layout.parts[..]
        else {
            if cut.is_some() {
                return cut;
            }
            // Lines that can hold anything do not count as rows.
            let others = self.layout.parts.iter().filter(|part| part.widths.is_none());
            // The last line is such a line unless it has only numbers.
            let is_row = self.rows.last().is_none_or(Line::numbers_only);
            let others: u64 = if is_row { 0 } else { others.map(|part| part.rows).sum() };
            let (rows, rows_expected) = (lines.saturating_sub(others), self.layout.parts[0].rows);
            let what = self.row_count(rows);
            // Rows after the last expected one never fit, nor do rows of two lengths in turn after a missing one.
            let is_turned = matches!(self.layout.parts[..], [Part { widths: Some([wide, narrow]), .. }]
                if wide != narrow && self.counts.iter().all(|&count| count == wide || count == narrow));
            let is_sure = is_turned || self.count_odd() as u64 == lines.saturating_sub(expected);
            let cut = self.cut_row();
            if rows == rows_expected && cut.is_some() {
                return cut;
            }
            // One other row can be wrong as well.
            let mut wrong = (0..self.rows.len().min(rows_expected as usize)).filter(|&row| !self.fits(row));
            let is_near = rows > 2 && rows.abs_diff(rows_expected) < 3;
            let one = wrong.next().filter(|_| is_near && wrong.next().is_none());
            let also = cut.or_else(|| self.wrong_row(one?));
            return (is_sure || also.is_some()).then(|| Problem::new(place, what).also(also));
        };
        let (odd, rows) = self.rows_of_first(width, other);
        let is_square = |[row, column]: [u64; 2]| row < board && column < width;
        let may_be_player = self.rows.last().is_some_and(|last| last.numbers().is_none_or(is_square));
        let is_player = self.counts.last() == Some(&other) && may_be_player;
        if cut.is_some() && !is_player {
            return cut;
        }
        if let Some(cut) = self.cut_row().filter(|_| lines < board && !is_player) {
            let what = FormMistake::RowCount { header, rows: lines, expected: board };
            return Some(Problem::new(place, what).also(Some(cut)));
        }
        if odd > 0 {
            let is_odd = |row: &usize| self.counts[*row] != if (*row as u64) < rows { width } else { other };
            let first = (0..self.rows.len()).find(is_odd).filter(|_| odd == 1 && lines + 1 >= expected)?;
            return self.wrong_row(first);
        }
        // All players can stand on one line.
        if rows == lines && players > 1 && lines.checked_sub(1) == Some(board) {
            let last = self.rows.len() - 1;
            if u128::from(self.counts[last]) + 1 >= 2 * u128::from(players) {
                return self.wrong_row(last);
            }
        }
        if width == other {
            let what = Mistake::LineCount { lines, header, expected, rows: board, players };
            return Some(Problem::new(place, what));
        }
        if rows != board {
            return Some(Problem::new(place, self.row_count(rows)));
        }
        let (line, players) = (self.header.last()?, lines - rows);
        let place = line.place();
        let mut pairs = self.rows[rows as usize..].windows(2);
        let doubled = pairs.find(|pair| pair[0].text.trim_ascii() == pair[1].text.trim_ascii());
        let (line, expected) = (line.number, expected - rows);
        let what: Phrase = if let Some(pair) = doubled.filter(|_| players == expected + 1) {
            let [before, again] = [pair[0].number, pair[1].number];
            Mistake::PlayerDoubled { players, line, expected, before, again }.into()
        } else {
            let surplus = players.saturating_sub(expected);
            Mistake::PlayerCount { players, line, expected, surplus }.into()
        };
        let problem = Problem::new(place, what);
        let last = self.rows.last().filter(|_| players > 0);
        Some(match last {
            Some(last) => problem.related_to(last.place()),
            None => problem,
        })
    }

    /// Returns the mistake that there are too few or too many rows, with the header that would fit them.
    fn row_count(&self, rows: u64) -> Phrase {
        let (header, board) = (self.header_text(), &self.layout.parts[0]);
        let expected = board.rows;
        let fits = |(row, &count): (u64, &u64)| board.width(row) == Some(count);
        let widths = board.widths.filter(|_| (0..rows).zip(&self.counts).all(fits));
        // If most rows are missing, something else is wrong.
        let columns = self.header[0].numbers().filter(|_| 2 * rows >= expected);
        let columns = columns.map(|[_, columns]: [u64; 2]| columns);
        let fitting = widths.zip(columns).and_then(|(widths, columns)| {
            let none = Line { text: b"", ..self.header[0] };
            let fitting = format!("{rows} {columns}");
            let is_allowed = self.trial.reader.fields()[0][0].allows(rows);
            (is_allowed && self.trial.reader.headers(&none, rows, widths).contains(&fitting))
                .then_some(fitting)
        });
        match fitting {
            Some(fitting) => Mistake::RowCount { header, rows, expected, fitting }.into(),
            None => FormMistake::RowCount { header, rows, expected }.into(),
        }
    }

    /// Reports that the file ends within a row of the board that is not its last one, or after such a row if other lines
    /// than rows are missing as well.
    fn file_cut(&self) -> Option<Problem> {
        let (last, board) = (self.rows.len().checked_sub(1)?, self.layout.parts[0].rows);
        if (last as u64) + 1 >= board || self.trial.is_followed() {
            return None;
        }
        let is_whole = self.layout.parts.len() > 1 && self.count_odd() == 0;
        let (line, expected) = (&self.rows[last], self.expected(last as u64)?);
        let numbers = if is_whole { 0 } else { self.cut_row().map(|_| line.count())? };
        let (row, missing) = (last as u64 + 1, self.layout.rows() - last as u64 - 1);
        let what = Mistake::FileCut { row, line: line.number, numbers, expected, missing };
        Some(Problem::new(line.end(), what))
    }

    /// Reports the last line if the file ends within that row, and all rows before it are right.
    fn cut_row(&self) -> Option<Problem> {
        let last = self.rows.len().checked_sub(1).filter(|&last| last > 0)?;
        let is_short = self.expected(last as u64).is_some_and(|most| self.counts[last] < most);
        let is_cut = is_short && self.count_odd() == 1 && (self.rows.len() as u64) < self.layout.rows();
        self.wrong_row(last).filter(|_| is_cut)
    }

    /// Splits the rows between the first part and the other one, which has another width, so that the fewest rows fit
    /// neither. Returns how many fit neither, and how many rows belong to the first part.
    fn rows_of_first(&self, width: u64, other: u64) -> (usize, u64) {
        let mut odd = self.counts.iter().filter(|&&count| count != other).count();
        let mut best = (odd, 0);
        for (row, &count) in (1..).zip(&self.counts) {
            odd = odd + usize::from(count != width) - usize::from(count != other);
            best = best.min((odd, row));
        }
        best
    }
}

/// Returns the problem of last lines that were meant as an end marker. Without them, the puzzle must be valid, or the
/// file must end after the previous puzzle.
pub fn end_marker(lines: &[Line<'_>], trial: &Trial<'_>) -> Option<Problem> {
    let has_digits = |line: &Line<'_>| line.text.iter().any(u8::is_ascii_digit);
    let may_be_marker = |line: &Line<'_>| has_digits(line) || is_like_end_marker(line.text);
    let lines = &lines[..=lines.iter().rposition(may_be_marker)?];
    // Three zeros below a row of three numbers are more likely a row.
    let is_row = |at: usize| at > 0 && lines[at].count() > 2 && lines[at].count() == lines[at - 1].count();
    let is_marker = |at: &usize| is_like_end_marker(lines[*at].text) && !is_row(*at);
    let markers = (0..lines.len()).rev().take_while(is_marker).count();
    if markers == 0 || !trial.reader.may_end() {
        return None;
    }
    let is_followed = trial.is_followed_by_numbers();
    // If another game follows, the last lines can be players.
    if markers < lines.len() && is_followed {
        return None;
    }
    let marker = lines.last()?.number;
    let behind = lines.last().filter(|_| !is_followed).map(|last| trial.lines_behind(last));
    let behind: Vec<_> = behind.into_iter().flatten().collect();
    // Moves behind zeros are those of an empty board without a header.
    let is_move =
        |byte: &u8| MOVES.as_bytes().contains(&byte.to_ascii_uppercase()) || byte.is_ascii_whitespace();
    if behind.first().is_some_and(|line| line.text.iter().all(is_move)) {
        return None;
    }
    let to_line = behind.last().map_or(marker, |last| last.number);
    let lines_from = |count: usize| lines[lines.len() - count].number;
    let removed = (1..=markers).map(|count| Proposal::RemoveLines { from_line: lines_from(count), to_line });
    let proposal = trial.first_of(removed)?;
    let (line, _) = proposal.lines();
    let first = lines.iter().find(|other| other.number == line)?;
    let found = quoted(first);
    let found = if first.numbers_only() { found } else { format!("'{found}'") };
    let problem = Problem::new(first.place(), Mistake::EndMarker { found, line, solver: trial.solver.id() });
    let Some(text) = behind.first() else { return Some(problem.proposing(Some(proposal))) };
    // Only words are left.
    let removed = |from_line, to_line| Some(Box::new(Proposal::RemoveLines { from_line, to_line }));
    let stray = Problem::new(text.place(), FormMistake::stray_lines(text.number, to_line));
    let also = Problem { part: removed(text.number, to_line), ..stray };
    Some(Problem { part: removed(line, marker), ..problem.also(Some(also)) })
}
