//! Reads the puzzles of a file, and examines wrong ones again, line by line, to say how to correct them.
//!
//! A reader stops at a token that does not fit, which can be far after the mistake. The text that it read is still in
//! the window. This module examines its characters and lines, and tries each change on a copy before it proposes the
//! change. If the puzzles before it are wrong, too, the copy includes them, because the mistake can be in one of them.

mod changed_file;
mod characters;
mod division;
mod excerpt;
mod exponents;
mod first_lines;
mod header_changes;
mod isolated_lines;
mod joined_numbers;
mod line_changes;
mod merge_conflict;
mod missing_rows;
mod neighbours;
mod players;
mod proposal_trial;
mod row_counts;
mod second_mistakes;
mod seeds_and_goals;
mod short_file;
mod surroundings;
mod whole_file;

use std::cell::Cell;
use std::collections::VecDeque;
use std::io;

use crate::summary::{STRAY_RULE, is_of_count, is_of_lines, is_of_whole_file};
use header_changes::{quoted_token, whole};
use merge_conflict::CONFLICT_RULE;
use proposal_trial::{Before, TRIED_BYTES_MAX, Trial};
pub(crate) use second_mistakes::VALUES_MAX;
use short_file::Queued;
use tabuleiro_puzzles::input::{Line, Place, Scanner, Spot};
use tabuleiro_puzzles::solver::{
    Entry, Excerpt, Options, PICTURE, Problem, Proposal, PuzzleReader, Solver, Subject, Work,
};
use tabuleiro_puzzles::words::{Phrase, messages};

/// The most wrong puzzles whose lines are kept for a page.
const LINES_KEPT_MAX: u64 = 200;

/// The rules about the line with the number of puzzles.
const COUNT_RULES: [&str; 2] = ["case-count", "behind-count"];

/// Reads the puzzles of a file, and examines those that are wrong.
pub struct Reading {
    reader: Box<dyn PuzzleReader>,
    solver: &'static dyn Solver,
    /// A reader that has not read the first puzzle.
    unread: Box<dyn PuzzleReader>,
    before: Before,
    /// How many bytes trials can still read.
    bytes_left: Cell<u64>,
    /// The entries of a short file, which was read at once.
    queue: VecDeque<Queued>,
    /// The end of a short file.
    end: Option<Spot>,
    /// Whether the input has the lines of one puzzle only.
    is_piece: bool,
    text: InputText,
    /// How many more wrong puzzles keep their lines for a page.
    kept_left: u64,
    state: ReadState,
    /// The rule that the puzzle before breaks; empty if it is valid.
    before_rule: &'static str,
    /// A proposed change makes the whole file valid, so no other mistake is reported.
    is_explained: bool,
}

/// What the input is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum InputText {
    /// The file, or a part of it.
    File,
    /// The file after a change of many lines.
    Changed,
    /// A changed copy, on which a proposal is tried.
    Trial,
    /// A copy of a puzzle that has only some of its lines.
    Line,
}

/// How far a file was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ReadState {
    /// Nothing was read.
    Unread,
    Begun,
    /// One problem about the whole file was returned, and nothing follows it.
    Over,
}

impl Reading {
    /// Creates a reader of one file for a solver under its options.
    #[must_use]
    pub fn open(solver: &'static dyn Solver, options: &Options) -> Self {
        let reader = solver.open(options);
        let kept_left = if options.get(PICTURE) { LINES_KEPT_MAX } else { 0 };
        Self {
            unread: reader.fresh_reader(),
            reader,
            solver,
            before: Before::default(),
            bytes_left: Cell::new(TRIED_BYTES_MAX),
            queue: VecDeque::new(),
            end: None,
            is_piece: false,
            text: InputText::File,
            kept_left,
            state: ReadState::Unread,
            before_rule: "",
            is_explained: false,
        }
    }

