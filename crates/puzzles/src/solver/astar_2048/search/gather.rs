//! The boards of a layer while they are collected: each once, with the link it was first reached by.

use super::super::boards::space::Space;
use super::trail::{BOARDS_MAX, Link};
use crate::solver::{Budget, ChargedTable, ChargedVec, Pace, Stop};

/// A layer that is being collected.
pub(super) struct Gather<'a, S: Space> {
    space: &'a S,
    /// The boards.
    pub(super) boards: ChargedVec<'a, S::Board>,
    /// The links of the boards.
    pub(super) links: ChargedVec<'a, Link>,
    /// Indices of the boards.
    table: ChargedTable<'a, u32>,
}

impl<'a, S: Space> Gather<'a, S> {
    /// An empty layer with room for about `expected` boards.
    pub(super) fn new(space: &'a S, expected: usize, budget: &'a Budget) -> Result<Self, Stop> {
        let boards = ChargedVec::holding(space.bytes_elsewhere(), budget);
        let table = ChargedTable::with_room(expected, budget)?;
        Ok(Self { space, boards, links: ChargedVec::new(budget), table })
    }

    /// Adds a board, unless it is there.
    pub(super) fn insert(&mut self, board: S::Board, link: Link, pace: &mut Pace<'_>) -> Result<(), Stop> {
        let (space, boards) = (self.space, &self.boards);
        let hash = space.hash(&board);
        if self.table.find(hash, |&index| boards[index as usize] == board).is_some() {
            return Ok(());
        }
        if boards.len() == BOARDS_MAX {
            return Err(Stop::MemoryLimit);
        }
        let all = || (0..).zip(boards.iter()).map(|(index, board)| (space.hash(board), index));
        self.table.make_room(all, space.steps(), pace)?;
        self.table.insert(hash, boards.len() as u32);
        self.boards.push(board)?;
        self.links.push(link)
    }

    /// Keeps the `width` boards with the best scores, of equals those collected first, in the order
    /// in which they were collected.
    pub(super) fn keep_best(&mut self, width: usize, pace: &mut Pace<'a>) -> Result<(), Stop> {
        let mut order = ChargedVec::with_capacity(self.boards.len(), pace.budget())?;
        for (index, board) in (0..).zip(self.boards.iter()) {
            pace.count(self.space.steps())?;
            order.push((self.space.beam_score(board), index))?;
        }
        if width < order.len() {
            order.select_nth_unstable_by(width, |a: &(S::Score, u32), b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        }
        order.truncate(width);
        order.sort_unstable_by_key(|&(_, index)| index);
        for (place, &(_, index)) in order.iter().enumerate() {
            self.boards.swap(place, index as usize);
            self.links[place] = self.links[index as usize];
        }
        self.boards.truncate(width);
        self.links.truncate(width);
        Ok(())
    }
}
