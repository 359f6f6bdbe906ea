//! What becomes of an answer.

use super::replay::{Path, replay};
use super::shape::{Shape, count};
use crate::board::sliding::SlidingBoard;
use crate::solver::grading::{Answer, Best, Claim, Finding, Known, Mark, Number, Reason, Share, is_words};
use crate::words::messages;

messages! {
    "astar-grade"
    /// What is wrong with a path that is valid.
    enum Detour {
        /// Boards follow one that has won.
        Goes = "goes-on" { board: u64 },
    }
}

messages! {
    "astar-grade"
    /// What is lacking in an answer.
    enum Lack {
        /// There are no boards, and they are needed.
        NoBoards = "no-boards",
    }
}

/// Compares an answer for the puzzle that begins with `start` with what is known.
pub fn check(start: &SlidingBoard, goal_rank: u8, known: &Known, answer: &Answer) -> Finding {
    let (first, place) = (answer.first(), answer.place());
    if is_words(first, "unsolvable") {
        return Claim::NoSolution { place }.check(known, Best::Fewest);
    }
    let is_list = matches!(Shape::of(first, answer.line(1)), Shape::Size(_));
    let counted = count(first).filter(|_| !is_list);
    if counted.is_none() && !is_list {
        return Finding::unreadable(first);
    }
    let from = usize::from(counted.is_some());
    // What is wrong with the count is not told: it might be guessed then.
    if known.needs_witness && from == answer.line_count() {
        return Finding::wrong(Reason::NoWitness, place, Lack::NoBoards);
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
        && known.unproved.is_none()
        && known.bounds.at_least.is_some()
    {
        // A list that is wrong claims no number.
        return finding.clone().expecting(&*known.headline);
    }
    let proof = path.map(|path| path.map(|path| (path.place, path.moves)));
    Claim::Number(Number { place, value, proof }).check(known, Best::Fewest)
}

/// What becomes of boards that go on behind one that has won, whatever else they claim.
fn detour(path: &Path, counted: Option<u64>, known: &Known) -> Option<Finding> {
    let behind = path.behind?;
    if let Some(finding) = known.refuted(path.place, path.moves_to_win, Best::Fewest) {
        return Some(finding);
    }
    let is_counted = counted.is_none_or(|moves| moves == path.moves);
    (is_counted && known.unproved.is_none()).then(|| {
        let what = Detour::Goes { board: path.moves_to_win + 1 };
        let share = Share::of_best(path.moves, known.bounds.at_most.unwrap_or(path.moves_to_win));
        Finding::not_best(share, behind, what).expecting(&*known.headline)
    })
}
