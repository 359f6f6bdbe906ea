//! Rows that are too short or too long, too many or too few, in a puzzle with one row per line.

use super::proposal_trial::Trial;
use super::{Mistake, first_lines};
use tabuleiro_puzzles::input::{Line, Place, QUOTE_BYTES_MAX, digits_value, is_blank, printable};
use tabuleiro_puzzles::solver::{
    FormMistake, Layout, Part, Problem, Proposal, RowLengths, counts, described, is_like_end_marker,
    named_lines,
};
use tabuleiro_puzzles::words::Phrase;

/// Rules for which the reader says more than a count of numbers on a row.
const TOLD: [&str; 7] =
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
        && let counts = rows.iter().map(Line::count).collect()
        && let seen = (CountedRows { header, rows, counts, layout: &layout, trial })
        && seen.odd() == 0
        && seen.rows_expected() == rows.len() as u64
    {
        rows = before;
    }
    let counts = rows.iter().map(Line::count).collect();
    let seen = CountedRows { header, rows, counts, layout: &layout, trial };
    if let Some(found) = seen.joined().or_else(|| seen.players_early()) {
        return Some(found);
    }
    if problem.rule() == "all-squares" {
        // A header with 8 rows and 4 columns more likely means a board of 8 columns, 4 of them playable.
        let [on_playable, on_others] = seen.colours_with_pieces();
        let is_half = header.len() == 1
            && header[0].numbers::<2>().is_some_and(|[rows, columns]| rows == 2 * columns)
            || on_playable && on_others;
        if on_others && !is_half {
            let what = Mistake::OtherColour { header: seen.header_text() };
            return Some(Problem::new(problem.place, what));
        }
        let playable = || seen.playable().map(|change| problem.clone().proposing(Some(change)));
        return if is_half { seen.odd_header() } else { playable() };
    }
    if problem.rule() == "squares-joined" {
        return seen.square_digits(problem);
    }
    if let Some(found) = seen.header_again() {
        return Some(found);
    }
    // If rows are as long as the lines of players, a surplus row makes players of the last rows.
    let are_alike = matches!(&layout.parts[..], [board, other] if board.widths == other.widths);
    let is_sure = !are_alike || rows.len() as u64 <= seen.rows_expected();
    // The reader itself reports uneven rows.
    if header.is_empty()
        || TOLD.iter().any(|rule| problem.rule().starts_with(rule))
        || is_sure && seen.fits_until(problem.place)
    {
        return None;
    }
    let tried = seen.words().or_else(|| seen.blanks()).or_else(|| seen.line_goes_on());
    let tried = tried.or_else(|| seen.repeated()).or_else(|| seen.run_together()).or_else(|| seen.turned());
    let tried =
        tried.or_else(|| seen.uneven()).or_else(|| seen.rows_numbered()).or_else(|| seen.number_alone());
    let tried = tried
        .or_else(|| seen.all_on_one_line())
        .or_else(|| seen.rows_joined())
        .or_else(|| seen.row_split())
        .or_else(|| seen.odd_header());
    let tried = tried.or_else(|| seen.doubled());
    // A mistake without a tried proposal is reported only if nearly all lines are rows.
    tried
        .or_else(|| seen.exchanged_and_odd())
        .or_else(|| if seen.rows_expected() == rows.len() as u64 { seen.odd_row() } else { seen.odd_count() })
}