    /// Creates a reader of one puzzle of the file that `other` reads.
    fn for_piece(other: &Self) -> Self {
        let reader = other.reader.puzzle_reader();
        let unread = reader.fresh_reader();
        Self {
            reader,
            unread,
            before: Before::default(),
            queue: VecDeque::new(),
            is_piece: false,
            state: ReadState::Begun,
            bytes_left: Cell::new(TRIED_BYTES_MAX / 64),
            ..*other
        }
    }

    fn is_trial(&self) -> bool {
        self.text == InputText::Trial
    }

    /// Reads the next puzzle; `None` at the end of the file.
    ///
    /// # Errors
    /// Fails only if reading fails.
    #[inline]
    pub fn read(&mut self, input: &mut Scanner<'_>) -> io::Result<Option<Entry>> {
        if self.state == ReadState::Unread && input.holds_rest()? {
            let begin = input.spot();
            self.queue = self.read_short(input)?;
            for (Entry { place, work }, _) in &mut self.queue {
                if let Work::Invalid(problem) = work {
                    set_subject(problem, *place);
                }
            }
            self.end = Some(input.spot());
            self.state = ReadState::Over;
            input.go_back(begin);
        }
        if let Some((entry, end)) = self.queue.pop_front() {
            input.go_back(end);
            return Ok(Some(entry));
        }
        if let Some(end) = self.end.take() {
            input.go_back(end);
        }
        self.read_next(input)
    }

    #[inline]
    fn read_next(&mut self, input: &mut Scanner<'_>) -> io::Result<Option<Entry>> {
        if self.state == ReadState::Over { Ok(None) } else { self.read_entry(input) }
    }

    /// Reads the next puzzle. Copying entries would cost 5 % of the time, so only one variable holds them, which the
    /// compiler then keeps in the caller's memory.
    #[inline]
    fn read_entry(&mut self, input: &mut Scanner<'_>) -> io::Result<Option<Entry>> {
        let mut spot = input.spot();
        input.mark_from(spot);
        let mut read = self.reader.read(input);
        while self.is_explained && matches!(&read, Ok(Some(Entry { work: Work::Invalid(_), .. }))) {
            spot = input.spot();
            input.mark_from(spot);
            read = self.reader.read(input);
        }
        match &mut read {
            Ok(Some(Entry { place, work: Work::Invalid(problem) })) => {
                if let Err(error) = self.examine(problem, (spot, *place), input) {
                    read = Err(error);
                }
            }
            Ok(Some(Entry { place, .. })) => {
                self.before.add(spot, *place);
                self.before_rule = "";
                self.state = ReadState::Begun;
            }
            Ok(None) | Err(_) => {}
        }
        read
    }

    /// Examines the problem of a puzzle that was read.
    #[cold]
    fn examine(
        &mut self,
        problem: &mut Box<Problem>,
        place: (Spot, Place),
        input: &mut Scanner<'_>,
    ) -> io::Result<()> {
        **problem = self.diagnose((**problem).clone(), place, input)?;
        set_subject(problem, place.1);
        if self.state == ReadState::Unread {
            self.state = ReadState::Begun;
        }
        Ok(())
    }

    /// After the end of the file, returns whether a file without any puzzle is complete.
    #[must_use]
    pub fn allows_empty(&self) -> bool {
        self.reader.allows_empty()
    }

