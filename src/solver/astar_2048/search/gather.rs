//! The boards of a layer while they are collected: each once, with the link it was first reached by.

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

use super::super::boards::space::Space;
use super::trail::{BOARDS_MAX, Link};
use crate::solver::{Budget, Charge, Pace, Stop};

/// Buckets of a new table.
const BUCKETS_MIN: usize = 8;

/// The boards of one depth.
pub(super) struct Layer<'a, B> {
    pub(super) boards: Vec<B>,
    /// Holds the charge for the boards.
    _charge: Option<Charge<'a>>,
}

impl<B> Layer<'_, B> {
    /// The first layer.
    pub(super) fn of_start(start: B) -> Self {
        Self { boards: vec![start], _charge: None }
    }
}

/// A layer that is being collected.
pub(super) struct Gather<'a, S: Space> {
    space: &'a S,
    budget: &'a Budget,
    boards: Vec<S::Board>,
    boards_charge: Charge<'a>,
    links: Vec<Link>,
    /// Indices of the boards.
    table: HashTable<u32>,
    /// Links and table.
    work_charge: Charge<'a>,
    /// Boards there is room for.
    room: usize,
}

impl<'a, S: Space> Gather<'a, S> {
    /// An empty layer with room for about `expected` boards.
    pub(super) fn new(space: &'a S, expected: usize, budget: &'a Budget) -> Result<Self, Stop> {
        let mut gather = Self {
            space,
            budget,
            boards: Vec::new(),
            boards_charge: Charge::none(budget),
            links: Vec::new(),
            table: HashTable::new(),
            work_charge: Charge::none(budget),
            room: 0,
        };
        gather.reserve(expected.next_power_of_two().max(BUCKETS_MIN))?;
        Ok(gather)
    }

    /// Boards collected.
    pub(super) fn len(&self) -> usize {
        self.boards.len()
    }

    /// Adds a board, unless it is there.
    pub(super) fn insert(&mut self, board: S::Board, link: Link) -> Result<(), Stop> {
        if self.boards.len() == self.room {
            self.grow()?;
        }
        let (boards, hash) = (&self.boards, |board| self.space.hash(board));
        let is_board = |&index: &u32| boards[index as usize] == board;
        let entry = self.table.entry(hash(&board), is_board, |&index| hash(&boards[index as usize]));
        if let Entry::Vacant(entry) = entry {
            entry.insert(boards.len() as u32);
            self.boards.push(board);
            self.links.push(link);
        }
        Ok(())
    }

    fn grow(&mut self) -> Result<(), Stop> {
        self.reserve(2 * self.table.num_buckets())?;
        let mut pace = Pace::new(self.budget);
        let hash = |index: usize| self.space.hash(&self.boards[index]);
        for index in 0..self.boards.len() {
            pace.count(self.space.steps())?;
            self.table.insert_unique(hash(index), index as u32, |&index| hash(index as usize));
        }
        Ok(())
    }

    /// Makes an empty table of so many buckets (a power of two from 8), and room for the boards that it can hold.
    fn reserve(&mut self, buckets: usize) -> Result<(), Stop> {
        // The table leaves an eighth of its buckets free.
        let room = buckets / 8 * 7;
        if room >= BOARDS_MAX {
            return Err(Stop::MemoryLimit);
        }
        let link_bytes = size_of::<Link>() as u64;
        // A bucket is an index and a byte.
        let work_bytes = buckets as u64 * (size_of::<u32>() as u64 + 1) + room as u64 * link_bytes;
        self.table = HashTable::new();
        self.work_charge.shrink_to(self.room as u64 * link_bytes);
        // Boards and links are copied, so both copies exist for a while; what a board holds elsewhere stays there.
        let elsewhere = self.room as u64 * (self.space.board_bytes() - size_of::<S::Board>() as u64);
        self.work_charge.grow(work_bytes)?;
        self.boards_charge.grow(room as u64 * self.space.board_bytes() - elsewhere)?;
        self.boards.reserve_exact(room - self.boards.len());
        self.links.reserve_exact(room - self.links.len());
        self.work_charge.shrink_to(work_bytes);
        self.boards_charge.shrink_to(room as u64 * self.space.board_bytes());
        self.table = HashTable::with_capacity(room);
        self.room = room;
        Ok(())
    }

    /// Keeps the `width` boards with the best scores, of equals those collected first, in the order
    /// in which they were collected.
    pub(super) fn keep_best(&mut self, width: usize, pace: &mut Pace<'_>) -> Result<(), Stop> {
        let _scratch = Charge::new((self.boards.len() * size_of::<(S::Score, u32)>()) as u64, self.budget)?;
        let mut order = Vec::with_capacity(self.boards.len());
        for (index, board) in self.boards.iter().enumerate() {
            pace.count(self.space.steps())?;
            order.push((self.space.beam_score(board), index as u32));
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

    /// The links of the boards.
    pub(super) fn links(&self) -> &[Link] {
        &self.links
    }

    /// The layer.
    pub(super) fn finish(self) -> Layer<'a, S::Board> {
        Layer { boards: self.boards, _charge: Some(self.boards_charge) }
    }
}