/// Returns the problem that each row begins with its own number, if that is all that is wrong.
pub fn numbered(lines: &[Line<'_>], trial: &Trial<'_>) -> Option<Problem> {
    let layout = trial.reader.layout(lines)?;
    let (header, rows) = lines.split_at_checked(layout.header_lines)?;
    let counts = rows.iter().map(Line::count).collect();
    CountedRows { header, rows, counts, layout: &layout, trial }.rows_numbered()
}

impl CountedRows<'_> {
    /// Returns how many rows there should be.
    fn rows_expected(&self) -> u64 {
        self.layout.parts.iter().fold(0, |rows, part| rows.saturating_add(part.rows))
    }

    /// Returns the part of a row, both counted from 0, and its row in that part; `None` after the last expected row.
    fn part(&self, mut row: u64) -> Option<(usize, u64)> {
        for (index, part) in self.layout.parts.iter().enumerate() {
            if row < part.rows {
                return Some((index, row));
            }
            row -= part.rows;
        }
        None
    }

    /// Returns how many numbers a row, counted from 0, should have; `None` for any.
    fn expected(&self, row: u64) -> Option<u64> {
        match self.part(row) {
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
    fn odd(&self) -> usize {
        (0..self.rows.len()).filter(|&row| !self.fits(row)).count()
    }

    fn header_text(&self) -> String {
        printable(self.header[0].text.trim_ascii(), QUOTE_BYTES_MAX)
    }

    /// Proposes the header that fits the rows, if one does.
    fn odd_header(&self) -> Option<Problem> {
        let others: u64 = self.layout.parts.iter().skip(1).map(|part| part.rows).sum();
        let rows = (self.rows.len() as u64).checked_sub(others)?;
        let width = *self.counts[..rows as usize].iter().max()?;
        // A single row that lacks a number, or has one too many, does not show that the header is wrong.
        let [said, _] = self.layout.parts[0].widths?;
        if rows == 1 && self.layout.parts[0].rows == 1 && width.abs_diff(said) == 1 {
            return None;
        }
        let header = &self.header[0];
        let place = header.place();
        let bytes = header.text.trim_ascii().len() as u64;
        let narrow = self.counts[..rows as usize].iter().copied().min().unwrap_or(width);
        // Many surplus rows of one board were rather meant than the number of rows.
        let is_meant = self.trial.is_piece && rows > self.layout.parts[0].rows.saturating_add(2);
        let none = Line { text: b"", ..*header };
        let header = if is_meant { &none } else { header };
        let alternating = self.trial.reader.headers(header, rows, [width, narrow]).into_iter();
        let is_alternating = self.counts.windows(3).all(|rows| rows[0] == rows[2]) && width != narrow;
        let equal = self.trial.reader.headers(header, rows, [width; 2]).into_iter();
        let headers = equal.filter(|_| !is_alternating).chain(alternating);
        // The size and the seed can stand without a space between them.
        let text = self.header_text();
        let apart = |with: String| {
            let rest = text.strip_prefix(&with).filter(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()));
            let apart = rest.filter(|rest| !rest.is_empty()).map(|rest| format!("{with} {rest}"));
            apart.into_iter().chain([with])
        };
        let headers = headers.flat_map(apart);
        let proposals = headers.map(|with| Proposal::Replace { place, bytes, with });
        let proposal = self.trial.first_of(proposals)?;
        let header = self.header_text();
        // Few people know that, with an odd number of columns, every second row is shorter.
        if let [wide, narrow] = self.layout.parts[0].widths?
            && (wide > narrow, rows) == (true, self.layout.parts[0].rows)
            && self.counts.iter().all(|&count| count == wide)
            && let Proposal::Replace { with: fitting, .. } = &proposal
        {
            let (columns, fitting) = (wide + narrow, fitting.clone());
            let what = Mistake::HeaderOdd { columns, wide, narrow, rows, fitting };
            return Some(Problem::new(place, what));
        }
        let what: Phrase = if width == narrow {
            Mistake::Header { header, rows, numbers: width }.into()
        } else if rows == self.layout.parts[0].rows {
            Mistake::HeaderInTurn { header, rows, width, narrow }.into()
        } else {
            FormMistake::RowCount { header, rows, expected: self.layout.parts[0].rows }.into()
        };
        Some(Problem::new(place, what).proposing(Some(proposal)))
    }

    /// Returns whether pieces stand on playable squares and on others, if the rows are all squares.
    fn colours_with_pieces(&self) -> [bool; 2] {
        [0, 1].map(|colour| {
            self.rows.iter().enumerate().any(|(row, line)| {
                let mut squares = line.tokens().skip((row + colour) % 2).step_by(2);
                squares.any(|(_, token)| matches!(token, b"1" | b"2"))
            })
        })
    }

    /// Reports short rows in which blanks stand for empty squares.
    fn blanks(&self) -> Option<Problem> {
        let has_blanks = |line: &Line<'_>| {
            let is_gap = |pair: &[u8]| pair.iter().all(|byte| is_blank(*byte));
            let text = line.text.strip_suffix(b"\r").unwrap_or(line.text);
            text.windows(2).any(is_gap)
                || line.column > 1
                || text.starts_with(b" ")
                || text.starts_with(b"\t")
                || text.ends_with(b"\t")
        };
        let is_short = |row: &usize| self.expected(*row as u64).is_some_and(|most| self.counts[*row] < most);
        let short: Vec<_> = (0..self.rows.len()).filter(is_short).collect();
        let is_blank = self.layout.parts.len() == 1
            && self.rows.len() as u64 <= self.rows_expected()
            && (0..self.rows.len()).all(|row| is_short(&row) || self.fits(row))
            && short.iter().any(|&row| has_blanks(&self.rows[row]));
        let first = short.first().filter(|_| is_blank && short.len() > 1)?;
        let lines = short.iter().map(|&row| self.rows[row].number).collect::<Vec<_>>();
        Some(Problem::new(self.rows[*first].end(), Mistake::Blanks { lines: named_lines(&lines) }))
    }

    /// Proposes rows without the squares that are not playable, if each of them is 0 or has a mark or a letter.
    fn playable(&self) -> Option<Proposal> {
        let is_piece = |token: &[u8]| token != b"0" && token.iter().all(u8::is_ascii_digit);
        let lines = self.rows.iter().enumerate().map(|(row, line)| {
            let tokens = line.tokens().enumerate();
            let (own, others): (Vec<_>, Vec<_>) = tokens.partition(|(column, _)| (row + column) % 2 == 0);
            let own = own.iter().map(|(_, (_, token))| String::from_utf8_lossy(token));
            let is_bare = !others.iter().any(|(_, (_, token))| is_piece(token));
            is_bare.then(|| own.collect::<Vec<_>>().join(" "))
        });
        let lines = lines.collect::<Option<_>>()?;
        let (from_line, to_line) = (self.rows.first()?.number, self.rows.last()?.number);
        self.trial.first_of([Proposal::ReplaceLines { from_line, to_line, lines }])
    }

    /// Reports the last line of the header again after the rows.
    fn header_again(&self) -> Option<Problem> {
        let (before, again) = (self.header.last()?, self.rows.get(self.layout.parts[0].rows as usize)?);
        if self.layout.parts.len() < 2 || before.text.trim_ascii() != again.text.trim_ascii() {
            return None;
        }
        let (before, line) = (before.number, again.number);
        let proposal = self.trial.first_of([Proposal::remove_line(line)])?;
        let what = FormMistake::HeaderDoubled { before, line };
        Some(Problem::new(again.place(), what).proposing(Some(proposal)))
    }

    /// Reports players before the board.
    fn players_early(&self) -> Option<Problem> {
        let [board, players] = self.layout.parts[..] else { return None };
        let (width, count) = (board.widths?[0], usize::try_from(players.rows).ok()?);
        let are_players = self.counts.get(..count)?.iter().all(|&numbers| numbers == 2);
        let are_rows = self.counts[count..].iter().all(|&numbers| numbers == width);
        let is_other = width != 2 && self.rows.len() as u64 == self.rows_expected();
        let (from, to) = (self.rows.first()?.number, self.rows.get(count.checked_sub(1)?)?.number);
        let problem = || Problem::new(self.rows[0].place(), FormMistake::PlayersEarly { from, to });
        (is_other && are_players && are_rows).then(problem)
    }

    /// Reports rows without blanks between their numbers.
    fn joined(&self) -> Option<Problem> {
        let rows = usize::try_from(self.layout.parts.first()?.rows).ok()?;
        let is_joined = |(row, line): (usize, &Line<'_>)| {
            let width = self.expected(row as u64).unwrap_or(0);
            width > 1
                && line.count() == 1
                && line.text.trim_ascii().len() as u64 == width
                && line.numbers_only()
        };
        let first = self.rows.first()?;
        let are_joined = self.rows.get(..rows)?.iter().enumerate().all(is_joined);
        let digits = |line: &Line<'_>| -> String {
            line.text
                .trim_ascii()
                .iter()
                .map(|&digit| char::from(digit))
                .flat_map(|digit| [' ', digit])
                .skip(1)
                .collect()
        };
        let change = || {
            let rows = &self.rows[..rows];
            let (from_line, to_line) = (first.number, rows.last()?.number);
            let lines = rows.iter().map(digits).collect();
            self.trial.first_of([Proposal::ReplaceLines { from_line, to_line, lines }])
        };
        are_joined
            .then(|| Problem::new(first.place(), Mistake::Joined { line: first.number }).proposing(change()))
    }

    /// Reports the end marker, or the header of the next puzzle, on the line of the last row.
    fn line_goes_on(&self) -> Option<Problem> {
        let last = usize::try_from(self.rows_expected()).ok()?.checked_sub(1)?;
        let (row, width) = (self.rows.get(last)?, self.expected(last as u64)?);
        let (line, is_last) = (row.number, self.rows.len() == last + 1);
        let behind: Vec<_> = row.tokens().skip(width as usize).collect();
        let ((place, _), fields) = (behind.first()?, self.trial.reader.fields().first()?);
        let (before, after) = row.text.split_at((place.column - row.column) as usize);
        let lines = [before, after].map(|text| String::from_utf8_lossy(text.trim_ascii()).into_owned());
        let numbers = || behind.iter().filter_map(|(_, token)| digits_value(0, token));
        let is_marker = is_last && !self.trial.reader.may_end() && numbers().eq([0, 0]);
        let is_header = counts(fields).contains(&(behind.len() as u64))
            && numbers().zip(fields).filter(|(number, field)| field.allows(*number)).count() == behind.len();
        if !(0..last).all(|row| self.fits(row)) || !is_marker && !is_header {
            return None;
        }
        let header = lines[1].clone();
        let apart = Proposal::ReplaceLines { from_line: line, to_line: line, lines: lines.into() };
        let proposal = self.trial.first_of([apart]);
        let what =
            if is_marker { Mistake::MarkerOnRow { line } } else { Mistake::HeaderOnRow { header, line } };
        (is_marker || proposal.is_some()).then(|| Problem::new(*place, what).proposing(proposal))
    }

    /// Returns the only row that does not fit, if the rows after it fit as if they stood `later` rows further down, or
    /// `earlier` rows further up.
    fn only_odd(&self, [later, earlier]: [usize; 2]) -> Option<usize> {
        let odd = (0..self.rows.len()).find(|&row| !self.fits(row))?;
        let fits = |row: usize| {
            let expected = self.expected((row + later - earlier) as u64);
            expected.is_none_or(|expected| expected == self.counts[row])
        };
        let is_whole =
            (self.rows.len() + later) as u64 == self.rows_expected().saturating_add(earlier as u64);
        (is_whole && (odd + 1 + earlier..self.rows.len()).all(fits)).then_some(odd)
    }

    /// Proposes two lines for two rows on one.
    fn rows_joined(&self) -> Option<Problem> {
        let odd = self.only_odd([1, 0])?;
        let [width, next] = [self.expected(odd as u64)?, self.expected(odd as u64 + 1)?];
        let line = &self.rows[odd];
        let tokens: Vec<_> = line.tokens().map(|(_, token)| String::from_utf8_lossy(token)).collect();
        let (first, second) = tokens.split_at_checked(width as usize)?;
        let lines = vec![first.join(" "), second.join(" ")];
        let apart = Proposal::ReplaceLines { from_line: line.number, to_line: line.number, lines };
        let proposal = self.trial.first_of((second.len() as u64 == next).then_some(apart))?;
        let (place, _) = line.tokens().nth(width as usize)?;
        Some(Problem::new(place, Mistake::RowsJoined { line: line.number }).proposing(Some(proposal)))
    }

    /// Proposes a line for each row of a board on one line.
    fn all_on_one_line(&self) -> Option<Problem> {
        let board = self.layout.parts.first().filter(|board| board.rows > 2)?;
        let line = self.rows.first().filter(|row| u128::from(row.count()) == board.numbers())?;
        let mut tokens = line.tokens().map(|(_, token)| String::from_utf8_lossy(token));
        let row = |row| {
            board.width(row).map(|width| tokens.by_ref().take(width as usize).collect::<Vec<_>>().join(" "))
        };
        let lines = (0..board.rows).map_while(row).collect();
        let apart = Proposal::ReplaceLines { from_line: line.number, to_line: line.number, lines };
        let proposal = self.trial.first_of([apart])?;
        let what = Mistake::AllOnOneLine { line: line.number, rows: board.rows };
        Some(Problem::new(line.place(), what).proposing(Some(proposal)))
    }

    /// Proposes one line for a row on two.
    fn row_split(&self) -> Option<Problem> {
        let odd = self.only_odd([0, 1])?;
        let [from, to] = [self.rows[odd].number, self.rows.get(odd + 1)?.number];
        let is_one = self.expected(odd as u64) == Some(self.counts[odd] + self.counts[odd + 1]);
        let joined = Proposal::JoinLines { from_line: from, to_line: to };
        let proposal = self.trial.first_of(is_one.then_some(joined))?;
        let what = Mistake::RowSplit { row: odd as u64 + 1, from, to };
        Some(Problem::new(self.rows[odd + 1].place(), what).proposing(Some(proposal)))
    }

    /// Proposes to remove the only line with words among the rows, such as the foot of a page.
    fn words(&self) -> Option<Problem> {
        let is_word =
            |token: &[u8]| String::from_utf8_lossy(token).chars().filter(|c| c.is_alphabetic()).count() > 2;
        let mut lines = self.rows.iter().filter(|line| line.tokens().any(|(_, token)| is_word(token)));
        let is_begun = |line: &&Line<'_>| line.text.trim_ascii().first().is_some_and(u8::is_ascii_digit);
        let may_be = self.layout.parts.iter().all(|part| part.widths.is_some());
        let line =
            lines.next().filter(|_| may_be && lines.next().is_none()).filter(|line| !is_begun(line))?;
        let proposal = self.trial.first_of([Proposal::remove_line(line.number)])?;
        let what = FormMistake::stray_line(line.number);
        Some(Problem::new(line.place(), what).proposing(Some(proposal)))
    }

    /// Proposes to remove surplus rows of the first part that repeat the rows before them.
    fn repeated(&self) -> Option<Problem> {
        let rows = usize::try_from(self.layout.parts.first()?.rows).ok()?;
        let surplus = self.rows.len().checked_sub(usize::try_from(self.rows_expected()).ok()?)?;
        let text = |row: &Line<'_>| row.tokens().map(|(_, token)| token.to_vec()).collect::<Vec<_>>();
        let lines = self.rows.get(..rows.checked_add(surplus)?)?;
        let is_again = |pair: &&[Line<'_>]| {
            let (before, again) = pair.split_at(surplus);
            before.iter().map(text).eq(again.iter().map(text))
        };
        let pair = lines.windows(2 * surplus.max(1)).find(is_again).filter(|_| surplus > 1)?;
        let [first, last, from, to] = [0, surplus - 1, surplus, 2 * surplus - 1].map(|at| pair[at].number);
        let removed = Proposal::RemoveLines { from_line: from, to_line: to };
        let proposal = self.trial.first_of((surplus < rows).then_some(removed))?;
        let what = Mistake::RowsRepeated { first, last, from, to };
        Some(Problem::new(pair[surplus].place(), what).proposing(Some(proposal)))
    }

    /// Reports rows of two lengths in turn that begin with the other length.
    fn turned(&self) -> Option<Problem> {
        let [wide, narrow] = self.layout.parts.first()?.widths?;
        let is_turned = |(row, &count): (usize, &u64)| count == [narrow, wide][row % 2];
        let are_turned =
            wide != narrow && self.counts.len() > 1 && self.counts.iter().enumerate().all(is_turned);
        let is_whole = are_turned && self.rows.len() as u64 == self.rows_expected();
        let what = Mistake::RowsTurned { wide, narrow };
        is_whole.then(|| Problem::new(self.rows[0].place(), what))
    }

    /// Proposes to remove a line with one number among the rows, such as the number of a page, or an end marker.
    fn number_alone(&self) -> Option<Problem> {
        let odd = self.only_odd([0, 1])?;
        let (line, others) = (self.rows[odd].number, self.expected(odd as u64)?);
        let numbers = self.counts[odd];
        let is_alone = numbers == 1 || is_like_end_marker(self.rows[odd].text);
        let is_alone = is_alone && self.counts.get(odd + 1) == Some(&others);
        let removed = Proposal::remove_line(line);
        let proposal = self.trial.first_of(is_alone.then_some(removed))?;
        let what = Mistake::OddLine { line, numbers, others };
        Some(Problem::new(self.rows[odd].place(), what).proposing(Some(proposal)))
    }

    /// Proposes rows without the number of the row with which each begins.
    fn rows_numbered(&self) -> Option<Problem> {
        let rows = self.rows.get(..usize::try_from(self.layout.parts.first()?.rows).ok()?)?;
        // A mark can stand behind the number.
        let bare = |token: &[u8]| digits_value(0, token.strip_suffix(b":").unwrap_or(token));
        let first = bare(rows.first()?.tokens().next()?.1).filter(|&first| first < 2)?;
        let lines = (first..).zip(rows).enumerate().map(|(row, (number, line))| {
            let mut tokens = line.tokens().map(|(_, token)| token).peekable();
            let is_number = bare(tokens.next()?) == Some(number);
            let marks = u64::from(tokens.next_if(|token| matches!(*token, b"|" | b":" | b"-")).is_some());
            let is_long = self.expected(row as u64) == Some(self.counts[row].saturating_sub(1 + marks));
            let rest = tokens.map(String::from_utf8_lossy);
            (is_number && is_long).then(|| rest.collect::<Vec<_>>().join(" "))
        });
        let lines = lines.collect::<Option<Vec<_>>>().filter(|lines| lines.len() > 1)?;
        let (from_line, to_line) = (rows[0].number, rows[rows.len() - 1].number);
        let proposal = self.trial.first_of([Proposal::ReplaceLines { from_line, to_line, lines }])?;
        let numbers: Vec<_> = rows.iter().map(|line| line.number).collect();
        let what = Mistake::RowsNumbered { lines: named_lines(&numbers) };
        Some(Problem::new(rows[0].place(), what).proposing(Some(proposal)))
    }

    /// Reports a number that stands for one square in a row of the right length, but has several digits.
    fn square_digits(&self, problem: &Problem) -> Option<Problem> {
        let (row, line) = (1..).zip(self.rows).find(|(_, line)| line.number == problem.place.line)?;
        let (place, token) = line.tokens().find(|(place, _)| *place == problem.place)?;
        let (found, bytes) = (printable(token, QUOTE_BYTES_MAX), token.len() as u64);
        let is_same = token.iter().all(|digit| *digit == token[0]);
        let with = is_same.then(|| char::from(token[0]).to_string());
        let one = with.map(|with| Proposal::Replace { place, bytes, with });
        let what = Mistake::SquareDigits { found, row, numbers: self.expected(row - 1)? };
        let proposal = self.trial.first_of(one);
        self.fits(row as usize - 1).then(|| Problem::new(place, what).proposing(proposal))
    }

    /// Reports a second board without a header after this one.
    fn run_together(&self) -> Option<Problem> {
        let expected = usize::try_from(self.rows_expected()).ok().filter(|&rows| rows > 1)?;
        // A piece is one board.
        if self.trial.is_piece {
            return None;
        }
        let fits = |rows: usize| (0..rows).all(|row| self.fits(row));
        let next = self.rows.get(expected).filter(|_| self.rows.len() > expected && fits(expected))?;
        let (rest, line) = (&self.rows[expected..], next.number);
        let none = Line { text: b"", ..*next };
        let inserted = |text| Proposal::InsertLine { line, text };
        let proposal = self.trial.first_of(first_lines::fitting(&none, rest, self.trial).map(inserted));
        if proposal.is_none() && (self.rows.len() < 2 * expected || !self.rows.len().is_multiple_of(expected))
        {
            return None;
        }
        let expected = described(self.trial.reader.fields().first()?);
        Some(Problem::new(next.place(), Mistake::HeaderMissing { line, expected }).proposing(proposal))
    }

    /// Proposes to remove a surplus row of the first part that is equal to the row before it.
    fn doubled(&self) -> Option<Problem> {
        let expected = self.layout.parts.first()?.rows;
        if self.rows.len() as u64 != self.rows_expected().saturating_add(1) {
            return None;
        }
        let tokens = |line: &Line<'_>| line.tokens().map(|(_, token)| token.to_vec()).collect::<Vec<_>>();
        let rows = &self.rows[..=expected as usize];
        let pair = rows.windows(2).find(|pair| tokens(&pair[0]) == tokens(&pair[1]))?;
        let (before, line) = (pair[0].number, pair[1].number);
        let proposal = self.trial.first_of([Proposal::remove_line(line)])?;
        let (header, rows) = (self.header_text(), expected + 1);
        let what = Mistake::RowDoubled { header, rows, expected, line, before };
        Some(Problem::new(pair[1].place(), what).proposing(Some(proposal)))
    }

    /// Reports a row that is too short and one that is too long, if the board has the right count of lines and numbers.
    fn uneven(&self) -> Option<Problem> {
        let board = self.layout.parts.first()?;
        let mut lengths = RowLengths::new(board.rows, board.widths?);
        let mut numbers = 0;
        for (row, &count) in self.rows.get(..usize::try_from(board.rows).ok()?)?.iter().zip(&self.counts) {
            lengths.begin_line(numbers, row.place());
            numbers += u128::from(count);
        }
        lengths.uneven(numbers).filter(|_| self.rows_expected() == self.rows.len() as u64)
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
        if self.odd() == self.rows.len() {
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
            let also = Some(Box::new(Problem::new(line.end(), other)));
            let what = Mistake::Header { header, rows, numbers: width };
            return Some(Problem { also, ..Problem::new(self.header[0].place(), what) });
        }
        let first = self.wrong_row(odd.next()?)?;
        let second = odd.next().and_then(|row| self.wrong_row(row));
        Some(Problem { also: second.map(Box::new), ..first })
    }

    /// Reports a header whose two numbers are exchanged, and the only row that does not fit them either.
    fn exchanged_and_odd(&self) -> Option<Problem> {
        let [first, second] = self.header[0].numbers::<2>().filter(|[first, second]| first != second)?;
        let (header, fitting) = (self.header_text(), format!("{second} {first}"));
        let mut lines = self.header.to_vec();
        lines[0].text = fitting.as_bytes();
        let layout = self.trial.reader.layout(&lines)?;
        let other = CountedRows { layout: &layout, counts: self.counts.clone(), ..*self };
        let mut odd = (0..self.rows.len()).filter(|&row| !other.fits(row));
        let (row, None) = (odd.next()?, odd.next()) else { return None };
        let is_whole = other.rows_expected() == self.rows.len() as u64 && self.odd() > 2;
        let also = Some(Box::new(other.wrong_row(row)?));
        let what =
            Mistake::HeaderExchanged { header, fitting: fitting.clone(), rows: self.rows.len() as u64 };
        is_whole.then(|| Problem { also, ..Problem::new(self.header[0].place(), what) })
    }

    /// Reports a row that is too short or too long.
    fn wrong_row(&self, odd: usize) -> Option<Problem> {
        let line = &self.rows[odd];
        let (numbers, expected) = (self.counts[odd], self.expected(odd as u64)?);
        let (part, row) = self.part(odd as u64)?;
        let place = match line.tokens().nth(expected as usize) {
            Some((place, _)) => place,
            None => line.end(),
        };
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

    /// Reports too few or too many rows.
    fn odd_count(&self) -> Option<Problem> {
        let (lines, expected) = (self.rows.len() as u64, self.rows_expected());
        // Two rows on one line, and a number is missing or surplus.
        if let ([Part { widths: Some([width, other]), .. }], true) =
            (&self.layout.parts[..], lines + 1 == expected && lines > 2)
            && width == other
            && let [odd] =
                (0..self.rows.len()).filter(|&row| self.counts[row] != *width).collect::<Vec<_>>()[..]
            && self.counts[odd] > width + 1
        {
            return self.wrong_row(odd);
        }
        let header = self.header_text();
        let place = self.header[0].place();
        let widths = self.layout.parts.iter().map(|part| part.widths.map(|[width, _]| width));
        let [Some(width), Some(other)] = widths.collect::<Vec<_>>()[..] else {
            // Lines that can hold anything do not count as rows.
            let others = self.layout.parts.iter().filter(|part| part.widths.is_none());
            // The last line is such a line unless it has only numbers.
            let is_row = self.rows.last().is_none_or(Line::numbers_only);
            let others: u64 = if is_row { 0 } else { others.map(|part| part.rows).sum() };
            let (rows, rows_expected) = (lines.saturating_sub(others), self.layout.parts[0].rows);
            let what = FormMistake::RowCount { header, rows, expected: rows_expected };
            // Rows after the last expected one never fit, nor do rows of two lengths in turn after a missing one.
            let is_turned = match self.layout.parts[..] {
                [Part { widths: Some([wide, narrow]), .. }] if wide != narrow => {
                    self.counts.iter().all(|&count| count == wide || count == narrow)
                }
                _ => false,
            };
            let is_sure = is_turned || self.odd() as u64 == lines.saturating_sub(expected);
            return is_sure.then(|| Problem::new(place, what));
        };
        let (board, players) = (self.layout.parts[0].rows, self.layout.parts[1].rows);
        let (odd, rows) = self.rows_of_first(width, other);
        if odd > 0 {
            let is_odd = |row: &usize| self.counts[*row] != if (*row as u64) < rows { width } else { other };
            let first = (0..self.rows.len()).find(is_odd).filter(|_| odd == 1 && lines + 1 >= expected)?;
            return self.wrong_row(first);
        }
        if width == other {
            let what = Mistake::LineCount { lines, header, expected, rows: board, players };
            return Some(Problem::new(place, what));
        }
        if rows != board {
            return Some(Problem::new(place, FormMistake::RowCount { header, rows, expected: board }));
        }
        let (line, players) = (self.header.last()?, lines - rows);
        // Surplus players may be intended; missing ones were more likely forgotten. Zeros more likely end the file.
        let (place, bytes) = (line.place(), line.text.trim_ascii().len() as u64);
        let proposal = Proposal::Replace { place, bytes, with: players.to_string() };
        let mut pairs = self.rows[rows as usize..].windows(2);
        let doubled = pairs.find(|pair| pair[0].text.trim_ascii() == pair[1].text.trim_ascii());
        let is_meant = lines > expected
            && doubled.is_none()
            && !self.rows.last().is_some_and(|row| is_like_end_marker(row.text));
        let proposal = if is_meant { self.trial.first_of([proposal]) } else { None };
        let (line, expected) = (line.number, expected - rows);
        let what: Phrase = match doubled.filter(|_| players == expected + 1) {
            Some(pair) => {
                let [before, again] = [pair[0].number, pair[1].number];
                Mistake::PlayerDoubled { players, line, expected, before, again }.into()
            }
            None => Mistake::PlayerCount { players, line, expected }.into(),
        };
        Some(Problem::new(place, what).proposing(proposal))
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
pub fn end_marker(lines: &[Line<'_>], trial: &Trial<'_>, solver: &'static str) -> Option<Problem> {
    // Three zeros below a row of three numbers are rather a row.
    let is_row = |at: usize| at > 0 && lines[at].count() > 2 && lines[at].count() == lines[at - 1].count();
    let is_marker = |at: &usize| is_like_end_marker(lines[*at].text) && !is_row(*at);
    let markers = (0..lines.len()).rev().take_while(is_marker).count();
    // If another game follows, the last lines can be players.
    if !trial.reader.may_end() || trial.is_followed() && markers < lines.len() {
        return None;
    }
    let to_line = lines.last()?.number;
    let lines_from = |count: usize| lines[lines.len() - count].number;
    let removed = (1..=markers).map(|count| Proposal::RemoveLines { from_line: lines_from(count), to_line });
    let proposal = trial.first_of(removed)?;
    let (line, _) = proposal.lines();
    let first = lines.iter().find(|other| other.number == line)?;
    let found = printable(first.text.trim_ascii(), QUOTE_BYTES_MAX);
    let found = if first.numbers_only() { found } else { format!("'{found}'") };
    Some(Problem::new(first.place(), Mistake::EndMarker { found, line, solver }).proposing(Some(proposal)))
}