    /// Returns the problem of a wrong puzzle after its lines were examined.
    #[cold]
    fn diagnose(
        &mut self,
        problem: Problem,
        (spot, place): (Spot, Place),
        input: &mut Scanner<'_>,
    ) -> io::Result<Problem> {
        input.look_ahead()?;
        let begins = self.before.add_wrong(spot, place, input);
        if let Some(problem) = self.problem_beyond(spot, input)? {
            return Ok(problem);
        }
        let Some(marked) = input.marked() else { return Ok(problem) };
        let lines = marked.lines();
        let trial = Trial {
            solver: self.solver,
            reader: &*self.reader,
            first: if begins.is_before_tokens() { &*self.unread } else { &*self.reader },
            before: &self.before,
            text: input.lines_from(begins),
            bytes_left: &self.bytes_left,
            assumed: &[],
            is_piece: self.is_piece,
            takes_next: self.state == ReadState::Unread,
            is_stray: problem.rule() == STRAY_RULE,
        };
        let before = self.before_rule;
        let proposing = |change| Some(problem.clone().proposing(change));
        let seen = match (problem.rule(), problem.proposal.as_deref()) {
            ("second-moves", _) => Some(first_lines::second_moves(&problem, (&lines, before), &trial)),
            ("moves", Some(tried)) => {
                let proposed = proposing(trial.first_of([tried.clone()]));
                proposed.map(|problem| characters::naming_mark(problem, &lines))
            }
            (_, Some(_)) => Some(problem.clone()),
            ("moves-early", None) => {
                let (line, last) = (problem.place.line, lines.last());
                proposing(last.and_then(|last| trial.moved([line, line], last.number)))
            }
            // Propose the end marker without the text after it.
            ("marker-line", None) => {
                proposing(trial.first_of(lines.first().map(|line| whole(line, "0 0".to_owned()))))
            }
            ("seed-late", None) => proposing(seeds_and_goals::seed_late(&problem, &lines, &trial)),
            ("header-behind", None) => proposing(first_lines::header_behind(&lines, &trial)),
            _ => first_lines::marker_before_header(&lines, &trial)
                .or_else(|| row_counts::end_marker(&lines, &trial))
                .or_else(|| first_lines::second_value(&problem, &lines, &trial)),
        };
        let seen = seen
            .or_else(|| seeds_and_goals::seed_line(&lines, &trial))
            .or_else(|| characters::stray(&problem, &lines, &trial))
            .or_else(|| seeds_and_goals::goal_line(&lines, before, &trial))
            .or_else(|| first_lines::stray_line(&problem, &lines, &trial))
            .or_else(|| characters::piece_marks(&problem, &lines))
            .or_else(|| missing_rows::omitted(&lines, &trial))
            .or_else(|| missing_rows::cell_error(&marked, &lines, &trial))
            .or_else(|| missing_rows::commented(&marked, &lines, &trial))
            .or_else(|| missing_rows::blank(&marked, &lines, &trial))
            .or_else(|| exponents::look(&problem, &lines, &trial))
            .or_else(|| players::look(&problem, &lines, &trial))
            .or_else(|| first_lines::count_line(&problem, &lines, &trial))
            .or_else(|| characters::look(&problem, &lines, &trial))
            .or_else(|| first_lines::look(&problem, &lines, &trial))
            .or_else(|| row_counts::look(&problem, &lines, &trial).map(|seen| relate_header(seen, &lines)));
        let mut problem = match seen {
            // The line with the number of puzzles is not a puzzle, so it keeps its own message.
            Some(Problem { proposal, what, .. })
                if COUNT_RULES.contains(&problem.rule()) && what.name == "character" =>
            {
                Problem { proposal, ..problem }
            }
            Some(seen) => Problem { recognised: problem.recognised, ..seen },
            None => first_lines::other_header(problem, &lines, &trial),
        };
        problem.recognised |= problem.proposal.is_some();
        let is_bare = |line: &&Line<'_>| line.count() > 1 && !line.text.iter().any(u8::is_ascii_digit);
        if let Some(line) = problem.line_in(&lines).filter(is_bare)
            && problem.rule() == "square-value"
            && problem.proposal.is_none()
        {
            let found = quoted_token(line.text.trim_ascii());
            problem.what = Mistake::Word { found, line: line.number }.into();
        }
        let recognised = problem.recognised;
        let isolated = self.isolated(&problem, &lines, &trial).map(|found| found.recognised_if(recognised));
        let mut problem = isolated.unwrap_or_else(|| second_mistakes::add(problem, &lines, &trial));
        // After the change, the game is played, and one of its moves can be wrong.
        if self.solver.id() == "2048-game"
            && problem.also.is_none()
            && let Some(change) = &problem.proposal
        {
            // A new header may lack the seed.
            if matches!(**change, Proposal::InsertLine { .. }) && trial.mistake_after(change).is_some() {
                problem.proposal = None;
            } else if matches!(**change, Proposal::JoinLines { .. }) || change.lines().0 > place.line {
                problem.also = trial.mistake_after(change).map(Box::new);
            }
        }
        self.before_rule = problem.rule();
        excerpt::add_to_all(&mut problem, &marked);
        if self.kept_left > 0 {
            self.kept_left -= 1;
            problem.lines = excerpt::lines_around(problem.place.line, &lines);
        }
        Ok(problem)
    }

