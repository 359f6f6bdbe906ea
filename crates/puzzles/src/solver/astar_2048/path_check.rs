//! Grades answers: `unsolvable`, a number of moves, the boards of a path, or a number and boards.
//!
//! Nothing marks the end of a list of boards. [`Lists`](super::board_lists::Lists) ends it at a won board, and before
//! the next puzzle's own board. A board that follows by a swipe belongs to the list all the same.

use std::slice;

use serde_json::Value;

use super::answer::letters;
use super::astar_puzzle::AstarPuzzle;
use super::board_lists::{self, Shape, board_at, count, has_won, swipe_between};
use crate::board::sliding::{Direction, SlidingBoard};
use crate::board::swipe::{rank_of, refill, swiped};
use crate::input::{Place, digits_value};
use crate::solver::Gradable;
use crate::solver::grading::{
    Answer, Best, Finding, Known, Mark, Number, Reason, Remark, Share, TooMany, claimed, is_words, quoted,
};
use crate::words::{Argument, messages};

messages! {
    "astar-grade"
    /// What answers look like, and what is wrong with the boards of an answer.
    pub enum Misstep {
        Form = "form",
        NoSize = "no-size" { found: Argument, board: u64 },
        RowCount = "row-count" { board: u64, rows: u64, size: u64 },
        RowLength = "row-length" { board: u64, row: u64, numbers: u64, size: u64 },
        NoTile = "no-tile" { found: Argument, board: u64 },
        OtherSize = "other-size" { board: u64, found: u64, size: u64 },
        NotTheFirst = "not-the-first",
        NoSwipe = "no-swipe" { board: u64 },
        NoChange = "no-change" { board: u64 },
        NewTile = "new-tile" { board: u64 },
        NoRoom = "no-room" { board: u64 },
        GoesOn = "goes-on" { board: u64 },
        NoBoards = "no-boards",
        NotWon = "not-won" { goal: u64 },
    }
}

impl Gradable for AstarPuzzle {
    fn check(&self, known: &Known, answer: &Answer) -> Finding {
        let (start, goal_rank) = (&self.start, self.settings.goal_rank);
        let (first, place) = (answer.first(), answer.place());
        if is_words(first, "unsolvable") {
            return known.check_no_solution(place);
        }
        let is_list = matches!(Shape::of(first, answer.line(1)), Shape::Size(_));
        let counted = count(first).filter(|_| !is_list);
        if counted.is_none() && !is_list {
            return Finding::unreadable(first);
        }
        let from = usize::from(counted.is_some());
        // Do not say what is wrong with the count: the right one could be guessed from that.
        if known.needs_witness && from == answer.line_count() {
            return Finding::wrong(Reason::NoWitness, place, Misstep::NoBoards);
        }
        let path = (from < answer.line_count()).then(|| replay(start, goal_rank, answer, from));
        if let Some(Err(finding)) = &path
            && finding.mark == Mark::Presentation
        {
            return *finding.clone();
        }
        if let Some(Ok(path)) = &path
            && let Some(finding) = detour(path, counted.map(|(_, moves)| moves), known)
        {
            return finding;
        }
        let (place, value) = counted.unwrap_or_else(|| {
            let boards = (answer.line_count() / (start.size() + 1)) as u64;
            (place, boards.saturating_sub(1))
        });
        if let Some(Err(finding)) = &path
            && counted.is_none()
            && known.bounds.at_least.is_some()
        {
            // A wrong list claims no number.
            return finding.clone().expecting(&*known.headline);
        }
        let proof = path.map(|path| path.map(|path| (path.place, path.moves)));
        known.check_number(Number { place, value, proof }, Best::Fewest)
    }

    fn claimed(&self, answer: &Answer) -> Result<Value, TooMany> {
        Ok(moves(&self.start, answer)?.as_deref().map_or(Value::Null, letters))
    }

    fn begins_in(&self, answer: &Answer) -> Option<usize> {
        board_lists::begins_in(&self.start, self.settings.goal_rank, answer)
    }
}

/// Returns the finding on boards that follow a won board, whatever else the answer claims.
fn detour(path: &Path, counted: Option<u64>, known: &Known) -> Option<Finding> {
    let behind = path.behind?;
    if let Some(finding) = known.refuted(path.place, path.moves_to_win, Best::Fewest) {
        return Some(finding);
    }
    let is_counted = counted.is_none_or(|moves| moves == path.moves);
    is_counted.then(|| {
        let what = Misstep::GoesOn { board: path.moves_to_win + 1 };
        let share = Share::of_best(path.moves, known.bounds.at_most.unwrap_or(path.moves_to_win));
        Finding::not_best(share, behind, what).expecting(&*known.headline)
    })
}

/// A sequence of boards, each one swipe after the one before it, with at least one winning board.
#[derive(Debug, Clone, Copy)]
struct Path {
    /// Where the first board begins.
    place: Place,
    /// The number of boards after the first.
    moves: u64,
    /// Moves to the first won board.
    moves_to_win: u64,
    /// Where the board after the first won board begins.
    behind: Option<Place>,
}

/// A board, as read from an answer.
pub struct Read {
    /// The number of the board, from 1.
    number: u64,
    /// The index of the line with its size.
    at: usize,
    place: Place,
    pub board: SlidingBoard,
}

