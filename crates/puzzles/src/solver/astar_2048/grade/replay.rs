//! Whether the boards of an answer follow from one another.

use std::slice;

use super::shape::{follows, has_won};
use crate::board::sliding::{Direction, SlidingBoard};
use crate::board::swipe::{rank_of, refill, swiped};
use crate::input::{Place, digits_value};
use crate::solver::grading::{Answer, Finding, Reason, Remark, quoted};
use crate::words::{Argument, messages};

messages! {
    "astar-grade"
    /// What is wrong with the boards of an answer.
    enum Misstep {
        /// A board does not begin with its size.
        NoSize = "no-size" { found: Argument, board: u64 },
        /// It has another number of rows than its size.
        RowCount = "row-count" { board: u64, rows: u64, size: u64 },
        /// A row has another number of values.
        RowLength = "row-length" { board: u64, row: u64, numbers: u64, size: u64 },
        /// A number that is no tile.
        NoTile = "no-tile" { found: Argument, board: u64 },
        /// It is not as large as that of the puzzle.
        OtherSize = "other-size" { board: u64, found: u64, size: u64 },
        /// The first board is another one than that of the puzzle.
        NotTheFirst = "not-the-first",
        /// No swipe gives it.
        NoSwipe = "no-swipe" { board: u64 },
        /// A swipe gives it that changes nothing.
        NoChange = "no-change" { board: u64 },
        /// A swipe gives it, but for the new tile.
        NewTile = "new-tile" { board: u64 },
        /// After the swipe there is no room for a new tile.
        NoRoom = "no-room" { board: u64 },
        /// The last board has not won.
        NotWon = "not-won" { goal: u64 },
    }
}

/// Boards that follow from one another, to one that has won.
#[derive(Debug, Clone, Copy)]
pub struct Path {
    /// Where the first board begins.
    pub place: Place,
    /// How many there are after it.
    pub moves: u64,
    /// Moves to the first board that has won.
    pub moves_to_win: u64,
    /// Where the board behind that one begins.
    pub behind: Option<Place>,
}

/// A board as it stands in an answer.
struct Read {
    /// Its number, from 1.
    number: u64,
    /// Line of its size.
    at: usize,
    place: Place,
    board: SlidingBoard,
}

/// Follows the boards of an answer, which begin at that line; else what is wrong with them, as a presentation error where they
/// cannot be read.
pub fn replay(
    start: &SlidingBoard,
    goal_rank: u8,
    answer: &Answer,
    from: usize,
) -> Result<Path, Box<Finding>> {
    let mut last = read(start.size(), answer, from, 1)?;
    let mut path = Path { place: last.place, moves: 0, moves_to_win: 0, behind: None };
    if last.board != *start {
        return Err(differs(answer, &last, slice::from_ref(start), Misstep::NotTheFirst).into());
    }
    let mut has_won_before = has_won(start, goal_rank);
    while last.at + start.size() + 1 < answer.line_count() {
        let next = read(start.size(), answer, last.at + start.size() + 1, last.number + 1)?;
        if !follows(&last.board, &next.board) {
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

/// Reads the board whose size should stand on that line.
fn read(size: usize, answer: &Answer, at: usize, number: u64) -> Result<Read, Box<Finding>> {
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
    let mut ranks = Vec::with_capacity(size * size);
    for row in 1..=size {
        let rows = row as u64 - 1;
        let missing = || Misstep::RowCount { board: number, rows, size: found };
        let Some(line) = answer.line(at + row) else { return unreadable(place, missing()) };
        if line.numbers::<1>().is_some() {
            return unreadable(line.place(), missing());
        }
        let numbers = line.count();
        if numbers != found {
            return unreadable(
                line.place(),
                Misstep::RowLength { board: number, row: row as u64, numbers, size: found },
            );
        }
        for (place, token) in line.tokens() {
            if !token.iter().all(u8::is_ascii_digit) {
                return Err(Box::new(Finding::presentation(
                    place,
                    Remark::Unreadable { found: quoted(token) },
                )));
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

/// A board that is none of `boards`, with the place of the first value that none of them has behind the values before it.
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

/// Why no swipe of `before` gives a board.
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
        // The board is what the swipe gives, with a tile more at most.
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