    /// Returns a mistake that concerns more than the puzzle that was read, and moves to where reading continues.
    fn problem_beyond(&mut self, spot: Spot, input: &mut Scanner<'_>) -> io::Result<Option<Problem>> {
        let is_first = self.state == ReadState::Unread;
        let text = if is_first { input.lines_from(Spot::START) } else { input.marked() };
        let Some(text) = text else { return Ok(None) };
        let found = if is_first {
            whole_file::look(&text, &*self.reader, self.solver)
        } else {
            whole_file::look_from(&text, input.lines_from(Spot::START).as_ref(), self.solver)
        };
        let Some(mut problem) = found else { return Ok(None) };
        excerpt::add(&mut problem, &text);
        if problem.rule() == CONFLICT_RULE {
            let (reader, begin) = if is_first { (&self.unread, Spot::START) } else { (&self.reader, spot) };
            let text = input.lines_from(begin);
            let read = text.and_then(|text| merge_conflict::read_past(&problem, &text, &**reader, begin));
            if let Some((behind, reader)) = read {
                self.reader = reader;
                input.go_back(behind);
                return Ok(Some(problem.recognised_if(true)));
            }
        }
        // Other puzzles can be valid, and a change within this puzzle concerns no other.
        self.is_explained = whole_file::explains_all(&problem);
        let last = problem.proposal.as_ref().map_or(u64::MAX, |proposal| proposal.lines().1);
        let is_over = last >= input.place().line || problem.rule() == "exchanged";
        if !self.is_explained && is_over {
            input.drain()?;
            self.state = ReadState::Over;
        }
        Ok(Some(problem))
    }
}

/// Sets the subject of the problem of an entry that begins at `begins`. A line within a puzzle can break a rule about
/// lines that belong to no puzzle.
fn set_subject(problem: &mut Problem, begins: Place) {
    // A goal after a size, on the same line, belongs to the puzzle of that size.
    let has_size = |excerpt: &Excerpt| problem.rule() == "goal-line" && excerpt.text.trim().contains(' ');
    let is_line = is_of_lines(problem.rule())
        && problem.place.line == begins.line
        && !problem.excerpt.as_deref().is_some_and(has_size);
    // Lines such as those around a piece of code need not spoil a puzzle.
    let has_change = problem.proposal.is_some() || problem.part.is_some();
    // In the result, the first missing case counts as an invalid case.
    problem.subject = if is_of_count(problem.rule()) && problem.rule() != "missing-case" {
        Subject::Count
    } else if is_line || is_of_whole_file(problem) && !problem.recognised && has_change {
        Subject::Lines
    } else {
        Subject::Puzzle
    };
}