/// Follows the boards of an answer, which begin at line `from`. If they are wrong, returns the finding, which is a
/// presentation error if they cannot be read.
fn replay(start: &SlidingBoard, goal_rank: u8, answer: &Answer, from: usize) -> Result<Path, Box<Finding>> {
    let mut last = read(start.size(), answer, from, 1)?;
    let mut path = Path { place: last.place, moves: 0, moves_to_win: 0, behind: None };
    if last.board != *start {
        return Err(differs(answer, &last, slice::from_ref(start), Misstep::NotTheFirst).into());
    }
    let mut has_won_before = has_won(start, goal_rank);
    while last.at + start.size() + 1 < answer.line_count() {
        let next = read(start.size(), answer, last.at + start.size() + 1, last.number + 1)?;
        if swipe_between(&last.board, &next.board).is_none() {
            let swipes = Direction::ALL.into_iter().filter_map(|direction| swiped(&last.board, direction));
            let boards: Vec<_> = swipes.map(|(board, _)| board).collect();
            return Err(differs(answer, &next, &boards, misstep(&last.board, &next)).into());
        }
        path.moves += 1;
        if has_won_before {
            path.behind = path.behind.or(Some(next.place));
        } else {
            path.moves_to_win = path.moves;
        }
        has_won_before |= has_won(&next.board, goal_rank);
        last = next;
    }
    if has_won_before {
        return Ok(path);
    }
    Err(illegal(last.place, Misstep::NotWon { goal: 1 << goal_rank }).into())
}

/// Reads the board whose size should be on line `at`.
pub fn read(size: usize, answer: &Answer, at: usize, number: u64) -> Result<Read, Box<Finding>> {
    let unreadable = |place, what: Misstep| Err(Box::new(Finding::presentation(place, what)));
    let line = answer.line(at).unwrap_or(answer.first());
    let place = line.place();
    let Some([found]) = line.numbers() else {
        let found = quoted(line.text);
        return unreadable(place, Misstep::NoSize { found, board: number });
    };
    if found != size as u64 {
        return Err(illegal(place, Misstep::OtherSize { board: number, found, size: size as u64 }).into());
    }
    // The size may be a large number of an answer.
    let mut ranks = Vec::new();
    for row in 1..=size {
        let rows = row as u64 - 1;
        let missing = || Misstep::RowCount { board: number, rows, size: found };
        let Some(line) = answer.line(at + row) else { return unreadable(place, missing()) };
        if line.numbers::<1>().is_some() {
            return unreadable(line.place(), missing());
        }
        let numbers = line.count();
        if numbers != found {
            let what = Misstep::RowLength { board: number, row: row as u64, numbers, size: found };
            return unreadable(line.place(), what);
        }
        for (place, token) in line.tokens() {
            if !token.iter().all(u8::is_ascii_digit) {
                let what = Remark::Unreadable { found: quoted(token) };
                return Err(Finding::presentation(place, what).into());
            }
            let Some(rank) = digits_value(0, token).and_then(rank_of) else {
                return Err(illegal(place, Misstep::NoTile { found: quoted(token), board: number }).into());
            };
            ranks.push(rank);
        }
    }
    Ok(Read { number, at, place, board: SlidingBoard::new(size, ranks) })
}

fn illegal(place: Place, what: Misstep) -> Finding {
    Finding::wrong(Reason::IllegalMove, place, what)
}

/// Returns the finding on a board that is not among `boards`. Its place is the first value at which the board differs
/// from all of them.
fn differs(answer: &Answer, read: &Read, boards: &[SlidingBoard], what: Misstep) -> Finding {
    let ranks = read.board.ranks();
    let same = |board: &SlidingBoard| {
        ranks.iter().zip(board.ranks()).take_while(|(here, there)| here == there).count()
    };
    let square = boards.iter().map(same).max();
    let place = square.and_then(|square| {
        let (row, column) = (square / read.board.size(), square % read.board.size());
        let (place, _) = answer.line(read.at + 1 + row)?.tokens().nth(column)?;
        Some(place)
    });
    illegal(place.unwrap_or(read.place), what)
}

/// Returns why no swipe of `before` gives the board.
fn misstep(before: &SlidingBoard, Read { number, board, .. }: &Read) -> Misstep {
    let board_number = *number;
    let mut what = Misstep::NoSwipe { board: board_number };
    for direction in Direction::ALL {
        let mut slid = before.clone();
        let is_changed = slid.slide(direction).changed;
        let pairs = slid.ranks().iter().zip(board.ranks());
        let mut new = pairs.filter(|(slid, board)| slid != board);
        let tile = new.next();
        if new.next().is_some() || tile.is_some_and(|(&slid, _)| slid != 0) {
            continue;
        }
        // The board is the result of the swipe, with at most one more tile.
        what = if !is_changed {
            Misstep::NoChange { board: board_number }
        } else if refill(&mut slid) {
            return Misstep::NewTile { board: board_number };
        } else {
            return Misstep::NoRoom { board: board_number };
        };
    }
    what
}

/// Returns the moves from `start` through the boards of an answer, as far as they follow from one another. `None` if
/// the answer has no boards, or begins with another board.
///
/// # Errors
/// Fails if there are more moves than can be drawn.
fn moves(start: &SlidingBoard, answer: &Answer) -> Result<Option<Vec<Direction>>, TooMany> {
    let is_list = matches!(Shape::of(answer.first(), answer.line(1)), Shape::Size(_));
    let mut at = usize::from(!is_list && count(answer.first()).is_some());
    let Some(mut board) = board_at(answer, at).filter(|board| board == start) else { return Ok(None) };
    let next_move = || {
        at += 1 + start.size();
        let next = board_at(answer, at)?;
        let direction = swipe_between(&board, &next)?;
        board = next;
        Some(direction)
    };
    claimed(std::iter::from_fn(next_move)).map(Some)
}
