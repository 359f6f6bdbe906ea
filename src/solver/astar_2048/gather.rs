//! The boards of a layer while they are collected: each once, with the link it was first reached by.
//!
//! A hash table with open addressing holds the indices of the boards collected so far. It is made larger
//! before it is half full.

use super::meter::{Meter, Pacer};
use super::space::Space;
use super::trail::{LAYER_MAX, Link};
use crate::solver::{Budget, Stop};

/// Boards that a new table has room for at the least.
const BOARDS_MIN: usize = 64;
/// A slot without a board.
const EMPTY: u32 = u32::MAX;

/// The boards of one depth, all different.
pub(super) struct Layer<'a, B> {
    pub(super) boards: Vec<B>,
    /// Holds the charge for the boards.
    _meter: Option<Meter<'a>>,
}

impl<B> Layer<'_, B> {
    /// The first layer.
    pub(super) fn of_start(start: B) -> Self {
        Self { boards: vec![start], _meter: None }
    }
}

/// A layer that is being collected.
pub(super) struct Gather<'a, B> {
    boards: Vec<B>,
    boards_meter: Meter<'a>,
    links: Vec<Link>,
    links_meter: Meter<'a>,
    /// Indices of boards; the length is a power of two.
    slots: Vec<u32>,
    slots_meter: Meter<'a>,
    /// Boards there is room for.
    room: usize,
    board_bytes: u64,
    budget: &'a Budget,
}

impl<'a, B: Clone + Eq> Gather<'a, B> {
    /// An empty layer with room for about `expected` boards.
    pub(super) fn new<S>(space: &S, expected: usize, budget: &'a Budget) -> Result<Self, Stop>
    where
        S: Space<Board = B>,
    {
        let meter = || Meter::new(budget);
        let mut gather = Self {
            boards: Vec::new(),
            boards_meter: meter(),
            links: Vec::new(),
            links_meter: meter(),
            slots: Vec::new(),
            slots_meter: meter(),
            room: 0,
            board_bytes: space.board_bytes(),
            budget,
        };
        let packed = gather.board_bytes <= size_of::<u64>() as u64;
        gather.reserve(if packed { expected.next_power_of_two().max(BOARDS_MIN) } else { 8 })?;
        Ok(gather)
    }

    /// Boards collected.
    pub(super) fn len(&self) -> usize {
        self.boards.len()
    }

    /// Adds a board, unless it is there.
    pub(super) fn insert<S>(&mut self, space: &S, board: B, link: Link) -> Result<(), Stop>
    where
        S: Space<Board = B>,
    {
        let Some(slot) = self.free_slot(space.hash(&board), |other| *other == board) else {
            return Ok(());
        };
        self.slots[slot] = self.boards.len() as u32;
        self.boards.push(board);
        self.links.push(link);
        if self.boards.len() == self.room {
            self.grow(space)?;
        }
        Ok(())
    }

    /// Where a board with this hash belongs; `None` when it is there, as `same` tells.
    fn free_slot(&self, hash: u64, same: impl Fn(&B) -> bool) -> Option<usize> {
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        loop {
            match self.slots[slot] {
                EMPTY => return Some(slot),
                index if same(&self.boards[index as usize]) => return None,
                _ => slot = (slot + 1) & mask,
            }
        }
    }

    fn grow<S: Space<Board = B>>(&mut self, space: &S) -> Result<(), Stop> {
        if self.room >= LAYER_MAX {
            return Err(Stop::MemoryLimit);
        }
        self.reserve(2 * self.room)?;
        let mut pacer = Pacer::new(self.budget);
        for index in 0..self.boards.len() {
            pacer.step(space.squares())?;
            // All boards differ, so the first empty slot is the place.
            if let Some(slot) = self.free_slot(space.hash(&self.boards[index]), |_| false) {
                self.slots[slot] = index as u32;
            }
        }
        Ok(())
    }

    /// Makes room for `room` boards, with empty slots.
    fn reserve(&mut self, room: usize) -> Result<(), Stop> {
        let bytes = |count: usize, each: u64| (count as u64).saturating_mul(each);
        let link_bytes = size_of::<Link>() as u64;
        // The old slots are freed first; boards and links are copied, so both copies exist for a while.
        self.slots = Vec::new();
        self.slots_meter.shrink_to(0);
        self.slots_meter.charge(bytes(2 * room, size_of::<u32>() as u64))?;
        self.boards_meter.charge(bytes(room, self.board_bytes))?;
        self.boards.reserve_exact(room - self.boards.len());
        self.boards_meter.shrink_to(bytes(room, self.board_bytes));
        self.links_meter.charge(bytes(room, link_bytes))?;
        self.links.reserve_exact(room - self.links.len());
        self.links_meter.shrink_to(bytes(room, link_bytes));
        self.slots = vec![EMPTY; 2 * room];
        self.room = room;
        Ok(())
    }

    /// Keeps the `width` boards with the best scores, of equals those collected first, in the order
    /// in which they were collected.
    pub(super) fn keep_best<S>(&mut self, space: &S, width: usize, pacer: &mut Pacer<'_>) -> Result<(), Stop>
    where
        S: Space<Board = B>,
    {
        let mut scratch = Meter::new(self.budget);
        scratch.charge((self.boards.len() * size_of::<(S::Score, u32)>()) as u64)?;
        let mut order = Vec::with_capacity(self.boards.len());
        for (index, board) in self.boards.iter().enumerate() {
            pacer.step(space.squares())?;
            order.push((space.beam_score(board), index as u32));
        }
        if width < order.len() {
            order.select_nth_unstable_by(width, |a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
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

    /// The layer, and its links with their charge.
    pub(super) fn finish(mut self) -> (Layer<'a, B>, Vec<Link>, Meter<'a>) {
        self.links.shrink_to_fit();
        self.links_meter.shrink_to((self.links.len() * size_of::<Link>()) as u64);
        (Layer { boards: self.boards, _meter: Some(self.boards_meter) }, self.links, self.links_meter)
    }
}