/// Relates the header to a problem of the rows, unless the problem is at the header itself.
fn relate_header(problem: Problem, lines: &[Line<'_>]) -> Problem {
    let is_other = |header: &&Line<'_>| header.number != problem.place.line && problem.related.is_empty();
    match lines.first().filter(is_other) {
        Some(header) => problem.related_to(header.place()),
        None => problem,
    }
}

/// Adds the lines of the file, if they are in the window, to a problem of the text that was just read.
pub fn with_excerpt(mut problem: Problem, input: &mut Scanner<'_>) -> Problem {
    // Without the lines, the message still names the place.
    if let Some(marked) = input.look_ahead().ok().and_then(|()| input.marked()) {
        excerpt::add(&mut problem, &marked);
    }
    problem
}

messages! {
    "mistake"
    /// A mistake that the lines of a puzzle show.
    enum Mistake {
        /// A character that numbers do not have.
        Character = "character" { character: Phrase, token: String, expected: Phrase, lines: Phrase, others: u64 },
        /// A character of a token, as part of another message.
        InToken = "in-token" { character: Phrase, token: String },
        /// One row has more or fewer numbers than all others.
        RowLength = "row-length" { row: u64, line: u64, numbers: u64, others: u64 },
        /// There are too few or too many rows, and another header fits them.
        RowCount = "row-count" { header: String, rows: u64, expected: u64, fitting: String },
        /// A header number that should stand alone has other numbers on its line.
        NumberAlone = "header-length" { line: u64, numbers: u64, field: Phrase },
        /// The goal stands among the numbers.
        GoalLine = "goal-line" { goal: u64, line: u64 },
        /// A line among the rows has another length than they have.
        OddLine = "odd-line" { line: u64, numbers: u64, others: u64 },
        /// Two numbers of a row have no blank between them.
        NumbersJoined = "squares-joined" { found: String, apart: String },
        /// A line of moves that looks like that of the game before or of the next one.
        MovesElsewhere = "second-moves" { line: u64, game: &'static str },
        /// A line of moves that is equal to the one before it.
        MovesAgain = "moves-again" { line: u64, before: u64 },
        /// Row and column of players are exchanged.
        PlayersExchanged = "players-exchanged" {
            player: String, line: u64, last_row: u64, last_column: u64, squares: String
        },
        /// Rows and columns of players are counted from 1.
        PlayersFromOne = "players-from-one" {
            player: String, line: u64, last_row: u64, last_column: u64, squares: String, exchanged: String
        },
        /// Neither the row nor the column of a player is on the board.
        PlayerOutside = "player-outside" { player: String, row: u64, column: u64, last_row: u64, last_column: u64 },
        /// The players of a valid game can be counted from 1, as those of another game are.
        PlayersFromOneToo = "players-from-one-too" { squares: String, line: u64 },
        /// The line of a player has too many or too few numbers for a row and a column.
        PlayerLength = "player-length" { player: String, line: u64, numbers: u64, expected: u64 },
        /// The line of a player, or of all players, has a name or other text besides the square.
        PlayerLine = "player-line" { found: String, square: String, players: u64 },
        /// There are fewer or more players than a line says.
        PlayerCount = "player-count" { players: u64, line: u64, expected: u64, surplus: u64 },
        /// The file ends within a row, and rows are missing; without numbers, it ends after that row.
        FileCut = "file-cut" { row: u64, line: u64, numbers: u64, expected: u64, missing: u64 },
        /// A blank stands between thousands.
        ThousandsBlank = "thousands-blank" { found: String, value: String },
        /// Dots stand for rows.
        RowsOmitted = "rows-omitted" { found: String, line: u64 },
        /// An error of a spreadsheet stands in the place of a number.
        CellError = "cell-error" { found: String, line: u64 },
        /// A row or a header that is missing is in a comment.
        RowCommented = "row-commented" { lines: Phrase },
        /// A line between the rows is blank, and the board lacks a row there.
        RowBlank = "row-blank" { header: String, rows: u64, expected: u64, line: u64 },
        /// The exponents of the tiles stand for the tiles.
        Exponents = "exponents" { exponent: u64, tile: u64, lines: Phrase },
        /// The squares that are not playable are written as marks. They should be left out.
        MarkedSquares = "marked-squares" { mark: String },
        /// There are too few or too many lines, and players look like rows of the board.
        LineCount = "line-count" { lines: u64, header: String, expected: u64, rows: u64, players: u64 },
        /// There is one row too many, and two adjacent rows are equal.
        RowDoubled = "row-doubled" {
            header: String, rows: u64, expected: u64, line: u64, before: u64, other: u64, again: u64
        },
        /// Zeros end the file, but its format has no end marker.
        EndMarker = "end-marker" { found: String, line: u64, solver: &'static str },
        /// Zeros stand between two boards.
        MarkerEarly = "marker-early" { found: String, line: u64 },
        /// The end marker stands on the line of the last row.
        MarkerOnRow = "marker-on-row" { line: u64 },
        /// Blanks stand for the empty squares of some rows.
        Blanks = "blank-squares" { lines: Phrase },
        /// The header of the next puzzle stands on the line of the last row.
        HeaderOnRow = "header-on-row" { header: String, line: u64 },
        /// A number has several digits, but its row has as many numbers as squares.
        SquareDigits = "square-digits" { found: String, row: u64, numbers: u64 },
        /// A line outside of the puzzles has letters in another encoding.
        StrayLine = "stray-line" { line: u64, text: String },
        /// Lines outside of the puzzles have rows of numbers with other characters.
        LooseRows = "loose-rows" { from: u64, to: u64 },
        /// A word stands among numbers.
        Word = "word" { found: String, line: u64 },
        /// Rows have no blanks between their numbers.
        Joined = "joined" { line: u64 },
        /// The numbers of a header stand on two lines.
        SplitHeader = "split-header" { field: Phrase, from: u64, to: u64 },
        /// The seed of a game stands on a line of its own.
        SeedLine = "seed-line" { seed: String, line: u64 },
        /// A line gives the number of puzzles, which files of this solver do not have.
        PuzzleCount = "puzzle-count" { found: String, noun: &'static str, line: u64 },
        /// The line of the number of puzzles has further numbers.
        CountLine = "behind-count" { line: u64, numbers: u64 },
        /// The first two lines are exchanged.
        Exchanged = "exchanged" { first: u64, second: u64 },
        /// A first line is missing.
        HeaderMissing = "header-missing" { line: u64, expected: Phrase },
        /// The rows fit another header.
        Header = "header-mismatch" { header: String, rows: u64, numbers: u64 },
        /// The header counts only the columns that are written.
        HeaderHalf = "header-half" { header: String },
        /// All squares of a checkers board are written, with the pieces on squares that are not playable.
        OtherColour = "other-colour" { header: String },
        /// Letters or marks stand for the squares of a checkers board.
        PieceMarks = "piece-marks" { marks: String, squares: &'static str },
        /// All rows of a board with an odd number of columns have the length of the first one.
        HeaderOdd = "header-odd" { columns: u64, wide: u64, narrow: u64, rows: u64, fitting: String },
        /// Rows of two lengths in turn would fit another header.
        HeaderInTurn = "header-in-turn" { header: String, rows: u64, width: u64, narrow: u64 },
        /// There is one player too many, and two players have the same square.
        PlayerDoubled = "player-doubled" { players: u64, line: u64, expected: u64, before: u64, again: u64 },
        /// Rows stand behind a whole board. They belong to it, or their header is missing.
        RowsBehind = "rows-behind" {
            rows: u64, line: u64, header: String, fitting: String, next: u64, missing: String
        },
        /// Several rows are written twice.
        RowsRepeated = "rows-repeated" { first: u64, last: u64, from: u64, to: u64 },
        /// Another solver can read these lines, or all lines from here on if `last` is 0.
        OtherSolver = "other-solver" { line: u64, last: u64, solver: &'static str, puzzles: u64 },
        /// The lines of two boards stand beside each other.
        SideBySide = "side-by-side" { line: u64 },
        /// Rows of two lengths in turn begin with the other length.
        RowsTurned = "rows-turned" { wide: u64, narrow: u64 },
        /// Two rows stand on one line, perhaps without a blank between them.
        RowsJoined = "rows-joined" { line: u64, found: String },
        /// All rows of a board stand on one line.
        AllOnOneLine = "all-on-one-line" { line: u64, rows: u64 },
        /// One row stands on two lines.
        RowSplit = "row-split" { rows: u64, row: u64, from: u64, to: u64 },
        /// Each row stands on several lines, and one of these lines is too short or too long.
        RowWrapped = "row-wrapped" {
            row: u64, from: u64, to: u64, numbers: u64, others: u64, line: u64, found: u64, expected: u64
        },
        /// Two lines have no line break between them.
        LinesJoined = "lines-joined" { line: u64, first: String, second: String },
    }
}
